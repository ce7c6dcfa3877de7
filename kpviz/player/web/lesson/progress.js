// What a student did of a lesson: kept in the browser until it is forgotten, and handed in as a file.

import { lasting, last } from "../service/keep.js";

/** @import { TaskDone } from "../types.d.ts" */

const PREFIX = "kpviz-lesson-";

export class Progress {
  /** @type {Record<string, TaskDone>} */
  tasks = {}; // by their place: "scene.task"

  /** @param {string} name of the lesson */
  constructor(name) {
    this.name = name;
    try {
      const found = JSON.parse(last(PREFIX + name) ?? "{}");
      if (found && typeof found === "object") this.tasks = found;
    } catch {
      // it begins anew
    }
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
    this.tasks[`${scene}.${task}`] = { ...this.of(scene, task), ...changes };
    lasting(PREFIX + this.name, JSON.stringify(this.tasks));
  }

  /** Begin anew. */
  forget() {
    this.tasks = {};
    lasting(PREFIX + this.name, null);
  }
}
