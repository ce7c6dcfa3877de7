// The stage: a player shown on a page. It owns the canvas, the buttons and all that listens.

import { Folds } from "./folds.js";
import { Actions } from "./actions.js";
import { Controls } from "./controls.js";
import { CueBox } from "./cues_box.js";
import { isDark, mainOf, roomOf } from "./dom.js";
import { Notices } from "./notices.js";
import { preferencesOf } from "./preferences.js";
import { Naming } from "./naming.js";
import { BoardTerms, TermBox } from "./terms.js";
import { Tools } from "./tools.js";
import { WhatNext } from "./what_next.js";
import { Working } from "./working.js";
import { listenToDrops } from "./drop.js";
import { listen } from "../point/keys.js";
import { listenToPointer } from "../point/mouse.js";
import { Walk } from "../point/walk.js";
import { Palette } from "../paint/colors.js";
import { ON_REQUEST } from "../board/shown_panels.js";
import { forgetWidths } from "../paint/measure.js";
import { unpack } from "../run/payload.js";
import { Capabilities, Player } from "../board/player.js";
import { scenesOf } from "../board/scene.js";
import { Surface } from "../paint/paint.js";
import { rect, TINY } from "../board/lengths.js";
import { describe, withPanelsAgain } from "../panels/board.js";
import { Notes } from "./notes.js";
import { Objects } from "../point/keyboard.js";
import { pinnedTouchOf, pointAgain, touchOf } from "../point/pointer.js";
import { Spoken } from "../point/spoken.js";
import { Targets } from "../point/targets.js";
import { standingModes } from "../modes/standing.js";
import { NoLink } from "../service/link.js";
import { Curves, VerdictAsker } from "../service/requests.js";

/** @import { Dock } from "./dock/dock.js" */
/** @import { Export } from "./export.js" */
/** @import { Cursor } from "../board/cursor.js" */
/** @import { Page } from "../board/player.js" */
/** @import { ReadingModes } from "../modes/reading.js" */
/** @import { Link } from "../service/link.js" */
/** @import { Session } from "../service/session.js" */
/** @import { Board, BoardPointer, BoardShape, Layout } from "../board/types.d.ts" */
/** @import { Envelope } from "../run/types.d.ts" */
/** @import { AnswerHeader, Host, Notice, Outside, Progress } from "../service/types.d.ts" */

/** When the stage is drawn: at the next frame, or not before some time. */
export class Frames {
  /** @type {number | null} */
  next = null; // The number of the frame that is asked for.
  #from = Infinity; // In ms: before this time nothing is drawn.

  /** @param {(now: number) => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /**
   * Draw at the next frame, or at the first one from a time on, in ms; the earliest that was asked
   * for holds.
   */
  ask(from = 0) {
    this.#from = Math.min(this.#from, from);
    this.next ??= requestAnimationFrame((now) => {
      this.next = null;
      if (now < this.#from) this.ask(this.#from);
      else this.draw(now);
    });
  }

  /** What was asked for is drawn, or not wanted any more. */
  drop() {
    cancelAnimationFrame(this.next);
    this.next = null;
    this.#from = Infinity;
  }
}

const OVER = ".overlay, .dock, .chooser, .slides, .pager";
const ROWS_OVER = ".what-next, .folds, .notices"; // Each thing in them lies over the canvas.
const AWAY = "Connection lost. You can still step and play; changes will be sent when it is back.";

/**
 * How many runs a link shows; a ready comparison that is only named has two at least.
 *
 * @param {string} query
 */
function runsIn(query) {
  const link = new URLSearchParams(query);
  const pins = Number(link.get("pins") ?? (link.has("compare") ? 1 : 0));
  return Math.min(1 + (pins || 0), 4);
}

/**
 * Where notices lie: in their own room or, so that nothing moves and no point is covered, under the
 * words or at the end of a question; without these over the foot of the map.
 *
 * @param {Layout} layout
 * @param {number} width
 */
function roomOfNotices({ notices, panels, bar, say, height }, width) {
  if (notices) return notices;
  if (say && !say.isUnder) return rect(say.x, say.y + say.h, say.w, 0);
  const words = panels.words ?? panels.sentences;
  if (words) {
    const top = words.y + words.h;
    const end = Math.min(bar?.y ?? height, panels.timeline?.y ?? height);
    return rect(words.x, top, words.w, end - top);
  }
  const map = panels.map ?? rect(0, 0, width, height);
  return rect(map.x, map.y + map.h, map.w, 0);
}

/** @implements {Page} @implements {Host} */
export class Stage {
  /** @type {Board | null} */
  board = null; // The board as it was last drawn.
  // What can be pointed at on it.
  targets = new Targets(() => (this.player.run ? this.#described(performance.now()) : null));
  size = { width: 0, ratio: 1 };
  frames = new Frames((now) => this.draw(now));
  // While the board is drawn it is pointed at again: that change of the state asks for no frame.
  isPointingAgain = false;
  /** @type {unknown[]} */
  laidOutFor = []; // The values of the state for which the newest layout was made.
  /** @type {AnswerHeader | null} */
  answer = null; // The newest answer.
  isTiny = false; // The window was tiny when the board was laid out.
  hasKnob = false; // The board was laid out with a number to turn.

  /**
   * The parts of a page with a server are `session`, `link` and `outside`.
   *
   * @param {HTMLElement & { kpviz?: Stage }} root
   * @param {{
   *   capabilities?: Capabilities, CursorClass?: typeof Cursor, session?: Session,
   *   link?: Link | NoLink, outside?: Outside, settings?: (stage: Stage) => Dock,
   *   reading?: (stage: Stage) => ReadingModes, exporting?: (stage: Stage) => Export,
   * }} [options]
   */
  constructor(
    root,
    {
      capabilities = new Capabilities(),
      CursorClass,
      session = null,
      link = new NoLink(),
      outside = null,
      settings = null,
      reading = null,
      exporting = null,
    } = {},
  ) {
    this.root = root;
    // The stage itself has the focus where no part of it has.
    Object.assign(root, { tabIndex: -1, role: "group", ariaLabel: "The player" });
    this.session = session;
    this.outside = outside;
    this.link = link;
    root.kpviz = this; // Tests find the stage here, and so do the curious.
    const player = new Player({ page: this, capabilities, CursorClass });
    this.player = player;
    player.byTouch = matchMedia("(pointer: coarse) and (hover: none)").matches;
    this.actions = new Actions(this);
    this.controls = new Controls(root, this.actions, player);
    this.canvas = this.controls.canvas;
    this.surface = new Surface(this.canvas);
    this.context = this.surface.context;
    this.spoken = new Spoken(this.canvas, player, this.controls.live);
    this.walk = new Walk(this);
    this.objects = new Objects(this);
    this.tools = new Tools(root, player.modes);
    this.folds = new Folds(this);
    this.notes = new Notes(player, () => player.modes.ask("blank") === true);
    this.cueBox = new CueBox(this);
    this.standing = standingModes(this, reading);
    this.notices = new Notices(
      root,
      () => player.bare,
      () => this.arrange(),
      (changes) => session?.command("set", changes),
    );
    this.terms = new BoardTerms(root);
    const inApp = capabilities.server && !capabilities.framed;
    const address = inApp ? "" : capabilities.address;
    this.naming = new Naming(this);
    const symbols = () => player.run?.symbols ?? true;
    this.termBox = new TermBox(root, address, capabilities.places, symbols);
    this.work = new Working(root, () => session.cancel());
    this.askers = session
      ? [new Curves(player, session, "curve"), new VerdictAsker(player, session, "verdict")]
      : [];
    this.export = exporting ? exporting(this) : null;
    this.dock = settings ? settings(this) : null;
    preferencesOf(this);
    this.next = new WhatNext(this);
    player.modes.tell("pageMade");
    player.state.subscribe((changed) => this.#follow(changed));
    this.#listen();
  }

  /** The board's state has changed. @param {ReadonlySet<string>} changed */
  #follow(changed) {
    if (this.isPointingAgain) return;
    if (changed.has("pointer") || changed.has("pinned")) this.#updateTouch();
    const reasons = this.#reasonsOfLayout;
    const isLaidOut =
      reasons.length === this.laidOutFor.length &&
      reasons.every((reason, k) => reason === this.laidOutFor[k]);
    if (isLaidOut) this.redraw();
    else this.arrange();
  }

  /** The values of the state on which a layout depends; what a hand holds moves nothing. */
  get #reasonsOfLayout() {
    const { modes, shown } = this.player;
    return [shown, ...modes.standing];
  }

  #listen() {
    const { root, player } = this;
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const still = window.matchMedia("(prefers-reduced-motion: reduce)");
    const followPreference = () => (player.cursor.reducedMotion = still.matches);
    followPreference();
    still.addEventListener("change", followPreference, options);
    window.addEventListener("resize", () => this.arrange(), options);
    // After a click nothing lights up under a mouse that lies still: what is there may be new.
    root.addEventListener("click", () => root.classList.add("rests"), options);
    const moved = ({ movementX, movementY }) => {
      if (movementX || movementY) root.classList.remove("rests");
    };
    root.addEventListener("pointermove", moved, options);
    const scrolled = () => {
      this.controls.keepInView();
      this.terms.keepClear(this.controls.floatsOver);
    };
    window.addEventListener("scroll", scrolled, {
      ...options,
      capture: true,
      passive: true,
    });
    const leave = () => {
      const { run, t } = player;
      if (run) this.link.keepInstant(run, player.modes.ask("fillsPage") ? 0 : t);
    };
    window.addEventListener("pagehide", leave, options);
    const fontsArrived = () => {
      forgetWidths();
      this.surface.layers.clear();
      player.modes.tell("fontsArrived");
      if (player.run) this.arrange();
    };
    document.fonts.addEventListener("loadingdone", fontsArrived, options);
    // Laying out changes the size of what is observed. WebKit reports an endless loop if that
    // happens while it is told of a size, so the board is laid out in the next frame.
    const resizing = new ResizeObserver(() =>
      requestAnimationFrame(() => controller.signal.aborted || this.arrange()),
    );
    resizing.observe(root.parentElement ?? /** @type {ShadowRoot} */ (root.getRootNode()).host);
    this.stops = [
      () => controller.abort(),
      () => resizing.disconnect(),
      listen(this),
      listenToPointer(this),
      ...(player.capabilities.server ? [listenToDrops(this)] : []),
    ];
  }

  stop() {
    this.tools.stop();
    this.player.modes.tell("stop");
    for (const stop of this.stops) stop();
    this.link.stop();
    for (const asker of this.askers) asker.stop();
    this.notes.close();
    this.frames.drop();
  }

  // ---- what Python sends, and what goes back ---------------------------------------------------

  /**
   * What a question says of the page: the extras that its panels need (`asked`), the runs that it
   * has already, and whether any is shown.
   */
  needs() {
    const { run, runs, shown: shownPanels } = this.player;
    if (!run) return { asked: null, have: [], shown: false };
    return {
      asked: [
        ...[...ON_REQUEST].filter((name) => shownPanels.has(name)),
        ...this.player.modes.all("extras").flat(),
      ],
      have: runs.ids,
      shown: true,
    };
  }

  /** Whether the runs of an answer are here already. @param {AnswerHeader} header */
  has({ runs }) {
    return this.player.runs.has(runs);
  }

  /**
   * Take an answer of the service: runs, settings and what else has come with them.
   *
   * @param {AnswerHeader} header
   * @param {Uint8Array} runBytes
   */
  take(header, runBytes) {
    const { end: isAtEnd } = this.player.cursor.goal;
    this.answer = header;
    this.show(header, runBytes);
    this.notices.dropThoseOfOtherData(header.data);
    if (header.facts) this.notices.showFacts(header.facts);
    this.dock.take(header.dock, header.link);
    if (this.hasKnob !== this.turnable) this.arrange();
    this.player.modes.tell("equip", header.dock);
    // The pencil is wanted: a drawing begins.
    if (header.edit) this.player.modes.tell("draws");
    // Who draws at the end of a run sees the end of the new one.
    if (header.edit && isAtEnd) this.actions.press("end");
    // While a gesture goes on, the next question is asked before this answer is drawn.
    if (!this.session.live) queueMicrotask(() => this.draw());
  }

  /** Whether there is a number to turn that is always in sight. */
  get turnable() {
    return Boolean(this.dock) && !this.dock.quick.element.hidden;
  }

  /** Commands were answered, or given up: what was shown ahead of their answers goes. */
  settle() {
    if (!this.player.run) return;
    this.player.modes.tell("settled");
    this.dock.settle();
    this.redraw();
  }

  /** @param {Notice} notice @param {string} [command] of which it is said */
  notice(notice, command) {
    // What was begun, "Opening notes.csv …", is over.
    if (notice.kind === "warning") this.controls.status(null, { persist: true });
    if (this.dock?.refuse(command, notice.words)) return;
    this.notices.show(notice, this.answer?.data ?? null);
  }

  /** @param {Progress | null} progress */
  working(progress) {
    this.work.show(progress);
  }

  /** @param {boolean} away */
  away(away) {
    this.notices.showWhileSo(away ? AWAY : null);
  }

  get query() {
    return this.player.query;
  }

  /** Show runs without a service, from bytes that a page has with it. @param {Uint8Array} bytes */
  update(bytes) {
    const { header, rest } = unpack(bytes);
    this.show(/** @type {Envelope} */ (header), rest);
  }

  /** Show runs. @param {Envelope} envelope @param {Uint8Array} runBytes */
  show(envelope, runBytes) {
    const { player } = this;
    player.state.together(() => this.#showRuns(envelope, runBytes));
  }

  #showRuns(envelope, runBytes) {
    const { player } = this;
    this.targets.board = null; // Its marks may be of another run.
    const before = player.show(envelope, runBytes, (run) => this.link.instantLeft(run));
    const { run } = player;
    const isOther = before !== run;
    this.surface.arrives ||= isOther; // The first picture of a run is painted in a faster way.
    if (this.session) this.settle();
    // In full screen the top bar, which has the names, is out of sight. Before a class nothing is
    // said that it did not ask for.
    const saysNames = document.fullscreenElement && !player.bare;
    const { data: name, kernel } = run.header.names;
    if (before && isOther && saysNames) this.say(`${name} · ${kernel}`);
    this.recolour();
    if (!before) this.notes.back();
    if (!before) player.modes.tell("opens", envelope.view);
  }

  /** The page's theme may be another one. */
  recolour() {
    const { player } = this;
    if (!player.run) return;
    player.palette = new Palette(player.run.header.tokens, isDark(this.root));
    this.terms.recolour(player.palette);
    const { good, warning } = player.palette;
    const colours = {
      orange: player.palette.ofClass(1),
      blue: player.palette.ofClass(-1),
      good,
      warning,
    };
    for (const [name, colour] of Object.entries(colours)) {
      this.root.style.setProperty(`--${name}`, colour);
    }
    this.arrange();
  }

  fail(error) {
    console.error(error);
    this.say(`The player could not show this run (${error.message}). Reload the page.`, {
      persist: true,
    });
  }

  /** Say something for a moment. */
  say(words, { persist = false } = {}) {
    this.controls.status(words, { persist });
  }

  // ---- the pointer -----------------------------------------------------------------------------

  /**
   * The pointer moved to this pixel of the canvas, or keys to this thing; null: it left.
   *
   * @param {BoardPointer | null} pointer
   */
  point(pointer) {
    const { player, targets } = this;
    player.modes.tell("pointed", pointer);
    const shownPointer = player.modes.ask("hidesPointer") ? null : pointer;
    // What a hand holds goes where the pointer is, whatever lies there.
    if (shownPointer && !player.modes.held) targets.look();
    const isKnown = shownPointer && targets.board;
    player.state.change({ pointer: isKnown ? pointAgain(targets, shownPointer) : shownPointer });
    this.redraw(); // A mode may draw at a pointer that it hides.
  }

  /** The pointer pressed where it is. */
  pick() {
    const { player } = this;
    this.#updateTouch();
    const { touch, pointer } = player;
    // A `Touch` (board/types.d.ts) says what a press does there. Where it does nothing, and no mode
    // takes the example for an answer, what has a box is pinned.
    if (touch.time !== null) player.cursor.go(touch.time);
    else if (touch.ask) this.actions.send(touch.ask);
    else if (touch.act) this.actions.actOnCurve(touch.act);
    else {
      const isAnswer =
        touch.hot.size === 1 && player.modes.ask("pick", [...touch.hot][0]) !== undefined;
      const stays = !isAnswer && (touch.probe || touch.full);
      player.state.change({ pinned: stays ? pointer : null });
    }
    this.redraw();
  }

  /**
   * What the pointer points at, and what is pinned, may mean something else now; without a board
   * the pointer points at nothing.
   */
  #updateTouch() {
    const { player, targets } = this;
    player.touch = touchOf(player, targets.board && (player.pointer?.hit ?? null));
    player.pinnedTouch = pinnedTouchOf(player);
  }

  /**
   * The pointer points at what lies under it now. What it touches changes the whole board: so the
   * panels there are described before all others.
   */
  #pointAgain(now) {
    const { player, targets } = this;
    const { pointer } = player;
    const boardBefore = targets.board;
    if (!boardBefore) this.#updateTouch(); // Nothing is touched before anything is drawn.
    if (!pointer) return;
    if (boardBefore) {
      const names = targets.panelsOf(pointer);
      targets.board = withPanelsAgain(this.scenes(now), player.layout, boardBefore, names);
    }
    if (!targets.changedSince(boardBefore, pointer.px, pointer.py)) return;
    this.isPointingAgain = true;
    player.state.change({ pointer: pointAgain(targets, pointer) });
    this.isPointingAgain = false;
    this.objects.follow();
  }

  // ---- drawing ---------------------------------------------------------------------------------

  /** Lay everything out for the room that there is. */
  arrange() {
    const { player } = this;
    this.laidOutFor = this.#reasonsOfLayout;
    if (!player.run) {
      this.controls.frame(roomOf(this.root), runsIn(this.link.opened));
      return;
    }
    const room = player.modes.ask("room") ?? roomOf(this.root);
    const column = this.#column;
    this.#layOutPanels(room, column.slot);
    this.targets.board = null; // Its panels may lie elsewhere.
    this.#placeColumn(column);
    this.#placeToolsAndNotices(room.width);
    this.#sizeCanvas(room);
    this.#sizePage(column);
    this.#placeOverCanvas(room);
    this.#scrollToTinyBoard();
    this.redraw();
  }

  /**
   * What lies beside the board, if anything is open: the settings, the chooser of panels, or what
   * is read. In a tiny window that is read below the board, and scrolls with the page.
   */
  get #column() {
    const { bare, modes } = this.player;
    const read = modes.ask("beside");
    const opened = [this.dock, this.controls.chooser, read].find((view) => view?.open);
    const isRead = Boolean(read) && opened === read;
    const isBelow = isRead && !bare && !read.isFramed && window.innerHeight < TINY;
    /** @type {BoardShape["slot"]} */
    let slot = "";
    if (opened && !bare && !isBelow) slot = isRead ? "reading" : "settings";
    return { read, opened, isRead, isBelow, slot };
  }

  /** Lay the panels out in the room that notices, tools and the column leave. */
  #layOutPanels({ width, height, view, text = 1 }, slot) {
    const { notices, player, tools } = this;
    this.hasKnob = this.turnable;
    const around = { slot, view, text, knob: this.hasKnob, next: this.next.needs };
    /** @param {number} rowWidth in px */
    const layOutWith = (rowWidth) => {
      const above = player.bare ? 0 : notices.heightIn(rowWidth);
      player.place(width, height, { ...around, notices: above, tools: tools.place(rowWidth) });
    };
    const widthBefore = player.layout?.tools.w || width;
    layOutWith(widthBefore);
    const widthNow = player.layout.tools.w;
    // The rows of tools and notices may take more lines at the width that they have now.
    const hasRows = tools.height || notices.box.hasChildNodes();
    if (hasRows && widthNow && widthNow !== widthBefore) layOutWith(widthNow);
  }

  /** Place the settings and what is read; the chooser of panels has its place from the layout. */
  #placeColumn({ read, opened, isRead, isBelow }) {
    const { layout, modes } = this.player;
    const closed = { dock: null, sheet: false };
    this.dock?.place(opened === this.dock ? (modes.ask("settings") ?? layout) : closed);
    read?.place(isRead ? layout : closed, isBelow ? layout.height : null);
  }

  #placeToolsAndNotices(width) {
    const { bare, layout } = this.player;
    const { tools } = layout;
    // The box of a cue fills the column of the tools from its first panel on.
    const tops = (layout.pages?.[layout.page] ?? []).map((name) => layout.panels[name].y);
    const fromPanels = tops.length ? layout.height - Math.min(...tops) : 0;
    this.root.style.setProperty("--column", `${tools.w}px`);
    this.root.style.setProperty("--from-panels", `${fromPanels}px`);
    Object.assign(this.tools.box.style, { left: `${tools.x}px`, top: `${tools.y}px` });
    const belowWindow = rect(0, window.innerHeight, width, 0);
    this.notices.place(bare ? belowWindow : roomOfNotices(layout, width));
  }

  #sizeCanvas({ left, top, width }) {
    const { canvas, player } = this;
    const { height } = player.layout;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const unit = player.bare ? 2 : 1; // Whoever films the screen needs even sides.
    const [w, h] = [width, height].map((length) => unit * Math.round((length * ratio) / unit));
    // Setting its size clears the canvas, even if the size is the same.
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    Object.assign(canvas.style, {
      width: `${width}px`,
      height: `${height}px`,
      left: `${left}px`,
      top: `${top}px`,
    });
    this.size = { width, ratio };
  }

  /** Let the page be so long that nothing is hidden by what is read below or by a sheet. */
  #sizePage({ read, isBelow }) {
    const { bare, layout } = this.player;
    const sheetHeight = layout.sheet ? layout.dock.h : 0;
    const beyond = isBelow ? read.element.offsetHeight : sheetHeight;
    this.root.style.height = bare ? "" : `${layout.height + beyond}px`;
    // What comes to have the focus is scrolled out from under the sheet.
    const main = mainOf(this.root) ?? document.documentElement;
    main.style.scrollPaddingBottom = layout.sheet && !bare ? `${sheetHeight}px` : "";
  }

  /** Place the buttons, words and things to point at that lie over the canvas. */
  #placeOverCanvas({ left, top, width }) {
    const { layout, modes } = this.player;
    this.controls.place(layout, { left, top });
    modes.tell("placeWords", {
      x: left,
      y: top,
      w: layout.dock?.x ?? width,
      h: layout.height,
      panels: layout.panels,
    });
    this.objects.place(layout);
    this.next.place(layout);
  }

  /**
   * Map, short sentence and buttons fill a window that has become tiny once what is above has
   * scrolled away.
   */
  #scrollToTinyBoard() {
    const { bare, layout } = this.player;
    const isTiny = Boolean(layout.isTiny) && !bare;
    if (isTiny && !this.isTiny) this.scrollTo(layout.begins);
    this.isTiny = isTiny;
  }

  /** Scroll the page so that the window begins at this height of the board. */
  scrollTo(y) {
    const top = this.canvas.getBoundingClientRect().top + y;
    (mainOf(this.root) ?? window).scrollBy({ top, behavior: "instant" });
  }

  /** Draw at the next frame. */
  redraw() {
    if (this.player.run) this.frames.ask();
  }

  /**
   * Draw the instant as it is now: let the clock go on, lay out again what has come or gone, point
   * again, describe the board, paint it, bring the rest of the page up to date, ask for the next
   * frame if anything moves, and write the address if nothing does.
   */
  draw(now = performance.now()) {
    const { player, size } = this;
    const { clock, cursor, palette } = player;
    clock.tick(now, () => cursor.beat());
    cursor.see(now);
    if (this.next.update()) this.arrange();
    this.frames.drop(); // The frame that clock and layout have asked for is this one.
    this.#pointAgain(now);
    this.#updateTouch();
    this.board = this.#described(now);
    this.targets.board = this.board;
    this.surface.draw(this.board, palette.fonts, size.ratio, this.session?.live);
    this.#updateDom();
    // Pictures that nobody could tell apart are not drawn.
    if (cursor.lively) this.frames.ask(now + clock.apart);
    const isAtRest = !cursor.lively && !player.modes.ask("fillsPage");
    if (isAtRest && (this.session?.settled ?? true)) {
      this.link.set(player.query, this.session?.state.link);
    }
  }

  /**
   * The board of this instant; what stands still since the one before keeps its marks.
   *
   * @returns {Board}
   */
  #described(now) {
    const { player, size } = this;
    const scenes = this.scenes(now);
    if (scenes.map.tip) player.layout.covered = this.#covered();
    const board = describe(scenes, player.layout, size.width, this.targets.board);
    player.modes.all("finish", board);
    return board;
  }

  /** What lies over the canvas, in px of the board: no box at the pointer is drawn under it. */
  #covered() {
    const corner = this.canvas.getBoundingClientRect();
    // This is done at each step while a box is shown: to look through the whole page takes longer.
    const parts = [...this.root.children];
    const rows = parts.filter((part) => part.matches(ROWS_OVER));
    const overCanvas = [
      ...parts.filter((part) => part.matches(OVER)),
      ...rows.flatMap((row) => [...row.children]),
    ];
    return overCanvas
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x: x - corner.x, y: y - corner.y, w: width, h: height };
      });
  }

  /** The scenes of this instant. */
  scenes(now = performance.now()) {
    return scenesOf(this.player, now);
  }

  #updateDom() {
    const { player, controls } = this;
    controls.update(player);
    this.folds.update();
    if (this.tools.update()) this.arrange();
    this.notes.update();
    for (const asker of this.askers) asker.look();
    controls.placePinned(this.board);
    controls.placeRescale(this.board);
    player.modes.all("drawn");
    // The end of a gesture is spoken, not its middle.
    const isSilent =
      player.modes.ask("fillsPage") || player.modes.ask("wordsFill") || this.session?.live;
    if (!isSilent) this.spoken.update();
    // Terms are offered where a sentence stays for long enough to be read.
    const hasTerms = player.clock.readable && !player.bare;
    this.terms.update(hasTerms ? this.board.panels : null, player.palette.fonts);
    this.terms.keepClear(controls.floatsOver);
  }
}
