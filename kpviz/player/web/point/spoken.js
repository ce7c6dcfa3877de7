// What screen readers are told: the board in words, to be read at any time, and each change, once.

import { changeOf, stateOf } from "../board/setting_changes.js";
import { narrationOf } from "../board/narration.js";
import { BY_NAME } from "../board/panel_table.js";
import { untouched } from "../board/player.js";
import { LETTERS } from "../board/run_set.js";
import { lightOf, sceneOf, sceneWith } from "../board/scene.js";
import { placeOf } from "../run/words.js";
import { PANEL_OBJECTS } from "../panels/index.js";
import { make } from "../page/dom.js";

/** @import { Player } from "../board/player.js" */

const MANY = 10; // After so many sentences fewer are offered.
const LESS = "To hear only what changes: press comma, for the preferences.";
// In ms: the time between two things that are said while it plays, or a key is held.
const APART = 2000;

export class Spoken {
  written = ""; // The instant that the account describes.
  state = ""; // The settings that were last spoken of.
  news = ""; // How the settings of this instant differ from those before.
  sentence = "";
  told = 0; // How many sentences of steps were said.
  tells = "everything"; // Else only "changes", or nothing by itself: "off".
  last = -Infinity; // In ms: the time when something was said while it played.

  /**
   * @param {HTMLElement} canvas which it stands for
   * @param {Player} player
   * @param {HTMLElement} live
   */
  constructor(canvas, player, live) {
    this.player = player;
    this.live = live;
    this.element = make("section", {
      className: "unseen account",
      "aria-label": "The board in words",
    });
    canvas.after(this.element);
  }

  /** A frame was drawn. */
  update(now = performance.now()) {
    const { clock, cursor, modes } = this.player;
    if (cursor.underWay) return;
    if (!cursor.lively) this.#write();
    if (modes.ask("silences")) return;
    if (clock.readable && !cursor.fastSteps.on) this.#tell();
    else if (this.tells === "everything" && now - this.last > APART) {
      this.last = now;
      this.say(placeOf(this.player));
    }
  }

  /** Say something once. */
  say(words) {
    if (this.live.textContent !== words) this.live.textContent = words;
  }

  /** The sentence of the step, after what changed in the settings. */
  #tell() {
    const { player } = this;
    const state = stateOf(player);
    const { sentence } = narrationOf(player);
    const changed = this.state !== state;
    if (changed) this.news = this.state && changeOf(JSON.parse(this.state), JSON.parse(state));
    if (!changed && sentence === this.sentence) return;
    if (!changed) this.news = "";
    Object.assign(this, { state, sentence });
    const words = this.#saysSentence ? [this.news, sentence] : [this.news];
    if (!changed && this.tells === "everything" && ++this.told === MANY) words.push(LESS);
    if (this.tells !== "off" && words.some(Boolean)) this.say(words.filter(Boolean).join(" "));
  }

  /** Whether the sentence of this step is wanted: of changes only, when it changes f. */
  get #saysSentence() {
    const { run, t } = this.player;
    return this.tells === "everything" || (t > 0 && t <= run.nSteps && run.trace.stopsAt(t - 1));
  }

  #write() {
    const { player } = this;
    const { run, curve } = player;
    const { extras } = run.header;
    const curves = player.shows("curve") && [curve.answered, curve.failed, curve.key];
    // These come later than the run, and change what its panels say.
    const latecomers = [!extras.bound, !extras.primal, curves, player.modes.ask("link")];
    const task = [player.named(), [...player.covered()]];
    const written = [
      run.id,
      player.t,
      player.hidesF,
      player.hidesNumbers,
      [...player.there],
      latecomers,
      player.runs.names,
      task,
    ].join();
    if (written === this.written) return;
    this.written = written;
    const parts = accountOf(player).flatMap(({ title, lines }) => [
      make("h2", {}, title),
      ...lines.map((line) => make("p", {}, line)),
    ]);
    this.element.replaceChildren(...parts);
  }
}

// What the board says in words.

// These are told, whether they are shown or not.
const ALWAYS = ["map", "alpha", "margins", "timeline"];
const ROOMY = { x: 0, y: 0, w: 900, h: 4000 }; // A place with room for all that a panel says.

/**
 * What a panel reads of an instant when it says it in words: nothing is pointed at, and the step is
 * the one that was made, also while the coming one is asked about.
 *
 * @param {Player} player
 */
function sceneInWords(player) {
  const { run, pinnedTouch, cues, cuesFit, t } = player;
  const scene = sceneOf(player, 0, { name: "map", run, view: null });
  const { hot } = lightOf(
    {
      touch: untouched(),
      pinnedTouch,
      cues,
      cuesFit,
      t: scene.t,
      pointer: null,
      concealsSome: false,
    },
    run,
  );
  const current = t > 0 ? run.trace.index[scene.t - 1] : null;
  const { primal = null } = run.header.extras;
  return sceneWith(scene, { rect: ROOMY, unit: 1, hot, current, primal });
}

/** Whether a panel is told at this instant. @param {Player} player @param {string} name */
function isTold(player, name) {
  if (player.hidesNumbers && BY_NAME[name].reveals) return false; // It would give the answer away.
  if (name === "gram" && player.covered().has("k")) return false;
  const compared = player.runs.pinned.length > 0;
  return ALWAYS.includes(name) || (player.shows(name) && !(compared && PANEL_OBJECTS[name].alone));
}

/**
 * The board in words, under the headings that its panels have.
 *
 * @param {Player} player
 * @returns {{ title: string, lines: string[] }[]}
 */
export function accountOf(player) {
  const { run, runs } = player;
  const account = player.modes.ask("account");
  if (account) return account;
  const others = Object.keys(PANEL_OBJECTS).filter((name) => !ALWAYS.includes(name));
  const names = [...ALWAYS, ...others].filter(
    (name) => PANEL_OBJECTS[name].summary && isTold(player, name),
  );
  const scene = sceneInWords(player);
  const parts = names.map((name) => ({
    title: PANEL_OBJECTS[name].title?.(run) ?? BY_NAME[name].title.split(/:|(?<=[?])/)[0],
    lines: PANEL_OBJECTS[name].summary(scene),
  }));
  const compared = runs.all.map(
    (one, k) =>
      `${LETTERS[k]}, ${runs.names[k]}: ${placeOf({ run: one, t: player.t, covered: player.covered })}`,
  );
  const sideBySide = { title: "Runs side by side", lines: runs.pinned.length ? compared : [] };
  return [...parts, sideBySide].filter(({ lines }) => lines.length);
}
