// The features of degree 2 in space, with the plane that separates them there: w·φ + b = 0.

import { sceneWith } from "../board/scene.js";
import { answerMarks, withoutAnswer } from "./answer.js";
import { boxesOf, chart, freest, heading, NEAR, shapeOf } from "./chart.js";
import { boxOf, firstWithin, textWidth, wrap } from "../paint/measure.js";
import { withoutRounding } from "../run/rounding.js";
import { number, whole } from "../run/words.js";
import { step } from "../board/scale.js";

/** @import { Run } from "../run/run.js" */
/** @import { PanelScene } from "../board/scene.js" */
/** @import { Mark, PanelObject, PointMark } from "../board/types.d.ts" */
/** @import { Lift } from "../run/types.d.ts" */

const POINT_SIZE = 0.72; // Relative to the points of the map.
const LEAST_SPACE = 90; // In px of height.
const LEAST_WITH_ANSWER = 240; // In px of height, where the unit is 1.
const TITLE = 22; // In px, where the unit is 1.
const WIDE = 1.4; // Relative to its height: in so wide a panel the words stand beside the space.
const LEAST_WIDE = 340; // In px, where the unit is 1.
const WORDS_SHARE = 0.36; // Relative to the width of such a panel.
const WORDS_SHARE_LOW = 0.45; // The same where it is low: the space needs no more.
const LEAST_WORDS = 180; // In px, where the unit is 1: they have no less.
const UNDER_ANSWER = 14; // In px, where the unit is 1, from the answer to the box.
const LEAST_REACH = 20; // In px, half of the diagonal of the box.
const LOW_SPACE = 220; // In px, where the unit is 1: a lower box is stretched, by so much at most.
const MOST_STRETCH = 1.5;
const NAME_BESIDE = 16; // In px, where the unit is 1: the name of an axis beside a stretched box.
const HEAD = 4; // In px, where the unit is 1, above the box.
const FOOT = 8; // The same below it.
const LEAST_SPACE_UNDER_WORDS = 100; // In px of height.
const AXES = [0, 1, 2];
// Where the name of an axis may stand, from its end: how far, and turned by how much.
const AWAY = [1, 1.5, 2];
const ASIDE = [0, 0.8, -0.8, 1.6, -1.6];
// The same where points lie about it, in px where the unit is 1.
const FARTHER = Array.from({ length: 30 }, (_, place) => 24 + 5 * place);
const CLEAR = 2; // In px, from the name of an axis to a point.
const WIDEST_LINE = 46; // In letters: one reads longer lines with less ease.
const LINE_HEIGHT = 1.36; // In letters.
const BUTTON = 2.4; // In letters: so high is the button.
const SHOWS =
  "With that kernel a point (u₁, u₂) becomes the point φ(u) = (u₁², √2·u₁u₂, u₂²) of space. The plane w·φ(u) + b = 0 there is the boundary on the map: an ellipse, a hyperbola or two lines about the origin.";

const OFFER_BUTTON = "Use this kernel";
const OFFER = "Another kernel lifts these points into space.";

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const times = (a, s) => a.map((value) => value * s);

/** { w, b } of f after t presentations: a fold of the changes. @param {Run} run */
function planeOf({ trace, arrays: { liftPhi: phi } }, t) {
  const { coef, b } = trace.state(t);
  const w = [0, 0, 0];
  coef.forEach((c, place) => {
    for (const k of AXES) w[k] += c * phi[3 * trace.support[place] + k];
  });
  return { w, b };
}

/**
 * Points as they are seen: across, up, and towards whoever looks, as kpviz/player/box.py has it.
 */
export function sight({ low, high }, { turn, tilt }) {
  const [a, p] = [turn, tilt].map((degrees) => (degrees * Math.PI) / 180);
  const middle = AXES.map((k) => (low[k] + high[k]) / 2);
  const half = Math.sqrt(AXES.reduce((sum, k) => sum + (high[k] - low[k]) ** 2, 0)) / 2;
  return (point) => {
    const [first, second, third] = AXES.map((k) => (point[k] - middle[k]) / half);
    const away = second * Math.cos(a) - first * Math.sin(a);
    return [
      first * Math.cos(a) + second * Math.sin(a),
      third * Math.cos(p) + away * Math.sin(p),
      third * Math.sin(p) - away * Math.cos(p),
    ];
  };
}

const cornersOf = ({ low, high }) =>
  Array.from({ length: 8 }, (_, corner) => AXES.map((k) => ((corner >> k) & 1 ? high[k] : low[k])));
const EDGES = Array.from({ length: 8 }, (_, a) =>
  [1, 2, 4].filter((bit) => !(a & bit)).map((bit) => [a, a | bit]),
).flat();

/** Where the plane cuts the box, as a polygon; no points where it does not. */
export function cut(box, { w, b }) {
  const corners = cornersOf(box);
  const side = corners.map((corner) => dot(corner, w) + b);
  const points = EDGES.filter(([i, j]) => side[i] < 0 !== side[j] < 0).map(([i, j]) => {
    const share = side[i] / (side[i] - side[j]);
    return AXES.map((k) => corners[i][k] + share * (corners[j][k] - corners[i][k]));
  });
  if (points.length < 3) return [];
  const middle = AXES.map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
  const least = AXES.reduce((best, k) => (Math.abs(w[k]) < Math.abs(w[best]) ? k : best), 0);
  // The squares of tiny numbers would be 0.
  const unit = times(w, 1 / Math.max(...w.map(Math.abs)));
  const second = cross(
    unit,
    AXES.map((k) => Number(k === least)),
  );
  const first = times(cross(second, unit), 1 / Math.sqrt(dot(unit, unit)));
  const angle = (point) => {
    const off = AXES.map((k) => point[k] - middle[k]);
    return Math.atan2(dot(off, second), dot(off, first));
  };
  return points
    .map((point) => ({ point, at: angle(point) }))
    .sort((one, other) => one.at - other.at)
    .map(({ point }) => point);
}

/** @param {Run} run */
const featuresOf = ({ arrays: { liftPhi } }, i) => liftPhi.subarray(3 * i, 3 * i + 3);
const radiusOf = (run, i, t, scale) => POINT_SIZE * run.pointRadius(i, t, scale);

/**
 * Half of the width and of the height that the box takes at most, however far it is turned, in
 * halves of its diagonal.
 */
function halvesOf({ low, high }, { tilt }) {
  const p = (tilt * Math.PI) / 180;
  const [first, second, third] = AXES.map((k) => high[k] - low[k]);
  const diagonal = Math.hypot(first, second, third);
  const across = Math.hypot(first, second) / diagonal;
  return [across, across * Math.abs(Math.sin(p)) + (third / diagonal) * Math.abs(Math.cos(p))];
}

/** From a point of space to a pixel, and how near it is. */
function pixels(extra, rect, unit, angles) {
  const room = rect.h - (HEAD + FOOT) * unit;
  const [wide, high] = halvesOf(extra, angles);
  const reach = Math.max(Math.min(rect.w / wide, room / high) / 2, LEAST_REACH);
  // A low space is drawn wider than high: a plane stays one, and points lie less on each other.
  const most = room < LOW_SPACE * unit ? MOST_STRETCH : 1;
  const widest = (rect.w - 2 * NAME_BESIDE * unit) / wide / 2;
  const stretch = Math.min(Math.max(widest / reach, 1), most);
  const x = rect.x + rect.w / 2;
  const y = rect.y + HEAD * unit + room / 2;
  const see = sight(extra, angles);
  return (point) => {
    const [across, up, towards] = see(point);
    return [x + stretch * reach * across, y - reach * up, towards];
  };
}

/** @param {PanelScene} scene */
function liftMarks(scene) {
  const { run, unit, rect, t, turned } = scene;
  const extra = /** @type {Required<Lift>} */ (run.header.extras.lift);
  const isLifted = extra && !extra.why;
  if (!isLifted) {
    const title = heading(scene, "φ(x) in space");
    const under = underAnswer(scene);
    return [...title, ...under.marks, ...whyNot(under.scene).marks, ...withoutPlane(under)];
  }
  const plane = planeOf(run, t);
  const polygon = cut(extra, plane);
  const isLow = rect.h < LEAST_WITH_ANSWER * unit;
  const hasWordsBeside = isLow && isWide(scene) && !scene.bare;
  const room = hasWordsBeside ? { ...rect, w: wordsWidth(scene) } : rect;
  const note = planeNote(scene, plane, polygon);
  const title = heading(
    { ...scene, rect: room },
    "φ(x) in space, and its plane",
    hasWordsBeside ? null : note,
  );
  if (rect.h < LEAST_SPACE * unit) return title;
  const answer =
    isLow && !hasWordsBeside
      ? { marks: [], h: TITLE * unit }
      : answerMarks(sceneWith(scene, { rect: room }), answerWords(run, plane));
  const under = isLow ? 0 : UNDER_ANSWER * unit;
  const [left, above] = hasWordsBeside ? [room.w, 0] : [0, answer.h + under - HEAD * unit];
  const space = { x: rect.x + left, w: rect.w - left, y: rect.y + above, h: rect.h - above };
  const at = pixels(extra, space, unit, turned);
  const [behind, before, ofStep] = sides(scene, at, plane);
  const round = frame(scene, extra, at);
  return [
    chart.area(rect, { kind: "ground", hold: "spin" }),
    ...title,
    ...answer.marks,
    ...(hasWordsBeside ? noteUnder(scene, note, room, answer.h) : []),
    ...round.filter(({ kind }) => kind !== "text"),
    ...behind,
    ...planeMarks(scene, at, polygon),
    ...round.filter(({ kind }) => kind === "text"),
    ...before,
    ...ofStep,
    ...rings(scene, at),
  ];
}

/**
 * What the panel says first where another kernel would lift the examples, and a scene with the room
 * below it.
 *
 * @param {PanelScene} scene
 */
function underAnswer(scene) {
  const { run, rect, unit, bare } = scene;
  const hasAnswer = run.header.extras.lift?.offers && rect.h >= LEAST_WITH_ANSWER * unit && !bare;
  if (!hasAnswer) return { marks: [], scene };
  const { marks, h } = answerMarks(scene, OFFER);
  const taken = h - withoutAnswer(scene).h;
  const below = { ...rect, y: rect.y + taken, h: rect.h - taken };
  return { marks, scene: sceneWith(scene, { rect: below }) };
}

/** Whether the plane has each example of training on its side, in a sentence. */
function answerWords(run, { w, b }) {
  if (w.every((value) => value === 0)) return "No plane yet: nothing is learnt.";
  let wrong = 0;
  for (let i = 0; i < run.n; i++) {
    const terms = AXES.map((k) => w[k] * featuresOf(run, i)[k]);
    const f = terms.reduce((sum, term) => sum + term, b);
    const size = terms.reduce((sum, term) => sum + Math.abs(term), Math.abs(b));
    if (run.y[i] * withoutRounding(f, size) <= 0) wrong += 1;
  }
  return wrong
    ? `${whole.format(wrong)} of ${whole.format(run.n)} on the wrong side of the plane.`
    : "Lifted into space, a plane parts them.";
}

/** The plane within the box; nothing where it does not meet the box. @returns {Mark[]} */
function planeMarks({ palette, run }, at, polygon) {
  if (!polygon.length) return [];
  const points = polygon.flatMap((point) => at(point).slice(0, 2));
  const { ghost: fill } = palette;
  const alpha = run.header.tokens.lift.plane;
  return [{ kind: "polygon", points, corners: polygon, fill, alpha, name: "plane" }];
}

/**
 * Where the examples are seen as another kernel would lift them: beside the words in a wide panel,
 * else under them; null where there is no room.
 *
 * @param {PanelScene} scene
 * @param {boolean} isUnderAnswer
 */
function spaceOf(scene, isUnderAnswer) {
  const { run, rect, unit } = scene;
  if (!run.header.extras.lift?.why || !run.arrays.liftPhi) return null;
  if (isWide(scene)) {
    const w = rect.w - wordsWidth(scene);
    const down = isUnderAnswer ? withoutAnswer(scene).h + (UNDER_ANSWER - HEAD) * unit : 0;
    return { x: rect.x + rect.w - w, y: rect.y + down, w, h: rect.h - down };
  }
  const y = whyNot(scene).bottom + 0.5 * step("small", unit); // An axis has its name above its end.
  const h = rect.y + rect.h - y;
  return h < LEAST_SPACE_UNDER_WORDS * unit ? null : { ...rect, y, h };
}

const wordsWidth = ({ rect, unit }) => {
  const share = rect.h < LOW_SPACE * unit ? WORDS_SHARE_LOW : WORDS_SHARE;
  return Math.max(share * rect.w, LEAST_WORDS * unit);
};

/** Whether there is room for the space beside the words. @param {PanelScene} scene */
const isWide = ({ run, rect, unit }) =>
  Boolean(run.arrays.liftPhi) &&
  rect.h - TITLE * unit >= LEAST_SPACE * unit &&
  rect.w >= LEAST_WIDE * unit &&
  rect.w > WIDE * rect.h;

/**
 * The examples as they would be, without the plane that there is not.
 *
 * @param {ReturnType<typeof underAnswer>} under
 */
function withoutPlane({ marks, scene }) {
  const { run, unit } = scene;
  const rect = spaceOf(scene, marks.length > 0);
  if (!rect) return [];
  const extra = /** @type {Required<Lift>} */ (run.header.extras.lift);
  const at = pixels(extra, rect, unit, scene.turned);
  const round = frame(scene, extra, at);
  const smaller = sceneWith(scene, { pointScale: POINT_SIZE * scene.pointScale });
  return [
    ...round.filter(({ kind }) => kind !== "text"),
    ...sides(smaller, at, { w: [0, 0, 0], b: 0 }).flat(),
    ...rings(smaller, at),
    ...round.filter(({ kind }) => kind === "text"),
  ];
}

/**
 * Why there is no plane here, and a button that chooses the kernel which has one; where the
 * examples are not seen under the words, what would be seen.
 *
 * @returns {{ marks: Mark[], bottom: number }}
 */
function whyNot(scene) {
  const { run, unit, palette, server, bare } = scene;
  const extra = run.header.extras.lift;
  const isBesideSpace = isWide(scene);
  const rect = isBesideSpace ? { ...scene.rect, w: wordsWidth(scene) } : scene.rect;
  const size = step("label", unit);
  const line = LINE_HEIGHT * size;
  const top = rect.y + 1.8 * size;
  const end = rect.y + rect.h;
  const isPressable = extra?.offers && server && !bare;
  const buttonWidth = textWidth(OFFER_BUTTON, size, palette.fonts, 600) + 2.4 * size;
  const besideButton = isPressable ? rect.w - buttonWidth - size : rect.w;
  const isBesideButton = besideButton > WIDEST_LINE * size * 0.36;
  const width = Math.min(isBesideButton ? besideButton : rect.w, WIDEST_LINE * size * 1.4);
  const lines = (text, name) =>
    wrap(text, width, size, palette.fonts).map((words) => [words, name]);
  const reason = extra?.why ?? "Computing…";
  // Before a class the space has the room that a long reason would take.
  const inShort = lines(extra?.offers ? reason.replace(/[.:,] .*/s, ".") : reason, "why");
  const inFull = lines(reason, "why");
  const shows = extra?.offers ? lines(SHOWS, "shows") : [];
  const under = (rows) => top + line * (rows.length + 0.5);
  const hasRoomBelow = isBesideButton || under(inFull) + BUTTON * size <= end;
  const why = bare || !hasRoomBelow ? inShort : inFull;
  const underWords = under(why);
  const [x, y] = isBesideButton ? [rect.x + rect.w - buttonWidth, top] : [rect.x, underWords];
  const button = { x, y, w: buttonWidth, h: BUTTON * size };
  const bottom = isPressable ? Math.max(underWords, y + button.h + 0.5 * size) : underWords;
  const isSpaceSeen =
    isBesideSpace || (run.arrays.liftPhi && end - bottom >= LEAST_SPACE_UNDER_WORDS * unit);
  const isAllTold = !isSpaceSeen && isBesideButton;
  const hasRoom = why.length + shows.length <= Math.floor((end - top) / line);
  const rows = isAllTold && hasRoom ? [...why, ...shows] : why;
  const marks = rows.map(([words, name], row) =>
    chart.text(rect.x, top + size + line * row, words, { size, fill: palette.quiet, name }),
  );
  return { marks: [...marks, ...(isPressable ? buttonMarks(button, size, palette) : [])], bottom };
}

/** The button that chooses the kernel. @param {PanelScene["rect"]} box @returns {Mark[]} */
function buttonMarks(box, size, palette) {
  const { x, y, w, h } = box;
  return [
    chart.rect(x, y, w, h, { fill: palette.accent, radius: h / 2 }),
    chart.text(x + w / 2, y + h / 2, OFFER_BUTTON, {
      size,
      weight: 600,
      fill: palette.paper,
      align: "center",
      baseline: "middle",
      name: "offer",
    }),
    chart.area(box, { kind: "offer", tells: () => ({ ask: "square" }), stop: true, first: true }),
  ];
}

/**
 * The box, and in it the axes through the origin with their names, which lie on no example.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
function frame(scene, { low, high, names }, at) {
  const { palette, unit, run, t, pointScale } = scene;
  const corners = cornersOf({ low, high });
  const line = (one, other) => [...at(one).slice(0, 2), ...at(other).slice(0, 2)];
  /** @type {Mark[]} */
  const marks = [
    chart.lines(
      EDGES.map(([i, j]) => line(corners[i], corners[j])),
      { stroke: palette.rule, width: 1 },
    ),
  ];
  const on = (k, value) => AXES.map((j) => (j === k ? value : 0));
  marks.push(
    chart.lines(
      AXES.map((k) => line(on(k, low[k]), on(k, high[k]))),
      { stroke: palette.quiet, width: 1.6, name: "axes" },
    ),
  );
  const middle = /** @type {const} */ ({ baseline: "middle", align: "center", name: "axis" });
  const look = { size: step("small", unit), fill: palette.ink, halo: palette.paper, ...middle };
  const [x0, y0] = at([0, 0, 0]);
  const circles = Array.from({ length: run.n + run.nTest }, (_, i) => {
    const [x, y] = at(featuresOf(run, i));
    return { x, y, r: radiusOf(run, i, t, pointScale) + CLEAR };
  });
  const taken = boxesOf(circles);
  for (const k of AXES) {
    const [x, y] = at(on(k, high[k]));
    const outwards = Math.atan2(y - y0, x - x0);
    const nameAt = (angle, across, down, isFar) => {
      const px = x + across * unit * Math.cos(angle);
      const py = y + down * unit * Math.sin(angle);
      const mark = chart.text(px, py, names[k], look);
      return { ...boxOf(mark, palette.fonts), mark, isFar };
    };
    const near = AWAY.flatMap((away) =>
      ASIDE.map((aside) => nameAt(outwards + aside, 14 * away, 11 * away, false)),
    );
    // Where points lie about its end, the name stands farther out, and a thin line leads to it.
    const far = FARTHER.map((away) => nameAt(outwards, away, away, true));
    const place = freest([...near, ...far], taken, scene.rect);
    taken.push(place);
    if (place.isFar) marks.push(leaderTo(place, [x, y], palette));
    marks.push(place.mark);
  }
  return marks;
}

/** A thin line from a point to the edge of a box. @returns {Mark} */
function leaderTo(box, [x, y], palette) {
  const across = box.x + box.w / 2 - x;
  const down = box.y + box.h / 2 - y;
  const inside = Math.min(box.w / 2 / Math.abs(across), box.h / 2 / Math.abs(down));
  const share = Math.max(1 - inside, 0);
  const points = [x, y, x + share * across, y + share * down];
  return chart.line(points, { stroke: palette.quiet, width: 1, dash: [2, 3], name: "leader" });
}

/**
 * The points behind the plane and those before it, each from the farthest to the nearest, and
 * those of the step, which nothing hides.
 *
 * @returns {PointMark[][]}
 */
function sides(scene, at, { w, b }) {
  const { run, t, turned, palette, pointScale } = scene;
  const { shapes } = run.header.tokens;
  const [a, p] = [turned.turn, turned.tilt].map((degrees) => (degrees * Math.PI) / 180);
  const looks = dot(w, [Math.sin(a) * Math.cos(p), -Math.cos(a) * Math.cos(p), Math.sin(p)]);
  const behind = [];
  const before = [];
  const ofStep = [];
  const ringed = ringedIn(scene);
  for (let i = 0; i < run.n + run.nTest; i++) {
    const phi = featuresOf(run, i);
    const [x, y, towards] = at(phi);
    const kind = run.y[i] > 0 ? "positive" : "negative";
    const fill = palette.ofClass(run.y[i]);
    const look =
      i < run.n ? { fill, stroke: palette.paper, width: 1 } : { stroke: fill, width: 1.4 };
    const target = { kind: "example", index: i, reach: [NEAR] };
    const r = radiusOf(run, i, t, pointScale);
    const mark = { kind: shapes[kind], x, y, r, i, towards, ...look, name: "point", target };
    const place = (dot(w, phi) + b) * looks < 0 ? behind : before;
    (ringed.includes(i) ? ofStep : place).push(mark);
  }
  const deep = (one, other) => one.towards - other.towards;
  return [behind.sort(deep), before.sort(deep), ofStep.sort(deep)];
}

/** The examples of the step. @param {PanelScene} scene @returns {readonly number[]} */
const ringedIn = ({ pair, current }) => pair ?? (current === null ? [] : [current]);

/**
 * Outlines of what the pointer touches, and the ring of this step's example.
 *
 * @param {PanelScene} scene
 * @returns {Mark[]}
 */
function rings(scene, at) {
  const { run, hot, current, t, palette, pointScale } = scene;
  const around = (i, apart) => {
    const [x, y] = at(featuresOf(run, i));
    return { x, y, r: radiusOf(run, i, t, pointScale) + apart * pointScale };
  };
  const marks = [...hot]
    .filter((i) => i < run.n + run.nTest)
    .map(
      /** @returns {Mark} */ (i) => ({
        kind: shapeOf(run, i),
        ...around(i, 3),
        stroke: palette.ink,
        width: 2,
        lit: i,
      }),
    );
  const name = (i) => (i === current ? "current" : "partner");
  /** @returns {Mark[]} */
  const ring = (i) => [
    { kind: "circle", ...around(i, 4), stroke: palette.paper, width: 5 },
    { kind: "circle", ...around(i, 4), stroke: palette.ink, width: 2.4, name: name(i), i },
  ];
  return [...marks, ...ringedIn(scene).flatMap(ring)];
}

/** The numbers of w, beside the title. */
function planeNote({ run, unit, palette }, { w, b }, polygon) {
  const hasIntercept = b || run.header.settings.intercept !== "none";
  const numbers = `w = (${w.map(number).join(", ")})${hasIntercept ? `, b = ${number(b)}` : ""}`;
  const note = { size: step("small", unit), fill: palette.ink, name: "w", w, b, short: "" };
  if (w.every((value) => value === 0)) return { ...note, text: "w = 0: there is no plane yet" };
  if (polygon.length) return { ...note, text: numbers };
  const outside = "the plane does not meet this box";
  return { ...note, text: `${numbers} · ${outside}`, short: outside };
}

/**
 * The same under the answer, where the space has the room beside it.
 *
 * @param {PanelScene} scene
 * @param {ReturnType<typeof planeNote>} note
 * @returns {Mark[]}
 */
function noteUnder({ palette }, note, { x, y, w, h }, above) {
  const words = firstWithin([note.text, note.short], w, note.size, palette.fonts);
  const base = y + above + 1.4 * note.size;
  return words && base <= y + h ? [chart.text(x, base, words, note)] : [];
}

/** @type {PanelObject} */
export const liftPanel = { name: "lift", marks: liftMarks, walkable: true };
