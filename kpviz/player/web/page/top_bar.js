// The bar above the board, the same on each page: the places, what is set, and what one does with
// it.

import { make, pressable, put, renew } from "./dom.js";
import { Popover } from "./popover.js";
import { isAboutKernel } from "../board/shown_panels.js";
import { actionsOf, labelOf, tipOf } from "../modes/actions.js";

/** @import { Player } from "../board/player.js" */
/** @import { DockTree } from "./dock/types.d.ts" */

/** What an address has that leads to *What now?*, as the name in the bar does. */
export const HOME = "home";

const PLACES = [
  { name: "", label: "Board" },
  { name: "lessons", label: "Lessons" },
  { name: "puzzles", label: "Puzzles" },
  { name: "lab", label: "Kernels" },
  { name: "fisher", label: "Fisher", title: "Fisher’s discriminant" },
];
const SHARE = ["link", "export", "picture"];

const OF_DATA = ["data", "file", "encoding", "decimals", "cols", "scale", "points", "names"];

/**
 * What a link of the board says of points or a table of one's own, for Fisher's page; "" where it
 * has none.
 *
 * @param {string} link
 */
function ownDataOf(link) {
  const properties = new URLSearchParams(link);
  if (!["drawn", "file"].includes(properties.get("data"))) return "";
  const parts = link.split("&").filter((part) => OF_DATA.includes(part.split("=")[0]));
  return ["v=1", ...parts].join("&");
}

/** The name of the place where these panels are shown. @param {ReadonlySet<string>} panels */
const placeOf = (panels, page) => (page !== "play" ? page : isAboutKernel(panels) ? "lab" : "");

/**
 * What is set, in parts of which a narrow bar leaves out the last ones; or the first ones, where
 * the learner, which is the last, is not the default one.
 *
 * @param {string[]} parts
 * @param {boolean} namesLearner
 */
function wholeParts(parts, namesLearner) {
  const last = parts.length - 1;
  return parts.flatMap((part, k) => {
    const before = k && !namesLearner ? "· " : "";
    const after = k < last && namesLearner ? " ·" : "";
    return [k ? " " : "", make("span", {}, `${before}${part}${after}`)];
  });
}

/** A link to a place: a press goes there, and with a key it opens a tab or window of its own. */
const linkTo = (href, title, words, go) =>
  make(
    "a",
    {
      href,
      target: "_self",
      title,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go();
      },
    },
    words,
  );

/** Presses are events of its element: `go` with the name of a place, `settings` and `home`. */
export class TopBar {
  here = ""; // The name of the place, behind which a narrow bar has the other places.

  /**
   * @param {HTMLElement} root before which it stands
   * @param {Player} player
   * @param {(name: string) => void} press
   */
  constructor(root, player, press) {
    const { capabilities } = player;
    const tell = (name, detail) => this.element.dispatchEvent(new CustomEvent(name, { detail }));
    this.page = capabilities.page;
    this.addresses = capabilities.places;
    this.framed = capabilities.framed;
    const leadsTo = this.framed ? [] : PLACES;
    this.listed = leadsTo.filter(({ name }) => name in this.addresses);
    this.modes = player.modes;
    this.ownData = "";
    this.anchors = this.listed.map(({ name, label, title = label }) =>
      linkTo(this.addresses[name], title, label, () => tell("go", name)),
    );
    this.set = make("span", { className: "set" });
    this.button = pressable("", () => tell("settings"), {
      className: "settings",
      title: "Data, kernel, learner, compare (T)",
    });
    this.button.append(make("b", {}, "Settings"), this.set);
    const actions = actionsOf(capabilities);
    const button = (name, more = {}) => {
      const action = actions.find((one) => one.name === name);
      const look = { title: action && tipOf(action, player), "data-do": name, ...more };
      return action ? [pressable(labelOf(action, player), () => press(name), look)] : [];
    };
    const list = make(
      "div",
      { className: "popover", role: "group", ariaLabel: "Share" },
      ...SHARE.flatMap((name) => button(name)),
    );
    this.share = new Popover(
      pressable("Share", () => {}, { className: "opens" }),
      list,
    );
    const others = [...button("present"), ...button("help", { "aria-expanded": "false" })];
    this.nav = make("nav", { ariaLabel: "Pages" }, ...this.anchors);
    this.places = new Popover(
      pressable("Board", () => {}, { className: "here opens", title: "Other pages" }),
      this.nav,
    );
    this.about = make("span", { className: "unseen" });
    const board = this.addresses[""];
    const outOfFrame = { target: "_blank", title: "Open the board in a window of its own" };
    this.name = this.framed
      ? make(board ? "a" : "span", board ? { href: board, ...outOfFrame } : {}, "kpviz")
      : linkTo(`${board}?${HOME}=1`, "What now?", "kpviz", () => tell("home"));
    const name = make("h1", { className: "name" }, this.name, this.about);
    const skip = (event) => {
      event.preventDefault();
      root.querySelector("canvas").focus();
    };
    this.element = make(
      "header",
      { className: "topbar" },
      make("a", { className: "skip", href: "#board", onclick: skip }, "Skip to the board"),
      name,
      ...(this.framed ? [] : [this.places.place]),
      make("div", { className: "does" }, this.button, this.share.place, ...others),
    );
    root.before(this.element);
  }

  /** Say what is set. @param {Pick<DockTree, "tabs">} tree @param {string} link of the settings */
  take({ tabs }, link) {
    const parts = tabs.map(({ set }) => set).filter(Boolean);
    const namesLearner = new URLSearchParams(link).has("learner");
    this.set.classList.toggle("learner", namesLearner);
    renew(this.set, [...parts, namesLearner], () => wholeParts(parts, namesLearner));
    if (this.framed && this.addresses[""]) {
      put(this.name, { href: `${this.addresses[""]}?${link}` });
    }
    const onBoard = this.page === "play";
    this.ownData = onBoard ? ownDataOf(link) : "";
    this.listed.forEach(({ name }, k) => {
      const query =
        name === "fisher" ? this.ownData : onBoard && (name === "lab" || !name) ? link : "";
      put(this.anchors[k], { href: this.addresses[name] + (query ? `?${query}` : "") });
    });
  }

  isHere(page) {
    return this.here === page;
  }

  /**
   * Say which place this is, and what the page is about, as its heading and its title.
   *
   * @param {ReadonlySet<string>} panels the panels
   */
  mark(panels) {
    this.here = this.modes.ask("belongsTo") ?? placeOf(panels, this.page);
    const place = this.here === "lab" ? "kernels" : "kernel perceptron";
    const about = this.modes.ask("about") ?? place;
    put(this.about, { textContent: `: ${about}` });
    put(document, { title: `kpviz – ${about}` });
    this.name.toggleAttribute("inert", Boolean(this.modes.ask("fillsPage")));
    this.listed.forEach(({ name }, k) => {
      if (name === this.here) {
        put(this.anchors[k], { "aria-current": "page" });
        put(this.places.button, { textContent: this.anchors[k].textContent });
      } else this.anchors[k].removeAttribute("aria-current");
    });
  }

  /** Out of reach of the focus, or back; the heading stays. */
  hide(off) {
    for (const part of this.element.querySelectorAll(":scope > :not(h1)")) {
      part.toggleAttribute("inert", off);
    }
    this.name.toggleAttribute("inert", off);
  }
}
