// Where a class is asked something on the stage: beside the map, or under runs that are compared.

import { layoutOf } from "./layout.js";
import { maps, rect } from "./lengths.js";
import { step } from "./scale.js";

/** @import { Player } from "./player.js" */
/** @import { BoardShape, Layout } from "./types.d.ts" */

/**
 * The stage with some panels, and the same without heading, turning pages and what they leave out.
 *
 * @param {Player} player
 * @param {BoardShape} shape
 * @param {Set<string>} panelNames
 */
export function bareStage(player, shape, panelNames) {
  const base = layoutOf(panelNames, {
    ...player.content,
    ...shape,
    kind: "projector",
    runs: 1,
    question: null,
    heading: 1,
    turns: false,
    lit: [],
  });
  return { base, bare: { ...base, heading: null, turn: null, pages: [[]], page: 0, without: [] } };
}

/**
 * The map where it is on the board, and beside or under it the question.
 *
 * @param {BoardShape} shape
 * @param {ReturnType<typeof bareStage>} stage
 * @returns {Layout}
 */
export function besideMap({ height }, { base, bare }) {
  const { panels, heading, unit } = base;
  const { map, strip, axis, gutter, words } = panels;
  const top = heading?.y ?? words.y;
  const gap = Math.round(10 * unit);
  const places = Object.entries({ map, strip, axis, gutter }).filter(([, place]) => place);
  const classBox = rect(words.x, top, words.w, height - gap - top);
  return { ...bare, panels: Object.fromEntries(places), classBox };
}

/** The runs side by side, under what is said, with room for votes under each. */
export function comparedPanels({ width, height }, { unit }, runs) {
  const gap = Math.round(10 * unit);
  const px = (name, times) => Math.round(step(name, unit) * times);
  const [legend, caption, numbers] = [24, 24, 26].map((length) => Math.round(length * unit));
  const above = gap + px("title", 2.5) + legend;
  const below = px("body", 3) + px("label", 3.4) + px("label", 2) + gap;
  const pitch = (width - gap) / runs;
  const side = Math.floor(Math.min(pitch - gap, height - above - caption - numbers - below));
  const panels = maps(runs, side, caption, numbers, (k) => [
    Math.round(gap + k * pitch + (pitch - gap - side) / 2),
    above,
  ]);
  const first = panels["caption-0"];
  return { ...panels, strip: rect(first.x, above - legend, width - 2 * first.x, legend) };
}

/** Where the votes on each run are: under its numbers. */
export const columnsOf = (panels, runs) =>
  Array.from({ length: runs }, (_, k) => {
    const { x, y, w, h } = panels[k === runs - 1 ? "decide" : `decide-${k}`];
    return { x, y: y + h, w };
  });
