// How what opens over the board is closed: by Escape or a cross (`closing` of dom.js), and the
// focus goes back to where it was. A dialog lies over everything, what is under it does nothing
// meanwhile, and a press beside closes it, too.

import { closing, make } from "./dom.js";

/**
 * Escape in an element closes it, and is a key of nothing else.
 *
 * @param {HTMLElement} element
 * @param {() => void} close
 */
export function closeByEscape(element, close) {
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault(); // Otherwise a dialog keeps the focus for a moment, and the next key.
    event.stopPropagation();
    close();
  });
}

/**
 * What is about to have the focus gives it back when it is closed: this returns how. After the
 * pointer was used, or where nothing had the focus, keys are the board's.
 *
 * @param {HTMLElement} element
 */
export function givingFocusBack(element) {
  const page = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  const focusedNow = () => /** @type {HTMLElement | null} */ (page.activeElement);
  const before = focusedNow();
  const wasSeen = before?.matches(":focus-visible");
  return () => {
    const focused = focusedNow();
    if (focused === before ? wasSeen : !element.contains(focused)) return;
    focused?.blur(); // What is hidden would keep it until the next frame.
    if (wasSeen) before.focus();
  };
}

export class Dialog {
  /** What else is to be done when it is closed. */
  whenClosed = () => {};

  giveFocusBack = () => {};

  /**
   * @param {HTMLElement} root of the stage
   * @param {string} title
   * @param {string} name its class
   */
  constructor(root, title, name) {
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
    // Streamlit has keys of its own.
    element.addEventListener("keydown", (event) => event.stopPropagation());
    closeByEscape(element, () => this.close());
    element.addEventListener("close", () => {
      if (!this.open) this.whenClosed(); // It may have been opened again meanwhile.
    });
  }

  get open() {
    return this.element.open;
  }

  /** Show it, with the focus on an element of it. @param {HTMLElement} first */
  show(first) {
    if (this.open) return;
    this.giveFocusBack = givingFocusBack(this.element);
    this.element.showModal();
    first.focus();
  }

  close() {
    this.element.close();
    this.giveFocusBack();
  }
}
