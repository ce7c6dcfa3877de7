// Asks for a lesson, and whether the answer to one of its tasks is right.

import { Aside } from "./aside.js";

/** @import { Session } from "./session.js" */
/** @import { CheckedTask, LessonSource, PlainLesson, Refusal, TaskAnswer } from "../types.d.ts" */

export class Lessons {
  /** @type {{ what: () => object, take: (found: any) => void }[]} */
  waiting = []; // the first of them is being asked

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.aside = new Aside(session);
  }

  /**
   * Read a lesson.
   *
   * @param {LessonSource} source
   * @param {(found: { lesson?: PlainLesson } & Refusal) => void} take
   */
  read(source, take) {
    this.#ask(() => ({ lesson: source }), take);
  }

  /**
   * Check the answer to a task.
   *
   * @param {LessonSource} source
   * @param {{ scene: number, task: number, tried: number, answer: TaskAnswer }} task
   * @param {{ end: string }} progress
   * @param {(found: { checked?: CheckedTask } & Refusal) => void} take
   */
  check(source, task, progress, take) {
    this.#ask(() => ({ lesson: source, task: { ...task, after: progress.end } }), take);
  }

  #ask(what, take) {
    this.waiting.push({ what, take });
    if (this.waiting.length === 1) this.#next();
  }

  #next() {
    const [{ what, take }] = this.waiting;
    this.aside.ask(this.session.state.link, what(), (_, header) => {
      try {
        take(header); // before the next is asked, which may follow it
      } finally {
        this.waiting.shift();
        if (this.waiting.length) this.#next();
      }
    });
  }

  stop() {
    this.aside.stop();
  }
}
