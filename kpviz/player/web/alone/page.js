// The page without a server: the board with all its settings, and Python within.
// kpviz/export/page/board.py writes it.

import { FolderLessons } from "./folder_lessons.js";
import { FrameLink } from "./frame_link.js";
import { keepFolder } from "./keeping.js";
import { Python } from "./python.js";
import { Capabilities } from "../board/player.js";
import { readingModes } from "../modes/reading.js";
import { takeClassPlace } from "../service/class_place.js";
import { isNewerLink } from "../service/formats.js";
import { Lessons } from "../service/lessons.js";
import { Link, arrival, withStageOf } from "../service/link.js";
import { keeps } from "../service/texts.js";
import { Export } from "../page/export.js";
import { default as tellHeight } from "../page/framed.js";
import { RECORD } from "../page/lesson/record.js";
import { Served } from "../page/serve.js";
import { settingsOf } from "../page/settings.js";
import { Stage } from "../page/stage.js";
import { followTheme } from "../page/theme.js";
import { HOME } from "../page/top_bar.js";

/** @import { PackedLesson } from "./folder_lessons.js" */
/** @import { ZippedAnswer } from "./known_answers.js" */
/** @import { PythonConfig } from "./python.js" */
/** @import { ServiceSocket } from "../service/socket.js" */
/** @import { Outside } from "../service/types.d.ts" */

const TOO_OLD =
  "This browser is too old for this page: update it, or open the page in another one.";
const INSTALL = 'is not in a page without a server: pip install "kpviz[app]", then kpviz app.';
const OF_PINNED = /^p\d+\./; // So begin the names of what belongs to a pinned model.
const CLASS_PLACE = /^#[^.]+\.\d/; // The code on a lecturer's stage leads to a place in a lesson.
/** @type {Record<string, string>} */
const ELSEWHERE = {
  picture: `A picture or a film ${INSTALL}`,
  table: `The table of points ${INSTALL}`,
  lecture: `The text of all cues ${INSTALL}`,
};

/**
 * What Streamlit is to the app: other pages, and dialogs, which are not here.
 *
 * @implements {Outside}
 */
class Folder {
  /**
   * @param {Record<string, string>} places the addresses of the places that there are
   * @param {string} instead what is said where the page is one file, and no place is beside it
   */
  constructor(places, instead) {
    this.places = places;
    this.instead = instead;
    /** @type {(words: string) => void} */
    this.say = () => {};
  }

  dialog(name) {
    this.say(ELSEWHERE[name]);
  }

  go(page, link = null) {
    this.open(page, link ?? "");
  }

  open(page, query) {
    const board = this.places[""];
    if (!this.instead) {
      location.assign((this.places[page] ?? board) + (query ? `?${query}` : ""));
    } else if (board) window.open(`${board}${page}?${query}`, "_blank", "noopener");
    else this.say(this.instead);
  }

  leave() {}

  take() {}

  stop() {}
}

/**
 * Open the lesson of the page, unless the address is a link to the board; a page of one file shows
 * its own boards alone. Returns whether it was asked for another.
 *
 * @param {Link} link
 * @param {string} name
 * @param {boolean} isFile
 */
function openLesson(link, name, isFile) {
  const { extras, opened } = link;
  const isBoard = new URLSearchParams(opened).has("v");
  const isOther = isFile && isBoard && !extras["lesson"];
  if (isBoard && !isOther) return false;
  link.extras = { lesson: name, ...extras };
  if (opened) link.now(withStageOf(opened, ""));
  return isOther;
}

/** Whether somebody who wrote this meant that: one letter is wrong, or two stand the other way. */
function isSlip(written, meant) {
  let start = 0;
  let end = 0;
  while (start < written.length && written[start] === meant[start]) start += 1;
  const longest = Math.min(written.length, meant.length) - start;
  while (end < longest && written.at(-1 - end) === meant.at(-1 - end)) end += 1;
  const one = written.slice(start, written.length - end);
  const other = meant.slice(start, meant.length - end);
  const isTurned = one.length === 2 && one === [...other].reverse().join("");
  return meant.length > 2 && (isTurned || Math.max(one.length, other.length) <= 1);
}

/**
 * Show the board in `root`.
 *
 * @param {HTMLElement} root
 * @param {object} options
 * @param {PythonConfig} options.python
 * @param {"play" | "fisher"} options.page whose board it is
 * @param {Record<string, string>} options.places the addresses of the places that there are
 * @param {ZippedAnswer[]} options.answers
 * @param {string} [options.opening] the link that a figure of a document opens with
 * @param {string | null} [options.keeper] the address of the service worker
 * @param {PackedLesson | null} [options.lesson] the one whose page it is
 * @param {string[]} [options.names] of all that a link to a board may have in it
 * @param {string} [options.instead] what is said of all that the page cannot do, which is one file
 */
export default function start(
  root,
  {
    python,
    page,
    places,
    answers,
    opening = "",
    keeper = null,
    lesson: packedLesson = null,
    names = [],
    instead = "",
  },
) {
  const framed = document.URL === "about:srcdoc"; // Such a frame has no address of its own.
  const board = places[""];
  const ofBoard = instead && board ? board : null;
  const address = framed ? new URL(board, document.baseURI).href : ofBoard;
  const isAlone = framed || Boolean(instead); // There is no place to go to but outside.
  const capabilities = new Capabilities({ page, places, address, framed: isAlone });
  if (!("DecompressionStream" in window)) {
    new Stage(root, { capabilities }).say(TOO_OLD, { persist: true });
    return;
  }
  const apart = ["lesson", "scene", ...RECORD];
  const link = framed ? new FrameLink(apart, opening) : new Link(apart);
  // Each place is a document, which Back and Forward load anew. From another site they lead to
  // where one was.
  link.returned = link.mark !== null && arrival() === "back_forward" && !link.wasLeftLast;
  const leadsHome = link.takeOut(HOME) !== null;
  // A mail or a course site may have put something into the address, for which nobody wakes Python;
  // what a newer kpviz put there stays.
  const known = new Set([...names, ...apart]);
  const isMeant = (written) => names.some((name) => isSlip(written, name)); // Python says which.
  const isOurs = (name) => known.has(name) || OF_PINNED.test(name) || isMeant(name);
  if (!isNewerLink(location.search)) link.keepOnly(isOurs);
  const { hash, search } = location;
  if (CLASS_PLACE.test(hash) && !search && places.lessons && !packedLesson) {
    location.replace(places.lessons + hash); // The list knows which lesson is meant.
    return;
  }
  const isOther = packedLesson !== null && openLesson(link, packedLesson.name, Boolean(instead));
  const outside = new Folder(places, instead);
  const name = link.extras["lesson"];
  const place = name ? takeClassPlace() : null;
  if (place) link.extras = {};
  const inPage = new Python(python, answers, instead);
  const socket = /** @type {ServiceSocket} */ (/** @type {unknown} */ (inPage));
  const served = new Served(page, { link, socket, outside: () => outside });
  const stage = new Stage(root, {
    ...served,
    capabilities,
    settings: settingsOf,
    reading: (readingStage) =>
      readingModes(
        readingStage,
        packedLesson
          ? new FolderLessons(readingStage, packedLesson, inPage)
          : new Lessons(readingStage),
      ),
    exporting: page === "play" ? (exportStage) => new Export(exportStage) : null,
  });
  outside.say = (words) => stage.say(words, { persist: true });
  inPage.tell = (progress) => stage.working(progress);
  followTheme(stage);
  served.start(stage);
  if (isOther) stage.notice({ kind: "hint", words: instead });
  if (!framed) tellHeight();
  const { modes } = stage.player;
  if (leadsHome) modes.tell("home");
  if (place) modes.tell("read", { name }, place.scene, { step: place.step });
  if (packedLesson && !keeps()) modes.tell("unkept");
  if (keeper) keepFolder(keeper, (words) => stage.notice({ kind: "hint", words }));
}
