// A session for the tests: its socket, the browser's history and its storage are played here.
// `load` gives a module by its path.

{
  const { History } = load("service/history.js");
  const { Session } = load("service/session.js");

  const MAGIC = [0x4b, 0x50, 0x56, 0x31];

  /** An answer as bytes; of ASCII alone. */
  const packed = (header) => {
    const text = JSON.stringify({ ...header, arrays: [] });
    const bytes = new Uint8Array(8 + text.length);
    bytes.set(MAGIC);
    new DataView(bytes.buffer).setUint32(4, text.length, true);
    for (let k = 0; k < text.length; k++) bytes[8 + k] = text.charCodeAt(k);
    return bytes;
  };

  /**
   * A socket whose answers come when the test says so. A link is a list as JSON: what was added,
   * and what is turned.
   */
  class FakeSocket {
    questions = [];
    waiting = null;
    isConnected = false;
    cancelled = 0;
    limits = { needs: [] };

    listeners = [];
    n = 0;

    listen(listener) {
      this.listeners.push(listener);
    }

    ask(_kind, content, progress) {
      const question = { ...content, n: ++this.n };
      this.questions.push(question);
      this.waiting?.reject();
      return new Promise((resolve, reject) => {
        this.waiting = { question, resolve, reject, progress };
        if (!this.isConnected) this.lose();
      });
    }

    cancel() {
      this.cancelled += 1;
      this.lose();
    }

    lose() {
      const { waiting } = this;
      this.waiting = null;
      waiting?.reject();
    }

    connect(isConnected) {
      if (isConnected === this.isConnected) return;
      this.isConnected = isConnected;
      for (const listener of this.listeners) listener(isConnected);
      if (!isConnected) this.lose();
    }

    answer() {
      const { waiting } = this;
      if (!waiting) return false;
      this.waiting = null;
      waiting.resolve(packed(this.carriedOut(waiting.question)));
      return true;
    }

    carriedOut({ n, link, origin, data, commands, bring, drafts }) {
      const needs = this.limits.needs.filter((name) => !(name in bring));
      if (needs.length) return { n, needs };
      let state = {
        link: link.startsWith("{") ? link : JSON.stringify({ added: [], turned: 0 }),
        origin,
        data,
      };
      const steps = [];
      for (const { name, value } of commands) {
        if (name === "fail") return { n, failed: "It cannot be shown.", steps: [...steps, state] };
        if (name === "type") {
          drafts = value ? { formula: value } : {};
          steps.push(state);
          continue;
        }
        const { added, turned } = JSON.parse(state.link);
        const changed =
          name === "open"
            ? { added: [...added, value.name], turned }
            : name === "add"
              ? { added: [...added, value], turned }
              : { added, turned: value };
        state = { ...state, link: JSON.stringify(changed) };
        steps.push(state);
      }
      const store = Object.fromEntries(
        commands.flatMap(({ name, value }, command) =>
          name === "open" ? [[value.name, { command }]] : [],
        ),
      );
      return { n, steps, ...state, store, notices: [], drafts, edit: false };
    }
  }

  /** The browser's history: it goes elsewhere when the test says so. */
  class FakeBrowser {
    entries = [{ mark: null, query: "v=1" }];
    at = 0;
    ways = [];
    extras = {};
    due = null;

    get mark() {
      return this.entries[this.at].mark;
    }

    set mark(mark) {
      this.entries[this.at].mark = mark;
    }

    get opened() {
      return this.entries[this.at].query;
    }

    push(mark, query) {
      if (query !== null && typeof query !== "string") {
        throw new TypeError("a query is a text, or null");
      }
      this.entries = [...this.entries.slice(0, this.at + 1), { query: query ?? this.opened, mark }];
      this.at += 1;
    }

    name() {}

    later(act) {
      this.due = act;
    }

    /** The time comes at which entries are made. */
    make() {
      const { due } = this;
      this.due = null;
      due?.();
      return Boolean(due);
    }

    go(by) {
      this.ways.push(by);
    }

    arrive() {
      if (!this.ways.length) return false;
      this.at += this.ways.shift();
      this.came(this.mark);
      return true;
    }

    /** Be where it was on its way to. */
    goes() {
      while (this.arrive());
    }

    listen(came) {
      this.came = came;
      return () => {};
    }
  }

  class SessionBench {
    texts = new Map();
    records = new Map();
    shownHeader = null;
    taken = 0;
    notices = [];
    busy = null;
    isAway = false;
    keeps = true; // It keeps the runs that were shown.
    failures = [];

    constructor(before = null) {
      this.browser = before?.browser ?? new FakeBrowser();
      this.texts = before?.texts ?? new Map();
      this.open();
    }

    open() {
      this.socket = new FakeSocket();
      const { texts, records } = this;
      const store = {
        keep: ({ name }, value, suffix = "") =>
          value === null
            ? texts.delete(name + suffix)
            : texts.set(name + suffix, JSON.stringify(value)),
        recall: ({ name }, suffix = "") => JSON.parse(texts.get(name + suffix) ?? "null"),
      };
      const keep = {
        need: () => {},
        put: async (name, record) => records.set(name, record),
        all: async (names) =>
          Object.fromEntries(names.map((name) => [name, records.get(name) ?? null])),
        forget: async () => {},
      };
      this.session = new Session({
        socket: this.socket,
        history: new History(this.browser, store),
        keep,
      });
      this.session.start(this);
    }

    // ---- what a session asks of a page ----------------------------------------------------------

    get query() {
      return this.session.state.link;
    }

    needs() {
      return { asked: [], have: [], shown: this.shownHeader !== null };
    }

    has() {
      return this.keeps;
    }

    take(header) {
      this.shownHeader = header;
      this.taken += 1;
    }

    settle() {}

    notice({ words }) {
      this.notices.push(words);
    }

    working(extra) {
      this.busy = extra;
    }

    away(away) {
      this.isAway = away;
    }

    fail(error) {
      this.failures.push(String(error));
    }

    // ---- what a test does -----------------------------------------------------------------------

    do([what, ...args]) {
      const { session, socket, browser } = this;
      const acts = {
        connect: () => socket.connect(true),
        lose: () => socket.connect(false),
        answer: () => socket.answer(),
        arrive() {
          browser.make();
          browser.arrive();
        },
        lose_runs: () => (this.keeps = false),
        progress: (left) => socket.waiting?.progress({ progress: [1, 9], left, place: null }),
        add: (value) => session.command("add", value),
        fail: () => session.command("fail"),
        type: (value) => session.command("type", value),
        turn: (value, gesture, last) => session.drag("turn", value, { gesture, last }),
        abandon: (gesture) => session.abandon(gesture),
        undo: () => session.undo(),
        redo: () => session.redo(),
        cancel: () => session.cancel(),
        set: (value) => session.command("turn", value),
        back(by) {
          browser.make();
          browser.goes();
          browser.go(-by);
          browser.arrive();
        },
        open: (name, length = 1) => session.command("open", { name, data: "x".repeat(length) }),
        keep: (name) => this.records.set(name, { name: "open", value: 1 }),
        need: (...names) => (socket.limits.needs = names),
        forget: () => this.texts.clear(),
        reload: () => {
          browser.make();
          browser.goes();
          this.open();
        },
      };
      acts[what](...args);
    }

    async play(acts) {
      for (const act of acts) {
        this.do(act);
        await rested();
      }
    }

    /** Let everything be answered. */
    async answerAll() {
      this.socket.connect(true);
      await rested();
      const goesOn = () => this.browser.make() || this.browser.arrive() || this.socket.answer();
      for (let k = 0; k < 1000 && goesOn(); k++) await rested();
    }
  }

  const rested = async () => {
    for (let k = 0; k < 12; k++) await null;
  };

  globalThis.sessions = {
    async run(acts, settles) {
      this.done = false;
      const bench = new SessionBench();
      this.bench = bench;
      await bench.play(acts);
      if (settles) await bench.answerAll();
      this.done = true;
    },
    get result() {
      const { bench, done } = this;
      const { session, browser, socket } = bench;
      const result = {
        done,
        state: session.state.link,
        entries: [...session.history.entries.values()]
          .sort((one, other) => one.index - other.index)
          .map(({ state }) => state?.link ?? null),
        at: session.history.index - session.history.first,
        browser: { at: browser.at, marks: browser.entries.map(({ mark }) => mark?.kpviz) },
        kept: session.history.entry.state?.link ?? null,
        counts: session.counts,
        settled: session.settled,
        drafts: session.drafts,
        pending: session.serial - session.acknowledged,
        asked: socket.questions.map(({ link, commands, live, bring }) => ({
          link,
          commands,
          live,
          bring,
        })),
        cancelled: socket.cancelled,
        notices: bench.notices,
        away: bench.isAway,
        busy: bench.busy,
        failures: bench.failures,
        records: Object.fromEntries(bench.records),
        taken: bench.taken,
      };
      return JSON.stringify(result, (_, value) => (value?.length > 1e6 ? value.length : value));
    },
  };
}
