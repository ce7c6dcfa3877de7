// A stream, whose examples come once: its course, and what of it is shown at an instant.

/** How streams are shown (STREAM in kpviz/tokens.py), which pictures and films share. */
export const lookOf = (run) => run.header.tokens.stream;

const known = new WeakMap();

/** Of a run, after 0, 1, … presentations: { mistakes, rate, support }; and where the target switched. */
export function course(run) {
  if (!known.has(run)) known.set(run, courseOf(run));
  return known.get(run);
}

function courseOf(run) {
  const { nSteps, trace, stream } = run;
  const { window } = lookOf(run);
  const mistakes = new Uint32Array(nSteps + 1);
  const rate = new Float64Array(nSteps + 1);
  for (let t = 1; t <= nSteps; t++) {
    mistakes[t] = mistakes[t - 1] + trace.mistake[t - 1];
    const from = Math.max(t - window, 0);
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
  const { weak, strong, forgotten } = lookOf(run);
  const first = firstShown(run, t);
  run.alphas(t).forEach((alpha, place) => {
    const share = about.counts ? Number(alpha !== 0) : Math.abs(alpha) / alphaLimit;
    if (share > forgotten) found.set(run.trace.support[place], weak + (strong - weak) * Math.min(share, 1));
  });
  for (let step = first; step < t; step++) found.delete(run.trace.index[step]);
  for (let step = first; step < t; step++) found.set(run.trace.index[step], opacity(run, t - 1 - step));
  return found;
}

/** The step of the oldest example that the map shows at t because it came lately. */
export const firstShown = (run, t) => Math.max(t - lookOf(run).lately, 0);

export const opacity = (run, age) => 1 - (1 - lookOf(run).faintest) * (age / lookOf(run).lately);
