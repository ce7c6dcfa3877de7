// The panels that are shown: those of a run by default, beside the map, and on which page.

import { BY_NAME, PANELS } from "./panel_table.js";

const names = (belongs) => PANELS.filter(belongs).map(({ name }) => name);
const DEFAULT = names(({ group, page }) => group === "default" && !page);
const MORE = names(({ group, page }) => group === "more" && !page);
// Other pages have panels of their own.
const OF_PAGES = names(({ group, page }) => group !== "board" && page);

/** The panels that the place of the kernels shows. */
export const KERNELS = ["gram", "validity", "derivation"];
const USUAL = ["alpha", "margins"]; // The place of the kernels does not show these.

/** Whether these panels are those of the kernels. @param {ReadonlySet<string>} panels */
export const isAboutKernel = (panels) =>
  KERNELS.every((name) => panels.has(name)) && !USUAL.some((name) => panels.has(name));

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

/** What the chooser has a button for: the panels of a run that are shown then, and no other. */
export const PRESETS = { explore: shownByDefault, present: () => [] };

/** What is shown at once of these panels, in the order of the table: in tabs, or beside the map. */
export const besideMap = (shown) =>
  [...DEFAULT, ...MORE, ...OF_PAGES].filter((name) => shown.has(name));

/** Whether there is something to show of a run in a panel. */
export const hasSomething = (name, run) =>
  BY_NAME[name].requires.every((part) => run.provides(part));

const OF_MISTAKES = ["alpha", "margins"]; // Before the first step these only say that none was made.

/** Whether a panel has nothing to show yet, and is none of those that a cue lights. */
export const isLeftOut = (name, { run, t }, lit) =>
  OF_MISTAKES.includes(name) && run.isBlank(t) && !lit.includes(name);

/**
 * The page with the most of these panels. Of several such pages it is one without any other panel,
 * else the page that is shown, else the one with the first of these panels.
 */
export function pageWith(names, pages, shownPage) {
  const countOn = (page) => names.filter((name) => page.includes(name)).length;
  const most = Math.max(0, ...pages.map(countOn));
  if (!most) return widerPage(pages, shownPage);
  const best = [...pages.keys()].filter((k) => countOn(pages[k]) === most);
  const alone = best.find((k) => pages[k].length === most);
  if (alone !== undefined) return alone;
  if (best.includes(shownPage)) return shownPage;
  const first = names.find((name) => best.some((k) => pages[k].includes(name)));
  return best.find((k) => pages[k].includes(first));
}

/** A page with all panels of the one that is shown, and more; else the one that is shown. */
function widerPage(pages, shownPage) {
  const shown = pages[shownPage] ?? [];
  const wider = pages.findIndex(
    (page) => page.length > shown.length && shown.every((name) => page.includes(name)),
  );
  return wider < 0 ? shownPage : wider;
}
