// The field while one plays faster than a step can be shown happening: it follows slowly, so that nothing flashes.

const PACE = 350; // ms that an instant stays, of what does not follow slowly but is shown less often
const NEAR = 1e-3; // of the limit: it has arrived

/** What follows one field after the other. */
class Blend {
  /** @type {unknown} */
  #key = null; // of the field that it follows
  #limit = 0;
  #began = 0; // ms, when that came

  /** @param {number} size of the fields */
  constructor(size) {
    this.from = new Float64Array(size);
    this.to = new Float64Array(size);
    this.shown = new Float64Array(size);
  }

  /**
   * The field to be shown at `now`; null where it is the field itself. Beyond ±`limit` all values look the same, so that
   * none is followed farther.
   *
   * @param {Float64Array} field
   * @param {{ key?: unknown, now: number, limit: number, time: number }} how
   */
  at(field, { key = field, now, limit, time }) {
    if (this.#key === null) {
      this.#aim(field, key, limit);
      this.from.set(this.to);
    } else if (this.#key !== key || this.#limit !== limit) {
      this.#mix(now, time);
      this.from.set(this.shown);
      this.#aim(field, key, limit);
      this.#began = now;
    }
    return this.#mix(now, time) > NEAR * limit ? this.shown : null;
  }

  #aim(field, key, limit) {
    this.#key = key;
    this.#limit = limit;
    for (let k = 0; k < field.length; k++) this.to[k] = Math.min(Math.max(field[k], -limit), limit);
  }

  /** Mix what is shown, and return by how much it is away from what it follows. Where it begins it is that, to the last bit. */
  #mix(now, time) {
    const { from, to, shown } = this;
    const left = Math.exp(-Math.max(now - this.#began, 0) / time);
    let away = 0;
    for (let k = 0; k < to.length; k++) {
      const rest = left * (from[k] - to[k]);
      shown[k] = left === 1 ? from[k] : to[k] + rest;
      away = Math.max(away, Math.abs(rest));
    }
    return away;
  }
}

/** The blends of all that is shown, by what it is of: a run, or a run's kernel. */
export class Blends {
  /** @type {Map<object, Blend>} */
  #of = new Map();
  /** @type {Map<object, { t: number, since: number }>} */
  #instants = new Map();

  /**
   * The field to be shown at `now` in place of another; null where it is that field itself.
   *
   * @param {object} owner
   * @param {Float64Array} field
   * @param {{ key?: unknown, now: number, limit: number, time: number }} how `key`: the same for the same field (that
   *   itself, by default), `limit`: of the colours, `time`: ms in which a difference falls to 1/e
   */
  at(owner, field, how) {
    return this.#blend(owner, field.length).at(field, how);
  }

  /**
   * The instant to be shown of an owner at `now`, in place of one that may come too soon after the one before.
   *
   * @param {object} owner
   * @param {number} t
   * @param {number} now ms
   */
  paced(owner, t, now) {
    const known = this.#instants.get(owner);
    if (known && now - known.since < PACE) return known.t;
    this.#instants.set(owner, { t, since: now });
    return t;
  }

  /** What is shown of an owner; null where that is the field itself. */
  shown(owner) {
    return this.#of.get(owner)?.shown.slice() ?? null;
  }

  /** The field of an owner is shown as it is. */
  drop(owner) {
    this.#of.delete(owner);
  }

  /** All are. */
  clear() {
    this.#of.clear();
    this.#instants.clear();
  }

  #blend(owner, size) {
    const known = this.#of.get(owner);
    if (known?.shown.length === size) return known;
    const made = new Blend(size);
    this.#of.set(owner, made);
    return made;
  }
}
