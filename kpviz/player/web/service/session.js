// What the page shows, and what its reader asked for since. A change is an entry of the history at once; the goal is the
// entry where the page is, or a gesture that is not finished. A question brings the newest state that is known, and the
// changes since then: so a server needs no memory, and an answer that was lost does no harm.

import { same } from "./history.js";
import { Requests } from "./requests.js";
import { headerOf, unpack } from "../run/payload.js";

/** @import { History } from "./history.js" */
/** @import { Keep } from "./keep.js" */
/** @import { ServiceSocket } from "./socket.js" */
/** @import { AnswerHeader, Asked, Command, Entry, Host, Progress, Question, Refusal, PageState, Stored } from "./types.d.ts" */

const DEFAULT = { link: "v=1", origin: null, data: null };
const UNKEPT = "loading this page again loses it. Save the settings as a file to keep it.";
const NO_BYTES = new Uint8Array();
const RUN = "run"; // the kind of its questions
const SOON = 1; // seconds left within which an answer is waited for, whatever is asked meanwhile
const MOST = 100; // changes of one question
const LONGEST = 20_000_000; // characters of all of them, unless one alone is longer: it may bring a file

export class Session {
  /** @type {PageState} */
  state; // what is shown
  /** @type {Entry | null} */
  shown = null; // the entry of which it is the state
  /** @type {(Entry & { gesture: number }) | null} */
  gesture = null; // under way: an entry as soon as it is finished
  live = false; // what is shown is the middle of a gesture
  /** @type {Asked | null} */
  asked = null; // the question that waits for its answer
  serial = 0; // of the newest that was asked for
  failures = 0; // how often what was asked for was refused, or given up
  acknowledged = 0; // of the newest that is shown, or was given up
  wanting = true; // an answer, although there is no change
  /** @type {Record<string, string>} */
  drafts = {};
  /** @type {Record<string, string[]>} */
  seen = {}; // the groups of controls that are seen, by where
  answers = new Answers();
  /** @type {Host | null} */
  host = null;

  /** @param {{ socket: Pick<ServiceSocket, "ask" | "cancel" | "listen" | "here">, history: History, keep: Pick<Keep, "all" | "need" | "put" | "forget">, page?: string }} parts */
  constructor({ socket, history, keep, page = "play" }) {
    this.socket = socket;
    this.requests = new Requests(socket, keep);
    this.history = history;
    this.keep = keep;
    this.page = page;
    this.state = history.base.state;
    this.serial = history.unknown.length; // what was not answered before a reload
    history.queryOf = (entry) =>
      entry === this.shown ? this.host.query : (entry.state?.link ?? null);
  }

  /** Begin to ask. @param {Host} host */
  start(host) {
    this.host = host;
    this.stopHistory = this.history.listen(() => {
      this.gesture = null; // as a browser gives up a page that it is still loading
      this.#ask();
    });
    this.socket.listen((here) => {
      host.away(!here);
      this.#pump();
    });
  }

  stop() {
    this.stopHistory?.();
    this.asked = null;
    this.host = null;
  }

  // ---- what is asked for ------------------------------------------------------------------------

  /** Change something; returns the number of what was asked for. */
  command(name, value = null, { extras = null, stays = false } = {}) {
    this.#finish();
    const change = { name, value };
    const state = this.answers.after(this.history.entry.state, change);
    const named = extras ? { extras, stays } : {};
    this.history.push({ state, change: state ? null : change, serial: this.serial + 1, ...named });
    return this.#ask();
  }

  /** Say what a gesture has come to; only the newest counts. Returns the number of what was asked for. */
  drag(name, value, { gesture, last }) {
    if (this.gesture?.gesture !== gesture) this.#finish();
    this.gesture ??= { gesture, index: NaN, state: null, change: null, serial: 0, made: false };
    Object.assign(this.gesture, { change: { name, value }, state: null, serial: this.serial + 1 });
    if (last) this.#finish();
    return this.#ask();
  }

  /** Leave everything as it was before a gesture; returns the number of what was asked for. */
  abandon(gesture) {
    if (this.gesture?.gesture === gesture) this.gesture = null;
    return this.#ask();
  }

  /** Undo the last change, or redo the one that was undone; returns the number of what was asked for. */
  undo() {
    this.#finish();
    return this.history.step(-1) ? this.#ask() : this.serial;
  }

  redo() {
    this.#finish();
    return this.history.step(1) ? this.#ask() : this.serial;
  }

  /** Show a link in the entry where the page is; returns the number of what was asked for. */
  show(link, extras) {
    this.gesture = null;
    this.#drop(); // its answer would say of this entry what it was before
    this.history.amend({ link, origin: null, data: null }, extras);
    return this.#ask();
  }

  /** Let the address have something besides settings: in an entry of its own, or in the one where the page is. */
  name(extras, anew) {
    if (anew) this.command("set", {}, { extras, stays: true });
    else this.history.name(extras);
  }

  get dock() {
    return Object.values(this.seen).flat();
  }

  /** Other groups of controls are seen there: answers must have their fields. @param {string[]} groups */
  see(groups, where = "dock") {
    this.seen[where] = groups;
    if (groups.length) this.again();
  }

  /** Ask for the run as it is: panels need more of it, or other controls are seen. */
  again() {
    this.wanting = true;
    this.#pump();
  }

  /** Stop working: what was asked for is given up. */
  cancel() {
    this.socket.cancel(RUN);
    this.failures += 1;
    Object.assign(this, { asked: null, gesture: null, wanting: this.live });
    this.acknowledged = this.serial;
    this.history.giveUp(this.shown);
    if (!this.shown) {
      this.history.amend(DEFAULT);
      this.wanting = true;
    }
    this.#settle();
    this.#pump();
  }

  /** Whether what was asked for is still to come. */
  awaits(serial) {
    return serial > this.acknowledged;
  }

  /** Whether something that was asked for is still to come. */
  get busy() {
    return this.asked !== null || this.awaits(this.serial) || !this.history.browser.still();
  }

  /** Whether what is shown is the state of the entry where the page is, and not the middle of a gesture. */
  get settled() {
    const { state } = this.#goal;
    return !this.gesture && this.shown !== null && state !== null && same(this.state, state);
  }

  /** How often one can undo and redo, with what is under way. */
  get counts() {
    const { undo, redo } = this.history.counts;
    return this.gesture ? { undo: undo + 1, redo: 0 } : { undo, redo };
  }

  get #goal() {
    return this.gesture ?? this.history.entry;
  }

  /** What comes next is no part of the gesture. */
  #finish() {
    const { gesture } = this;
    this.gesture = null;
    if (gesture) this.history.push(gesture);
  }

  #ask() {
    this.serial += 1;
    this.#pump();
    return this.serial;
  }

  // ---- asking -----------------------------------------------------------------------------------

  /** Show what is known, or ask what there is to ask, if it is the time for it. */
  #pump() {
    if (!this.host) return;
    this.#showKnown();
    if (!this.socket.here || (this.asked && !this.asked.long)) return;
    const serial = this.asked?.serial ?? this.acknowledged;
    if (this.wanting || serial < this.serial) this.#send();
  }

  /** Show the goal at once, if it was answered lately. */
  #showKnown() {
    const { state } = this.#goal;
    const wrong = Object.keys(this.drafts).length > 0; // what answers say depends on what is typed and wrong
    const known =
      state && !wrong && this.awaits(this.serial) && this.history.begun
        ? this.answers.of(state)
        : null;
    if (!known || !this.host.has(known.header)) return;
    if (this.asked) {
      this.socket.cancel(RUN);
      this.host.working(null);
    }
    this.#drop();
    this.acknowledged = this.serial;
    this.#show(known.header, NO_BYTES);
    const misses = (names, has) => (names ?? []).some((name) => !has.includes(name));
    this.wanting ||= misses(this.host.wanted().asked, known.asked) || misses(this.dock, known.dock);
  }

  #send(bring = {}) {
    const { history } = this;
    const { base } = history;
    const unknown = history.begun
      ? [...history.unknown, ...(this.gesture ? [this.gesture] : [])]
      : [];
    let length = 0;
    const end = unknown.findIndex(
      (entry, k) => k === MOST || ((length += lengthOf(entry.change)) > LONGEST && k > 0),
    );
    const entries = end < 0 ? unknown : unknown.slice(0, end);
    const goal = entries.at(-1) ?? base;
    this.#drop();
    const asked = {
      serial: goal === this.#goal ? this.serial : (goal.serial ?? 0),
      from: base.state,
      goal,
      entries,
      changes: entries.map(({ change }) => change),
      wanted: this.wanting,
      long: false,
      bring,
    };
    this.asked = asked;
    this.wanting = false;
    /** @type {Question} */
    const question = {
      page: this.page,
      ...asked.from,
      commands: asked.changes,
      drafts: this.drafts,
      ...this.host.wanted(),
      dock: this.dock,
      live: goal === this.gesture,
      bring,
    };
    this.socket
      .ask(RUN, question, (progress) => this.#progress(asked, progress))
      .then(
        (bytes) => this.#answered(asked, question, bytes),
        () => this.#lost(asked),
      )
      .catch((error) => this.host?.fail(error));
  }

  /** The question gets no answer: what it asked for is asked again. */
  #drop() {
    this.wanting ||= this.asked?.wanted ?? false;
    this.asked = null;
  }

  // ---- what comes of it -------------------------------------------------------------------------

  /** @param {Asked} asked @param {Progress} progress */
  #progress(asked, progress) {
    if (this.asked !== asked) return;
    this.host.working(progress);
    asked.long ||= progress.left === null || progress.left > SOON;
    this.#pump();
  }

  /** @param {Asked} asked */
  #lost(asked) {
    if (this.asked !== asked) return;
    this.#drop();
    this.host.working(null);
    this.#pump();
  }

  /** @param {Asked} asked @param {Question} question @param {Uint8Array} bytes */
  #answered(asked, question, bytes) {
    if (this.asked !== asked) return;
    /** @type {AnswerHeader & Refusal} */
    const header = headerOf(bytes);
    if (header.needs?.length) {
      this.#bring(asked, header.needs);
      return;
    }
    if (typeof header.failed === "string") this.#refused(asked, header.failed, header.steps);
    else this.#take(asked, question, header, unpack(bytes).rest);
    this.#pump();
  }

  /** @param {Asked} asked @param {Question} question @param {AnswerHeader} header @param {Uint8Array} rest */
  #take(asked, question, header, rest) {
    const { history } = this;
    const { goal, entries, changes } = asked;
    const leads = goal === this.gesture || history.holds(goal); // else the page went elsewhere meanwhile
    for (const [name, record] of Object.entries(header.store)) {
      this.#store(name, "command" in record ? changes[record.command] : record);
    }
    entries.forEach((entry, k) => history.resolve(entry, changes[k], header.steps[k]));
    if (!entries.length) history.resolve(goal, null, stepOf(header));
    if (!question.live) this.answers.put(question, header);
    this.#answeredUpTo(asked);
    this.host.working(null);
    if (leads) this.#show(header, rest, question.live);
    for (const notice of header.notices) this.host.notice(notice);
  }

  /** Keep what no link can hold. @param {string} name @param {Stored} record */
  async #store(name, record) {
    if (await this.keep.put(name, record)) return;
    this.host?.notice({
      kind: "warning",
      words: `This browser could not keep ${nameOf(name)}: ${UNKEPT}`,
    });
  }

  /** @param {AnswerHeader} header @param {Uint8Array} rest the runs that the page does not have */
  #show(header, rest, live = false) {
    this.state = stepOf(header);
    this.drafts = header.drafts;
    this.live = live;
    this.keep.need(header.link);
    if (!live) this.shown = this.history.base;
    this.host.take(header, rest);
    if (!this.history.begun) this.history.begin();
  }

  /**
   * The run cannot be shown: the page stays as it was before the last change.
   *
   * @param {Asked} asked
   * @param {string} why
   * @param {PageState[]} [steps] to which the changes led
   */
  #refused(asked, why, steps = []) {
    const { entries, changes, goal } = asked;
    this.failures += 1;
    let state = asked.from;
    entries.forEach((entry, k) => {
      if (k < entries.length - 1) state = steps[k] ?? state;
      this.history.resolve(entry, changes[k], state);
    });
    if (!entries.length) this.history.resolve(goal, null, this.state);
    else this.wanting ||= !same(state, this.state);
    this.#answeredUpTo(asked);
    this.host.notice({ kind: "warning", words: why });
    this.#settle();
  }

  /** @param {Asked} asked */
  #answeredUpTo({ serial }) {
    this.asked = null;
    this.acknowledged = Math.max(this.acknowledged, serial);
  }

  #settle() {
    this.host.working(null);
    this.host.settle();
  }

  /**
   * Ask again, with what the server does not have; or say that it is not here either.
   *
   * @param {Asked} asked
   * @param {string[]} names
   */
  async #bring(asked, names) {
    const found = await this.keep.all(names);
    if (this.asked !== asked) return;
    const missing = names.find((name) => !found[name] || name in asked.bring);
    if (missing && this.host.wanted().shown) {
      const words = `Neither the server nor this browser has ${nameOf(missing)}: open their file again.`;
      this.#refused(asked, words);
      this.#pump();
    } else this.#send({ ...asked.bring, ...found });
  }
}

/** What a reader calls what a link only names. @param {string} name */
const nameOf = (name) => name.split("~")[0] || "these points";

/** @type {(header: AnswerHeader) => PageState} */
const stepOf = ({ link, origin, data }) => ({ link, origin, data });

/** How long a change is, as far as it matters. @type {(change: Command) => number} */
const lengthOf = ({ value }) => {
  const { data = "", text = "" } = /** @type {{ data?: string, text?: string }} */ (value ?? {});
  return data.length + text.length;
};

// What was answered lately, so that undo, redo and what was chosen before need no server.

const [KNOWN, KNOWN_STEPS] = [20, 200]; // answers, and states to which changes led
const LONGEST_KEY = 10_000; // characters of a change

class Answers {
  /** @type {Map<string, { header: AnswerHeader, asked: string[], dock: string[] }>} */
  #answers = new Map();
  /** @type {Map<string, PageState>} */
  #steps = new Map(); // to which changes led

  /**
   * Keep the answer to a question, without what was said and done at that time alone.
   *
   * @param {Question} question
   * @param {AnswerHeader} header
   */
  put(question, header) {
    if (Object.keys(header.drafts).length) return; // it says what is wrong with what is typed at that time
    const { commands, asked, dock } = question;
    const once = header.notices.length > 0 || header.edit || Object.keys(header.store).length > 0;
    const known = commands.length === 1 && !once ? changeKey(question, commands[0]) : null;
    if (known !== null) put(this.#steps, known, header.steps[0], KNOWN_STEPS);
    const kept = {
      header: { ...header, steps: [], notices: [], store: {}, edit: false },
      asked: asked ?? [],
      dock,
    };
    put(this.#answers, stepKey(header), kept, KNOWN);
  }

  /** What was answered for a state, and with what. @param {PageState} state */
  of(state) {
    return this.#answers.get(stepKey(state)) ?? null;
  }

  /** To which state a change leads, null if that is not known. @type {(from: PageState | null, change: Command) => PageState | null} */
  after(from, change) {
    const key = from ? changeKey(from, change) : null;
    return key === null ? null : (this.#steps.get(key) ?? null);
  }
}

/** @type {(map: Map<string, unknown>, key: string, value: unknown, most: number) => void} */
function put(map, key, value, most) {
  map.delete(key); // the newest are the last
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value);
}

/** @param {PageState} state */
const stepKey = ({ link, origin, data }) => JSON.stringify([link, origin, data]);

/** What a change and the state before it have in common with no others; null for one that is too long to keep. @type {(from: PageState, change: Command) => string | null} */
function changeKey(from, { name, value }) {
  const key = JSON.stringify([name === "replace" ? "" : stepKey(from), name, value]); // another link leads away from anywhere
  return key.length < LONGEST_KEY ? key : null;
}
