// Which panels are shown: those of a run by default, beside the map, and on which page.

import { BY_NAME, PANELS } from "./panel_table.js";

const names = (belongs) => PANELS.filter(belongs).map(({ name }) => name);
const DEFAULT = names(({ group, page }) => group === "default" && !page);
const MORE = names(({ group, page }) => group === "more" && !page);
// Other pages have panels of their own.
const OF_PAGES = names(({ group, page }) => group !== "board" && page);

/** Panels whose numbers Python computes only when they are shown. */
export const ON_REQUEST = names(({ onRequest }) => onRequest);

/**
 * The panels that are shown of a run unless one chooses others: without a plane, what the kernel
 * makes of the examples.
 */
export const shownByDefault = ({ plane, page }) =>
  page
    ? OF_PAGES.filter((name) => BY_NAME[name].page === page)
    : plane
      ? DEFAULT
      : [...DEFAULT, ...names(({ noPlane }) => noPlane)];

/** What is shown at once of these panels, in the order of the table: in tabs, or beside the map. */
export const besideMap = (shown) =>
  [...DEFAULT, ...MORE, ...OF_PAGES].filter((name) => shown.has(name));

/** Whether there is something to show of a run in a panel. */
export const hasSomething = (name, run) =>
  BY_NAME[name].requires.every((part) => run.provides(part));

/**
 * The page with the most of these panels: that without others, else the one that is shown, else
 * that of the first of them; where none is on any `page`, or one that has also what is there.
 */
export function pageWith(names, pages, page) {
  const shows = (page) => names.filter((name) => page.includes(name)).length;
  const most = Math.max(0, ...pages.map(shows));
  const best = [...pages.keys()].filter((k) => shows(pages[k]) === most);
  if (!most) return wider(pages, page);
  const first = names
    .map((name) => best.find((k) => pages[k].includes(name)))
    .find((k) => k !== undefined);
  return best.find((k) => pages[k].length === most) ?? (best.includes(page) ? page : first);
}

/** A page with all that this one has, and more; else this one. */
function wider(pages, page) {
  const there = pages[page] ?? [];
  const widerPage = pages.findIndex(
    (other) => other.length > there.length && there.every((name) => other.includes(name)),
  );
  return widerPage < 0 ? page : widerPage;
}
