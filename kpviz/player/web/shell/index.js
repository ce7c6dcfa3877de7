// Streamlit calls this when it shows the page, and again after each of its runs; the stage stays mounted.

import { Lesson } from "../lesson/lesson.js";
import { Lessons } from "../service/lessons.js";
import { Link } from "../service/link.js";
import { Served } from "./serve.js";
import { settingsOf } from "./settings.js";
import { Stage } from "./stage.js";
import { addTypeface } from "./typeface.js";

/** @type {WeakMap<Element, Served>} */
const pages = new WeakMap();

function open(parentElement) {
  addTypeface();
  const served = new Served("play", new Link(["lesson", "scene"], { keeps: true }));
  const parts = { settings: settingsOf, lessons: (stage) => new Lesson(stage, new Lessons(stage)) };
  served.start(new Stage(parentElement.querySelector(".kpviz"), { ...served, ...parts }));
  return served;
}

export default function mount({ data, parentElement, setTriggerValue }) {
  if (!pages.has(parentElement)) pages.set(parentElement, open(parentElement));
  pages.get(parentElement).take(data, setTriggerValue);
  return () => {
    pages.get(parentElement)?.stop();
    pages.delete(parentElement);
  };
}
