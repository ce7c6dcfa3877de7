// Tiles in rows and columns, walked by keys as one sees them. Right and Left go from each to the next by themselves, as
// radio buttons do, and so go along the rows.

const WAYS = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Which tile a key leads to: the one above or below, from an end of a column to the other; the first or the last; null:
 * where the browser leads by itself.
 *
 * @param {string} key
 * @param {number} at
 * @param {{ left: number, top: number }[]} boxes
 */
export function tileAt(key, at, boxes) {
  if (key === "Home") return 0;
  if (key === "End") return boxes.length - 1;
  if (!(key in WAYS) || boxes.every(({ top }) => top === boxes[0].top)) return null;
  const column = boxes.map((_, k) => k).filter((k) => Math.abs(boxes[k].left - boxes[at].left) < 1);
  const place = column.indexOf(at) + WAYS[key] + column.length;
  return column[place % column.length];
}

/**
 * Let keys walk radio buttons so.
 *
 * @param {HTMLElement} element
 * @param {() => HTMLInputElement[]} inputs in it
 */
export function walkByKeys(element, inputs) {
  element.addEventListener("keydown", (event) => {
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = inputs();
    const at = all.indexOf(/** @type {HTMLInputElement} */ (event.target));
    if (at < 0) return;
    const to = tileAt(
      event.key,
      at,
      all.map((input) => input.parentElement.getBoundingClientRect()),
    );
    if (to === null) return;
    event.preventDefault();
    all[to].focus();
    if (to !== at) all[to].click(); // as the arrows of radio buttons do
  });
}
