// What the pages of a tab share: each has the modules from an address of its own, so this is in the window.

/** @import { Keep } from "../service/keep.js" */

/**
 * `left` is what each page showed when it was left: its settings, and its address. `carriedOut` is the newest reply, as
 * JSON: Streamlit sends it again with each of its runs.
 *
 * @typedef {{ keep: Keep | null, left: Map<string, { link: string, query: string }>, carriedOut: string }} Shared
 */

const page = /** @type {Window & { kpvizShared?: Shared }} */ (window);

export const shared = (page.kpvizShared ??= { keep: null, left: new Map(), carriedOut: "" });
