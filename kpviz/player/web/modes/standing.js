// The modes of a page that stay until somebody ends them. Outside of this room nobody knows which
// there are.

import { Edit } from "./edit.js";
import { FirstMinute } from "./first_minute.js";
import { Reorder } from "./order.js";
import { StepQuestion } from "./question.js";
import { RunQuestion } from "./run_question.js";

/** @import { Stage } from "../page/stage.js" */

/** @param {Stage} stage */
export function standingModes(stage) {
  const question = new StepQuestion(stage.player, stage);
  const firstMinute = new FirstMinute(stage, question);
  const modes = {
    edit: new Edit(stage),
    question,
    runQuestion: new RunQuestion(stage),
    firstMinute,
    reorder: new Reorder(stage),
  };
  // A lesson brings its puzzle, which hears of a run after the lesson and the modes above.
  const puzzle = stage.lesson?.puzzleMode;
  stage.player.modes.known.push(...Object.values(modes), ...(puzzle ? [puzzle] : []));
  return modes;
}
