// A page with a server: link, history, storage, websocket and session beside the stage that shows
// them.

import { focusedElement } from "./dom.js";
import { History } from "../service/history.js";
import { Keep, storedNames } from "../service/keep.js";
import { Session } from "../service/session.js";
import { keep, recall, PLACES } from "../service/texts.js";

/** @import { Link } from "../service/link.js" */
/** @import { ServiceSocket } from "../service/socket.js" */
/** @import { Host, Outside, Reply, Trigger } from "../service/types.d.ts" */

// Streamlit says in a dialog that no server answers; the player goes on without one, and says so
// itself.

const TITLE = "Connection error";
const DIALOG = "[data-testid=stDialog]";

/** Close that dialog before it is seen; returns a function that stops. */
function quietConnectionErrors() {
  const observer = new MutationObserver(() => {
    for (const dialog of document.querySelectorAll(DIALOG)) {
      const { style } = /** @type {HTMLElement} */ (dialog);
      if (style.display === "none" || !dialog.textContent.includes(TITLE)) continue;
      style.display = "none";
      // It comes no second time.
      /** @type {HTMLElement | null} */ (dialog.querySelector("button[aria-label=Close]"))?.click();
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

// What the pages of a tab share: each has the modules from an address of its own, so this is in the
// window.

/**
 * `left` is what each page showed when it was left: its settings, and its address. `carriedOut` is
 * the newest reply, as JSON: Streamlit sends it again with each of its runs.
 *
 * @typedef {{ keep: Keep | null, left: Map<string, { link: string, query: string }>, carriedOut:
 *   string }} Shared
 */

const tab = /** @type {Window & { kpvizShared?: Shared }} */ (window);

export const shared = (tab.kpvizShared ??= { keep: null, left: new Map(), carriedOut: "" });

// What the player asks Streamlit for: dialogs and other pages. A dialog ends with a command for the
// run service.

/** @implements {Outside} */
export class Streamlit {
  /** @type {Trigger} */
  trigger = () => {};
  closed = 0; // So many dialogs were closed.
  /** @type {HTMLElement | null} */
  opener = null; // What had the focus when the dialog was opened, where the focus is seen.
  draft = ""; // What is typed into the open dialog is kept under its settings.

  /** @param {Session} session @param {Link} link */
  constructor(session, link) {
    this.session = session;
    this.link = link;
    this.stopQuiet = quietConnectionErrors();
    this.controller = new AbortController();
    const options = { signal: this.controller.signal, capture: true };
    for (const kind of ["input", "click", "drop"]) {
      document.addEventListener(kind, (event) => this.#typed(event), options);
    }
  }

  stop() {
    this.controller.abort();
    this.stopQuiet();
  }

  /**
   * Keep the cues that are being written as text: a reload or a restart of the server would take
   * them.
   */
  #typed({ type, target }) {
    const field = /** @type {Element} */ (target).closest(
      ".st-key-lecture-text, .st-key-lecture-file, .st-key-lecture-again",
    );
    if (field?.matches(".st-key-lecture-text")) {
      if (type === "input") {
        keep(PLACES.cuesText, /** @type {HTMLTextAreaElement} */ (target).value, this.draft);
      }
    } else if (field) keep(PLACES.cuesText, null, this.draft); // Something else takes its place.
  }

  /**
   * Streamlit has run.
   *
   * @param {{ reply?: Reply | null, closed?: number } | null} data
   * @param {Trigger} trigger
   */
  take(data, trigger) {
    this.trigger = trigger;
    const { reply, closed = 0 } = data ?? {};
    const { opener } = this;
    if (closed !== this.closed) {
      this.opener = null;
      // After Streamlit has let go.
      setTimeout(() => document.activeElement === document.body && opener?.focus(), 0);
    }
    this.closed = closed;
    const text = JSON.stringify(reply ?? "");
    if (!reply || text === shared.carriedOut) return;
    shared.carriedOut = text;
    if (reply.name === "cues") keep(PLACES.cuesText, null, this.draft);
    this.session.command(reply.name, reply.value);
  }

  /**
   * Open a dialog about an instant; `address` says what is shown of it, `source` which lesson.
   */
  async dialog(name, t, address, source = null) {
    const { link } = this.session.state;
    const focused = focusedElement();
    this.opener = focused?.matches(":focus-visible") ? focused : null;
    this.draft = link;
    const draft = name === "lecture" ? recall(PLACES.cuesText, this.draft) : null;
    this.trigger("dialog", {
      name,
      n: Date.now(),
      t,
      link,
      address,
      lesson: source,
      draft,
      bring: await this.bring(),
    });
  }

  /** What the settings only name, as the browser keeps it. */
  async bring() {
    const { keep, state } = this.session;
    const records = await keep.all(storedNames(state.link));
    return Object.fromEntries(Object.entries(records).filter(([, record]) => record));
  }

  /**
   * Open another page, by its path ("lab", "fisher", "": the player), as it was left; where that
   * were other settings than those of `link`, with these.
   *
   * @param {string | null} [link]
   */
  go(page, link = null) {
    const before = shared.left.get(page || "play");
    this.link.open(
      page,
      before && (link ?? before.link) === before.link ? before.query : (link ?? ""),
    );
  }

  /** Open another page at a query. */
  open(page, query) {
    this.link.open(page, query);
  }

  /** This page is left, with this query in its address. */
  leave(query) {
    const { page, state } = this.session;
    shared.left.set(page, { link: state.link, query });
  }
}

export class Served {
  scheme = window.matchMedia("(prefers-color-scheme: dark)");
  recolour = () => this.host?.recolour?.();

  /**
   * @param {string} page its name
   * @param {object} parts
   * @param {Link} parts.link
   * @param {ServiceSocket} parts.socket
   * @param {(session: Session, link: Link) => Outside} parts.outside
   */
  constructor(page, { link, socket, outside }) {
    shared.keep ??= new Keep();
    this.page = page;
    this.link = link;
    this.socket = socket;
    this.session = new Session({ socket, history: new History(link), keep: shared.keep, page });
    this.outside = outside(this.session, link);
  }

  /** @param {Host & { stop(): void }} host */
  start(host) {
    this.host = host;
    this.session.start(host);
    this.scheme.addEventListener("change", this.recolour);
  }

  /** Streamlit has run, or the page's theme is another one: Streamlit calls for either. */
  take(data, trigger) {
    this.outside.take(data, trigger);
    this.recolour();
  }

  stop() {
    this.scheme.removeEventListener("change", this.recolour);
    if (this.host.needs().shown) this.outside.leave(this.host.query);
    this.outside.stop();
    this.host.stop();
    this.session.stop();
    this.socket.stop();
  }
}
