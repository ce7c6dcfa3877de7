// Turning the space of the lift, by dragging it or by keys; a double click turns it back.

/** @import { Stage } from "../page/stage.js" */
/** @import { Hit } from "../board/types.d.ts" */
/** @import { Mode } from "./types.d.ts" */

const PER_PX = 0.5; // Degrees.
const STILL = 3; // Pixels within which a press is a click.
const BY_KEY = 10; // Degrees.

/** Take hold of the space. @param {Stage} stage @param {Hit} hit @returns {Mode} */
export function spinning(stage, { px, py }) {
  const { lift } = stage.player;
  const { turn, tilt } = lift.now;
  let moved = false;
  return {
    name: "spin",
    holds: true,
    pointerShape: "grabbing",
    move(pointer) {
      const across = pointer.px - px;
      const down = pointer.py - py;
      moved ||= Math.hypot(across, down) > STILL;
      if (moved) lift.to([turn - PER_PX * across, tilt + PER_PX * down]);
    },
    end: () => moved || stage.pick(),
    reset: () => lift.to(null),
  };
}

/**
 * Turn by keys, a step to the right and up; by no step back to how it was at first.
 *
 * @type {(right: number, up: number) => (stage: Stage) => void}
 */
export const spins =
  (right, up) =>
  ({ player }) => {
    const { lift, run } = player;
    const { why } = run.header.extras.lift ?? { why: "It is not here." };
    if (!player.shows("lift") || why) return;
    const { turn, tilt } = lift.now;
    lift.to(right || up ? [turn + BY_KEY * right, tilt + BY_KEY * up] : null);
  };
