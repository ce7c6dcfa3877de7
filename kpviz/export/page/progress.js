// The list of lessons: what this browser knows of each, and with which one to go on. Of the app's
// page and of a course's index.

(() => {
  // The code on a lecturer's stage leads here, and names a lesson by its first letters.
  const [, code] = /^#([^.]+)\.\d/.exec(location.hash) ?? [];
  if (code) {
    const letters = new URLSearchParams(`lesson=${code}`).get("lesson"); // Any code can be read so.
    const nameOf = ({ search, pathname }) =>
      new URLSearchParams(search).get("lesson") ?? decodeURIComponent(pathname.split("/").pop());
    const links = [...document.querySelectorAll("article a[href]")].filter((link) =>
      nameOf(link).startsWith(letters),
    );
    links.sort((one, other) => nameOf(one).length - nameOf(other).length); // Itself, if it is one.
    if (links.length) location.replace(links[0].href + location.hash);
  }

  const PHRASES = {}; // What is said below in the language of the page, by the English words.
  const say = (english) => PHRASES[english] ?? english;

  /** How many tasks of a lesson are done, at most all. */
  const doneOf = ({ lesson, tasks }) => {
    try {
      const count = Number(localStorage.getItem(`kpviz-done-${lesson}`));
      // What is no count was written by something else.
      return Number.isSafeInteger(count) ? Math.min(Math.max(count, 0), Number(tasks)) : 0;
    } catch {
      // The browser keeps nothing here.
      document.querySelector(".unkept")?.removeAttribute("hidden");
      return 0;
    }
  };
  for (const place of document.querySelectorAll("[data-lesson]")) {
    const done = doneOf(place.dataset);
    const complete = done > 0 && done === Number(place.dataset.tasks);
    if (done > 0) {
      place.textContent = ` · ${complete ? `✓ ${say("all done")}` : `${done} ${say("done")}`}`;
    }
    place.classList.toggle("all", complete);
  }

  for (const place of document.querySelectorAll("[data-puzzle]")) {
    try {
      const record = JSON.parse(localStorage.getItem(`kpviz-record-${place.dataset.puzzle}`));
      if (typeof record?.shown !== "string") continue;
      const number = document.createElement("b");
      number.textContent = record.shown;
      place.replaceChildren("your record: ", number);
      place.classList.add("played");
    } catch {
      // What stands there was written by something else, or the browser keeps nothing here.
    }
  }
  /** The first puzzle without a record comes next. */
  const markNextPuzzle = () => {
    const cards = [...document.querySelectorAll(".puzzles article")];
    const next = cards.find((card) => !card.querySelector(".played"));
    const goesOn = document.querySelector(".puzzles .go");
    for (const card of cards) card.classList.toggle("next", card === next);
    if (!goesOn) return;
    goesOn.hidden = !next;
    if (!next) return;
    const link = next.querySelector("h2 a");
    goesOn.href = link.href;
    const isBegun = document.querySelector(".puzzles .played") !== null;
    goesOn.textContent = `${isBegun ? "Go on with" : "Begin with"} ${link.textContent.split(" ")[0]}`;
  };
  const forget = document.querySelector(".forget-records");
  forget?.addEventListener("click", () => {
    for (const place of document.querySelectorAll("[data-puzzle]")) {
      localStorage.removeItem(`kpviz-record-${place.dataset.puzzle}`);
      place.textContent = "not played";
      place.classList.remove("played");
    }
    markNextPuzzle();
  });
  markNextPuzzle();

  // Where somebody has begun, the card on top is the lesson begun last in the order of the list,
  // or, where that is done, the one after it.
  const start = document.querySelector(".kpviz-lessons .start");
  if (!start) return;
  const lessons = [...document.querySelectorAll(".lecture article ~ article [data-lesson]")];
  const last = lessons.findLastIndex(({ dataset }) => doneOf(dataset) > 0);
  const next = lessons[last]?.classList.contains("all") ? lessons[last + 1] : lessons[last];
  if (!next) {
    document.querySelector(".lecture article ~ article").hidden = true; // It is the card on top.
    return;
  }
  const card = next.closest("article").cloneNode(true);
  const badge = document.createElement("p");
  badge.className = "badge";
  badge.textContent = say(next === lessons[last] ? "Go on here" : "Next");
  card.querySelector("h2").before(badge);
  start.querySelector("article").replaceWith(card);
  start.querySelector(".go").textContent = say(next === lessons[last] ? "Continue" : "Start");
})();
