// A lesson that the page holds packed: it opens without Python, and its tasks are checked without,
// unless that takes the engine.

import { checked } from "../page/lesson/checking.js";
import { unzipped } from "../service/compressed.js";
import { Lessons } from "../service/lessons.js";

/** @import { Python } from "./python.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { CheckedTask, LessonSource, PackedTask, PlainLesson } from "../modes/types.d.ts" */

/**
 * What the page holds: the lesson's name, itself compressed, and the addresses of its pages, by
 * whose board each has.
 * @typedef {{ name: string, content: string, addresses: Record<string, string> }} PackedLesson
 */
/**
 * What the answers to a task are compared with, or what is said of the boards where it starts, by
 * their links; null: only Python checks it.
 * @typedef {Partial<PackedTask> & { measured?: Record<string, CheckedTask> } | null} Compared
 */

export class FolderLessons extends Lessons {
  /**
   * @param {Stage} stage
   * @param {PackedLesson} lesson
   * @param {Python} python
   */
  constructor(stage, { name, content, addresses }, python) {
    super(stage);
    this.lessonName = name;
    this.addresses = addresses;
    this.python = python;
    /** @type {Promise<{ plan: PlainLesson, tasks: Compared[][] }>} */
    this.content = unzipped(content).then((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
  }

  /** @param {LessonSource} source */
  #isOther(source) {
    return !("name" in source) || source.name !== this.lessonName;
  }

  /** @type {Lessons["read"]} */
  async read(source, take) {
    if (!this.#isOther(source)) take({ n: 0, lesson: (await this.content).plan });
    else if ("name" in source) location.assign(`${source.name}.html`);
    else super.read(source, take);
  }

  /** @type {(source: LessonSource, place: { scene: number, task: number }) => Promise<Compared>} */
  async #compared(source, { scene, task }) {
    return this.#isOther(source) ? null : (await this.content).tasks[scene][task];
  }

  /** @type {Lessons["check"]} */
  async check(source, task, take) {
    const { answer, live = false, tried } = task;
    const compared = await this.#compared(source, task);
    const link = "link" in answer ? answer.link : "";
    const known = live ? compared?.measured?.[link] : undefined;
    // Nobody has changed the board, so Python does not come for it.
    const isUnasked = live && link === this.link && !this.python.port;
    if (compared?.answers) {
      take({ n: 0, checked: checked(/** @type {PackedTask} */ (compared), answer, tried) });
    } else if (known || isUnasked) take({ n: 0, checked: known });
    else super.check(source, task, take);
  }

  /** @type {Lessons["solve"]} */
  async solve(source, task, take) {
    const answers = (await this.#compared(source, task))?.answers;
    if (answers) take({ n: 0, solution: answers[task.tried % answers.length] });
    else super.solve(source, task, take);
  }

  /** Go to the lesson's page with the other board. @type {Lessons["open"]} */
  open(page, query) {
    const address = this.addresses[page || "play"];
    if (address) location.assign(`${address}?${query}`);
    else super.open(page, query);
  }
}
