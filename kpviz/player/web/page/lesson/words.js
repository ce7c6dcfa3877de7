// The words of a lesson, which Python read: a tree becomes elements, and texts stay texts.

import { aloud } from "../../paint/rich.js";
import { translate } from "../../run/language.js";
import { inMinutes } from "../../run/words.js";
import { make } from "../dom.js";
import { withNames } from "../naming.js";
import { formula } from "../formula.js";

/** @import { Elsewhere, PlainLesson, Word } from "../../modes/types.d.ts" */

const TAGS = {
  paragraph: "p",
  item: "li",
  quote: "blockquote",
  strong: "strong",
  emphasis: "em",
  table: "table",
  row: "tr",
};
const FOREIGN = /^https?:/;

/**
 * Elements for a tree; where a task stands, `place` gives one.
 *
 * @param {Word[]} tree
 * @param {{ place?: (task: number) => Node | string, go?: (address: string) => void }} [doing]
 * @returns {(Node | string)[]}
 */
export function nodesOf(tree, { place = () => "", go } = {}) {
  return tree.flatMap((word) => {
    // A sentence is looked up before its names and formulas get elements of their own.
    if (typeof word === "string") return unbroken(translate(word));
    const { kind } = word;
    if (kind === "task") return place(word.number);
    if (kind === "code") return make("code", {}, word.text);
    if (kind === "math") return make("span", {}, ...(word.mathml?.map(formula) ?? [word.shown]));
    if (kind === "block") return make("pre", {}, make("code", {}, word.text));
    if (kind === "rule") return make("hr");
    if (kind === "break") return make("br");
    const children = nodesOf(word.children ?? [], { place, go });
    if (kind === "link") return linked(word.href, children, go);
    return make(tagOf(word), listed(word), ...children);
  });
}

// A formula in plain text: atoms, whose brackets may hold spaces, joined by operators; or one atom
// with such brackets.
const ATOM = String.raw`(?=\S)[^\s()]*(?:\([^()]*\)[^\s()]*)*`;
const SIGN = "[=≠<>≤≥≈+−·×]";
const JOINED = `${ATOM}(?:(?: ${SIGN} |(?<=[Σᵢⱼ]) (?=[αkxy]))${ATOM})+`;
const BRACKETS = String.raw`[^\s()]+\([^()]*\)\S*|\([^()]* ${SIGN} [^()]*\)\S*`;
const FORMULA = new RegExp(String.raw`((?<!\S)(?:${JOINED}|${BRACKETS}))`);

/**
 * A text in which no line ends within a formula that fits into it, and what is named can be pointed
 * at.
 *
 * @param {string} text
 */
const unbroken = (text) =>
  text
    .split(FORMULA)
    .flatMap((part, k) =>
      k % 2 ? make("span", { className: "unbroken" }, ...withNames(part)) : withNames(part),
    );

/** @param {Exclude<Word, string>} word */
function tagOf({ kind, level, ordered, head }) {
  if (kind === "heading") return `h${Math.min(level + 1, 6)}`; // The heading of the scene is an h3.
  if (kind === "list") return ordered ? "ol" : "ul";
  if (kind === "cell") return head ? "th" : "td";
  return TAGS[kind] ?? "span";
}

/** @param {Exclude<Word, string>} word */
const listed = ({ kind, ordered, start }) => (kind === "list" && ordered && start ? { start } : {});

/** Another site opens beside; a link of kpviz's own goes there on this stage. */
function linked(href, children, go) {
  const foreign = FOREIGN.test(href);
  const properties = foreign ? { target: "_blank", rel: "noopener noreferrer" } : {};
  const link = make("a", { href, ...properties }, ...children);
  if (!foreign && go) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(href);
    });
  }
  return link;
}

/**
 * The text of a tree, its paragraphs apart.
 *
 * @param {Word[]} tree
 * @returns {string}
 */
export const textOf = (tree) =>
  tree
    .map((word) => {
      if (typeof word === "string") return word;
      const inner = word.shown ? aloud(word.shown) : (word.text ?? textOf(word.children ?? []));
      return ["paragraph", "item", "heading"].includes(word.kind) ? `${inner}\n` : inner;
    })
    .join("");

/** The lesson's first slide. @param {PlainLesson} lesson */
export const titleOf = ({ title, objectives, minutes }) => [
  make("h1", {}, title),
  ...(minutes ? [make("p", {}, inMinutes(minutes))] : []),
  ...(objectives.length ? [make("p", {}, "You will be able to:"), listOf(objectives)] : []),
];

/** @param {string[]} texts */
export const listOf = (texts) => make("ul", {}, ...texts.map((text) => make("li", {}, text)));

// What a page does not do: where it can be done.

/**
 * @param {string} what needs kpviz
 * @param {Elsewhere} elsewhere
 */
export function elsewhereOf(what, { address, command, isSecret = false }) {
  const open = address
    ? make("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, "open it there")
    : make("code", {}, command);
  const install = make("code", {}, 'pip install "kpviz[app]"');
  const more = address || isSecret ? [] : [install, " installs it, "];
  return make(
    "p",
    { className: "elsewhere" },
    isSecret ? "This task is answered on the server: " : `${what} needs kpviz: `,
    ...more,
    open,
    address ? "." : " opens it.",
  );
}
