// The record of a run, and what it says of an instant t: always a fold of the changes up to t.

/** Number of entries of an ascending array that are below `value`. */
export function countBelow(ascending, value) {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Trace {
  constructor(header, arrays) {
    this.n = header.n;
    this.nSteps = header.nSteps;
    this.unit = header.unit;
    Object.assign(this, {
      index: arrays.index,
      score: arrays.score,
      mistake: arrays.mistake,
      epochStart: arrays.epochStart,
      support: arrays.support,
      step: arrays.changeStep,
      pointer: arrays.changePointer,
      place: arrays.changeIndex,
      delta: arrays.changeDelta,
      shift: arrays.changeShift ?? null,
      shrink: arrays.changeShrink ?? null,
    });
    this.mistakeSteps = Uint32Array.from(indicesOfOnes(this.mistake));
    this.byExample = stepsByExample(this.mistakeSteps, this.index, this.n);
  }

  get nEpochs() {
    return this.epochStart.length;
  }

  /** Mistakes among the first t presentations. */
  mistakesBefore(t) {
    return countBelow(this.mistakeSteps, t);
  }

  /** Changes that the first t presentations made. */
  changesBefore(t) {
    return countBelow(this.step, t);
  }

  /** Mistakes on example i among the first t presentations. */
  mistakesOn(i, t) {
    return countBelow(this.byExample[i], t);
  }

  /** The epoch, from 1, of the presentation that led to t. */
  epochAt(t) {
    return countBelow(this.epochStart, Math.max(t, 1));
  }

  mistakesInEpoch(epoch) {
    const end = epoch < this.nEpochs ? this.epochStart[epoch] : this.nSteps;
    return this.mistakesBefore(end) - this.mistakesBefore(this.epochStart[epoch - 1]);
  }

  /** The nearest instant after t (way = 1) or before it (way = -1), by "example", "mistake" or "epoch". */
  neighbour(t, grain, way) {
    if (grain === "example") return Math.min(Math.max(t + way, 0), this.nSteps);
    if (grain === "mistake") {
      const next = way > 0 ? countBelow(this.mistakeSteps, t) : countBelow(this.mistakeSteps, t - 1) - 1;
      if (next < 0) return 0;
      return next < this.mistakeSteps.length ? this.mistakeSteps[next] + 1 : this.nSteps;
    }
    const starts = this.epochStart;
    const next = way > 0 ? countBelow(starts, t + 1) : countBelow(starts, t) - 1;
    if (next < 0) return 0;
    return next < starts.length ? starts[next] : this.nSteps;
  }

  /** Coefficients of the support and the intercept after t presentations, in data units. */
  state(t) {
    const coef = new Float64Array(this.support.length);
    let b = 0;
    const changes = this.changesBefore(t);
    for (let j = 0; j < changes; j++) {
      if (this.shrink) for (let i = 0; i < coef.length; i++) coef[i] *= this.shrink[j];
      for (let p = this.pointer[j]; p < this.pointer[j + 1]; p++) coef[this.place[p]] += this.delta[p];
      if (this.shift) b += this.shift[j];
    }
    return scaled(coef, b, this.unit);
  }

  /** The mean of the states after 1, …, t presentations: a change at presentation s is in t - s of them. */
  averaged(t) {
    const total = new Float64Array(this.support.length);
    let totalB = 0;
    const coef = new Float64Array(this.support.length);
    let b = 0;
    let counted = 0;
    const changes = this.changesBefore(t);
    const add = (gap) => {
      for (let i = 0; i < coef.length; i++) total[i] += gap * coef[i];
      totalB += gap * b;
      counted += gap;
    };
    for (let j = 0; j < changes; j++) {
      if (this.shrink) {
        add(this.step[j] - counted);
        for (let i = 0; i < coef.length; i++) coef[i] *= this.shrink[j];
        for (let p = this.pointer[j]; p < this.pointer[j + 1]; p++) coef[this.place[p]] += this.delta[p];
        if (this.shift) b += this.shift[j];
        continue;
      }
      const share = t - this.step[j];
      for (let p = this.pointer[j]; p < this.pointer[j + 1]; p++) total[this.place[p]] += share * this.delta[p];
      if (this.shift) totalB += share * this.shift[j];
    }
    if (this.shrink) add(t - counted);
    return scaled(total, totalB, this.unit / Math.max(t, 1));
  }
}

function scaled(coef, b, factor) {
  for (let i = 0; i < coef.length; i++) coef[i] *= factor;
  return { coef, b: b * factor };
}

function* indicesOfOnes(flags) {
  for (let i = 0; i < flags.length; i++) if (flags[i]) yield i;
}

function stepsByExample(steps, index, n) {
  const lists = Array.from({ length: n }, () => []);
  for (const step of steps) lists[index[step]].push(step);
  return lists;
}
