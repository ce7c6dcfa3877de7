// The page of a lesson: words, tasks and runs are in the page, and nobody is asked for anything. kpviz/export/page/lesson.py
// writes it.

import { Capabilities } from "../model/capabilities.js";
import { Lesson } from "../lesson/lesson.js";
import { keep, kept } from "../service/keep.js";
import { NoLink } from "../service/link.js";
import { PackedLessons } from "../lesson/packed_lessons.js";
import { unzipped } from "../service/unzipped.js";
import { Stage } from "./stage.js";

/** @import { Packed } from "../lesson/packed_lessons.js" */

const TOO_OLD = "This browser is too old for this page: update it, or open the page in another one.";
const SCENE = "kpviz-scene-";

/** The scene is kept for a reload, where the browser allows it. */
class KeptScene extends NoLink {
  /** @param {string} name of the lesson */
  constructor(name) {
    super();
    this.name = name;
  }

  put({ scene = null }) {
    keep(SCENE + this.name, scene);
  }

  get scene() {
    return Number(kept(SCENE + this.name)) - 1 || 0;
  }
}

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
export default async function start(root, { name, content, opening, shows, runs, panels, address }) {
  const capabilities = new Capabilities({ server: false, panels, address });
  if (!("DecompressionStream" in window)) {
    new Stage(root, { capabilities }).say(TOO_OLD, { persist: true });
    return;
  }
  const packed = { ...JSON.parse(new TextDecoder().decode(await unzipped(content))), shows, runs };
  const link = new KeptScene(name);
  const lessons = (stage) => new Lesson(stage, new PackedLessons(stage, packed));
  const stage = new Stage(root, { capabilities, link, lessons });
  const { lesson } = stage;
  try {
    await /** @type {PackedLessons} */ (lesson.lessons).bring(opening);
    lesson.read({ name }, link.scene);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => stage.recolour());
  } catch (error) {
    stage.fail(error);
  }
}
