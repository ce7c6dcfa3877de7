// Streamlit calls this when it shows Fisher's page, and again after each of its runs; the board stays mounted.

import { FisherHost } from "./host.js";
import { Served } from "../shell/serve.js";
import { addTypeface } from "../shell/typeface.js";
import { FisherStage } from "./stage.js";

/** @type {WeakMap<Element, Served>} */
const pages = new WeakMap();

function open(parentElement) {
  addTypeface();
  const served = new Served("fisher");
  const root = parentElement.querySelector(".kpviz");
  served.start(new FisherHost(new FisherStage(root, served), served.streamlit), root);
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
