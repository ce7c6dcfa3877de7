// What the page shows, and what its reader asked for since. A change is an entry of the history at
// once; the goal is the entry where the page is, or a gesture that is not finished. A question
// brings the newest state that is known, and the changes since then: so a server needs no memory,
// and an answer that was lost does no harm.

import { same } from "./history.js";
import { Requests } from "./requests.js";
import { headerOf, unpack } from "../run/payload.js";
import { putLatest } from "../run/trace.js";

/** @import { History } from "./history.js" */
/** @import { Keep } from "./keep.js" */
/** @import { ServiceSocket } from "./socket.js" */
/**
 * @import { AnswerHeader, Command, Entry, Host, PageState, PendingQuestion, Progress, Question,
 *   Refusal, Stored } from "./types.d.ts"
 */

const DEFAULT = { link: "v=1", origin: null, data: null };
const UNKEPT = "loading this page again loses it. Save the settings as a file to keep it.";
const NO_BYTES = new Uint8Array();
const RUN = "run"; // The kind of its questions.
const SHORT_WAIT = 1; // In seconds: so short a rest is waited for, whatever is asked meanwhile.
const MOST_CHANGES = 100; // In one question.
// All changes together have no more, unless one alone is longer: it may bring a file.
const MOST_CHARACTERS = 20_000_000;

export class Session {
  /** @type {PageState} */
  state; // What is shown.
  /** @type {Entry | null} */
  shownEntry = null; // The entry whose state is shown.
  /** @type {(Entry & { gesture: number }) | null} */
  gesture = null; // A gesture under way becomes an entry as soon as it is finished.
  live = false; // Only the middle of a gesture is shown.
  /** @type {PendingQuestion | null} */
  pending = null; // The question that waits for its answer.
  serial = 0; // The number of the newest that was asked for.
  failures = 0; // How often what was asked for was refused, or given up.
  acknowledged = 0; // The number of the newest that is shown, or was given up.
  wanting = true; // An answer is due, although there is no change.
  /** @type {Record<string, string>} */
  drafts = {};
  /** @type {Record<string, string[]>} */
  seen = {}; // The groups of controls that are seen, by where.
  answers = new Answers();
  /** @type {Host | null} */
  host = null;

  /**
   * @param {{ socket: Pick<ServiceSocket, "ask" | "cancel" | "listen" | "isConnected">,
   *   history: History, keep: Pick<Keep, "all" | "need" | "put" | "forget">, page?: string }} parts
   */
  constructor({ socket, history, keep, page = "play" }) {
    this.socket = socket;
    this.requests = new Requests(socket, keep);
    this.history = history;
    this.keep = keep;
    this.page = page;
    this.state = history.base.state;
    this.serial = history.unknown.length; // So much was not answered before a reload.
  }

  /** Begin to ask. @param {Host} host */
  start(host) {
    this.host = host;
    this.stopHistory = this.history.listen(
      () => {
        this.gesture = null; // A browser gives up a page so that it is still loading.
        this.#ask();
      },
      (entry) => (entry === this.shownEntry ? host.query : (entry.state?.link ?? null)),
    );
    this.socket.listen((here) => {
      host.away(!here);
      this.#pump();
    });
  }

  stop() {
    this.stopHistory?.();
    this.pending = null;
    this.host = null;
  }

  // ---- what is asked for -----------------------------------------------------------------------

  /** Change something; returns the number of what was asked for. */
  command(name, value = null, { extras = null, stays = false } = {}) {
    this.#finish();
    const change = { name, value };
    const state = this.answers.stateAfter(this.history.entry.state, change);
    const named = extras ? { extras, stays } : {};
    this.history.push({ state, change: state ? null : change, serial: this.serial + 1, ...named });
    return this.#ask();
  }

  /**
   * Say what a gesture has come to; only the newest counts. Returns the number of what was asked
   * for.
   */
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

  /**
   * Undo the last change, or redo the one that was undone; returns the number of what was asked
   * for.
   */
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
    this.#drop(); // Its answer would say of this entry what it was before.
    this.history.amend({ link, origin: null, data: null }, extras);
    return this.#ask();
  }

  /**
   * Let the address have something besides settings: in an entry of its own, or in the one where
   * the page is.
   */
  name(extras, newEntry) {
    if (newEntry) this.command("set", {}, { extras, stays: true });
    else this.history.name(extras);
  }

  get dock() {
    return Object.values(this.seen).flat();
  }

  /**
   * Other groups of controls are seen there: answers must have their fields.
   *
   * @param {string[]} groups
   */
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
    Object.assign(this, { pending: null, gesture: null, wanting: this.live });
    this.acknowledged = this.serial;
    this.history.giveUp(this.shownEntry);
    if (!this.shownEntry) {
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
    return this.pending !== null || this.awaits(this.serial) || !this.history.browser.still();
  }

  /**
   * Whether what is shown is the state of the entry where the page is, and not the middle of a
   * gesture.
   */
  get settled() {
    const { state } = this.#goal;
    return !this.gesture && this.shownEntry !== null && state !== null && same(this.state, state);
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

  // ---- asking ----------------------------------------------------------------------------------

  /** Show what is known, or ask what there is to ask, if it is the time for it. */
  #pump() {
    if (!this.host) return;
    this.#showKnown();
    if (!this.socket.isConnected || (this.pending && !this.pending.long)) return;
    const serial = this.pending?.serial ?? this.acknowledged;
    if (this.wanting || serial < this.serial) this.#send();
  }

  /** Show the goal at once, if it was answered lately. */
  #showKnown() {
    const { state } = this.#goal;
    // What answers say depends on what is typed and wrong.
    const wrong = Object.keys(this.drafts).length > 0;
    const known =
      state && !wrong && this.awaits(this.serial) && this.history.begun
        ? this.answers.lookUp(state)
        : null;
    if (!known || !this.host.has(known.header)) return;
    if (this.pending) {
      this.socket.cancel(RUN);
      this.host.working(null);
    }
    this.#drop();
    this.acknowledged = this.serial;
    this.#show(known.header, NO_BYTES);
    const misses = (names, has) => (names ?? []).some((name) => !has.includes(name));
    this.wanting ||= misses(this.host.needs().asked, known.asked) || misses(this.dock, known.dock);
  }

  #send(bring = {}) {
    const { history } = this;
    const { base } = history;
    const unknown = history.begun
      ? [...history.unknown, ...(this.gesture ? [this.gesture] : [])]
      : [];
    const entries = fitting(unknown);
    const goal = entries.at(-1) ?? base;
    this.#drop();
    const pending = {
      serial: goal === this.#goal ? this.serial : (goal.serial ?? 0),
      from: base.state,
      goal,
      entries,
      changes: entries.map(({ change }) => change),
      wanted: this.wanting,
      long: false,
      bring,
    };
    this.pending = pending;
    this.wanting = false;
    /** @type {Question} */
    const question = {
      page: this.page,
      ...pending.from,
      commands: pending.changes,
      drafts: this.drafts,
      ...this.host.needs(),
      dock: this.dock,
      live: goal === this.gesture,
      bring,
    };
    this.socket
      .ask(RUN, question, (progress) => this.#progress(pending, progress))
      .then(
        (bytes) => this.#answered(pending, question, bytes),
        () => this.#lost(pending),
      )
      .catch((error) => this.host?.fail(error));
  }

  /** The question gets no answer: what it asked for is asked again. */
  #drop() {
    this.wanting ||= this.pending?.wanted ?? false;
    this.pending = null;
  }

  // ---- what comes of it ------------------------------------------------------------------------

  /** @param {PendingQuestion} pending @param {Progress} progress */
  #progress(pending, progress) {
    if (this.pending !== pending) return;
    this.host.working(progress);
    pending.long ||= progress.left === null || progress.left > SHORT_WAIT;
    this.#pump();
  }

  /** @param {PendingQuestion} pending */
  #lost(pending) {
    if (this.pending !== pending) return;
    this.#drop();
    this.host.working(null);
    this.#pump();
  }

  /** @param {PendingQuestion} pending @param {Question} question @param {Uint8Array} bytes */
  #answered(pending, question, bytes) {
    if (this.pending !== pending) return;
    /** @type {AnswerHeader & Refusal} */
    const header = headerOf(bytes);
    if (header.needs?.length) {
      this.#bring(pending, header.needs);
      return;
    }
    if (typeof header.failed === "string") this.#refused(pending, header.failed, header.steps);
    else this.#take(pending, question, header, unpack(bytes).rest);
    this.#pump();
  }

  /**
   * @param {PendingQuestion} pending
   * @param {Question} question
   * @param {AnswerHeader} header
   * @param {Uint8Array} runBytes
   */
  #take(pending, question, header, runBytes) {
    const { history } = this;
    const { goal, entries, changes } = pending;
    // Otherwise the page went elsewhere meanwhile.
    const leads = goal === this.gesture || history.holds(goal);
    for (const [name, record] of Object.entries(header.store)) {
      this.#store(name, "command" in record ? changes[record.command] : record);
    }
    entries.forEach((entry, k) => history.resolve(entry, changes[k], header.steps[k]));
    if (!entries.length) history.resolve(goal, null, stepOf(header));
    if (!question.live) this.answers.put(question, header);
    this.#answeredUpTo(pending);
    this.host.working(null);
    if (leads) this.#show(header, runBytes, question.live);
    const command = question.commands.at(-1)?.name;
    for (const notice of header.notices) this.host.notice(notice, command);
  }

  /** Keep what no link can hold. @param {string} name @param {Stored} record */
  async #store(name, record) {
    if (await this.keep.put(name, record)) return;
    this.host?.notice({
      kind: "warning",
      words: `This browser could not keep ${nameOf(name)}: ${UNKEPT}`,
    });
  }

  /**
   * @param {AnswerHeader} header
   * @param {Uint8Array} runBytes the runs that the page does not have
   */
  #show(header, runBytes, live = false) {
    this.state = stepOf(header);
    this.drafts = header.drafts;
    this.live = live;
    this.keep.need(header.link);
    if (!live) this.shownEntry = this.history.base;
    this.host.take(header, runBytes);
    if (!this.history.begun) this.history.begin();
  }

  /**
   * The run cannot be shown: the page stays as it was before the last change.
   *
   * @param {PendingQuestion} pending
   * @param {string} why
   * @param {PageState[]} [steps] to which the changes led
   */
  #refused(pending, why, steps = []) {
    const { entries, changes, goal } = pending;
    this.failures += 1;
    let state = pending.from;
    entries.forEach((entry, k) => {
      if (k < entries.length - 1) state = steps[k] ?? state;
      this.history.resolve(entry, changes[k], state);
    });
    if (!entries.length) this.history.resolve(goal, null, this.state);
    else this.wanting ||= !same(state, this.state);
    this.#answeredUpTo(pending);
    this.host.notice({ kind: "warning", words: why });
    this.#settle();
  }

  /** @param {PendingQuestion} asked */
  #answeredUpTo({ serial }) {
    this.pending = null;
    this.acknowledged = Math.max(this.acknowledged, serial);
  }

  #settle() {
    this.host.working(null);
    this.host.settle();
  }

  /**
   * Ask again, with what the server does not have; or say that it is not here either.
   *
   * @param {PendingQuestion} pending
   * @param {string[]} names
   */
  async #bring(pending, names) {
    const records = await this.keep.all(names);
    if (this.pending !== pending) return;
    const missing = names.find((name) => !records[name] || name in pending.bring);
    if (missing && this.host.needs().shown) {
      const words = `Neither the server nor this browser has ${nameOf(missing)}: open their file again.`;
      this.#refused(pending, words);
      this.#pump();
    } else this.#send({ ...pending.bring, ...records });
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

/** The first entries that one question carries: one at least, however long it is. */
function fitting(entries) {
  const chosen = [];
  let length = 0;
  for (const entry of entries) {
    length += lengthOf(entry.change);
    if (chosen.length === MOST_CHANGES || (chosen.length && length > MOST_CHARACTERS)) break;
    chosen.push(entry);
  }
  return chosen;
}

// What was answered lately, so that undo, redo and what was chosen before need no server.

const KNOWN_ANSWERS = 20; // So many answers are remembered.
const KNOWN_STEPS = 200; // So many states to which changes led are remembered.
const LONGEST_KEY = 10_000; // In characters, of a change.

class Answers {
  /** @type {Map<string, { header: AnswerHeader, asked: string[], dock: string[] }>} */
  #answers = new Map();
  /** @type {Map<string, PageState>} */
  #steps = new Map(); // The states to which changes led.

  /**
   * Keep the answer to a question, without what was said and done at that time alone.
   *
   * @param {Question} question
   * @param {AnswerHeader} header
   */
  put(question, header) {
    // It says what is wrong with what is typed at that time.
    if (Object.keys(header.drafts).length) return;
    const { commands, asked, dock } = question;
    const once = header.notices.length > 0 || header.edit || Object.keys(header.store).length > 0;
    const known = commands.length === 1 && !once ? changeKey(question, commands[0]) : null;
    if (known !== null) putLatest(this.#steps, known, header.steps[0], KNOWN_STEPS);
    const answer = {
      header: { ...header, steps: [], notices: [], store: {}, edit: false },
      asked: asked ?? [],
      dock,
    };
    putLatest(this.#answers, stepKey(header), answer, KNOWN_ANSWERS);
  }

  /** What was answered for a state, and with what. @param {PageState} state */
  lookUp(state) {
    return this.#answers.get(stepKey(state)) ?? null;
  }

  /**
   * To which state a change leads, null if that is not known.
   *
   * @type {(from: PageState | null, change: Command) => PageState | null}
   */
  stateAfter(from, change) {
    const key = from ? changeKey(from, change) : null;
    return key === null ? null : (this.#steps.get(key) ?? null);
  }
}

/** @param {PageState} state */
const stepKey = ({ link, origin, data }) => JSON.stringify([link, origin, data]);

/**
 * What a change and the state before it have in common with no others; null for one that is too
 * long to keep.
 *
 * @type {(from: PageState, change: Command) => string | null}
 */
function changeKey(from, { name, value }) {
  // Another link leads away from anywhere.
  const key = JSON.stringify([name === "replace" ? "" : stepKey(from), name, value]);
  return key.length < LONGEST_KEY ? key : null;
}
