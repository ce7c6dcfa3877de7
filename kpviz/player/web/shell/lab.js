// Keeps the address of a page that has no player true to what it shows: the only writer there.

import { Link } from "../service/link.js";

const links = new WeakMap();

export default function mount({ data, parentElement }) {
  let link = links.get(parentElement);
  if (!link) {
    link = new Link();
    links.set(parentElement, link);
  }
  link.set(data.query);
  return () => {
    link.stop(); // the page is left: its address is another's now
    links.delete(parentElement);
  };
}
