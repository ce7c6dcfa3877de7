// The code to join, over the stage: phones that see it open what is shown.

import { make, put } from "../shell/dom.js";

const QUIET = 4; // squares of paper round the code, without which phones do not find it

/** @import { Stage } from "../shell/stage.js" */

export class Join {
  asked = ""; // the address for which it was asked

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.element = make("section", { className: "join", hidden: true, "aria-live": "polite", "aria-label": "Join" });
    stage.root.append(this.element);
  }

  get on() {
    return !this.element.hidden;
  }

  close() {
    put(this.element, { hidden: true });
  }

  toggle() {
    if (this.on) this.close();
    else this.#open();
  }

  #open() {
    const { lesson, player, session } = this.stage;
    const query = withoutCues(lesson?.joined ?? player.query.replace(/&stage=\w+/, ""));
    const address = `${location.href.split(/[?#]/)[0]}?${query}`;
    this.asked = address;
    session.requests.ask("join", { link: session.state.link, join: { address } }, (_, header) => {
      if (this.asked !== address || !this.stage.present.on) return;
      const { address: found, rows, why } = header.join;
      if (why) {
        this.stage.notice({ kind: "hint", words: why.replaceAll("`", "") });
        return;
      }
      this.element.replaceChildren(codeOf(rows), make("p", {}, found.replace(/^https?:\/\//, "")));
      put(this.element, { hidden: false });
    });
  }
}

/** A link without the words of the lecture, which make a code too fine for a phone. @param {string} query */
const withoutCues = (query) =>
  query
    .split("&")
    .filter((part) => !part.startsWith("cues="))
    .join("&");

/** The code as a picture. @param {string[]} rows */
function codeOf(rows) {
  const side = rows.length + 2 * QUIET;
  const squares = rows.flatMap((row, y) =>
    [...row].map((each, x) => (each === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")),
  );
  const path = `<path d="${squares.join("")}"/>`;
  return make("div", { innerHTML: `<svg viewBox="0 0 ${side} ${side}" role="img" aria-label="QR code">${path}</svg>` });
}
