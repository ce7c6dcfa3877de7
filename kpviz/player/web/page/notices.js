// What is said under the words, or on a phone under the buttons: a warning stays until it
// is closed, a hint goes by itself, and so does either before a class; both go with the data of
// which they were said. A fact stays for as long as answers say it.

import { closing, make, pressable } from "./dom.js";

/** @import { Rect } from "../board/types.d.ts" */
/** @import { Notice } from "../service/types.d.ts" */

const HINT_TIME = 15_000; // In ms.
const STAGE_TIME = 8000; // In ms, before a class, where the next key sends it away, too.

export class Notices {
  // In ms: what is so for longer is said. A connection that is lost is often back by then.
  patience = 2000;
  lasting = make("p", { className: "warning" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting; // It says what is so after this time.
  /** @type {Map<HTMLElement, string | null>} */
  messages = new Map(); // Each with the data of which it was said, null for none.
  /** @type {Map<string, { notice: Notice, box: HTMLElement }>} */
  facts = new Map(); // By topic.
  /** @type {Set<string>} */
  closed = new Set(); // The topics of facts that the reader closed are not shown again.

  /**
   * @param {HTMLElement} root
   * @param {() => boolean} isBeforeClass
   * @param {() => void} changed what lays the page out for another height
   * @param {(changes: Record<string, unknown>) => void} set what changes settings
   */
  constructor(root, isBeforeClass, changed, set) {
    this.isBeforeClass = isBeforeClass;
    this.changed = changed;
    this.set = set;
    this.box = make("div", { className: "notices", "aria-live": "polite" });
    root.append(this.box);
  }

  /** @param {Notice} notice @param {string | null} [data] of which it is said */
  show(notice, data = null) {
    const isShown = [...this.box.children].some(
      ({ firstChild }) => firstChild.textContent === notice.words,
    );
    if (isShown) return;
    const close = () => {
      box.remove();
      this.messages.delete(box);
      this.changed();
    };
    const box = this.#boxOf(notice, close);
    this.messages.set(box, data);
    this.box.append(box);
    if (this.isBeforeClass()) setTimeout(close, STAGE_TIME);
    else if (notice.kind === "hint") setTimeout(close, HINT_TIME);
    this.changed();
  }

  /** Other data are shown: what was said of others goes. @param {string} data */
  dropThoseOfOtherData(data) {
    const outdated = [...this.messages].filter(
      ([, dataOfMessage]) => dataOfMessage !== null && dataOfMessage !== data,
    );
    for (const [box] of outdated) {
      box.remove();
      this.messages.delete(box);
    }
    if (outdated.length) this.changed();
  }

  /**
   * These facts hold now, and no others. Before a class none is shown.
   *
   * @param {Notice[]} facts
   */
  showFacts(facts) {
    const visibleFacts = this.isBeforeClass()
      ? []
      : facts.filter(({ topic }) => !this.closed.has(topic));
    const open = new Map(visibleFacts.map((fact) => [fact.topic, fact]));
    const before = this.facts;
    this.facts = new Map();
    let changes = false;
    for (const [topic, { notice, box }] of before) {
      if (JSON.stringify(open.get(topic)) === JSON.stringify(notice)) {
        this.facts.set(topic, { notice, box });
        continue;
      }
      changes = true;
      const successor = open.get(topic);
      if (!successor) {
        box.remove();
        continue;
      }
      const hadFocus = box.contains(/** @type {ShadowRoot} */ (box.getRootNode()).activeElement);
      const made = this.#put(successor, (newBox) => box.replaceWith(newBox));
      if (hadFocus) /** @type {HTMLElement} */ (made.querySelector("button, select")).focus();
    }
    for (const fact of open.values()) {
      if (this.facts.has(fact.topic)) continue;
      changes = true;
      this.#put(fact, (box) => this.box.append(box));
    }
    if (changes) this.changed();
  }

  /** @param {Notice} notice @param {(box: HTMLElement) => void} place */
  #put(notice, place) {
    const box = this.#boxOf(notice, () => {
      this.closed.add(notice.topic);
      this.facts.delete(notice.topic);
      box.remove();
      this.changed();
    });
    this.facts.set(notice.topic, { notice, box });
    place(box);
    return box;
  }

  /** @param {Notice} notice @param {() => void} close */
  #boxOf({ kind, words, actions = [], menu }, close) {
    const buttons = menu
      ? [this.#menuOf(menu, actions)]
      : actions.map(({ label, changes }) =>
          pressable(label, () => this.set(changes), { className: "action" }),
        );
    return make("p", { className: kind }, make("span", {}, words), ...buttons, closing(close));
  }

  /** @param {string} label @param {Notice["actions"]} actions */
  #menuOf(label, actions) {
    const options = [label, ...actions.map((action) => action.label)].map((name) =>
      make("option", {}, name),
    );
    const list = make("select", { className: "action", "aria-label": label }, ...options);
    list.addEventListener("change", () => {
      const action = actions[list.selectedIndex - 1];
      list.selectedIndex = 0;
      if (action) this.set(action.changes);
    });
    return list;
  }

  /** All that was said goes, but not what is still so. Returns whether anything was said. */
  clear() {
    const boxes = [...this.messages.keys(), ...[...this.facts.values()].map(({ box }) => box)];
    for (const box of boxes) box.remove();
    this.messages.clear();
    this.facts.clear();
    if (boxes.length) this.changed();
    return boxes.length > 0;
  }

  /**
   * Say something for as long as it is so, unless it is soon over; null: it is so no longer.
   *
   * @param {string | null} words
   */
  showWhileSo(words) {
    clearTimeout(this.waiting);
    const say = () => {
      this.lasting.replaceChildren(make("span", {}, words));
      this.box.prepend(this.lasting);
      this.changed();
    };
    if (words !== null) this.waiting = setTimeout(say, this.patience);
    else if (this.lasting.isConnected) {
      this.lasting.remove();
      this.changed();
    }
  }

  /** How high they are in a room so wide, both in px. @param {number} width */
  heightIn(width) {
    this.box.style.setProperty("--width", `${width}px`);
    return this.box.hasChildNodes() ? this.box.offsetHeight : 0; // To ask lays the page out.
  }

  /** Let them lie at the top of a room, but end where it ends. @param {Rect} room */
  place({ x, y, w, h }) {
    const top = y + Math.min(0, h - this.heightIn(w));
    this.box.style.setProperty("--left", `${x}px`);
    this.box.style.setProperty("--top", `${top}px`);
  }
}
