// The numbers that a scene of a lesson names, turned by keys while one presents.

/** @import { Lesson } from "./lesson.js" */

const KEYS = ["g", "t"];
/** @type {WeakMap<Lesson, { at: number, sigma: number }>} */
const LEFT = new WeakMap(); // the width that the Gaussian had in a scene

/** G and T turn the scene's knobs; on every board K goes between the linear kernel and the Gaussian. @param {Lesson} lesson */
export function knobsOf(lesson) {
  const { open, scene, stage } = lesson;
  const { session } = stage;
  if (!open || !session || scene?.link.page !== "play") return {};
  const turn = (name, way) => () => session.command("turn", { name, way, from: scene.link.query });
  const keys = scene.knobs.map((name, k) => ({ [KEYS[k]]: turn(name, 1), [`Shift+${KEYS[k]}`]: turn(name, -1) }));
  return Object.assign({ k: () => straighten(lesson) }, ...keys);
}

/** To the linear kernel, and back to the Gaussian as it was left. @param {Lesson} lesson */
function straighten(lesson) {
  const { at, stage } = lesson;
  const { kernel = null, sigma = null } = Object.fromEntries(new URLSearchParams(stage.player.query)); // null: the default
  const left = LEFT.get(lesson);
  if (kernel === null && sigma !== null) LEFT.set(lesson, { at, sigma: Number(sigma) });
  else if (kernel !== "linear") LEFT.delete(lesson);
  stage.session.command("straight", kernel === "linear" && left?.at === at ? { sigma: left.sigma } : null);
}

/** While one presents no lesson, or its scene has no knobs, its keys say so. @param {Lesson} lesson */
export function sayKnobs({ open, stage }) {
  stage.say(
    stage.present.on && open
      ? "This scene names no numbers to turn."
      : "W presents: then G, T and K turn the knobs of a lesson.",
  );
}
