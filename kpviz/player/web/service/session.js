// What the page shows, and what its reader asked for since: the newest state that was answered, and the commands since
// then, in their order. Each question brings both, so that a server needs no memory, and an answer that was lost does no harm.

import { finished, Pending, same, stored } from "./pending.js";
import { inflated } from "./inflated.js";
import { headerOf } from "../model/payload.js";

/** @import { Door } from "./door.js" */
/** @import { History } from "./history.js" */
/** @import { Keep } from "./keep.js" */
/** @import { AnswerHeader, Asked, Entry, Host, Progress, Question, Refusal, Step } from "../types.d.ts" */

const DEFAULT = { link: "v=1", origin: null, data: null };
const SOON = 1; // seconds left within which an answer is waited for, whatever is asked meanwhile

export class Session {
  /** @type {Step} */
  state; // the newest that was answered
  /** @type {{ state: Step, n: number } | null} */
  target = null; // where to go before the commands
  pending = new Pending();
  acknowledged = 0; // the newest command that was answered
  /** @type {Asked | null} */
  under = null; // way
  /** @type {Record<string, string>} */
  drafts = {};
  /** @type {string[]} */
  dock = []; // the groups of controls that are seen
  n = 0; // of the newest question
  wanting = true; // an answer, although there is no command
  here = false; // a server
  /** @type {number | null} */
  open = null; // the newest gesture
  live = false; // the state is in the middle of a gesture
  /** @type {number | null} */
  travelling = null; // the number of the command by which the browser goes back or forward
  /** @type {Host | null} */
  host = null;

  /** @param {{ door: Pick<Door, "ask" | "cancel" | "listen">, history: History, keep: Pick<Keep, "all" | "put" | "forget">, page?: string }} parts */
  constructor({ door, history, keep, page = "play" }) {
    this.door = door;
    this.history = history;
    this.keep = keep;
    this.page = page;
    this.state = history.opened;
  }

  /**
   * Begin to ask.
   *
   * @param {Host} host
   */
  start(host) {
    this.host = host;
    this.stopHistory = this.history.listen((state) => this.#went(state));
    this.door.listen((state) => this.#connected(state === "here"));
  }

  stop() {
    this.stopHistory?.();
    this.under = null;
    this.host = null;
  }

  // ---- what is asked for ------------------------------------------------------------------------

  /** Give a command; returns its number. */
  command(name, value = null) {
    this.#finish(null);
    return this.#put({ name, value });
  }

  /** Say what a gesture has come to; only its newest command counts. Returns its number. */
  stream(name, value, { gesture, last }) {
    this.#finish(gesture);
    this.pending.drop(gesture);
    return this.#put({ name, value, gesture, last });
  }

  /** Go back to where a gesture began; returns the number of what was asked for. */
  abandon(gesture) {
    this.pending.abandon(gesture);
    this.open = null;
    this.live = false;
    return this.#put({ way: "back" });
  }

  /** Undo the last change, or redo the one that was undone; returns its number. */
  undo() {
    this.#finish(null);
    if (!this.counts.undo) return this.pending.newest;
    const n = this.pending.undo();
    this.#pump();
    if (!this.here || this.under?.long) this.#takeBack();
    return n;
  }

  redo() {
    this.#finish(null);
    const n = this.pending.redo();
    this.#pump();
    return n;
  }

  /** Ask for the run as it is: panels need more of it, or other controls are seen. */
  ask() {
    this.wanting = true;
    this.#pump();
  }

  /** Stop working: what was asked for is given up. */
  cancel() {
    this.door.cancel(++this.n);
    if (this.target && this.history.state) this.history.amend(this.state);
    this.wanting = false;
    this.pending.giveUp();
    this.#done(this.pending.newest);
    if (!this.host.wanted().shown) this.target = { state: DEFAULT, n: 0 };
    this.#settled();
    this.#pump();
  }

  /** Whether the answer to command n is still to come. */
  awaits(n) {
    return n > this.acknowledged;
  }

  /** Whether something that was asked for is still to come. */
  get busy() {
    const { under, target, travelling, pending } = this;
    return under !== null || target !== null || travelling !== null || pending.first !== undefined;
  }

  /** Whether what is shown is the state of an entry, and not the middle of a gesture, or one that is being left. */
  get settled() {
    return this.history.state !== null && same(this.state, this.history.state);
  }

  /** How often one can undo and redo, with what is under way. */
  get counts() {
    const { undo, redo } = this.history.counts;
    const shown = Number(this.live && !this.pending.holds(this.open)); // a gesture that is not finished
    const changed = shown + this.pending.changes > 0;
    return { undo: this.pending.undoable(undo + shown), redo: this.pending.redone ?? (changed ? 0 : redo) };
  }

  /** @param {Omit<Entry, "n">} entry */
  #put(entry) {
    const n = this.pending.put(entry);
    this.#pump();
    return n;
  }

  /** Another gesture or command begins: the one before it is finished. */
  #finish(gesture) {
    const { open } = this;
    if (gesture === open) return;
    if (open !== null && !this.pending.finish(open) && this.live) this.#record(this.state);
    this.live = false;
    this.open = gesture;
  }

  // ---- asking -----------------------------------------------------------------------------------

  /** Ask what there is to ask, if it is the time for it. */
  #pump() {
    if (!this.host || !this.here || this.travelling !== null) return;
    if (this.under && !this.under.long) return;
    while (this.pending.first?.way) {
      if (this.under && !this.history.state) return; // there is nothing yet to go back from
      if (this.under) this.door.cancel(++this.n);
      this.#drop();
      if (this.#travel(this.pending.shift())) return;
    }
    if (this.wanting || this.target || this.#newer) this.#send();
  }

  /** The commands that can be asked now: first the page shows what its link says. */
  get #batch() {
    return this.history.state ? this.pending.batch : [];
  }

  /** Whether there are commands that were not asked. */
  get #newer() {
    return this.#batch.some(({ n }) => n > (this.under?.upTo ?? this.acknowledged));
  }

  #send(bring = {}) {
    const entries = this.#batch;
    const { target } = this;
    const newest = entries.at(-1);
    const under = {
      n: ++this.n,
      wanted: this.wanting,
      entries,
      target: target?.state ?? null,
      upTo: newest?.n ?? target?.n ?? this.acknowledged,
      long: false,
      bring,
    };
    this.under = under;
    this.wanting = false;
    /** @type {Question} */
    const question = {
      n: under.n,
      page: this.page,
      ...(target?.state ?? this.state),
      commands: entries.map(({ name, value }) => ({ name, value })),
      drafts: this.drafts,
      ...this.host.wanted(),
      dock: this.dock,
      live: newest !== undefined && !finished(newest),
      bring,
    };
    this.door
      .ask(question, { progress: (progress) => this.#progress(under, progress) })
      .then(
        async (bytes) => this.#answered(under, await inflated(bytes)),
        () => this.#lost(under),
      )
      .catch((error) => this.host?.fail(error));
  }

  /** The question gets no answer: what it asked for is asked again. */
  #drop() {
    this.wanting ||= this.under?.wanted ?? false;
    this.under = null;
  }

  /**
   * Go where an entry of the queue leads; returns whether that takes a while.
   *
   * @param {Entry} entry
   */
  #travel(entry) {
    const { way, n } = entry;
    if (way === "back" && this.history.state && !this.settled) {
      this.target = { state: this.history.state, n };
      return false;
    }
    if (way === "undo" || way === "redo") {
      this.travelling = n;
      if (this.history[way]()) return true;
      this.travelling = null;
      if (way === "undo") this.pending.spare(entry);
    }
    this.acknowledged = Math.max(this.acknowledged, n);
    this.#settled();
    return false;
  }

  /**
   * The browser went to an entry; returns whether the page goes with it.
   *
   * @param {Step} state
   */
  #went(state) {
    const n = this.travelling ?? this.pending.newest;
    const goes = !this.host.locked();
    if (goes && this.travelling === null) this.#done(n); // as a browser gives up a page that it is still loading
    if (goes && this.travelling === null) this.pending.undone = [];
    if (goes) this.target = { state, n };
    this.travelling = null;
    Promise.resolve().then(() => this.#pump()); // the history knows then where it is
    return goes;
  }

  /** Take back the newest command that is not answered, where the answer would be long in coming. */
  #takeBack() {
    if (!this.pending.unwind(this.history.counts)) return;
    if (this.under) this.door.cancel(++this.n);
    this.#drop();
    if (!this.pending.first) this.acknowledged = this.pending.newest;
    this.#settled();
    this.#pump();
  }

  // ---- what comes of it -------------------------------------------------------------------------

  #connected(here) {
    this.here = here;
    this.host?.away(!here);
    this.#pump();
  }

  /**
   * @param {Asked} under
   * @param {Progress} progress
   */
  #progress(under, progress) {
    if (this.under !== under) return;
    this.host.working(progress);
    under.long ||= progress.left === null || progress.left > SOON;
    if (!under.long) return;
    this.#takeBack();
    if (this.#newer || this.wanting) this.#pump();
  }

  /** @param {Asked} under */
  #lost(under) {
    if (this.under !== under) return;
    this.#drop();
    this.host.working(null);
    this.#pump();
  }

  /**
   * @param {Asked} under
   * @param {Uint8Array} bytes
   */
  #answered(under, bytes) {
    if (this.under !== under) return;
    /** @type {AnswerHeader & Refusal} */
    const header = headerOf(bytes);
    if (header.needs?.length) {
      this.#bring(under, header.needs);
      return;
    }
    if (typeof header.failed === "string") this.#refused(under, header.failed);
    else this.#take(under, bytes, header);
    this.#pump();
  }

  /**
   * @param {Asked} under
   * @param {Uint8Array} bytes
   * @param {AnswerHeader} header
   */
  #take(under, bytes, header) {
    const { entries } = under;
    this.#done(under.upTo);
    this.state = { link: header.link, origin: header.origin, data: header.data };
    this.drafts = header.drafts ?? {};
    for (const [name, record] of Object.entries(header.store ?? {})) this.keep.put(name, stored(record, entries));
    this.host.working(null);
    if (entries.length || under.target) this.live = entries.length > 0 && !finished(entries.at(-1));
    this.host.take(bytes, header);
    if (!this.history.state) this.history.begin(this.state);
    else if (under.target && !entries.length) this.history.amend(this.state);
    entries.forEach((entry, k) => finished(entry) && this.#record(header.steps[k]));
    for (const notice of header.notices ?? []) this.host.notice(notice);
  }

  /**
   * The run cannot be shown: the page stays as it is.
   *
   * @param {Asked} under
   * @param {string} why
   */
  #refused(under, why) {
    this.#done(under.upTo);
    if (under.target) this.history.amend(this.state);
    this.host.notice({ kind: "warning", words: why });
    this.#settled();
  }

  /** What is answered is no longer on its way. */
  #done(upTo) {
    this.under = null;
    this.target = null;
    this.acknowledged = Math.max(this.acknowledged, upTo);
    this.pending.answered(this.acknowledged);
  }

  #settled() {
    this.host.working(null);
    this.host.settle();
  }

  /**
   * A change is finished: it is an entry of its own, if it is one.
   *
   * @param {Step} state
   */
  #record(state) {
    const { history } = this;
    if (!history.state || same(state, history.state)) return;
    history.push(state, same(state, this.state) ? this.host.query : state.link);
  }

  /**
   * Ask again, with what the server does not have; or say that it is not here either.
   *
   * @param {Asked} under
   * @param {string[]} names
   */
  async #bring(under, names) {
    const found = await this.keep.all(names);
    if (this.under !== under) return;
    const missing = names.find((name) => !found[name] || name in under.bring);
    if (missing && this.host.wanted().shown) {
      this.#refused(
        under,
        `Neither the server nor this browser has ${missing.split("~")[0] || "these points"}: open their file again.`,
      );
      this.#pump();
    } else this.#send({ ...under.bring, ...found });
  }
}
