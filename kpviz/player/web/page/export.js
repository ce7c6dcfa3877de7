// The dialog Export: the run as files, the page that plays itself, the link; of an open lesson its
// sheets and slides. Python makes each file when it is wanted.

import { Dialog } from "./dialog.js";
import { copyText, make, pressable, put } from "./dom.js";
import { codeOf } from "./phone_code.js";
import { Working } from "./working.js";
import { unpack } from "../run/payload.js";
import { inflated } from "../service/compressed.js";

/** @import { Stage } from "./stage.js" */
/** @import { LessonSource } from "../modes/types.d.ts" */
/** @import { FileWanted, PageState, SavedFile } from "../service/types.d.ts" */

/**
 * What the dialog is about: the instant at which it was opened.
 * @typedef {object} Shown
 * @property {number} t
 * @property {string} shown the address of what is shown
 * @property {PageState} state
 * @property {string} stem of the names of files
 * @property {boolean} plane whether the examples are points
 * @property {string} elsewhere what the link does not hold, "" where it holds all
 * @property {boolean} cues whether there are any
 * @property {boolean} pinned whether there are other runs beside
 * @property {{ source: LessonSource, title: string, solved: boolean } | null} handout the lesson
 *   that is open
 */

const KIND = "file"; // The kind of its questions.
const SAVING_TIME = 10_000; // In ms: a browser has so much time to save a file.
const DATA = /^(\w+ = np\.array\(\[)\n(?: .*\n)+\]/gm; // Data in a script have many lines.
const MORE = {
  copied: "Copied.",
  notCopied: "This browser does not allow it: select the text, and copy it.",
};

/**
 * Save a file as if it were downloaded.
 *
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} mime
 */
function save(name, content, mime) {
  const url = URL.createObjectURL(new Blob([content], { type: mime }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), SAVING_TIME);
}

const section = (title, words, ...children) =>
  make("section", {}, make("h3", {}, title), make("p", {}, words), ...children);
const row = (...children) => make("div", { className: "row" }, ...children);

/** A choice of one. @returns {{ element: HTMLElement, value: () => string }} */
function choice(legend, name, values) {
  const inputs = Object.keys(values).map((value, k) =>
    make("input", { type: "radio", name, value, checked: k === 0 }),
  );
  const labels = inputs.map((input) => make("label", {}, input, values[input.value]));
  return {
    element: make("fieldset", {}, make("legend", {}, legend), ...labels),
    value: () => inputs.find(({ checked }) => checked).value,
  };
}

export class Export {
  /** @type {Shown | null} */
  snapshot = null;
  part = ""; // The name of the part in front.
  script = ""; // The script of the run, once it is here.
  unscripted = false; // The script could not be made.

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.dialog = new Dialog(stage.root, "Export", "export");
    this.tabs = make("div", {
      className: "parts",
      role: "tablist",
      "aria-label": "What to export",
    });
    this.tabs.addEventListener("keydown", (event) => this.#walk(event));
    this.body = make("div", { className: "part", role: "tabpanel", id: "export-part" });
    this.status = make("p", { className: "told", role: "status" });
    const pictures = pressable("Image or video …", () => this.#leave(), {
      title: "A picture or a film of it (I)",
    });
    this.foot = make("div", { className: "foot" }, this.status, pictures);
    this.dialog.content.append(this.tabs, this.body, this.foot);
    this.working = new Working(this.foot, () => this.#cancel(), "making");
    this.dialog.whenClosed = () => this.#cancel();
  }

  get open() {
    return this.dialog.open;
  }

  /** Offer what is shown now. */
  show() {
    const { player, session, answer } = this.stage;
    const { run } = player;
    const handout = player.modes.ask("handout");
    this.snapshot = {
      t: player.t,
      shown: player.query,
      state: session.state,
      stem: answer.stem,
      plane: run.plane,
      elsewhere: run.header.settings.elsewhere,
      cues: player.cues.list.length > 0,
      pinned: player.runs.pinned.length > 0,
      handout,
    };
    Object.assign(this, { script: "", unscripted: false });
    this.#tell("");
    const parts = this.#parts();
    const names = Object.keys(parts);
    this.tabs.replaceChildren(
      ...names.map((name) =>
        pressable(parts[name].title, () => this.#turnTo(name), {
          role: "tab",
          id: `export-${name}`,
          "aria-controls": "export-part",
          "data-part": name,
        }),
      ),
    );
    this.#turnTo(handout ? "lesson" : names.includes(this.part) ? this.part : "code");
    this.dialog.show(this.tabs.querySelector("[aria-selected=true]"));
  }

  /** @returns {Record<string, { title: string, content: () => HTMLElement[] }>} */
  #parts() {
    return {
      ...(this.snapshot.handout && { lesson: { title: "Lesson", content: () => this.#lesson() } }),
      code: { title: "Code", content: () => this.#code() },
      tables: { title: "Tables and settings", content: () => this.#tables() },
      paper: { title: "Worksheet", content: () => this.#paper() },
      page: { title: "Web page", content: () => this.#page() },
      link: { title: "Link", content: () => this.#link() },
    };
  }

  /** Bring a part to the front. */
  #turnTo(name) {
    this.part = name;
    for (const tab of /** @type {NodeListOf<HTMLElement>} */ (
      this.tabs.querySelectorAll("[role=tab]")
    )) {
      const isInFront = tab.dataset.part === name;
      put(tab, { "aria-selected": isInFront, tabIndex: isInFront ? 0 : -1 });
    }
    put(this.body, { "aria-labelledby": `export-${name}` });
    this.#tell("");
    this.body.replaceChildren(...this.#parts()[name].content());
    this.body.scrollTop = 0;
    if (name === "code") this.#preview();
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    const tabs = /** @type {HTMLElement[]} */ ([...this.tabs.children]);
    const at = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
    const last = tabs.length - 1;
    const to = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at > 0 ? at - 1 : last,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#turnTo(tabs[to].dataset.part);
    tabs[to].focus();
  }

  // ---- the parts -------------------------------------------------------------------------------

  #code() {
    this.preview = make(
      "pre",
      { tabIndex: 0, ariaLabel: "The script, without its data", hidden: true },
      make("code"),
    );
    const copy = pressable("Copy", () => this.#copy(this.script), {
      disabled: !this.script,
      title: "Copy the script",
    });
    this.copyScript = copy;
    return [
      section(
        "Python",
        "The same run as a script. It needs numpy.",
        row(this.#file("script", { ending: "numpy.py" }), copy),
        this.preview,
      ),
      section(
        "Notebook",
        "The same run in a Jupyter notebook, cell by cell, with a picture. It needs numpy and matplotlib.",
        row(this.#file("notebook", { ending: "ipynb" })),
      ),
    ];
  }

  #tables() {
    const { plane, stem } = this.snapshot;
    const examples = plane
      ? "In their own units and in this order; those held out come last."
      : "Each as a text, or its bits, and the class. What kpviz opens again are the settings: it reads tables of points only.";
    const command = `kpviz train ${stem}.settings.json -o run.csv`;
    return [
      section(
        "The run",
        "A row for each step: epoch, example, y, f, margin, mistake, alpha, in full precision.",
        row(
          this.#file("run as CSV", { ending: "run.csv" }),
          this.#file("run as JSON", { ending: "run.json" }),
        ),
      ),
      section(
        "The examples",
        examples,
        row(this.#file("examples as CSV", { ending: "examples.csv" })),
      ),
      section(
        "The settings",
        "With drawn points and the rows of a file. Drop them on the board to open them, or train with them:",
        this.#copyable(command),
        row(this.#file("settings as JSON", { ending: "settings.json" })),
      ),
    ];
  }

  #paper() {
    return [
      section(
        "For a class, on paper",
        "The examples, the rule, the next steps with blanks and room to draw the boundary; and the same with the blanks filled in.",
        row(
          this.#file("worksheet", { ending: "worksheet.pdf" }),
          this.#file("solutions", { ending: "solutions.pdf" }),
        ),
      ),
    ];
  }

  #page() {
    const { stem, t, cues, pinned } = this.snapshot;
    const theme = choice("Theme", "theme", {
      auto: "as the reader has it",
      light: "light",
      dark: "dark",
    });
    const opens = choice("Opens at", "opens", { start: "the start", here: "this step" });
    const autoplay = make("input", { type: "checkbox", checked: true });
    const loop = make("input", { type: "checkbox" });
    autoplay.addEventListener("change", () => put(loop, { disabled: !autoplay.checked }));
    const pageFile = () => ({
      ending: "html",
      theme: theme.value(),
      t: opens.value() === "here" ? t : 0,
      autoplay: autoplay.checked,
      loop: loop.checked,
    });
    const words = [
      "It opens with the panels that you see now; settings cannot be changed in it.",
      ...(cues
        ? ["At each cue it holds for the seconds that the cue says. Your notes are not in it."]
        : []),
      ...(pinned ? ["The pinned runs are in it too."] : []),
    ];
    return [
      section(
        "One file that plays this run",
        "With the player in it, without server and network. Open it from disk, send it by mail, or show it in slides and on course sites.",
        theme.element,
        opens.element,
        row(
          make("label", {}, autoplay, "Plays by itself"),
          make("label", {}, loop, "Starts over at the end"),
        ),
        row(this.#file("page", pageFile, true)),
        make("p", {}, words.join(" ")),
      ),
      section(
        "In a page of yours",
        "As a frame, with the file beside it:",
        this.#copyable(frameOf(`${stem}.html`)),
      ),
    ];
  }

  /** The address of the board, without what it shows. */
  get #board() {
    return this.stage.player.capabilities.address ?? location.href.split(/[?#]/)[0];
  }

  #link() {
    const { elsewhere, shown, state } = this.snapshot;
    const address = `${this.#board}?${shown}`;
    const parts = [
      section("Link", "It opens what is shown, at this step.", this.#copyable(address)),
    ];
    if (elsewhere) {
      const words = `${elsewhere}: for another computer, save the settings as a file, which the board opens again when it is dropped there.`;
      parts[0].append(make("p", { className: "warning" }, words));
    }
    const frame = this.#copyable(frameOf(address));
    const code = make("div", { className: "code" });
    this.stage.session.requests.ask(
      "join",
      { link: state.link, join: { address } },
      (_, { join, failed }) => {
        if (this.part !== "link" || !code.isConnected) return;
        if (!join) {
          code.replaceChildren(make("p", {}, failed));
          return;
        }
        const { address: reached, rows, why } = join;
        parts[0].querySelector("code").textContent = reached;
        frame.querySelector("code").textContent = frameOf(reached);
        if (why) code.replaceChildren(make("p", {}, why.replaceAll("`", "")));
        else {
          code.replaceChildren(
            codeOf(rows),
            make("p", {}, "Point a phone at it to open this instant."),
          );
        }
      },
    );
    return [
      ...parts,
      section("In a page of yours", "As a frame:", frame),
      section("On a phone", "", code),
    ];
  }

  #lesson() {
    const { source, title, solved } = this.snapshot.handout;
    const theme = choice("Theme of the slides", "slides", { light: "light", dark: "dark" });
    const fileOf = (ending) => () => ({
      ending,
      lesson: source,
      theme: ending === "slides.zip" ? theme.value() : "auto",
    });
    const file = (words, ending) => this.#file(words, fileOf(ending));
    return [
      section(
        title,
        "All of it, on paper or as one page to be read and answered without a server and network.",
        row(
          file("handout", "handout.pdf"),
          ...(solved ? [file("solutions", "solutions.pdf"), file("page", "page.html")] : []),
        ),
        ...(solved
          ? []
          : [
              make(
                "p",
                {},
                "For the solutions and the web page, open the lesson’s own file: drop it on the board.",
              ),
            ]),
      ),
      section(
        "Slides",
        "Words and pictures of each scene.",
        theme.element,
        row(file("slides", "slides.zip")),
      ),
      section(
        "Film",
        "Each scene is a chapter, and captions come with it: under Image or video.",
        row(),
      ),
    ];
  }

  // ---- files -----------------------------------------------------------------------------------

  /** A button that saves a file. @param {FileWanted | (() => FileWanted)} file */
  #file(words, file, isMain = false) {
    const press = () => this.#save(typeof file === "function" ? file() : file);
    return pressable(`Download ${words}`, press, isMain ? { className: "main" } : {});
  }

  /** A text with a button that copies it. @param {string} text */
  #copyable(text) {
    const code = make("code", {}, text);
    const copy = pressable("Copy", () => this.#copy(code.textContent));
    return make("div", { className: "copyable" }, code, copy);
  }

  async #copy(text) {
    const done = await copyText(text, this.body);
    this.#tell(done ? MORE.copied : MORE.notCopied);
  }

  /**
   * Ask for a file.
   *
   * @param {FileWanted} file
   * @param {(file: SavedFile, content: ArrayBufferView) => void} take
   * @param {(why: string) => void} [refuse]
   */
  #ask(file, take, refuse = (why) => this.#tell(why)) {
    const { shown, t, state } = this.snapshot;
    const address = this.#board;
    const question = { ...state, file: { t, shown, address, ...file } };
    this.working.show(null);
    this.stage.session.requests.ask(
      KIND,
      question,
      async (bytes, { failed, file }) => {
        this.working.show(null);
        if (failed) refuse(failed);
        else {
          const { content } = unpack(bytes).arrays;
          take(file, await inflated(/** @type {Uint8Array<ArrayBuffer>} */ (content)));
        }
      },
      (progress) => this.working.show(progress, "lesson" in file ? "scenes" : "steps"),
    );
  }

  /** Have a file made, and save it. @param {FileWanted} file */
  #save(file) {
    this.#tell("Working …");
    this.#ask(file, ({ name, mime, missing }, content) => {
      save(name, /** @type {BlobPart} */ (content), mime);
      const lacks = missing.length ? ` What cannot be shown: ${missing.join("; ")}.` : "";
      this.#tell(`Saved ${name}.${lacks}`);
      this.#preview(); // What was asked before was given up.
    });
  }

  /** Show the script, but for its data. */
  #preview() {
    if (this.part !== "code" || this.unscripted) return;
    const show = () => {
      this.preview.firstElementChild.textContent = this.script.replace(DATA, "$1 … ]");
      put(this.preview, { hidden: false });
      put(this.copyScript, { disabled: false });
    };
    const refuse = (why) => {
      this.unscripted = true;
      this.#tell(why);
    };
    const take = (_, content) => {
      this.script = new TextDecoder().decode(content);
      if (this.part === "code") show();
    };
    if (this.script) show();
    else this.#ask({ ending: "numpy.py" }, take, refuse);
  }

  #tell(words) {
    put(this.status, { textContent: words });
  }

  /** Give up the file that is being made. */
  #cancel() {
    this.stage.session.requests.drop(KIND);
    this.working.show(null);
    this.#tell("");
  }

  /** Go to the dialog for pictures and films. */
  #leave() {
    this.dialog.close();
    this.stage.actions.send("picture");
  }
}

/** What shows an address in another page. @param {string} address */
function frameOf(address) {
  const text = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<iframe src="${text}" width="960" height="600" allow="fullscreen"></iframe>`;
}
