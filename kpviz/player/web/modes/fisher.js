// The page of Fisher's discriminant, which stands in place of a run: its instant is the angle of F.

import { ON_FISHER } from "./fisher_actions.js";
import { lightOf, tipOf } from "../board/scene.js";
import { capitalized } from "../run/words.js";

/** @import { Player } from "../board/player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { RunMap } from "../board/run_set.js" */
/** @import { Mode } from "./types.d.ts" */
/** @import { Envelope } from "../run/types.d.ts" */

/** @implements {Mode} */
export class Fisher {
  name = "Fisher";
  guides = true;
  about = "Fisher’s discriminant";
  boardLabel =
    "The board: the plane with the direction F, the projections, and J, in words below. Right and left walk from point to point, Escape leaves.";
  buttons = ["best", "other", "cut"];
  marks = {
    Arrow: "the direction F, through the mean of all points; drag it, or drag anywhere on the map",
    "Thin lines": "each point’s way to its projection x·F on the line of F",
    "Dashed line": "the threshold, across F; with three classes there are two",
    "Large marks": "the means of the classes; dashed: their projections",
    Rings: "points that land on the wrong side of the threshold; hollow bars in the histograms",
    Histograms:
      "the projections of each class; drag the threshold there, double-click puts it back",
    "Strip below": "J for every direction; drag in it to turn F",
    J: "between over within, along F, as a number and as two bars; the line under it ends at the best J",
    Scatter: "within the classes, between their means, and of all; point at an entry to read it",
    "Squares of a matrix": "as large as the entry, filled above 0, hollow below",
    Questions: "point at one, or tap it, to read the answer",
  };

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    if (player.capabilities.page === "fisher") player.modes.enter(this);
  }

  get fisher() {
    return this.player.run.fisher;
  }

  help() {
    return { title: "Keys", rows: ON_FISHER.map(({ help }) => help).filter(Boolean) };
  }

  /**
   * The first data open as their link says. Other data keep the angle that is shown.
   *
   * @param {Envelope} envelope
   * @param {Run | null} before
   */
  arrived({ angle, threshold }, before) {
    const { cursor, modes } = this.player;
    if (before || !this.fisher) return;
    modes.enter(this); // A picture has no page: there the data alone say that they are Fisher's.
    cursor.put(this.fisher.opening(angle));
    this.fisher.cut(threshold, cursor.t);
  }

  link() {
    return this.fisher.query(this.player.t);
  }

  exampleLines(i) {
    return this.fisher.about(this.player.t, i);
  }

  account() {
    return this.fisher.account(this.player.t);
  }

  sentenceAt(t) {
    return this.fisher.sentence(t);
  }

  narration() {
    const { fisher, player } = this;
    const { cues, palette, t } = player;
    const tone = palette.quiet;
    // A cue's words hold only for the threshold that Python computed.
    const words = fisher.movedThreshold === null && player.cuesFit() && cues.at(t)?.words;
    if (words) return { sentence: words, formula: "", line: 0, tone, cued: true };
    const { scaling } = fisher.header.notes; // How columns of different units were scaled.
    const formula = scaling && `${capitalized(scaling)}.`;
    const sentence = fisher.sentence(t, player.layout?.narrow);
    return { sentence: this.#tapped(sentence), formula, line: 0, tone };
  }

  /** A finger taps the button of a key; a class has none to press. */
  #tapped(sentence) {
    const { bare, byTouch } = this.player;
    if (bare) return sentence.replace(/Turn F:[^.]*\./, "").trim();
    return byTouch ? sentence.replace("press →", "tap Turn 1°") : sentence;
  }

  /**
   * What its panels are given: the parts of a `Scene` (board/scene.js) that they read. What depends
   * on steps is empty, and `time` is `t`, since no run ends before it.
   *
   * @param {RunMap} map
   */
  sceneOf({ view }) {
    const { fisher, player } = this;
    const { cues, layout, palette, patterns, pinned, pinnedTouch, pointer, pointScale, t } = player;
    return {
      run: fisher,
      t,
      palette,
      view,
      reading: fisher.reading(t),
      pointScale,
      colour: coloursOf(palette),
      counter: fisher.counter(t),
      ...this.narration(),
      ...lightOf(player, player.run),
      score: "",
      cues: cues.placed,
      time: t,
      tip: tipOf(pinnedTouch ?? player.touch, pinned ?? pointer),
      patterns,
      least: layout.least,
      leastVerdictStep: layout.leastVerdictStep,
      held: player.modes.held?.panel, // The panel in which a hand holds something.
      stands: (/** @type {string} */ name) => Boolean(layout.panels[name]),
      taken: 0,
      bare: player.bare,
      predicting: false,
      moving: false,
    };
  }
}

/**
 * The colours of the classes: of points on the map and on the page, and of the field behind points.
 */
const coloursOf = (palette) => ({
  map: [palette.point.negative, palette.point.positive, palette.on_map],
  page: [palette.negative, palette.positive, palette.ink],
  field: [palette.field_negative, palette.field_positive, palette.ghost],
});
