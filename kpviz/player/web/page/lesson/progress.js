// What a student did of a lesson: kept in the browser until it is forgotten, and handed in as a
// file.

import { FORMATS } from "../../service/formats.js";
import { keep, recall, PARTS, PLACES } from "../../service/texts.js";

/** @import { Place } from "../../service/texts.js" */
/** @import { LessonTask, PlainLesson, RingedExample, TaskDone } from "../../modes/types.d.ts" */
/** @import { Word } from "../../modes/types.d.ts" */
/** @import { Figure } from "../../run/types.d.ts" */

/**
 * The form of a task as it was left; earlier versions did not keep what may be missing. What each
 * means says `Task` (task.js).
 * @typedef {object} FormLeft
 * @property {number} start the number of the start that the try on the page had
 * @property {(string | boolean)[]} values what is in its fields
 * @property {string} say
 * @property {boolean | null} [right] `saysRight`
 * @property {Word[]} reason
 * @property {boolean} [begun] `startWasShown`
 * @property {number} [openHints]
 * @property {boolean} [showsRight]
 * @property {string} [solution]
 * @property {RingedExample[]} [rings]
 * @property {Figure[]} [drawn]
 * @property {number} [toldUpTo]
 */

export const UNKEPT =
  "This browser stores nothing here: save your results before you leave the page, or open it in a window of its own.";
// Under this key stands the version of what is kept, which had none at first.
const VERSION = "kpviz";

export class LessonProgress {
  #answers;
  #forms;
  /** @type {string[][]} */
  #marks;

  /**
   * @param {string} name of the lesson
   * @param {PlainLesson} lesson
   */
  constructor(name, lesson) {
    this.name = name;
    this.#answers = new Parts(PLACES.answers, name, PARTS.done);
    this.#forms = new Parts(PLACES.forms, name, PARTS.form);
    this.#marks = lesson.scenes.map(({ tasks }) => tasks.map(({ mark }) => mark));
    this.#takeUp(lesson);
  }

  /**
   * Whether a newer kpviz has kept answers here: they stay as they are, and what is answered now is
   * in memory.
   */
  get isNewer() {
    return this.#answers.isNewer || this.#forms.isNewer;
  }

  #key(scene, task) {
    return `${scene}.${task} ${this.#marks[scene][task]}`;
  }

  /**
   * Answers of a kpviz that found them by the queries of links as it wrote them: they get their
   * names of now, once.
   *
   * @param {PlainLesson} lesson
   */
  #takeUp(lesson) {
    /** @type {[string, string][]} */
    const names = lesson.scenes.flatMap(({ tasks }, scene) =>
      tasks.map((task, place) => [
        `${scene}.${place} ${formerMark(task)}`,
        this.#key(scene, place),
      ]),
    );
    this.#answers.rename(names);
    this.#forms.rename(names);
  }

  /**
   * What was done, by the places of tasks: "scene.task"; what another window kept since is among
   * it.
   *
   * @returns {Record<string, TaskDone>}
   */
  get tasks() {
    const all = this.#answers.all;
    const places = this.#marks.flatMap((tasks, scene) => tasks.map((_, task) => [scene, task]));
    const done = places.filter(([scene, task]) => this.#key(scene, task) in all);
    return Object.fromEntries(
      done.map(([scene, task]) => [`${scene}.${task}`, all[this.#key(scene, task)]]),
    );
  }

  /** Whether another task was answered in this place, and this one was not. */
  isOther(scene, task) {
    const { all } = this.#answers;
    const here = Object.keys(all).filter(
      (key) => key.startsWith(`${scene}.${task} `) && all[key].tries > 0,
    );
    return here.length > 0 && !(this.#key(scene, task) in all);
  }

  /** @returns {TaskDone} */
  of(scene, task) {
    return {
      tries: 0,
      hints: 0,
      right: null,
      answers: [],
      ...this.#answers.all[this.#key(scene, task)],
    };
  }

  /**
   * Note what was done; returns whether the browser keeps it.
   *
   * @param {number} scene
   * @param {number} task
   * @param {Partial<TaskDone>} changes
   */
  note(scene, task, changes) {
    const isKept = this.#answers.put(this.#key(scene, task), {
      ...this.of(scene, task),
      ...changes,
    });
    const done = Object.values(this.tasks).filter(
      ({ right, answers }) => right || (right === null && answers.length),
    );
    if (isKept) keep(PLACES.done, done.length, this.name);
    return isKept;
  }

  /** Whether another window has kept something of this lesson: the event of its storage. */
  isOf({ key }) {
    return key === PLACES.answers.name + this.name;
  }

  /** How the form of a task was left, null where nothing is in it. @returns {FormLeft | null} */
  formLeft(scene, task) {
    return this.#forms.all[this.#key(scene, task)] ?? null;
  }

  /**
   * @param {number} scene
   * @param {number} task
   * @param {FormLeft} form
   */
  keepForm(scene, task, form) {
    this.#forms.put(this.#key(scene, task), form);
  }
}

/**
 * What is kept of the tasks of a lesson, by names that tell them from those of another file, or of
 * an earlier text of this one.
 */
class Parts {
  #value = null; // The value as it was read last.
  /** @type {Record<string, any>} */
  #read = {};
  /** @type {Record<string, any> | null} */
  #memory = null; // It takes the place of what the browser keeps.

  /**
   * @param {Place} place
   * @param {string} lesson
   * @param {(value: unknown) => boolean} fits whether a part has its shape
   */
  constructor(place, lesson, fits) {
    this.place = place;
    this.lesson = lesson;
    this.fits = fits;
    this.isNewer = recall(place, lesson)?.[VERSION] > FORMATS.answers;
    if (this.isNewer) this.#memory = {};
  }

  /** The parts that have their shape. */
  get all() {
    if (this.#memory) return this.#memory;
    const value = recall(this.place, this.lesson) ?? {};
    if (value !== this.#value) {
      this.#value = value;
      this.#read = Object.fromEntries(Object.entries(value).filter(([, part]) => this.fits(part)));
    }
    return this.#read;
  }

  /** Keep a part; returns whether the browser does. */
  put(name, part) {
    return this.#write({ ...this.all, [name]: part });
  }

  /**
   * Give parts other names, each a pair of the old and the new one.
   *
   * @param {[string, string][]} names
   */
  rename(names) {
    const { all } = this;
    const parts = { ...all };
    const moved = names.filter(([before, now]) => before in all && !(now in all));
    for (const [before, now] of moved) {
      parts[now] = all[before];
      delete parts[before];
    }
    if (moved.length) this.#write(parts);
  }

  #write(parts) {
    if (this.#memory) {
      this.#memory = parts;
      return false;
    }
    return keep(this.place, { [VERSION]: FORMATS.answers, ...parts }, this.lesson);
  }
}

/**
 * What told a task from others before it had its mark: what it asks, and of which runs, as that
 * kpviz spelled links.
 *
 * @param {LessonTask} task
 */
function formerMark({ kind, ask, start, choices, count, one, within }) {
  const about = start.map(({ page, query }) => [page, query]);
  // How a formula is set may change, too.
  const plain = (key, value) => (key === "mathml" ? undefined : value);
  const text = JSON.stringify([kind, ask, about, choices, count, one, within], plain);
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return (hash >>> 0).toString(16);
}
