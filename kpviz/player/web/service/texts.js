// The texts that the browser keeps for kpviz: one table says under which names and of which shape,
// and one reader checks it. What does not have its shape, because something else wrote it, counts
// as not there, and costs nothing but itself. In a frame of another site, or in a sandbox, browsers
// may refuse all storage: then texts are in memory until the page is loaded again.

/**
 * A place for values, each under the name of the place and a suffix.
 * @typedef {object} Place
 * @property {string} name
 * @property {boolean} everywhere whether all tabs share it; else it lives as long as its tab
 * @property {boolean} plain whether the text is the value; else it is the value as JSON
 * @property {(value: unknown) => boolean} fits whether a value has the shape that its readers rely
 *   on
 */

// ---- shapes ------------------------------------------------------------------------------------

/** @typedef {(value: unknown) => boolean} ShapeCheck */

const LARGEST_COUNT = 100_000; // A larger number was not counted by kpviz.

/** @type {ShapeCheck} */
const isText = (value) => typeof value === "string";
/** @type {ShapeCheck} */
const isFlag = (value) => typeof value === "boolean";
/** @type {ShapeCheck} */
const isTime = (value) => Number.isFinite(value);
/** @type {ShapeCheck} */
const isCount = (value) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LARGEST_COUNT;
/** @type {(shape: ShapeCheck) => ShapeCheck} */
const orNull = (shape) => (value) => value === null || shape(value);
/** @type {(shape: ShapeCheck) => ShapeCheck} */
const orMissing = (shape) => (value) => value === undefined || shape(value);
/** @type {(shape: ShapeCheck) => ShapeCheck} */
const isListOf = (shape) => (value) => Array.isArray(value) && value.every(shape);
/** @type {(...shapes: ShapeCheck[]) => ShapeCheck} */
const isTuple =
  (...shapes) =>
  (value) =>
    Array.isArray(value) &&
    value.length === shapes.length &&
    shapes.every((shape, k) => shape(value[k]));
/** @type {ShapeCheck} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {(shapes: Record<string, ShapeCheck>) => ShapeCheck} */
const hasParts = (shapes) => (value) =>
  isObject(value) && Object.entries(shapes).every(([name, shape]) => shape(value[name]));
/** @type {(shape: ShapeCheck) => ShapeCheck} */
const isMapOf = (shape) => (value) => isObject(value) && Object.values(value).every(shape);
/** @type {(pattern: RegExp) => ShapeCheck} */
const matches = (pattern) => (value) => typeof value === "string" && pattern.test(value);

const isState = hasParts({ link: isText, origin: orNull(isText), data: orNull(isText) });

/** Words of a lesson, which are a tree. @type {ShapeCheck} */
const isWord = (value) => isText(value) || isElement(value);
const isElement = hasParts({
  kind: isText,
  children: orMissing(isListOf(isWord)),
  text: orMissing(isText),
  shown: orMissing(isText),
  mathml: orMissing(isListOf(isText)),
  href: orMissing(isText),
});

const isRing = hasParts({
  i: isCount,
  was: matches(/^(?:asked|right|wrong|passed|numbered)$/),
});

/** What a number is on the map. @type {ShapeCheck} */
const isFigure = (value) => FIGURES.some((shape) => shape(value));
const FIGURES = [
  { kind: matches(/^arrow$/), i: isCount, label: isText, sides: isListOf(isText) },
  { kind: matches(/^circle$/), radius: isTime, label: isText },
  { kind: matches(/^strip$/), normal: isTuple(isTime, isTime), margin: isTime, label: isText },
  { kind: matches(/^between$/), i: isCount, j: isCount, label: isText },
  { kind: matches(/^ring$/), i: isCount },
].map(hasParts);

const LONGEST_FORM = 1000; // In fields.
const isForm = hasParts({
  start: isCount,
  values: (value) =>
    isListOf((part) => isText(part) || isFlag(part))(value) &&
    /** @type {[]} */ (value).length <= LONGEST_FORM,
  say: isText,
  reason: isListOf(isWord),
  begun: orMissing(isFlag),
  showsRight: orMissing(isFlag),
  solution: orMissing(isText),
  rings: orMissing(isListOf(isRing)),
  drawn: orMissing(isListOf(isFigure)),
  toldUpTo: orMissing(isCount),
  openHints: orMissing(isCount),
});

const isAnswer = hasParts({
  answer: isObject,
  right: orNull(isFlag),
  link: isText,
  at: isText,
  try: isCount,
});
const isDone = hasParts({
  tries: isCount,
  hints: isCount,
  right: orNull(isFlag),
  answers: isListOf(isAnswer),
  shown: orMissing(isFlag),
});

// ---- the table ---------------------------------------------------------------------------------

const PREFIX = "kpviz";
const PREFERRED = "kpviz-prefers-"; // These stay when all else is forgotten.

/** @type {(name: string, fits: ShapeCheck) => Place} */
const ofTab = (name, fits) => ({ name, everywhere: false, plain: false, fits });
/** @type {(name: string) => Place} */
const plainOfTab = (name) => ({ name, everywhere: false, plain: true, fits: isText });
/** @type {(name: string, fits: ShapeCheck) => Place} */
const ofAllTabs = (name, fits) => ({ name, everywhere: true, plain: false, fits });
/** @type {(name: string) => Place} */
const plainOfAllTabs = (name) => ({ name, everywhere: true, plain: true, fits: isText });

export const PLACES = {
  /** The settings that a reload left, and the instant. */
  instant: ofTab("kpviz", isTuple(isText, isTime)),
  /** The number of the entry of the history at which a page was left last. */
  leftEntry: ofTab("kpviz-left-entry", isCount),
  /** The mark of an entry of another page to which the browser goes. */
  returned: ofTab("kpviz-returned", isCount),
  /** An entry of the history, by its number. */
  entry: ofTab(
    "kpviz-entry-",
    hasParts({
      first: isCount,
      state: orNull(isState),
      change: orNull(hasParts({ name: isText })),
      extras: isMapOf(isText),
      stays: orMissing(isFlag),
      passed: orMissing(isFlag),
    }),
  ),
  /** The number of the newest of them. */
  newest: ofTab("kpviz-entries", isCount),
  /** The names of tables and drawings that the tab needs. */
  stored: ofTab("kpviz-stored", isListOf(isText)),
  /** Presenting filled the screen. */
  full: plainOfTab("kpviz-full"),
  /** The window of notes: its name, when it was opened, and when its scene began. */
  notes: ofTab(
    "kpviz-notes",
    isTuple(matches(/^kpviz-notes-/), isTime, hasParts({ scene: isText, at: isTime })),
  ),
  /**
   * The words that fill the stage: of which scene, and which page of them; null: its board is seen.
   */
  slide: ofTab("kpviz-slide", isTuple(isText, orNull(isCount))),
  /**
   * The question that stands on the stage, by what tells it from others and its number in its
   * scene, and whether what is right is shown; of each question its votes, now and at first, and
   * the numbers that were heard.
   */
  votes: ofTab(
    "kpviz-votes",
    hasParts({
      key: isText,
      at: isCount,
      isShown: isFlag,
      ballots: isListOf(isTuple(isText, isListOf(isCount), orNull(isListOf(isCount)))),
      heard: isListOf(isTuple(isText, isListOf(isText))),
    }),
  ),
  /** The scene that is entered at its end. */
  backwards: plainOfTab("kpviz-backwards"),
  /** The file of a lesson that was opened here. */
  lessonText: plainOfTab("kpviz-lesson-text"),
  /** The scene that a page without a server shows, by the name of its lesson. */
  scene: ofTab("kpviz-scene-", isCount),
  /** What was typed into the box of a cue, by the settings and the instant. */
  cueDraft: ofTab(
    "kpviz-cue-draft ",
    hasParts({
      typed: hasParts({
        place: isText,
        words: isText,
        hold: isText,
        speed: isText,
        light: isListOf(isText),
        notes: isText,
      }),
      was: isText,
      of: isText,
    }),
  ),
  /** What was typed as the text of all cues, by the settings. */
  cuesText: plainOfTab("kpviz-cues-text "),
  /** The number of the entry of the history at which the first minute asked What now? */
  whatNow: ofTab("kpviz-what-now", isCount),
  /** Whether the first visit's game was seen. */
  opening: plainOfAllTabs("kpviz-opening"),
  /** A choice of the reader's, by its name. */
  preference: plainOfAllTabs(PREFERRED),
  /** What was answered of a lesson, by its name. */
  answers: ofAllTabs("kpviz-lesson-", isObject),
  /** How the forms of a lesson were left, by its name. */
  forms: ofAllTabs("kpviz-forms-", isObject),
  /** How many tasks of a lesson are done, by its name; the list of lessons reads it. */
  done: ofAllTabs("kpviz-done-", isCount),
  /** The best number that was reached in a puzzle, by its mark; the list of puzzles reads it. */
  record: ofAllTabs("kpviz-record-", hasParts({ value: isTime, shown: isText, link: isText })),
  /** The records of a class in a puzzle, by its mark. */
  wall: ofTab(
    "kpviz-wall-",
    isListOf(hasParts({ value: isTime, shown: isText, by: isText, board: isText })),
  ),
  /** Written and deleted again, to see whether the browser keeps anything. */
  trial: plainOfAllTabs("kpviz-keeps"),
};

/** What is kept of one task within a place. @type {{ done: ShapeCheck, form: ShapeCheck }} */
export const PARTS = { done: isDone, form: isForm };

// ---- reading and writing -----------------------------------------------------------------------

/** @type {Map<string, string>} */
const refused = new Map(); // What the browser did not take.

/** @type {Map<Place, { name: string, text: string, value: any }>} */
const lastRead = new Map(); // Lessons ask again and again.

// The browser may refuse to give it.
/** @param {Place} place */
const storageOf = ({ everywhere }) => (everywhere ? localStorage : sessionStorage);

/**
 * Keep a value; null: none. Returns whether the browser allows it.
 *
 * @param {Place} place
 * @param {unknown} value
 * @param {string | number} [suffix]
 */
export function keep(place, value, suffix = "") {
  const name = place.name + suffix;
  const text =
    value === null || place.plain ? /** @type {string | null} */ (value) : JSON.stringify(value);
  refused.delete(name);
  try {
    if (text === null) storageOf(place).removeItem(name);
    else storageOf(place).setItem(name, text);
    return true;
  } catch {
    if (text !== null) refused.set(name, text);
    return false;
  }
}

/**
 * The value that was kept, or null, also where what stands there has not the shape of its place. As
 * long as nothing else is kept there it is the same object, which nobody may change.
 *
 * @param {Place} place
 * @param {string | number} [suffix]
 * @returns {any}
 */
export function recall(place, suffix = "") {
  try {
    const name = place.name + suffix;
    const text = refused.get(name) ?? storageOf(place).getItem(name);
    if (text === null) return null;
    const last = lastRead.get(place);
    if (last?.name === name && last.text === text) return last.value;
    const parsed = place.plain ? text : JSON.parse(text);
    const value = place.fits(parsed) ? parsed : null;
    lastRead.set(place, { name, text, value });
    return value;
  } catch {
    return null;
  }
}

/** Whether the browser keeps anything here: in a sandbox it does not. */
export const keeps = () => keep(PLACES.trial, "yes") && keep(PLACES.trial, null);

/** Forget all texts of this tab, and what this browser has seen; choices stay. */
export function forgetTexts() {
  refused.clear();
  try {
    for (const storage of [sessionStorage, localStorage]) {
      for (const name of Object.keys(storage)) {
        if (name.startsWith(PREFIX) && !name.startsWith(PREFERRED)) storage.removeItem(name);
      }
    }
  } catch {
    // There are none.
  }
}
