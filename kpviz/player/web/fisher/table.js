// Directions as Python sent them (kpviz/player/fisher.py): read, turned round, never computed here.

const HALVES = 360;
export const BEST = HALVES;
export const OTHER = HALVES + 1;

function halfAt(angle) {
  const half = ((Math.round(2 * angle) % 720) + 720) % 720;
  return { row: half % HALVES, round: half >= HALVES };
}

/** The same turn as a number from -180 to 180. */
export const turned = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

import { number } from "../model/words.js";

/** @import { Arrays, FisherHeader } from "../types.d.ts" */

/**
 * A direction: a row of the tables, and whether F is its opposite.
 * @typedef {{ row: number, round: boolean }} Place
 */

/** @typedef {ReturnType<Table["read"]>} Reading */

export class Table {
  /**
   * @param {FisherHeader} header
   * @param {Arrays} arrays
   */
  constructor(header, arrays) {
    this.header = header;
    this.arrays = arrays;
    this.X = arrays.X;
    this.labels = arrays.labels;
    this.classMeans = arrays.classMeans;
    this.components = arrays.components ?? null;
    this.angles = arrays.angles;
    this.J = arrays.J;
    this.criterion = arrays.criterion;
    this.SW = arrays.SW;
    this.SB = arrays.SB;
    this.ST = arrays.ST;
    this.K = header.names.classes.length;
    this.n = this.labels.length;
    this.counts = new Uint32Array(this.K);
    for (const k of this.labels) this.counts[k]++;
  }

  /**
   * { row, round } of an angle: a row, and whether F is its opposite. A special row is never turned round.
   *
   * @returns {Place}
   */
  place(angle) {
    const row = [BEST, OTHER].find((special) => Math.abs(turned(angle - this.angles[special])) < 1e-9);
    return row === undefined ? halfAt(angle) : { row, round: false };
  }

  /** Where a link opens: at an angle, at the best direction, or, without one, where these data begin. */
  opening(angle) {
    if (angle === null || angle === "best") return { row: angle ? BEST : this.header.start, round: false };
    return this.place(angle);
  }

  /** The place nearest to an angle, the best direction's own one included. */
  nearest(angle) {
    const place = this.place(Math.round(2 * angle) / 2);
    const off = (other) => Math.abs(turned(angle - other));
    return off(this.angles[BEST]) < off(this.angleOf(place)) ? { row: BEST, round: false } : place;
  }

  angleOf({ row, round }) {
    return this.angles[row] + (round ? 180 : 0);
  }

  /**
   * All numbers of one direction; `moved` is a threshold set by hand, or null.
   *
   * @param {Place} place
   * @param {number | null} moved
   */
  read(place, moved = null) {
    const { row, round } = place;
    const sign = round ? -1 : 1;
    const of = (name, size) => [...this.arrays[name].subarray(row * size, (row + 1) * size)];
    const angle = this.angleOf(place);
    const F = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const means = of("means", this.K).map((value) => sign * value);
    const middles = of("thresholds", this.K - 1)
      .map((value) => sign * value)
      .sort((a, b) => a - b);
    const { low, high, between, within } = this.arrays;
    const values = this.project(F);
    const thresholds = moved === null ? middles : [moved];
    const found = verdicts({ values, means, thresholds });
    return {
      row,
      angle,
      F,
      means,
      low: round ? -high[row] : low[row],
      high: round ? -low[row] : high[row],
      J: this.J[row],
      between: between[row],
      within: within[row],
      thresholds,
      values,
      verdicts: found,
      wrong: moved === null ? of("wrong", this.K) : this.#counted(found),
    };
  }

  /** @param {number[]} F */
  project([c, s]) {
    return Float64Array.from(this.labels, (_, i) => this.X[2 * i] * c + this.X[2 * i + 1] * s);
  }

  /** Mistakes of each class, for a threshold that Python does not know. */
  #counted(found) {
    const wrong = new Array(this.K).fill(0);
    this.labels.forEach((label, i) => {
      if (found[i] !== label) wrong[label]++;
    });
    return wrong;
  }
}

/** A threshold within what is shown, in short digits. */
export const within = (value, { low, high }) => Number(Math.min(Math.max(value, low), high).toPrecision(4));

/** How a J and the best one are written: with as many decimals as tell them apart. */
export function apart(J, best) {
  for (let places = 2; J !== best && places <= 8; places++) {
    if (J.toFixed(places) !== best.toFixed(places)) {
      return places === 2 ? [number(J), number(best)] : [J.toFixed(places), best.toFixed(places)];
    }
  }
  return [number(best), number(best)];
}

/** The class on whose stretch of the axis each value lies; on a threshold, the class with the smaller number. */
function verdicts({ values, means, thresholds }) {
  const ranked = ranks(means);
  return Uint8Array.from(values, (value) => {
    let place = 0;
    thresholds.forEach((cut, k) => {
      if (ranked[k] < ranked[k + 1] ? value > cut : value >= cut) place++;
    });
    return ranked[place];
  });
}

/** Classes in the order of their projected means. */
export const ranks = (means) => means.map((_, k) => k).sort((a, b) => means[a] - means[b] || a - b);
