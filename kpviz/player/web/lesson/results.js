// What a student hands in: a file with answers, tries, times and links, which a teacher's kpviz computes again.

import { make } from "../shell/dom.js";

/** @import { Progress } from "./progress.js" */
/** @import { LessonSource, PlainLesson } from "../types.d.ts" */

/**
 * @param {LessonSource} source
 * @param {PlainLesson} lesson
 * @param {Progress} progress
 */
export function saveResults(source, lesson, progress) {
  const name = "name" in source ? source.name : lesson.title;
  const tasks = Object.entries(progress.tasks).map(([place, done]) => {
    const [scene, task] = place.split(".").map(Number);
    return { scene: scene + 1, task: task + 1, ...done };
  });
  const text = JSON.stringify({ kpviz: "results", version: 1, lesson: name, title: lesson.title, tasks }, null, 2);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = make(document, "a", { href: url, download: `${name.replace(/[^\p{L}\p{N}-]+/gu, "-")}.results.json` });
  link.click();
  URL.revokeObjectURL(url);
}

const VERB = "http://adlnet.gov/expapi/verbs/";

/**
 * Tell the page round this one, such as that of a course system, how far the student is: a statement of xAPI, without the
 * name of anybody.
 *
 * @param {LessonSource} source
 * @param {PlainLesson} lesson
 * @param {Progress} progress
 */
export function tellScore(source, lesson, progress) {
  if (window.parent === window) return;
  const graded = lesson.scenes.flatMap(({ tasks }, scene) =>
    tasks.flatMap(({ kind, elsewhere }, task) => (kind === "explain" || elsewhere ? [] : [progress.of(scene, task)])),
  );
  const raw = graded.filter(({ right }) => right).length;
  const all = graded.length;
  const done = raw === all;
  const statement = {
    verb: { id: `${VERB}${done ? "completed" : "progressed"}` },
    object: {
      id: `urn:kpviz:${encodeURIComponent("name" in source ? source.name : lesson.title)}`,
      definition: { name: { [lesson.language]: lesson.title } },
    },
    result: { score: { raw, min: 0, max: all, scaled: all ? raw / all : 0 }, completion: done },
  };
  window.parent.postMessage({ kpviz: "score", statement }, "*");
}
