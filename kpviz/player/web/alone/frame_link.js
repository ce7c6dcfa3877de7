// The history of a figure within a document: a frame without an address of its own may not write
// the browser's, so undo has a list here.

import { Link } from "../service/link.js";

/** @import { EntryMark } from "../service/history.js" */

export class FrameLink extends Link {
  /** @type {(EntryMark | null)[]} */
  marks = [null];
  place = 0; // The index of the current one.
  /** @type {(mark: EntryMark) => void} */
  came = () => {};

  /** @param {string[]} apart @param {string} opened the link that it opens with */
  constructor(apart, opened) {
    super(apart);
    this.openedLink = opened;
  }

  get mark() {
    return this.marks?.[this.place] ?? null; // The first time before there are any.
  }

  set mark(mark) {
    this.marks[this.place] = mark;
  }

  get opened() {
    return this.openedLink;
  }

  write() {}

  keepOnly() {}

  sayStage() {}

  keepInstant() {}

  /** @type {Link["instantLeft"]} */
  instantLeft() {
    return null;
  }

  /** @type {Link["push"]} */
  push(mark) {
    this.place += 1;
    this.marks.splice(this.place, Infinity, mark);
  }

  go(by) {
    this.place = Math.max(0, Math.min(this.place + by, this.marks.length - 1));
    setTimeout(() => this.mark && this.came(this.mark)); // As late as the browser is.
  }

  /** @type {Link["listen"]} */
  listen(came) {
    this.came = came;
    return () => (this.came = () => {});
  }
}
