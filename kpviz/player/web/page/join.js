// The code to join, over the stage: phones that see it open what is shown.

import { make, put } from "./dom.js";
import { codeOf } from "./phone_code.js";

/** @import { Stage } from "./stage.js" */

const LONGEST_TYPED = 120; // In characters: nobody types a longer address.

export class Join {
  requestedAddress = "";
  address = ""; // What the code says.

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
    const page = location.href.split(/[?#]/)[0];
    const address = `${page}?${withoutCues(player.runQuery)}`;
    this.requestedAddress = address;
    const scene = player.modes.ask("joined") ?? {};
    const step = Math.floor(player.t);
    const request = { link: session.state.link, join: { address, step, ...scene } };
    session.requests.ask("join", request, (_, header) => {
      if (this.requestedAddress !== address || !this.stage.player.bare) return;
      if (!header.join) {
        this.stage.notice({ kind: "hint", words: header.failed });
        return;
      }
      const { address: reachedAddress, rows, why, said } = header.join;
      if (why) {
        this.stage.notice({ kind: "hint", words: [said, why].join(" ").replaceAll("`", "") });
        return;
      }
      this.address = reachedAddress;
      const typed = reachedAddress.replace(/^https?:\/\//, "");
      this.element.replaceChildren(
        make("div", {}, codeOf(rows)),
        ...(typed.length > LONGEST_TYPED ? [] : [make("p", {}, typed)]),
        ...(said ? [make("p", { className: "said" }, said)] : []),
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
