// A lesson that the page holds packed: it opens without Python, and its tasks are checked without,
// unless that takes the engine. Python has the lessons that come with kpviz; of any other the page
// has the text.

import { checked } from "../page/lesson/checking.js";
import { unzipped } from "../service/compressed.js";
import { Lessons } from "../service/lessons.js";

/** @import { Python } from "./python.js" */
/** @import { Stage } from "../page/stage.js" */
/** @import { CheckedTask, LessonSource, PackedTask, PlainLesson } from "../modes/types.d.ts" */

/**
 * What the page holds: the lesson's name, itself compressed, and the addresses of its pages, by
 * whose board each has; none, where the page is one file.
 * @typedef {{ name: string, content: string, addresses: Record<string, string> }} PackedLesson
 */
/**
 * What the answers to a task are compared with, or what is said of the boards where it starts, by
 * their links; null: only Python checks it.
 * @typedef {Partial<PackedTask> & { measured?: Record<string, CheckedTask> } | null} Compared
 */

/**
 * The lesson, its tasks scene by scene, and its text; null, where Python has the lesson itself.
 * @typedef {{ plan: PlainLesson, tasks: Compared[][], text: string | null }} Content
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
    this.mayBeClosed = Object.keys(addresses).length > 0;
    this.python = python;
    /** @type {Promise<Content>} */
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

  /**
   * What the page has of a task, and what Python calls its lesson.
   *
   * @param {LessonSource} source
   * @param {{ scene: number, task: number }} place
   * @returns {Promise<{ compared: Compared, known: LessonSource }>}
   */
  async #find(source, { scene, task }) {
    const known = await this.#known(source);
    const { tasks } = await this.content;
    return { compared: this.#isOther(source) ? null : tasks[scene][task], known };
  }

  /** What Python calls a lesson. @param {LessonSource} source @returns {Promise<LessonSource>} */
  async #known(source) {
    const { text } = await this.content;
    return text === null || this.#isOther(source) ? source : { text };
  }

  /** @type {Lessons["check"]} */
  async check(source, task, take) {
    const { answer, live = false, tried } = task;
    const { compared, known } = await this.#find(source, task);
    const link = "link" in answer ? answer.link : "";
    const measured = live ? compared?.measured?.[link] : undefined;
    // Nobody has changed the board, so Python does not come for it.
    const isUnasked = live && link === this.link && !this.python.port;
    if (compared?.answers) {
      take({ n: 0, checked: checked(/** @type {PackedTask} */ (compared), answer, tried) });
    } else if (measured || isUnasked) take({ n: 0, checked: measured });
    else super.check(known, task, take);
  }

  /** @type {Lessons["solve"]} */
  async solve(source, task, take) {
    const { compared, known } = await this.#find(source, task);
    const answers = compared?.answers;
    const { told = false } = (await this.content).plan;
    if (answers) take({ n: 0, solution: answers[task.tried % answers.length] });
    else if (!told && !this.#isOther(source)) take({ n: 0, solution: null });
    else super.solve(known, task, take);
  }

  /** @type {Lessons["readRecord"]} */
  async readRecord(source, record, take) {
    super.readRecord(await this.#known(source), record, take);
  }

  /** @type {Lessons["makeRecord"]} */
  async makeRecord(source, made, take) {
    const known = await this.#known(source);
    super.makeRecord(known, made, (answer) => {
      const query = answer.made?.query.replace(/^lesson=(?=&)/, `lesson=${this.lessonName}`);
      take(query ? { ...answer, made: { query } } : answer);
    });
  }

  /** Go to the lesson's page with the other board. @type {Lessons["open"]} */
  open(page, query) {
    const address = this.addresses[page || "play"];
    if (address) location.assign(`${address}?${query}`);
    else super.open(page, query);
  }
}
