// The player's part of the address.

import { shownByDefault } from "./layout.js";

/** @import { Run } from "./run.js" */

/** The panels that are shown, in one order. @param {Iterable<string>} shown */
export const panelsQuery = (shown) => [...shown].sort().join(".");

/**
 * The address of what is shown.
 *
 * @param {Run} run
 * @param {number} t
 * @param {Set<string>} shown
 * @param {string[]} more further parts; empty ones are left out
 */
export function queryOf(run, t, shown, more) {
  const parts = [run.header.settings.query, ...more.filter(Boolean)];
  if (t > 0) parts.push(`t=${t}`);
  const panels = panelsQuery(shown);
  if (panels !== panelsQuery(shownByDefault(run))) parts.push(`show=${panels || "none"}`);
  return parts.join("&");
}
