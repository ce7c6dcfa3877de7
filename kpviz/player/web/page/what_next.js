// What next? At most three suggestions in a row under the sentence, at the start of a run and at
// its end, where nothing else is needed.

import { foldsOf } from "../board/narration.js";
import { lay, make, pressable, put } from "./dom.js";

/** @import { Layout } from "../board/types.d.ts" */
/** @import { Stage } from "./stage.js" */

const MOST = 3;
// A suggestion needs so many px, where the unit is 1, advice so many more.
const WIDE = 112;
const HIGH = 38;
const LONGER = 60;
const FOLDED = 190; // What is folded behind the headline of an end stands in the same row.
const TYPE = 14.5; // The size of its letters, in px.
const LESSON = "lesson-01-first-steps";
const PUZZLE = "puzzle-01-break-it";

/**
 * What each suggestion is called, and what it does.
 *
 * `back`: to what they were suggested by, where that is asked once more.
 *
 * @type {Record<string, [string, (stage: Stage, back?: () => void) => void]>}
 */
export const WAYS = {
  guess: ["Guess first", ({ actions }) => actions.press("predict")],
  line: ["Can a line do it?", ({ player }, back) => player.modes.tell("askForLine", back)],
  data: ["Change the data", ({ dock }) => dock.show("data")],
  advice: ["Try", ({ actions }) => actions.follow()],
  draw: ["Draw your own", ({ actions }) => actions.press("edit")],
  puzzle: ["Break it", ({ player }) => player.modes.tell("read", { name: PUZZLE })],
  lesson: ["Lesson 1", ({ player }) => player.modes.tell("read", { name: LESSON })],
};

export class WhatNext {
  suggestions = ""; // The words of those that are there.
  /** @type {{ w: number, h: number } | null} */
  needs = null; // The room of the row, if there is one.

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.row = make("div", {
      className: "what-next",
      role: "group",
      ariaLabel: "What next?",
      hidden: true,
    });
    stage.root.append(this.row);
  }

  /** The suggestions of this instant. */
  get #names() {
    const { player, dock, controls, session } = this.stage;
    const { run, runs, t, clock, cursor, cues, modes, verdicts } = player;
    const isGuided = modes.ask("guides");
    const busy = [isGuided, dock?.open, controls.open, clock.playing];
    if (!session || cursor.motion || busy.some(Boolean)) return [];
    const advice = verdicts.advice ? ["advice"] : [];
    if (cues.placed.length || runs.pinned.length) return advice;
    const curved =
      run.plane && !run.stream && !/(^|&)kernel=linear(&|$)/.test(run.header.settings.query);
    const line = curved ? ["line"] : [];
    const draw = run.header.drawing.why ? [] : ["draw"];
    if (!run.n) return [...draw, "data"];
    if (t === 0) return ["guess", ...line, "data"];
    if (t < runs.end) return [];
    const ways = [...advice, ...(advice.length ? [] : line), ...draw, "lesson"];
    return ways.slice(0, this.#room(advice.length > 0));
  }

  /** How many suggestions have room at an end. */
  #room(advised) {
    const { player } = this.stage;
    const { narrow, unit, panels } = player.layout;
    if (narrow) return advised ? MOST - 1 : MOST;
    const taken = (advised ? LONGER : 0) + (foldsOf(player) ? FOLDED : 0);
    const most = Math.floor(((panels.words?.w ?? 0) / unit - taken) / WIDE);
    return Math.min(Math.max(most, 1), MOST);
  }

  /** What changes from frame to frame. Returns whether the row is another one. */
  update() {
    const names = this.#names;
    const { verdicts, run, t } = this.stage.player;
    const advice = names.includes("advice") ? verdicts.at(run, t).title : "";
    const words = (name) => (name === "advice" ? `${WAYS.advice[0]} ${advice}` : WAYS[name][0]);
    const suggestions = names.map(words).join();
    if (suggestions === this.suggestions) return false;
    this.suggestions = suggestions;
    this.needs = names.length ? { w: WIDE * names.length + (advice ? LONGER : 0), h: HIGH } : null;
    const hadFocus = this.row.matches(":focus-within");
    this.row.replaceChildren(
      ...names.map((name) =>
        pressable(words(name), () => WAYS[name][1](this.stage), { className: name }),
      ),
    );
    if (hadFocus) this.stage.root.focus({ preventScroll: true }); // The button is gone.
    return true;
  }

  /** Where the suggestions end, in px of the board; null where there are none. */
  get end() {
    const last = /** @type {HTMLElement | null} */ (
      this.row.hidden ? null : this.row.lastElementChild
    );
    const { offsetLeft, offsetTop } = this.row;
    return (
      last && { x: offsetLeft + last.offsetLeft + last.offsetWidth, y: offsetTop + last.offsetTop }
    );
  }

  /** @param {Layout} layout */
  place({ next, unit }) {
    put(this.row, { hidden: !next });
    if (!next) return;
    lay(this.row, next);
    this.row.style.fontSize = `${Math.max(TYPE * unit, 14)}px`;
  }
}
