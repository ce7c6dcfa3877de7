// In the head of each page, before Streamlit's scripts: a file that did not come while the page
// loaded is no end of it. The page is loaded again once by itself, as soon as the server answers;
// where that does not help, it says so.

(() => {
  const RELOADED = "kpviz-reloaded";
  const PATIENCE = 20_000; // In ms: a page that had no fault for so long counts as loaded.
  const WAIT = 1000; // In ms: the time between two questions whether the server answers.
  const WAITING =
    "The connection was cut while this page loaded. The page is loaded again as soon as the server answers.";
  const FAILED =
    "A part of this page could not be loaded, also at a second try. Load the page again; if this stays, an extension of the browser or the network may block a file, or the server may have to be started again.";
  const SILENT = 30; // In s: a page that only waits says so after this time.
  const NO_ANSWER =
    "The server does not answer this page, which goes on trying. Load the page again; if this stays, tell whoever runs the server.";
  const IMPORT = /dynamically imported module|importing a module script/i;

  let isFailing = false;

  /**
   * Whether the page was loaded again already; where the browser keeps nothing, any reload counts.
   */
  const wasReloaded = () => {
    try {
      return sessionStorage.getItem(RELOADED) !== null;
    } catch {
      return performance.getEntriesByType("navigation")[0]?.type === "reload";
    }
  };

  /** Keep that it is loaded again, or that it is not any more: null. */
  const keepReloaded = (text) => {
    try {
      if (text === null) sessionStorage.removeItem(RELOADED);
      else sessionStorage.setItem(RELOADED, text);
    } catch {
      // The kind of the navigation says it then.
    }
  };

  /** Say something over the page; a board that is there stays usable below. */
  const say = (words) => {
    const box = document.querySelector("#kpviz-mend") ?? document.createElement("div");
    box.id = "kpviz-mend";
    box.setAttribute("role", "alert");
    box.style.cssText =
      "position: fixed; z-index: 1000000; top: 16px; left: 50%; width: min(560px, 80vw); transform: translateX(-50%); " +
      "padding: 16px 20px; border: 1px solid; border-radius: 10px; background: Canvas; color: CanvasText; " +
      "font: 16px/1.5 system-ui, sans-serif;";
    const again = document.createElement("button");
    again.textContent = "Load again";
    again.style.cssText = "display: block; margin-top: 8px; font: inherit;";
    again.addEventListener("click", () => location.reload());
    const style = document.createElement("style");
    // It says less, and in code.
    style.textContent = ".stMain [data-testid=stAlertContainer] { display: none; }";
    box.replaceChildren(words, again, style);
    document.body.append(box);
  };

  const whenThereIsABody = (act) => {
    if (document.body) act();
    else document.addEventListener("DOMContentLoaded", act);
  };

  const reloadWhenThereIsAServer = async () => {
    const answers = await fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) {
      keepReloaded("yes");
      location.reload();
      return;
    }
    whenThereIsABody(() => say(WAITING));
    setTimeout(reloadWhenThereIsAServer, WAIT);
  };

  const mend = () => {
    if (isFailing) return;
    isFailing = true;
    if (wasReloaded()) whenThereIsABody(() => say(FAILED));
    else reloadWhenThereIsAServer();
  };

  /** Say that Streamlit has nothing to show yet, for as long as that is so. */
  let waited = 0;
  const watch = () => {
    if (isFailing) return;
    const waits =
      document.querySelector("[data-testid=stAppSkeleton]") ?? !document.querySelector("#root > *");
    waited = waits ? waited + 1 : 0;
    if (waited === SILENT) say(NO_ANSWER);
    if (!waits) document.querySelector("#kpviz-mend")?.remove();
    setTimeout(watch, waits ? 1000 : 10_000);
  };

  // A script, or a style sheet: the error of an element is heard on the way down to it. Fonts and
  // pictures are no loss.
  const needed =
    "script, link[rel=stylesheet], link[rel=modulepreload], link[rel=preload][as=style]";
  const failed = ({ target }) => target instanceof Element && target.matches(needed) && mend();
  window.addEventListener("error", failed, { capture: true });
  window.addEventListener("vite:preloadError", mend);
  window.addEventListener(
    "unhandledrejection",
    ({ reason }) => IMPORT.test(String(reason)) && mend(),
  );
  window.addEventListener("load", watch);
  window.addEventListener("load", () =>
    setTimeout(() => isFailing || keepReloaded(null), PATIENCE),
  );

  // Streamlit shows nothing at all where its own theme is damaged.
  try {
    for (const name of Object.keys(localStorage).filter((key) => key.startsWith("stActiveTheme"))) {
      try {
        JSON.parse(localStorage.getItem(name));
      } catch {
        localStorage.removeItem(name);
      }
    }
  } catch {
    // The browser keeps nothing, so nothing can be damaged.
  }
})();
