// What is said of an instant: a question about the coming step, the words of a cue, or what the step did.

import { wrap } from "../paint/measure.js";
import { ahead, counted, explain, whole } from "../run/words.js";

// Of the sentence on the board: px beside it, lines over its type, and px of the counter above it where the unit is 1.
const [MARGIN, LINE, COUNTER] = [14, 1.28, 26];

/** @import { Player } from "./player.js" */
/** @import { Run } from "../run/run.js" */

/**
 * A sentence, the same as a formula, the line of the pseudo-code that is lit, and the colour beside it; `cued`: the words
 * are a cue's. `shorter`: what says less, where there is no room for it, the longest first.
 * @typedef {{ sentence: string, formula?: string, line: number, tone: string, cued?: boolean, shorter?: string[] }} Narration
 */

const ROW = /^(Right|[\d,]+ right in a row)\.$/; // how many there were so far
const PRESS = /Press →[^:.]*(?:\.|: (f )?(\S))/; // f is a symbol, whose letter stays small
const SCORE_HIDDEN = "The score is hidden until you have answered.";
const CLICKS = "Draw points: click on the map. Can you make it fail?";
const TAPS = "Draw points: tap on the map; a long press removes one. Can you make it fail?";

/**
 * Keys that a finger does not have are called by their buttons; a class has none to press.
 *
 * @param {{ byTouch?: boolean, presenting: boolean }} player
 */
export function tapped({ byTouch = false, presenting }, words) {
  const said = presenting
    ? words.replace(PRESS, (_, f = "", first = "") => (f ? f + first : first.toUpperCase())).trim()
    : words;
  const taps = {
    "Press →": "Tap Next example",
    "press →": "tap Turn 1°",
    "← no, → yes": "‹ no, › yes",
  };
  return byTouch
    ? Object.entries(taps).reduce((all, [key, tap]) => all.replace(key, tap), said)
    : said;
}

/**
 * @param {Player} player
 * @param {Run} run
 * @returns {Narration}
 */
export function narrationOf(player, run = player.run, formulaFirst = false) {
  const { palette, editing, modes } = player;
  if (run.fisher) {
    const { special } = run.fisher.reading(player.t);
    const tone = special === "best" ? palette.good : palette.accent;
    const { scaling } = run.fisher.header.notes;
    const formula = scaling && `${scaling[0].toUpperCase()}${scaling.slice(1)}.`;
    const words = run.fisher.moved === null && player.cuesFit() && player.cues.at(player.t)?.words;
    if (words) return { sentence: words, formula: "", line: 0, tone, cued: true };
    return { sentence: tapped(player, run.fisher.sentence(player.t)), formula, line: 0, tone };
  }
  const t = Math.min(player.t, run.nSteps);
  const offers = player.capabilities.server && !player.presenting && player.runs.all.length === 1;
  const {
    described,
    end: ending,
    formula,
    line,
  } = explain(run, t, { grey: palette.grey, offers, draws: editing.on });
  const end = player.covered().has("mistakes") ? "" : withCause(player, ending);
  const own = run === player.run;
  const instead = insteadOf(player);
  if (instead !== undefined) {
    return { sentence: own ? tapped(player, instead) : "", line, tone: palette.accent };
  }
  if (own && editing.fresh) {
    return { sentence: player.byTouch ? TAPS : CLICKS, line, tone: palette.accent };
  }
  const cue = own && !modes.ask("speaks") && player.cuesFit() ? player.cues.at(player.t) : null;
  if (cue?.words) return { sentence: cue.words, line, tone: palette.accent, cued: true };
  if (own && t === 0 && player.hidesAhead) {
    return { sentence: ahead(run, t, "look"), line, tone: palette.accent };
  } // that of the start would tell
  if (own && t > 0 && player.covered().has("f")) {
    return { sentence: SCORE_HIDDEN, line, tone: palette.accent };
  }
  const tone = t === 0 ? palette.accent : run.trace.mistake[t - 1] ? palette.warning : palette.good;
  const [first, second] =
    formulaFirst && formula && run.symbols
      ? [formula, described]
      : [described, run.symbols ? formula : ""];
  const joined = (...parts) => parts.filter(Boolean).join(" ");
  const said = joined(own ? modes.ask("remark") : "", tapped(player, first), end);
  const folds = own ? foldsOf(player) : null;
  if (folds) {
    const sentence = joined(modes.ask("remark"), folds.headline, folds[player.verdicts.open]);
    return { sentence, line, tone };
  }
  const { no, why, help } = player.verdicts.at(run, t) ?? {};
  const sentences = [
    joined(no, said, why, help),
    joined(no, said),
    ...(end ? endsInFewer(end) : fewer(first).slice(1)),
  ];
  const sentence = fitting(player, sentences);
  return {
    sentence,
    formula: second,
    line,
    tone,
    shorter: sentences.slice(sentences.lastIndexOf(sentence) + 1),
  };
}

/** What is said of the end of the run; what came of the points that somebody drew, first. @param {Player} player @param {string} end */
function withCause({ editing, run: { trace, nSteps } }, end) {
  if (end && editing.before !== null) {
    return notYet(end, trace.mistakesBefore(nSteps), editing.before);
  }
  if (!editing.broken) return end;
  const mistakes = counted(trace.mistakesInEpoch(trace.nEpochs), "mistake");
  const broke = `You broke it: the last of ${counted(trace.nEpochs, "epoch")} still has ${mistakes}.`;
  return broke + end.slice(fewer(end).at(-1).length);
}

/** The answer to “Can you make it fail?” while it does not. @param {string} end @param {number} now @param {number} before */
function notYet(end, now, before) {
  const [lead] = fewer(end).slice(-1);
  const said = lead.replace(/^An? [^:]*: (?=converged)/, "").replace(/\.$/, "");
  const than = now === before ? ", as before" : ` instead of ${whole.format(before)}`;
  const told = /mistakes?$/.test(said) ? `${said}${than}.` : lead;
  return `Not yet: ${told[0].toLowerCase()}${told.slice(1)}${end.slice(lead.length)}`;
}

/**
 * The end of a run as a headline, and folded behind it why it is so and what would help; null where nothing is folded: before
 * the end, before a class, beside other runs and where there is nothing more to say.
 *
 * @param {Player} player
 * @returns {{ headline: string, why: string, help: string } | null}
 */
export function foldsOf(player) {
  const { run, verdicts, presenting, runs, editing } = player;
  if (
    !verdicts.folds ||
    editing.fresh ||
    presenting ||
    run.fisher ||
    runs.all.length > 1 ||
    player.t < run.nSteps ||
    !run.nSteps ||
    player.covered().has("mistakes")
  ) {
    return null;
  }
  const end = withCause(player, explain(run, run.nSteps).end);
  const known = verdicts.at(run, run.nSteps);
  const headline = known?.no || fewer(end).at(-1);
  const remainder = known?.no ? end : end.slice(headline.length).trim();
  const why = [remainder, known?.why].filter(Boolean).join(" ");
  return why || known?.help ? { headline, why, help: known?.help ?? "" } : null;
}

/**
 * The same as one wants to read it: the formula first, where it was asked for.
 *
 * @param {Player} player
 * @param {Run} run
 */
export function shownOf(player, run = player.run) {
  return narrationOf(player, run, player.formulaFirst);
}

/** What is said in place of the step: of the coming one while one looks at it, or what a mode says. @param {Player} player */
function insteadOf({ t, run, cursor, modes }) {
  return cursor.looking && t < run.nSteps ? ahead(run, t, "look") : modes.ask("sentence", run);
}

/** Whether it is the coming step that is looked at, or asked about. @param {Player} player */
export function looksAhead({ t, run, cursor, modes }) {
  return t < run.nSteps && (cursor.looking || modes.ask("asks"));
}

/** What is said while one plays: right answers in a row are one sentence, which counts them, and each stays for a second at least. */
export class Voice {
  /** @type {WeakMap<Run, { narration: Narration, since: number }>} */
  #said = new WeakMap();

  /**
   * @param {Player} player
   * @param {Run} run
   * @param {number} now ms, of the frame
   * @returns {Narration}
   */
  of(player, run, now) {
    const { clock, cursor } = player;
    const wanted = shownOf(player, run);
    const known = this.#said.get(run);
    const ends = player.t >= run.nSteps;
    const quick = cursor.swift || (clock.playing && clock.pause(false) < clock.timings.spoken);
    const held = known && quick && !wanted.cued && !ends;
    const narration =
      held && !cursor.motion ? (summed(wanted, run, player) ?? known.narration) : wanted; // what is shown happening is said
    const { sentence, formula } = narration;
    if (known?.narration.sentence === sentence && known.narration.formula === formula) {
      return known.narration;
    }
    const counts = known && [known.narration, narration].every((one) => ROW.test(one.sentence)); // one number goes up
    if (held && !counts && now - known.since < clock.timings.spoken) return known.narration;
    this.#said.set(run, { narration, since: counts ? known.since : now });
    return narration;
  }
}

/** These sentences, and from the first on fewer and fewer of them. @param {string} words */
function fewer(words) {
  const each = words.split(/(?<=\.) (?=[A-Z])/);
  return each.map((_, k) => each.slice(0, each.length - k).join(" "));
}

/** What is said of an end, in fewer and fewer words: last of all that it converged, without how that was seen. @param {string} end */
function endsInFewer(end) {
  const brief = end.replace(/^[^.:]+: converged/, "Converged");
  return brief === end ? fewer(end) : [...fewer(end), brief];
}

/**
 * The first of some sentences, the longest first, for which a stage has room, else the last.
 *
 * @param {Player} player
 * @param {string[]} sentences
 */
function fitting({ presenting, layout, palette }, sentences) {
  if (!presenting || !layout.panels.words) return sentences[presenting ? 1 : 0];
  const { panels, unit, least } = layout;
  const { w, h } = panels.words;
  const fits = (sentence) =>
    wrap(sentence, w - MARGIN, least, palette.fonts, 500).length * least * LINE <=
    h - COUNTER * unit;
  return sentences.find(fits) ?? sentences.at(-1);
}

/**
 * A sentence, of right answers in a row one for all so far; null where it would be gone before it could be read.
 *
 * @param {Narration} narration
 * @param {Run} run
 * @param {Player} player
 */
function summed(narration, { trace }, { t, clock }) {
  const long = (steps) => steps * clock.pause(false) >= clock.timings.spoken;
  const mistake = trace.mistakeSteps[trace.mistakesBefore(t)] ?? trace.nSteps;
  if (clock.bumps && !long(mistake + 1 - t)) return null; // which is shown happening, and said at once
  const [right, around] = t > 0 ? trace.rightAround(t) : [0, 0];
  if (right === 0) return narration;
  const sentence = right === 1 ? "Right." : `${whole.format(right)} right in a row.`;
  return long(around) ? { ...narration, sentence, formula: "" } : null;
}
