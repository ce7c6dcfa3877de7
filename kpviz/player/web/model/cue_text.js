// Cues as text, as kpviz/cues.py writes them.

import { stepOf } from "./cues.js";

/** @import { Run } from "./run.js" */
/** @import { Cue } from "../types.d.ts" */

/** As in kpviz/settings/cues.py: cues, characters of all in a link, characters of one text, seconds, times the speed. */
export const LIMITS = { cues: 100, code: 4000, text: 400, hold: 600, speed: [0.05, 50] };

/** A text as one line, as kpviz/cues.py keeps it. */
export const plain = (text) =>
  text
    .replace(/[\p{C}\p{Z}]/gu, " ")
    .replaceAll("¦", "|")
    .split(" ")
    .filter(Boolean)
    .join(" ");

export const characters = (text) => [...text].length;

/** What a link holds of cues, as `Cues.code` says. @param {{ title: string, by: string, cues: Cue[] }} cues */
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
    return [`${place}${held}${fast}${lit}${words ? `: ${words}` : ""}`, ...(notes ? [`>${notes}`] : [])];
  });
  return [...head, ...lines].map((line) => line.replaceAll("|", "¦")).join("|");
}

/**
 * The places of an instant, the one that survives other settings first.
 *
 * @param {number} t
 * @param {Run} run
 */
export function placesOf(t, run) {
  const { trace, nSteps } = run;
  const found = [`mistake ${trace.mistakesBefore(Math.min(t, nSteps))}`, t === 0 ? "start" : "end"];
  for (let epoch = 1; epoch <= trace.nEpochs; epoch++) found.push(`epoch ${epoch}`);
  if (t > 0) found.push(String(t));
  return found.filter((place) => stepOf(place, run) === t);
}
