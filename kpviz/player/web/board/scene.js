// What the panels need to know of an instant, read from the player.

import { comparisonOf, isFlat, sharedScale } from "./comparison.js";
import { kernelRowOf } from "../run/field.js";
import { looksAhead, foldsOf } from "./narration.js";
import { amount, counter, numbersOf, SIGNS } from "../run/words.js";

/** @import { Cursor } from "./cursor.js" */
/** @import { KernelRow } from "../run/field.js" */
/** @import { Fisher } from "../modes/fisher.js" */
/** @import { Player } from "./player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { RunMap } from "./run_set.js" */
/** @import { Pointer, Rect, Touch } from "./types.d.ts" */
/** @import { Reading } from "../run/types.d.ts" */

const PALE = 0.2; // of the end of the scale: below it f is hardly seen
const OVER = 1.02; // ends of the colour scale beyond which values are said to be over it

/** What stands in place of f, and of what follows from it. */
export const F_HIDDEN = "Hidden until you have answered";

const BLENDED = 66; // ms between two pictures of a field on its way, which is slow: nothing costs more than the map

/** @typedef {ReturnType<typeof sceneOfRun>} Scene */

/**
 * What a panel is given: the scene, its place, and the board's unit.
 * @typedef {Scene & { rect: Rect, unit: number }} PanelScene
 */

/**
 * Everything that the panels of each map need to know of an instant, by the names of the maps.
 *
 * @param {Player} player
 * @param {number} now ms, of the frame
 * @returns {Record<string, Scene>}
 */
export function scenesOf(player, now) {
  const { cursor, maps } = player;
  if (cursor.motion?.atRest(now)) cursor.motion = null;
  if (cursor.morph?.atRest(now)) cursor.morph = null;
  const thinned = cursor.swift && !cursor.motion;
  if (!cursor.swift) cursor.blends.clear();
  const at = thinned ? now - (now % BLENDED) : now;
  return Object.fromEntries(
    maps.map((map) => [map.name, { ...sceneOf(player, at, map), thinned }]),
  );
}

/**
 * The scene of a map and its run; by default of the current one.
 *
 * @param {Player} player
 * @param {number} now ms, of the frame
 * @param {RunMap} [map]
 */
export function sceneOf(player, now, map = player.maps.at(-1)) {
  return player.modes.ask("sceneOf", map) ?? sceneOfRun(player, now, map);
}

/** @typedef {ReturnType<Fisher["sceneOf"]> & { rect: Rect, unit: number }} FisherScene what a panel of Fisher's page is given */

/** The words beside the pointer, or beside what is pinned. @param {Touch} touch @param {Pointer | null} at */
export const tipOf = ({ lines }, at) => (lines.length ? { lines, px: at.px, py: at.py } : null);

/** @param {Player} player @param {number} now ms, of the frame @param {RunMap} map */
function sceneOfRun(player, now, { name, run, view }) {
  const { palette, runs, pinned, pointer, layout, cursor, clock } = player;
  const t = Math.min(player.t, run.nSteps);
  const own = run === player.run;
  const reading = run.reading(t);
  const asking = looksAhead(player);
  const fHidden = player.hidesF;
  const touch = pinned ?? player.touch;
  const current = asking ? run.trace.index[t] : t > 0 ? run.trace.index[t - 1] : null;
  const row = kernelRowOf(player, run, current);
  const kernelRow = blendedRow(player, row, now);
  const showsKernel = Boolean(kernelRow) && kernelRow.i !== null; // the map shows k(x_i, ·), not f
  const scale = sharedScale(player, run, t);
  const limit = limitOf(player, run);
  const moving = movingOf(player, run, now);
  const shownField = moving.field ?? reading.field;
  const alone = !runs.pinned.length;
  const folded = own && foldsOf(player) !== null;
  return {
    run,
    t,
    time: player.t,
    now,
    thinned: false, // whether what moves waits for the next picture of a field
    palette,
    limit,
    scale,
    over: overOf(run, shownField, reading, limit),
    reading,
    shownField,
    asking,
    fHidden,
    view,
    ...player.voice.of(player, run, now),
    compared: comparisonOf(player, name, now, (each) => onItsWay(player, each, now)),
    pointScale: player.pointScale,
    current,
    only: player.modes.ask("points", run) ?? null, // the points that a mode shows
    named: own ? player.named().filter((i) => i < run.n) : [], // by a task
    pair: asking || current === null ? null : pairOf(run, t, current),
    kernelRow,
    showsKernel,
    ...imagesOf(player, run, { limit, shownField, kernelRow }),
    ...moving,
    standing: moving.held ?? reading, // until the change of a step that is shown happening, that before it
    paced: cursor.swift ? cursor.blends.paced(run, t, now) : null, // the instant of bars, while steps come fast
    learnt: moving.held ? t - 1 : t, // and the instant of that
    moving: moving.moving || kernelRow !== row,
    turned: player.lift.now,
    server: player.capabilities.server,
    ring: asking ? null : moving.ring,
    optimum: run.optimumField,
    verdict: player.verdicts.drawnAt(run, t),
    readings: player.shows("readings") && alone && !fHidden ? run.readings(t) : null,
    primal: player.shows("primal") && alone && !fHidden ? (run.header.extras.primal ?? null) : null,
    margin: !fHidden && run.plane && player.shown.has("lines") ? smallestMargin(run, reading) : 0,
    ...lightOf(player, run, showsKernel && kernelRow.i !== current ? [kernelRow.i] : []),
    probe: touch.map === name ? touch.probe : null,
    pointer: pointer && player.touch.probe && player.touch.map === name ? pointer : null,
    tip: tipOf(touch, pinned ?? pointer),
    covered: player.covered,
    counter: counter(run, t, player.covered()),
    score: player.modes.ask("score") ?? "",
    curve: own && layout.panels.curve ? player.curve.scene : null,
    sequence: own && layout.panels.sequence ? player.order.scene : null,
    predicting: player.hidesAhead,
    cues: player.cues.placed,
    normed: player.normed,
    patterns: player.patterns, // signs beside the colours
    edited: own ? player.editing.points : null,
    editing: own ? player.editing.scene : null,
    bare: player.bare,
    folded,
    foldsBelow: folded && (layout.narrow || !layout.next), // in place of beside the suggestions
    alone: layout.alone ?? false,
    least: layout.least,
    mistakes: run.trace.mistakesBefore(t),
    live: t > 0 ? liveNumbers(run, t) : "",
    /** What a panel shows on its way to `values`, from 0 to 1; null where that is these. */
    blended: (/** @type {Float64Array} */ values, /** @type {unknown} */ key) =>
      blendedField(cursor, run.trace, values, { key, now, limit: 1 }),
    fast: (clock.playing && !clock.bumps) || cursor.fastSteps.on, // no step is shown happening
    boundaryMissing:
      fHidden && !showsKernel
        ? "f is hidden until you have answered"
        : showsKernel
          ? ""
          : kernelRow?.note || whyNoBoundary(run, t, reading, limit),
  };
}

/** Both examples of a step that changes two, null of any other. */
function pairOf({ details }, t, current) {
  const partner = details.partner?.[t - 1] ?? -1;
  return partner < 0 ? null : [current, partner];
}

/**
 * What a step that is shown happening does to the map, or steps that come too fast for it; at rest nothing moves.
 *
 * @param {Player} player
 * @param {Run} run
 */
function movingOf(player, run, now) {
  const { cursor, runs, palette } = player;
  const motion = cursor.motion?.of(run) ?? null;
  const moving = motion?.at(now) ?? null;
  if (!moving) {
    const { field: own } = run.reading(Math.min(player.t, run.nSteps));
    const morphed = () => cursor.morph?.at(run, { field: own, limit: limitOf(player, run), now });
    const field = run.plane ? (morphed() ?? blendedOf(player, run, now)) : null;
    const rest = {
      bump: null,
      ghost: null,
      ring: null,
      beat: null,
      held: null,
      earlier: null,
      terms: [],
    };
    return { moving: field !== null, field, ...rest };
  }
  cursor.blends.drop(run);
  return {
    moving: true,
    field: moving.field,
    bump: moving.bumpAlpha
      ? { alpha: moving.bumpAlpha, image: () => runs.imagesOf(run).bumpOf(palette, motion) }
      : null,
    ghost: moving.ghostAlpha ? { lines: motion.ghost, alpha: moving.ghostAlpha } : null,
    ring: moving.ring,
    beat: moving.beat,
    held: moving.beat.name === "change" ? null : motion.reading,
    earlier: motion.reading,
    terms: motion.terms,
  };
}

/**
 * A field on its way while steps come fast; null where it is shown as it is.
 *
 * @param {Cursor} cursor
 * @param {object} owner
 * @param {Float64Array} field
 * @param {{ key?: unknown, now: number, limit: number }} how
 */
function blendedField({ swift, clock, blends }, owner, field, how) {
  return swift ? blends.at(owner, field, { ...how, time: clock.timings.blend }) : null;
}

/** The field of a run on its way. @param {Player} player @param {Run} run */
function blendedOf(player, run, now) {
  const { field } = run.reading(Math.min(player.t, run.nSteps));
  return blendedField(player.cursor, run, field, { now, limit: limitOf(player, run) });
}

/**
 * The field of a run while a step is shown happening, or one plays fast; null at rest.
 *
 * @param {Player} player
 * @param {Run} run
 */
const onItsWay = (player, run, now) =>
  player.cursor.motion?.of(run)?.at(now)?.field ?? blendedOf(player, run, now);

/**
 * The same of k(x_i, ·), while it is that of the example of the step.
 *
 * @param {Player} player
 * @param {KernelRow | null} row
 */
function blendedRow({ cursor, run }, row, now) {
  if (!row?.field) return row;
  const field = blendedField(cursor, run.arrays, row.field, { now, limit: row.limit });
  return field ? { ...row, field } : row;
}

/** The map's images, painted when they are asked for. @param {Player} player @param {Run} run */
function imagesOf({ runs, palette }, run, { limit, shownField, kernelRow }) {
  const images = runs.imagesOf(run);
  return {
    fieldImage: () =>
      images.fieldOf(palette, shownField, limit, run.probability ? (f) => run.chance(f) : null),
    kernelImage: () =>
      images.fieldOf(palette, kernelRow.field, kernelRow.limit, null, kernelRow.scale),
    scaleImage: () => images.scaleOf(palette),
  };
}

/**
 * What lights up: the examples that the pointer touches, else those that are pinned, and what the cue of this instant names.
 *
 * @param {Pick<Player, "touch" | "pinned" | "cues" | "cuesFit" | "t">} player
 * @param {Run} run
 * @param {number[]} [more]
 */
export function lightOf({ touch, pinned, cues, cuesFit, t }, run, more = []) {
  const light = (cuesFit() && cues.at(t)?.light) || []; // it goes with the words of its cue
  const examples = light
    .filter((name) => /^x\d+$/.test(name))
    .map((name) => Number(name.slice(1)))
    .filter((i) => i < run.n);
  const { hot } = touch.hot.size || !pinned ? touch : pinned;
  return { hot: new Set([...hot, ...examples, ...more]), light };
}

function liveNumbers(run, t) {
  return `y f was ${numbersOf(run, t).margin},  α is ${amount(run.alphaOf(run.trace.index[t - 1], t), run)}`;
}

function whyNoBoundary(run, t, { field }, limit) {
  if (!run.plane) return "";
  const zero = run.symbols ? `${SIGNS[run.predictor.kind]} = 0 everywhere` : "score 0 everywhere";
  if (run.isBlank(t)) return `${zero}: no boundary yet`;
  return isFlat(field, limit) ? zero : "";
}

/**
 * Whether the colours of the current run are of little use at an instant: f is beyond their scale, or too small for it.
 *
 * @param {Player} player
 */
export function needsRescaling(player) {
  const { run } = player;
  if (player.hidesF || run.probability || !player.layout?.panels.map) return false;
  const reading = run.reading(Math.min(player.t, run.nSteps));
  const limit = limitOf(player, run);
  if (overOf(run, reading.field, reading, limit).some(Boolean)) return true;
  const values = run.plane ? reading.field : reading.scores;
  const [least, most] = endsOf(values, reading);
  return Math.max(-least, most) < PALE * limit && !isFlat(values, limit);
}

/** Whether some values lie below the colour scale, and above it. */
function overOf(run, field, reading, limit) {
  if (run.probability) return [false, false];
  const [least, most] = endsOf(run.plane ? field : reading.scores, reading);
  return [least < -OVER * limit, most > OVER * limit];
}

/** @type {WeakMap<Reading, [number, number]>} */
const known = new WeakMap();

/**
 * The least and the largest of some values and 0; those of a reading are looked for once.
 *
 * @param {Float64Array} values
 * @param {Reading} reading
 * @returns {[number, number]}
 */
function endsOf(values, reading) {
  const own = values === reading.field || values === reading.scores; // a run has always the same of these two
  const found = own && known.get(reading);
  if (found) return found;
  let [least, most] = [0, 0];
  for (let k = 0; k < values.length; k++) {
    const value = values[k];
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  if (own) known.set(reading, [least, most]);
  return [least, most];
}

/** Where the colours of a run end. */
const limitOf = (player, run) =>
  sharedScale(player, run, Math.min(player.t, run.nSteps))?.limit ??
  ((run === player.run && player.limit) || run.limitAt(Math.min(player.t, run.nSteps)));

/** @param {Run} run @param {Reading} reading */
function smallestMargin(run, { scores }) {
  if (run.stream) return 0;
  let least = Infinity;
  for (let i = 0; i < run.n; i++) least = Math.min(least, run.y[i] * scores[i]);
  return least;
}
