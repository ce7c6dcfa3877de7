// Written by `make assets` from kpviz/panels.py, which says what each field means; a test compares them.

/** @import { PanelEntry } from "../types.d.ts" */

/** @type {PanelEntry[]} */
// prettier-ignore
export const PANELS = [
  { name: "map", title: "The map", short: "Map", group: "board", needs: [], shape: [520, 520], lights: true },
  { name: "words", title: "The sentence", short: "Step", group: "board", needs: [], tabHeight: 160, shape: [640, 280] },
  { name: "timeline", title: "The timeline", short: "Timeline", group: "board", needs: [], shape: [720, 130], lights: true },
  { name: "alpha", title: "Mistakes on each example (α)", short: "Mistakes", group: "default", needs: ["training set"], rows: 7, shape: [600, 310], lights: true, inLinks: true },
  { name: "own", title: "Particulars of the learner", short: "Learner", group: "default", needs: ["parts"], share: 1.35, rows: 13, shape: [600, 310], tells: "ahead", lights: true, inLinks: true },
  { name: "margins", title: "Histogram of margins; of a stream its course", short: "Margins", group: "default", needs: [], streamShare: 2.0, rows: 7, shape: [600, 310], tells: "now", lights: true, inLinks: true },
  { name: "code", title: "Pseudo-code", short: "Rule", group: "more", needs: [], text: true, rows: 12.5, columns: 26, shape: [480, 270], lights: true, inLinks: true },
  { name: "bound", title: "Mistake bounds", short: "Bounds", group: "more", needs: [], asks: true, text: true, rows: 15, columns: 20, shape: [640, 480], lights: true, inLinks: true },
  { name: "readings", title: "Last, averaged, voted: boundaries and errors", short: "Readings", group: "more", needs: ["training set"], asks: true, share: 1.6, rows: 14, columns: 17, shape: [600, 420], tells: "ahead", lights: true, inLinks: true },
  { name: "primal", title: "The primal perceptron", short: "Primal", group: "more", needs: [], asks: true, share: 1.6, rows: 14, columns: 22, shape: [600, 520], tells: "now", lights: true, inLinks: true },
  { name: "gram", title: "Gram matrix: k of every two examples", short: "Gram matrix", group: "more", needs: ["training set"], asks: true, noPlane: true, share: 2.2, square: true, tabHeight: 320, rows: 13, columns: 16, shape: [560, 470], lights: true, inLinks: true },
  { name: "lift", title: "The features of degree 2 in space", short: "Lift", group: "more", needs: ["training set"], asks: true, share: 2.2, square: true, tabHeight: 340, rows: 13, columns: 18, shape: [560, 500], tells: "now", lights: true, inLinks: true },
  { name: "remembered", title: "What is remembered: f(x), term by term", short: "Memory", group: "more", needs: [], asks: true, noPlane: true, share: 2.6, square: true, tabHeight: 320, rows: 13, columns: 22, shape: [600, 420], tells: "now", lights: true, inLinks: true },
  { name: "sequence", title: "The order of the examples", short: "Order", group: "more", needs: ["order"], rows: 9, shape: [560, 330], lights: true, inLinks: true },
  { name: "norm", title: "‖f‖ over the run", short: "Norm", group: "more", needs: ["training set"], rows: 7, shape: [600, 310], tells: "ahead", lights: true, inLinks: true },
  { name: "proof", title: "Novikoff's proof: ⟨w, u⟩ from below, ‖w‖ from above", short: "Proof", group: "more", needs: ["training set"], asks: true, share: 1.8, tabHeight: 300, rows: 13, columns: 22, shape: [600, 400], lights: true, inLinks: true },
  { name: "curve", title: "Curves over a setting: mistakes, support, errors", short: "Curves", group: "more", needs: [], asks: true, share: 1.8, tabHeight: 300, rows: 13, columns: 20, shape: [600, 380], lights: true, inLinks: true },
  { name: "votes", title: "The votes, under the timeline", short: "Votes", group: "board", needs: ["training set"] },
  { name: "lesson", title: "What a ready comparison asks and shows", short: "Lesson", group: "compared", needs: [] },
  { name: "caption", title: "The name of a run", short: "Name", group: "compared", needs: [] },
  { name: "decide", title: "The two numbers that decide", short: "Numbers", group: "compared", needs: [] },
  { name: "sentences", title: "What each run says", short: "Step", group: "compared", needs: [] },
  { name: "table", title: "The runs in numbers", short: "Table", group: "compared", needs: [], tells: "ahead" },
  { name: "similar", title: "k(x, ·) of one example on the map", short: "k(x, ·)", group: "on map", needs: ["training set"], asks: true, key: "e", inLinks: true },
  { name: "lines", title: "Margin lines on the map", short: "Margin lines", group: "on map", needs: [], inLinks: true },
  { name: "unhatched", title: "Compared maps without hatching", short: "No hatching", group: "on map", needs: [], inLinks: true },
  { name: "normed", title: "Margins divided by ‖f‖", short: "Margins / ‖f‖", group: "on map", needs: [], inLinks: true },
];

/** @type {Record<string, PanelEntry>} */
export const BY_NAME = Object.fromEntries(PANELS.map((panel) => [panel.name, panel]));
