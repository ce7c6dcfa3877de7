// The modes of a page that stay until somebody ends them: `stage.standing` has them.

import { Edit } from "./edit.js";
import { FirstMinute } from "./first_minute.js";
import { Present } from "./present.js";
import { StepQuestion } from "./question.js";
import { Reorder } from "./order.js";
import { RunQuestion } from "./run_question.js";

/** @import { Stage } from "../page/stage.js" */
/** @import { ReadingModes } from "./reading.js" */

/**
 * The modes by their names, in the order in which they hear what all are told.
 *
 * @param {Stage} stage
 * @param {((stage: Stage) => ReadingModes) | null} reading null: the page has no lessons
 */
export function standingModes(stage, reading) {
  const question = new StepQuestion(stage.player, stage);
  const present = new Present(stage);
  const { lesson, puzzle } = reading ? reading(stage) : { lesson: null, puzzle: null };
  const standing = {
    present,
    classVotes: present.classVotes,
    lesson,
    edit: new Edit(stage),
    question,
    runQuestion: new RunQuestion(stage),
    firstMinute: new FirstMinute(stage, question),
    reorder: new Reorder(stage),
    puzzle,
  };
  stage.player.modes.known.push(...Object.values(standing).filter(Boolean));
  return standing;
}
