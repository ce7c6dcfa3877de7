// What kpviz says in an element is in the language of the lesson: each text and label that comes
// there is looked up, so nothing that puts it there needs to know of languages.

import { spokenLanguage, translate } from "../run/language.js";

const LABELS = ["aria-label", "title", "placeholder"];

// Where a lesson speaks: all else of the page stays English.
const SPEAKS =
  ".beside-board, .asking, .voting-card, .slides, .class-question, .status, .notices, .working";
const TYPED = "textarea, [contenteditable=true]"; // A student writes there.

/**
 * What was translated, by the text or element that has it, and by its label ("" for the text
 * itself): the English words, and those in their place. So a lesson in another language is
 * translated from English, too.
 *
 * @type {WeakMap<Node, Record<string, { english: string, translation: string }>>}
 */
const originals = new WeakMap();

/**
 * Translate what is in an element, and what comes there from now on; returns what does so anew,
 * after the language has changed.
 *
 * @param {HTMLElement} element
 */
export function translateIn(element) {
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === "childList") addedNodes.forEach(translateAll);
      else translateOne(target);
    }
  }).observe(element, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: LABELS,
  });
  return () => translateAll(element);
}

/** @param {Node} root */
function translateAll(root) {
  translateOne(root);
  root.childNodes.forEach(translateAll);
}

/** @param {Node} node */
function translateOne(node) {
  if (node instanceof Text) {
    const { parentElement: parent } = node;
    if (!parent?.closest(SPEAKS) || parent.closest(TYPED)) return;
    translateWords(node, "", node.data, (words) => (node.data = words));
  } else if (node instanceof HTMLElement && node.closest(SPEAKS)) {
    for (const label of LABELS) {
      const words = node.getAttribute(label);
      if (words) translateWords(node, label, words, (other) => node.setAttribute(label, other));
    }
  }
}

/**
 * Put a translation in the place of words, and remember both.
 *
 * @param {Node} node
 * @param {string} label
 * @param {string} now what is there
 * @param {(words: string) => void} set
 */
function translateWords(node, label, now, set) {
  const before = originals.get(node)?.[label];
  const english = before?.translation === now ? before.english : now;
  const translation = translate(english);
  if (translation === now && !before) return;
  originals.set(node, { ...originals.get(node), [label]: { english, translation } });
  if (translation === now) return;
  set(translation);
  const element = node instanceof HTMLElement ? node : node.parentElement;
  if (!element?.closest(`[lang="${spokenLanguage()}"]`)) element.lang = spokenLanguage();
}
