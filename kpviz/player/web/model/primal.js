// The primal perceptron: w, and what both forms cost, as folds of the changes.

/** @import { Run } from "./run.js" */

/** w of the shown features after t presentations: a fold of the changes. @param {Run} run */
export function weights({ trace, arrays }, t) {
  const phi = arrays.primalPhi;
  const w = new Float64Array(phi.shape[1]);
  const { start, place, delta } = trace;
  const add = (at, weight) => {
    const row = at * w.length;
    for (let j = 0; j < w.length; j++) w[j] += weight * phi[row + j];
  };
  for (let k = 0; k < start.place.length; k++) add(start.place[k], start.weight[k]);
  const end = trace.pointer[trace.changesBefore(t)];
  for (let p = 0; p < end; p++) add(place[p], delta[p]);
  return w.map((value) => value * trace.unit);
}

/** What both forms have stored and multiplied after t presentations: sums of what Python says one of them costs. */
export function spent({ trace, header }, t) {
  const { perExample, perPresentation, storedPerExample, storedPrimal, storedIntercept } = header.extras.primal;
  let support = 0;
  let seen = 0; // support examples, over all presentations
  const before = new Set(trace.start.place);
  trace.support.forEach((i, place) => {
    const first = before.has(place) ? -1 : trace.byExample[i][0];
    if (first < t) support++;
    seen += Math.max(t - 1 - first, 0);
  });
  return {
    support,
    primal: { stored: storedPrimal, multiplications: t * perPresentation },
    dual: { stored: support * storedPerExample + storedIntercept, multiplications: seen * perExample },
  };
}
