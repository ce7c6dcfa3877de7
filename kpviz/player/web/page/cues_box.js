// The box in which one sets the cue of the step shown: it keeps its step while one looks elsewhere,
// and what was typed until it is saved.

import { codeOf, LIMITS, placesOf, plain, characters, placeWords } from "../run/cues.js";
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

const named = (text) => text.split(/[\s,;]+/).filter(Boolean);
const NEW = { place: null, words: "", hold: null, speed: null, light: [], notes: "" };

/** @import { Stage } from "./stage.js" */
/** @import { Cue } from "../run/types.d.ts" */

export class CueBox {
  /** @type {HTMLElement | null} */
  box = null;
  /** @type {HTMLFormElement | null} */
  form = null; // The form in it.
  /** @type {{ n: number, cues: Cue[] } | null} */
  sent = null; // What the server was sent and has not answered yet.
  t = 0; // The instant whose cue it is.
  name = ""; // What is typed there is kept under this name.
  /** @type {Cue | null} */
  before = null; // The cue that was there when it opened.
  was = ""; // What was in it when it opened, as JSON.
  why = make("p", { className: "why", role: "alert" }); // It says why the cue cannot be saved.
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
    this.name = `${run.header.settings.query} ${this.t}`; // Another run has drafts of its own.
    this.before = this.#now.cues.find(({ place }) => run.instantOf(place) === this.t) ?? null;
    const left = recall(PLACES.cueDraft, this.name);
    const draft = left?.of === JSON.stringify(this.before) ? left : null;
    this.#build(draft?.typed ?? this.before ?? NEW, draft);
    this.was = draft?.was ?? JSON.stringify(this.#typed());
    stage.root.append(this.box);
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
    this.#remember();
    this.#away();
  }

  /** Close it, and forget what was typed. */
  cancel() {
    keep(PLACES.cueDraft, null, this.name);
    this.#away();
  }

  /** What is typed outlives the page that is open. */
  #remember() {
    const typed = this.#typed();
    // Instead of what, beside which cue.
    const draft = { typed, was: this.was, of: JSON.stringify(this.before) };
    keep(PLACES.cueDraft, JSON.stringify(typed) === this.was ? null : draft, this.name);
  }

  #away() {
    this.box.remove();
    this.box = null;
  }

  save() {
    const { cue, why } = this.#read();
    if (why) {
      this.#say(why);
      return;
    }
    const { player, before } = this;
    const cues = this.#now.cues.slice();
    const later = ({ place }) => (player.run.instantOf(place) ?? -1) > this.t;
    const at = before ? this.#place(cues) : -1;
    if (at >= 0) cues[at] = cue;
    else cues.splice(cues.some(later) ? cues.findIndex(later) : cues.length, 0, cue);
    const tooMany = this.#tooMuch(cues);
    if (tooMany) this.#say(tooMany);
    else this.#send(cues, "Cue saved. Z takes it back.");
  }

  remove() {
    const cues = this.#now.cues.slice();
    const at = this.#place(cues);
    if (at >= 0) cues.splice(at, 1);
    this.#send(cues, "Cue removed. Z brings it back.");
  }

  /**
   * Where the cue stands that was there when the box opened; others may have come or gone since.
   */
  #place(cues) {
    const { place, words } = this.before;
    const same = cues.findIndex((cue) => cue.place === place && cue.words === words);
    return same >= 0 ? same : cues.findIndex((cue) => cue.place === place);
  }

  /** The newest cues: those just sent, or the server's. */
  get #now() {
    const { sent } = this;
    const { title, by, list } = this.player.cues;
    return { title, by, cues: sent && this.stage.session.awaits(sent.n) ? sent.cues : list };
  }

  #send(cues, message) {
    const { title, by } = this.#now;
    this.sent = { n: this.stage.session.command("cues", { title, by, cues }), cues };
    this.cancel();
    this.stage.say(message);
  }

  #tooMuch(cues) {
    if (cues.length > LIMITS.cues) {
      return `There are ${LIMITS.cues} cues already: remove one first.`;
    }
    const length = characters(codeOf({ ...this.#now, cues }));
    if (length <= LIMITS.code) return "";
    return `All cues together have ${whole.format(length)} characters: a link holds ${whole.format(LIMITS.code)} of them. Shorten some words or notes.`;
  }

  /** What is written in the box: { cue, why }, `why` being what is wrong with it in a sentence. */
  #read() {
    const { place, words, notes, hold, speed, light } = this.#typed();
    const cue = {
      place,
      words: plain(words),
      hold: numberIn(hold),
      speed: numberIn(speed),
      light: light.map((name) => (EXAMPLE.test(name) ? `x${Number(EXAMPLE.exec(name)[1])}` : name)),
      notes: plain(notes),
    };
    cue.light = [...new Set(cue.light)];
    const [slowest, fastest] = LIMITS.speed;
    const within = (value, low, high) => value === null || (value >= low && value <= high);
    const stranger = light.find(
      (name) => !EXAMPLE.test(name) && !LIT.some((panel) => panel.name === name),
    );
    const long = ["words", "notes"].find((name) => characters(cue[name]) > LIMITS.text);
    let why = "";
    if (long) {
      why = `The ${long} have ${counted(characters(cue[long]), "character")}: give at most ${LIMITS.text}.`;
    }
    if (!within(cue.hold, 0, LIMITS.hold)) {
      why ||= `It cannot hold for “${hold.trim()}” seconds: give a number from 0 to ${LIMITS.hold}, or nothing.`;
    }
    if (!within(cue.speed, slowest, fastest)) {
      why ||= `“${speed.trim()}” is not a speed: give a number from ${slowest} to ${fastest}, or nothing.`;
    }
    if (stranger) why ||= `“${stranger}” is not an example: write x12, or x3, x12.`;
    return { cue, why };
  }

  /** The cue as it is written in the box, right or wrong. */
  #typed() {
    const data = new FormData(this.form);
    const text = (name) => String(data.get(name));
    return {
      place: text("place"),
      words: text("words"),
      hold: text("hold"),
      speed: text("speed"),
      light: [...data.getAll("light").map(String), ...named(text("others"))],
      notes: text("notes"),
    };
  }

  #say(why) {
    this.why.textContent = why;
    this.why.hidden = false;
  }

  // ---- its elements ----------------------------------------------------------------------------

  #build(cue, draft) {
    const title = `${this.before ? "Cue" : "New cue"} at step ${whole.format(this.t)}${draft ? ", not saved yet" : ""}`;
    const text = (name, label, placeholder) =>
      make(
        "label",
        { className: "text" },
        make("b", {}, label),
        make("textarea", { name, value: cue[name], placeholder, rows: 2 }),
      );
    const number = (name, what, label, unit) => {
      const look = {
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
        make("span", {}, make("input", look), unit),
      );
    };
    this.why.hidden = true;
    this.hint.textContent = "";
    this.form = make(
      "form",
      {},
      closing(() => this.#leave(), { title: "Close, what was typed is kept (Esc)" }),
      make("h2", { id: "cue-title" }, title),
      this.#places(cue),
      text("words", "Words", "The sentence of this step"),
      this.#lights(cue),
      number("hold", "Holds", "Seconds to hold", "seconds in a film, or as long as reading takes"),
      number("speed", "Then plays", "Times the speed", "times as fast, up to the next cue"),
      text("notes", "Notes for me", "Shown in the notes window; saved in the link"),
      this.why,
      this.#buttons(),
    );
    const look = { className: "menu cue", role: "dialog", "aria-labelledby": "cue-title" };
    this.box = make("div", look, this.form);
    this.box.addEventListener("input", () => this.#remember());
    this.box.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    event.stopPropagation(); // It is a key neither of the player nor of Streamlit.
    const { key, target, isComposing, shiftKey } = event;
    if (isComposing) return;
    if (key === "Escape") this.#leave();
    const saves = event.ctrlKey || event.metaKey || (target.name === "words" && !shiftKey);
    if (key !== "Enter" || !saves) return;
    event.preventDefault(); // A cue is one line: Enter does not begin another.
    this.save();
  }

  /** Close it; what was typed stays for the next time. */
  #leave() {
    this.close();
    const where = `U at step ${whole.format(this.t)} shows it again.`;
    if (recall(PLACES.cueDraft, this.name)) this.stage.say(`What you typed is kept: ${where}`);
  }

  #places(cue) {
    const places = placesOf(this.t, this.player.run);
    const placeBefore = this.before?.place;
    if (placeBefore && !places.includes(placeBefore)) places.unshift(placeBefore);
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
    const look = { className: "line", role: "radiogroup", "aria-label": "When", title };
    return make("div", look, make("b", {}, "When"), make("span", {}, ...labels));
  }

  #lights({ light }) {
    const { player } = this;
    const { run } = player;
    const offered = ({ name, group }) =>
      light.includes(name) || (group === "more" ? player.shows(name) : hasSomething(name, run));
    const names = Object.fromEntries(LIT.filter(offered).map((panel) => [panel.name, panel.short]));
    const current = this.t > 0 ? run.trace.index[this.t - 1] : null;
    const first = current === null ? {} : { [`x${current}`]: `This example, ${example(current)}` };
    const all = Object.entries({ ...first, ...names });
    const labels = all.map(([value, words]) =>
      make(
        "label",
        { title: `${value} in a text of cues` },
        make("input", { type: "checkbox", name: "light", value, checked: light.includes(value) }),
        words,
      ),
    );
    const value = light.filter((name) => !all.some(([known]) => known === name)).join(", ");
    const look = {
      type: "text",
      name: "others",
      value,
      placeholder: "x3, x12",
      size: 12,
      spellcheck: false,
    };
    const others = make("input", look);
    others.oninput = () => {
      const { n } = run; // Under other settings there may be more; those held out do not light up.
      const missing = (others.value.match(/\d+/g) ?? []).map(Number).filter((i) => i >= n);
      const has = n ? `its examples are ${example(0)} to ${example(n - 1)}` : "it has no examples";
      this.hint.textContent = missing.length
        ? `This run has no ${example(missing[0])}: ${has}.`
        : "";
    };
    return make(
      "div",
      { className: "line", role: "group", "aria-label": "What lights up" },
      make("b", {}, "Lights up"),
      make("span", {}, ...labels, make("label", {}, "Other examples", others), this.hint),
    );
  }

  #buttons() {
    const title = (words) => ({ title: words });
    const save = { className: "main", ...title("Save (Enter in the words, Ctrl Enter anywhere)") };
    const saves = pressable("Save", () => this.save(), save);
    saves.append(byKeys(" ⏎"));
    return make(
      "div",
      { className: "buttons" },
      saves,
      ...(this.before ? [pressable("Remove", () => this.remove(), title("Remove this cue"))] : []),
      pressable(
        "Cancel",
        () => this.cancel(),
        title("Close, and forget what was typed (Esc keeps it)"),
      ),
      make("span", { className: "space" }),
      pressable(
        "Notes window",
        () => this.stage.actions.press("notes"),
        title("A window with your notes (Shift N)"),
      ),
    );
  }
}
