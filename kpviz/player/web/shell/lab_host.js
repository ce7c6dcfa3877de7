// The chips of the kernel lab: the settings are here, and Streamlit's widgets below follow them.

import { Dock } from "../dock/dock.js";
import { make } from "./dom.js";
import { openFiles } from "../input/drop.js";
import { Notices } from "./notices.js";
import { isOn } from "./preferences.js";
import { Status } from "./status.js";
import { TermBox } from "./terms.js";
import { Working } from "./working.js";

/** @import { Link } from "../service/link.js" */
/** @import { Session } from "../service/session.js" */
/** @import { Streamlit } from "./serve.js" */
/** @import { AnswerHeader, Host, LabData, Notice, Progress } from "../types.d.ts" */

const AWAY = "No answer from kpviz’s server: changes wait.";
const WAYS = [
  { name: "", label: "Perceptron" },
  { name: "fisher", label: "Fisher’s discriminant", part: "Fisher", own: true },
];
const NARROW = 900; // px of width, below which the settings are a sheet
const WIDTH = 300;
const TOP = 48; // px: the line of chips
const SHARE = 0.5; // of the height, that a sheet takes
const AGAIN = 1000; // ms
const TYPING = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [role=dialog]";
const ROOM = "--kpviz-dock-"; // what style.css leaves free beside, or below

/** @implements {Host} */
export class LabHost {
  answered = false;
  /** @type {LabData | null} */
  data = null; // what Python said last
  sent = ""; // the link that Python was told last
  wasAway = false;
  /** @type {ReturnType<typeof setInterval> | null} */
  waking = null; // while it is not known what Python still knows

  /**
   * @param {HTMLElement & { kpviz?: LabHost }} root
   * @param {{ session: Session, link: Link, streamlit: Streamlit }} served
   */
  constructor(root, { session, link, streamlit }) {
    this.root = root;
    this.session = session;
    this.link = link;
    this.streamlit = streamlit;
    root.kpviz = this; // for the tests, and for the curious
    const line = make(document, "p", { className: "status", role: "status", hidden: true });
    root.append(line);
    this.status = new Status(line);
    this.notices = new Notices(root, () => this.arrange());
    this.terms = new TermBox(root, "");
    this.work = new Working(root, () => session.cancel());
    this.dock = new Dock(root, this.#wiring(), WAYS, "kernel lab");
    this.controller = new AbortController();
    const { signal } = this.controller;
    window.addEventListener("resize", () => this.arrange(), { signal });
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  /** Z undoes and Shift Z redoes, as on the other pages, unless one is typing. */
  #key(event) {
    const { session } = this;
    if (event.key.toLowerCase() !== "z" || event.ctrlKey || event.altKey || event.metaKey || !isOn("z")) return;
    if (event.composedPath().some((node) => node instanceof Element && node.matches(TYPING))) return;
    event.preventDefault();
    if (event.shiftKey) session.redo();
    else session.undo();
  }

  #wiring() {
    const { session, streamlit } = this;
    return {
      session,
      dialog: (name) => streamlit.dialog(name, 0, this.query),
      open: (files) => openFiles(this, files),
      go: (page) => streamlit.go(page, page === "" ? session.state.link : null),
      arrange: () => this.arrange(),
    };
  }

  stop() {
    this.controller.abort();
    clearInterval(this.waking);
    this.link.stop();
    this.#leaveFree(0, 0);
  }

  // ---- what the run service says ----------------------------------------------------------------

  /** The query of the address: the settings, and what the lab adds. */
  get query() {
    return [this.session.state.link, this.data?.query].filter(Boolean).join("&");
  }

  wanted() {
    return { asked: null, have: [], shown: this.answered };
  }

  has() {
    return true;
  }

  /** @param {AnswerHeader} header */
  take(header) {
    this.answered = true;
    this.dock.take(header.dock, header.link);
    queueMicrotask(() => this.#follow()); // the session knows then where it is
  }

  settle() {
    this.dock.settle();
  }

  /** @param {Notice} notice */
  notice(notice) {
    this.notices.show(notice);
  }

  recolour() {
    this.arrange();
  }

  /** @param {Progress | null} progress */
  working(progress) {
    this.work.show(progress);
  }

  /** @param {boolean} away */
  away(away) {
    this.#rest();
    if (!away && this.wasAway) this.#wake();
    else this.notices.stand(away ? AWAY : null);
    this.wasAway = away;
  }

  /** Say what is shown until Python has it: Streamlit connects by itself, and loses what is said before. */
  #wake() {
    this.waking = setInterval(() => this.#restore(), AGAIN);
  }

  /** Python has it. */
  #rest() {
    clearInterval(this.waking);
    this.waking = null;
  }

  /** @param {string} words */
  say(words) {
    this.status.say(words);
  }

  /** @param {Error} error */
  fail(error) {
    console.error(error);
    this.status.say(`The page could not show these settings (${error.message}). Reload the page.`, { persist: true });
  }

  locked() {
    return false;
  }

  // ---- Streamlit --------------------------------------------------------------------------------

  /** Streamlit has run; another session than before knows nothing of what is shown. @param {LabData} data */
  update(data) {
    const isOther = this.data !== null && this.data.id !== data.id;
    if (isOther && this.waking) return; // it is being told
    if (isOther) {
      this.#wake();
      this.#restore();
      return;
    }
    if (this.waking) {
      this.sent = "";
      this.notices.stand(null);
    }
    this.#rest();
    this.data = data;
    this.#follow();
  }

  #restore() {
    this.#send("restore", { query: this.query, id: this.data?.id });
  }

  /** Let Python's settings and the address follow those of the chips. */
  #follow() {
    const { data, session } = this;
    if (!data || !this.answered) return;
    const { link } = session.state;
    if (link !== data.link && link !== this.sent) this.#send("link", { link });
    this.sent = link;
    if (session.settled) this.link.set(this.query, link);
  }

  async #send(name, value) {
    const bring = await this.streamlit.bring();
    if (!this.controller.signal.aborted) this.streamlit.trigger(name, { ...value, bring });
  }

  // ---- where the settings lie -------------------------------------------------------------------

  /** Beside the page, or over its lower part; what is said stands above them. */
  arrange() {
    const { dock, root } = this;
    const sheet = window.innerWidth < NARROW;
    const right = root.getBoundingClientRect().right;
    const h = sheet ? Math.round(window.innerHeight * SHARE) : window.innerHeight - TOP;
    const place = { x: right - WIDTH, y: TOP, w: WIDTH, h };
    dock.place({ dock: dock.open ? place : null, sheet });
    const under = dock.open && sheet ? h : 0;
    this.notices.box.style.bottom = `${under}px`;
    this.#leaveFree(dock.open && !sheet ? WIDTH + 12 : 0, under + this.notices.height);
  }

  /** Narrow what stands below the chips. */
  #leaveFree(beside, below) {
    const { style } = document.documentElement;
    for (const [name, length] of Object.entries({ beside, below })) {
      if (length) style.setProperty(ROOM + name, `${length}px`);
      else style.removeProperty(ROOM + name);
    }
  }
}
