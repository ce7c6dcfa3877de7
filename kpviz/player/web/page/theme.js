// The theme of a page without a server: its reader's system has one, and a page around it may say
// another.

/** @import { Stage } from "./stage.js" */

const DARK = "(prefers-color-scheme: dark)";

/**
 * Follow the system; and the page around, once it posts `{ theme: "dark" }` or `{ theme: "light" }`
 * to the frame.
 *
 * @param {Stage} stage
 */
export function followTheme(stage) {
  window.matchMedia(DARK).addEventListener("change", () => stage.recolour());
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const dark = rules.filter(
    (rule) => rule instanceof CSSMediaRule && rule.media.mediaText === DARK,
  );
  window.addEventListener("message", ({ data, source }) => {
    if (source !== window.parent || !["dark", "light"].includes(data?.theme)) return;
    for (const { media } of /** @type {CSSMediaRule[]} */ (dark)) {
      media.mediaText = data.theme === "dark" ? "all" : "not all";
    }
    stage.recolour();
  });
}
