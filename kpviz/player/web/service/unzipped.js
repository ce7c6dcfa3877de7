// What a page holds compressed.

/**
 * The bytes of a text in base64 that Python made by gzip.
 *
 * @param {string} base64
 */
export async function unzipped(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
