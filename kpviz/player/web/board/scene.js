// What the panels need to know of an instant, read from the player.

import { comparisonOf, foldsReasons, isFlat, sharedScale } from "./comparison.js";
import { kernelRowOf } from "./kernel_row.js";
import { looksAhead, foldsOf } from "./narration.js";
import { LETTERS } from "./run_set.js";
import { votesOn } from "../run/votes.js";
import { amount, numbersOf, shortNumber, SIGNS } from "../run/words.js";

/** @import { Cursor } from "./cursor.js" */
/** @import { KernelRow } from "./kernel_row.js" */
/** @import { RingedExample } from "../modes/types.d.ts" */
/** @import { Fisher } from "../modes/fisher.js" */
/** @import { Player } from "./player.js" */
/** @import { Run } from "../run/run.js" */
/** @import { RunMap } from "./run_set.js" */
/** @import { Mark, Pointer, Rect, Touch } from "./types.d.ts" */
/** @import { Figure, Reading } from "../run/types.d.ts" */

const PALE = 0.2; // Where f is below this share of the scale, it is hardly seen.
// From this share of a change on the boundary is nearer to where it goes than to where it was.
const MOVED = 0.7;
const OVER = 1.02; // Values beyond so many ends of the scale are said to be over it.

/** What stands in place of f, and of what follows from it. */
export const F_HIDDEN = "Hidden: it gives an answer away";

// Ms between two pictures of a field on its way, which is slow: nothing costs more than the map.
const BLENDED = 66;

/**
 * What a panel is given: the scene, its place, and the board's unit.
 * @typedef {Scene & { rect: Rect, unit: number }} PanelScene
 */

/**
 * The instant for the panels of each map, by the names of the maps.
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
  return Object.fromEntries(maps.map((map) => [map.name, sceneOf(player, at, map, thinned)]));
}

/**
 * The scene of a map and its run; by default of the current one.
 *
 * @param {Player} player
 * @param {number} now ms, of the frame
 * @param {RunMap} [map]
 * @param {boolean} [thinned] whether what moves waits for the next picture of a field
 * @returns {Scene}
 */
export function sceneOf(player, now, map = player.maps.at(-1), thinned = false) {
  return player.modes.ask("sceneOf", map) ?? new Scene(player, now, map, thinned);
}

/**
 * The same scene with parts of its own: what is not read is not computed.
 *
 * @template {object} Whole
 * @template {object} Parts
 * @param {Whole} scene
 * @param {Parts} parts
 * @returns {Whole & Parts}
 */
export const sceneWith = (scene, parts) =>
  Object.create(scene, Object.getOwnPropertyDescriptors(parts));

/**
 * The same scene for a panel in its place: an object of the class, too, since one that comes from
 * another is slow to read.
 *
 * @param {Scene} scene
 * @param {{ rect: Rect, unit: number }} place
 * @returns {PanelScene}
 */
export function placed(scene, place) {
  // A scene of Fisher's page has nothing that is computed.
  if (!(scene instanceof Scene)) return Object.assign(/** @type {Scene} */ ({}), scene, place);
  return scene.placed(place);
}

/**
 * Let a scene say other words.
 *
 * @param {Scene} scene
 * @param {{ sentence: string, formula?: string }} words
 */
export function say(scene, words) {
  if (!(scene instanceof Scene)) Object.assign(scene, words);
  else for (const [name, text] of Object.entries(words)) scene.parts.set(name, text);
}

/**
 * @typedef {ReturnType<Fisher["sceneOf"]> & { rect: Rect, unit: number }} FisherScene what a panel
 *   of Fisher's page is given
 */

/**
 * The words beside the pointer, or beside what is pinned.
 *
 * @param {Touch} touch
 * @param {Pointer | null} at
 */
export const tipOf = ({ lines }, at) => (lines.length ? { lines, px: at.px, py: at.py } : null);

/**
 * What the panels of a map may want to know of an instant; each part is computed when a panel first
 * reads it.
 */
export class Scene {
  /** @type {Map<string, any>} */
  parts = new Map(); // The parts that a panel has read.
  base = this; // Scenes of panels come from this one, and find its parts here.

  /**
   * @param {Player} player
   * @param {number} now ms, of the frame
   * @param {Pick<RunMap, "name" | "run" | "view">} map
   * @param {boolean} thinned
   */
  constructor(player, now, { name, run, view }, thinned) {
    /** @private a panel has what it needs of the player by the getters below */
    this.player = player;
    this.now = now;
    this.name = name; // The name of the map.
    this.run = run;
    this.view = view;
    this.thinned = thinned; // Motion waits for the next picture of a field.
    this.t = Math.min(player.t, run.nSteps);
    this.time = player.t;
    this.palette = player.palette;
    this.cues = player.cues.placed;
    this.patterns = player.patterns; // Signs stand beside the colours.
    this.bare = player.bare;
    this.server = player.capabilities.server;
    this.covered = player.covered;
    this.layout = player.layout;
    this.least = player.layout?.least;
    this.leastVerdictStep = player.layout?.leastVerdictStep;
    this.taken = player.layout?.taken ?? 0;
  }

  /** @param {{ rect: Rect, unit: number }} place */
  placed(place) {
    const scene = new Scene(this.player, this.now, this, this.thinned);
    return Object.assign(scene, { base: this.base, ...place });
  }

  // ---- what is said ----------------------------------------------------------------------------

  get narration() {
    return this.player.voice.narrationAt(this.player, this.run, this.now);
  }

  get sentence() {
    return this.narration.sentence;
  }

  get brief() {
    return this.narration.brief;
  }

  get formula() {
    return this.narration.formula;
  }

  get line() {
    return this.narration.line;
  }

  get tone() {
    return this.narration.tone;
  }

  get cued() {
    return this.narration.cued;
  }

  get shorter() {
    return this.narration.shorter;
  }

  /** Whether the sentence says first whether this is a kernel. */
  get isAboutKernel() {
    return this.narration.isAboutKernel ?? false;
  }

  get folded() {
    return this.isCurrent && foldsOf(this.player) !== null;
  }

  /** Whether the folds stand below the sentence in place of beside the suggestions. */
  get foldsBelow() {
    const { layout } = this.player;
    return this.folded && (layout.narrow || !layout.next);
  }

  /** Whether the reasons of compared runs are behind a button. */
  get foldsReasons() {
    return foldsReasons(this.player);
  }

  /** Whether a mode says itself what the runs came to. */
  get isSaidByMode() {
    return this.player.modes.ask("speaks") === true;
  }

  /** Whether a mode names the runs side by side itself. */
  get namesRuns() {
    return this.player.modes.ask("namesRuns") === true;
  }

  /** The letter of the run that was said to be right; "": none was. */
  get guess() {
    return this.player.runs.guess;
  }

  get counter() {
    return this.run.counter(this.t, this.covered());
  }

  get score() {
    return this.player.modes.ask("score") ?? "";
  }

  // ---- the step and its examples ---------------------------------------------------------------

  /** Whether the run is the current one, of several. */
  get isCurrent() {
    return this.run === this.player.run;
  }

  get reading() {
    return this.run.reading(this.t);
  }

  /** Whether the coming step is looked at, or asked about; a run that is over has none. */
  get asking() {
    return this.t < this.run.nSteps && looksAhead(this.player);
  }

  get predicting() {
    return this.player.hidesAhead;
  }

  get fHidden() {
    return this.player.hidesF;
  }

  get scoreCovered() {
    return this.player.coversScore;
  }

  get numbersHidden() {
    return this.player.hidesNumbers;
  }

  /** The example of the step, null where there is none. */
  get current() {
    const { run, t } = this;
    if (this.asking) return run.trace.index[t];
    return t > 0 ? run.trace.index[t - 1] : null;
  }

  /** Both examples of a step that changes two, null of any other. */
  get pair() {
    const { run, t, current } = this;
    const partner = this.asking || current === null ? -1 : (run.details.partner?.[t - 1] ?? -1);
    return partner < 0 ? null : [current, partner];
  }

  /** The points that a mode shows, null where all are shown. */
  get only() {
    return this.player.modes.ask("points", this.run) ?? null;
  }

  /** The examples that a task names. */
  get named() {
    return this.isCurrent ? this.player.named().filter((i) => i < this.run.n) : [];
  }

  /** The examples that a text names where one points at it. */
  get pointedOut() {
    return this.isCurrent ? examplesOf([this.player.pointer?.name ?? ""], this.run) : [];
  }

  /** The examples that are asked about or were answered. @returns {RingedExample[]} */
  get answered() {
    return this.isCurrent ? (this.player.modes.ask("answered") ?? []) : [];
  }

  /** What numbers are on the map. @returns {Figure[]} */
  get figures() {
    return this.isCurrent ? this.player.modes.all("figures").flat() : [];
  }

  /** Whether examples are called by their numbers. */
  get namesPoints() {
    return this.player.modes.ask("namesPoints") ?? true;
  }

  /** The votes on an example that a task shows; null: it shows none. */
  get votes() {
    const i = this.isCurrent ? this.player.modes.ask("votes") : undefined;
    return i === undefined ? null : votesOn(this.run, this.reading, i);
  }

  get pointsAhead() {
    return this.isCurrent ? this.player.pointsAhead : null;
  }

  /** Whether a press on the map does something else than to ask. */
  get mapIsTaken() {
    return this.isCurrent && Boolean(this.player.modes.ask("takesMap"));
  }

  /** What modes lay over the map. @param {PanelScene} scene @returns {Mark[]} */
  laidOver(scene) {
    return this.isCurrent ? this.player.modes.all("over", scene).flat() : [];
  }

  get normed() {
    return this.player.normed;
  }

  get pointScale() {
    return this.player.pointScale;
  }

  // ---- what is pointed at ----------------------------------------------------------------------

  get touch() {
    return this.player.pinnedTouch ?? this.player.touch;
  }

  get lit() {
    const { kernelRow, showsKernel, current } = this;
    const more = showsKernel && kernelRow.i !== current ? [kernelRow.i] : [];
    return lightOf(this.player, this.run, more);
  }

  get hot() {
    return this.lit.hot;
  }

  get light() {
    return this.lit.light;
  }

  get probe() {
    return this.touch.map === this.name ? this.touch.probe : null;
  }

  get pointer() {
    const { pointer, touch } = this.player;
    return pointer && touch.probe && touch.map === this.name ? pointer : null;
  }

  get tip() {
    return tipOf(this.touch, this.player.pinned ?? this.player.pointer);
  }

  // ---- f, or k(x, ·) in its place --------------------------------------------------------------

  /** The values at the ends of the colours, where several runs share them. */
  get scale() {
    return sharedScale(this.player, this.run, this.t);
  }

  get limit() {
    return limitOf(this.player, this.run);
  }

  get shownField() {
    return this.happening.field ?? this.reading.field;
  }

  /** Whether a button rescales the colours, or puts them back. */
  get canRescale() {
    return this.player.colourLimit.value !== null || needsRescaling(this.player);
  }

  /** Whether some values lie below the colour scale, and above it. */
  get over() {
    return overOf(this.run, this.shownField, this.reading, this.limit);
  }

  /** The row of the kernel as it is where nothing is on its way. */
  get plainKernelRow() {
    return kernelRowOf(this.player, this.run, this.current);
  }

  get kernelRow() {
    return blendedRow(this.player, this.plainKernelRow, this.now);
  }

  /** Whether the map shows k(x_i, ·), not f. */
  get showsKernel() {
    return Boolean(this.kernelRow) && this.kernelRow.i !== null;
  }

  get #images() {
    return this.player.runs.imagesOf(this.run);
  }

  get fieldImage() {
    const { run, palette, shownField, limit } = this;
    const chance = run.probability ? (f) => run.chance(f) : null;
    return this.#images.fieldOf(palette, shownField, limit, chance);
  }

  get kernelImage() {
    const { field, limit, scale } = this.kernelRow;
    return this.#images.fieldOf(this.palette, field, limit, null, scale);
  }

  get scaleImage() {
    return this.#images.scaleOf(this.palette);
  }

  get boundaryMissing() {
    if (this.showsKernel) return "";
    if (this.fHidden) {
      return `${this.run.symbols ? "f" : "The score"} is hidden: it gives an answer away`;
    }
    return this.kernelRow?.note || whyNoBoundary(this.run, this.t, this.reading, this.limit);
  }

  /** Whether another panel stands on the same page of the board. @param {string} name */
  stands(name) {
    return Boolean(this.player.layout?.panels[name]);
  }

  get margin() {
    const { run, player } = this;
    const isDrawn = !this.fHidden && run.plane && player.shown.has("lines");
    return isDrawn ? smallestMargin(run, this.reading) : 0;
  }

  get optimum() {
    return this.run.optimumField;
  }

  /** Whether something about a whole run is drawn on one of the maps side by side. */
  get hasVerdict() {
    const { verdicts } = this.player;
    return this.compared.others.some(({ run, t }) => run.plane && verdicts.drawnAt(run, t));
  }

  get verdict() {
    const { layout, verdicts, modes } = this.player;
    // A line that separates them may be what is asked for.
    const mayBeAsked = layout?.say && !modes.ask("showsVerdict");
    return mayBeAsked ? null : verdicts.drawnAt(this.run, this.t);
  }

  // ---- what moves ------------------------------------------------------------------------------

  /** What a step that is shown happening does, or steps that come too fast for it. */
  get happening() {
    return movingOf(this.player, this.run, this.now);
  }

  get moving() {
    return this.happening.moving || this.kernelRow !== this.plainKernelRow;
  }

  /** What a step adds to f, while that is shown. */
  get bump() {
    return this.happening.bump;
  }

  get ghost() {
    return this.happening.ghost;
  }

  /** How far a ring has spread from the step's example, from 0 to 1; null: there is none. */
  get ring() {
    return this.asking ? null : this.happening.ring;
  }

  get beat() {
    return this.happening.beat;
  }

  /** Whether the boundary has yet to move, so that nothing is said of what follows. */
  get isVerdictOnly() {
    const { beat } = this;
    return beat !== null && !(beat.name === "change" && beat.share >= MOVED);
  }

  /** The reading before a step that is shown happening. */
  get earlier() {
    return this.happening.earlier;
  }

  get terms() {
    return this.happening.terms;
  }

  /** The reading that is on the map: until the change of a step is shown, that before the step. */
  get standing() {
    return this.happening.held ?? this.reading;
  }

  /** The instant of the reading that is on the map. */
  get learnt() {
    return this.happening.held ? this.t - 1 : this.t;
  }

  /** The instant of bars and of the sizes of points, while steps come fast. */
  get paced() {
    const { cursor } = this.player;
    return cursor.swift ? cursor.blends.paced(this.run, this.t, this.now) : null;
  }

  /** The instant up to which bars and points have grown. */
  get grown() {
    return this.paced ?? this.learnt;
  }

  /** Whether no step is shown happening. */
  get fast() {
    const { clock, cursor } = this.player;
    return (clock.playing && !clock.bumps) || cursor.fastSteps.on;
  }

  /**
   * What a panel shows on its way to `values`, from 0 to 1; null where that is these.
   *
   * @param {Float64Array} values
   * @param {unknown} key
   */
  blended(values, key) {
    return blendedField(this.player.cursor, this.run.trace, values, {
      key,
      now: this.now,
      limit: 1,
    });
  }

  // ---- what single panels show -----------------------------------------------------------------

  /** The letter of the run, where it stands beside others. */
  get letter() {
    const { runs, maps } = this.player;
    return runs.pinned.length ? LETTERS[maps.findIndex(({ name }) => name === this.name)] : "";
  }

  get compared() {
    const { player, now } = this;
    return comparisonOf(player, this.name, now, (run) => onItsWay(player, run, now));
  }

  /**
   * Whether a panel shows what the answer to a question, or a run beside this one, does not forbid.
   */
  #draws(name) {
    return this.player.shows(name) && !this.player.runs.pinned.length && !this.fHidden;
  }

  /** Whether the panel of the readings is on, which has the errors of epochs. */
  get showsReadings() {
    return this.player.shows("readings");
  }

  /** How many steps had the width of the timeline when a hand took hold of it; null: none has. */
  get stepsInHand() {
    return this.player.modes.ask("stepsInHand") ?? null;
  }

  get readings() {
    return this.#draws("readings") ? this.run.readings(this.t) : null;
  }

  get primal() {
    return this.#draws("primal") ? (this.run.header.extras.primal ?? null) : null;
  }

  get mistakes() {
    return this.run.trace.mistakesBefore(this.t);
  }

  /** The numbers of the step, in the pseudo-code. */
  get live() {
    const { run, t } = this;
    if (t === 0) return "";
    const alpha = amount(run.alphaOf(run.trace.index[t - 1], t), run);
    const rate = run.header.about.counts ? `  η is ${shortNumber(run.trace.unit)},` : "";
    return `y·f was ${numbersOf(run, t).margin},${rate}  α is ${alpha}`;
  }

  get curve() {
    return this.isCurrent ? this.player.curve.scene : null;
  }

  get sequence() {
    return this.isCurrent ? this.player.order.scene : null;
  }

  get turned() {
    return this.player.lift.now;
  }
}

/** Let the getters of a class compute what they return once for each object. */
function computeOnce(prototype) {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (!get) continue;
    Object.defineProperty(prototype, name, {
      get() {
        const { base } = this;
        if (!base.parts.has(name)) base.parts.set(name, get.call(base));
        return base.parts.get(name);
      },
    });
  }
}

computeOnce(Scene.prototype);

/**
 * What a step that is shown happening does to the map, or steps that come too fast for it; at rest
 * nothing moves.
 *
 * @param {Player} player
 * @param {Run} run
 */
function movingOf(player, run, now) {
  const { cursor, runs, palette } = player;
  const motion = cursor.motion?.of(run) ?? null;
  const moving = motion?.at(now) ?? null;
  if (!moving) {
    const { field: currentField } = run.reading(Math.min(player.t, run.nSteps));
    const morphed = () =>
      cursor.morph?.at(run, { field: currentField, limit: limitOf(player, run), now });
    const field = run.plane ? (morphed() ?? blendedOf(player, run, now)) : null;
    const still = {
      bump: null,
      ghost: null,
      ring: null,
      beat: null,
      held: null,
      earlier: null,
      terms: [],
    };
    return { moving: field !== null, field, ...still };
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

/**
 * What lights up: the examples that the pointer touches, else those that are pinned, what the cue
 * of this instant names, and the name in a text that is pointed at; while something is concealed an
 * example that is named so has its ring on the map alone.
 *
 * @param {Pick<Player,
 *   "touch" | "pinnedTouch" | "cues" | "cuesFit" | "t" | "pointer" | "concealsSome">} player
 * @param {Run} run
 * @param {number[]} [more]
 */
export function lightOf(player, run, more = []) {
  const { touch, pinnedTouch, cues, cuesFit, t, pointer } = player;
  // What is lit goes with the words of its cue.
  const light = (cuesFit() && cues.at(t)?.light) || [];
  const pointedAt = pointer?.name ? [pointer.name] : [];
  const examples = examplesOf(player.concealsSome ? light : [...light, ...pointedAt], run);
  const { hot } = touch.hot.size || !pinnedTouch ? touch : pinnedTouch;
  return { hot: new Set([...hot, ...examples, ...more]), light: [...light, ...pointedAt] };
}

/** The examples among some names. @param {string[]} names @param {Run} run */
const examplesOf = (names, run) =>
  names
    .filter((name) => /^x\d+$/.test(name))
    .map((name) => Number(name.slice(1)))
    .filter((i) => i < run.n);

function whyNoBoundary(run, t, { field }, limit) {
  if (!run.plane) return "";
  const zero = run.symbols ? `${SIGNS[run.predictor.kind]} = 0 everywhere` : "score 0 everywhere";
  if (run.isBlank(t)) return `${zero}: no boundary yet`;
  return isFlat(field, limit) ? zero : "";
}

/**
 * Whether the colours of the current run are of little use at an instant: f is beyond their scale,
 * or too small for it.
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
  // A run has always the same of these two.
  const isOfReading = values === reading.field || values === reading.scores;
  const knownEnds = isOfReading && known.get(reading);
  if (knownEnds) return knownEnds;
  let least = 0;
  let most = 0;
  for (let k = 0; k < values.length; k++) {
    const value = values[k];
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  if (isOfReading) known.set(reading, [least, most]);
  return [least, most];
}

/** Where the colours of a run end. */
const limitOf = (player, run) =>
  sharedScale(player, run, Math.min(player.t, run.nSteps))?.limit ??
  ((run === player.run && player.colourLimit.value) || run.limitAt(Math.min(player.t, run.nSteps)));

/** @param {Run} run @param {Reading} reading */
function smallestMargin(run, { scores }) {
  if (run.stream) return 0;
  let least = Infinity;
  for (let i = 0; i < run.n; i++) least = Math.min(least, run.y[i] * scores[i]);
  return least;
}
