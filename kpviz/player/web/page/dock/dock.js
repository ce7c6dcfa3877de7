// Settings beside the map: one group of fields at a time, opened by its tab or a key, that keeps
// its place whatever comes.

import { FieldList } from "./fields.js";
import { Quick } from "./numbers.js";
import { inLanguage } from "./translated.js";
import { closeByEscape } from "../dialog.js";
import { closing, isDark, lie, make, pressable, put, renew } from "../dom.js";
import { capitalized } from "../../run/words.js";

/** @import { DockField, DockHost, DockTree } from "./types.d.ts" */
/** @import { Layout } from "../../board/types.d.ts" */

/**
 * A group that was opened once; `lastUsed` is the control in it.
 *
 * @typedef {{ scroller: Scroller, list: FieldList, lastUsed: HTMLElement | null }} Group
 */

export const ID = "kpviz-dock";
// It stands before the names of settings whose fields a task of a lesson shows.
const ONLY_PREFIX = "only:";
const TURNABLE_GROUPS = ["kernel", "learner"]; // These have numbers to turn.
const GAP = 12; // In px, as between two fields: what the view begins with has so much above it.
const CONTROLS = "input, select, textarea, button, summary";

export class Dock {
  /** @type {string | null} */
  open = null; // The group that is open.
  /** @type {string | null} */
  latest = null; // The group that was open last.
  /** @type {DockTree | null} */
  tree = null;
  link = "";
  /** @type {Map<string, Group>} */
  groups = new Map();
  /** @type {"control" | "slider" | null} */
  focusTarget = null; // This gets the focus as soon as the fields are here.
  // The first of these groups that has a slider is to be opened: that is known once the tree has
  // them all.
  /** @type {string[] | null} */
  turnCandidates = null;
  gesture = 0; // The number of the newest gesture, a drag or keys that follow each other.

  /** @param {HTMLElement} root @param {DockHost} host */
  constructor(root, host) {
    this.host = host;
    this.context = { ...host, gesture: () => this.#beginGesture() };
    this.quick = new Quick(this.context); // Always in sight: page/settings.js places it.
    this.tabs = make("div", { className: "groups", role: "group", ariaLabel: "Settings" });
    const close = closing(() => this.close());
    const top = make("div", { className: "top" }, this.tabs, close);
    this.element = make("section", { className: "dock", id: ID, hidden: true }, top);
    root.append(this.element);
    closeByEscape(this.element, () => this.close());
    const used = ({ target }) => {
      const control = /** @type {HTMLElement} */ (target).closest(CONTROLS);
      if (control && this.groups.get(this.open)?.scroller.box.contains(control)) {
        this.groups.get(this.open).lastUsed = /** @type {HTMLElement} */ (control);
      }
    };
    for (const kind of ["focusin", "change"]) this.element.addEventListener(kind, used);
  }

  /** Returns the number of a new gesture, by which the session tells it from others. */
  #beginGesture() {
    this.gesture = Math.max(Date.now(), this.gesture + 1);
    return this.gesture;
  }

  // ---- what is shown ---------------------------------------------------------------------------

  /** The groups that are needed. */
  get neededGroups() {
    if (this.turnCandidates) return this.turnCandidates;
    return this.open ? [this.open] : [];
  }

  /** Open the group that was open last, or close it. */
  toggle() {
    if (this.open) this.close();
    else this.show(this.latest ?? this.tree?.tabs[0].group);
  }

  /** Open a group, with the focus on what was used last in it. */
  show(group) {
    if (!this.#tab(group)) return;
    this.turnCandidates = null;
    this.#reveal(group, "control");
    this.host.session.see(this.neededGroups);
  }

  /** Open that of these groups with numbers that can be turned, with the focus on the first. */
  turn(groups = TURNABLE_GROUPS) {
    this.turnCandidates = groups;
    this.host.session.see(this.neededGroups);
  }

  #reveal(group, focusTarget) {
    this.open = this.latest = group;
    this.focusTarget = focusTarget;
    this.#groupOf(group); // At the first time it is made.
    for (const [name, { scroller }] of this.groups) scroller.show(name === group);
    this.element.setAttribute("aria-label", capitalized(group));
    this.element.hidden = false;
    this.#mark();
    this.host.arrange();
    this.#focusSought();
  }

  /** Close it; the focus goes back to the button that opens it, if it was in here. */
  close() {
    const { open } = this;
    if (!open) return;
    const inside = this.element.matches(":focus-within");
    this.groups.get(open).scroller.show(false);
    Object.assign(this, { open: null, focusTarget: null, turnCandidates: null });
    this.element.hidden = true;
    this.#mark();
    if (inside) this.host.opener()?.focus();
    this.host.session.see([]);
    this.host.arrange();
  }

  /** Lie where the layout says. @param {Pick<Layout, "dock" | "sheet">} layout */
  place({ dock, sheet }) {
    this.element.hidden = !dock;
    lie(this.element, { dock, sheet });
    if (!dock) return;
    this.element.classList.toggle("dark", isDark(this.element));
    this.groups.get(this.open)?.scroller.shade();
  }

  #tabOf({ group, label, tip }) {
    return pressable(label, () => this.show(group), { title: tip, "data-group": group });
  }

  /** @returns {HTMLElement | null} */
  #tab(group) {
    return this.tabs.querySelector(`[data-group="${group}"]`);
  }

  /** Say which group is open. */
  #mark() {
    for (const tab of /** @type {Iterable<HTMLElement>} */ (this.tabs.children)) {
      put(tab, { "aria-pressed": tab.dataset.group === this.open });
    }
    this.host.opened(this.open);
  }

  // ---- what Python says ------------------------------------------------------------------------

  /**
   * Say what is wrong with what was opened or pasted, beside the field that brought it. Returns
   * whether there is such a field in the group that is open.
   *
   * @param {string | undefined} command
   * @param {string} why
   */
  refuse(command, why) {
    const scroller = this.open && command ? this.groups.get(this.open).scroller : null;
    const field = /** @type {HTMLElement | null | undefined} */ (
      scroller?.box.querySelector(`[data-brings="${command}"]`)
    );
    if (!field) return false;
    const fold = field.closest("details");
    fold.open = true;
    field.dispatchEvent(new CustomEvent("refused", { detail: why }));
    scroller.beginWith(fold);
    field.scrollIntoView({ block: "nearest" }); // Where the fold is higher than what one sees.
    return true;
  }

  /** @param {DockTree | null} tree @param {string} link of the settings */
  take(tree, link) {
    if (!tree) return;
    this.tree = tree;
    this.link = link;
    const focused = this.#focused;
    const inside = this.element.contains(focused);
    const groups = tree.tabs.map(({ group }) => group);
    renew(this.tabs, groups, () => tree.tabs.map((tab) => this.#tabOf(tab)));
    this.#mark();
    this.quick.update(tree.quick);
    this.host.taken(tree, link);
    if (this.turnCandidates?.every((name) => tree.groups[name])) this.#showTurnable(tree);
    for (const [name, fields] of Object.entries(tree.groups)) {
      if (name.startsWith(ONLY_PREFIX)) continue;
      const { scroller, list, lastUsed } = this.#groupOf(name);
      const update = () => list.update(fields);
      if (name === this.open) keepPlace(scroller.box, lastUsed, update);
      else update();
      scroller.shade();
    }
    if (this.#focusSought() || !inside || this.#focused === focused) return;
    // It was moved, or is gone.
    const control = focused.isConnected ? focused : this.groups.get(this.open)?.scroller.box;
    /** @type {HTMLElement | undefined} */ (control)?.focus({ preventScroll: true });
  }

  /**
   * What was asked for was answered, refused or given up: the fields say again what is so, for a
   * slider may stand where it was dragged to. An answer with another tree calls `take` right after
   * this, so it waits for that.
   */
  settle() {
    const { tree, link } = this;
    queueMicrotask(() => tree === this.tree && this.take(tree, link));
  }

  #showTurnable({ groups }) {
    const [first] = this.turnCandidates;
    const group =
      this.turnCandidates.find((name) => groups[name].some(({ kind }) => kind === "slider")) ??
      first;
    this.turnCandidates = null;
    this.#reveal(group, "slider");
    this.host.session.see(this.neededGroups);
  }

  /**
   * A place for the fields of some settings alone, and the group by which they are asked for.
   *
   * @param {string[]} names
   */
  only(names) {
    const box = make("div", { className: "fields" });
    const list = new FieldList(box, this.context);
    return {
      box,
      group: ONLY_PREFIX + names.join(),
      update: (/** @type {DockField[]} */ fields) => list.update(fields.map(inLanguage)),
    };
  }

  /** @returns {Group} */
  #groupOf(name) {
    if (!this.groups.has(name)) {
      const scroller = new Scroller(this.element);
      this.groups.set(name, {
        scroller,
        list: new FieldList(scroller.box, this.context),
        lastUsed: null,
      });
    }
    return this.groups.get(name);
  }

  // ---- the focus -------------------------------------------------------------------------------

  get #focused() {
    return /** @type {Document | ShadowRoot} */ (this.element.getRootNode()).activeElement;
  }

  /** Give the focus to what is sought, once it is here. Returns whether it did. */
  #focusSought() {
    const group = this.groups.get(this.open);
    if (!this.focusTarget || !group?.list.views.size) return false;
    const { box } = group.scroller;
    const slider = /** @type {HTMLElement | null} */ (box.querySelector("input[type=range]"));
    const lastUsed = group.lastUsed?.isConnected ? group.lastUsed : null;
    const control = (this.focusTarget === "slider" && slider) || lastUsed || firstOf(box);
    this.focusTarget = null;
    control?.focus({ preventScroll: !slider || control !== slider });
    if (control === slider) control?.scrollIntoView({ block: "nearest" });
    return true;
  }
}

/**
 * The first control of a box; of radio buttons the one that is on.
 *
 * @param {HTMLElement} box
 * @returns {HTMLElement | null}
 */
function firstOf(box) {
  const first = /** @type {HTMLInputElement | null} */ (box.querySelector(CONTROLS));
  return box.querySelector(`input[name="${first?.name}"]:checked`) ?? first;
}

// A box that scrolls: it says when there is more above or below, and comes back to its place.

class Scroller {
  top = 0;

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = make("div", { className: "fields", tabIndex: -1 });
    this.frame = make("div", { className: "frame", hidden: true }, this.box);
    parent.append(this.frame);
    this.box.addEventListener("scroll", () => this.shade(), { passive: true });
    // Something is unfolded.
    this.box.addEventListener("toggle", () => this.shade(), { capture: true });
  }

  show(on) {
    if (this.frame.hidden === !on) return;
    if (!on) {
      this.box.style.paddingBottom = ""; // Room that was made is wanted no longer.
      this.top = this.box.scrollTop;
    }
    this.frame.hidden = !on;
    if (on) this.box.scrollTop = this.top;
    this.shade();
  }

  /** Scroll to a part: where too little is below it, room is made. @param {HTMLElement} part */
  beginWith(part) {
    const { box } = this;
    const below = () => part.getBoundingClientRect().top - box.getBoundingClientRect().top - GAP;
    box.style.paddingBottom = "";
    box.scrollTop += below();
    const missing = below();
    if (missing > 1) {
      box.style.paddingBottom = `${parseFloat(getComputedStyle(box).paddingBottom) + missing}px`;
      box.scrollTop += missing;
    }
  }

  /** A shade lies on an edge behind which there is more. */
  shade() {
    const { scrollTop, scrollHeight, clientHeight } = this.box;
    this.frame.classList.toggle("above", scrollTop > 1);
    this.frame.classList.toggle("below", scrollTop + clientHeight < scrollHeight - 1);
  }
}

/**
 * Change what is in a box; what one looks at in it stays where it is.
 *
 * @param {HTMLElement} box
 * @param {HTMLElement | null} used what was used last
 * @param {() => void} change
 */
function keepPlace(box, used, change) {
  const frame = box.getBoundingClientRect();
  const seen = ({ top, bottom }) => bottom > frame.top && top < frame.bottom;
  const anchors = [used, ...box.children].filter(
    (anchor) => anchor && seen(anchor.getBoundingClientRect()),
  );
  const before = anchors.map((anchor) => anchor.getBoundingClientRect().top);
  change();
  const k = anchors.findIndex((anchor) => anchor.isConnected);
  if (k >= 0) box.scrollTop += anchors[k].getBoundingClientRect().top - before[k];
}
