// What the tasks of a scene need of the pane and the stage beside it.

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
  const isShown = ({ query, t }) => {
    const { run } = player;
    if (pane.announced.on) return false;
    return run !== null && query === run.header.settings.query && (t === null || t === player.t);
  };
  return {
    progress,
    check: (task, take) => lessons.check(source, task, take),
    show,
    go,
    link: () => lessons.link,
    isShown,
    reach: (link) => isShown({ ...link, t: null }) && player.cursor.reach(link.t),
    example: (step) => {
      const { run } = player;
      return step <= run.nSteps ? run.trace.index[step - 1] : null;
    },
    changed: () => {
      if (pane.lesson === lesson) done();
      stage.redraw(); // what it asked may be seen now
    },
  };
}

/** How far one may go before what is asked of this run is answered; null where nothing is. @param {Lesson} pane */
export function furthest({ open, forms, stage: { player } }) {
  const asking = open && !player.presenting ? forms.filter((form) => form.asksAhead) : [];
  return asking.length ? Math.min(...asking.map(({ upTo }) => upTo).filter((upTo) => upTo >= player.t)) : null;
}

/** Whether the run is that of the scene, and not one to which knobs or the settings were turned. @param {Lesson} pane */
export function showsScene({ arriving, open, scene, stage: { player } }) {
  if (!open || arriving || !scene.link.query) return true;
  return settingsOf(scene.link.query) === settingsOf(player.run.header.settings.query);
}

/** What a link sets of the run, without cues and pinned models. */
const settingsOf = (query) =>
  [...new URLSearchParams(query)]
    .filter(([name]) => !/^(cues|compare|pins|p[0-9]+[.].*)$/.test(name))
    .map((pair) => pair.join("="))
    .sort()
    .join("&");
