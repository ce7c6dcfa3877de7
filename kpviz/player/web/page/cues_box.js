// The box in which one sets the cue of the step shown: it keeps its step while one looks elsewhere,
// and what was typed until it is saved.

import { codeOf, LIMITS, placesOf, plain, characters, placeWords } from "../run/cues.js";
import { closeByEscape, givingFocusBack } from "./dialog.js";
import { byKeys, closing, make, pressable } from "./dom.js";
import { hasSomething } from "../board/shown_panels.js";
import { PANELS } from "../board/panel_table.js";
import { keep, recall, PLACES } from "../service/texts.js";
import { counted, example, whole } from "../run/words.js";

const LIT = PANELS.filter(({ lights }) => lights);

const EXAMPLE = /^x?(\d{1,4})$/i;

/** The number that was written, to a thousandth; null for none. @param {string} text */
const numberIn = (text) =>
  text.trim() ? Math.round(1000 * Number(text.replace(",", "."))) / 1000 : null;

const namesIn = (text) => text.split(/[\s,;]+/).filter(Boolean);
const NEW = { place: null, words: "", hold: null, speed: null, light: [], notes: "" };

/** @import { Stage } from "./stage.js" */
/** @import { Cue } from "../run/types.d.ts" */

/**
 * What was typed and is not saved, as the browser keeps it.
 * @typedef {object} CueDraft
 * @property {TypedCue} typed
 * @property {string} was what the form had when it opened, as JSON
 * @property {string} of the saved cue that the draft would replace, as JSON; "null" for a new cue
 */

/**
 * A cue as it is written in the box, right or wrong.
 * @typedef {{ place: string, words: string, hold: string, speed: string, light: string[],
 *   notes: string }} TypedCue
 */

export class CueBox {
  /** @type {HTMLElement | null} */
  box = null;
  /** @type {HTMLFormElement | null} */
  form = null; // The form in it.
  /** @type {{ n: number, cues: Cue[] } | null} */
  sentCues = null; // The server was sent them and has not answered yet; n is the command's number.
  t = 0; // The instant whose cue it is.
  draftName = ""; // What is typed is kept under this name.
  /** @type {Cue | null} */
  savedCue = null; // The cue of the instant when the box opened.
  openedAs = ""; // What was in the form when the box opened, as JSON.
  whyElement = make("p", { className: "why", role: "alert" }); // It says why nothing is saved.
  hint = make("span", { className: "hint", "aria-live": "polite" });

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.player = stage.player;
  }

  get open() {
    return this.box !== null;
  }

  /** Open it for the step shown; if it is open already, go on in it. */
  show() {
    const { stage, player } = this;
    const { run } = player;
    player.clock.stop();
    player.cursor.settle();
    stage.redraw();
    if (this.box) {
      this.#focus();
      return;
    }
    if (player.t > run.nSteps) {
      stage.say(
        `A cue belongs to the current run, which ends at step ${whole.format(run.nSteps)}.`,
      );
      return;
    }
    stage.controls.menu(null);
    stage.controls.statusLine.hidden = true; // It would stand over the box.
    this.t = player.t;
    this.draftName = `${run.header.settings.query} ${this.t}`; // Another run has its own drafts.
    this.savedCue = this.#newestCues.find(({ place }) => run.instantOf(place) === this.t) ?? null;
    /** @type {CueDraft | null} */
    const keptDraft = recall(PLACES.cueDraft, this.draftName);
    const draft = keptDraft?.of === JSON.stringify(this.savedCue) ? keptDraft : null;
    this.#build(draft?.typed ?? this.savedCue ?? NEW, draft);
    this.openedAs = draft?.was ?? JSON.stringify(this.#typed());
    stage.root.append(this.box);
    this.giveFocusBack = givingFocusBack(this.box);
    this.box.scrollIntoView({ block: "nearest" });
    this.#focus();
  }

  #focus() {
    /** @type {HTMLElement} */ (this.box.querySelector("[name=words]")).focus();
  }

  /**
   * Close it; what was changed in it is shown again when it opens at this instant, until the cue
   * there is another.
   */
  close() {
    if (!this.box) return;
    this.#keepDraft();
    this.#removeBox();
  }

  /** Close it, and forget what was typed. */
  cancel() {
    keep(PLACES.cueDraft, null, this.draftName);
    this.#removeBox();
  }

  /** What is typed outlives the page that is open. */
  #keepDraft() {
    const typed = this.#typed();
    /** @type {CueDraft} */
    const draft = { typed, was: this.openedAs, of: JSON.stringify(this.savedCue) };
    const isChanged = JSON.stringify(typed) !== this.openedAs;
    keep(PLACES.cueDraft, isChanged ? draft : null, this.draftName);
  }

  #removeBox() {
    this.giveFocusBack();
    this.box.remove();
    this.box = null;
  }

  save() {
    const { cue, why } = this.#read();
    if (why) {
      this.#say(why);
      return;
    }
    const cues = this.#newestCues.slice();
    const index = this.#indexOfSaved(cues);
    if (index >= 0) cues[index] = cue;
    else {
      const isLater = ({ place }) => (this.player.run.instantOf(place) ?? -1) > this.t;
      const next = cues.findIndex(isLater);
      cues.splice(next >= 0 ? next : cues.length, 0, cue);
    }
    const whyTooMuch = this.#whyTooMuch(cues);
    if (whyTooMuch) this.#say(whyTooMuch);
    else this.#send(cues, "Cue saved. Z takes it back.");
  }

  remove() {
    const cues = this.#newestCues.slice();
    const index = this.#indexOfSaved(cues);
    if (index >= 0) cues.splice(index, 1);
    this.#send(cues, "Cue removed. Z brings it back.");
  }

  /**
   * The index of the cue that was there when the box opened, −1 for none; others may have come or
   * gone since.
   */
  #indexOfSaved(cues) {
    if (!this.savedCue) return -1;
    const { place, words } = this.savedCue;
    const same = cues.findIndex((cue) => cue.place === place && cue.words === words);
    return same >= 0 ? same : cues.findIndex((cue) => cue.place === place);
  }

  /** The newest cues: those just sent, or the server's. */
  get #newestCues() {
    const { sentCues, player, stage } = this;
    const isOnItsWay = sentCues !== null && stage.session.awaits(sentCues.n);
    return isOnItsWay ? sentCues.cues : player.cues.list;
  }

  #send(cues, message) {
    const { title, by } = this.player.cues;
    this.sentCues = { n: this.stage.session.command("cues", { title, by, cues }), cues };
    this.cancel();
    this.stage.say(message);
  }

  /** Why so many cues, or so long ones, cannot be kept, in a sentence; "": they can. */
  #whyTooMuch(cues) {
    if (cues.length > LIMITS.cues) {
      return `There are ${LIMITS.cues} cues already: remove one first.`;
    }
    const { title, by } = this.player.cues;
    const length = characters(codeOf({ title, by, cues }));
    if (length <= LIMITS.code) return "";
    return `All cues together have ${whole.format(length)} characters: a link holds ${whole.format(LIMITS.code)} of them. Shorten some words or notes.`;
  }

  /** The cue that is written in the box, and `why` it cannot be saved, in a sentence or "". */
  #read() {
    const typed = this.#typed();
    const { place, words, notes, hold, speed } = typed;
    const light = typed.light.map((name) =>
      EXAMPLE.test(name) ? `x${Number(EXAMPLE.exec(name)[1])}` : name,
    );
    /** @type {Cue} */
    const cue = {
      place,
      words: plain(words),
      hold: numberIn(hold),
      speed: numberIn(speed),
      light: [...new Set(light)],
      notes: plain(notes),
    };
    return { cue, why: whyWrong(cue, typed) };
  }

  /** @returns {TypedCue} */
  #typed() {
    const data = new FormData(this.form);
    const text = (name) => String(data.get(name));
    return {
      place: text("place"),
      words: text("words"),
      hold: text("hold"),
      speed: text("speed"),
      light: [...data.getAll("light").map(String), ...namesIn(text("others"))],
      notes: text("notes"),
    };
  }

  #say(why) {
    this.whyElement.textContent = why;
    this.whyElement.hidden = false;
  }

  // ---- its elements ----------------------------------------------------------------------------

  /**
   * @param {TypedCue | Cue | typeof NEW} cue what the form has
   * @param {CueDraft | null} draft the draft that it is of
   */
  #build(cue, draft) {
    const kind = this.savedCue ? "Cue" : "New cue";
    const state = draft ? ", not saved yet" : "";
    const title = `${kind} at step ${whole.format(this.t)}${state}`;
    const text = (name, label, placeholder) =>
      make(
        "label",
        { className: "text" },
        make("b", {}, label),
        make("textarea", { name, value: cue[name], placeholder, rows: 2 }),
      );
    const number = (name, what, label, unit) => {
      const attributes = {
        type: "text",
        name,
        inputMode: "decimal",
        value: cue[name] ?? "",
        size: 6,
        "aria-label": label,
      };
      return make(
        "label",
        { className: "line" },
        make("b", {}, what),
        make("span", {}, make("input", attributes), unit),
      );
    };
    this.whyElement.hidden = true;
    this.hint.textContent = "";
    this.form = make(
      "form",
      {},
      closing(() => this.#leave(), { title: "Close, what was typed is kept (Esc)" }),
      make("h2", { id: "cue-title" }, title),
      this.#placeChoice(cue),
      text("words", "Words", "The sentence of this step"),
      this.#lightChoice(cue),
      number("hold", "Holds", "Seconds to hold", "seconds in a film, or as long as reading takes"),
      number("speed", "Then plays", "Times the speed", "times as fast, up to the next cue"),
      text("notes", "Notes for me", "Shown in the notes window; saved in the link"),
      this.whyElement,
      this.#buttons(),
    );
    const attributes = { className: "menu cue", role: "dialog", "aria-labelledby": "cue-title" };
    this.box = make("div", attributes, this.form);
    this.box.addEventListener("input", () => this.#keepDraft());
    this.box.addEventListener("keydown", (event) => this.#key(event));
    closeByEscape(this.box, () => this.#leave());
  }

  #key(event) {
    event.stopPropagation(); // It is a key neither of the player nor of Streamlit.
    const { key, target, isComposing, shiftKey } = event;
    if (isComposing) return;
    const saves = event.ctrlKey || event.metaKey || (target.name === "words" && !shiftKey);
    if (key !== "Enter" || !saves) return;
    event.preventDefault(); // A cue is one line: Enter does not begin another.
    this.save();
  }

  /** Close it; what was typed stays for the next time. */
  #leave() {
    this.close();
    const where = `U at step ${whole.format(this.t)} shows it again.`;
    if (recall(PLACES.cueDraft, this.draftName)) this.stage.say(`What you typed is kept: ${where}`);
  }

  /** How the place of the cue is written: as a step, a mistake, or an epoch. */
  #placeChoice(cue) {
    const places = placesOf(this.t, this.player.run);
    const savedPlace = this.savedCue?.place;
    if (savedPlace && !places.includes(savedPlace)) places.unshift(savedPlace);
    // A draft may be of another run.
    const chosen = places.includes(cue.place) ? cue.place : places[0];
    const labels = places.map((value) =>
      make(
        "label",
        {},
        make("input", { type: "radio", name: "place", value, checked: value === chosen }),
        placeWords(value),
      ),
    );
    const title =
      places.length > 1
        ? "A mistake or an epoch keeps its place under other settings; a step is a number."
        : "";
    const attributes = { className: "line", role: "radiogroup", "aria-label": "When", title };
    return make("div", attributes, make("b", {}, "When"), make("span", {}, ...labels));
  }

  /** What lights up: the example of the step, panels, and other examples. */
  #lightChoice({ light }) {
    const { player } = this;
    const { run } = player;
    const isOffered = ({ name, group }) =>
      light.includes(name) || (group === "more" ? player.shows(name) : hasSomething(name, run));
    const current = this.t > 0 ? run.trace.index[this.t - 1] : null;
    /** @type {[value: string, words: string][]} */
    const ofStep = current === null ? [] : [[`x${current}`, `This example, ${example(current)}`]];
    /** @type {[value: string, words: string][]} */
    const panels = LIT.filter(isOffered).map(({ name, short }) => [name, short]);
    const choices = [...ofStep, ...panels];
    const labels = choices.map(([value, words]) =>
      make(
        "label",
        { title: `${value} in a text of cues` },
        make("input", { type: "checkbox", name: "light", value, checked: light.includes(value) }),
        words,
      ),
    );
    const isChoice = (name) => choices.some(([value]) => value === name);
    const others = make("input", {
      type: "text",
      name: "others",
      value: light.filter((name) => !isChoice(name)).join(", "),
      placeholder: "x3, x12",
      size: 12,
      spellcheck: false,
    });
    // An example that this run lacks is no fault: under other settings there may be more.
    others.oninput = () => {
      const { n } = run; // Those held out do not light up.
      const missing = (others.value.match(/\d+/g) ?? []).map(Number).find((i) => i >= n);
      const has = n ? `its examples are ${example(0)} to ${example(n - 1)}` : "it has no examples";
      this.hint.textContent =
        missing === undefined ? "" : `This run has no ${example(missing)}: ${has}.`;
    };
    return make(
      "div",
      { className: "line", role: "group", "aria-label": "What lights up" },
      make("b", {}, "Lights up"),
      make("span", {}, ...labels, make("label", {}, "Other examples", others), this.hint),
    );
  }

  #buttons() {
    const saveButton = pressable("Save", () => this.save(), {
      className: "main",
      title: "Save (Enter in the words, Ctrl Enter anywhere)",
    });
    saveButton.append(byKeys(" ⏎"));
    const removeButton = pressable("Remove", () => this.remove(), { title: "Remove this cue" });
    return make(
      "div",
      { className: "buttons" },
      saveButton,
      ...(this.savedCue ? [removeButton] : []),
      pressable("Cancel", () => this.cancel(), {
        title: "Close, and forget what was typed (Esc keeps it)",
      }),
      make("span", { className: "space" }),
      pressable("Notes window", () => this.stage.actions.press("notes"), {
        title: "A window with your notes (Shift N)",
      }),
    );
  }
}

/**
 * What is wrong with a cue, in a sentence: the first fault of several; "" for none.
 *
 * @param {Cue} cue
 * @param {TypedCue} typed the same as it was typed
 */
function whyWrong(cue, { hold, speed, light }) {
  const tooLong = ["words", "notes"].find((name) => characters(cue[name]) > LIMITS.text);
  if (tooLong) {
    return `The ${tooLong} have ${counted(characters(cue[tooLong]), "character")}: give at most ${LIMITS.text}.`;
  }
  const isWithin = (value, low, high) => value === null || (value >= low && value <= high);
  if (!isWithin(cue.hold, 0, LIMITS.hold)) {
    return `It cannot hold for “${hold.trim()}” seconds: give a number from 0 to ${LIMITS.hold}, or nothing.`;
  }
  const [slowest, fastest] = LIMITS.speed;
  if (!isWithin(cue.speed, slowest, fastest)) {
    return `“${speed.trim()}” is not a speed: give a number from ${slowest} to ${fastest}, or nothing.`;
  }
  const isKnown = (name) => EXAMPLE.test(name) || LIT.some((panel) => panel.name === name);
  const unknownName = light.find((name) => !isKnown(name));
  return unknownName ? `“${unknownName}” is not an example: write x12, or x3, x12.` : "";
}
