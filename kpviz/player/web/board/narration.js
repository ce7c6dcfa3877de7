// What is said of an instant: a question about the coming step, the words of a cue, or what the
// step did.

import { kernelRowOf } from "./kernel_row.js";
import { translate } from "../run/language.js";
import { ahead, capitalized, example, explain, whole } from "../run/words.js";
import { SHORT_BAR } from "./lengths.js";
import { isAboutKernel } from "./shown_panels.js";
import { SMALLEST_PAIR, leastPair, sentenceHeight, topOf } from "./sentence.js";

/** @import { Modes } from "../modes/modes.js" */
/** @import { Player } from "./player.js" */
/** @import { Run } from "../run/run.js" */

/**
 * @typedef {object} Narration
 * @property {string} sentence
 * @property {string} [brief] The same in a few words, where it is about a step.
 * @property {string} [headline] At the end of the run what came of it, in one sentence.
 * @property {string} [formula] The same as a formula.
 * @property {number} line The line of the pseudo-code that is lit.
 * @property {string} tone The colour beside the sentence.
 * @property {boolean} [cued] Whether the words are those of a cue.
 * @property {boolean} [isAboutKernel] Whether it says first whether this is a kernel.
 * @property {string[]} [shorter] What says less, where there is no room for it, the longest first.
 */

const ROW = /^(Right|[\d,]+ right in a row)\.$/;
// As a symbol, f keeps its small letter.
const PRESS = /Press →[^:.]*(?:\.|: (f )?(\S))/;
const SCORE_HIDDEN = "The score is hidden: it gives an answer away.";

/** What the finest grain of stepping stops at. @param {{ run?: Run | null }} player */
export const finestGrain = ({ run = null }) => (run?.trace?.paired ? "pair" : "example");

/**
 * Keys that a finger does not have are called by their buttons; a class has none to press.
 *
 * @param {{
 *   byTouch?: boolean, bare: boolean, layout?: { bar: { w: number }, unit: number } | null,
 *   run?: Run | null,
 * }} player
 */
export function tapped({ byTouch = false, bare, layout = null, run = null }, words) {
  const sentence = bare
    ? words.replace(PRESS, (_, f = "", first = "") => (f ? f + first : first.toUpperCase())).trim()
    : words;
  const grain = finestGrain({ run });
  const isShort = layout !== null && layout.bar.w <= SHORT_BAR * layout.unit;
  const tap = isShort ? `Tap ${capitalized(grain)}` : `Tap Next ${grain}`;
  return byTouch ? sentence.replace("Press →", tap) : sentence;
}

/**
 * @param {Player} player
 * @param {Run} run
 * @returns {Narration}
 */
export function narrationOf(player, run = player.run, formulaFirst = false) {
  const { palette, modes } = player;
  const ofMode = modes.ask("narration");
  if (ofMode) return ofMode;
  const t = Math.min(player.t, run.nSteps);
  const offers = player.capabilities.server && !player.bare && player.runs.all.length === 1;
  const {
    described,
    brief,
    end: ending,
    formula,
    line,
  } = explain(run, t, { grey: palette.grey, offers, draws: modes.ask("putsPoints") });
  const end = player.covered().has("mistakes") ? "" : withCause(modes, ending);
  const isCurrent = run === player.run;
  const replacement = replacementOf(player);
  if (replacement !== undefined) {
    return { sentence: isCurrent ? tapped(player, replacement) : "", line, tone: palette.quiet };
  }
  const invitation = isCurrent && modes.ask("invitation");
  if (invitation) return { sentence: invitation, line, tone: palette.quiet };
  const isCued = isCurrent && !modes.ask("speaks") && player.cuesFit();
  const cue = isCued ? player.cues.at(player.t) : null;
  if (cue?.words) return { sentence: cue.words, line, tone: palette.quiet, cued: true };
  if (isCurrent && t === 0 && player.hidesAhead) {
    // The sentence of the start would tell the answer.
    return { sentence: ahead(run, t, "look"), line, tone: palette.quiet };
  }
  if (isCurrent && t > 0 && player.coversScore) {
    return { sentence: SCORE_HIDDEN, line, tone: palette.quiet };
  }
  const tone =
    palette[t === 0 ? "quiet" : end && !run.stream ? toneOfEnd(run) : toneOfStep(run, t)];
  const shownFormula = run.symbols ? formula : "";
  const formulaLeads = formulaFirst && shownFormula;
  const leading = formulaLeads ? formula : described;
  const joined = (...parts) => parts.filter(Boolean).join(" ");
  const remark = isCurrent ? modes.ask("remark") : "";
  const aboutKernel = kernelHeadline(player);
  if (isCurrent && aboutKernel) {
    const step = brief && !player.covered().has("mistakes") ? brief : "";
    const inShort = end ? translate(endInBrief(end)) : step;
    const vote = onlyVote(run, t);
    return {
      sentence: joined(aboutKernel, remark, vote || inShort),
      brief: aboutKernel,
      formula: vote ? "" : shownFormula,
      line,
      tone: palette.quiet,
      isAboutKernel: true,
    };
  }
  const folds = isCurrent ? foldsOf(player) : null;
  if (folds) {
    const sentence = joined(remark, folds.headline, folds[player.verdicts.open]);
    return { sentence, brief: translate(endInBrief(end)), line, tone };
  }
  // The end is the verdict, and what the last step did follows.
  const whatHappened = joined(remark, end, tapped(player, leading));
  const { no, why, help } = player.verdicts.at(run, t) ?? {};
  const sentences = [
    joined(no, whatHappened, why, help),
    joined(no, whatHappened),
    ...(no ? [joined(no, why), no] : []),
    ...(end ? endsInFewer(end) : fewer(leading).slice(1)),
  ];
  const sentence = fitting(player, sentences);
  return {
    sentence,
    brief: end ? (no ? fewer(no).at(-1) : translate(endInBrief(end))) : brief,
    headline: end && (no || endsInFewer(end).at(-1)),
    formula: joined(aboutShading(player, run, t), formulaLeads ? described : shownFormula),
    line,
    tone,
    shorter: sentences.slice(sentences.lastIndexOf(sentence) + 1),
  };
}

/**
 * What is drawn in place of f, in words.
 *
 * @param {Player} player
 * @param {Run} run
 */
function aboutShading(player, run, t) {
  if (!run.symbols) return "";
  const kernelRow = kernelRowOf(player, run, t ? run.trace.index[t - 1] : null);
  if (!kernelRow || kernelRow.i === null || kernelRow.i >= run.n) return "";
  const name = example(kernelRow.i);
  return `Shading: k(${name}, ·), how similar each place is to ${name}.`;
}

/** The colour of what a step was. @param {Run} run */
const toneOfStep = ({ trace }, t) => (trace.mistake[t - 1] ? "warning" : "good");

/**
 * The colour of what came of a run: whether its last epoch was right on all; that of no verdict
 * where nothing was learnt.
 *
 * @param {Run} run
 */
function toneOfEnd({ trace, header }) {
  if (header.open) return "warning";
  if (trace.paired) return "good";
  if (!trace.nEpochs || !trace.timelineMistakes.length) return "quiet";
  return trace.mistakesInEpoch(trace.nEpochs) ? "warning" : "good";
}

/**
 * What is said of the end of the run; a mode may say what has led to it.
 *
 * @param {Modes} modes
 * @param {string} end
 * @returns {string}
 */
const withCause = (modes, end) => modes.ask("ending", end) ?? end;

/**
 * What the place of the kernels says above all: whether this is one. "" elsewhere, in lessons and
 * beside other runs, and until it is known.
 *
 * @param {Player} player
 */
function kernelHeadline({ run, runs, modes, shown }) {
  const isElsewhere = runs.all.length > 1 || modes.ask("belongsTo") || !isAboutKernel(shown);
  return isElsewhere ? "" : (run.header.extras.validity?.headline ?? "");
}

/** That the map shows the votes of one example alone, where it does. @param {Run} run */
function onlyVote(run, t) {
  if (t !== 1 || !run.plane || run.initial) return "";
  const voting = [...run.alphas(t).keys()].filter((i) => run.alphas(t)[i] !== 0);
  return voting.length === 1 ? `The map shows the votes of ${example(voting[0])} alone.` : "";
}

/**
 * The end of a run as a headline, and folded behind it why it is so and what would help; null where
 * nothing is folded: before the end, before a class, beside other runs and where there is nothing
 * more to say.
 *
 * @param {Player} player
 * @returns {{ headline: string, why: string, help: string } | null}
 */
export function foldsOf(player) {
  const { run, verdicts, bare, runs, modes } = player;
  if (
    !verdicts.folds ||
    kernelHeadline(player) ||
    modes.ask("invitation") ||
    bare ||
    runs.all.length > 1 ||
    player.t < run.nSteps ||
    !run.nSteps ||
    player.covered().has("mistakes")
  ) {
    return null;
  }
  const end = withCause(modes, explain(run, run.nSteps).end);
  const known = verdicts.at(run, run.nSteps);
  const headline = known?.no || fewer(end).at(-1);
  const remainder = known?.no ? end : end.slice(headline.length).trim();
  const why = [remainder, known?.why].filter(Boolean).join(" ");
  return why || known?.help ? { headline, why, help: known?.help ?? "" } : null;
}

/**
 * What is said of an instant as its reader prefers it: the formula first, where it was asked for.
 *
 * @param {Player} player
 * @param {Run} run
 */
function preferredNarrationOf(player, run = player.run) {
  return narrationOf(player, run, player.formulaFirst);
}

/**
 * What is said in place of the step: of the coming one while one looks at it, or what a mode says.
 *
 * @param {Player} player
 */
function replacementOf({ t, run, cursor, modes }) {
  if (cursor.leapWords) return cursor.leapWords;
  return cursor.looking && t < run.nSteps ? ahead(run, t, "look") : modes.ask("sentence", run);
}

/** Whether it is the coming step that is looked at, or asked about. @param {Player} player */
export function looksAhead({ t, run, cursor, modes }) {
  return t < run.nSteps && (cursor.looking || modes.ask("asking"));
}

/**
 * What is said while one plays: right answers in a row are one sentence, which counts them, and
 * each sentence stays for a second at least.
 */
export class Voice {
  /** @type {WeakMap<Run, { narration: Narration, since: number }>} */
  #newest = new WeakMap();

  /**
   * @param {Player} player
   * @param {Run} run
   * @param {number} now ms, of the frame
   * @returns {Narration}
   */
  narrationAt(player, run, now) {
    const { clock, cursor } = player;
    const inFull = preferredNarrationOf(player, run);
    // Nobody reads more while one plays; the remainder is said as soon as one pauses.
    const isBrief = !clock.readable && inFull.brief;
    const current = isBrief ? { ...inFull, sentence: inFull.brief, formula: "" } : inFull;
    const newest = this.#newest.get(run);
    const isEnd = player.t >= run.nSteps;
    const isQuick = cursor.swift || (clock.playing && clock.pause(false) < clock.timings.spoken);
    const stays = newest && isQuick && !current.cued && !current.isAboutKernel && !isEnd;
    let narration = current;
    // A step that is shown happening is said at once.
    if (stays && !cursor.motion) {
      narration = rowOfRightAnswers(current, run, player) ?? newest.narration;
    }
    const { sentence, formula } = narration;
    if (newest?.narration.sentence === sentence && newest.narration.formula === formula) {
      return newest.narration;
    }
    // Only a number of the sentence goes up.
    const isCount = newest && ROW.test(newest.narration.sentence) && ROW.test(sentence);
    if (stays && !isCount && now - newest.since < clock.timings.spoken) return newest.narration;
    this.#newest.set(run, { narration, since: isCount ? newest.since : now });
    return narration;
  }
}

// A sentence ends before a capital letter, or before a norm.
const BETWEEN_SENTENCES = /(?<=\.) (?=[\p{Lu}‖])/u;

/**
 * All of these sentences, then fewer and fewer of them: the last ones are left out first.
 *
 * @param {string} words
 */
export function fewer(words) {
  const sentences = words.split(BETWEEN_SENTENCES);
  return sentences.map((_, k) => sentences.slice(0, sentences.length - k).join(" "));
}

/**
 * What is said of an end, in fewer and fewer words: last of all that it converged, without how that
 * was seen.
 *
 * @param {string} end
 */
function endsInFewer(end) {
  const brief = end.replace(/^[^.:]+: converged/, "Converged");
  return brief === end ? fewer(end) : [...fewer(end), brief];
}

/** What is said of an end where there is room for a few words. @param {string} end */
const endInBrief = (end) =>
  endsInFewer(end)
    .at(-1)
    .replace(/[:,] .*$/, ".");

/**
 * The first of some sentences, the longest first, for which there is room, else the last.
 *
 * @param {Player} player
 * @param {string[]} sentences
 */
function fitting({ bare, layout, palette }, sentences) {
  if (!layout?.panels.words) return sentences[bare ? 1 : 0];
  const rect = layout.panels.words;
  const setting = { rect, unit: layout.unit, fonts: palette.fonts };
  const room = rect.y + rect.h - topOf(setting);
  const pair = layout.leastVerdictStep ? leastPair(layout.leastVerdictStep) : SMALLEST_PAIR;
  const fits = (sentence) => sentenceHeight(sentence, pair, setting) <= room;
  return sentences.find(fits) ?? sentences.at(-1);
}

/**
 * A sentence, of right answers in a row one for all so far; null where it would be gone before it
 * could be read.
 *
 * @param {Narration} narration
 * @param {Run} run
 * @param {Player} player
 */
function rowOfRightAnswers(narration, { trace }, { t, clock }) {
  const isReadable = (steps) => steps * clock.pause(false) >= clock.timings.spoken;
  const mistake = trace.mistakeSteps[trace.mistakesBefore(t)] ?? trace.nSteps;
  // The mistake is shown happening, and said at once.
  if (clock.bumps && !isReadable(mistake + 1 - t)) return null;
  if (t === 0) return narration;
  // So many are right in a row up to t, and so many will be when it ends.
  const [right, around] = trace.rightAround(t);
  if (right === 0) return narration;
  const sentence = right === 1 ? "Right." : `${whole.format(right)} right in a row.`;
  return isReadable(around) ? { ...narration, sentence, formula: "" } : null;
}
