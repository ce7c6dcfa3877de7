// The numbers that a scene of a lesson names, turned by keys while one presents.

/** @import { Lesson } from "./lesson.js" */

const KEYS = ["g", "t"];

/** G and T turn the scene's knobs; on every board K goes between the linear kernel and the Gaussian. @param {Lesson} lesson */
export function knobsOf({ open, scene, stage: { session } }) {
  if (!open || !session || scene?.link.page !== "play") return {};
  const turn = (name, way) => () => session.command("turn", { name, way });
  const keys = scene.knobs.map((name, k) => ({ [KEYS[k]]: turn(name, 1), [`Shift+${KEYS[k]}`]: turn(name, -1) }));
  return Object.assign({ k: () => session.command("straight") }, ...keys);
}

/** While one presents no lesson, or its scene has no knobs, its keys say so. @param {Lesson} lesson */
export function sayKnobs({ open, stage }) {
  stage.say(
    stage.present.on && open
      ? "This scene names no numbers to turn."
      : "W presents: then G, T and K turn the knobs of a lesson.",
  );
}
