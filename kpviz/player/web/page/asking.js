// Where something is asked: the question in the place of the sentence, its answers large under it,
// under these what came of the one that was given, and at the foot the way out.

import { layoutOf } from "../board/layout.js";
import { spokenLanguage, translate } from "../run/language.js";
import { colour, counted } from "../run/words.js";
import { make, pressable, put, renew } from "./dom.js";
import { withNames } from "./naming.js";

/** @import { AskingPlace, BoardShape } from "../board/types.d.ts" */

/**
 * An answer that one can give, by its button or by its key. `note` and `picture`: what it leads to;
 * `class`: the one that it names, by 1 or −1; `isClosed`: it cannot be given yet. Once an answer is
 * given, `was` tells of each whether it was that one, and right.
 * @typedef {object} AskedAnswer
 * @property {string} words
 * @property {string} [note]
 * @property {() => Element} [picture]
 * @property {string} key
 * @property {number} [class]
 * @property {"" | "right" | "wrong" | "left"} was
 * @property {boolean} [isClosed]
 * @property {() => void} act
 */

/**
 * How far one is in a row of questions: the index of the one that stands there, and of each that
 * was answered whether that was right.
 * @typedef {object} AskedRow
 * @property {number} at
 * @property {(boolean | null)[]} answers null where none was given
 * @property {number} count of all questions
 */

/**
 * What is seen of a question. `headline`: of the very first one; `prose`: what one has to know
 * first; `description`: what those see who see the map; `remembered`: the classes of the examples
 * that the machine has remembered; `told`: what came of the answer; `next`: what goes on then;
 * `others`: what one can do instead.
 * @typedef {object} QuestionContent
 * @property {string} [headline]
 * @property {string} where one is
 * @property {AskedRow} [row]
 * @property {string} [prose]
 * @property {string} question
 * @property {string} [description]
 * @property {AskedAnswer[]} answers
 * @property {number[]} [remembered]
 * @property {string} verdict
 * @property {string} told
 * @property {{ words: string, act: () => void } | null} next
 * @property {{ words: string, key: string, act: () => void }[]} [others]
 * @property {string} score
 */

const MOST_BRICKS = 16;
const LOW = 520; // In px: on a lower board all is smaller, however much there is to say.
const MARKS = { right: " ✓", wrong: " ✗", left: "" };

/** Each sentence in a line of its own, where they have no room in one. @param {string} words */
const inSentences = (words) =>
  translate(words)
    .split(/(?<=[.?!]) /)
    .flatMap((sentence, k) => [
      ...(k ? [" "] : []),
      make("span", { className: "sentence" }, ...coloured(sentence)),
    ]);

/** @type {Map<boolean | null, [className: string, sign: string]>} */
const PIPS = new Map([
  [true, ["right", "✓"]],
  [false, ["wrong", "✗"]],
  [null, ["left", "–"]],
]);

const CLASSES = ["orange", "blue"];

/**
 * Words with the names of the classes in their colours, and what else they name to be pointed at.
 *
 * @param {string} words
 */
export function coloured(words) {
  const names = CLASSES.map(translate);
  return translate(words)
    .split(new RegExp(`\\b((?:${names.join("|")})\\p{L}*)`, "u")) // It may be declined.
    .flatMap((part) => {
      const k = names.findIndex((name) => part.startsWith(name));
      return k < 0 ? withNames(part) : make("b", { className: CLASSES[k] }, part);
    });
}

export class Asking {
  /**
   * @param {string} label
   * @param {{ stop: { words: string, title: string, act: () => void }, kinds?: HTMLElement }} foot
   */
  constructor(label, { stop, kinds }) {
    this.headline = make("h2");
    this.where = make("p", { className: "where" });
    this.prose = make("p", { className: "prose" });
    this.told = make("p", { className: "told" });
    this.question = make("p", { className: "question", id: "asked-question" });
    this.answers = make("div", {
      className: "answers",
      role: "group",
      "aria-labelledby": "asked-question",
      "aria-describedby": "asked-description",
    });
    this.description = make("p", { className: "unseen", id: "asked-description" });
    this.remembered = make("p", { className: "bricks", role: "img" });
    this.goOn = make("div", { className: "goes-on" });
    this.stopping = pressable(stop.words, stop.act, { className: "stops", title: stop.title });
    this.score = make("output", { "aria-live": "off" });
    const foot = make("div", { className: "foot" }, this.stopping, this.score, kinds ?? "");
    this.element = make(
      "section",
      { className: "asking overlay", ariaLabel: label, tabIndex: -1 },
      this.where,
      this.headline,
      this.prose,
      this.question,
      this.description,
      this.answers,
      this.remembered,
      this.told,
      this.goOn,
      foot,
    );
  }

  /**
   * The layout of a board on which it asks: it lies where that has room for it.
   *
   * @param {Partial<BoardShape> & { width: number, height: number }} shape
   */
  arrange(shape) {
    this.element.style.minHeight = ""; // As high as its words are.
    const say = this.element.offsetHeight;
    const layout = layoutOf(new Set(["map"]), { ...shape, kind: "question", say });
    this.#place(layout.say, (shape.view || shape.height) < LOW);
    return layout;
  }

  /** @param {AskingPlace} place @param {boolean} isLow */
  #place({ x, y, w, h, lead, isUnder, mapWidth, runAnswers, answersGap }, isLow) {
    const { classList } = this.element;
    leaveMap(this.element, mapWidth);
    classList.toggle("small", isUnder || isLow);
    for (const name of ["columns", "list"]) classList.toggle(name, name === runAnswers);
    // What came of an answer moves no words.
    if (!this.goOn.hasChildNodes()) this.element.style.setProperty("--lead", `${lead}px`);
    this.answers.style.columnGap = runAnswers === "columns" ? `${answersGap}px` : "";
    Object.assign(this.element.style, {
      left: `${x}px`,
      top: `${y}px`,
      width: `${w}px`,
      minHeight: `${h}px`,
    });
  }

  /**
   * @param {QuestionContent} content
   * @param {{ positive: string, negative: string }} shapes of the classes
   */
  show(content, shapes) {
    const { headline = "", where, row, prose = "", question, description = "" } = content;
    const { answers, remembered = [], verdict, told, next, others = [], score } = content;
    const hadFocus = this.element.matches(":focus-within");
    put(this.element, { lang: spokenLanguage() });
    const right = answers.some(({ was }) => was === "right");
    renew(this.headline, headline, () => coloured(headline));
    renew(this.where, [where, row, score], () => [where, ...(row ? pipsOf(row, score) : [])]);
    renew(this.prose, prose, () => coloured(prose));
    put(this.description, { textContent: description });
    renew(this.remembered, remembered, () => bricksOf(remembered));
    put(this.remembered, { ariaLabel: rememberedInWords(remembered) });
    renew(this.question, question, () => inSentences(question));
    renew(
      this.answers,
      answers.map(({ words, note, key, was, isClosed }) => [words, note, key, was, isClosed]),
      () => answers.map((answer) => answerButton(answer, shapes)),
    );
    renew(this.told, [verdict, told], () => [
      ...(verdict
        ? [make("b", { className: right ? "was-right" : "was-wrong" }, verdict), " "]
        : []),
      ...coloured(told),
    ]);
    renew(this.goOn, [next?.words, others.map(({ words }) => words)], () => [
      ...(next ? [pressable(next.words, next.act, { className: "main" })] : []),
      ...others.map(({ words, key, act }) => pressable(words, act, { "aria-keyshortcuts": key })),
    ]);
    renew(this.score, score, () => [score]);
    if (!hadFocus || this.element.querySelector(":focus")) return;
    // The button that was pressed is gone: the one that comes next has the focus then.
    const button = this.goOn.querySelector("button") ?? this.answers.querySelector("button");
    (button ?? this.element).focus({ preventScroll: true });
  }
}

/**
 * In a tiny window a question begins beside the map that it lies on.
 *
 * @param {HTMLElement} element
 * @param {number} mapWidth px that the map has of the width; 0: it lies elsewhere
 */
export function leaveMap(element, mapWidth) {
  element.classList.toggle("beside-map", mapWidth > 0);
  element.style.setProperty("--map", `${mapWidth}px`);
}

/**
 * How far one is, and what became of each question, as signs; the score says it in words.
 *
 * @param {AskedRow} row
 * @param {string} score
 */
function pipsOf({ at, answers, count }, score) {
  const pips = Array.from({ length: count }, (_, k) => {
    const [className, sign] = PIPS.get(answers[k]) ?? [k === at ? "now" : "", ""];
    return make("i", { className }, sign);
  });
  return [
    make("span", { className: "pips", ariaHidden: "true" }, ...pips),
    make("span", {}, score),
  ];
}

/**
 * A brick for each example, of many the first ones, and how many they are.
 *
 * @param {number[]} classes
 */
function bricksOf(classes) {
  if (!classes.length) return [];
  const bricks = classes.slice(0, MOST_BRICKS).map((y) => make("i", { className: colour(y) }));
  const isCut = classes.length > MOST_BRICKS;
  return [
    make("span", {}, "It remembers"),
    ...bricks,
    isCut ? `… ${counted(classes.length, "brick")}` : "",
  ];
}

/** @param {number[]} classes */
function rememberedInWords(classes) {
  const orange = classes.filter((y) => y > 0).length;
  const bricks = counted(classes.length, "brick");
  return `It remembers ${bricks}, ${orange} orange and ${classes.length - orange} blue`;
}

/**
 * The button of an answer.
 *
 * @param {AskedAnswer} answer
 * @param {{ positive?: string, negative?: string }} shapes of the classes
 */
export function answerButton(answer, { positive, negative }) {
  const { words, note, picture, key, class: y, was, isClosed = was !== "", act } = answer;
  const button = pressable("", act, {
    className: was || (isClosed ? "closed" : ""),
    "aria-keyshortcuts": key,
    "aria-disabled": String(isClosed),
  });
  if (y !== undefined) {
    button.classList.add(y > 0 ? "orange" : "blue");
    button.append(make("i", { className: y > 0 ? positive : negative }));
  }
  if (picture) {
    button.classList.add("pictured");
    button.append(picture());
  }
  const mark = was ? make("span", { className: "mark", ariaHidden: "true" }, MARKS[was]) : "";
  button.append(make("span", {}, words, mark));
  if (note) {
    button.classList.add("noted");
    button.append(make("small", {}, ...coloured(note)));
  }
  return button;
}
