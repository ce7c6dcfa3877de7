// What the panels need to know of an instant, read from the stage.

import { probability } from "./panels/map.js";
import { columnsOf } from "./panels/compare.js";
import { similarOf } from "./similar.js";
import { ahead, counter, explain, number } from "./words.js";

/** The scene of a map and its run; usually of the current one. */
export function sceneOf(stage, now, { name, run, view } = stage.maps.at(-1)) {
  const { palette, cast, pinned, pointer } = stage;
  const t = Math.min(stage.t, run.nSteps);
  const images = cast.imagesOf(run);
  const own = run === stage.run;
  const limit = own ? stage.limit : run.header.limit;
  const reading = run.reading(t);
  const motion = stage.motion?.of(run) ?? null;
  const moving = motion?.at(now) ?? null;
  const shownField = moving ? moving.field : reading.field;
  const asking = askingOf(stage);
  const touch = pinned ?? stage.touch;
  const current = asking ? run.trace.index[t] : t > 0 ? run.trace.index[t - 1] : null;
  const similar = similarOf(stage, run, current);
  const alike = Boolean(similar) && similar.i !== null; // the map shows k(x_i, ·), not f
  return {
    run,
    t,
    time: stage.t,
    palette,
    limit,
    reading,
    shownField,
    asking,
    view,
    ...saying(stage, run),
    compared: comparisonOf(stage, name, now),
    pointScale: stage.pointScale,
    current,
    similar,
    alike,
    similarImage: () => images.paintField(palette, similar.field, similar.limit, null, similar.scale),
    turned: stage.turning.now,
    server: stage.means.server,
    fieldImage: () => images.paintField(palette, shownField, limit, probability(run) ? (f) => run.chance(f) : null),
    bumpImage: images.bump.canvas,
    scaleImage: images.scale.canvas,
    moving: moving !== null,
    bump: moving?.bumpAlpha ? { alpha: moving.bumpAlpha } : null,
    ghost: moving ? { lines: motion.ghost, alpha: moving.ghostAlpha } : null,
    ring: asking ? null : (moving?.ring ?? null),
    optimum: run.optimumField,
    readings: stage.shows("readings") && !cast.pinned.length ? run.readings(t) : null,
    primal: stage.shows("primal") && !cast.pinned.length ? (run.header.extras.primal ?? null) : null,
    margin: run.plane && stage.shown.has("lines") ? smallestMargin(run, reading) : 0,
    ...lightOf(stage, run, alike && similar.i !== current ? [similar.i] : []),
    probe: touch.map === name ? touch.probe : null,
    pointer: pointer && stage.touch.probe && stage.touch.map === name ? pointer : null,
    tip: touch.lines.length ? { lines: touch.lines, px: (pinned ?? pointer).px, py: (pinned ?? pointer).py } : null,
    counter: counter(run, t),
    score: stage.predict.score,
    sequence: own && stage.layout.panels.sequence ? stage.reorder.scene : null,
    predicting: stage.predict.on,
    cues: stage.cues.placed,
    normed: stage.normed,
    edited: own ? stage.editor.points : null,
    editing:
      own && stage.editor.on
        ? {
            label: stage.editor.label,
            spot: stage.editor.drag ? null : stage.editor.spot,
            keyboard: stage.editor.cursor !== null,
          }
        : null,
    presenting: stage.present.on,
    alone: stage.layout.alone ?? false,
    least: stage.layout.least,
    mistakes: run.trace.mistakesBefore(t),
    live: t > 0 ? liveNumbers(run, t) : "",
    boundaryMissing: alike
      ? ""
      : similar?.note
        ? similar.note
        : !run.plane
          ? ""
          : t === 0
            ? "f = 0 everywhere: no boundary yet"
            : isFlat(reading.field, limit)
              ? "f = 0 everywhere"
              : "",
  };
}

/** What lights up: the examples that the pointer touches, and what the cue of this instant names. */
function lightOf({ touch, cues, t }, run, more) {
  const names = cues.at(t)?.light ?? [];
  const examples = names
    .filter((name) => /^x\d+$/.test(name))
    .map((name) => Number(name.slice(1)))
    .filter((i) => i < run.n);
  return { hot: new Set([...touch.hot, ...examples, ...more]), light: names };
}

/** What the panels of a comparison need; null where only one run is on the stage. */
function comparisonOf(stage, name, now) {
  const { cast, t, palette } = stage;
  if (!cast.pinned.length) return null;
  const { cued } = saying(stage); // the words of a cue stand alone
  const others = columnsOf(cast, t, (run, own) => ({
    ...saying(stage, run),
    ...(cued && run !== stage.run && { sentence: "" }),
    counter: counter(run, own),
  }));
  const { letter, name: caption } = others[stage.maps.findIndex((map) => map.name === name)];
  const fields = cast.all.map((run) => {
    const field = stage.motion?.of(run)?.at(now)?.field ?? run.reading(Math.min(t, run.nSteps)).field;
    return isFlat(field, run.header.limit) ? field.map(() => 0) : field;
  });
  return {
    others,
    letter,
    name: caption,
    reference: stage.run.header.extras.reference,
    shade: cast.shade(fields, palette, Boolean(stage.motion)),
  };
}

/** { sentence, line, tone } of what is said now; `line` is the active line of the pseudo-code. */
export function saying(stage, run = stage.run) {
  const { palette, predict } = stage;
  const t = Math.min(stage.t, run.nSteps);
  const { sentence, line } = explain(run, t);
  const asking = askingOf(stage);
  if (asking) return { sentence: ahead(run, t, asking), line, tone: palette.accent };
  const cue = run === stage.run && !predict.answer ? stage.cues.at(stage.t) : null;
  if (cue?.words) return { sentence: cue.words, line, tone: palette.accent, cued: true };
  const tone = t === 0 ? palette.accent : run.trace.mistake[t - 1] ? palette.warning : palette.good;
  return { sentence: predict.answer ? `${predict.answer} ${sentence}` : sentence, line, tone };
}

/** Which words about the coming step are shown: "predict", "look" or none. */
export function askingOf({ t, run, looking, predict, clock }) {
  if (t >= run.nSteps) return null;
  if (looking) return "look";
  return predict.on && !clock.playing && predict.answer === null ? "predict" : null;
}

function liveNumbers(run, t) {
  const { trace, y } = run;
  const i = trace.index[t - 1];
  return `y f = ${number(y[i] * trace.score[t - 1])},  α = ${number(run.alphaOf(i, t))}`;
}

const isFlat = (field, limit) => field.every((value) => Math.abs(value) < 1e-9 * limit);

function smallestMargin(run, { scores }) {
  if (run.stream) return 0;
  let least = Infinity;
  for (let i = 0; i < run.n; i++) least = Math.min(least, run.y[i] * scores[i]);
  return least;
}
