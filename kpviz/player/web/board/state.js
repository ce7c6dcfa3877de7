// What the board shows, as one state of six values: the runs, the instant, what one is doing, which
// panels are on, what a click keeps, and where the pointer is. What else there is to see follows
// from them. None is changed in place: whoever sets one says so by `state.change({ t: 7 })`, and
// whoever has to follow subscribes. Thus a search for `change({ t` finds all who go to another
// instant.

/** @import { BoardValues } from "./types.d.ts" */

/**
 * Who is told of a change: the names of the values that are other ones now.
 *
 * @typedef {(changed: ReadonlySet<keyof BoardValues>) => void} Subscriber
 */

/** @implements {Readonly<BoardValues>} */
export class BoardState {
  /** @type {BoardValues} */
  #values = {
    runs: { all: [], names: [], query: "", comparison: null },
    t: 0,
    mode: [],
    shown: new Set(),
    pinned: null,
    pointer: null,
  };
  /** @type {Subscriber[]} */
  #subscribers = [];
  /** @type {Set<keyof BoardValues>} */
  #changed = new Set(); // Nobody has been told of these yet.
  #isHeld = false; // Several changes are made, or subscribers are being told.

  get runs() {
    return this.#values.runs;
  }

  get t() {
    return this.#values.t;
  }

  get mode() {
    return this.#values.mode;
  }

  get shown() {
    return this.#values.shown;
  }

  get pinned() {
    return this.#values.pinned;
  }

  get pointer() {
    return this.#values.pointer;
  }

  /** @param {Subscriber} subscriber */
  subscribe(subscriber) {
    this.#subscribers.push(subscriber);
  }

  /**
   * Set some of the values; who has subscribed is told at once, if one is another than before.
   *
   * @param {Partial<BoardValues>} values
   */
  change(values) {
    for (const [name, value] of Object.entries(values)) {
      if (this.#values[name] === value) continue;
      this.#values[name] = value;
      this.#changed.add(/** @type {keyof BoardValues} */ (name));
    }
    this.#tell();
  }

  /** Make several changes, of which subscribers are told once. @param {() => void} make */
  together(make) {
    const wasHeld = this.#isHeld;
    this.#isHeld = true;
    try {
      make();
    } finally {
      this.#isHeld = wasHeld;
    }
    this.#tell();
  }

  /** A subscriber may change the state, too: all are told of that after they were told of this. */
  #tell() {
    if (this.#isHeld || !this.#changed.size) return;
    const changed = this.#changed;
    this.#changed = new Set();
    this.together(() => {
      for (const subscriber of this.#subscribers) subscriber(changed);
    });
  }
}
