// Written by `make assets` from kpviz/panels.py, which explains each field; a test compares them.

/** @import { PanelEntry } from "./types.d.ts" */

/** @type {PanelEntry[]} */
// prettier-ignore
export const PANELS = [
  { name: "map", title: "The map", short: "Map", group: "board", requires: [], shape: [520, 520], lights: true },
  { name: "strip", title: "Legend and scale, above the map", short: "Legend", group: "board", requires: [] },
  { name: "axis", title: "Name and numbers of the first axis", short: "Axis", group: "board", requires: [] },
  { name: "gutter", title: "Name and numbers of the second axis", short: "Axis", group: "board", requires: [] },
  { name: "words", title: "The sentence", short: "Step", group: "board", requires: [], tabHeight: 160, shape: [640, 280] },
  { name: "short", title: "The sentence in a few words", short: "Step", group: "board", requires: [] },
  { name: "timeline", title: "The timeline", short: "Timeline", group: "board", requires: [], shape: [720, 130], lights: true },
  { name: "alpha", title: "Weight of each example (α)", short: "Weights", group: "default", requires: ["training set"], share: 0.75, flat: 0.16, rows: 7, columns: 17, shape: [600, 310], about: "learns", line: "The weight of each example in f; one brick per mistake.", lights: true, inLinks: true },
  { name: "own", title: "Learner details", short: "Learner", group: "default", requires: ["parts"], share: 1.35, rows: 13, columns: 17, shape: [600, 310], about: "learns", line: "Memory, limits or current pair.", lights: true, inLinks: true },
  { name: "margins", title: "Margins: how safely right is each example?", short: "Margins", group: "default", requires: [], streamShare: 2.0, rows: 7, columns: 17, shape: [600, 310], reveals: "now", about: "decides", line: "How far each example lies on its own side, y·f(x).", lights: true, inLinks: true },
  { name: "code", title: "Pseudo-code", short: "Rule", group: "more", requires: [], text: true, rows: 12.5, columns: 26, shape: [480, 270], about: "learns", line: "The algorithm, with the current line highlighted.", lights: true, inLinks: true },
  { name: "bound", title: "Mistake bounds", short: "Bounds", group: "more", requires: [], onRequest: true, text: true, rows: 15, columns: 20, shape: [640, 480], about: "proven", line: "Which theorems apply, and how many mistakes they allow.", lights: true, inLinks: true },
  { name: "readings", title: "Last, averaged, voted: boundaries and errors", short: "Readings", group: "more", requires: ["training set"], onRequest: true, share: 1.6, rows: 14, columns: 17, shape: [600, 420], reveals: "ahead", about: "decides", line: "Three predictors of one run, with their errors.", lights: true, inLinks: true },
  { name: "primal", title: "The primal perceptron", short: "Primal", group: "more", requires: [], onRequest: true, share: 1.6, rows: 14, columns: 22, shape: [600, 520], reveals: "now", about: "decides", line: "The weight vector w, and what it costs beside the dual.", lights: true, inLinks: true },
  { name: "validity", title: "Is it a kernel? Eigenvalues, and points that refute it", short: "Kernel?", group: "more", requires: ["training set"], onRequest: true, share: 2.2, tabHeight: 300, rows: 11, columns: 22, shape: [600, 420], about: "proven", line: "Eigenvalues of K, and points that refute k.", lights: true, inLinks: true },
  { name: "derivation", title: "Proof that k is a kernel, step by step", short: "Derivation", group: "more", requires: [], onRequest: true, text: true, share: 1.2, tabHeight: 300, rows: 10, columns: 22, shape: [600, 420], about: "proven", line: "How k is made of kernels, step by step.", lights: true, inLinks: true },
  { name: "gram", title: "Gram matrix: k of every pair of examples", short: "Gram matrix", group: "more", requires: ["training set"], onRequest: true, share: 2.2, square: true, tabHeight: 320, rows: 13, columns: 16, shape: [560, 470], about: "decides", line: "How similar the examples are, sorted by class.", lights: true, inLinks: true },
  { name: "lift", title: "The features of degree 2 in space", short: "Lift", group: "more", requires: ["training set"], onRequest: true, share: 2.2, square: true, tabHeight: 340, rows: 13, columns: 18, shape: [560, 500], reveals: "now", about: "decides", line: "The examples as φ(x), and the plane w·φ(x) + b = 0.", lights: true, inLinks: true },
  { name: "remembered", title: "What is remembered: f(x), term by term", short: "Memory", group: "more", requires: [], onRequest: true, noPlane: true, share: 2.6, square: true, tabHeight: 320, rows: 13, columns: 22, shape: [600, 420], reveals: "now", about: "decides", line: "f(x) as a sum over the examples that are remembered.", lights: true, inLinks: true },
  { name: "sequence", title: "The order of the examples", short: "Order", group: "more", requires: ["order"], rows: 9, columns: 17, shape: [560, 330], about: "learns", line: "Which example comes when, and which were mistakes.", lights: true, inLinks: true },
  { name: "norm", title: "‖f‖ over the run", short: "Norm", group: "more", requires: ["training set"], rows: 7, columns: 17, shape: [600, 310], reveals: "ahead", about: "learns", line: "How large f is, step by step.", lights: true, inLinks: true },
  { name: "proof", title: "Novikoff’s proof: ⟨w, u⟩ from below, ‖w‖ from above", short: "Proof", group: "more", requires: ["training set"], onRequest: true, share: 1.8, tabHeight: 300, rows: 13, columns: 22, shape: [600, 400], about: "proven", line: "Both sides of the inequality, mistake by mistake.", lights: true, inLinks: true },
  { name: "curve", title: "Curves over a setting: mistakes, support, errors", short: "Curves", group: "more", requires: [], onRequest: true, share: 1.8, tabHeight: 300, rows: 13, columns: 20, shape: [600, 380], about: "learns", line: "One run for each value of a setting, side by side.", lights: true, inLinks: true },
  { name: "votes", title: "The votes, under the timeline", short: "Votes", group: "board", requires: ["training set"] },
  { name: "question", title: "What a ready comparison asks and shows", short: "Question", group: "compared", requires: [] },
  { name: "caption", title: "The name of a run", short: "Name", group: "compared", requires: [] },
  { name: "decide", title: "The two numbers that decide", short: "Numbers", group: "compared", requires: [] },
  { name: "sentences", title: "What each run says", short: "Step", group: "compared", requires: [] },
  { name: "similar", title: "k(x, ·) of one example on the map", short: "k(x, ·)", group: "on map", requires: ["training set"], onRequest: true, key: "e", about: "map", line: "How similar each place is to one example, in place of f.", inLinks: true },
  { name: "lines", title: "Margin lines on the map", short: "Margin lines", group: "on map", requires: [], about: "map", line: "Where f is ± the smallest margin, as dotted lines.", inLinks: true },
  { name: "unhatched", title: "Compared maps without hatching", short: "No hatching", group: "on map", requires: [], about: "map", line: "Without the lines where the runs disagree.", inLinks: true },
  { name: "normed", title: "Margins divided by ‖f‖", short: "Margins / ‖f‖", group: "on map", requires: [], about: "decides", line: "The histogram of y·f/‖f‖, distances in feature space.", inLinks: true },
  { name: "plane", title: "The plane, and the direction F", short: "Plane", group: "board", requires: [], page: "fisher", instead: "map" },
  { name: "legend", title: "Legend, above the plane", short: "Legend", group: "board", requires: [], page: "fisher", instead: "strip" },
  { name: "angles", title: "J over the angle of F", short: "J", group: "board", requires: [], page: "fisher", instead: "timeline" },
  { name: "projections", title: "Projections x·F", short: "Projections", group: "default", requires: [], page: "fisher", share: 1.4, rows: 12, columns: 19 },
  { name: "components", title: "Principal components", short: "PCA", group: "default", requires: ["many"], page: "fisher", share: 1.4, rows: 13, columns: 16 },
  { name: "criterion", title: "J, and the best J", short: "J", group: "more", requires: [], page: "fisher", rows: 9, columns: 24 },
  { name: "scatter", title: "Scatter matrices", short: "Scatter", group: "more", requires: [], page: "fisher", rows: 12, columns: 24 },
];

/** What the panels are about: the groups in which one finds them. */
export const ABOUT = {
  decides: "How it decides",
  learns: "How it learns",
  proven: "What is proven",
  map: "On the map",
};

/** @type {Record<string, PanelEntry>} */
export const BY_NAME = Object.fromEntries(PANELS.map((panel) => [panel.name, panel]));
