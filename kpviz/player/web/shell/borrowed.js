// The script of a run in a notebook that has no player: another run there gives it. It is no module of the player.

const MISSING =
  "The player is in the cell whose run was shown first: restart the notebook, and run its cells once more.";
const EVERY = 300; // ms between two questions
const PATIENCE = 10; // questions until it says what is missing

const root = /** @type {HTMLElement} */ (document.querySelector(".kpviz"));
const [wanted] = /sha256-[^']+/.exec(document.querySelector("meta[http-equiv]").getAttribute("content"));
let asked = 0;

/** A window, and the frames within it. @param {Window} one @returns {Window[]} */
const windows = (one) => [one, ...Array.from({ length: one.length }, (_, k) => windows(one[k])).flat()];

const asking = setInterval(() => {
  if (++asked === PATIENCE) root.textContent = MISSING;
  for (const each of windows(window.top)) each.postMessage({ wanted }, "*");
}, EVERY);

window.addEventListener("message", function taken({ data }) {
  if (data?.given !== wanted) return;
  window.removeEventListener("message", taken);
  clearInterval(asking);
  root.textContent = "";
  document.querySelector("style").textContent = data.style;
  const player = Object.assign(document.createElement("script"), { id: "player", type: "module" });
  player.textContent = data.script; // the page's policy runs no other one
  document.body.append(player);
});
