// Streamlit calls this for every new payload of Fisher's page; the board stays mounted.

import { addTypeface } from "../shell/typeface.js";
import { FisherStage } from "./stage.js";

const stages = new WeakMap();

export default function mount({ data, parentElement, setTriggerValue }) {
  let stage = stages.get(parentElement);
  if (!stage) {
    addTypeface();
    stage = new FisherStage(parentElement.querySelector(".kpviz"));
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
