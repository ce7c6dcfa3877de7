// The page that plays itself: the run is in the page, and nobody is asked for anything. kpviz/export/page.py writes it.

import { Means } from "./means.js";
import { Stage } from "./stage.js";

const TOO_OLD = "This browser is too old for this page: update it, or open the page in another one.";
const AT_END = 4; // seconds before it begins anew

/** A stage that goes on by itself: it holds at a cue for its seconds, and may begin anew after the end. */
class Alone extends Stage {
  holds = {}; // seconds by instant
  loop = false;
  ended = false; // it waits at the end before it begins anew

  /** Playing has come to a cue: it goes on after its seconds, or when somebody pauses and plays. */
  hold({ t }) {
    this.clock.hold(1000 * (this.holds[t] ?? 0));
  }

  /** What playing does next; in a loop the end is not the last. */
  beat() {
    if (!this.loop || this.t < this.cast.end) return super.beat();
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

  /** Begin to play when one sees it: a page in a frame may be far below. */
  playWhenSeen() {
    const seeing = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seeing.disconnect();
      if (this.clock.playing) return;
      const { t } = this;
      this.toggle();
      if (t === 0) this.begin();
    });
    seeing.observe(this.root);
  }
}

/**
 * Show a run in `root`. `run`: the bytes that the app would send, compressed, in base64; `panels`: those that can be shown; `address`: the app's,
 * or null; `holds`: seconds by instant; `speed`: steps per second, or null for the usual one.
 */
export default async function start(root, { run, panels, address, holds, autoplay, loop, speed }) {
  const stage = new Alone(root, new Means({ server: false, panels, address }));
  Object.assign(stage, { holds, loop });
  if (!("DecompressionStream" in window)) {
    stage.controls.status(TOO_OLD, { stays: true });
    return;
  }
  try {
    const bytes = await inflated(run);
    const show = () => stage.update(bytes, null);
    show();
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
    if (speed !== null) stage.clock.speed = speed;
    if (autoplay && !stage.still.matches) stage.playWhenSeen();
  } catch (error) {
    stage.fail(error);
  }
}

async function inflated(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
