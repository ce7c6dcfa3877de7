// The tables and drawings that links only name, in the browser's database. Their names end with a
// hash of what they are, so all tabs share them: a link that is opened again in another tab finds
// its table. Each lives as long as a tab that needs it, and a month after. Beside each stands when
// it was needed last and how long it is, which is read without reading it.

import { forgetTexts, keep, recall, PLACES } from "./texts.js";

/** @import { Stored } from "./types.d.ts" */

const DATABASE = "kpviz";
const VERSION = 1;
const STORE = "texts";
const KEY = ["tab", "name"]; // The key of a row, of which `tab` says which kind of row it is.
const RECORD = "";
const DATE = "date";
const HOUR = 60 * 60 * 1000; // In ms.
const MONTH = 31 * 24 * HOUR;
// So many are kept of all records: then the one that was needed longest ago goes.
const MOST_CHARACTERS = 100_000_000;
const PATIENCE = 3000; // In ms: a database opens in this time, if it does.

/**
 * A row of the database: a record, or when the record of this name was needed last.
 * @typedef {{ tab: string, name: string, record?: Stored, at?: number, size?: number }} DatabaseRow
 */

/**
 * When a record was needed last, and how many characters it has.
 *
 * @typedef {{ name: string, at: number, size: number }} Dated
 */

export class Keep {
  /** @type {Map<string, Stored>} */
  memory = new Map();
  /** @type {Promise<IDBDatabase | null> | null} */
  opening = null;
  /** @type {Set<string>} */
  needed = new Set(recall(PLACES.stored) ?? []); // The names that this tab needs.

  /** @param {() => number} [now] the time in ms @param {number} [room] for so many characters */
  constructor(now = Date.now, room = MOST_CHARACTERS) {
    this.now = now;
    this.room = room;
    this.renew();
    setInterval(() => this.renew(), HOUR);
    document.addEventListener("visibilitychange", () => this.renew());
  }

  /** What this tab needs lives on from now; what nobody needed for a month goes. */
  async renew() {
    const names = [...this.needed];
    await this.#write(async (store) => {
      const at = this.now();
      const dates = await this.#dates(store);
      for (const name of names) if (dates.has(name)) putDate(store, { ...dates.get(name), at });
      for (const { name, at: last } of dates.values()) {
        if (last < at - MONTH && !names.includes(name)) remove(store, name);
      }
    });
  }

  /** This tab needs what a link only names. @param {string} link */
  need(link) {
    const names = storedNames(link).filter((name) => !this.needed.has(name));
    if (!names.length) return;
    this.#note(names);
    this.renew();
  }

  /** A reload needs them, too. @param {string[]} names */
  #note(names) {
    for (const name of names) this.needed.add(name);
    keep(PLACES.stored, [...this.needed]);
  }

  /**
   * Keep a table or a drawing; returns whether it outlives the page.
   *
   * @param {string} name
   * @param {Stored} record
   */
  async put(name, record) {
    this.memory.set(name, record);
    this.#note([name]);
    return this.#write(async (store) => {
      const dates = await this.#dates(store);
      dates.delete(name);
      const size = sizeOf(record);
      const oldest = [...dates.values()].sort((one, other) => one.at - other.at);
      let total = oldest.reduce((sum, dated) => sum + dated.size, size);
      for (const dated of oldest) {
        if (total <= this.room) break;
        total -= dated.size;
        remove(store, dated.name);
      }
      store.put({ tab: RECORD, name, record });
      putDate(store, { name, at: this.now(), size });
    });
  }

  /**
   * What was kept under some names; null where nothing was.
   *
   * @param {string[]} names
   * @returns {Promise<Record<string, Stored | null>>}
   */
  async all(names) {
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await this.#get(name)])),
    );
  }

  /** @returns {Promise<Stored | null>} */
  async #get(name) {
    const here = this.memory.get(name);
    if (here) return here;
    /** @type {DatabaseRow | undefined} */
    let row;
    await this.#write(async (store) => (row = await done(store.get([RECORD, name]))), "readonly");
    return isRecord(row?.record) ? row.record : null;
  }

  /**
   * Forget everything that this browser keeps for kpviz: texts, and the tables and drawings of all
   * tabs.
   */
  async forget() {
    this.memory.clear();
    this.needed.clear();
    forgetTexts();
    await this.#write((store) => store.clear());
  }

  // ---- the database ----------------------------------------------------------------------------

  /**
   * Do something to the rows, all of it or nothing; returns whether it was done.
   *
   * @param {(store: IDBObjectStore) => unknown} act
   * @param {IDBTransactionMode} [mode]
   */
  async #write(act, mode = "readwrite") {
    const database = await (this.opening ??= this.#open());
    /** @type {IDBTransaction | null} */
    let transaction = null;
    try {
      transaction = database.transaction(STORE, mode);
      const ended = new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(true);
        transaction.onabort = () => reject(transaction.error);
      });
      ended.catch(() => {}); // It may end before it is waited for.
      await act(transaction.objectStore(STORE));
      return await ended;
    } catch {
      abort(transaction);
      return false; // There is no database, or its disk is full.
    }
  }

  /**
   * When each record was needed last.
   *
   * @param {IDBObjectStore} store
   * @returns {Promise<Map<string, Dated>>}
   */
  async #dates(store) {
    const all = (kind) => IDBKeyRange.bound([kind], [kind, []]);
    const rows = /** @type {Dated[]} */ (await done(store.getAll(all(DATE))));
    const keys = /** @type {[string, string][]} */ (await done(store.getAllKeys(all(RECORD))));
    const known = new Map(rows.filter(isDated).map((dated) => [dated.name, dated]));
    const now = this.now();
    return new Map(
      keys.map(([, name]) => {
        const { at = now, size = 0 } = known.get(name) ?? {};
        // A date may be damaged, or of a clock that was wrong.
        return [name, { name, at: Math.min(at, now), size }];
      }),
    );
  }

  /**
   * @returns {Promise<IDBDatabase | null>} null where the browser refuses, or a newer kpviz has
   *   written there
   */
  async #open() {
    try {
      let database = await opened();
      if (!fits(database)) {
        database.close();
        await inTime(done(indexedDB.deleteDatabase(DATABASE))); // It is damaged.
        database = await opened();
      }
      database.onclose = () => (this.opening = null);
      database.onversionchange = () => {
        database.close(); // Another tab makes it anew.
        this.opening = null;
      };
      await this.#takeUp(database);
      return database;
    } catch {
      return null;
    }
  }

  /**
   * Tables of a kpviz that kept them for each tab: they are for all tabs now.
   *
   * @param {IDBDatabase} database
   */
  async #takeUp(database) {
    const store = database.transaction(STORE, "readwrite").objectStore(STORE);
    const keys = /** @type {[string, string][]} */ (await done(store.getAllKeys()));
    for (const key of keys.filter(([kind]) => kind !== RECORD && kind !== DATE)) {
      const row = /** @type {DatabaseRow} */ (await done(store.get(key)));
      store.delete(key);
      if (!isRecord(row.record)) continue;
      store.put({ tab: RECORD, name: row.name, record: row.record });
      const at = Number.isFinite(row.at) ? row.at : this.now();
      putDate(store, { name: row.name, at, size: sizeOf(row.record) });
    }
  }
}

/** The names in a link of what it cannot hold. @param {string} link */
export function storedNames(link) {
  const pairs = new URLSearchParams(link);
  return ["file", "points"].map((key) => pairs.get(key) ?? "").filter((name) => name.includes("~"));
}

/** How many characters a record has, but for a few. @param {Stored} record */
function sizeOf({ value }) {
  const parts = typeof value === "string" ? [value] : Object.values(value ?? {});
  return parts.reduce((sum, part) => sum + (typeof part === "string" ? part.length : 0), 0);
}

/** @param {IDBObjectStore} store @param {Dated} dated */
const putDate = (store, { name, at, size }) => store.put({ tab: DATE, name, at, size });

/** @param {IDBObjectStore} store @param {string} name */
function remove(store, name) {
  store.delete([RECORD, name]);
  store.delete([DATE, name]);
}

/**
 * Let nothing of it be done; it may have ended already.
 *
 * @param {IDBTransaction | null} transaction
 */
function abort(transaction) {
  try {
    transaction?.abort();
  } catch {
    // It has ended.
  }
}

/** @param {Partial<Stored> | null | undefined} record @returns {record is Stored} */
const isRecord = (record) => typeof record?.name === "string" && "value" in record;

/** @param {Partial<Dated>} row */
const isDated = ({ at, size }) => Number.isFinite(at) && Number.isFinite(size) && size >= 0;

/** Whether a database has the rows that are written here. @param {IDBDatabase} database */
function fits(database) {
  if (!database.objectStoreNames.contains(STORE)) return false;
  const { keyPath, autoIncrement } = database.transaction(STORE).objectStore(STORE);
  return !autoIncrement && JSON.stringify(keyPath) === JSON.stringify(KEY);
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  const opening = indexedDB.open(DATABASE, VERSION);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: KEY });
  return inTime(done(opening));
}

/**
 * The result of a request to the database.
 *
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * What comes in time: a database may be held by another page for ever.
 *
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
const inTime = (promise) =>
  Promise.race([
    promise,
    new Promise((_, reject) => setTimeout(() => reject(new Error("too late")), PATIENCE)),
  ]);
