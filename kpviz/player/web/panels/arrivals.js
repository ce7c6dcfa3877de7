// What the map shows of a stream: the last arrivals, what is kept in memory, and how the target has turned.

import { chart } from "./chart.js";
import { firstShown, lookOf, opacity, visible } from "../model/stream.js";
import { counted, example, label, number, SIGNS, whole } from "../model/words.js";
import { plate } from "./map_frame.js";

/** @import { Mark, PointMark } from "../types.d.ts" */

const placeOf = /** @returns {Omit<PointMark, "r">} */ ({ run, view }, i) => ({
  kind: run.header.tokens.shapes[run.y[i] > 0 ? "positive" : "negative"],
  x: view.x(run.X[2 * i]),
  y: view.y(run.X[2 * i + 1]),
  i,
});

const colourOf = ({ run, palette }, i) => palette.point[run.y[i] > 0 ? "positive" : "negative"];

/** The support, hollow, as opaque as it weighs. @returns {Mark[]} */
export function memory(scene) {
  const { run, t, pointScale } = scene;
  const first = firstShown(run, t);
  /** @type {Mark[]} */
  const marks = [];
  for (const [i, alpha] of visible(run, t)) {
    if (i < first) {
      marks.push({
        ...placeOf(scene, i),
        r: lookOf(run).memory * pointScale,
        stroke: colourOf(scene, i),
        width: 1.5,
        alpha,
        name: "memory",
      });
    }
  }
  return marks;
}

/** The last arrivals, fading with age. */
export function lately(scene, radiusOf) {
  const { run, t, palette } = scene;
  /** @type {Mark[]} */
  const marks = [];
  for (let step = firstShown(run, t); step < t; step++) {
    const i = run.trace.index[step];
    marks.push({
      ...placeOf(scene, i),
      r: radiusOf(i),
      width: 1.4,
      fill: colourOf(scene, i),
      stroke: palette.on_mark,
      alpha: opacity(run, t - 1 - step),
      name: "lately",
    });
  }
  return marks;
}

/** How far the target has turned: the plane's axes as they were, dashed, and as they are. @returns {Mark[]} */
export function dial({ run, rect, palette, unit, t, current }) {
  const { angle, drift } = run.stream;
  if (drift === 0) return [];
  const turned = angle[current ?? Math.max(t - 1, 0)];
  const r = 19 * unit;
  const [x, y] = [rect.x + rect.w - r - 12 * unit, rect.y + rect.h - r - 42 * unit];
  const on = (share, by) => [x + share * r * Math.cos(turned + by), y - share * r * Math.sin(turned + by)];
  const tip = on(0.9, 0);
  /** @satisfies {Partial<Mark>} */
  const look = { size: 12 * unit, weight: 600, fill: palette.on_map, halo: palette.field_zero };
  const text = `target turned by ${Math.round((turned * 180) / Math.PI)}°`;
  /** @type {Mark} */
  const words = { kind: "text", x: x + r, y: y + r + 14 * unit, align: "right", ...look, text, name: "turned" };
  return [
    plate([words], palette),
    chart.circle(x, y, r, { fill: palette.field_zero, stroke: palette.on_map, width: 1, alpha: 0.9, name: "dial" }),
    chart.line([x - r, y, x + r, y], { stroke: palette.ghost, width: 1, dash: [2, 3] }),
    chart.line([x, y - r, x, y + r], { stroke: palette.ghost, width: 1, dash: [2, 3] }),
    chart.line([...on(0.9, -Math.PI), ...tip], { stroke: palette.on_map, width: 2, name: "turned", angle: turned }),
    chart.line([...on(0.55, Math.PI / 2), ...on(0.55, -Math.PI / 2)], { stroke: palette.on_map, width: 1.2 }),
    chart.line([...on(0.62, 0.34), ...tip, ...on(0.62, -0.34)], { stroke: palette.on_map, width: 2 }),
    words,
  ];
}

/** What is known about an example of a stream: f of it when it came; it never comes again. */
export function aboutArrival(run, t, i, probable) {
  const { trace } = run;
  const step = trace.index.indexOf(i);
  const f = trace.score[step];
  const y = run.y[i];
  const chance = probable ? `  ·  P(+1) = ${number(run.chance(f))}` : "";
  return [
    `${example(i)}  (${number(run.X[2 * i])}, ${number(run.X[2 * i + 1])})  ·  y = ${label(y)}`,
    `came at step ${whole.format(step + 1)}, ${step + 1 < t ? `${counted(t - step - 1, "step")} ago` : "just now"}: ${trace.mistake[step] ? "a mistake" : "correct"}`,
    `then ${SIGNS.last} = ${number(f)}  ·  margin ${number(y * f)}${chance}`,
    run.alphaOf(i, t) ? `in memory, α = ${number(run.alphaOf(i, t))}` : "not in memory, α = 0",
  ];
}
