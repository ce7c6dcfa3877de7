// What a question and its answer leave on the map: rings about the examples that are asked about,
// named or chosen, with the verdict on the person who answered at theirs: the ring itself is ink,
// since the machine may be wrong where the person was right.

import { boxesOf, chart, circlesOfPoints, freest } from "./chart.js";
import { placeOf, pointMark } from "./points.js";
import { step } from "../board/scale.js";
import { textWidth } from "../paint/measure.js";
import { translate } from "../run/language.js";
import { example } from "../run/words.js";

/** @import { PanelScene } from "../board/scene.js" */
/** @import { Palette } from "../paint/colors.js" */
/** @import { Mark } from "../board/types.d.ts" */
/** @import { RingedExample } from "../modes/types.d.ts" */

/** How far a ring lies beyond its point, and how wide its line is, in px of an ordinary map. */
const LOOKS = {
  numbered: { beyond: 0, width: 0 }, // It has its name alone.
  named: { beyond: 4, width: 1.8 },
  pointed: { beyond: 6, width: 2.6 },
  passed: { beyond: 6, width: 1.8 },
  asked: { beyond: 11, width: 2.6 },
  right: { beyond: 11, width: 3.2 },
  wrong: { beyond: 11, width: 3.2 },
};
const HALO = 2.4; // In px: so much wider is the light line under that of a ring.
const BADGE = 9; // In px: the radius of the sign of a verdict.
const STROKE = 0.26; // It is a tick's or a cross's, relative to its disc.
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

/** The examples that have a ring, each with its radius. @param {PanelScene} scene */
function circlesOf(scene) {
  const { run, view, t, pointScale, named, answered, only, pointedOut } = scene;
  /** @type {Map<number, RingedExample["was"] | "named" | "pointed">} */
  const states = new Map(run.plane ? named.map((i) => [i, "named"]) : []);
  for (const { i, was } of answered) states.set(i, was);
  const isFaint = (i) => ["named", "numbered", "passed", undefined].includes(states.get(i));
  if (run.plane) for (const i of pointedOut.filter(isFaint)) states.set(i, "pointed");
  return [...states]
    .filter(([i]) => i < run.n && i !== only?.unknown && (!only || only.seen.has(i)))
    .map(([i, was]) => {
      const [x1, x2] = placeOf(scene, i);
      const r = run.pointRadius(i, t, pointScale) + LOOKS[was].beyond * pointScale;
      return { i, was, r, x: view.x(x1), y: view.y(x2) };
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
  const { run, rect, unit, palette, pointScale, only, namesPoints, answered } = scene;
  const circles = circlesOf(scene);
  if (!circles.length) return [];
  const size = step("label", unit);
  const points = circlesOfPoints(scene).filter(({ i }) => !only || only.seen.has(i));
  const taken = [...boxesOf(points), ...boxesOf(circles)];
  const isJudged = ({ was }) => was === "right" || was === "wrong";
  // While it is asked, the place of the sign is kept free, so that no name moves then.
  const judged = circles.filter((circle) => isJudged(circle) || circle.was === "asked");
  // With one example the sign might be about the machine, or about the class of the example.
  const answer = answered[0]?.answer;
  const person = judged.length === 1 ? translate("you") : "";
  const whose = person && answer ? `${person}: ${answer}` : person;
  const nameWidth = whose ? textWidth(whose, size, palette.fonts, 700) + 0.3 * size : 0;
  const badges = judged.map((circle) => {
    const r = BADGE * pointScale;
    const away = circle.r * Math.SQRT1_2 + 0.55 * r;
    const w = nameWidth + 2 * r;
    const places = BESIDE_RING.slice(0, 4).map(([across, down]) => ({
      isLeft: across < 0,
      x: circle.x + across * away + (across < 0 ? r - w : -r),
      y: circle.y + down * away - r,
      w,
      h: 2 * r,
    }));
    const at = freest(places, boxesOf(points), rect);
    taken.push(at);
    if (!isJudged(circle)) return [];
    const look = { size, weight: 700, fill: palette.on_map, halo: palette.field_zero };
    return [
      ...(whose
        ? [
            chart.text(at.isLeft ? at.x : at.x + w - nameWidth + 0.3 * size, at.y + r, whose, {
              ...look,
              baseline: "middle",
              name: "whose",
            }),
          ]
        : []),
      ...badgeMarks(
        { x: at.isLeft ? at.x + w - r : at.x + r, y: at.y + r, r },
        circle.was,
        palette,
      ),
    ];
  });
  const rings = circles
    .filter(({ was }) => LOOKS[was].width > 0)
    .flatMap(({ i, was, r, x, y }) => {
      const { width } = LOOKS[was];
      return [
        chart.circle(x, y, r, { stroke: palette.field_zero, width: width + HALO, alpha: 0.85 }),
        chart.circle(x, y, r, { stroke: palette.on_map, width, name: was, i }),
      ];
    });
  const covered = run.stream
    ? []
    : points.filter((point) =>
        circles.some(
          (circle) =>
            Math.abs(Math.hypot(point.x - circle.x, point.y - circle.y) - circle.r) < point.r + 4,
        ),
      );
  const onTop = covered.map(({ i }) => ({
    ...pointMark(scene, i),
    i: undefined,
    target: undefined,
  }));
  const names = namesPoints ? circles.map((circle) => nameMark(circle, size, taken, scene)) : [];
  return [...rings, ...onTop, ...badges.flat(), ...names];
}

/** The name of an example where there is most room beside its ring. @returns {Mark} */
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
 * @param {RingedExample["was"] | "named" | "pointed"} was
 * @param {Palette} palette
 * @returns {Mark[]}
 */
function badgeMarks({ x, y, r }, was, palette) {
  const scaled = (line) => line.map((value, k) => (k % 2 ? y : x) + value * r);
  const fill = was === "right" ? palette.good : palette.warning;
  const lines = was === "right" ? [scaled(TICK)] : CROSS.map(scaled);
  return [
    chart.circle(x, y, r, { fill, stroke: palette.field_zero, width: 1.4, name: was }),
    // The map makes lines thicker as it grows, the disc is large already.
    chart.lines(lines, {
      stroke: palette.field_zero,
      width: STROKE * Math.min(r, BADGE),
      name: was,
    }),
  ];
}
