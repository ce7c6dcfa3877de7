// Fisher's page without a browser: the plane with the direction that a link names, and J of all directions below it.

import { Palette } from "../model/colors.js";
import { unpack } from "../model/payload.js";
import { Parcel } from "../paper/parcel.js";
import { View, mapMarks } from "./map.js";
import { colours } from "./shapes.js";
import { stripMarks } from "./strip.js";
import { Table, within } from "./table.js";

const STRIP = 74; // px high where the unit is 1
const SMALLEST = 12; // px of the smallest type there

/** @import { FisherEnvelope, FisherHeader, Rect } from "../types.d.ts" */

/**
 * A page of this size in CSS pixels, the place of the picture on it, its smallest type, and whether the theme is dark.
 * @typedef {{ width: number, height: number, rect: Rect, least: number, dark: boolean }} Options
 */

export default class FisherPaper {
  /**
   * @param {Uint8Array} bytes of an envelope
   * @param {Options} options
   */
  constructor(bytes, options) {
    const { header: envelope, rest } = unpack(bytes);
    const { header, arrays } = unpack(rest);
    this.header = /** @type {FisherHeader} */ (header);
    this.table = new Table(this.header, arrays);
    const { view } = /** @type {FisherEnvelope} */ (envelope);
    const place = this.table.opening(view.angle);
    const found = this.table.read(place);
    this.moved = view.threshold === null || this.header.many ? null : within(view.threshold, found);
    this.reading = this.table.read(place, this.moved);
    this.options = options;
  }

  /** The parcel of the whole page. */
  packed() {
    const { header, table, reading, moved } = this;
    const { width, height, rect, least, dark } = this.options;
    const palette = new Palette(header.tokens, dark);
    const colour = colours(palette, header.tokens);
    const unit = least / SMALLEST;
    const strip = Math.round(STRIP * unit);
    const side = Math.floor(Math.min(rect.w, rect.h - strip));
    const map = { x: rect.x + Math.floor((rect.w - side) / 2), y: rect.y, w: side, h: side };
    const below = { x: rect.x, y: rect.y + side, w: rect.w, h: strip };
    const scene = { header, table, reading, moved, palette, colour, unit, hot: null, grabbed: false };
    const seen = { ...scene, rect: map, view: new View(map, header.extent), pointScale: Math.max(side / 600, 0.7) };
    const parcel = new Parcel();
    const panels = [
      { name: "map", rect: map, clip: map, marks: mapMarks(seen) },
      { name: "strip", rect: below, clip: null, marks: stripMarks({ ...scene, rect: below }) },
    ].map(({ marks, ...panel }) => ({ ...panel, lively: false, still: [], moving: parcel.marks(marks) }));
    return parcel.wrapped({ width, height, ground: null, panels });
  }
}
