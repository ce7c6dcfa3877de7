// Record the stage as one plays it, to a file, in the browser alone.

const TYPES = [
  "video/mp4;codecs=avc1.640033",
  "video/mp4;codecs=avc1.640028",
  "video/mp4;codecs=avc1",
  "video/webm;codecs=vp9",
  "video/webm;codecs=vp8",
  "video/webm",
];
const FRAMES = 60; // per second, at most
const QUALITY = 0.13; // bits for each pixel and frame, at 60 frames
const [FEWEST, MOST] = [4e6, 40e6]; // bits per second
const SLICE = 1000; // ms
const ROOM = 84; // px that the light needs
const MISSING = "This browser cannot record the stage: a current Chrome, Edge, Firefox or Safari can.";
const EMPTY =
  "The recording is empty, so nothing was saved: record for longer, or in a current Chrome, Edge, Firefox or Safari.";

/** @import { Stage } from "../shell/stage.js" */

export class Recorder {
  /** @type {{ left: number, top: number, width: number, height: number } | null} */
  box = null; // of the canvas, while it is recorded
  /** @type {MediaRecorder | null} */
  #recorder = null;
  began = 0;
  /** @type {number | undefined} */
  timer;
  on = false;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.light = document.createElement("p");
    this.light.className = "recording";
    this.light.hidden = true;
    this.onLeave = (event) => event.preventDefault(); // asks: the recording would be lost
  }

  toggle() {
    if (this.on) this.end();
    else this.begin();
  }

  /** Say why the stage must stay as it is, if it must. */
  refuses() {
    if (this.on) this.stage.say("The stage keeps its shape while it is recorded: Shift W ends the recording.");
    return this.on;
  }

  begin() {
    const { stage } = this;
    if (typeof MediaRecorder === "undefined" || !stage.canvas.captureStream) return stage.say(MISSING);
    const type = TYPES.find((each) => MediaRecorder.isTypeSupported(each));
    if (!type) return stage.say(MISSING);
    const { width, height } = stage.canvas.getBoundingClientRect();
    const even = (length) => 2 * Math.floor(length / 2); // of a film; the stage as presented has it already
    // It stays while one records.
    this.box = stage.present.on
      ? { ...stage.present.box(), width, height }
      : { left: 0, top: 0, width: even(width), height: even(height) };
    stage.controls.menu(null);
    try {
      this.#open(type);
    } catch (error) {
      this.#close();
      return stage.say(`The recording could not begin (${error.message}).`);
    }
    this.#place();
    this.began = performance.now();
    this.light.hidden = false;
    this.timer = setInterval(() => this.#showTime(), 250);
    this.#showTime();
    window.addEventListener("beforeunload", this.onLeave);
    stage.arrange();
  }

  #open(type) {
    this.on = true; // the canvas gets its size and its ground first
    this.stage.arrange();
    this.stage.draw();
    const { canvas } = this.stage;
    const stream = canvas.captureStream(FRAMES);
    const parts = [];
    let early = "";
    const bits = Math.min(Math.max(QUALITY * FRAMES * canvas.width * canvas.height, FEWEST), MOST);
    const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: Math.round(bits) });
    recorder.ondataavailable = ({ data }) => data.size && parts.push(data);
    recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      this.#finish(parts, type.split(";")[0], early);
    };
    recorder.onerror = (event) => {
      const { error } = /** @type {ErrorEvent} */ (event);
      early = `The recording ended early (${error?.message ?? "unknown"}). `;
      this.end();
    };
    recorder.start(SLICE);
    this.#recorder = recorder;
  }

  end() {
    if (!this.on) return;
    const recorder = this.#recorder;
    this.#close();
    if (recorder && recorder.state !== "inactive") recorder.stop();
    this.stage.arrange();
  }

  /** The light shows where it covers nothing: in the bar's free room, or beside the counter; while presenting there is no bar. */
  #place() {
    const room = this.stage.controls.bar.querySelector(".space");
    (room.clientWidth >= ROOM ? room : this.stage.root).append(this.light);
  }

  #close() {
    this.on = false;
    this.#recorder = null;
    this.box = null;
    clearInterval(this.timer);
    this.light.hidden = true;
    window.removeEventListener("beforeunload", this.onLeave);
  }

  /** How long it lasts by now. */
  #showTime() {
    const gone = Math.floor((performance.now() - this.began) / 1000);
    this.light.textContent = `${Math.floor(gone / 60)}:${String(gone % 60).padStart(2, "0")}`;
  }

  #finish(parts, type, early) {
    if (!parts.length) return this.stage.say(early ? `${early}Nothing was saved.` : EMPTY);
    this.stage.say(`${early}Saved as ${this.#save(parts, type)}.`);
  }

  /** Save a film; returns the file's name. */
  #save(parts, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts, { type }));
    link.download = `kpviz-${this.stage.player.run.header.settings.file}.${type.endsWith("mp4") ? "mp4" : "webm"}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return link.download;
  }
}
