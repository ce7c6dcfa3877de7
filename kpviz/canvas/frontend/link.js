// The only writer of the address bar.

const QUIET = 250; // ms at rest before writing
const LEAST = 500; // ms between two writings
const FOREIGN = /^(embed|embed_options)=/; // Streamlit's own

export class Link {
  constructor() {
    this.timer = null;
    this.written = 0;
    this.query = "";
  }

  /** The address of what is shown. */
  static query(run, t, shown) {
    const parts = [run.header.settings.query];
    if (t > 0) parts.push(`t=${t}`);
    const panels = [...shown].sort().join(".");
    if (panels !== "alpha.margins") parts.push(`show=${panels || "none"}`);
    return parts.join("&");
  }

  set(query) {
    if (query === this.query) return;
    this.query = query;
    clearTimeout(this.timer);
    const wait = Math.max(QUIET, this.written + LEAST - performance.now());
    this.timer = setTimeout(() => this.write(), wait);
  }

  write() {
    const kept = location.search.slice(1).split("&").filter((part) => FOREIGN.test(part));
    const search = `?${[this.query, ...kept].join("&")}`;
    this.written = performance.now();
    if (search !== location.search) history.replaceState(history.state, "", location.pathname + search + location.hash);
  }

  stop() {
    clearTimeout(this.timer);
  }
}

/** Copy text to the clipboard; works without https too. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.cssText = "position:fixed;opacity:0";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
