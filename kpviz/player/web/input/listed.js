// What panels list: the terms of a sum over what is remembered, the entries of w, what both forms cost, eigenvalues, and the
// steps of a derivation. Each has a place and tells more of itself than there is room for.

import { lightOf } from "../model/scene.js";
import { wrap } from "../model/measure.js";
import { example, number, subscript } from "../model/words.js";
import { untouched } from "../model/player.js";
import { aboutExample } from "../panels/map.js";
import { primalMarks } from "../panels/primal.js";
import { rememberedMarks } from "../panels/remembered.js";
import { scatterEntries } from "../panels/scatter.js";
import { layersOf } from "../panels/chart.js";
import { derivationMarks, validityMarks } from "../panels/validity.js";

/** @import { Player } from "../model/player.js" */
/** @import { PanelScene } from "../model/scene.js" */
/** @import { Drawing, Rect, TextMark } from "../types.d.ts" */

/** @typedef {Rect & { lines: string[], hot?: Set<number> }} Listed what it tells, and which examples light up */

/** @type {Record<string, (scene: PanelScene) => Listed[]>} */
const LISTS = { remembered: terms, primal: entries, validity: eigenvalues, derivation: steps, scatter: scatterEntries };
const TIP = 380; // px of a line of words

/**
 * What a panel lists at this instant.
 *
 * @param {Player} player
 * @param {string} name
 */
export function listedIn(player, name) {
  const { run, layout, palette, pinned, cues } = player;
  const t = Math.min(player.t, run.nSteps);
  const scene = {
    run,
    t,
    reading: run.reading(t),
    current: t > 0 ? run.trace.index[t - 1] : null,
    hot: lightOf({ touch: pinned ?? untouched(), cues, t }, run).hot,
    primal: run.header.extras.primal ?? null,
    palette,
    unit: layout.unit,
    rect: layout.panels[name],
  };
  return LISTS[name](/** @type {PanelScene} */ (/** @type {unknown} */ (scene)));
}

/** The texts of a panel by their names. @param {Drawing} drawing @returns {(name: string) => TextMark[]} */
const textsOf = (drawing) => (wanted) =>
  layersOf(drawing)
    .moving.filter((mark) => mark.kind === "text")
    .filter(({ name }) => name === wanted);

/** The terms, each with its example; above them what they come to. @type {(scene: PanelScene) => Listed[]} */
function terms(scene) {
  const { run, reading, t, rect } = scene;
  const of = textsOf(rememberedMarks(scene));
  const [names, values, sums] = ["term", "value", "sum"].map(of);
  const h = names.length > 1 ? names[1].y - names[0].y : 1.5 * (names[0]?.size ?? 0);
  const rows = names.map(({ i, y, size }, k) => ({
    ...{ x: rect.x, y: y - 1.1 * size, w: rect.w, h },
    lines: [`${values[k].text} from ${example(i)}`, ...aboutExample(run, reading, t, i)],
  }));
  const sum = sums.map(({ text, y, size }) => ({ x: rect.x, y: y - size, w: rect.w, h: 1.4 * size, lines: [text] }));
  return [...sum, ...rows];
}

/** The entries of w that are shown, and what has been stored and multiplied. @type {(scene: PanelScene) => Listed[]} */
function entries(scene) {
  const { rect } = scene;
  const of = textsOf(primalMarks(scene));
  const [names, values] = ["feature", "value"].map(of);
  const cells = names.map(({ x, y, size, text }, k) => ({
    ...{ x, y: y - size, w: values[k].x - x, h: 1.36 * size },
    lines: [`the entry of w for ${text}: ${values[k].text}`],
  }));
  const costs = ["primal", "dual"].flatMap((form) => {
    const [stored, multiplied] = of(form).filter(({ align }) => align === "right");
    if (!multiplied) return [];
    const lines = [`${form}: ${stored.text} numbers stored, ${multiplied.text} multiplications so far`];
    return [{ x: rect.x, y: stored.y - stored.size, w: rect.w, h: 1.36 * stored.size, lines }];
  });
  return [...cells, ...costs];
}

/** The points that refute, which light up where they are examples, and the eigenvalues. @type {(scene: PanelScene) => Listed[]} */
function eigenvalues(scene) {
  const { rect, run, palette } = scene;
  const { points = "", examples, tolerance } = run.header.extras.validity ?? {};
  const { still, moving } = layersOf(validityMarks(scene));
  const rects = still.flatMap(({ marks }) => marks()).filter((mark) => mark.kind === "rect");
  const [first, ...others] = textsOf({ still, moving })("points");
  const words = first && {
    ...{ x: rect.x, y: first.y - first.size, w: rect.w, h: (1 + others.length) * 1.35 * first.size },
    ...{ lines: wrap(points, TIP, 13, palette.fonts), hot: new Set(examples) },
  };
  const bars = rects.filter(({ name }) => name === "eigenvalue");
  const told = (value, k) =>
    `λ${subscript(k + 1)} = ${number(value)}${value < -tolerance ? ", below −tolerance: this refutes k" : ""}`;
  const { y, h } = rects.find(({ name }) => name === "ground") ?? rect;
  return [
    ...(words ? [words] : []),
    ...bars.map((bar, k) => ({ x: bar.x, y, w: bar.w, h, lines: [told(bar.value, k)] })),
  ];
}

/** The steps of the derivation that are shown. @type {(scene: PanelScene) => Listed[]} */
function steps(scene) {
  const { rect, run, palette } = scene;
  const of = textsOf(derivationMarks(scene));
  const [formulas, rules] = ["formula", "rule"].map(of);
  return (run.header.extras.derivation?.steps ?? []).flatMap(([, formula, rule, proof], step) => {
    const own = [...formulas, ...rules].filter((mark) => mark.step === step);
    if (!own.length) return [];
    const [first, last] = [own[0], own.at(-1)];
    const lines = [formula, `${rule}: ${proof}`].flatMap((text) => wrap(text, TIP, 13, palette.fonts));
    return [{ x: rect.x, y: first.y - first.size, w: rect.w, h: last.y - first.y + 1.35 * first.size, lines }];
  });
}
