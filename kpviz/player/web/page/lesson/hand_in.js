// What a student hands in at the end of a lesson: who it is, and a file of all answers.

import { make, pressable } from "../dom.js";
import { FORMATS } from "../../service/formats.js";

/** @import { LessonProgress } from "./progress.js" */
/** @import { LessonSource, PlainLesson } from "../../modes/types.d.ts" */

/**
 * The fields for a student's name, which `student` keeps, and the button that saves the file.
 *
 * @param {LessonSource} source
 * @param {PlainLesson} lesson
 * @param {LessonProgress} progress
 * @param {{ name: string, id: string }} student
 */
export function handIn(source, lesson, progress, student) {
  const name = make("input", {
    required: true,
    pattern: ".*\\S.*",
    maxLength: 100,
    value: student.name,
  });
  const id = make("input", { maxLength: 100, value: student.id });
  name.oninput = () => (student.name = name.value);
  id.oninput = () => (student.id = id.value);
  const save = pressable("Save my results", () => {
    if (name.reportValidity()) saveResults(source, lesson, progress, student);
  });
  return make(
    "div",
    { className: "hand-in" },
    make("p", {}, make("label", {}, "Your name ", name)),
    make("p", {}, make("label", {}, "ID, if your teacher wants one ", id)),
    make("p", {}, save, make("small", {}, "A file for your teacher, with your answers and tries.")),
  );
}

/**
 * What a student hands in: a file with answers, tries, times and links, which a teacher's kpviz
 * computes again.
 *
 * @param {LessonSource} source
 * @param {PlainLesson} lesson
 * @param {LessonProgress} progress
 * @param {{ name: string, id: string }} who what was asked for
 */
function saveResults(source, lesson, progress, who) {
  const student = who.name.trim();
  const id = who.id.trim();
  const name = "name" in source ? source.name : lesson.title;
  const tasks = Object.entries(progress.tasks).map(([place, done]) => {
    const [scene, task] = place.split(".").map(Number);
    return { scene: scene + 1, task: task + 1, ...done };
  });
  const results = {
    kpviz: "results",
    version: FORMATS.results,
    lesson: name,
    title: lesson.title,
    student,
    ...(id && { id }),
    tasks,
  };
  const text = JSON.stringify(results, null, 2);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const download = `${`${student} ${name}`.replace(/[^\p{L}\p{N}-]+/gu, "-")}.results.json`;
  const link = make("a", { href: url, download });
  link.click();
  URL.revokeObjectURL(url);
}
