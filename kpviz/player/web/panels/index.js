// Written by `make assets` from kpviz/panels.py; a test compares them.

import { alphaPanel } from "./alpha.js";
import { axisPanel, gutterPanel } from "./axes.js";
import { boundPanel } from "./bounds.js";
import { captionPanel, decidePanel, questionPanel, sentencesPanel } from "./compare.js";
import { curvePanel } from "./curve.js";
import { gramPanel } from "./gram.js";
import { liftPanel } from "./lift.js";
import { mapPanel } from "./map.js";
import { marginsPanel } from "./margins.js";
import { normPanel } from "./norm.js";
import { ownPanel } from "./own.js";
import { legendPanel, planePanel } from "./plane.js";
import { primalPanel } from "./primal.js";
import { anglesPanel, componentsPanel, projectionsPanel } from "./projections.js";
import { proofPanel } from "./proof.js";
import { readingsPanel } from "./readings.js";
import { rememberedPanel } from "./remembered.js";
import { criterionPanel, scatterPanel } from "./scatter.js";
import { sequencePanel } from "./sequence.js";
import { stripPanel } from "./strip.js";
import { codePanel, shortPanel, wordsPanel } from "./text.js";
import { timelinePanel, votesPanel } from "./timeline.js";
import { derivationPanel, validityPanel } from "./validity.js";

/** @import { PanelObject } from "../board/types.d.ts" */

/** @type {Record<string, PanelObject>} */
// prettier-ignore
export const PANEL_OBJECTS = Object.fromEntries([
  mapPanel,
  stripPanel,
  axisPanel,
  gutterPanel,
  wordsPanel,
  shortPanel,
  timelinePanel,
  alphaPanel,
  ownPanel,
  marginsPanel,
  codePanel,
  boundPanel,
  readingsPanel,
  primalPanel,
  validityPanel,
  derivationPanel,
  gramPanel,
  liftPanel,
  rememberedPanel,
  sequencePanel,
  normPanel,
  proofPanel,
  curvePanel,
  votesPanel,
  questionPanel,
  captionPanel,
  decidePanel,
  sentencesPanel,
  planePanel,
  legendPanel,
  anglesPanel,
  projectionsPanel,
  componentsPanel,
  criterionPanel,
  scatterPanel,
].map((panel) => [panel.name, panel]));
