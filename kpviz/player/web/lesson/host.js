// What the tasks of a scene need of the pane and the stage beside it.

import { tellScore } from "./results.js";

/** @import { Lesson } from "./lesson.js" */
/** @import { TaskHost } from "./tasks.js" */

/**
 * @param {Lesson} pane
 * @param {Pick<TaskHost, "show" | "go"> & { done: () => void }} acts `done`: more or less of the lesson is
 * @returns {TaskHost}
 */
export function hostOf(pane, { show, go, done }) {
  const { lesson, lessons, progress, source, stage } = pane; // another one may be open when an answer was checked
  const { player } = stage;
  return {
    progress,
    check: (task, take) => lessons.check(source, task, progress, take),
    show,
    go,
    link: () => lessons.link,
    isShown: ({ query, t }) => {
      const { run } = player;
      if (pane.announced.on) return false;
      return run !== null && query === run.header.settings.query && (t === null || t === player.t);
    },
    example: (step) => {
      const { run } = player;
      return step <= run.nSteps ? run.trace.index[step - 1] : null;
    },
    changed: () => {
      if (pane.lesson === lesson) done();
      stage.redraw(); // what it asked may be seen now
      tellScore(source, lesson, progress);
    },
  };
}
