// The cues of a lecture, at the instants where this run has their places.

import { whole } from "./words.js";

/** @import { Run } from "./run.js" */
/** @import { Cue, Envelope, PlacedCue } from "./types.d.ts" */

export class Cues {
  query = ""; // Their part of the address.
  title = "";
  by = "";
  /** @type {Cue[]} */
  list = [];
  /** @type {PlacedCue[]} */
  placed = []; // They are in the order of their instants.

  /**
   * Take what an envelope says, for a run; the same rule as `Cue.step` in kpviz/settings/cues.py.
   *
   * @param {Envelope["cues"]} cues
   * @param {Run} run
   */
  take({ title, by, cues, query }, run) {
    this.title = title;
    this.by = by;
    this.query = query;
    this.list = cues;
    this.placed = cues
      .map((cue) => ({ ...cue, t: run.instantOf(cue.place) }))
      .filter(({ t }) => t !== null)
      .sort((one, other) => one.t - other.t);
  }

  /** The cue at an instant, the first of several; null for none. */
  at(t) {
    return this.placed.find((cue) => cue.t === t) ?? null;
  }

  after(t) {
    return this.placed.find((cue) => cue.t > t) ?? null;
  }

  before(t) {
    return this.placed.filter((cue) => cue.t < t).at(-1) ?? null;
  }

  /** The panels that each cue lights at once. */
  get together() {
    return this.placed.map(({ light }) => light);
  }

  /** How many times as fast as without cues one plays on from an instant. */
  speedFrom(t) {
    const last = this.before(t + 1);
    return (last && this.at(last.t).speed) ?? 1;
  }
}

export function placeWords(place) {
  const [kind, number] = place.split(" ");
  if (kind === "epoch") return `end of epoch ${number}`;
  if (kind === "best") return "the best F";
  if (kind === "angle") return `F at ${number}°`;
  return /^\d/.test(place) ? `step ${whole.format(Number(place))}` : place;
}

// Cues as text, as kpviz/settings/cues.py writes them.

/**
 * As in kpviz/settings/cues.py: cues, characters of all in a link, characters of one text, seconds,
 * times the speed.
 */
export const LIMITS = { cues: 100, code: 4000, text: 400, hold: 600, speed: [0.05, 50] };

/** A text as one line, as kpviz/settings/cues.py keeps it. */
export const plain = (text) =>
  text
    .replace(/[\p{C}\p{Z}]/gu, " ")
    .replaceAll("¦", "|")
    .split(" ")
    .filter(Boolean)
    .join(" ");

export const characters = (text) => [...text].length;

/**
 * What a link holds of cues, as `Cues.code` says.
 *
 * @param {{ title: string, by: string, cues: Cue[] }} cues
 */
export function codeOf({ title, by, cues }) {
  const head = [
    ["title", title],
    ["by", by],
  ]
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}`);
  const lines = cues.flatMap(({ place, words, hold, speed, light, notes }) => {
    const held = hold === null ? "" : ` hold ${Number(hold.toPrecision(6))}`;
    const fast = speed === null ? "" : ` speed ${Number(speed.toPrecision(6))}`;
    const lit = light.length ? ` light ${light.join(", ")}` : "";
    return [
      `${place}${held}${fast}${lit}${words ? `: ${words}` : ""}`,
      ...(notes ? [`>${notes}`] : []),
    ];
  });
  return [...head, ...lines].map((line) => line.replaceAll("|", "¦")).join("|");
}

/** The places of an instant, the one that survives other settings first. @param {Run} run */
export function placesOf(t, run) {
  const { trace, nSteps } = run;
  const places = [
    `mistake ${trace.mistakesBefore(Math.min(t, nSteps))}`,
    t === 0 ? "start" : "end",
  ];
  for (let epoch = 1; epoch <= trace.nEpochs; epoch++) places.push(`epoch ${epoch}`);
  if (t > 0) places.push(String(t));
  return places.filter((place) => run.instantOf(place) === t);
}
