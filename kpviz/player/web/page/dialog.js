// A dialog of the player: over everything, and what is under it does nothing meanwhile. Escape, its
// cross or a press beside it closes it, and the focus goes back to where it was.

import { closing, make } from "./dom.js";

export class Dialog {
  /** What else is to be done when it is closed. */
  whenClosed = () => {};

  /**
   * @param {HTMLElement} root of the stage
   * @param {string} title
   * @param {string} name its class
   */
  constructor(root, title, name) {
    this.root = root;
    const heading = make("h2", { id: `${name}-title` }, title);
    this.content = make("div", { className: "content" });
    this.element = /** @type {HTMLDialogElement} */ (
      make(
        "dialog",
        { className: `dialog ${name}`, role: "dialog", "aria-labelledby": heading.id },
        make(
          "div",
          { className: "head" },
          heading,
          closing(() => this.close()),
        ),
        this.content,
      )
    );
    this.#listen();
    root.append(this.element);
  }

  #listen() {
    const { element } = this;
    let pressedBeside = false; // A selection of text may begin inside and end beside it.
    element.addEventListener("pointerdown", ({ target }) => (pressedBeside = target === element));
    element.addEventListener(
      "click",
      ({ target }) => pressedBeside && target === element && this.close(),
    );
    element.addEventListener("keydown", (event) => {
      event.stopPropagation(); // Streamlit has keys of its own
      if (event.key !== "Escape" || event.isComposing) return;
      // Otherwise the focus would stay in here for a moment, and take the next key.
      event.preventDefault();
      this.close();
    });
    element.addEventListener("close", () => {
      if (this.open) return; // It was opened again meanwhile.
      this.#giveFocusBack();
      this.whenClosed();
    });
  }

  get #focused() {
    const page = /** @type {Document | ShadowRoot} */ (this.root.getRootNode());
    return /** @type {HTMLElement | null} */ (page.activeElement);
  }

  get open() {
    return this.element.open;
  }

  /** Show it, with the focus on an element of it. @param {HTMLElement} first */
  show(first) {
    if (this.open) return;
    this.focusWasSeen = this.#focused?.matches(":focus-visible") ?? false;
    this.element.showModal();
    first.focus();
  }

  close() {
    this.element.close();
    this.#giveFocusBack();
  }

  /** After the pointer was used, or where nothing had the focus, keys are the board's. */
  #giveFocusBack() {
    const focused = this.#focused;
    if (!this.focusWasSeen || this.element.contains(focused)) focused?.blur();
  }
}
