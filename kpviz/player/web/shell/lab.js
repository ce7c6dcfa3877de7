// Streamlit calls this when it shows the kernel lab, and again after each of its runs; the chips stay mounted.

import { Link } from "../service/link.js";
import { LabHost } from "./lab_host.js";
import { Served } from "./serve.js";
import { addTypeface } from "./typeface.js";

/** @type {WeakMap<Element, Served>} */
const pages = new WeakMap();

function open(parentElement, data) {
  addTypeface();
  const served = new Served("lab", new Link(data.names));
  const root = parentElement.querySelector(".kpviz");
  served.start(new LabHost(root, served), root);
  return served;
}

export default function mount({ data, parentElement, setTriggerValue }) {
  if (!pages.has(parentElement)) pages.set(parentElement, open(parentElement, data));
  const served = pages.get(parentElement);
  served.streamlit.take(data, setTriggerValue);
  /** @type {LabHost} */ (served.host).update(data);
  return () => {
    pages.get(parentElement)?.stop();
    pages.delete(parentElement);
  };
}
