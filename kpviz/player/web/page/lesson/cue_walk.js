// The cues of a scene for whoever reads it alone: the sentence of each stands in the place of a
// question, and Next plays on to the one that follows.

import { make, pressable, renew } from "../dom.js";
import { coloured } from "../asking.js";
import { placeWords } from "../../run/cues.js";

/** @import { Stage } from "../stage.js" */

export class CueWalk {
  /**
   * @param {Stage} stage
   * @param {(Node | string)[]} prose
   * @param {() => void} goOn to what comes after the last cue
   */
  constructor(stage, prose, goOn) {
    this.stage = stage;
    this.prose = make("div", { className: "prose" }, ...prose);
    this.sentence = make("p", { className: "question", role: "status" });
    this.nextButton = pressable("Next", () => this.next() || goOn(), { className: "main" });
    this.comingWords = make("small");
    this.element = make(
      "div",
      { className: "task asking walk" },
      this.prose,
      this.sentence,
      make("div", { className: "goes-on" }, this.nextButton, this.comingWords),
    );
  }

  /** Where one is among the cues, as 1/4; "" where the run has none. */
  get place() {
    const { cues, t } = this.stage.player;
    const count = cues.placed.length;
    return count ? `${cues.placed.filter((cue) => cue.t <= t).length}/${count}` : "";
  }

  /** Play on to the next cue. Returns whether there is one. */
  next() {
    const { cues, cursor, t } = this.stage.player;
    if (!cues.after(t)) return false;
    cursor.toCue(1);
    return true;
  }

  /** Back to the cue before. Returns whether there is one. */
  back() {
    const { cues, clock, cursor, t } = this.stage.player;
    if (!cues.before(t)) return false;
    clock.stop();
    cursor.toCue(-1);
    return true;
  }

  /** To the last cue, for whoever comes back from what follows. */
  goToEnd() {
    const { cues, cursor } = this.stage.player;
    cursor.go(cues.placed.at(-1)?.t ?? 0);
  }

  /** The sentence of the cue that one is at, or has left, and where one goes on to. */
  update() {
    const { cues, t } = this.stage.player;
    const cue = cues.at(t) ?? cues.before(t);
    const coming = cues.after(t);
    renew(this.sentence, cue, () => coloured(cue?.words ?? ""));
    this.sentence.classList.toggle("past", cue !== null && cue.t !== t);
    this.comingWords.textContent = coming ? `goes on to ${placeWords(coming.place)}` : "";
  }
}
