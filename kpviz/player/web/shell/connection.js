// Streamlit says in a dialog that no server answers; the player goes on without one, and says so itself.

const TITLE = "Connection error";
const DIALOG = "[data-testid=stDialog]";

/** Close that dialog before it is seen; returns a function that stops. */
export function quietConnectionErrors() {
  const observer = new MutationObserver(() => {
    for (const dialog of document.querySelectorAll(DIALOG)) {
      if (dialog.textContent.includes(TITLE)) close(dialog);
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** @param {Element} dialog */
function close(dialog) {
  const { style } = /** @type {HTMLElement} */ (dialog);
  if (style.display === "none") return;
  style.display = "none";
  /** @type {HTMLElement | null} */ (dialog.querySelector("button[aria-label=Close]"))?.click(); // it comes no second time
}
