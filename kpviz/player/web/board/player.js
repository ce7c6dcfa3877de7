// The player without a page: the runs, the instant, and what is shown of it. It knows no DOM, so
// that it runs wherever there is JavaScript; `stage.js` shows it in a browser.

import { ColourLimit } from "./colour_limit.js";
import { Clock } from "./motion.js";
import { Cues } from "../run/cues.js";
import { layoutOf } from "./layout.js";
import { LiftView } from "./lift_view.js";
import { besideMap, hasSomething, isLeftOut, shownByDefault, pageWith } from "./shown_panels.js";
import { Modes } from "../modes/modes.js";
import { Voice } from "./narration.js";
import { Order } from "./order.js";
import { PANELS } from "./panel_table.js";
import { unpack } from "../run/payload.js";
import { Points } from "../run/points.js";
import { RunSet } from "./run_set.js";
import { BoardState } from "./state.js";
import { Curve } from "./curve.js";
import { Verdicts } from "./verdict.js";
import { counted } from "../run/words.js";
import { CURSORS, pageMode } from "../modes/pages.js";

/** @import { Cursor } from "./cursor.js" */
/** @import { Palette } from "../paint/colors.js" */
/** @import { RunMap } from "./run_set.js" */
/** @import { Run } from "../run/run.js" */
/** @import { BoardShape, Layout, Touch } from "./types.d.ts" */
/** @import { Envelope, ReadyComparison } from "../run/types.d.ts" */

// What a player can do: in the app everything, on a page that stands alone nothing that asks a
// server.

/** The addresses of the app's places, by their names. @type {Record<string, string>} */
const PLACES = {
  "": "./",
  lessons: "lessons",
  puzzles: "puzzles",
  lab: "lab",
  fisher: "fisher",
};

export class Capabilities {
  /**
   * @param {object} [options]
   * @param {boolean} [options.server] whether there is one to ask
   * @param {string[]} [options.panels] the ones that can be shown
   * @param {string | null} [options.address] that of the app for links, null where nobody knows it
   * @param {"play" | "fisher"} [options.page] whose board it is
   * @param {Record<string, string>} [options.places] the addresses of the places that there are
   * @param {boolean} [options.framed] whether it is a figure of a document
   */
  constructor({
    server = true,
    panels = PANELS.map(({ name }) => name),
    address = null,
    page = /** @type {"play" | "fisher"} */ ("play"),
    places = PLACES,
    framed = false,
  } = {}) {
    this.page = page;
    this.places = places;
    this.framed = framed;
    this.server = server;
    this.panels = panels;
    this.address = address;
  }

  get links() {
    return this.server || this.address !== null;
  }
}

// The player's part of the address.

/** The panels that are shown, in one order. @param {Iterable<string>} shown */
const panelsQuery = (shown) => [...shown].sort().join(".");

/**
 * The address of what is shown.
 *
 * @param {Run} run
 * @param {ReadonlySet<string>} shown
 * @param {string[]} more further parts
 */
function queryOf(run, t, shown, more) {
  const parts = [run.header.settings.query, ...more];
  if (t > 0) parts.push(`t=${t}`);
  const panels = panelsQuery(shown);
  if (panels !== panelsQuery(shownByDefault(run))) parts.push(`show=${panels || "none"}`);
  return parts.join("&");
}

/**
 * What a player asks of the page that shows it: to draw again, and to lay everything out again,
 * where that does not follow from the board's state, and to say something for a moment.
 * @typedef {{ redraw(): void, arrange(): void, say(words: string): void }} Page
 */

/** @type {Page} */
const NO_PAGE = { redraw() {}, arrange() {}, say() {} };

/** Nothing under the pointer. @returns {Touch} */
export const untouched = () => ({
  hot: new Set(),
  lines: [],
  probe: null,
  time: null,
  full: null,
  map: "map",
  ask: null,
});

export class Player {
  state = new BoardState();
  formulaFirst = false; // The sentence of a step is its formula, with the words beneath.
  patterns = false; // Signs stand beside the colours.
  voice = new Voice();
  /** @type {Points | null} */
  pointsAhead = null; // The points that are being edited, while they are ahead of the run.
  touch = untouched(); // What the pointer points at means this now.
  /** @type {Touch | null} */
  pinnedTouch = null; // What is pinned means this now.
  /** @type {Palette | null} */
  palette = null;
  /** @type {Layout | null} */
  layout = null;
  // The panels that a cue lit, and those that were left out, when the board was laid out.
  placedLit = "";
  placedEmpty = "";
  /** @type {RunMap[]} */
  maps = []; // The map of the current run is the last one.
  width = 0; // The width of the board.
  panelPage = 0; // The page of the panels beside the map, where they need several.
  /** @type {string[] | null} */
  laidOutPanels = null; // The panels that were last laid out; null for those of another link.
  orderCame = false; // Its panel came with an order by hand.
  byTouch = false; // The device has no keys.
  modes = new Modes(this.state);
  /** @type {() => number[]} */
  named = () => this.modes.all("names").flat(); // The examples that a task names, which are ringed.
  /** @type {() => Set<string>} */
  // What a task asks for, and the board keeps to itself.
  covered = () => new Set(this.modes.all("covers").flat());
  // The words of cues may have been written for another run than the one that is shown.
  cuesFit = () => this.modes.all("cuesFit").every(Boolean);

  /**
   * @param {{ page?: Page, capabilities?: Capabilities, CursorClass?: typeof Cursor }} [options]
   */
  constructor({
    page = NO_PAGE,
    capabilities = new Capabilities(),
    CursorClass = CURSORS[capabilities.page],
  } = {}) {
    this.page = page;
    this.capabilities = capabilities;
    const showsSymbols = () => this.modes.all("showsSymbols").every(Boolean);
    this.runs = new RunSet(this.state, showsSymbols);
    this.clock = new Clock();
    this.cues = new Cues();
    this.cursor = new CursorClass({
      state: this.state,
      runs: this.runs,
      clock: this.clock,
      cues: this.cues,
      modes: this.modes,
      limit: () => this.modes.least("lastTime"),
      refused: () => page.say(this.modes.ask("refusal")),
      changed: () => page.redraw(),
    });
    this.state.subscribe((changed) => {
      if (!changed.has("t")) return;
      const lit = this.#lit;
      // A cue turns to the page of what it lights, and a lesson has that under its scene.
      const turns = this.cues.at(this.t) !== null && this.#turn(lit);
      const isOther = lit.join() !== this.placedLit || this.#empty.join() !== this.placedEmpty;
      if (turns || isOther) page.arrange();
    });
    this.modes.known.push(pageMode(this));
    this.order = new Order(this);
    this.lift = new LiftView(this);
    this.colourLimit = new ColourLimit(this);
    this.curve = new Curve(this);
    this.verdicts = new Verdicts(this);
  }

  get run() {
    return this.runs.current;
  }

  get t() {
    return this.state.t;
  }

  get shown() {
    return this.state.shown;
  }

  get pinned() {
    return this.state.pinned;
  }

  get pointer() {
    return this.state.pointer;
  }

  /** The points as they are shown. */
  get points() {
    return this.pointsAhead ?? Points.of(this.run);
  }

  /** Whether the board stands alone, before a class or on paper, and offers nothing to press. */
  get bare() {
    return this.modes.ask("bare") === true;
  }

  // ---- what Python sends -----------------------------------------------------------------------

  /** Take the bytes of an envelope; returns it. @param {Uint8Array} data */
  take(data) {
    const { header, rest } = unpack(data);
    const envelope = /** @type {Envelope} */ (header);
    this.show(envelope, rest);
    return envelope;
  }

  /**
   * Show runs, and what is said of them; returns the run that was there before.
   *
   * @param {Envelope} envelope
   * @param {Uint8Array} runBytes the runs that are not here
   * @param {(run: Run) => number | null} left the instant at which a reload left these settings
   */
  show(envelope, runBytes, left = () => null) {
    const before = this.run;
    const { comparison } = this.runs;
    this.state.together(() => {
      if (this.runs.take(envelope, runBytes)) this.#arrive(before, envelope, left);
      if (before || !envelope.view.show) this.#switch(comparison, this.runs.comparison);
      this.state.change({ t: Math.min(this.t, this.runs.end) });
      this.cues.take(envelope.cues, this.run);
    });
    return before;
  }

  /**
   * Another comparison is ready: its panels come, and those of the one before go.
   *
   * @param {ReadyComparison | null} before
   * @param {ReadyComparison | null} now
   */
  #switch(before, now) {
    if (before?.name === now?.name) return;
    for (const name of before?.shows ?? []) this.switchPanel(name, false);
    for (const name of now?.shows ?? []) this.switchPanel(name, true);
  }

  /**
   * Keep the place where that makes sense: the end stays the end, new data start at 0.
   *
   * @param {Run | null} before
   * @param {Envelope} envelope
   */
  #arrive(before, envelope, left) {
    const { view, dataId } = envelope;
    this.clock.use(this.run.header.tokens);
    this.cursor.settle();
    this.cursor.motion = null;
    // With the numbers of one more panel.
    const same = before?.header.settings.query === this.run.header.settings.query;
    if (!same) this.state.change({ pinned: null });
    this.colourLimit.value = null;
    if (before) this.curve.follow(before, this.run);
    if (!before) this.#open(view, left);
    else if (before.dataId !== dataId) {
      if (panelsQuery(this.shown) === panelsQuery(shownByDefault(before))) {
        this.state.change({ shown: new Set(shownByDefault(this.run)) });
      }
      this.clock.stop();
      this.cursor.put(0);
    } else this.cursor.keepPlace();
    if (before) this.#follow(before);
    this.run.dataId = dataId;
    this.modes.tell("arrived", envelope, before);
  }

  /**
   * An order by hand brings the panel in which one makes it, which goes again with it.
   *
   * @param {Run} before
   */
  #follow(before) {
    const [was, now] = [before, this.run].map(({ header }) => header.settings.order === "hand");
    if (now && !was) this.#bring();
    else if (was && !now && this.orderCame) {
      this.orderCame = false;
      this.switchPanel("sequence", false);
    }
  }

  #bring() {
    if (this.run.header.settings.order !== "hand") return;
    this.orderCame = !this.shown.has("sequence");
    this.switchPanel("sequence", true);
  }

  /** @param {Envelope["view"]} view */
  #open(view, left) {
    const { end } = this.runs;
    this.cursor.put(Math.min(left(this.run) ?? view.t, end));
    if (view.t > end) this.page.say(`This run has ${counted(end, "step")}: here is its end.`);
    this.showOnly(view.show ?? shownByDefault(this.run));
    if (!view.show) this.#bring();
    if (view.turn) this.lift.to(view.turn);
    this.curve.over = view.over;
  }

  // ---- what is shown ---------------------------------------------------------------------------

  /** Whether these panels are on, and no other. @param {Iterable<string>} names */
  showsOnly(names) {
    return panelsQuery(names) === panelsQuery(this.shown);
  }

  /**
   * Show these panels and no other, as a link does: first the page of those that are not shown by
   * default.
   *
   * @param {string[]} names
   */
  showOnly(names) {
    this.laidOutPanels = null;
    this.panelPage = 0;
    this.state.change({ shown: new Set(names) });
  }

  /** Show a panel, or hide it. */
  switchPanel(name, on) {
    const shown = new Set(this.shown);
    if (on) shown.add(name);
    else shown.delete(name);
    this.state.change({ shown });
  }

  /** Whether a panel is on, and there is something to show in it. */
  shows(name) {
    return this.shown.has(name) && hasSomething(name, this.run);
  }

  /** The panels that are on and have something to show. */
  get there() {
    return new Set([...this.shown].filter((name) => this.shows(name)));
  }

  /** Whether a panel has nothing to show yet, and no cue speaks of it. */
  isLeftOut(name) {
    return isLeftOut(name, this, this.#lit);
  }

  /** The panels that a class does not see yet. */
  get #empty() {
    return this.bare ? [...this.there].filter((name) => this.isLeftOut(name)) : [];
  }

  get normed() {
    return this.shown.has("normed") && this.run.predictor.kind !== "voted"; // A vote has no norm.
  }

  get pointScale() {
    return (
      Math.max(this.view.rect.w / 600, 0.7) * (this.run.n > 300 && !this.run.stream ? 0.75 : 1)
    );
  }

  get view() {
    return this.maps.at(-1).view;
  }

  /**
   * Lay the board out for a size, with what lies around its panels.
   *
   * @param {Partial<BoardShape>} [around]
   */
  place(width, height, around = {}) {
    const before = this.laidOutPanels ?? shownByDefault(this.run);
    const pages = this.laidOutPanels && JSON.stringify(this.layout.pages);
    this.#place(width, height, around);
    const fresh = [...this.there].filter((name) => !before.includes(name));
    // Under settings in the place of the panels, new ones wait: their page is turned to afterwards.
    this.laidOutPanels = this.layout.panelsHidden ? before : [...this.there];
    const unseen = fresh.some((name) => name in this.layout.panels) ? [] : fresh;
    const names = this.#lit.length ? this.#lit : unseen;
    const other = JSON.stringify(this.layout.pages) !== pages;
    if (other && names.length && this.#turn(names)) this.#place(width, height, around);
    this.width = width;
    this.maps = this.runs.maps(this.layout);
  }

  /** Whether what is ahead would answer a question. */
  get hidesAhead() {
    return this.modes.all("conceals").length > 0;
  }

  /** Whether f would answer a question that stands. */
  get hidesF() {
    return this.modes.all("conceals").includes("now") || this.covered().has("f");
  }

  /** Whether something that is asked for is not told. */
  get concealsSome() {
    return this.modes.ask("conceals") !== undefined || this.covered().size > 0;
  }

  /** Whether a number of f would answer it: the colours of f may be seen all the same. */
  get hidesNumbers() {
    return this.hidesF || this.coversScore || this.modes.all("conceals").includes("numbers");
  }

  /** Whether a task asks for a score, or for what would follow from one. */
  get coversScore() {
    return this.covered().has("f") || this.covered().has("sum");
  }

  /** The panels that the cue of this instant lights. */
  get #lit() {
    const besideNames = besideMap(this.there);
    const light = (this.cuesFit() && this.cues.at(this.t)?.light) || [];
    return light.filter((name) => besideNames.includes(name));
  }

  /**
   * Turn to the page of these panels, unless one of them is seen there; returns whether that is
   * another.
   *
   * @param {string[]} names
   */
  #turn(names) {
    const { panelPage } = this;
    this.panelPage = pageWith(names, this.layout?.pages ?? [], panelPage);
    return this.panelPage !== panelPage;
  }

  /** What a layout depends on of what is shown. */
  get content() {
    const { run, runs, cues } = this;
    return {
      runs: runs.all.length,
      stream: run.stream !== null,
      question: runs.questionLength,
      together: cues.together,
      page: this.panelPage,
      lit: this.#lit,
      touch: this.byTouch,
    };
  }

  #place(width, height, around) {
    const { content } = this;
    const empty = this.#empty;
    this.placedLit = content.lit.join();
    this.placedEmpty = empty.join();
    /** @type {Layout | undefined} */
    const layoutOfMode = this.modes.ask("layout", {
      ...around,
      width,
      height,
      touch: content.touch,
    });
    if (layoutOfMode) {
      this.layout = layoutOfMode;
      return;
    }
    const shown = [...this.there].filter((name) => !empty.includes(name));
    this.layout = layoutOf(new Set(shown), {
      ...content,
      ...around,
      width,
      height,
      heading: this.modes.ask("lessonScene")?.heading.length ?? 0,
      ...this.modes.ask("boardShape"),
    });
    // Settings in the place of the panels leave their page as it was.
    if (!this.layout.panelsHidden) this.panelPage = this.layout.page ?? 0;
  }

  get query() {
    return [this.runQuery, ...this.modes.all("query")].join("&");
  }

  /** The same without what modes add. */
  get runQuery() {
    const more = [this.cues.query, this.runs.query, this.lift.query, this.curve.query].filter(
      Boolean,
    );
    const link = this.modes.ask("link");
    return link ? [link, ...more].join("&") : queryOf(this.run, this.t, this.shown, more);
  }
}
