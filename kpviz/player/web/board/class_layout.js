// Where a class is asked something on the stage: beside the map, or under runs that are compared.

import { layoutOf } from "./layout.js";
import { maps, rect } from "./lengths.js";
import { step } from "./scale.js";

/** @import { Player } from "./player.js" */
/** @import { BoardShape, Layout } from "./types.d.ts" */

/**
 * The stage with some panels, `base`, and `bare`: the same without what a question to a class
 * leaves out, the heading, the control that turns pages, further pages, and the panels that found
 * no room. `base` still says where the heading would be: the question begins there.
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
    heading: 1, // One character is enough for a line above the words.
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
export function questionBesideMap({ height }, { base, bare }) {
  const { panels, heading, unit } = base;
  const { map, strip, axis, gutter, words } = panels;
  const top = heading?.y ?? words.y;
  const gap = Math.round(10 * unit);
  const places = Object.entries({ map, strip, axis, gutter }).filter(([, place]) => place);
  const classBox = rect(words.x, top, words.w, height - gap - top);
  return { ...bare, panels: Object.fromEntries(places), classBox };
}

/**
 * The runs side by side, under what is said, with room for votes under each.
 *
 * @param {BoardShape} shape
 * @param {Layout} layout
 * @param {number} runCount at least two
 */
export function comparedPanels({ width, height }, { unit }, runCount) {
  const gap = Math.round(10 * unit);
  /** The height of so many letters of a size of type. */
  const high = (name, letters) => Math.round(step(name, unit) * letters);
  const legend = Math.round(24 * unit);
  const caption = Math.round(24 * unit);
  const numbers = Math.round(26 * unit);
  const above = gap + high("title", 2.5) + legend;
  const below = high("body", 3) + high("label", 3.4) + high("label", 2) + gap;
  const pitch = (width - gap) / runCount;
  const side = Math.floor(Math.min(pitch - gap, height - above - caption - numbers - below));
  const panels = maps(runCount, side, caption, numbers, (k) => [
    Math.round(gap + k * pitch + (pitch - gap - side) / 2),
    above,
  ]);
  const first = panels["caption-0"];
  return { ...panels, strip: rect(first.x, above - legend, width - 2 * first.x, legend) };
}

/**
 * Where the votes on each run are: under its numbers. The panels of the current run, which is the
 * last, have no number (see `maps`).
 */
export const voteColumnsOf = (panels, runCount) =>
  Array.from({ length: runCount }, (_, k) => {
    const { x, y, w, h } = panels[k === runCount - 1 ? "decide" : `decide-${k}`];
    return { x, y: y + h, w };
  });
