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
