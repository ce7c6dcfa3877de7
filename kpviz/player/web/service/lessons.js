// Asks for a lesson, for what it shows, and whether the answer to one of its tasks is right.

/** @import { Stage } from "../page/stage.js" */
/** @import { CheckedRecord, CheckedTask } from "../modes/types.d.ts" */
/** @import { LessonSource, PackedAnswer, PlainLesson } from "../modes/types.d.ts" */
/** @import { Refusal, Request } from "./types.d.ts" */

export class Lessons {
  /** @type {{ what: object, take: (answer: any) => void }[]} */
  waiting = []; // The first of them is being asked.
  mayBeClosed = true; // There is more to see than one lesson.

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  /** The link of what is shown. */
  get link() {
    return this.stage.session.state.link;
  }

  /**
   * Show a link; returns its number. With a scene to be named in the address it is an entry of the
   * browser's history, its own or the one where the page is.
   *
   * @param {string} query
   * @param {Record<string, string> | null} scene
   * @param {boolean} newEntry
   */
  show(query, scene, newEntry) {
    const { session } = this.stage;
    if (scene && !newEntry) return session.show(query, scene);
    return session.command(
      "replace",
      { link: query, origin: null },
      { extras: scene, stays: true },
    );
  }

  /** Let the address name a scene. */
  nameInAddress(scene, newEntry) {
    this.stage.session.name(scene, newEntry);
  }

  /** Whether a link is still to come. */
  awaits(n) {
    return this.stage.session.awaits(n);
  }

  /** Whether what is shown is what was asked for last, and no gesture is under way. */
  get settled() {
    const { session } = this.stage;
    return !session.awaits(session.serial) && session.settled;
  }

  /** How often what was asked for was refused, or given up. */
  get failures() {
    return this.stage.session.failures;
  }

  /** Ask for what panels need besides. */
  askForExtras() {
    this.stage.session.again();
  }

  /** Tasks show fields of settings: from now on answers have these. @param {string[]} groups */
  askForSettingFields(groups) {
    this.stage.session.see(groups, "lesson");
  }

  /** Open another page. */
  open(page, query) {
    this.stage.outside.open(page, query);
  }

  /**
   * Read a lesson.
   *
   * @param {LessonSource} source
   * @param {(answer: { lesson?: PlainLesson } & Refusal) => void} take
   */
  read(source, take) {
    this.#ask({ lesson: source }, take);
  }

  /**
   * Check the answer to a task.
   *
   * @param {LessonSource} source
   * @param {NonNullable<Request["task"]>} task
   * @param {(answer: { checked?: CheckedTask } & Refusal) => void} take
   */
  check(source, task, take) {
    this.#ask({ lesson: source, task }, take);
  }

  /**
   * Check a record in a link, or ask for its board, which it shows to who has beaten it.
   *
   * @param {LessonSource} source
   * @param {{ record: string, by: string, proof: string, own?: string }} record
   * @param {(answer: { record?: CheckedRecord } & Refusal) => void} take
   */
  readRecord(source, record, take) {
    this.#ask({ lesson: source, record }, take);
  }

  /**
   * Make the link of a record.
   *
   * @param {LessonSource} source
   * @param {{ board: string, by: string }} made
   * @param {(answer: { made?: { query: string } } & Refusal) => void} take
   */
  makeRecord(source, made, take) {
    this.#ask({ lesson: source, made }, take);
  }

  /**
   * Ask what is right about a task, for a class that has voted.
   *
   * @param {LessonSource} source
   * @param {{ scene: number, task: number, tried: number }} task
   * @param {(answer: { solution?: PackedAnswer | null } & Refusal) => void} take
   */
  solve(source, task, take) {
    this.#ask({ lesson: source, task }, take);
  }

  #ask(what, take) {
    this.waiting.push({ what, take });
    if (this.waiting.length === 1) this.#next();
  }

  #next() {
    const [{ what, take }] = this.waiting;
    this.stage.session.requests.ask("lesson", { link: this.link, ...what }, (_, header) => {
      try {
        take(header); // It is taken before the next is asked, which may follow it.
      } finally {
        this.waiting.shift();
        if (this.waiting.length) this.#next();
      }
    });
  }
}
