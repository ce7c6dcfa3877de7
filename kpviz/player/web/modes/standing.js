// The modes of a page that stay until somebody ends them. Outside of this room nobody knows which
// there are.

import { Edit } from "./edit.js";
import { FirstMinute } from "./first_minute.js";
import { Lesson } from "./lesson.js";
import { Present } from "./present.js";
import { Puzzle } from "./puzzle.js";
import { StepQuestion } from "./question.js";
import { Reorder } from "./order.js";
import { RunQuestion } from "./run_question.js";

/** @import { Stage } from "../page/stage.js" */
/** @import { Lessons } from "../service/lessons.js" */

/**
 * The modes by their names, in the order in which they hear what all are told.
 *
 * @param {Stage} stage
 * @param {Lessons | null} lessons null: this page has none
 */
export function standingModes(stage, lessons) {
  const question = new StepQuestion(stage.player, stage);
  const present = new Present(stage);
  const puzzle = lessons && new Puzzle(stage);
  const standing = {
    present,
    classVotes: present.classVotes,
    lesson: lessons && new Lesson(stage, lessons, puzzle),
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
