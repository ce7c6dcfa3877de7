// Python in a worker of the page: Pyodide with numpy and kpviz. What passes between a page and its
// worker is told at the head of python.js; kpviz/export/page/pyodide.py says where the files are.

const SITE = "/site"; // Numpy and kpviz are unpacked there.
const TELL_EVERY = 100; // In ms.

/**
 * A page that asks; `early`: the newest question of each kind that came before Python was here.
 *
 * @typedef {{ port: MessagePort, early: Map<string, string> }} WaitingPage
 */

/** @typedef {{ pyodide: string, numpy: string, wasm: string, kpviz: string }} PyodideParts */

/** @type {WaitingPage[]} */
const pages = [];
let latest = null; // A page that comes later is told this.
let loaded = 0;
let toldAt = 0;

/** @param {string} text @param {WaitingPage} page */
let ask = (text, page) => {
  page.early.set(JSON.parse(text).kind, text);
};

function tell(message) {
  latest = message;
  for (const { port } of pages) port.postMessage(message);
}

function count(chunk, controller) {
  loaded += chunk.length;
  if (performance.now() - toldAt > TELL_EVERY) {
    toldAt = performance.now();
    tell({ loaded });
  }
  controller.enqueue(chunk);
}

/** Fetch a file and count its bytes; what kpviz packed is unpacked. @param {string} address */
async function load(address) {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) {
    const reason = response ? ` (${response.status})` : "";
    throw new Error(`${address} could not be loaded${reason}`);
  }
  const counted = response.body.pipeThrough(new TransformStream({ transform: count }));
  const isPacked = address.endsWith(".bin");
  const body = isPacked ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  const type = address.includes(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(body, { headers: { "Content-Type": type } });
}

async function read(address) {
  const response = await load(address);
  return new Uint8Array(await response.arrayBuffer());
}

/** @param {PyodideParts} config */
async function start({ pyodide, numpy, wasm, kpviz }) {
  const archives = Promise.all([read(numpy), read(kpviz)]);
  const parts = [load(wasm), load(`${pyodide}python_stdlib.zip`), import(`${pyodide}pyodide.mjs`)];
  const [program, library, { loadPyodide }] = await Promise.all(parts);
  const plainFetch = self.fetch;
  // Pyodide asks for the first two itself, by the names that they have unpacked.
  self.fetch = async (address) => (String(address).endsWith(".wasm") ? program : library);
  const python = await loadPyodide({
    indexURL: pyodide,
    // It installs nothing itself; the wheel's name says for which builds it is.
    lockFileContents: { info: { abi_version: /(\d+_\d+)_wasm32/.exec(numpy)[1] }, packages: {} },
  });
  self.fetch = plainFetch;
  const [wheel, zip] = await archives;
  python.unpackArchive(wheel, "wheel", { extractDir: SITE });
  python.unpackArchive(zip, "zip", { extractDir: SITE });
  python.runPython(`import sys; sys.path.append("${SITE}")`);
  const service = python.pyimport("kpviz.service.inpage");
  ask = (text, page) => {
    const { port } = page;
    const send = (answer) => {
      if (typeof answer === "string") {
        port.postMessage({ text: answer });
        return;
      }
      const view = answer.getBuffer("u8");
      const bytes = view.data.slice();
      view.release();
      port.postMessage({ bytes }, [bytes.buffer]);
    };
    service.ask(text, send, pages.indexOf(page));
  };
  tell({ ready: true });
  for (const page of pages) {
    for (const text of page.early.values()) ask(text, page);
    page.early.clear();
  }
}

self.onmessage = ({ data: { python, port } }) => {
  const page = { port, early: new Map() };
  pages.push(page);
  port.onmessage = ({ data }) => {
    if (typeof data === "string") ask(data, page);
    else port.postMessage({ pong: data.ping });
  };
  if (latest) port.postMessage(latest);
  if (pages.length > 1) return;
  start(python).catch(({ message }) => tell({ failed: `Python could not come: ${message}.` }));
};

export {}; // It is a module, whose names are its own.
