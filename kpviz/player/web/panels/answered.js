// What a question and its answer leave on the map: rings round the examples that are asked about,
// named or chosen. A tick or a cross beside a ring says whether the person who answered was right.
// The ring has no colour of a verdict, since the machine may be wrong where the person was right.

import { boxesOf, chart, circlesOfPoints, freest } from "./chart.js";
import { placeOf, pointOnTop } from "./points.js";
import { step } from "../board/scale.js";
import { textWidth } from "../paint/measure.js";
import { translate } from "../run/language.js";
import { example } from "../run/words.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Palette } from "../paint/colors.js" */
/** @import { Mark } from "../board/types.d.ts" */

/** How far a ring lies beyond its point, and how wide its line is, in px of an ordinary map. */
const LOOKS = {
  numbered: { beyond: 0, width: 0 }, // It has no ring, its name alone.
  named: { beyond: 4, width: 1.8 },
  pointed: { beyond: 6, width: 2.6 },
  passed: { beyond: 6, width: 1.8 }, // It is on the way to where the answer went wrong.
  asked: { beyond: 11, width: 2.6 },
  right: { beyond: 11, width: 3.2 },
  wrong: { beyond: 11, width: 3.2 },
};
const HALO = 2.4; // In px: so much wider is the light line under that of a ring.
const BADGE = 9; // In px: the radius of the sign of a verdict.
const STROKE = 0.26; // The width of the line of a tick or a cross, relative to its disc.
// In radii of the badge.
const TICK = [-0.45, 0.05, -0.12, 0.4, 0.48, -0.35];
const CROSS = [
  [-0.38, -0.38, 0.38, 0.38],
  [-0.38, 0.38, 0.38, -0.38],
];
// Where the name of a ringed example may stand, across and down, the best first.
const BESIDE_RING = [
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
];

/** @typedef {keyof typeof LOOKS} RingLook */

/**
 * The ring of an example, or only its place if it is numbered.
 * @typedef {{ i: number, look: RingLook, x: number, y: number, r: number }} Ring
 */

/**
 * The examples that have a ring here; map.js paints that of the one whose class is asked for.
 *
 * @param {PanelScene} scene
 * @returns {Ring[]}
 */
function ringsOf(scene) {
  const { run, view, t, pointScale, named, answered, only, pointedOut } = scene;
  /** @type {Map<number, RingLook>} */
  const looks = new Map(run.plane ? named.map((i) => [i, "named"]) : []);
  for (const { i, was } of answered) looks.set(i, was);
  // What is pointed out has its ring in place of a fainter one.
  const isReplaceable = (i) => {
    const look = looks.get(i);
    return look === undefined || ["named", "numbered", "passed"].includes(look);
  };
  if (run.plane) for (const i of pointedOut.filter(isReplaceable)) looks.set(i, "pointed");
  return [...looks]
    .filter(([i]) => i < run.n && i !== only?.unknown && (!only || only.seen.has(i)))
    .map(([i, look]) => {
      const [x1, x2] = placeOf(scene, i);
      const r = run.pointRadius(i, t, pointScale) + LOOKS[look].beyond * pointScale;
      return { i, look, r, x: view.x(x1), y: view.y(x2) };
    });
}

/**
 * Rings with the names of their examples. They are clear, since the ground in them is the evidence,
 * and lie under the points.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
export function ringedExamples(scene) {
  if (scene.pointsAhead) return [];
  const { unit, only, namesPoints } = scene;
  const rings = ringsOf(scene);
  if (!rings.length) return [];
  const points = circlesOfPoints(scene).filter(({ i }) => !only || only.seen.has(i));
  const { marks: badges, boxes: badgeBoxes } = badgesOf(scene, rings, points);
  const taken = [...boxesOf(points), ...boxesOf(rings), ...badgeBoxes];
  const size = step("label", unit);
  const names = namesPoints ? rings.map((ring) => nameMark(ring, size, taken, scene)) : [];
  return [
    ...rings.flatMap((ring) => ringMarks(scene, ring)),
    ...pointsUnder(scene, rings, points).map(({ i }) => pointOnTop(scene, i)),
    ...badges,
    ...names,
  ];
}

/** @param {PanelScene} scene @param {Ring} ring @returns {Mark[]} */
function ringMarks({ palette }, { i, look, r, x, y }) {
  const { width } = LOOKS[look];
  if (width === 0) return [];
  return [
    chart.circle(x, y, r, { stroke: palette.field_zero, width: width + HALO, alpha: 0.85 }),
    chart.circle(x, y, r, { stroke: palette.on_map, width, name: look, i }),
  ];
}

/** Whether a ring says that its person was right, or was wrong. @param {Ring} ring */
const isJudged = ({ look }) => look === "right" || look === "wrong";

/**
 * The signs of the verdicts, and the boxes that they take, or will take: while an example is asked
 * about, the place of its sign is kept free, so that no name moves when it is answered.
 *
 * @param {PanelScene} scene
 * @param {Ring[]} rings
 * @param {ReturnType<typeof circlesOfPoints>} points
 */
function badgesOf(scene, rings, points) {
  const { rect, unit, palette, pointScale, answered } = scene;
  const size = step("label", unit);
  const ringsWithBadge = rings.filter((ring) => isJudged(ring) || ring.look === "asked");
  // A single sign might be taken for one about the machine, or about the class of the example:
  // “you” stands beside it.
  const person = ringsWithBadge.length === 1 ? translate("you") : "";
  const answer = answered[0]?.answer;
  const whose = person && answer ? `${person}: ${answer}` : person;
  const nameWidth = whose ? textWidth(whose, size, palette.fonts, 700) + 0.3 * size : 0;
  const r = BADGE * pointScale;
  const w = nameWidth + 2 * r;
  /** @type {Mark[]} */
  const marks = [];
  const boxes = ringsWithBadge.map((ring) => {
    const away = ring.r * Math.SQRT1_2 + 0.55 * r;
    const places = BESIDE_RING.slice(0, 4).map(([across, down]) => ({
      isLeft: across < 0,
      x: ring.x + across * away + (across < 0 ? r - w : -r),
      y: ring.y + down * away - r,
      w,
      h: 2 * r,
    }));
    const box = freest(places, boxesOf(points), rect);
    if (!isJudged(ring)) return box;
    const y = box.y + r;
    // The badge is beside the ring, and the name on the other side of the badge.
    const badgeX = box.isLeft ? box.x + w - r : box.x + r;
    const nameX = box.isLeft ? box.x : box.x + w - nameWidth + 0.3 * size;
    if (whose) {
      const look = { size, weight: 700, fill: palette.on_map, halo: palette.field_zero };
      marks.push(chart.text(nameX, y, whose, { ...look, baseline: "middle", name: "whose" }));
    }
    marks.push(...badgeMarks({ x: badgeX, y, r }, ring.look, palette));
    return box;
  });
  return { marks, boxes };
}

/**
 * The points that the line of a ring crosses, which are painted again over it. Those of a stream
 * have looks of their own (stream.js) and stay under the rings.
 *
 * @param {PanelScene} scene
 * @param {Ring[]} rings
 * @param {ReturnType<typeof circlesOfPoints>} points
 */
function pointsUnder({ run }, rings, points) {
  if (run.stream) return [];
  const isCrossed = (point) =>
    rings.some(
      (ring) => Math.abs(Math.hypot(point.x - ring.x, point.y - ring.y) - ring.r) < point.r + 4,
    );
  return points.filter(isCrossed);
}

/**
 * The name of an example where there is most room beside its ring; `taken` has the boxes in its
 * way, and then its own.
 *
 * @returns {Mark}
 */
function nameMark({ i, x, y, r }, size, taken, { palette, rect }) {
  const w = textWidth(example(i), size, palette.fonts, 700);
  const places = [1, 2, 3.5].flatMap((far) =>
    BESIDE_RING.map(([across, down]) => ({
      x: x - w / 2 + across * (w / 2 + r + 2 + (far - 1) * size),
      y: y - size / 2 + down * (size / 2 + far * r),
      w,
      h: size,
    })),
  );
  const at = freest(places, taken, rect);
  taken.push(at);
  return chart.text(at.x, at.y + size / 2, example(i), {
    size,
    weight: 700,
    fill: palette.on_map,
    halo: palette.field_zero,
    baseline: /** @type {const} */ ("middle"),
    name: "named",
  });
}

/**
 * A tick or a cross on a disc.
 *
 * @param {{ x: number, y: number, r: number }} disc
 * @param {RingLook} verdict "right" or "wrong"
 * @param {Palette} palette
 * @returns {Mark[]}
 */
function badgeMarks({ x, y, r }, verdict, palette) {
  const isRight = verdict === "right";
  const onDisc = (line) => line.map((value, k) => (k % 2 ? y : x) + value * r);
  const lines = isRight ? [onDisc(TICK)] : CROSS.map(onDisc);
  // The map makes lines thicker as it grows, and the disc is large already.
  const width = STROKE * Math.min(r, BADGE);
  const disc = { fill: isRight ? palette.good : palette.warning, stroke: palette.field_zero };
  return [
    chart.circle(x, y, r, { ...disc, width: 1.4, name: verdict }),
    chart.lines(lines, { stroke: palette.field_zero, width, name: verdict }),
  ];
}
