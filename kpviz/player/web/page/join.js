// The code to join, over the stage: phones that see it open what is shown.

import { make, put } from "./dom.js";
import { codeOf } from "./phone_code.js";

/** @import { Stage } from "./stage.js" */

export class Join {
  requestedAddress = "";

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.element = make("section", {
      className: "join",
      hidden: true,
      "aria-live": "polite",
      "aria-label": "Join",
    });
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
    const { player, session } = this.stage;
    const query = withoutCues(player.modes.ask("joined") ?? player.runQuery);
    const address = `${location.href.split(/[?#]/)[0]}?${query}`;
    this.requestedAddress = address;
    session.requests.ask("join", { link: session.state.link, join: { address } }, (_, header) => {
      if (this.requestedAddress !== address || !this.stage.player.bare) return;
      const { address: reachedAddress, rows, why } = header.join;
      if (why) {
        this.stage.notice({ kind: "hint", words: why.replaceAll("`", "") });
        return;
      }
      this.element.replaceChildren(
        make("div", {}, codeOf(rows)),
        make("p", {}, reachedAddress.replace(/^https?:\/\//, "")),
      );
      put(this.element, { hidden: false });
    });
  }
}

/**
 * A link without the words of the lecture, which make a code too fine for a phone.
 *
 * @param {string} query
 */
const withoutCues = (query) =>
  query
    .split("&")
    .filter((part) => !part.startsWith("cues="))
    .join("&");
