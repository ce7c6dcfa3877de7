// The versions of what the page writes and reads again, as in kpviz/formats.py, which says more.

export const FORMATS = { link: 1, results: 1, answers: 1 };

/** What is said of answers that a newer kpviz kept in this browser. */
export const NEWER_ANSWERS =
  "What you answered in this lesson was saved by a newer kpviz: update this one.";

/** Whether the version of an address, in digits, is of a newer kpviz. @param {string} search */
export function isNewerLink(search) {
  const version = new URLSearchParams(search).get("v") ?? "";
  return /^[0-9]+$/.test(version) && Number(version) > FORMATS.link;
}
