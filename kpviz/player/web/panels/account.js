// What the panels say in words, each in its own module: to who points at it, to who goes over it by keys, and, under the titles
// of all panels, to who does not see the board.

import { describeAlpha } from "./alpha.js";
import { describeCurve } from "./curve.js";
import { describeGram } from "./gram.js";
import { describeMap } from "./map.js";
import { describeMargins } from "./margins.js";
import { describePrimal } from "./primal.js";
import { describeReadings } from "./readings.js";
import { describeRemembered } from "./remembered.js";
import { describeScatter } from "./scatter.js";
import { describeBound, describeCode } from "./text.js";
import { describeTimeline } from "./timeline.js";
import { describeDerivation, describeValidity } from "./validity.js";
import { wrap } from "../model/measure.js";
import { BY_NAME } from "../model/panel_table.js";
import { untouched } from "../model/player.js";
import { LETTERS } from "../model/run_set.js";
import { lightOf } from "../model/scene.js";
import { alphaTitle, derivationTitle, placeOf, whole } from "../model/words.js";

/** @import { Player } from "../model/player.js" */
/** @import { PanelScene } from "../model/scene.js" */
/** @import { Described, Rect } from "../types.d.ts" */

/** @type {Record<string, (scene: PanelScene) => Described[]>} */
const DESCRIBE = {
  map: describeMap,
  alpha: describeAlpha,
  margins: describeMargins,
  timeline: describeTimeline,
  gram: describeGram,
  validity: describeValidity,
  derivation: describeDerivation,
  bound: describeBound,
  readings: describeReadings,
  code: describeCode,
  curve: describeCurve,
  primal: describePrimal,
  remembered: describeRemembered,
  scatter: describeScatter,
};
const ALWAYS = ["map", "alpha", "margins", "timeline"];
const ALONE = ["readings", "code", "curve", "primal"]; // beside a single run
const TITLES = { alpha: (run) => alphaTitle(run).text, derivation: derivationTitle };
const ROOMY = { x: 0, y: 0, w: 900, h: 4000 }; // a place with room for all that a panel says
const TIP = 380; // px of a line of words
const MOST = 30; // things in a panel that are read out

/**
 * What a panel says at this instant, item by item; what lies nowhere is a sentence.
 *
 * @param {Player} player
 * @param {string} name
 * @param {Rect} [rect]
 */
function describe(player, name, rect = ROOMY) {
  const { run, layout, palette, pinned, cues, curve } = player;
  const t = Math.min(player.t, run.nSteps);
  const scene = {
    ...{ run, t, palette, rect, reading: run.reading(t), current: t > 0 ? run.trace.index[t - 1] : null },
    covered: player.covered,
    named: player.named().filter((i) => i < run.n),
    ...{ unit: rect === ROOMY ? 1 : layout.unit, fHidden: player.hidesF, curve: curve?.scene },
    ...{
      hot: lightOf({ touch: untouched(), pinned, cues, cuesFit: player.cuesFit, t }, run).hot,
      primal: run.header.extras.primal ?? null,
    },
  };
  return DESCRIBE[name](/** @type {PanelScene} */ (/** @type {unknown} */ (scene)));
}

/**
 * What lies in a panel and tells something: where, its lines, and which examples light up.
 *
 * @param {Player} player
 * @param {string} name
 */
export function listedIn(player, name) {
  const { layout, palette } = player;
  return describe(player, name, layout.panels[name]).flatMap((item) => {
    if (typeof item === "string") return [];
    return [{ ...item, lines: item.lines.flatMap((line) => wrap(line, TIP, 13, palette.fonts)) }];
  });
}

/**
 * The board in words, under the headings that its panels have.
 *
 * @param {Player} player
 * @returns {{ title: string, lines: string[] }[]}
 */
export function accountOf(player) {
  const { run, runs } = player;
  if (run.fisher) return run.fisher.account(player.t);
  const alone = !runs.pinned.length;
  const names = Object.keys(DESCRIBE).filter((name) => {
    if (player.hidesF && BY_NAME[name].reveals) return false; // the answer
    if (name === "gram" && player.covered().has("k")) return false;
    return ALWAYS.includes(name) || (player.shows(name) && (alone || !ALONE.includes(name)));
  });
  const parts = names.map((name) => ({
    title: TITLES[name]?.(run) ?? BY_NAME[name].title.split(/:|(?<=[?])/)[0],
    lines: linesOf(describe(player, name)),
  }));
  const beside = runs.all.map(
    (one, k) => `${LETTERS[k]}, ${runs.names[k]}: ${placeOf({ run: one, t: player.t, covered: player.covered })}`,
  );
  return [...parts, { title: "Runs side by side", lines: alone ? [] : beside }].filter(({ lines }) => lines.length);
}

/** Sentences, and what lies in a panel, of much the first. @param {Described[]} items */
function linesOf(items) {
  const sentences = items.filter((item) => typeof item === "string");
  const lying = items.flatMap((item) =>
    typeof item === "string" ? [] : [item.lines.join("; ").replace(/[.]?$/, ".")],
  );
  const more = lying.length > MOST ? [`${whole.format(lying.length - MOST)} more.`] : [];
  return [...sentences, ...lying.slice(0, MOST), ...more];
}
