// An answer in the middle of a gesture comes compressed, from another machine.

const ZLIB = 0x78; // Compressed bytes begin with it.

/**
 * The bytes of an answer as they were before they were compressed. A Blob and a Response would do
 * it in a line, and take three times as long.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Uint8Array>}
 */
export async function inflated(bytes) {
  if (bytes[0] !== ZLIB) return bytes;
  const { writable, readable } = new DecompressionStream("deflate");
  const writer = writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const [chunks] = await Promise.all([chunksOf(readable.getReader()), written]);
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let from = 0;
  for (const chunk of chunks) {
    whole.set(chunk, from);
    from += chunk.length;
  }
  return whole;
}

/** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
async function chunksOf(reader) {
  const chunks = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
  }
  return chunks;
}

// What a page holds compressed.

/** The bytes of a text in base64 that Python made by gzip. @param {string} base64 */
export async function unzipped(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
