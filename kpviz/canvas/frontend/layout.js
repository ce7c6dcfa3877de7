// Where the panels of the board lie, in CSS pixels.

export const PANELS = {
  alpha: "Mistakes on each example (α)",
  own: "What is particular to the learner",
  margins: "Histogram of margins",
  code: "Pseudo-code",
  bound: "Mistake bounds",
  lines: "Margin lines on the map",
  normed: "Margins divided by ‖f‖",
};

/** Panels for which Python is asked. */
export const EXTRAS = ["bound"];

export const PRESETS = {
  explore: ["alpha", "margins", "own"],
  present: [],
};

const SHARES = { own: 1.35 }; // of the height, where others have 1
const NARROW = 900;
const GAP = 12;
const BAR = 46;

const rect = (x, y, w, h) => ({ x, y, w, h });

/** { narrow, unit, height, bar, tabs, panels } for a stage of this size; `tab` is the one shown when narrow. */
export function layout(width, height, shown, tab) {
  return width < NARROW ? narrow(width, height, shown, tab) : wide(width, height, shown);
}

function wide(width, height, shown) {
  const unit = Math.min(Math.max(height / 640, 0.94), 1.75);
  const timeline = Math.round(62 * unit);
  const top = height - BAR - timeline - GAP;
  const side = Math.floor(Math.min(top, width * 0.6));
  const x = side + GAP * 2;
  const w = width - x - GAP;
  const alone = !["alpha", "own", "margins"].some((name) => shown.has(name));
  const words = Math.round(Math.min(alone ? top * 0.62 : 138 * unit, top * 0.62));
  const panels = { map: rect(0, 0, side, side), words: rect(x, 0, w, words) };
  const lower = ["alpha", "own", "margins"].filter((name) => shown.has(name));
  const extra = ["code", "bound"].filter((name) => shown.has(name));
  const y = words + GAP;
  const free = top - y;
  if (free > 40 && (lower.length || extra.length)) {
    const both = lower.length > 0 && extra.length > 0;
    const left = both ? Math.floor(w * 0.56) : w;
    stack(panels, lower, rect(x, y, both ? left : w, free));
    stack(panels, extra, rect(both ? x + left + GAP : x, y, both ? w - left - GAP : w, free));
  }
  panels.timeline = rect(0, top + GAP * 0.5, width - GAP, timeline);
  return { narrow: false, unit, height, bar: rect(0, height - BAR, width, BAR), panels };
}

function stack(panels, names, { x, y, w, h }) {
  const shares = names.map((name) => SHARES[name] ?? 1);
  const all = shares.reduce((sum, share) => sum + share, 0);
  let from = y;
  names.forEach((name, k) => {
    const each = ((h - GAP * (names.length - 1)) * shares[k]) / all;
    panels[name] = rect(x, Math.round(from), w, Math.floor(each));
    from += each + GAP;
  });
}

function narrow(width, height, shown, tab) {
  const side = Math.min(width, Math.max(height - BAR - 52 - 250, 240));
  const panels = { map: rect((width - side) / 2, 0, side, side) };
  panels.timeline = rect(0, side + 6, width, 52);
  const bar = rect(0, side + 62, width, (width < 520 ? 3 : 2) * BAR);
  const tabs = rect(0, bar.y + bar.h, width, 36);
  panels[tab] = rect(4, tabs.y + tabs.h + 6, width - 8, 190);
  return { narrow: true, unit: 0.94, height: tabs.y + tabs.h + 200, bar, tabs, panels };
}
