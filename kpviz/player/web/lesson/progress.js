// What a student did of a lesson: kept in the browser until it is forgotten, and handed in as a file.

import { keepForAllTabs, keptForAllTabs } from "../service/keep.js";

/** @import { LessonTask, PlainLesson, TaskDone, Word } from "../types.d.ts" */

/**
 * The form of a task as it was left: at which start, what is in its fields, what was said last, and why; `begun`: its
 * start was on the board.
 * @typedef {{ start: number, values: (string | boolean)[], say: string, reason: Word[], begun?: boolean }} FormLeft
 */

const PREFIX = "kpviz-lesson-";
const FORMS = "kpviz-forms-"; // of the forms of a lesson
const DONE = "kpviz-done-"; // how many tasks are done, for the list of lessons

export class Progress {
  #text = "";
  /** @type {Record<string, TaskDone>} */
  #all = {}; // by place and mark: those of another file with this name, or of an earlier text of this one, too
  /** @type {string[][]} */
  #marks;

  /**
   * @param {string} name of the lesson
   * @param {PlainLesson} lesson
   */
  constructor(name, lesson) {
    this.name = name;
    this.#marks = lesson.scenes.map(({ tasks }) => tasks.map(markOf));
  }

  #key(scene, task) {
    return `${scene}.${task} ${this.#marks[scene][task]}`;
  }

  #kept() {
    const text = keptForAllTabs(PREFIX + this.name) ?? "{}";
    if (text !== this.#text) [this.#text, this.#all] = [text, read(text)];
    return this.#all;
  }

  /**
   * What was done, by the places of tasks: "scene.task"; what another window kept since is among it.
   *
   * @returns {Record<string, TaskDone>}
   */
  get tasks() {
    const all = this.#kept();
    const places = this.#marks.flatMap((tasks, scene) => tasks.map((_, task) => [scene, task]));
    const done = places.filter(([scene, task]) => this.#key(scene, task) in all);
    return Object.fromEntries(done.map(([scene, task]) => [`${scene}.${task}`, all[this.#key(scene, task)]]));
  }

  /** Whether another task was answered in this place, and this one was not. */
  isOther(scene, task) {
    const all = this.#kept();
    const here = Object.keys(all).filter((key) => key.startsWith(`${scene}.${task} `) && all[key].tries > 0);
    return here.length > 0 && !(this.#key(scene, task) in all);
  }

  /** @returns {TaskDone} */
  of(scene, task) {
    const found = this.tasks[`${scene}.${task}`];
    return { tries: 0, hints: 0, right: null, answers: [], ...found };
  }

  /**
   * @param {number} scene
   * @param {number} task
   * @param {Partial<TaskDone>} changes
   */
  note(scene, task, changes) {
    const tasks = { ...this.#kept(), [this.#key(scene, task)]: { ...this.of(scene, task), ...changes } };
    keepForAllTabs(PREFIX + this.name, JSON.stringify(tasks));
    const done = Object.values(this.tasks).filter(({ right, answers }) => right || (right === null && answers.length));
    keepForAllTabs(DONE + this.name, String(done.length));
  }

  /** Whether another window has kept something of this lesson: the event of its storage. */
  isOf({ key }) {
    return key === PREFIX + this.name;
  }

  /** How the form of a task was left, null where nothing is in it. @returns {FormLeft | null} */
  left(scene, task) {
    return read(keptForAllTabs(FORMS + this.name) ?? "{}")[this.#key(scene, task)] ?? null;
  }

  /**
   * @param {number} scene
   * @param {number} task
   * @param {FormLeft | null} left
   */
  leave(scene, task, left) {
    const forms = { ...read(keptForAllTabs(FORMS + this.name) ?? "{}"), [this.#key(scene, task)]: left };
    keepForAllTabs(FORMS + this.name, JSON.stringify(forms));
  }

  /** Begin anew. */
  forget() {
    keepForAllTabs(PREFIX + this.name, null);
    keepForAllTabs(DONE + this.name, null);
    keepForAllTabs(FORMS + this.name, null);
  }
}

/**
 * What tells a task from others: what it asks, and of which runs; hints and the number of tries may change.
 *
 * @param {LessonTask} task
 */
function markOf({ kind, ask, start, choices, count, one, within }) {
  const about = start.map(({ page, query }) => [page, query]);
  const plain = (key, value) => (key === "mathml" ? undefined : value); // how a formula is set may change, too
  const text = JSON.stringify([kind, ask, about, choices, count, one, within], plain);
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** What a text holds; nothing where it is damaged. */
function read(text) {
  try {
    const found = JSON.parse(text);
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}
