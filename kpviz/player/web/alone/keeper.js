// The service worker of a folder of pages: what was loaded from the folder is kept in the browser,
// and opens there without a network. With one, everything comes from the folder itself, so that no
// page mixes two versions.

// The writer of the folder puts the digests of all its files here, by their names.
/** @type {Record<string, string>} */
const FILES = {};
const PYTHON = "python/"; // It is large, and comes again only when somebody wakes it.

/**
 * What a service worker has, which other workers have not.
 *
 * @typedef {Window & {
 *   registration: ServiceWorkerRegistration, skipWaiting: () => Promise<void>,
 *   clients: { claim: () => Promise<void>, matchAll: () => Promise<MessagePort[]> },
 * }} Keeper
 */

/**
 * @typedef {Event & {
 *   request: Request, waitUntil: (work: Promise<void>) => void,
 *   respondWith: (response: Promise<Response>) => void,
 * }} FileRequest
 */

const keeper = /** @type {Keeper} */ (/** @type {unknown} */ (self));
const { scope } = keeper.registration;
const cacheName = `kpviz ${scope}`; // Other folders of this host have caches of their own.

/** The address under which a version of a file is kept, "" if it is not the folder's. */
function versionOf(url) {
  const address = url.split(/[?#]/)[0]; // Links to a board differ only behind it.
  const name = address.slice(scope.length) || "index.html";
  const isOwn = address.startsWith(scope) && Object.hasOwn(FILES, name);
  return isOwn ? `${scope}${name}?${FILES[name]}` : "";
}

/** The file as the folder has it now, whatever the browser has been allowed to keep of it. */
const fetchNow = (request) => fetch(request, { cache: "no-cache" });

async function load(request, version) {
  const cache = await caches.open(cacheName);
  const keptCopy = await cache.match(version);
  try {
    const response = await fetchNow(request);
    const keepsItself = request.url === version; // Python's loader does, for the sake of memory.
    if (response.status === 200 && !response.redirected && !keptCopy && !keepsItself) {
      // A browser without room keeps nothing, and no page waits for that.
      cache.put(version, response.clone()).catch(() => {});
    }
    return response;
  } catch (error) {
    if (keptCopy) return keptCopy;
    throw error;
  }
}

/** Where other versions were kept, keep these, and tell the pages. */
async function renew() {
  const cache = await caches.open(cacheName);
  const requests = await cache.keys();
  const outdated = requests.filter(({ url }) => versionOf(url) !== url);
  if (!outdated.length) return;
  for (const client of await keeper.clients.matchAll()) client.postMessage("renewed");
  for (const request of outdated) {
    await cache.delete(request);
    const version = versionOf(request.url);
    if (!version || version.startsWith(scope + PYTHON)) continue;
    const response = await fetchNow(version.split("?")[0]);
    if (response.ok) await cache.put(version, response);
  }
}

keeper.addEventListener("install", () => keeper.skipWaiting());
keeper.addEventListener("activate", (/** @type {FileRequest} */ event) => {
  event.waitUntil(keeper.clients.claim().then(renew));
});
keeper.addEventListener("fetch", (/** @type {FileRequest} */ event) => {
  const version = event.request.method === "GET" && versionOf(event.request.url);
  if (version) event.respondWith(load(event.request, version));
});
