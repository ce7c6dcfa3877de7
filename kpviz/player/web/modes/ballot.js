// The votes of a class on one question, as its lecturer types them: counts, and those of the first
// time where it has voted again after talking.

const MOST = 999; // A class has no more votes on one answer.

export class Ballot {
  /** @type {number[]} */
  counts = []; // The votes on each answer.
  /** @type {number[] | null} */
  first = null; // Those of the first time, once the class votes again.

  /** One more vote on answer `k`. @param {number} k */
  add(k) {
    this.#put(k, Math.min(this.#of(k) + 1, MOST));
  }

  /** One vote fewer. @param {number} k */
  take(k) {
    this.#put(k, Math.max(this.#of(k) - 1, 0));
  }

  /** No votes; where there are none those of the first time go, too. */
  clear() {
    if (this.total) this.counts = [];
    else this.first = null;
  }

  /**
   * The class votes again: what it said at first stays to be compared with. Returns whether it had
   * said anything.
   */
  again() {
    if (!this.total) return false;
    this.first ??= this.counts;
    this.counts = [];
    return true;
  }

  /** All votes of this time. */
  get total() {
    return sum(this.counts);
  }

  /** Whether anything was said, now or at first. */
  get isEmpty() {
    return !this.total && !this.first;
  }

  /** The answer that most hands were for, where one press says no more than that; else null. */
  get mostly() {
    return mostlyOf(this.counts);
  }

  /**
   * What is drawn of an answer: its votes of the first time and of the last one, each with its
   * share of the most that any answer has, null where nobody counted.
   *
   * @param {number} k
   */
  barsOf(k) {
    const [first, last] = this.first ? [this.first, this.counts] : [this.counts, null];
    const most = Math.max(...first, ...(last ?? []), 1);
    const bar = (counts) =>
      !counts || !sum(counts) || mostlyOf(counts) !== null
        ? null
        : { count: counts[k] ?? 0, share: (counts[k] ?? 0) / most };
    return { first: bar(first), last: bar(last) };
  }

  /** Whether each answer has two bars: of the first time, and of the last one. */
  get isCountedTwice() {
    const { first, last } = this.barsOf(0);
    return first !== null && last !== null;
  }

  #of(k) {
    return this.counts[k] ?? 0;
  }

  #put(k, count) {
    const counts = [...this.counts];
    for (let at = counts.length; at < k; at++) counts[at] = 0;
    counts[k] = count;
    this.counts = counts;
  }
}

/** @param {number[]} counts */
const sum = (counts) => counts.reduce((all, count) => all + count, 0);

/** @param {number[]} counts @returns {number | null} */
const mostlyOf = (counts) => (sum(counts) === 1 ? counts.indexOf(1) : null);
