// The modes of a page that has lessons; a page that shows one run does without their code.

import { Lesson } from "./lesson.js";
import { Puzzle } from "./puzzle.js";

/** @import { Stage } from "../page/stage.js" */
/** @import { Lessons } from "../service/lessons.js" */

/** @typedef {{ lesson: Lesson, puzzle: Puzzle }} ReadingModes */

/** @param {Stage} stage @param {Lessons} lessons @returns {ReadingModes} */
export function readingModes(stage, lessons) {
  const puzzle = new Puzzle(stage);
  return { lesson: new Lesson(stage, lessons, puzzle), puzzle };
}
