// A stream, whose examples come once: its course, and what of it is shown at an instant.

export const LATELY = 60; // examples that the map still shows, fading
export const WINDOW = 100; // examples that the error rate is taken over
const FAINTEST = 0.16;
const FORGOTTEN = 0.03; // of the largest weight: below it an example is no longer drawn

const known = new WeakMap();

/** Of a run, after 0, 1, … presentations: { mistakes, rate, support }; and where the target switched. */
export function course(run) {
  if (!known.has(run)) known.set(run, courseOf(run));
  return known.get(run);
}

function courseOf({ nSteps, trace, stream }) {
  const mistakes = new Uint32Array(nSteps + 1);
  const rate = new Float64Array(nSteps + 1);
  for (let t = 1; t <= nSteps; t++) {
    mistakes[t] = mistakes[t - 1] + trace.mistake[t - 1];
    const from = Math.max(t - WINDOW, 0);
    rate[t] = (mistakes[t] - mistakes[from]) / (t - from);
  }
  const { angle, moves } = stream;
  const switches = moves === "switch" ? [...angle.keys()].filter((i) => i > 0 && angle[i] !== angle[i - 1]) : [];
  return { mistakes, rate, support: stream.support, switches };
}

/** The examples that the map shows at t, and how opaque: a Map from index to opacity; the newest comes last. */
export function visible(run, t) {
  const found = new Map();
  const { alphaLimit, about } = run.header;
  run.alphas(t).forEach((alpha, place) => {
    const share = about.counts ? Number(alpha !== 0) : Math.abs(alpha) / alphaLimit;
    if (share > FORGOTTEN) found.set(run.trace.support[place], 0.35 + 0.6 * Math.min(share, 1));
  });
  for (let step = Math.max(t - LATELY, 0); step < t; step++) found.delete(run.trace.index[step]);
  for (let step = Math.max(t - LATELY, 0); step < t; step++) found.set(run.trace.index[step], opacity(t - 1 - step));
  return found;
}

export const opacity = (age) => 1 - (1 - FAINTEST) * (age / LATELY);
