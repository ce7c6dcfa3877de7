// Marks that one can point at carry a target. What lies under a pixel, and what arrows walk
// through, follow from the marks of the board that was drawn last; nothing here knows a panel.

/** @import { Board, BoardPanel, BoardPointer, Hit, Hold, Mark, Rect } from "../board/types.d.ts" */
/** @import { StillMarks, Target, TargetMark } from "../board/types.d.ts" */

// Px beyond its panel that a mark is still found: the flags of cues stand above the timeline.
const OUTSIDE = 10;
const GROUND = 1e9; // An area is so far from every pixel in it that a mark in reach lies nearer.
// Px from the left end of a wide mark at which arrows point at it, where its words are.
const ROWS_FROM = 120;
const SAME_COLUMN = 1e-3; // In px: marks that are no farther apart stand in one column.

/**
 * A mark with a target; many rectangles have their corners.
 *
 * @typedef {TargetMark & { points?: number[] }} PointableMark
 */

/**
 * A column of what arrows walk through, from its top.
 *
 * @typedef {{ px: number, length: number, at: (row: number) => Hit }} WalkColumn
 */

/**
 * The targets of each list of marks, found once: what stands still keeps its marks.
 *
 * @type {WeakMap<Mark[], TargetMark[]>}
 */
const known = new WeakMap();

/**
 * The marks that one can point at; a mark of many places is one for each of them.
 *
 * @param {Mark[]} marks
 * @returns {TargetMark[]}
 */
function targetsOf(marks) {
  if (!known.has(marks)) {
    const pointable = /** @type {PointableMark[]} */ (
      /** @type {unknown} */ (marks.filter((mark) => mark.target))
    );
    known.set(marks, pointable.flatMap(placesOf));
  }
  return known.get(marks);
}

/**
 * The places of a mark: rectangles of one size, or the parts of a bar from its foot.
 *
 * @param {PointableMark} mark
 * @returns {TargetMark[]}
 */
function placesOf(mark) {
  const { kind, points, x, y, w, h, target, words } = mark;
  const place = (left, top, high, part) => ({
    kind: "rect",
    x: left,
    y: top,
    w,
    h: high,
    target: { ...target, part },
    words,
  });
  if (kind === "rects") {
    return Array.from({ length: points.length / 2 }, (_, part) =>
      place(points[2 * part], points[2 * part + 1], h, part),
    );
  }
  if (!target.parts) return [mark];
  const partHeight = h / target.parts;
  const above = (part) => (target.hangs ? part : target.parts - part - 1);
  return Array.from({ length: target.parts }, (_, part) =>
    place(x, y + above(part) * partHeight, partHeight, part),
  );
}

/** Whether a pixel is in a rectangle, or so many px beyond it. @param {Rect} rect */
const isWithin = ({ x, y, w, h }, px, py, beyond = 0) =>
  px >= x - beyond && px <= x + w + beyond && py >= y - beyond && py <= y + h + beyond;

/**
 * How far a pixel is from a mark; Infinity where that is beyond its reach.
 *
 * @param {TargetMark} mark
 * @param {number[]} [reach]
 */
function distanceTo(mark, px, py, reach = []) {
  const [across = 0, down = across] = reach;
  if (mark.r !== undefined) {
    const distance = Math.hypot(mark.x - px, mark.y - py);
    return distance < mark.r + across ? distance : Infinity;
  }
  const dx = Math.max(mark.x - px, px - mark.x - mark.w, 0);
  const dy = Math.max(mark.y - py, py - mark.y - mark.h, 0);
  if (dx > across || dy > down) return Infinity;
  if (mark.target.lattice && cellAt(mark, px, py) === null) return Infinity;
  return Math.hypot(dx, dy) + (mark.kind === "area" ? GROUND : 0);
}

/** The cell of a lattice at a pixel, null where it is not filled. @param {TargetMark} mark */
function cellAt(mark, px, py) {
  const { x, y, w, h, target } = mark;
  const [columns, rows] = target.lattice;
  const column = Math.min(Math.floor(((px - x) / w) * columns), columns - 1);
  const row = Math.min(Math.floor(((py - y) / h) * rows), rows - 1);
  const cell = row * columns + column;
  return cell < cellsOf(mark) ? cell : null;
}

/** What a part of a mark is about. @param {Target} target */
const indexOf = ({ index, indices, part }, which = part ?? 0) => (indices ? indices[which] : index);

/**
 * A mark as it is pointed at, at a pixel.
 *
 * @param {string} panel
 * @param {TargetMark} mark
 * @returns {Hit}
 */
function hitOf(panel, mark, px, py, part = mark.target.part ?? 0) {
  return { panel, kind: mark.target.kind, index: indexOf(mark.target, part), part, mark, px, py };
}

/**
 * A mark as arrows point at it: in its middle.
 *
 * @param {string} panel
 * @param {TargetMark} mark
 * @returns {Hit}
 */
function middleOf(panel, mark) {
  if (mark.r !== undefined) return hitOf(panel, mark, mark.x, mark.y);
  return hitOf(panel, mark, mark.x + Math.min(mark.w / 2, ROWS_FROM), mark.y + mark.h / 2);
}

/** Arrows do not stop at what lies behind everything else. @param {TargetMark} mark */
const isStop = ({ kind, target }) => kind !== "area" || Boolean(target.stop);

/** How many cells of a lattice are filled. @param {TargetMark} mark */
const cellsOf = ({ target: { lattice, count } }) => count ?? lattice[0] * lattice[1];

/**
 * A cell of a lattice as arrows point at it.
 *
 * @param {string} panel
 * @param {TargetMark} mark
 * @returns {Hit}
 */
function middleOfCell(panel, mark, cell) {
  const { x, y, w, h, target } = mark;
  const [columns, rows] = target.lattice;
  const px = x + (((cell % columns) + 0.5) * w) / columns;
  const py = y + ((Math.floor(cell / columns) + 0.5) * h) / rows;
  return hitOf(panel, mark, px, py, cell);
}

/**
 * The columns of a lattice, of which no cell is made before one stops at it.
 *
 * @param {string} panel
 * @param {TargetMark} mark
 * @returns {WalkColumn[]}
 */
function columnsOfLattice(panel, mark) {
  const [columns] = mark.target.lattice;
  return Array.from({ length: columns }, (_, column) => ({
    px: mark.x + ((column + 0.5) * mark.w) / columns,
    length: Math.max(Math.ceil((cellsOf(mark) - column) / columns), 0),
    at: (row) => middleOfCell(panel, mark, row * columns + column),
  }));
}

/** The value of a scale at a pixel. @param {Pick<Hit, "mark" | "px">} hit */
export function valueAt({ mark: { x, w, target }, px }) {
  const [from, to] = target.across;
  const [share, bend] = target.bend ?? [1, to];
  const at = Math.min(Math.max((px - x) / w, 0), 1);
  return at <= share
    ? from + (at / share) * (bend - from)
    : bend + ((at - share) / (1 - share)) * (to - bend);
}

/** What can be pointed at on the board that was drawn last. */
export class Targets {
  /** @type {Board | null} */
  // Null while everything lies elsewhere, or another run is here, and nothing was drawn since.
  board = null;

  /** @param {() => Board | null} describe what would be drawn now */
  constructor(describe) {
    this.describe = describe;
  }

  /** Whoever points before anything is drawn points at what will be. */
  look() {
    this.board ??= this.describe();
  }

  /** @returns {BoardPanel[]} */
  get #panels() {
    this.look();
    return this.board?.panels.filter(({ rect }) => rect) ?? [];
  }

  /**
   * What can be pointed at in a panel, in the order in which it is painted: the last lies on top.
   *
   * @param {BoardPanel} panel
   * @returns {TargetMark[]}
   */
  #of({ still, moving }) {
    const resting = still.flatMap(({ marks, before = Infinity }) => {
      const targets = targetsOf(marks());
      return before === Infinity
        ? targets
        : targets.filter(({ target }) => Number(indexOf(target)) < before);
    });
    return [...resting, ...targetsOf(moving)];
  }

  /**
   * What is under a pixel: the nearest mark within its own reach, of several the one on top; an
   * area only where there is nothing else. Beyond its panel a mark has no reach.
   *
   * @returns {Hit | null}
   */
  at(px, py) {
    const { panels, isInside } = this.#around(px, py);
    let nearest = null;
    let least = Infinity;
    for (const panel of panels) {
      for (const mark of this.#of(panel)) {
        const distance = distanceTo(mark, px, py, isInside ? mark.target.reach : []);
        if (distance <= least && distance < Infinity) {
          nearest = { panel, mark };
          least = distance;
        }
      }
    }
    if (!nearest) return null;
    const { panel, mark } = nearest;
    return hitOf(panel.name, mark, px, py, mark.target.lattice ? cellAt(mark, px, py) : undefined);
  }

  /**
   * What a hand begins that presses on a thing: what this says, or else the ground on which it
   * lies.
   *
   * @param {Hit} hit
   * @returns {Hold | undefined}
   */
  holdAt({ panel: name, mark, px, py }) {
    if (mark.target.hold) return mark.target.hold;
    const panel = this.#panels.find((one) => one.name === name);
    const ground = this.#of(panel).filter(({ kind, target }) => kind === "area" && target.hold);
    return ground.find((area) => isWithin(/** @type {Rect} */ (area), px, py))?.target.hold;
  }

  /** The panels at a pixel; where it is in none, those that it is near. */
  #around(px, py) {
    const inside = this.#panels.filter(({ rect }) => isWithin(rect, px, py));
    if (inside.length) return { panels: inside, isInside: true };
    const near = this.#panels.filter(({ rect }) => isWithin(rect, px, py, OUTSIDE));
    return { panels: near, isInside: false };
  }

  /** The panels in which a pointer may find something. @param {BoardPointer} pointer */
  panelsOf({ px, py, byKey, hit }) {
    if (byKey) return hit ? [hit.panel] : [];
    return this.#around(px, py).panels.map(({ name }) => name);
  }

  /**
   * Whether what can be pointed at around a pixel was drawn anew since another board was.
   *
   * @param {Board | null} before
   */
  changedSince(before, px, py) {
    return this.#around(px, py).panels.some(({ name, still, moving }) => {
      const earlier = before?.panels.find((panel) => panel.name === name);
      if (!earlier || earlier.still.length !== still.length) return true;
      const isSame = (/** @type {StillMarks} */ layer, /** @type {number} */ k) =>
        layer.marks === earlier.still[k].marks && layer.before === earlier.still[k].before;
      return (
        !still.every(isSame) || [earlier.moving, moving].some((marks) => targetsOf(marks).length)
      );
    });
  }

  /**
   * The values of a panel's scale, by the pixels across.
   *
   * @param {string} name
   * @returns {(px: number) => number}
   */
  scaleOf(name) {
    const mark = this.#scale(name);
    return (px) => valueAt({ mark, px });
  }

  /** The value up to which a panel's scale is even. @param {string} name */
  scaleEnd(name) {
    const { across, bend } = this.#scale(name).target;
    return bend ? bend[1] : across[1];
  }

  /** @param {string} name */
  #scale(name) {
    const panel = this.#panels.find((one) => one.name === name);
    return this.#of(panel).find(({ target }) => target.across);
  }

  /**
   * What the arrows walk through in a panel: columns from the left, each from its top.
   *
   * @param {string} name
   * @returns {WalkColumn[]}
   */
  columns(name) {
    const panel = this.#panels.find((one) => one.name === name);
    const stops = panel ? this.#of(panel).filter(isStop) : [];
    const [lattices, marks] = [true, false].map((is) =>
      stops.filter(({ target }) => Boolean(target.lattice) === is),
    );
    /** @type {Map<number, Hit[]>} */
    const byPlace = new Map();
    for (const mark of marks) {
      const hit = middleOf(name, mark);
      const place = mark.target.first ? -Infinity : Math.round(hit.px / SAME_COLUMN);
      if (!byPlace.has(place)) byPlace.set(place, []);
      byPlace.get(place).push(hit);
    }
    const columns = [...byPlace].map(([place, hits]) => {
      hits.sort((one, other) => one.py - other.py);
      return {
        px: place * SAME_COLUMN,
        length: hits.length,
        at: (/** @type {number} */ row) => hits[row],
      };
    });
    return [...columns, ...lattices.flatMap((mark) => columnsOfLattice(name, mark))]
      .filter(({ length }) => length > 0)
      .sort((one, other) => one.px - other.px);
  }

  /**
   * What the arrows walk through in a panel where only the index has a meaning.
   *
   * @param {string} name
   * @returns {Hit[]}
   */
  list(name) {
    const hits = this.columns(name).flatMap(({ length, at }) =>
      Array.from({ length }, (_, row) => at(row)),
    );
    return hits.sort((one, other) => Number(one.index) - Number(other.index));
  }

  /**
   * The same thing, wherever it lies now; null where it is gone.
   *
   * @param {Hit} before
   * @returns {Hit | null}
   */
  again({ panel: name, kind, index, part, px, py }) {
    const panel = this.#panels.find((one) => one.name === name);
    for (const mark of panel ? this.#of(panel) : []) {
      if (mark.target.kind !== kind) continue;
      if (mark.target.lattice) return part < cellsOf(mark) ? middleOfCell(name, mark, part) : null;
      const hit = middleOf(name, mark);
      if (hit.part === part && String(hit.index) === String(index)) {
        return isStop(mark) ? hit : { ...hit, px, py };
      }
    }
    return null;
  }
}
