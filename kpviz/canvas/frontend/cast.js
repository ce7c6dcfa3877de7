// All runs on the stage: the current one, and the pinned ones beside it, which share its time.

import { Images, put } from "./images.js";
import { View } from "./panels/map.js";
import { Run } from "./run.js";

export const LETTERS = "ABCD";

export class Cast {
  constructor() {
    this.current = null;
    this.pinned = [];
    this.names = [];
    this.query = "";
    this.images = new Map();
  }

  /** Take what an envelope brings; runs that are here already stay. Returns the current run before, if it changed. */
  take({ id, pins, sizes }, bytes) {
    const before = this.current;
    const known = [before, ...this.pinned].filter(Boolean);
    let from = 0;
    const runs = [id, ...pins.ids].map((name, k) => {
      const part = [from, (from += sizes[k])];
      return known.find((run) => run.id === name) ?? Object.assign(new Run(bytes.slice(...part)), { id: name });
    });
    [this.current, ...this.pinned] = runs;
    this.names = pins.names;
    this.query = pins.query;
    for (const run of this.images.keys()) if (!runs.includes(run)) this.images.delete(run);
    for (const run of runs) run.span = this.end;
    return before !== this.current;
  }

  /** In the order of their letters: the current one is the last. */
  get all() {
    return [...this.pinned, this.current];
  }

  /** The instant at which the longest run ends. */
  get end() {
    return Math.max(...this.all.map((run) => run.nSteps));
  }

  /** The example or epoch of the current run, the nearest mistake of any. */
  neighbour(t, grain, way) {
    if (grain === "example") return Math.min(Math.max(t + way, 0), this.end);
    const found = this.all.map(({ trace, nSteps }) => {
      const to = trace.neighbour(Math.min(t, nSteps), grain, way);
      return way > 0 && (to <= t || (to === nSteps && !trace.stopsAt(to - 1))) ? this.end : to;
    });
    return way > 0 ? Math.min(...found) : Math.max(...found.filter((to) => to < t), 0);
  }

  imagesOf(run) {
    if (!this.images.has(run)) this.images.set(run, new Images(run.header.grid));
    return this.images.get(run);
  }

  /** An image of where the runs disagree; one for the same instant, but for those `moving`, whose fields are written over. */
  shade(fields, palette, moving = false) {
    if (!moving && this.shaded?.fields.every((field, k) => field === fields[k]) && this.shaded.palette === palette)
      return this.shaded.image;
    const mask = this.disagreement(fields);
    this.mask ??= this.imagesOf(this.current).plain();
    palette.paintMask(mask, this.current.header.grid, this.mask.data);
    const image = put(this.mask);
    this.shaded = moving ? null : { fields, palette, image, mask };
    return image;
  }

  /** Where the runs disagree about the side, 1 at a node of the grid, row by row from the lowest x₂. */
  disagreement(fields) {
    const mask = new Uint8Array(fields[0].length);
    for (let k = 0; k < mask.length; k++) {
      let [least, most] = [Infinity, -Infinity];
      for (const field of fields) {
        least = Math.min(least, field[k]);
        most = Math.max(most, field[k]);
      }
      mask[k] = least < 0 && most > 0 ? 1 : 0;
    }
    return mask;
  }

  /** The run and the view of each map: { name, run, view }. */
  maps({ panels }) {
    return this.all.map((run, k) => {
      const name = run === this.current ? "map" : `map-${k}`;
      return { name, run, view: new View(panels[name], run.header.extent, run.header.grid) };
    });
  }
}
