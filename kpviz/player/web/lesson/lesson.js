// A lesson beside the board: the words and tasks of one scene after the other, in the place of the settings.

import { elsewhereOf, nodesOf, objectivesOf, textOf } from "./words.js";
import { Progress } from "./progress.js";
import { TaskForm } from "./tasks.js";
import { cameBack, leave } from "./lesson_return.js";
import { sceneOf } from "../model/scene.js";
import { keep, kept } from "../service/keep.js";
import { Announced } from "../shell/announced.js";
import { lie, make } from "../shell/dom.js";

/** @import { PackedLessons } from "./packed_lessons.js" */
/** @import { TaskHost } from "./tasks.js" */
/** @import { Player } from "../model/player.js" */
/** @import { Lessons } from "../service/lessons.js" */
/** @import { Stage } from "../shell/stage.js" */
/** @import { Layout, LessonScene, LessonSource, PlainLesson } from "../types.d.ts" */

export const PAGES = { fisher: "page of Fisher’s discriminant" };
const KEYS = ["g", "t"];
const OWN = "~"; // in the address: a file of one's own, which this tab keeps
const TEXT = "kpviz-lesson-text";

export class Lesson {
  /** @type {LessonSource | null} */
  source = null;
  /** @type {PlainLesson | null} */
  lesson = null;
  at = 0; // the scene
  open = false;
  /** @type {{ n: number, t: number, show: string[] | null, address: Record<string, string> | null, before: ReturnType<typeof shownOf> | null } | null} */
  arriving = null; // a scene whose run is still to come
  /** @type {TaskForm[]} */
  forms = [];
  how = { stands: false, anew: true }; // whether the address had its settings when it was read, and whether it goes to a new one
  visited = -1; // the scene whose page was opened
  /** @type {{ at: number, sigma: number } | null} */
  left = null; // the width that the Gaussian had in a scene
  /** @type {string | null} */
  asked = null; // what the address calls the lesson that was asked for last

  /**
   * @param {Stage} stage
   * @param {Lessons | PackedLessons} lessons
   */
  constructor(stage, lessons) {
    this.stage = stage;
    this.lessons = lessons;
    this.announced = new Announced(stage);
    this.title = make("h2");
    const close = make("button", {
      type: "button",
      className: "close",
      ariaLabel: "Close the lesson",
      title: "Close",
      hidden: stage.session === null, // a page of its own has nothing else
    });
    close.textContent = "×";
    close.addEventListener("click", () => this.close());
    this.body = make("div", { className: "scene", tabIndex: 0, role: "group" });
    this.back = this.#turnButton("← Back", -1);
    this.next = this.#turnButton("Next →", 1);
    this.skip = this.#turnButton("Go on without it", 1);
    this.where = make("span", { className: "where" });
    this.student = ""; // who saves results
    this.element = make(
      "section",
      { className: "dock lesson", hidden: true, ariaLabel: "Lesson" },
      make("div", { className: "top" }, this.title, close),
      this.body,
      make("div", { className: "ways" }, this.back, this.where, this.skip, this.next),
    );
    stage.player.asked = () => this.#furthest;
    stage.player.cuesFit = () => this.#showsScene;
    const left = cameBack();
    if (this.#readNamed() && left?.lesson === this.asked) this.visited = left.at;
    this.controller = new AbortController();
    const told = (event) => this.progress?.isOf(event) && this.#followForms();
    window.addEventListener("storage", told, { signal: this.controller.signal });
  }

  /** Go to another scene; who did so by a key reads on there. */
  #turnButton(words, by) {
    return this.#button(words, (event) => {
      this.go(this.at + by);
      if (!event.detail) this.body.focus();
    });
  }

  #button(words, act) {
    const button = make("button", { type: "button" }, words);
    button.addEventListener("click", act);
    return button;
  }

  // ---- which lesson, which scene ----------------------------------------------------------------

  /** Read the lesson that the address names, at its scene; returns whether it names one. */
  #readNamed() {
    const { lesson = null, scene } = this.stage.link.extras;
    this.asked = lesson;
    if (!lesson) return false;
    const text = lesson === OWN ? kept(TEXT) : null;
    const how = { stands: Boolean(scene), anew: false };
    this.read(text === null ? { name: lesson } : { text }, Number(scene) - 1 || 0, how);
    return true;
  }

  /**
   * Open a lesson of the server's, or the text of a file.
   *
   * @param {LessonSource} source
   * @param {number} [at]
   * @param {Partial<typeof this.how>} [how]
   */
  read(source, at = 0, how = {}) {
    const named = "name" in source;
    this.lessons.read(source, ({ lesson, failed }) => {
      if (!lesson) {
        this.stage.notice({ kind: "warning", words: failed || "This lesson could not be opened." });
        return;
      }
      this.source = source;
      this.lesson = lesson;
      this.asked = this.#name;
      this.how = { stands: false, anew: true, ...how };
      this.arriving = null;
      if (!named) keep(TEXT, source.text); // for a reload
      this.progress = new Progress(named ? source.name : lesson.title, lesson);
      this.title.textContent = lesson.title;
      this.element.setAttribute("aria-label", `Lesson: ${lesson.title}`);
      this.element.lang = lesson.language;
      this.at = Math.min(Math.max(at, 0), lesson.scenes.length - 1);
      if (this.stage.player.run) this.#begin();
    });
  }

  /** The lesson is here, and the first run: whether that is of the scene is known now. */
  #begin() {
    this.open = true;
    this.stage.root.prepend(this.element); // Tab comes to what is asked before all that answers it
    if (this.how.stands && this.lessons.link !== "v=1") this.#show();
    else this.go(this.at, { anew: this.how.anew });
  }

  close() {
    this.#leaveOff();
    this.lessons.name({}, false);
    this.stage.arrange();
  }

  #leaveOff() {
    this.announced.put(null);
    this.open = false;
    this.lesson = this.arriving = this.asked = null;
    this.visited = -1;
    this.stage.player.notes = "";
    this.stage.player.following = null;
    this.element.remove();
    this.forms = [];
  }

  get scene() {
    return this.lesson?.scenes[this.at] ?? null;
  }

  /**
   * Go to a scene, if there is one; returns whether there is.
   *
   * @param {number} at
   */
  go(at, { atEnd = false, anew = true } = {}) {
    const scene = this.lesson?.scenes[at];
    if (!scene) return false;
    this.at = at;
    const address = { lesson: this.#name, scene: String(at + 1) };
    const staged = scene.link.page === "play" && scene.link.query;
    if (!staged) this.lessons.name(address, anew);
    this.#show();
    if (this.stage.present.on) {
      const opens = this.#opensPage ? ` · PageDown opens the ${PAGES[scene.link.page]}` : "";
      this.stage.say(`${at + 1} of ${this.lesson.scenes.length}: ${scene.heading}${opens}`);
    }
    if (staged) this.#stage(scene.link, { atEnd, address, anew });
    return true;
  }

  /** What the address calls the lesson. */
  get #name() {
    return "name" in this.source ? this.source.name : OWN;
  }

  /**
   * Put a link on the stage.
   *
   * @param {{ query: string, t?: number | null, show?: string[] | null }} link
   * @param {{ atEnd?: boolean, address?: Record<string, string> | null, anew?: boolean }} [how] `address`: what that has besides from then on
   */
  #stage({ query, t = 0, show = null }, { atEnd = false, address = null, anew = true } = {}) {
    const { player } = this.stage;
    player.clock.stop();
    const before = player.run && player.palette ? shownOf(player) : null; // none before the first frame
    this.arriving = { n: Infinity, t: atEnd ? Infinity : (t ?? 0), show, address, before };
    this.arriving.n = this.lessons.show(query, address, anew); // it may be here at once
    this.follow();
  }

  /** A page turned by a clicker: on to the next scene after the last cue, or back. Returns whether that is all it does. */
  turn(direction) {
    if (!this.open) return false;
    if (this.arriving) return true; // what is still shown is over, and nothing has been seen of what comes
    const { link } = this.scene;
    if (!(link.page in PAGES)) {
      const { cues, runs, t } = this.stage.player;
      const ends = runs.all.length > 1 && !cues.placed.length && t < runs.end; // what is compared is seen then
      if (direction > 0 ? cues.after(t) || ends : cues.placed.some((cue) => cue.t < t) || t > 0) return false;
    } else if (direction > 0 && this.#opensPage) return this.#leave(link.page, link.query);
    if (this.go(this.at + direction, { atEnd: direction < 0 })) return true;
    this.stage.say(direction > 0 ? "This is the last scene." : "This is the first scene.");
    return true;
  }

  /** An answer has come: with the run of a scene, or of one to which the browser went back. */
  follow() {
    if (!this.stage.player.run) return;
    if (this.lesson && !this.open) this.#begin();
    else if (this.arriving) this.#arrive();
    else this.#goBack();
    this.moved();
  }

  /** What is shown is the start of a task, or is not any more. */
  moved() {
    for (const form of this.forms) form.compare();
  }

  /** The browser went back or forward to another scene, or to where another lesson was open, or none. */
  #goBack() {
    const { lesson = null, scene } = this.stage.link.extras;
    if (lesson !== this.asked && this.stage.session) {
      if (this.open) this.#leaveOff();
      if (!this.#readNamed()) this.stage.arrange();
      return;
    }
    const at = Number(scene) - 1;
    if (!this.open || at === this.at || !this.lesson.scenes[at]) return;
    this.at = at;
    const { page, query, t, show } = this.scene.link;
    if (page === "play" && query) this.#opens(t ?? 0, show);
    this.#show();
  }

  /** The board opens at an instant, with some panels; null: those that it shows. */
  #opens(t, show) {
    const { player } = this.stage;
    this.announced.put(null);
    if (show) {
      player.showOnly(show);
      this.lessons.ask();
    }
    player.cursor.put(Math.min(t, player.runs.end));
  }

  /** Another window has kept an answer. */
  #followForms() {
    for (const form of this.forms) form.follow();
    if (this.open) this.#updateTurnButtons();
  }

  /** The run of a scene has come: where it opens, and which panels it shows. */
  #arrive() {
    const { arriving, lessons, stage } = this;
    const { player } = stage;
    if (lessons.awaits(arriving.n)) return;
    this.arriving = null;
    const { t, show, address, before } = arriving;
    player.clock.stop(); // started meanwhile, it would play past the first cue
    const begun = address && t < Infinity ? this.forms.find((form) => form.stands) : null; // the scene is left half done
    this.#opens(begun?.upTo ?? t, show);
    if (before) player.cursor.comeFrom(before);
    for (const form of this.forms) form.update();
    stage.arrange();
  }

  /** G and T turn the scene's knobs; on every board K goes between the linear kernel and the Gaussian. */
  get keys() {
    const { open, scene, stage } = this;
    const { session } = stage;
    if (!open || !session || scene?.link.page !== "play") return {};
    const turn = (name, direction) => () => session.command("turn", { name, way: direction, from: scene.link.query });
    const keys = scene.knobs.map((name, k) => ({ [KEYS[k]]: turn(name, 1), [`Shift+${KEYS[k]}`]: turn(name, -1) }));
    return Object.assign({ k: () => this.#straighten() }, ...keys);
  }

  /** To the linear kernel, and back to the Gaussian as wide as it was left. */
  #straighten() {
    const { at, left, stage } = this;
    const { kernel = null, sigma = null } = Object.fromEntries(new URLSearchParams(stage.player.query)); // null: the default
    if (kernel === null && sigma !== null) this.left = { at, sigma: Number(sigma) };
    else if (kernel !== "linear") this.left = null;
    stage.session.command("straight", kernel === "linear" && left?.at === at ? { sigma: left.sigma } : null);
  }

  /** While one presents no lesson, or its scene has no knobs, its keys say so. */
  sayKnobs() {
    const { open, stage } = this;
    const none = stage.present.on && open;
    stage.say(
      none ? "This scene names no numbers to turn." : "W presents: then G, T and K turn the knobs of a lesson.",
    );
  }

  /** Whether the scene is another page, which was not opened yet. */
  get #opensPage() {
    const { at, scene, visited } = this;
    return scene.link.page in PAGES && visited !== at && !scene.elsewhere;
  }

  /** How far one may go before what is asked of this run is answered; null where nothing is. */
  get #furthest() {
    const { player } = this.stage;
    const asking = this.open && !player.presenting ? this.forms.filter((form) => form.asksAhead) : [];
    return asking.length ? Math.min(...asking.map(({ upTo }) => upTo).filter((upTo) => upTo >= player.t)) : null;
  }

  /** Whether the run is that of the scene, and not one to which knobs or the settings were turned. */
  get #showsScene() {
    const { arriving, open, scene, stage } = this;
    if (!open || arriving || !scene.link.query) return true;
    return settingsOf(scene.link.query) === settingsOf(stage.player.run.header.settings.query);
  }

  /** The pointer chose an example of the map: it may be part of an answer. */
  pick(i) {
    return this.open && this.forms.some((form) => form.picked(i));
  }

  // ---- what is shown ----------------------------------------------------------------------------

  #show() {
    const { lesson, at, scene } = this;
    this.stage.player.notes = textOf(scene.notes);
    this.stage.player.following = () => {
      if (this.#opensPage) return `PageDown opens the ${PAGES[scene.link.page]}.`;
      const next = lesson.scenes[at + 1];
      return next
        ? `Scene ${at + 2} of ${lesson.scenes.length}: ${next.heading}`
        : "No further scene: this is the last one.";
    };
    if (scene.link.page in PAGES) this.announced.put(scene);
    const host = this.#host();
    this.forms = scene.tasks.map((task, k) => new TaskForm(task, { scene: at, task: k }, host));
    const placed = new Set();
    const place = (k) => {
      placed.add(k);
      return this.forms[k]?.element ?? "";
    };
    const objectives = at === 0 && lesson.objectives.length ? objectivesOf(lesson) : [];
    const words = nodesOf(scene.words, { place, go: host.go });
    const rest = this.forms.filter((_, k) => !placed.has(k)).map(({ element }) => element);
    this.body.replaceChildren(
      ...objectives,
      make("h3", {}, scene.heading),
      ...this.#elsewhere(scene),
      ...words,
      ...rest,
    );
    this.body.setAttribute("aria-label", scene.heading);
    this.body.scrollTop = 0;
    this.#updateTurnButtons();
    this.stage.arrange();
  }

  /** What the tasks of this lesson need; another one may be open when an answer was checked. @returns {TaskHost} */
  #host() {
    const { lesson, lessons, progress, source, stage } = this;
    const { player } = stage;
    const isShown = ({ query, t }) => {
      const { run } = player;
      if (this.announced.on) return false;
      return run !== null && query === run.header.settings.query && (t === null || t === player.t);
    };
    return {
      progress,
      check: (task, take) => lessons.check(source, task, take),
      show: (link) => this.#stage(link),
      go: (address) => this.#follow(address),
      link: () => lessons.link,
      isShown,
      reach: (link) => isShown({ ...link, t: null }) && player.cursor.reach(link.t),
      example: (step) => (step <= player.run.nSteps ? player.run.trace.index[step - 1] : null),
      changed: () => {
        if (this.lesson === lesson) this.#updateTurnButtons();
        stage.redraw(); // what it asked may be seen now
      },
    };
  }

  /** A scene of another page is opened there. @param {LessonScene} scene */
  #elsewhere({ link, elsewhere }) {
    const page = PAGES[link.page];
    if (elsewhere) return [elsewhereOf("What it shows", elsewhere)];
    if (!page) return [];
    const open = this.#button(`Open the ${page}`, () => this.#leave(link.page, link.query));
    return [make("p", {}, open)];
  }

  /** A link among the words: of the player it is shown here. */
  #follow(address) {
    const [path, query = ""] = address.split("?");
    const page = path.replace(/^\/|\/$/g, "");
    if (page in PAGES) this.#leave(page, query);
    else this.#stage({ query, t: Number(/(?:^|&)t=([0-9]+)/.exec(query)?.[1] ?? 0) });
  }

  /** Open another page, which shows the way back. */
  #leave(page, query) {
    const { at, lesson, stage } = this;
    const { player } = stage;
    const board = { query: player.query, stage: player.presenting ? player.stage : null };
    leave({ page, lesson: this.#name, title: lesson.title, at, count: lesson.scenes.length, ...board });
    this.visited = at;
    stage.notes.leave();
    this.lessons.open(page, query);
    return true;
  }

  #updateTurnButtons() {
    const { lesson, at } = this;
    const waits = this.forms.some((form) => !form.isOver);
    const last = at === lesson.scenes.length - 1;
    this.back.disabled = at === 0;
    this.next.disabled = last;
    this.next.hidden = waits && !last;
    this.skip.hidden = !this.next.hidden;
    this.where.textContent = `${at + 1} of ${lesson.scenes.length}`;
    this.#handIn();
  }

  #handIn() {
    const there = this.element.querySelector(".hand-in");
    const wanted = this.at === this.lesson.scenes.length - 1 && Object.keys(this.progress.tasks).length > 0;
    if (!wanted) there?.remove();
    if (!wanted || there) return;
    const name = make("input", { required: true, pattern: ".*\\S.*", maxLength: 100, value: this.student });
    name.oninput = () => (this.student = name.value);
    const save = this.#button("Save my results", () => {
      if (name.reportValidity()) saveResults(this.source, this.lesson, this.progress, this.student.trim());
    });
    this.body.append(make("p", { className: "hand-in" }, make("label", {}, "Your name ", name), " ", save));
  }

  /** @param {Pick<Layout, "dock" | "sheet">} layout */
  place({ dock, sheet }) {
    this.element.hidden = !dock;
    lie(this.element, { dock, sheet });
  }

  stop() {
    this.controller.abort();
  }
}

/** What the map shows. @param {Player} player */
function shownOf(player) {
  const { run, shownField: field, limit } = sceneOf(player, performance.now());
  return { run, field: field.slice(), limit };
}

/** What a link sets of the run, without cues and pinned models. */
const settingsOf = (query) =>
  [...new URLSearchParams(query)]
    .filter(([name]) => !/^(cues|compare|pins|p[0-9]+[.].*)$/.test(name))
    .map((pair) => pair.join("="))
    .sort()
    .join("&");

/**
 * What a student hands in: a file with answers, tries, times and links, which a teacher's kpviz computes again.
 *
 * @param {LessonSource} source
 * @param {PlainLesson} lesson
 * @param {Progress} progress
 * @param {string} student the name that was asked for
 */
function saveResults(source, lesson, progress, student) {
  const name = "name" in source ? source.name : lesson.title;
  const tasks = Object.entries(progress.tasks).map(([place, done]) => {
    const [scene, task] = place.split(".").map(Number);
    return { scene: scene + 1, task: task + 1, ...done };
  });
  const found = { kpviz: "results", version: 1, lesson: name, title: lesson.title, student, tasks };
  const text = JSON.stringify(found, null, 2);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const download = `${`${student} ${name}`.replace(/[^\p{L}\p{N}-]+/gu, "-")}.results.json`;
  const link = make("a", { href: url, download });
  link.click();
  URL.revokeObjectURL(url);
}
