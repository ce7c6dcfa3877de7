// Streamlit calls this for every new payload; the stage stays mounted.

import { Stage } from "./stage.js";
import { addTypeface } from "./typeface.js";

const stages = new WeakMap();

export default function mount({ data, parentElement, setTriggerValue }) {
  let stage = stages.get(parentElement);
  if (!stage) {
    addTypeface();
    stage = new Stage(parentElement.querySelector(".kpviz"));
    stages.set(parentElement, stage);
  }
  try {
    stage.update(data, (name, value) => setTriggerValue(name, value));
  } catch (error) {
    stage.fail(error);
  }
  return () => {
    stages.get(parentElement)?.stop();
    stages.delete(parentElement);
  };
}
