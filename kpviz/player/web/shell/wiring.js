// What the settings beside a page have in common, whatever the page shows.

/** @import { Session } from "../service/session.js" */

/**
 * How the dock of a page asks the run service.
 *
 * @param {Session} session
 */
export const asksOf = (session) => ({
  command: (name, value = null) => session.command(name, value),
  stream: (name, value, when) => session.stream(name, value, when),
  awaits: (n) => session.awaits(n),
  wants: (groups) => {
    session.dock = groups;
    if (groups.length) session.again();
  },
});
