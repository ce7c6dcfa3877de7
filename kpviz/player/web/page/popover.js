// A list of controls that opens beside its button: Esc or a click elsewhere closes it, arrows walk
// in it.

import { make, put } from "./dom.js";

const CONTROLS = "button:not([hidden]), input, a";
// After these it stays open; not after those whose row of tools it would cover.
const STAYS = "[aria-pressed]:not([data-do=edit], [data-do=predict]), input, label";

/** @param {HTMLElement} element @returns {HTMLElement[]} */
const controlsOf = (element) =>
  /** @type {HTMLElement[]} */ ([...element.querySelectorAll(CONTROLS)]).filter(
    ({ offsetWidth }) => offsetWidth > 0,
  );

export class Popover {
  /**
   * @param {HTMLButtonElement} button that opens it
   * @param {HTMLElement} element
   */
  constructor(button, element) {
    this.button = button;
    this.element = element;
    this.place = make("span", { className: "pop" }, button, element);
    element.hidden = true;
    put(button, { "aria-expanded": false, "aria-haspopup": "true" });
    button.addEventListener("click", ({ detail }) => this.show(!this.open, detail === 0));
    const pressed = ({ target }) =>
      /** @type {Element} */ (target).closest(STAYS) || this.show(false);
    // Before what it does, which may take the focus from the button.
    element.addEventListener("click", pressed, true);
    element.addEventListener("keydown", (event) => this.#key(event));
    this.place.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !this.place.contains(/** @type {Node} */ (relatedTarget))) {
        this.show(false);
      }
    });
  }

  get open() {
    return !this.element.hidden;
  }

  /**
   * Open it, by a key with the focus on its first control; or close it, and give the focus back.
   */
  show(on, byKey = false) {
    if (on === this.open) return;
    const inside = this.element.matches(":focus-within");
    this.element.hidden = !on;
    put(this.button, { "aria-expanded": on });
    if (on) document.addEventListener("pointerdown", this.elsewhere, true);
    else document.removeEventListener("pointerdown", this.elsewhere, true);
    if (byKey) controlsOf(this.element)[0]?.focus();
    if (!on && inside) this.button.focus();
  }

  /** @param {Event} event */
  elsewhere = (event) => {
    if (!event.composedPath().includes(this.place)) this.show(false);
  };

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.open) return; // Where there is room it is always seen.
    const controls = controlsOf(this.element);
    const at = controls.indexOf(/** @type {HTMLElement} */ (event.target));
    const last = controls.length - 1;
    const to = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at > 0 ? at - 1 : last,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === "Escape") this.show(false);
    else if (to === undefined) return;
    else controls[to].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
