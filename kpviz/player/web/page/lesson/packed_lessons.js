// What `Lessons` asks a server for, in a page that has it all: the lesson, its runs, and what
// answers are compared with.

import { checked } from "./checking.js";
import { unzipped } from "../../service/compressed.js";
import { keep, recall, PLACES } from "../../service/texts.js";

/** @import { Stage } from "../stage.js" */
/** @import { Lessons } from "../../service/lessons.js" */
/** @import { PackedTask, PlainLesson } from "../../modes/types.d.ts" */

/**
 * What a page holds: the lesson with its tasks, scene by scene; by the query of a link what it
 * shows, which is a run and what is said of it, both compressed.
 * @typedef {object} Packed
 * @property {PlainLesson} lesson
 * @property {(PackedTask | null)[][]} tasks
 * @property {Record<string, { link: string, run: string, head: string }>} shows
 * @property {Record<string, string>} runs
 */

export class PackedLessons {
  link = "v=1"; // The link of what is shown.
  n = 0; // The number of the newest link that was asked for.
  taken = 0; // The number of the newest that is shown.
  failures = 0; // Nothing is refused here.

  /**
   * @param {Stage} stage
   * @param {Packed} packed
   * @param {string} lesson its name
   */
  constructor(stage, packed, lesson) {
    this.stage = stage;
    this.packed = packed;
    this.lessonName = lesson;
  }

  /** The scene that a reload left. */
  get scene() {
    return Math.max((recall(PLACES.scene, this.lessonName) ?? 1) - 1, 0);
  }

  /** Keep a scene for a reload, where the browser allows it. @type {Lessons["name"]} */
  name({ scene = null }) {
    keep(PLACES.scene, scene === null ? null : Number(scene), this.lessonName);
  }

  /**
   * Give the lesson of this page, or go to the page of another one, which lies beside it.
   *
   * @type {Lessons["read"]}
   */
  read(source, take) {
    if ("name" in source && source.name !== this.lessonName) location.assign(`${source.name}.html`);
    else take({ n: 0, lesson: this.packed.lesson });
  }

  /** @type {Lessons["check"]} */
  check(_, { scene, task, tried, answer }, take) {
    take({ n: 0, checked: checked(this.packed.tasks[scene][task], answer, tried) });
  }

  /** @type {Lessons["solve"]} */
  solve(_, { scene, task, tried }, take) {
    const answers = this.packed.tasks[scene][task]?.answers ?? [];
    take({ n: 0, solution: answers[tried % answers.length] ?? null });
  }

  /** @type {Lessons["show"]} */
  show(query, scene) {
    if (scene) this.name(scene);
    const n = ++this.n;
    this.bring(query, n).catch((error) => this.stage.fail(error));
    return n;
  }

  /** Bring the run of a link to the stage. */
  async bring(query, n = ++this.n) {
    const { link, run, head } = this.packed.shows[query];
    const parts = await Promise.all([head, this.packed.runs[run]].map(unzipped));
    if (n !== this.n) return; // Another one was asked for meanwhile.
    this.taken = n;
    this.link = link;
    this.stage.update(new Uint8Array(await new Blob(parts).arrayBuffer()));
    this.stage.player.modes.tell("settled");
  }

  awaits(n) {
    return n > this.taken;
  }

  /** Whether what is shown is what was asked for last. */
  get settled() {
    return !this.awaits(this.n);
  }

  ask() {}

  see() {}

  /** @type {Lessons["open"]} */
  open() {}
}
