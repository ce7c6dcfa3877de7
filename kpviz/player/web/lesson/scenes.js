// Which scene of a lesson is shown, and which follows it, in words.

/** @import { Lesson } from "./lesson.js" */

export const PAGES = { lab: "kernel lab", fisher: "page of Fisher’s discriminant" };

/** Whether the scene is another page, which was not opened yet. @param {Lesson} lesson */
export const opensPage = ({ at, scene, visited }) => scene.link.page in PAGES && visited !== at && !scene.elsewhere;

/** What is said when a scene begins. @param {Lesson} pane */
export function announcement(pane) {
  const { at, lesson, scene } = pane;
  const opens = opensPage(pane) ? ` · PageDown opens the ${PAGES[scene.link.page]}` : "";
  return `${at + 1} of ${lesson.scenes.length}: ${scene.heading}${opens}`;
}

/** What comes after the last cue of the scene. @param {Lesson} pane */
export function following(pane) {
  const { at, lesson, scene } = pane;
  if (opensPage(pane)) return `PageDown opens the ${PAGES[scene.link.page]}.`;
  const next = lesson.scenes[at + 1];
  return next
    ? `Scene ${at + 2} of ${lesson.scenes.length}: ${next.heading}`
    : "No further scene: this is the last one.";
}
