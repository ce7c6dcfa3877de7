// A scene of another page: its heading stands on the board, in place of a run of which its words do not speak.

import { Panel } from "../panels/board.js";
import { cardBoard } from "../panels/card.js";

/** @import { Stage } from "../shell/stage.js" */
/** @import { Board, Layout, LessonScene } from "../types.d.ts" */

const PAGES = { fisher: "On the page of Fisher’s discriminant" };

export class Announced {
  /** @type {{ title: string, about: string, run: string, t: number } | null} */
  card = null;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  /** Announce a scene; one that has a run, or none of its own, is not. @param {LessonScene | null} scene */
  put(scene) {
    const { run, t } = this.stage.player;
    const about = PAGES[scene?.link.page];
    this.card = about ? { title: scene.heading, about, run: run.id, t } : null;
  }

  /** Whether nobody has gone on with the run that lies under it, or looks at the settings. */
  get on() {
    const { controls, dock, player, present } = this.stage;
    const { card } = this;
    const beside = !present.on && (dock?.open || controls.chooser.open);
    return card !== null && card.run === player.run.id && card.t === player.t && !player.editing.on && !beside;
  }

  /** What lies over the board, in words; null for nothing. @returns {{ title: string, about: string } | null} */
  get shown() {
    return this.on ? this.card : null;
  }

  /** What is shown: the card, or the board that is given. @param {Board} board @returns {Board} */
  over(board) {
    const { palette, layout } = this.stage.player;
    this.stage.root.classList.toggle("announcing", this.on);
    if (!this.on) return board;
    const { panels, background } = cardBoard(this.card, { ...freeOf(board, layout), palette });
    const drawn = panels.map(({ name, moving }) => new Panel(name, null, { still: [], moving }));
    return { ...board, background, panels: drawn };
  }
}

/**
 * How much of the board no words lie on: they are at its right, or on its lower part.
 *
 * @param {Board} board
 * @param {Pick<Layout, "dock" | "sheet">} layout
 */
function freeOf({ width, height }, { dock, sheet }) {
  if (!dock) return { width, height };
  return sheet ? { width, height: height - dock.h } : { width: dock.x, height };
}
