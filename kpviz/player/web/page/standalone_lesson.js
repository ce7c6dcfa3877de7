// The page of a lesson: words, tasks and runs are in the page, and nobody is asked for anything.
// kpviz/export/page/lesson.py writes it.

import { Capabilities } from "../board/player.js";
import { Lesson } from "../modes/lesson.js";
import { UNKEPT } from "./lesson/progress.js";
import { PackedLessons } from "./lesson/packed_lessons.js";
import { takeClassPlace } from "../service/class_place.js";
import { unzipped } from "../service/compressed.js";
import { keeps } from "../service/texts.js";
import { default as tellHeight } from "./framed.js";
import { Stage } from "./stage.js";
import { followTheme } from "./theme.js";

/** @import { Packed } from "./lesson/packed_lessons.js" */

const TOO_OLD =
  "This browser is too old for this page: update it, or open the page in another one.";

/**
 * Show a lesson in `root`.
 *
 * @param {HTMLElement} root
 * @param {object} options
 * @param {string} options.name what results call it
 * @param {string} options.content the lesson and its tasks as JSON, compressed
 * @param {string} options.opening the query of what is shown at first
 * @param {Packed["shows"]} options.shows
 * @param {Packed["runs"]} options.runs
 * @param {string[]} options.panels those that can be shown
 * @param {string | null} options.address the app's
 */
export default async function start(
  root,
  { name, content, opening, shows, runs, panels, address },
) {
  const capabilities = new Capabilities({ server: false, panels, address });
  if (!("DecompressionStream" in window)) {
    new Stage(root, { capabilities }).say(TOO_OLD, { persist: true });
    return;
  }
  const packed = { ...JSON.parse(new TextDecoder().decode(await unzipped(content))), shows, runs };
  /** @type {Lesson} */
  let lesson;
  const lessons = (stage) => (lesson = new Lesson(stage, new PackedLessons(stage, packed, name)));
  const stage = new Stage(root, { capabilities, lessons });
  try {
    const packedLessons = /** @type {PackedLessons} */ (lesson.lessons);
    await packedLessons.bring(opening);
    const place = takeClassPlace();
    const step = place?.step ?? null;
    lesson.read({ name }, place?.scene ?? packedLessons.scene, { step });
    followTheme(stage);
    tellHeight();
    if (!keeps()) {
      lesson.saidUnkept = true;
      stage.notice({ kind: "warning", words: UNKEPT });
    }
  } catch (error) {
    stage.fail(error);
  }
}
