// Why what was typed cannot be used, with a mark under the wrong character.

import { make } from "../shell/dom.js";

/** @import { Draft } from "./types.d.ts" */

const BEFORE = 20; // characters that are seen before the wrong one

export class Wrong {
  constructor() {
    this.why = make(document, "p", { className: "wrong", role: "alert" });
    this.place = make(document, "pre", { className: "place", "aria-hidden": "true" });
    this.elements = [this.why, this.place];
    this.show(null);
  }

  get shown() {
    return !this.why.hidden;
  }

  /** @param {Draft | null} draft */
  show(draft) {
    const at = draft?.at ?? null;
    const from = Math.max((at ?? 0) - BEFORE, 0);
    const place = at === null ? "" : `${draft.text.slice(from)}\n${" ".repeat(at - from)}^`;
    if (this.why.textContent !== (draft?.why ?? "")) this.why.textContent = draft?.why ?? "";
    this.place.textContent = place;
    this.why.hidden = !draft;
    this.place.hidden = !place;
  }
}
