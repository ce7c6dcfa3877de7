// A second window for the lecturer: notes, what is on the screen, what comes next, and the time.

import { placeWords } from "../run/cues.js";
import { familyOf, make, pressable } from "./dom.js";
import { spokenLanguage, translate } from "../run/language.js";
import { narrationOf } from "../board/narration.js";
import { keep, recall, PLACES } from "../service/texts.js";
import { explain, whole } from "../run/words.js";

const SIZE = "popup,width=760,height=640";
const TICK = 250; // In ms: the time after which the window is written again.
const SOON = 3000; // In ms: a key that reloads has done so within this time.
const BLOCKED =
  "The browser did not open the notes window: allow pop-ups for this page, then press Shift N again.";
// Keys that do in this window what they do on the stage: of time and of presenting, none that
// changes data.
const FORWARDED = /^(arrow(right|left|up|down)|page(down|up)|home|end|escape|[ fsmqwjlbx.])$/i;
const COUNTING = /^(Digit\d|Numpad\d|KeyA)$/; // Those that count the votes of a class.
const FOOTER =
  "The keys of the stage work here too: → ← PageDown PageUp Space Home End, W to present, . for a blank screen.";
const COLOURS = ["paper", "ink", "quiet", "accent", "panel", "rule"];
// As in stage.css: where no type for mathematics is, that of the words sets exponents better.
const FORMULA_FAMILIES =
  '"STIX Two Math", "Cambria Math", "Latin Modern Math", "DejaVu Math TeX Gyre", "kpviz Sans", "kpviz Signs", math';
const STYLE = `
  html { background: var(--paper); color: var(--ink); font: 18px/1.4 var(--font); }
  body { margin: 0; height: 100vh; box-sizing: border-box; padding: 14px 22px; display: flex; flex-direction: column; gap: 10px; }
  header { display: flex; align-items: baseline; gap: 4px 20px; font-variant-numeric: tabular-nums; color: var(--quiet); }
  header p { flex: 1; }
  p, h1, h2 { margin: 0; overflow-wrap: anywhere; }
  h1, h2 { font-size: 15px; font-weight: 600; }
  button, time { font: inherit; font-size: 24px; font-weight: 600; color: var(--ink); font-variant-numeric: tabular-nums; }
  button { background: none; border: 1px solid var(--rule); border-radius: 22px; padding: 2px 12px; cursor: pointer; }
  /* The lecturer's own notes have room before the words that the class has seen. */
  main { flex: 1 0 auto; max-height: 56vh; overflow: auto; }
  .notes { font-size: clamp(22px, 3.4vw, 48px); line-height: 1.3; margin-top: 4px; }
  .notes { white-space: pre-line; }
  .notes.none { color: var(--quiet); font-size: 22px; }
  section { flex: none; border-top: 1px solid var(--rule); padding-top: 8px; max-height: 28vh; overflow: auto; }
  section:has(.words) { flex: 0 1 auto; min-height: 0; max-height: none; }
  section p { font-size: 20px; }
  .scene { color: var(--quiet); font-variant-numeric: tabular-nums; }
  .scene strong { color: var(--ink); }
  .late { color: var(--ink); font-weight: 600; }
  .words { font-size: 21px; }
  .words > * { margin: 0 0 0.5em; }
  .words pre { white-space: pre-wrap; font: 16px/1.35 "kpviz Code", "kpviz Signs", monospace; }
  math { font-family: ${FORMULA_FAMILIES}; }
  :is(p, div, span, strong, h1, h2):empty, section:has(.words:empty) { display: none; }
  footer { font-size: 14px; color: var(--quiet); }
  @media (max-width: 599px) {
    body { height: auto; min-height: 100vh; padding: 12px 16px; }
    header { flex-wrap: wrap; justify-content: space-between; }
    header p { flex: 1 0 100%; order: 1; }
    :is(main, section) { max-height: none; }
    footer { display: none; }
  }
`;

/** @import { Palette } from "../paint/colors.js" */
/** @import { Player } from "../board/player.js" */
/** @import { ShownScene } from "../modes/types.d.ts" */

export class Notes {
  /** @type {Window | null} */
  window = null;
  started = 0; // In ms: the time from which the lecture is timed.
  written = ""; // What it says, as JSON.
  entered = { scene: "", at: 0 }; // The scene that is shown, and since when, in ms.
  language = ""; // Its own words are in this one, that of the lesson.
  /** @type {Palette | null} */
  palette = null;
  /** @type {Record<string, HTMLElement>} */
  fields = {};
  listening = new AbortController();
  ticking = 0; // The number of the timer that writes the window.

  /** @param {Player} player @param {() => boolean} isBlank whether the screen is */
  constructor(player, isBlank) {
    this.player = player;
    this.isBlank = isBlank;
  }

  get isOpen() {
    return this.window !== null && !this.window.closed;
  }

  /** Open the window, or bring it to the front. */
  open() {
    if (this.isOpen) {
      this.window.focus();
      return;
    }
    const opened = window.open("", `${PLACES.notes.name}-${Date.now()}`, SIZE);
    if (opened) this.#take(opened, Date.now());
    else this.player.page.say(BLOCKED);
  }

  /** Find the window again that stayed while the page was reloaded by a key, as clickers do. */
  back() {
    const left = this.player.capabilities.server ? recall(PLACES.notes) : null;
    if (left === null) return;
    keep(PLACES.notes, null);
    const [name, started, entered] = left;
    this.entered = entered;
    const openedWindow = window.open("", name, SIZE);
    if (openedWindow?.document.querySelector(".notes")) this.#take(openedWindow, started);
    else openedWindow?.close(); // The window was closed meanwhile, and this is another one.
  }

  #take(opened, started) {
    this.window = opened;
    this.started = started;
    this.written = "";
    this.#build(opened.document);
    // This page may be hidden behind it, and its own timers slow.
    this.ticking = opened.setInterval(() => this.update(), TICK);
    this.listening = new AbortController();
    const options = { signal: this.listening.signal, capture: true };
    let reloadedAt = -SOON;
    document.addEventListener(
      "keydown",
      (event) => {
        if (reloads(event)) reloadedAt = performance.now();
      },
      options,
    );
    const left = () => {
      const reopens =
        performance.now() - reloadedAt < SOON && this.player.capabilities.server && this.isOpen;
      if (!reopens || !this.#keep()) this.close();
    };
    window.addEventListener("pagehide", left, options);
    this.update();
  }

  /** Where the window is found again. Returns whether the browser keeps it. */
  #keep() {
    return keep(PLACES.notes, [this.window.name, this.started, this.entered]);
  }

  /** Another page of the lesson is opened: the window stays for the board that comes after it. */
  leave() {
    if (!this.isOpen || !this.#keep()) return;
    this.window.clearInterval(this.ticking);
    this.listening.abort();
    this.window = null;
  }

  close() {
    if (!this.window) return;
    this.listening.abort();
    this.window.close();
    this.window = null;
  }

  /** @returns {ShownScene | undefined} */
  get #scene() {
    return this.player.modes.ask("lessonScene");
  }

  /** Show the instant as it is now. */
  update() {
    if (!this.isOpen) {
      if (this.window) this.close(); // Somebody closed the window by its own button.
      return;
    }
    if (this.language !== spokenLanguage()) {
      this.#build(this.window.document);
      this.written = "";
    }
    const { clock, elapsed, place, time } = this.fields;
    const scene = this.#scene;
    write(elapsed, `${since(this.started)}${scene?.all ? ` of ${scene.all} min` : ""}`);
    const key = scene ? `${scene.number} ${scene.heading}` : "";
    if (key !== this.entered.scene) this.entered = { scene: key, at: Date.now() };
    write(place, scene ? `Scene ${scene.number} of ${scene.count}: ${scene.heading}` : "");
    write(
      time,
      scene ? `${since(this.entered.at)}${scene.minutes ? ` of ${scene.minutes} min` : ""}` : "",
    );
    time.classList.toggle(
      "late",
      Boolean(scene?.minutes) && Date.now() - this.entered.at > scene.minutes * 60_000,
    );
    write(clock, new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
    const { palette } = this.player;
    if (this.palette !== palette || !this.written) this.#dress(palette);
    const { none, ...contents } = this.#contents();
    const now = JSON.stringify(contents);
    if (now === this.written) return;
    this.written = now;
    for (const [name, words] of Object.entries(contents)) write(this.fields[name], words);
    if (scene) this.fields.words.replaceChildren(...scene.wordNodes());
    if (scene && contents.notes === scene.notes) {
      this.fields.notes.replaceChildren(...scene.noteNodes());
    }
    this.fields.notes.classList.toggle("none", contents.notes === none);
  }

  /** What a class is asked just now, line by line. @returns {string[] | undefined} */
  get classAsked() {
    return this.player.modes.ask("classAsked");
  }

  /** What there is to say of the instant. */
  #contents() {
    const { cues, cuesFit, run, t: time } = this.player;
    const scene = this.#scene;
    const t = Math.min(time, run.nSteps);
    const here = cues.at(t);
    const cue = here ?? cues.before(t);
    const coming = cues.after(t);
    const which = cue
      ? `cue ${cues.placed.indexOf(cue) + 1} of ${cues.placed.length}, ${placeWords(cue.place)}`
      : "";
    const none = cue
      ? "No notes at this cue."
      : cues.placed.length
        ? "The first cue is still to come."
        : scene
          ? "No notes for this scene."
          : "There are no cues yet: U on the stage sets one.";
    const label = here ? `Notes: ${which}` : cue ? `Notes since ${which}` : "Notes";
    const { classAsked } = this;
    return {
      counts: run.counter(t),
      label: classAsked ? "Question to the class" : label,
      notes: classAsked?.join("\n") || cue?.notes || scene?.notes || none,
      none,
      screen: this.isBlank() ? "Nothing: it is blank." : narrationOf(this.player).sentence,
      nextLabel: coming ? `Next: ${nextPlace(coming, run)}` : "Next",
      next: coming
        ? (cuesFit() && coming.words) ||
          this.player.modes.ask("sentenceAt", coming.t) ||
          explain(run, coming.t).sentence
        : (scene?.following ?? "No further cue."),
      words: scene?.words ?? "",
    };
  }

  /** @param {Palette} palette */
  #dress(palette) {
    this.palette = palette;
    const { style } = this.window.document.documentElement;
    for (const name of COLOURS) style.setProperty(`--${name}`, palette[name]);
    style.setProperty("--font", palette.fonts.canvas);
    style.colorScheme = palette.dark ? "dark" : "light";
  }

  /** @param {Document} page */
  #build(page) {
    const part = (tag, className = "") => make(tag, { className });
    const elapsed = pressable("", () => {
      this.started = Date.now();
      elapsed.blur(); // Space plays
      this.update();
    });
    elapsed.title = translate("Time since this window opened: click to begin again");
    const fields = {
      elapsed,
      clock: part("time"),
      counts: part("p"),
      label: part("h1"),
      notes: part("div", "notes"),
      screen: part("p"),
      nextLabel: part("h2"),
      next: part("p"),
      place: make("strong"),
      time: part("span"),
      words: part("div", "words"),
    };
    this.fields = fields;
    const typeface = [...document.fonts].filter((face) => familyOf(face).startsWith("kpviz "));
    for (const face of typeface) page.fonts.add(face); // A window has none of its own.
    this.language = spokenLanguage();
    page.documentElement.lang = this.language;
    fields.screen.lang = "en"; // These are the board’s own words.
    const heading = (words) => make("h2", {}, translate(words));
    page.head.replaceChildren(
      make("title", {}, translate("Notes · kpviz")),
      make("style", {}, STYLE),
    );
    page.body.replaceChildren(
      make("header", {}, fields.counts, elapsed, fields.clock),
      make("p", { className: "scene" }, fields.place, " ", fields.time),
      make("main", {}, fields.label, fields.notes),
      make("section", {}, heading("On the screen now"), fields.screen),
      make("section", {}, fields.nextLabel, fields.next),
      make("section", {}, heading("Words of the scene"), fields.words),
      make("footer", {}, translate(FOOTER)),
    );
    page.onkeydown = (event) => forward(event, this.classAsked !== undefined);
  }
}

const nextPlace = ({ place, t }, { page }) =>
  page || /^\d/.test(place) ? placeWords(place) : `${placeWords(place)}, step ${whole.format(t)}`;

const reloads = ({ key, ctrlKey, metaKey }) =>
  key === "F5" || ((ctrlKey || metaKey) && key.toLowerCase() === "r");

/**
 * Press on the stage what was pressed in the window, which is not reloaded itself: it would be
 * empty.
 */
function forward(event, counts) {
  if (reloads(event)) event.preventDefault();
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const { key, code, shiftKey } = event;
  if (!FORWARDED.test(key) && !(counts && COUNTING.test(code))) return;
  event.preventDefault();
  document.dispatchEvent(
    new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true }),
  );
}

function write(element, english) {
  const text = translate(english);
  if (element.textContent !== text) element.textContent = text;
}

/** The time since an instant, in ms, as 4:07 or 1:04:07. */
function since(instant) {
  const seconds = Math.floor((Date.now() - instant) / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const significant = parts[0] ? parts : parts.slice(1);
  return significant.map((part, k) => (k ? String(part).padStart(2, "0") : String(part))).join(":");
}
