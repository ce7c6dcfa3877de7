// What a page without Python cannot do: where it can be done.

import { make } from "../shell/dom.js";

/** @import { Elsewhere } from "../types.d.ts" */

/**
 * @param {string} what needs kpviz
 * @param {Elsewhere} elsewhere
 */
export function elsewhereOf(what, { address, command }) {
  const open = address
    ? make(document, "a", { href: address, target: "_blank", rel: "noopener noreferrer" }, "open it there")
    : make(document, "code", {}, command);
  return make(document, "p", { className: "elsewhere" }, `${what} needs kpviz: `, open, address ? "." : " opens it.");
}
