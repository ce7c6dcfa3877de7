// What the player asks Streamlit for: dialogs and other pages. A dialog ends with a command for the run service.

/** @import { Link } from "../service/link.js" */
/** @import { Session } from "../service/session.js" */
/** @import { Reply, Trigger } from "../types.d.ts" */

let carriedOut = ""; // the newest reply, as JSON: Streamlit sends it again with each of its runs

export class Streamlit {
  /** @type {Trigger} */
  trigger = () => {};

  /**
   * @param {Session} session
   * @param {Link} link
   */
  constructor(session, link) {
    this.session = session;
    this.link = link;
  }

  /**
   * Streamlit has run.
   *
   * @param {{ reply?: Reply | null } | null} data
   * @param {Trigger} trigger
   */
  take(data, trigger) {
    this.trigger = trigger;
    const { reply } = data ?? {};
    const text = JSON.stringify(reply ?? "");
    if (!reply || text === carriedOut) return;
    carriedOut = text;
    this.session.command(reply.name, reply.value);
  }

  /** Open a dialog about an instant; `address` says what is shown of it. */
  async dialog(name, t, address) {
    const { keep, state } = this.session;
    const { link } = state;
    const named = [...new URLSearchParams(link).values()].filter((value) => value.includes("~"));
    const kept = Object.entries(await keep.all(named)).filter(([, record]) => record);
    const bring = Object.fromEntries(kept);
    this.trigger("dialog", { name, n: Date.now(), t, link, address, bring });
  }

  /** Open another page, by its path ("lab", "fisher", "": the player), with a link of its own. */
  go(page, query) {
    this.link.open(page, query);
  }
}
