// What a tab keeps: short texts for as long as it is open, opened tables and drawings for a day; and what a browser has
// seen, so that it is not shown again by itself. In a frame of another
// site, or in a sandbox, browsers may refuse all storage: then it is in memory until the page is loaded again.

/** @import { Stored } from "../types.d.ts" */

const DATABASE = "kpviz";
const STORE = "texts";
const TAB = "kpviz-tab";
const PREFIX = "kpviz";
const PREFERRED = "kpviz-prefers-";
const LASTS = 24 * 60 * 60 * 1000; // ms
const ANSWERED = 250; // ms within which another tab with the same name would have said so

/** @type {Map<string, string>} */
const refused = new Map(); // what the browser did not take
const ofThisTab = () => sessionStorage; // which it may refuse to give
const ofAllTabs = () => localStorage;

/** Keep a text of this tab, or none: null. Returns whether the browser allows it. */
export function keep(name, text, store = ofThisTab) {
  refused.delete(name);
  try {
    if (text === null) store().removeItem(name);
    else store().setItem(name, text);
    return true;
  } catch {
    if (text !== null) refused.set(name, text);
    return false;
  }
}

/** The text that was kept, or null. */
export function kept(name, store = ofThisTab) {
  if (refused.has(name)) return refused.get(name);
  try {
    return store().getItem(name);
  } catch {
    return null;
  }
}

/** The same for all tabs, until it is forgotten. */
export const keepForAllTabs = (name, text) => keep(name, text, ofAllTabs);
export const keptForAllTabs = (name) => kept(name, ofAllTabs);

/** Whether the browser keeps anything here: in a sandbox it does not. */
export const keeps = () => keepForAllTabs(`${PREFIX}-keeps`, "yes") && keepForAllTabs(`${PREFIX}-keeps`, null);

/** Whether a name is new to this browser, which keeps it; false where it may keep nothing. */
export const isNew = (name) => keptForAllTabs(name) === null && keepForAllTabs(name, "seen");

/** A choice for all tabs, for as long as the browser keeps anything; null: none. */
export const prefer = (name, text) => keepForAllTabs(`${PREFERRED}${name}`, text);
export const preferred = (name) => keptForAllTabs(`${PREFERRED}${name}`);

/** Forget all texts of this tab, and what this browser has seen; choices stay. */
function forgetTexts() {
  refused.clear();
  try {
    for (const storage of [sessionStorage, localStorage]) {
      for (const name of Object.keys(storage)) {
        if (name.startsWith(PREFIX) && !name.startsWith(PREFERRED)) storage.removeItem(name);
      }
    }
  } catch {
    // there are none
  }
}

/** A row of the database. @typedef {{ tab: string, name: string, record: Stored, at: number }} Row */

/** The tables and drawings that links only name: each tab has its own. */
export class Keep {
  /** @type {Map<string, Stored>} */
  memory = new Map();
  tab = kept(TAB);
  /** @type {Promise<IDBDatabase | null> | null} */
  opening = null;
  isNamed = false;

  /** Listen for tabs with the same name: a tab that was duplicated takes what the first one has, and another name. */
  constructor() {
    const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(TAB) : null;
    this.named = this.#nameTab(channel);
    channel?.addEventListener("message", ({ data }) => {
      if (data.asks === this.tab && this.isNamed) channel.postMessage({ has: this.tab });
    });
    this.named.then(() => this.#database()); // at once: the first tab may go, and what is too old goes
  }

  /** @param {BroadcastChannel | null} channel */
  async #nameTab(channel) {
    const before = this.tab;
    if (before === null || (channel && (await this.#isTaken(channel, before)))) {
      this.tab = `${Date.now()}-${Math.random()}`;
      keep(TAB, this.tab);
    }
    this.isNamed = true;
    return before === this.tab ? null : before;
  }

  /** @returns {Promise<boolean>} */
  #isTaken(channel, tab) {
    return new Promise((resolve) => {
      channel.addEventListener("message", ({ data }) => data.has === tab && resolve(true));
      channel.postMessage({ asks: tab });
      setTimeout(() => resolve(false), ANSWERED);
    });
  }

  /** @returns {Promise<IDBDatabase | null>} null where the browser refuses */
  #database() {
    return (this.opening ??= this.#open());
  }

  async #open() {
    const copyOf = await this.named;
    try {
      const opening = indexedDB.open(DATABASE, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: ["tab", "name"] });
      const database = await done(opening);
      const store = database.transaction(STORE, "readwrite").objectStore(STORE);
      const now = Date.now();
      for (const row of /** @type {Row[]} */ (await done(store.getAll()))) {
        const isOld = row.at < now - LASTS;
        if (isOld) store.delete([row.tab, row.name]);
        else if (row.tab === this.tab) store.put({ ...row, at: now });
        else if (row.tab === copyOf) store.put({ ...row, tab: this.tab }); // this one is a duplicate of that tab
      }
      return database;
    } catch {
      return null;
    }
  }

  /** Keep a table or a drawing. @param {string} name @param {Stored} record */
  async put(name, record) {
    this.memory.set(name, record);
    const database = await this.#database();
    try {
      const store = database?.transaction(STORE, "readwrite").objectStore(STORE);
      if (store) await done(store.put({ tab: this.tab, name, record, at: Date.now() }));
    } catch {
      // the disk is full: it is in memory
    }
  }

  /**
   * What was kept under some names; null where nothing was.
   *
   * @param {string[]} names
   * @returns {Promise<Record<string, Stored | null>>}
   */
  async all(names) {
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await this.#get(name)])));
  }

  /** @returns {Promise<Stored | null>} */
  async #get(name) {
    const here = this.memory.get(name);
    if (here) return here;
    const database = await this.#database();
    try {
      const store = database?.transaction(STORE, "readonly").objectStore(STORE);
      const row = store && /** @type {Row | undefined} */ (await done(store.get([this.tab, name])));
      return row?.record ?? null;
    } catch {
      return null;
    }
  }

  /** Forget everything that this browser keeps for kpviz: of this tab, and the tables and drawings of all tabs. */
  async forget() {
    this.memory.clear();
    forgetTexts();
    if (this.tab) keep(TAB, this.tab);
    const database = await this.#database();
    try {
      const store = database?.transaction(STORE, "readwrite").objectStore(STORE);
      if (store) await done(store.clear());
    } catch {
      // nothing is there that could be forgotten
    }
  }
}

/** The result of a request to the database. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
