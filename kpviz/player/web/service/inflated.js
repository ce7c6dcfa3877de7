// An answer in the middle of a gesture comes compressed.

import { headerOf, unpack } from "../model/payload.js";

/**
 * The bytes of an answer as they were before they were compressed.
 *
 * @param {Uint8Array} bytes
 * @returns {Promise<Uint8Array>}
 */
export async function inflated(bytes) {
  if (!headerOf(bytes).deflated) return bytes;
  const stream = new Blob([unpack(bytes).rest.slice()]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
