// The box in which one sets the cue of the step shown: it keeps its step while one looks elsewhere, and what was typed until it is saved.

import { codeOf, LIMITS, placesOf, plain, characters, placeWords, stepOf } from "../model/cues.js";
import { make } from "./dom.js";
import { hasSomething } from "../model/layout.js";
import { PANELS } from "../model/panel_table.js";
import { keep, kept } from "../service/keep.js";
import { counted, example, explain, whole } from "../model/words.js";

const DRAFT = "kpviz-cue-draft"; // begins the name under which what was typed is kept

const LIT = PANELS.filter(({ lights }) => lights);

/** What a panel is called on the board; where that is not the name that all cues as text use, with it. */
const called = ({ name, short }) => (short.toLowerCase() === name ? name : `${short} (${name})`);
const EXAMPLE = /^x?(\d{1,4})$/i;

/** The number that is written in a field, to a thousandth; null for none. */
const numberIn = ({ value }) => {
  const text = value.trim().replace(",", ".");
  return text ? Math.round(1000 * Number(text)) / 1000 : null;
};

/** @import { Stage } from "./stage.js" */
/** @import { Cue } from "../types.d.ts" */

export class CueBox {
  /** @type {HTMLElement | null} */
  box = null;
  /** @type {{ n: number, cues: Cue[] } | null} */
  sent = null; // what the server was sent and has not answered yet
  t = 0; // the instant whose cue it is
  name = ""; // under which what is typed there is kept
  /** @type {Cue | null} */
  before = null; // the cue that was there when it opened
  was = ""; // what was in it when it opened, as JSON
  /** @type {Record<string, any>} */
  fields = {};

  /** @param {Stage} stage */
  constructor(stage) {
    this.root = stage.root;
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
      this.fields.words.focus();
      return;
    }
    if (player.t > run.nSteps) {
      stage.say(`A cue belongs to the current run, which ends at step ${whole.format(run.nSteps)}.`);
      return;
    }
    stage.controls.menu(null);
    stage.controls.statusLine.hidden = true; // it would stand over the box
    this.t = player.t;
    this.name = `${DRAFT} ${run.header.settings.query} ${this.t}`; // another run has drafts of its own
    this.before = this.#now.cues.find(({ place }) => stepOf(place, run) === this.t) ?? null;
    const draft = this.#draft();
    this.#build(
      draft?.typed ?? this.before ?? { place: null, words: "", hold: null, speed: null, light: [], notes: "" },
      draft,
    );
    this.was = draft?.was ?? JSON.stringify(this.#typed());
    this.box.addEventListener("input", () => this.#remember());
    this.root.append(this.box);
    this.box.scrollIntoView({ block: "nearest" });
    this.fields.words.focus();
  }

  /** Close it; what was changed in it is shown again when it opens at this instant, until the cue there is another. */
  close() {
    if (!this.box) return;
    this.#remember();
    this.#away();
  }

  /** Close it, and forget what was typed. */
  cancel() {
    keep(this.name, null);
    this.#away();
  }

  /** What is typed outlives the page that is open. */
  #remember() {
    const typed = this.#typed();
    const draft = { typed, was: this.was, of: JSON.stringify(this.before) }; // instead of what, beside which cue
    keep(this.name, JSON.stringify(typed) === this.was ? null : JSON.stringify(draft));
  }

  #away() {
    this.box.remove();
    this.box = null;
  }

  #draft() {
    const draft = JSON.parse(kept(this.name) ?? "null");
    return draft?.of === JSON.stringify(this.before) ? draft : null;
  }

  save() {
    const { cue, why } = this.#read();
    if (why) {
      this.#say(why);
      return;
    }
    const { player, before } = this;
    const cues = this.#now.cues.slice();
    const later = ({ place }) => (stepOf(place, player.run) ?? -1) > this.t;
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

  /** Where the cue stands that was there when the box opened; others may have come or gone since. */
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
    if (cues.length > LIMITS.cues) return `There are ${LIMITS.cues} cues already: remove one first.`;
    const length = characters(codeOf({ ...this.#now, cues }));
    if (length <= LIMITS.code) return "";
    return `All cues together have ${whole.format(length)} characters: a link holds ${whole.format(LIMITS.code)} of them. Shorten some words or notes.`;
  }

  /** What is written in the box: { cue, why }, `why` being what is wrong with it in a sentence. */
  #read() {
    const { words, notes, hold, speed, others, lights, places } = this.fields;
    const cue = {
      place: places.find(({ checked }) => checked).value,
      words: plain(words.value),
      hold: numberIn(hold),
      speed: numberIn(speed),
      light: lights.filter(({ checked }) => checked).map(({ value }) => value),
      notes: plain(notes.value),
    };
    for (const [name, text] of [
      ["words", cue.words],
      ["notes", cue.notes],
    ]) {
      if (characters(text) > LIMITS.text) {
        return { why: `The ${name} have ${counted(characters(text), "character")}: give at most ${LIMITS.text}.` };
      }
    }
    if (cue.hold !== null && !(cue.hold >= 0 && cue.hold <= LIMITS.hold)) {
      return {
        why: `It cannot hold for “${hold.value.trim()}” seconds: give a number from 0 to ${LIMITS.hold}, or nothing.`,
      };
    }
    const [slowest, fastest] = LIMITS.speed;
    if (cue.speed !== null && !(cue.speed >= slowest && cue.speed <= fastest)) {
      return {
        why: `“${speed.value.trim()}” is not a speed: give a number from ${slowest} to ${fastest}, or nothing.`,
      };
    }
    for (const name of others.value.split(/[\s,;]+/).filter(Boolean)) {
      const found = EXAMPLE.exec(name);
      if (!found) return { why: `“${name}” is not an example: write x12, or x3, x12.` };
      cue.light.push(`x${Number(found[1])}`);
    }
    cue.light = [...new Set(cue.light)];
    return { cue, why: "" };
  }

  /** The cue as it is written in the box, right or wrong. */
  #typed() {
    const { words, notes, hold, speed, others, lights, places } = this.fields;
    const light = [
      ...lights.filter(({ checked }) => checked).map(({ value }) => value),
      ...others.value.split(/[\s,;]+/).filter(Boolean),
    ];
    return {
      place: places.find(({ checked }) => checked).value,
      words: words.value,
      hold: hold.value,
      speed: speed.value,
      light,
      notes: notes.value,
    };
  }

  #say(why) {
    this.fields.why.textContent = why;
    this.fields.why.hidden = false;
  }

  /** Say which of the examples typed this run does not have; under other settings it may. */
  #look() {
    const { run } = this.player;
    const { n } = run; // those held out do not light up
    const missing = (this.fields.others.value.match(/\d+/g) ?? []).map(Number).filter((i) => i >= n);
    const last = n ? `its examples are ${example(0)} to ${example(n - 1)}` : "it has no examples";
    this.fields.hint.textContent = missing.length ? `This run has no ${example(missing[0])}: ${last}.` : "";
  }

  // ---- its elements -----------------------------------------------------------------------------

  #build(cue, draft) {
    const title = make(
      "h2",
      { id: "cue-title" },
      `${this.before ? "Cue" : "New cue"} at step ${whole.format(this.t)}${draft ? ", not saved yet" : ""}`,
    );
    this.fields = { why: make("p", { className: "why", role: "alert", hidden: true }) };
    this.box = make(
      "div",
      { className: "menu cue", role: "dialog", "aria-labelledby": "cue-title" },
      title,
      this.#places(cue),
      this.#text("words", "Words", cue.words, explain(this.player.run, this.t).sentence),
      this.#lights(cue),
      this.#number("hold", cue, "Holds", "Seconds to hold", "seconds in a film; empty: as long as reading takes"),
      this.#number("speed", cue, "Then plays", "Times the speed", "times as fast, up to the next cue"),
      this.#text("notes", "Notes for me", cue.notes, "Shown in the notes window only; part of the link"),
      this.fields.why,
      this.#buttons(),
    );
    this.box.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    event.stopPropagation(); // neither the player's keys nor Streamlit's
    if (event.isComposing) return;
    if (event.key === "Escape") this.#leave();
    if (
      event.key !== "Enter" ||
      !(event.ctrlKey || event.metaKey || (event.target === this.fields.words && !event.shiftKey))
    ) {
      return;
    }
    event.preventDefault(); // a cue is one line: Enter does not begin another
    this.save();
  }

  #leave() {
    this.close();
    if (kept(this.name)) {
      this.stage.say(`What you typed is kept: U at step ${whole.format(this.t)} shows it again.`);
    }
  }

  #places(cue) {
    const { run } = this.player;
    const found = placesOf(this.t, run);
    const own = this.before?.place;
    if (own && !found.includes(own)) found.unshift(own);
    const chosen = found.includes(cue.place) ? cue.place : found[0]; // a draft may be of another run
    this.fields.places = found.map((value) =>
      make("input", { type: "radio", name: "cue-place", value, checked: value === chosen }),
    );
    const labels = this.fields.places.map((input) => make("label", {}, input, placeWords(input.value)));
    const why =
      found.length > 1 ? "A mistake or an epoch keeps its place under other settings; a step is a number." : "";
    return make(
      "div",
      { className: "line", role: "radiogroup", "aria-label": "Place", title: why },
      make("b", {}, "Place"),
      make("span", {}, ...labels),
    );
  }

  #text(name, label, value, placeholder) {
    const area = make("textarea", { value, placeholder, rows: 2 });
    this.fields[name] = area;
    return make("label", { className: "text" }, make("b", {}, label), area);
  }

  #lights({ light }) {
    const { run } = this.player;
    const current = this.t > 0 ? `x${run.trace.index[this.t - 1]}` : null;
    const offered = ({ name, group }) =>
      light.includes(name) || (group === "more" ? this.player.shows(name) : hasSomething(name, run));
    const panels = LIT.filter(offered).map((panel) => [panel.name, called(panel)]);
    const names = {
      ...(current ? { [current]: `${example(Number(current.slice(1)))}, this example` } : {}),
      ...Object.fromEntries(panels),
    };
    this.fields.lights = Object.keys(names).map((value) =>
      make("input", { type: "checkbox", value, checked: light.includes(value) }),
    );
    const labels = this.fields.lights.map((input) => make("label", {}, input, names[input.value]));
    const others = light.filter((name) => !(name in names)).join(", ");
    this.fields.others = make("input", {
      type: "text",
      value: others,
      placeholder: "x3, x12",
      size: 12,
      spellcheck: false,
    });
    this.fields.others.addEventListener("input", () => this.#look());
    this.fields.hint = make("span", { className: "hint", "aria-live": "polite" });
    const more = make("label", {}, "other examples", this.fields.others);
    return make(
      "div",
      { className: "line", role: "group", "aria-label": "What lights up" },
      make("b", {}, "Lights up"),
      make("span", {}, ...labels, more, this.fields.hint),
    );
  }

  #number(name, cue, what, label, unit) {
    const look = { type: "text", inputMode: "decimal", value: cue[name] ?? "", size: 6, "aria-label": label };
    this.fields[name] = make("input", look);
    return make("label", { className: "line" }, make("b", {}, what), make("span", {}, this.fields[name], unit));
  }

  #buttons() {
    const { stage } = this;
    const button = (words, title, act, look = {}) => {
      const made = make("button", { type: "button", title, ...look }, words);
      made.addEventListener("click", act);
      return made;
    };
    const save = button("Save ⏎", "Save (Enter in the words, Ctrl Enter anywhere)", () => this.save(), {
      className: "main",
    });
    const remove = this.before ? [button("Remove", "Remove this cue", () => this.remove())] : [];
    const cancel = button("Cancel", "Close, and forget what was typed (Esc keeps it)", () => this.cancel());
    const notes = button("Notes window", "A window with your notes (Shift N)", () => stage.notes.open());
    return make("div", { className: "buttons" }, save, ...remove, cancel, make("span", { className: "space" }), notes);
  }
}
