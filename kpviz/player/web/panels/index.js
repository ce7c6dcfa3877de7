// Written by `make assets` from kpviz/panels.py; a test compares them.

import { alphaMarks } from "./alpha.js";
import { captionMarks, decideMarks, questionMarks, sentencesMarks, tableMarks } from "./compare.js";
import { curveMarks } from "./curve.js";
import { gramMarks } from "./gram.js";
import { liftMarks } from "./lift.js";
import { mapMarks } from "./map.js";
import { marginsMarks } from "./margins.js";
import { normMarks } from "./norm.js";
import { ownMarks } from "./own.js";
import { planeMarks } from "./plane.js";
import { primalMarks } from "./primal.js";
import { anglesMarks, componentsMarks, projectionsMarks } from "./projections.js";
import { proofMarks } from "./proof.js";
import { readingsMarks } from "./readings.js";
import { rememberedMarks } from "./remembered.js";
import { criterionMarks, scatterMarks } from "./scatter.js";
import { sequenceMarks } from "./sequence.js";
import { boundMarks, codeMarks, wordsMarks } from "./text.js";
import { timelineMarks, votesMarks } from "./timeline.js";
import { derivationMarks, validityMarks } from "./validity.js";

/** @import { Drawing } from "../types.d.ts" */

/** @type {Record<string, (scene: never) => Drawing>} */
export const MARKS = {
  map: mapMarks,
  words: wordsMarks,
  timeline: timelineMarks,
  alpha: alphaMarks,
  own: ownMarks,
  margins: marginsMarks,
  code: codeMarks,
  bound: boundMarks,
  readings: readingsMarks,
  primal: primalMarks,
  validity: validityMarks,
  derivation: derivationMarks,
  gram: gramMarks,
  lift: liftMarks,
  remembered: rememberedMarks,
  sequence: sequenceMarks,
  norm: normMarks,
  proof: proofMarks,
  curve: curveMarks,
  votes: votesMarks,
  question: questionMarks,
  caption: captionMarks,
  decide: decideMarks,
  sentences: sentencesMarks,
  table: tableMarks,
  plane: planeMarks,
  angles: anglesMarks,
  projections: projectionsMarks,
  components: componentsMarks,
  scatter: scatterMarks,
  criterion: criterionMarks,
};
