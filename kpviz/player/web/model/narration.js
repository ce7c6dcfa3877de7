// What is said of an instant: a question about the coming step, the words of a cue, or what the step did.

import { ahead, explain } from "./words.js";

/** @import { Player } from "./player.js" */
/** @import { Run } from "./run.js" */

/**
 * A sentence, the line of the pseudo-code that is lit, and the colour beside it; `cued`: the words are a cue's.
 * @typedef {{ sentence: string, line: number, tone: string, cued?: boolean }} Narration
 */

/**
 * @param {Player} player
 * @param {Run} run
 * @returns {Narration}
 */
export function narrationOf(player, run = player.run) {
  const { palette, predict } = player;
  const t = Math.min(player.t, run.nSteps);
  const { sentence, line } = explain(run, t);
  const own = run === player.run;
  const asking = askingOf(player);
  if (asking) return { sentence: own ? ahead(run, t, asking) : "", line, tone: palette.accent };
  if (predict.phase === "summary") return { sentence: own ? predict.summary : "", line, tone: palette.accent };
  const cue = own && !predict.on ? player.cues.at(player.t) : null;
  if (cue?.words) return { sentence: cue.words, line, tone: palette.accent, cued: true };
  const tone = t === 0 ? palette.accent : run.trace.mistake[t - 1] ? palette.warning : palette.good;
  const words = [own ? predict.verdict : "", sentence, player.verdicts.at(run, t)?.words];
  return { sentence: words.filter(Boolean).join(" "), line, tone };
}

/**
 * Which words about the coming step are shown: "predict_side", "predict_margin", "look" or none.
 *
 * @param {Player} player
 */
export function askingOf({ t, run, cursor, predict }) {
  if (t >= run.nSteps) return null;
  if (cursor.looking) return "look";
  return predict.asking ? `predict_${predict.kind}` : null;
}
