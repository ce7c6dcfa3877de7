// The modes of a page that stay until somebody ends them. Outside of this room nobody knows which
// there are.

import { FirstMinute } from "./first_minute.js";
import { Question } from "./question.js";

/** @import { Stage } from "../page/stage.js" */

/** @param {Stage} stage */
export function standingModes(stage) {
  const question = new Question(stage.player);
  const modes = { question, firstMinute: new FirstMinute(stage, question) };
  stage.player.modes.known.push(...Object.values(modes));
  return modes;
}
