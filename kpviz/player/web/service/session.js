// What the page shows, and what its reader asked for since. A change is an entry of the history at
// once. The goal is what the page shall show: the entry where it is, or a gesture that is not
// finished. A question brings the newest state that is known, and the changes since then: so a
// server needs no memory, and an answer that was lost does no harm. `Session` asks one question at
// a time; `Answers`, below, remembers what was answered lately.

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
const NOT_KEPT = "loading this page again loses it. Save the settings as a file to keep it.";
const NO_BYTES = new Uint8Array();
const RUN = "run"; // The kind of its questions: the socket has one of each kind at a time.
// In seconds: an answer that comes this soon is waited for, whatever is asked meanwhile; one that
// takes longer is given up for the next question.
const SHORT_WAIT = 1;
const MOST_CHANGES = 100; // In one question.
// In all changes of a question, unless one alone is longer: it may bring a file.
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
  // All that is asked for has a number: 1, 2, …
  serial = 0; // The newest number that was given.
  acknowledged = 0; // The newest number that is shown, or was refused or given up.
  failures = 0; // So often was something refused, or given up.
  isAnswerDue = true; // A question is to be asked, although there is no change.
  /** @type {Record<string, string>} */
  drafts = {}; // What is typed into fields, and not valid.
  /** @type {Record<string, string[]>} */
  seen = {}; // The groups of controls that are seen in each place ("dock", …).
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
    this.serial = history.unknown.length; // So many changes were not answered before a reload.
  }

  /** Begin to ask. @param {Host} host */
  start(host) {
    this.host = host;
    this.stopHistory = this.history.listen(
      () => {
        this.gesture = null; // So a browser that goes back gives up a page that is still loading.
        this.#ask();
      },
      (entry) => (entry === this.shownEntry ? host.query : (entry.state?.link ?? null)),
    );
    this.socket.listen((isServerHere) => {
      host.away(!isServerHere);
      this.#pump();
    });
  }

  stop() {
    this.stopHistory?.();
    this.pending = null;
    this.host = null;
  }

  // ---- what is asked for -----------------------------------------------------------------------

  /**
   * Change something; returns the number of what was asked for. `extras` is what the new entry's
   * address has besides settings; an entry that `stays` is one although the state is the same.
   */
  command(name, value = null, { extras = null, stays = false } = {}) {
    this.#finish();
    const change = { name, value };
    const state = this.answers.stateAfter(this.history.entry.state, change);
    const serial = this.serial + 1; // `#ask` gives this number.
    const address = extras ? { extras, stays } : {};
    this.history.push({ state, change: state ? null : change, serial, ...address });
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
    this.#drop(); // Its answer would give this entry the state that it had before.
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

  /** All groups of controls that are seen. */
  get dock() {
    return Object.values(this.seen).flat();
  }

  /**
   * Other groups of controls are seen in a place: answers must have their fields.
   *
   * @param {string[]} groups
   */
  see(groups, where = "dock") {
    this.seen[where] = groups;
    if (groups.length) this.again();
  }

  /** Ask for the run as it is: panels need more of it, or other controls are seen. */
  again() {
    this.isAnswerDue = true;
    this.#pump();
  }

  /** Stop working, as the reader wants: what was asked for is given up. */
  cancel() {
    this.socket.cancel(RUN);
    this.failures += 1;
    this.pending = null;
    this.gesture = null;
    this.isAnswerDue = this.live; // The middle of a gesture is shown, and not the entry.
    this.acknowledged = this.serial;
    this.history.giveUp(this.shownEntry);
    // Nothing was shown yet: the default settings come in place of the link.
    if (!this.shownEntry) {
      this.history.amend(DEFAULT);
      this.isAnswerDue = true;
    }
    this.#settle();
    this.#pump();
  }

  /** Whether what was asked for with this number is still to come. */
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

  /** Make a gesture that is under way an entry: what comes next is no part of it. */
  #finish() {
    const { gesture } = this;
    this.gesture = null;
    if (gesture) this.history.push(gesture);
  }

  /** The goal is another one: ask for it; returns its number. */
  #ask() {
    this.serial += 1;
    this.#pump();
    return this.serial;
  }

  // ---- asking ----------------------------------------------------------------------------------

  /**
   * Show the goal if its answer is known, else send a question. This is called after all that may
   * make that possible, and does nothing where it is not.
   */
  #pump() {
    if (!this.host) return;
    this.#showKnown();
    // A question that is soon answered is waited for; one that takes long is replaced.
    if (!this.socket.isConnected || (this.pending && !this.pending.long)) return;
    const serial = this.pending?.serial ?? this.acknowledged;
    if (this.isAnswerDue || serial < this.serial) this.#send();
  }

  /** Show the goal at once, if it was answered lately. */
  #showKnown() {
    const { state } = this.#goal;
    if (!state || !this.awaits(this.serial) || !this.history.begun) return;
    // Answers also say what is wrong with drafts: those that are remembered were without any.
    if (Object.keys(this.drafts).length > 0) return;
    const known = this.answers.lookUp(state);
    if (!known || !this.host.has(known.header)) return;
    if (this.pending) {
      this.socket.cancel(RUN);
      this.host.working(null);
    }
    this.#drop();
    this.acknowledged = this.serial;
    this.#show(known.header, NO_BYTES);
    // The remembered answer may lack extras or controls that are seen by now.
    const misses = (names, has) => (names ?? []).some((name) => !has.includes(name));
    this.isAnswerDue ||=
      misses(this.host.needs().asked, known.asked) || misses(this.dock, known.dock);
  }

  /**
   * Ask for the goal, or as far towards it as one question carries.
   *
   * @param {Record<string, Stored | null>} [bring] what the server said that it needs
   */
  #send(bring = {}) {
    const { history } = this;
    const { base } = history;
    // Before the first answer changes would have no state to begin with.
    const unknown = history.begun ? [...history.unknown] : [];
    if (history.begun && this.gesture) unknown.push(this.gesture);
    const entries = fitting(unknown);
    const goal = entries.at(-1) ?? base;
    this.#drop();
    const pending = {
      serial: goal === this.#goal ? this.serial : (goal.serial ?? 0),
      from: base.state,
      goal,
      entries,
      changes: entries.map(({ change }) => change),
      wanted: this.isAnswerDue,
      long: false,
      bring,
    };
    this.pending = pending;
    this.isAnswerDue = false;
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

  /** Forget the pending question; if it was due without a change, another one is due. */
  #drop() {
    this.isAnswerDue ||= this.pending?.wanted ?? false;
    this.pending = null;
  }

  // ---- what comes of it ------------------------------------------------------------------------

  // Each of these is called with the question to which it belongs, and does nothing if that is no
  // longer the pending one.

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
   * Take an answer with a run: keep what it stores, give the entries their states, and show it.
   *
   * @param {PendingQuestion} pending
   * @param {Question} question
   * @param {AnswerHeader} header
   * @param {Uint8Array} runBytes
   */
  #take(pending, question, header, runBytes) {
    const { history } = this;
    const { goal, entries, changes } = pending;
    // Otherwise the page went elsewhere meanwhile, for example by undo.
    const leadsToGoal = goal === this.gesture || history.holds(goal);
    for (const [name, record] of Object.entries(header.store)) {
      // What the page sent itself is not sent back: the answer says which command brought it.
      this.#store(name, "command" in record ? changes[record.command] : record);
    }
    entries.forEach((entry, k) => history.resolve(entry, changes[k], header.steps[k]));
    if (!entries.length) history.resolve(goal, null, stepOf(header));
    if (!question.live) this.answers.put(question, header);
    this.#answeredUpTo(pending);
    this.host.working(null);
    if (leadsToGoal) this.#show(header, runBytes, question.live);
    const command = question.commands.at(-1)?.name;
    for (const notice of header.notices) this.host.notice(notice, command);
  }

  /** Keep what no link can hold. @param {string} name @param {Stored} record */
  async #store(name, record) {
    if (await this.keep.put(name, record)) return;
    this.host?.notice({
      kind: "warning",
      words: `This browser could not keep ${nameOf(name)}: ${NOT_KEPT}`,
    });
  }

  /**
   * Show what an answer says; `live` in the middle of a gesture.
   *
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
   * The run cannot be shown: the page stays as it was before the last change, and the entry of that
   * change has the state before it.
   *
   * @param {PendingQuestion} pending
   * @param {string} why
   * @param {PageState[]} [steps] the states to which the changes led
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
    else this.isAnswerDue ||= !same(state, this.state); // The changes before the last one.
    this.#answeredUpTo(pending);
    this.host.notice({ kind: "warning", words: why });
    this.#settle();
  }

  /** All up to a question is answered. @param {PendingQuestion} pending */
  #answeredUpTo({ serial }) {
    this.pending = null;
    this.acknowledged = Math.max(this.acknowledged, serial);
  }

  #settle() {
    this.host.working(null);
    this.host.settle();
  }

  /**
   * Ask again, with what the server does not have; or say that this browser does not have it
   * either, or brought it already and in vain.
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

/**
 * What a reader calls data that a link only names: the name of their file, which stands before "~".
 *
 * @param {string} name
 */
const nameOf = (name) => name.split("~")[0] || "these points";

/** @type {(header: AnswerHeader) => PageState} */
const stepOf = ({ link, origin, data }) => ({ link, origin, data });

/**
 * The length of a change in characters: it is long if it brings data or the text of a file.
 *
 * @type {(change: Command) => number}
 */
const lengthOf = ({ value }) => {
  const { data = "", text = "" } = /** @type {{ data?: string, text?: string }} */ (value ?? {});
  return data.length + text.length;
};

/**
 * The first entries that one question carries: one at least, however long it is.
 *
 * @param {Entry[]} entries
 */
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
   * Remember the answer to a question, without what was said and done at that time alone.
   *
   * @param {Question} question
   * @param {AnswerHeader} header
   */
  put(question, header) {
    // Such an answer says what is wrong with what was typed at that time.
    if (Object.keys(header.drafts).length) return;
    const { commands, asked, dock } = question;
    // Where the change leads is remembered only if carrying it out again would do nothing else.
    const doesMore =
      header.notices.length > 0 || header.edit || Object.keys(header.store).length > 0;
    const key = commands.length === 1 && !doesMore ? changeKey(question, commands[0]) : null;
    if (key !== null) putLatest(this.#steps, key, header.steps[0], KNOWN_STEPS);
    const answer = {
      header: { ...header, steps: [], notices: [], store: {}, edit: false },
      asked: asked ?? [],
      dock,
    };
    putLatest(this.#answers, stepKey(header), answer, KNOWN_ANSWERS);
  }

  /** The answer for a state, with the extras and controls that it has. @param {PageState} state */
  lookUp(state) {
    return this.#answers.get(stepKey(state)) ?? null;
  }

  /**
   * The state to which a change leads, null if that is not known.
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
 * A key for a change and the state before it; null for a change that is too long to keep.
 *
 * @type {(from: PageState, change: Command) => string | null}
 */
function changeKey(from, { name, value }) {
  // "replace" opens a link, and leads to the same state from anywhere.
  const key = JSON.stringify([name === "replace" ? "" : stepKey(from), name, value]);
  return key.length < LONGEST_KEY ? key : null;
}
