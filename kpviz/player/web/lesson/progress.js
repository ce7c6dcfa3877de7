// What a student did of a lesson: kept in the browser until it is forgotten, and handed in as a file.

import { lasting, last } from "../service/keep.js";

/** @import { TaskDone, Word } from "../types.d.ts" */

/**
 * The form of a task as it was left: at which start, what is in its fields, what was said last, and why.
 * @typedef {{ start: number, values: (string | boolean)[], say: string, reason: Word[] }} FormLeft
 */

const PREFIX = "kpviz-lesson-";
const FORMS = "kpviz-forms-"; // of the forms of a lesson

export class Progress {
  #text = "";
  /** @type {Record<string, TaskDone>} */
  #tasks = {};

  /** @param {string} name of the lesson */
  constructor(name) {
    this.name = name;
  }

  /**
   * What was done, by the places of tasks: "scene.task"; what another window kept since is among it.
   *
   * @returns {Record<string, TaskDone>}
   */
  get tasks() {
    const text = last(PREFIX + this.name) ?? "{}";
    if (text !== this.#text) [this.#text, this.#tasks] = [text, read(text)];
    return this.#tasks;
  }

  /** The signature of the last answer, as the next one is signed to follow it. */
  get end() {
    const answers = Object.values(this.tasks).flatMap(({ answers: given }) => given ?? []);
    const followed = new Set(answers.map(({ after }) => after));
    return (
      answers
        .map(({ signature }) => signature ?? "")
        .filter((each) => each && !followed.has(each))
        .pop() ?? ""
    );
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
    const tasks = { ...this.tasks, [`${scene}.${task}`]: { ...this.of(scene, task), ...changes } };
    lasting(PREFIX + this.name, JSON.stringify(tasks));
  }

  /** Whether another window has kept something of this lesson: the event of its storage. */
  isOf({ key }) {
    return key === PREFIX + this.name;
  }

  /** How the form of a task was left, null where nothing is in it. @returns {FormLeft | null} */
  left(scene, task) {
    return read(last(FORMS + this.name) ?? "{}")[`${scene}.${task}`] ?? null;
  }

  /**
   * @param {number} scene
   * @param {number} task
   * @param {FormLeft | null} left
   */
  leave(scene, task, left) {
    const forms = { ...read(last(FORMS + this.name) ?? "{}"), [`${scene}.${task}`]: left };
    lasting(FORMS + this.name, JSON.stringify(forms));
  }

  /** Begin anew. */
  forget() {
    lasting(PREFIX + this.name, null);
    lasting(FORMS + this.name, null);
  }
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
