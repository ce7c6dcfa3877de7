// Some instants of a run on one page: small maps in the order of time, each with its step and what happened there.

import { textWidth, wrap } from "../model/measure.js";
import { mapMarks } from "../panels/map.js";
import { View } from "../model/view.js";
import { brief, counted, example, explain, label, number, signed, SIGNS, whole } from "../model/words.js";

/** @import { Mark } from "../types.d.ts" */

const EDGE = 40; // px about the page
const HEAD = 104; // px of the title
const GAP = 28; // px between cells
const TITLE = 26; // px above a map
const UNDER = 12; // px below it
const LINE = 1.3;
const TEXT = 16.5; // px of type
const SMALL = 14;
const LARGEST = 30; // px of the title
const FEW = 4; // so many cells have words in larger type
const FULL = 380; // px of a map on which marks have their usual size
const LEAST = 0.5; // share of that size, at least
const LENGTHS = ["x", "y", "w", "h", "r", "rx", "ry", "size", "width", "radius"];

/** Where the cells lie: the columns that make the maps as large as they can be. */
export function cellsOf(width, height, count) {
  const lines = count <= 8 ? 3 : count <= 15 ? 2 : 1;
  const size = count <= FEW ? TEXT : SMALL;
  const below = UNDER + lines * LINE * size;
  const sideOf = (columns) => {
    const rows = Math.ceil(count / columns);
    const wide = (width - 2 * EDGE - (columns - 1) * GAP) / columns;
    return Math.min(wide, (height - HEAD - EDGE - (rows - 1) * GAP) / rows - TITLE - below);
  };
  let columns = 1;
  for (let each = 2; each <= count; each++) if (sideOf(each) > sideOf(columns)) columns = each;
  const side = sideOf(columns);
  const wide = Math.min((width - 2 * EDGE - (columns - 1) * GAP) / columns, 1.4 * side);
  const left = (width - columns * wide - (columns - 1) * GAP) / 2;
  const [rows, tall] = [Math.ceil(count / columns), TITLE + side + below];
  const spare = height - HEAD - EDGE - rows * tall;
  const down = Math.min(spare / rows, 3 * GAP);
  const top = HEAD + Math.min(spare - (rows - 1) * down, down) / 2;
  const at = (k) => ({
    x: left + (k % columns) * (wide + GAP),
    y: top + Math.floor(k / columns) * (tall + down) + TITLE,
  });
  return { left, side, wide, lines, size, places: Array.from({ length: count }, (_, k) => at(k)) };
}

/** The parcel of a page: `cells` are { t, words, lit }, where words of a lecturer take the place of what happened. */
export function storyboard(stage, { cells, title, model }, parcel) {
  const { player } = stage;
  const page = cellsOf(player.width, player.layout.height, cells.length);
  player.limit = player.run.limitAt(Math.max(...cells.map(({ t }) => t))); // one scale for all
  const moving = [
    ...head(stage, page, title, model),
    ...cells.flatMap((cell, k) => below(player, page, page.places[k], cell)),
  ];
  const panels = [{ name: "page", rect: null, clip: null, still: [], moving: parcel.marks(moving), lively: false }];
  cells.forEach((cell, k) => {
    const clip = { ...page.places[k], w: page.side, h: page.side };
    panels.push({
      name: `cell-${k}`,
      rect: clip,
      clip,
      still: [],
      moving: parcel.marks(stage.finished(cellMarks(stage, page, page.places[k], cell))),
      lively: false,
    });
  });
  return { width: player.width, height: player.layout.height, ground: player.palette.paper, panels };
}

/** The map of an instant, described on a larger place and made smaller. */
function cellMarks(stage, { side }, { x, y }, { t, lit }) {
  const share = Math.max(Math.min(side / FULL, 1), LEAST);
  const { run } = stage.player;
  const rect = { x: 0, y: 0, w: side / share, h: side / share };
  const view = new View(rect, run.header.extent, run.header.grid);
  const scene = stage.sceneAt(t, { name: "map", run, view });
  const pointScale = Math.max(rect.w / 600, 0.7) * (run.n > 300 && !run.stream ? 0.75 : 1);
  const { still, moving } = mapMarks({ ...scene, rect, unit: 1, pointScale, hot: new Set(lit), bare: true });
  return [...still.flatMap(({ marks }) => marks()), ...moving].map((mark) => placed(mark, share, x, y));
}

/** A mark, smaller and elsewhere. */
function placed(mark, share, x, y) {
  const found = { ...mark };
  for (const name of LENGTHS) if (typeof mark[name] === "number") found[name] = mark[name] * share;
  if (found.x !== undefined) found.x += x;
  if (found.y !== undefined) found.y += y;
  const moved = (points) => Float32Array.from(points, (value, k) => value * share + (k % 2 ? y : x));
  if (mark.points) found.points = moved(mark.points);
  if (mark.lines) found.lines = mark.lines.map(moved);
  if (mark.dash) found.dash = mark.dash.map((part) => part * share);
  return found;
}

/** Step and mistakes above a map, and what is said below it. */
function below({ run, palette }, { side, wide, lines, size }, { x, y }, { t, words }) {
  const step = `step ${whole.format(t)}`;
  /** @type {Mark[]} */
  const marks = [{ kind: "text", x, y: y - 8, size: TEXT, weight: 600, fill: palette.ink, text: step }];
  const longest = `step ${whole.format(run.nSteps)}  ${counted(run.trace.mistakesBefore(run.nSteps), "mistake")}`;
  if (textWidth(longest, TEXT, palette.fonts, 600) < wide) {
    // one page has it everywhere or nowhere
    const after = textWidth(step, TEXT, palette.fonts, 600) + SMALL / 2;
    marks.push({
      kind: "text",
      x: x + after,
      y: y - 8,
      size: SMALL,
      fill: palette.quiet,
      text: counted(run.trace.mistakesBefore(t), "mistake"),
    });
  }
  const caption = captionLines(run, t, palette, words, (text) => wrap(text, wide, size, palette.fonts), lines);
  caption.forEach((text, k) =>
    marks.push({ kind: "text", x, y: y + side + UNDER + size * (0.8 + LINE * k), size, fill: palette.quiet, text }),
  );
  return marks;
}

/** What is said in at most so many lines: as many sentences as there is room for, else a few words; a cue's words end with dots. */
function captionLines(run, t, { grey }, words, wrapped, most) {
  let text = words || (t ? explain(run, t, { grey }).sentence : "Before the first example.");
  let lines = wrapped(text);
  while (lines.length > most && text.includes(". ") && !words) {
    text = text.slice(0, text.lastIndexOf(". ") + 1);
    lines = wrapped(text);
  }
  if (lines.length > most && !words) {
    lines = wrapped(
      t ? `${example(run.trace.index[t - 1])}: ${run.trace.mistake[t - 1] ? "mistake" : "right"}` : "the start",
    );
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${lines[most - 1].split(" ").slice(0, -1).join(" ")} …`];
}

/** Title and model at the left, and what marks and colours mean at the right. */
function head(stage, { left }, title, model) {
  const { palette, width, run } = stage.player;
  const room = width - 2 * left - 330;
  const size = Math.min(LARGEST, (LARGEST * room) / Math.max(textWidth(title, LARGEST, palette.fonts, 600), 1));
  const [line] = wrap(model, room, TEXT, palette.fonts);
  return [
    { kind: "text", x: left, y: 54, size, weight: 600, fill: palette.ink, text: title },
    {
      kind: "text",
      x: left,
      y: 80,
      size: TEXT,
      fill: palette.quiet,
      text: line.length < model.length ? `${line} …` : line,
    },
    ...stage.finished(key(stage.player, run, width - left)),
  ];
}

function key({ palette, runs, limit }, run, right) {
  const { shapes } = run.header.tokens;
  const { classes } = run.header.names;
  /** @satisfies {Partial<Mark>} */
  const quiet = { kind: "text", size: SMALL, fill: palette.quiet };
  const from = right - 130;
  const sign = `${run.plane ? "" : "halo: "}${SIGNS[run.header.settings.predictor]}`;
  /** @type {Mark[]} */
  const marks = [
    { kind: "image", image: runs.imagesOf(run).scaleOf(palette), x: from - 60, y: 60, w: 130, h: 12 },
    { kind: "rect", x: from - 60, y: 60, w: 130, h: 12, stroke: palette.rule, width: 1 },
    { ...quiet, x: from - 68, y: 71, align: "right", text: `${sign}  ${brief(number(-limit))}` },
    { ...quiet, x: from + 78, y: 71, text: brief(signed(limit)) },
  ];
  let end = right;
  const hollow = run.nTest || run.stream ? [[null, run.stream ? "in memory" : "held out"]] : [];
  for (const [kind, words] of [...hollow, ["negative", named(classes, 0)], ["positive", named(classes, 1)]]) {
    end -= textWidth(words, SMALL, palette.fonts);
    marks.push({ ...quiet, x: end, y: 46, text: words });
    const at = { x: end - 10, y: 41, r: 5.5 };
    marks.push(
      kind
        ? { kind: shapes[kind], ...at, fill: palette.point[kind], stroke: palette.on_mark, width: 1 }
        : { kind: "circle", ...at, stroke: palette.quiet, width: 1.5 },
    );
    end -= 30;
  }
  return marks;
}

const named = (classes, which) =>
  classes[1] === "+1" ? label(which ? 1 : -1) : `${label(which ? 1 : -1)} ${classes[which]}`;
