// What the panels need to know of an instant, read from the stage.

import { probability } from "./panels/map.js";
import { ahead, counter, explain, number } from "./words.js";

export function sceneOf(stage, now) {
  const { run, t, palette, images, limit, pinned, pointer } = stage;
  const reading = run.reading(t);
  const moving = stage.motion?.at(now) ?? null;
  const shownField = moving ? moving.field : reading.field;
  const asking = askingOf(stage);
  const touch = pinned ?? stage.touch;
  return {
    run, t, palette, limit, reading, shownField, asking, ...saying(stage),
    view: stage.view,
    pointScale: stage.pointScale,
    current: asking ? run.trace.index[t] : t > 0 ? run.trace.index[t - 1] : null,
    fieldImage: () => images.paintField(palette, shownField, limit, probability(run) ? (f) => run.chance(f) : null),
    bumpImage: images.bump.canvas,
    scaleImage: images.scale.canvas,
    moving: moving !== null,
    bump: moving?.bumpAlpha ? { alpha: moving.bumpAlpha } : null,
    ghost: moving ? { lines: stage.motion.ghost, alpha: moving.ghostAlpha } : null,
    ring: asking ? null : moving?.ring ?? null,
    optimum: run.optimumField,
    margin: stage.shown.has("lines") ? smallestMargin(run, reading) : 0,
    hot: stage.touch.hot,
    probe: touch.probe,
    pointer: pointer && stage.touch.probe ? pointer : null,
    tip: touch.lines.length ? { lines: touch.lines, px: (pinned ?? pointer).px, py: (pinned ?? pointer).py } : null,
    counter: counter(run, t),
    score: stage.predict.score,
    predicting: stage.predict.on,
    normed: stage.normed,
    alone: !stage.layout.narrow && !stage.shown.has("alpha") && !stage.shown.has("margins") && !stage.shows("own"),
    mistakes: run.trace.mistakesBefore(t),
    live: t > 0 ? liveNumbers(run, t) : "",
    boundaryMissing: t === 0 ? "f = 0 everywhere: no boundary yet" : "",
  };
}

/** { sentence, line, tone } of what is said now; `line` is the active line of the pseudo-code. */
export function saying(stage) {
  const { run, t, palette, predict } = stage;
  const { sentence, line } = explain(run, t);
  const asking = askingOf(stage);
  if (asking) return { sentence: ahead(run, t, asking), line, tone: palette.accent };
  const tone = t === 0 ? palette.accent : run.trace.mistake[t - 1] ? palette.warning : palette.good;
  return { sentence: predict.answer ? `${predict.answer} ${sentence}` : sentence, line, tone };
}

/** Which words about the coming step are shown: "predict", "look" or none. */
function askingOf({ t, run, looking, predict, clock }) {
  if (t === run.nSteps) return null;
  if (looking) return "look";
  return predict.on && !clock.playing && predict.answer === null ? "predict" : null;
}

function liveNumbers(run, t) {
  const { trace, y } = run;
  const i = trace.index[t - 1];
  return `y f = ${number(y[i] * trace.score[t - 1])},  α = ${number(run.alphaOf(i, t))}`;
}

function smallestMargin(run, { scores }) {
  let least = Infinity;
  for (let i = 0; i < run.n; i++) least = Math.min(least, run.y[i] * scores[i]);
  return least;
}
