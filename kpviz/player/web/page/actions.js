// What buttons and keys do is done here: press, ask the server, show and hide, copy.
// `modes/actions.js` lists all of it.

import { copyText, fillScreen } from "./dom.js";
import { ON_REQUEST, PRESETS } from "../board/shown_panels.js";
import { ACTIONS } from "../modes/actions.js";

/** @import { Stage } from "./stage.js" */
/** @import { CurveAct } from "../board/types.d.ts" */

const DIALOGS = ["picture", "table", "lecture"]; // Streamlit's

export class Actions {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.player = stage.player;
  }

  /**
   * What a button or a key does; what the table of actions does not say how to do the server does.
   */
  press(name) {
    const { capabilities, run } = this.player;
    const action = ACTIONS[capabilities.page].get(name);
    if (!run && !action?.early) return;
    if (action?.run) action.run(this.stage);
    else this.send(name);
  }

  // ---- the server ------------------------------------------------------------------------------

  /** Ask the server for something, where there is one. */
  send(name) {
    const { session, outside } = this.stage;
    if (!session) return;
    if (!DIALOGS.includes(name)) {
      session.command(name);
      return;
    }
    const full = document.fullscreenElement;
    // The dialogs are outside the stage.
    if (full && full !== document.documentElement) document.exitFullscreen();
    const { modes, query, t } = this.player;
    outside.dialog(name, t, query, modes.ask("handout")?.source);
  }

  /** A click on the curve over a setting. @param {CurveAct} act */
  actOnCurve({ set, ...choice }) {
    if (set) this.stage.session?.command("set", set);
    else {
      Object.assign(this.player.curve, choice);
      this.stage.arrange();
    }
  }

  /** Forget the tables and drawings that this browser keeps. */
  async forget() {
    await this.stage.session.keep.forget();
    this.stage.say(
      "Tables, drawings and progress were deleted from this browser. The current view stays until you close it.",
    );
  }

  /** Set what was tried and helps. */
  follow() {
    const { player, session } = this.stage;
    if (player.verdicts.advice) session.command("set", player.verdicts.advice);
  }

  // ---- what is shown ---------------------------------------------------------------------------

  /** Show a panel, or hide it. */
  show(name, on) {
    this.player.switchPanel(name, on);
    if (on && ON_REQUEST.includes(name)) this.stage.session?.again();
  }

  /** The page of the panels that is so many further, round and round. */
  turnPage(by) {
    const { pages = [], page = 0 } = this.player.layout;
    if (pages.length > 1) {
      this.player.panelPage = (page + by + pages.length) % pages.length;
      this.stage.arrange();
    } else this.stage.say("All panels that are on are on one page.");
  }

  preset(name) {
    this.player.state.change({ shown: new Set(PRESETS[name](this.player.run)) });
  }

  /** The panels to choose from were opened, in the place of the settings, or closed. */
  chooserTurned() {
    const { controls, dock } = this.stage;
    if (controls.chooser.open && !this.player.bare) dock?.close();
    if (this.player.run) this.stage.arrange();
  }

  /**
   * What is open, the topmost first, and how it is closed.
   *
   * @returns {[unknown, () => void][]}
   */
  get #open() {
    const { controls, cueBox, dock, player, termBox } = this.stage;
    const { pinned, modes } = player;
    const wayOut = modes.ask("wayOut");
    return [
      [modes.held, () => modes.cancel()],
      [termBox.open, () => termBox.close()],
      [controls.open, () => controls.menu(null)],
      [cueBox.open, () => cueBox.close()],
      [dock?.open, () => dock.close()],
      [pinned, () => player.state.change({ pinned: null })],
      [wayOut, wayOut],
    ];
  }

  /** Whether Esc would close something, or let go of it, that lies over the board or beside it. */
  get closes() {
    return this.#open.some(([open]) => open);
  }

  /**
   * Close one thing, the topmost; a mode that Esc ends is under all others. Returns whether there
   * was one.
   */
  escape() {
    const [, close] = this.#open.find(([open]) => open) ?? [];
    if (close) close();
    else if (!this.player.modes.ask("escape")) return false;
    this.stage.redraw();
    return true;
  }

  async fullScreen() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await fillScreen(this.stage.root);
    } catch {
      this.stage.say("This browser does not allow full screen here.");
    }
  }

  // ---- the clipboard ---------------------------------------------------------------------------

  async copyLink() {
    const { query, capabilities, run } = this.player;
    this.stage.link.now(query);
    const { address: board } = capabilities;
    const address = board === null ? location.href : `${board}?${query}`;
    const { elsewhere } = run.header.settings;
    const more = elsewhere
      ? ` ${elsewhere}: for another computer, save the settings as a file (A).`
      : "";
    this.stage.say(
      ((await copyText(address)) ? "Link copied." : `Copy this link: ${address}`) + more,
    );
  }

  async copyProbe() {
    const { pinnedTouch } = this.player;
    if (pinnedTouch && (await copyText(pinnedTouch.probe?.full ?? pinnedTouch.full ?? ""))) {
      this.stage.say("Numbers copied.");
    }
  }
}
