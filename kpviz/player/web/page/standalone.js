// The page that plays itself: the run is in the page, and nobody is asked for anything.
// kpviz/export/page/page.py writes it.

import { Capabilities } from "../board/player.js";
import { Cursor } from "../board/cursor.js";
import { make, put } from "./dom.js";
import { default as tellHeight } from "./framed.js";
import { Stage } from "./stage.js";
import { followTheme } from "./theme.js";
import { unzipped } from "../service/compressed.js";

/**
 * What the slider of a page is called, which run it shows first, and all.
 *
 * @typedef {{ name: string, at: number, runs: { value: string, run: string, holds: Record<string,
 *   number> }[] }} Varied
 */
/** @import { PlacedCue } from "../run/types.d.ts" */

const TOO_OLD =
  "This browser is too old for this page: update it, or open the page in another one.";
const AT_END = 4; // In seconds, before it begins again.

/**
 * A cursor that goes on by itself: it holds at a cue for its seconds, and may begin anew after the
 * end.
 */
class LoopingCursor extends Cursor {
  /** @type {Record<string, number>} */
  holds = {}; // In seconds, by instant.
  loop = false;
  ended = false; // It waits at the end before it begins again.

  /**
   * Playing has come to a cue: it goes on after its seconds, or when somebody pauses and plays.
   *
   * @param {PlacedCue} cue
   */
  hold({ t }) {
    this.clock.hold(1000 * (this.holds[t] ?? 0));
  }

  /** What playing does next; in a loop the end is not the last. */
  beat() {
    if (!this.loop || this.t < this.runs.end) return super.beat();
    if (this.ended) this.begin();
    else {
      this.ended = true;
      this.clock.hold(1000 * AT_END);
    }
    return false;
  }

  /** Whoever goes elsewhere meanwhile comes to the end anew. */
  put(t) {
    this.ended = false;
    super.put(t);
  }

  /** Be at the start, and hold there if it has a cue. */
  begin() {
    this.put(0);
    const cue = this.cues.at(0);
    if (cue) this.hold(cue);
  }
}

/**
 * Begin to play when one sees it: a page in a frame may be far below.
 *
 * @param {LoopingCursor} cursor
 * @param {Element} root
 */
function playWhenSeen(cursor, root) {
  const seeing = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    seeing.disconnect();
    if (cursor.clock.playing) return;
    const { t } = cursor;
    cursor.toggle();
    if (t === 0) cursor.begin();
  });
  seeing.observe(root);
}

/**
 * A slider of one number above the board: each of its values has its run in the page.
 *
 * @param {Stage} stage
 * @param {Varied} varied
 */
function vary(stage, { name, at, runs }) {
  const range = make("input", { type: "range", max: runs.length - 1, value: at, id: "vary" });
  const value = make("output", { htmlFor: "vary" });
  const turn = async () => {
    const k = Number(range.value);
    put(range, { "aria-valuetext": `${name} = ${runs[k].value}` });
    value.textContent = runs[k].value;
    const bytes = await unzipped(runs[k].run);
    if (k !== Number(range.value)) return; // It was turned on meanwhile.
    Object.assign(stage.player.cursor, { holds: runs[k].holds });
    stage.update(bytes);
  };
  range.addEventListener("input", () => turn().catch((error) => stage.fail(error)));
  const label = make("label", { htmlFor: "vary" }, name);
  const heading =
    document.querySelector("header") ??
    document.body.insertBefore(make("header"), document.body.firstChild);
  heading.append(make("span", { className: "varied" }, label, range, value));
  return turn();
}

/**
 * Show a run in `root`.
 *
 * @param {HTMLElement} root
 * @param {object} options
 * @param {string} options.run the bytes that the app would send, compressed, in base64
 * @param {Varied | null} [options.vary] the runs of other values of a number
 * @param {string[]} options.panels those that can be shown
 * @param {string | null} options.address the app's
 * @param {Record<string, number>} options.holds seconds by instant
 * @param {boolean} options.autoplay
 * @param {boolean} options.loop
 * @param {number | null} options.speed steps per second; null: the default
 */
export default async function start(
  root,
  { run, vary: varied = null, panels, address, holds, autoplay, loop, speed },
) {
  const capabilities = new Capabilities({ server: false, panels, address });
  const stage = new Stage(root, { capabilities, CursorClass: LoopingCursor });
  const cursor = /** @type {LoopingCursor} */ (stage.player.cursor);
  Object.assign(cursor, { holds, loop });
  if (!("DecompressionStream" in window)) {
    stage.say(TOO_OLD, { persist: true });
    return;
  }
  try {
    followTheme(stage);
    tellHeight();
    if (varied) await vary(stage, varied);
    else stage.update(await unzipped(run));
    if (speed !== null) cursor.clock.speed = speed;
    if (autoplay && !cursor.reducedMotion) playWhenSeen(cursor, root);
  } catch (error) {
    stage.fail(error);
  }
}
