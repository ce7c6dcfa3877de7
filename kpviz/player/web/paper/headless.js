// Boards without a browser: the player's own panels, asked for the marks of an instant. Python
// paints them.

import { describe } from "../panels/board.js";
import { Capabilities, Player } from "../board/player.js";
import { cardBoard } from "../panels/card.js";
import { Clock } from "../board/motion.js";
import { Palette } from "../paint/colors.js";
import { Legible } from "../paint/measure.js";
import { isLeftOut, pageWith } from "../board/shown_panels.js";
import { BoardPacker } from "./board_packer.js";
import { layoutOf } from "../board/layout.js";
import { printed } from "./print.js";
import { say, scenesOf } from "../board/scene.js";

/** @import { Run } from "../run/run.js" */
/** @import { Rect } from "../board/types.d.ts" */
/** @import { Theme } from "../run/types.d.ts" */

/**
 * What a picture looks like: its size in CSS pixels; the colours of the theme by name; whether it
 * is grey, for print; the panels shown (null: the default ones), or the only one that fills the
 * picture, `edge` px from its sides; whether the sentence is shown; what each run says at first;
 * the angles of the space of the lift.
 * @typedef {{ width: number, height: number, theme: Theme, grey: boolean, panels: string[] | null,
 *   only: string, edge: number, words: boolean, openings?: string[], turn: { turn: number, tilt:
 *   number } | null }} Options
 */

const LIVELY_PANELS = ["map", "alpha", "margins", "words", "flight"]; // A step happens on these.
const TIMELINE_HEIGHT = 74; // In px, beside words, where the unit is 1.
const SMALLEST_TYPE = 12; // In px, where the unit is 1.
const STEP_SPEED = new Clock().speed; // At this speed each step that one makes is shown happening.

/** A stage that nobody sees. */
export default class Headless {
  player = new Player({ capabilities: new Capabilities({ server: false }) });
  legible = new Legible();
  held = new Map(); // The keys of the still layers that each reader has.
  first = []; // The panels whose page is shown before the first cue.
  /** @type {string[]} */
  empty = []; // The panels that are left out, since they have nothing to show yet.
  lively = false; // The frame after the newest board is another one.

  /**
   * @param {Uint8Array} bytes of an envelope
   * @param {Options} options
   */
  constructor(bytes, options) {
    const { player } = this;
    player.take(bytes);
    player.modes.enter({ name: "paper", bare: true });
    const panels = options.only
      ? [...(options.panels ?? []), options.only]
      : (options.panels ?? player.shown);
    player.state.change({ shown: new Set(panels) });
    player.lift.angles = options.turn;
    this.grey = options.grey;
    this.speaks = options.words ?? true;
    this.options = options;
    player.palette = paletteOf(player.run, options);
    options.openings?.forEach((text, k) => opensWith(player.runs.all[k], text));
    this.#lay(0);
    this.#begin();
  }

  /** Lay out a page of the panels beside the map: what lay elsewhere is described again. */
  #lay(page) {
    const { player } = this;
    const { width, height, only, edge, words = true } = this.options;
    const { together, ...content } = player.content;
    player.width = width;
    player.layout = only
      ? layoutOf(new Set([only]), { kind: "single", width, height, margin: edge })
      : layoutOf(new Set([...player.there].filter((name) => !this.empty.includes(name))), {
          ...content,
          kind: "projector",
          width,
          height,
          words,
          page,
          turns: false,
          together: [...together, this.first],
        });
    const map = { x: 0, y: 0, w: width, h: height }; // A panel alone may have no map.
    player.maps = player.runs.maps({ ...player.layout, panels: { map, ...player.layout.panels } });
    this.legible.stillLayers.clear();
    this.held.clear();
  }

  /**
   * Where no cue turns to a page, show from the start what no cue lights, with what the first one
   * does: nobody turns paper.
   */
  #begin() {
    const { cues, layout, there } = this.player;
    const { pages = [] } = layout;
    const lit = cues.placed.map(({ light }) => light);
    const turned = lit.reduce(
      (before, names) => [...before, pageWith(names, pages, before.at(-1))],
      [0],
    );
    const seen = turned.slice(cues.at(0) ? 1 : 0).flatMap((page) => pages[page] ?? []);
    if (pages.flat().every((name) => seen.includes(name))) return;
    this.first = [...there].filter((name) => !lit.flat().includes(name)).concat(lit[0] ?? []);
    this.#lay(0);
  }

  /**
   * Turn to the page of an instant: as on stage, a cue turns to that of the panel that it lights,
   * and it stays.
   */
  #turn(t, empty = this.#emptyAt(t)) {
    const { cues } = this.player;
    if (empty.join() !== this.empty.join()) {
      this.empty = empty;
      this.#lay(0);
    }
    const { page = 0, pages = [] } = this.player.layout;
    const seen = cues.placed.filter((cue) => cue.t <= t && cue === cues.at(cue.t));
    const now = seen.reduce(
      (shownPage, { light }) => pageWith(light, pages, shownPage),
      pageWith(this.first, pages, 0),
    );
    if (now !== page) this.#lay(now);
  }

  /** The panels that have nothing to show at an instant, and of which no cue speaks. */
  #emptyAt(t) {
    const { cues, run, runs, there } = this.player;
    if (this.options.only || runs.all.length > 1) return [];
    const lit = cues.at(t)?.light ?? [];
    return [...there].filter((name) => isLeftOut(name, { run, t }, lit));
  }

  /**
   * What lies on the board at an instant, with what has nothing to show yet, what finds no room
   * there, and what of that has a page.
   */
  placed(t) {
    this.#turn(t, []);
    const { panels, without = [], pages = [] } = this.player.layout;
    return { panels, without, paged: pages.flat() };
  }

  /**
   * The board of the instant t.
   *
   * @param {number} t
   * @param {number | null} gone ms since the step that led to it began, null where none is shown
   *   happening
   * @param {[number, number] | null} playing where steps come too fast for that: ms of the film,
   *   and ms that each stays
   * @param {string | null} sentence in place of the sentence
   */
  board(t, gone = null, playing = null, sentence = null) {
    const { player } = this;
    const { cursor, palette } = player;
    this.#turn(t);
    this.#play(playing);
    if (gone === null || t === 0) cursor.put(t);
    else if (!(player.t === t && cursor.motion)) {
      cursor.put(t - 1);
      // A player has read it so, when it drew.
      for (const run of player.runs.all) run.reading(Math.min(t - 1, run.nSteps));
      cursor.step("example", 1);
      cursor.motion?.atRest(0); // It begins now.
    }
    const scenes = this.#scenes(gone ?? playing?.[0] ?? 0, sentence);
    const moving = Object.values(scenes).filter((scene) => scene.moving);
    this.lively = cursor.motion !== null || moving.length > 0;
    const board = this.#described(scenes);
    for (const panel of board.panels) this.#finish(panel, board);
    // A step writes over the images of what stood still.
    const steps = moving.some(({ thinned }) => !thinned);
    if (steps) for (const { name } of player.maps) this.legible.stillLayers.delete(`${name}0`);
    return { ...board, background: palette.paper };
  }

  /** Play at a pace, or not at all. */
  #play(playing) {
    const { clock } = this.player;
    clock.playing = playing !== null;
    clock.speed = playing ? 1000 / playing[1] : STEP_SPEED;
  }

  /** The scenes with this sentence, null for their own; without one where nothing is to be said. */
  #scenes(now, sentence = null) {
    const scenes = scenesOf(this.player, now);
    if (this.speaks && sentence === null) return scenes;
    const words = this.speaks ? { sentence, formula: "" } : { sentence: "" };
    for (const scene of Object.values(scenes)) say(scene, words);
    return scenes;
  }

  /** The board as it is painted: nobody points at it. */
  #described(scenes) {
    const { layout, width } = this.player;
    const board = describe(scenes, layout, width);
    return { ...board, panels: board.panels.map((panel) => panel.painted) };
  }

  #finish(panel, { width, height }) {
    const { layout, palette } = this.player;
    this.legible.fit(panel, { least: layout.least, fonts: palette.fonts, width, height });
    if (!this.grey) return;
    panel.moving = printed(panel.moving, palette);
    panel.still = panel.still.map((still) => ({
      ...still,
      marks: () => printed(still.marks(), palette),
    }));
  }

  /**
   * The same, packed; of still layers that a reader has already, only the names. Without a reader:
   * all of them.
   */
  packed(t, gone, reader, playing, sentence) {
    return this.#wrapped(this.board(t, gone, playing, sentence), reader);
  }

  /**
   * The map and the timeline alone, packed, at a place of the page and with nothing under them,
   * where the run opens.
   *
   * @param {Rect} rect
   * @param {number} least px of the smallest type
   */
  mapAndTimeline(rect, least) {
    const { player } = this;
    const unit = least / SMALLEST_TYPE;
    const strip = Math.round(TIMELINE_HEIGHT * unit);
    const side = Math.floor(Math.min(rect.w, rect.h - strip));
    const map = { x: rect.x + Math.floor((rect.w - side) / 2), y: rect.y, w: side, h: side };
    player.layout = {
      ...player.layout,
      unit,
      least,
      panels: { map, timeline: { ...rect, y: rect.y + side, h: strip } },
    };
    player.maps = player.runs.maps(player.layout);
    const board = this.#described(this.#scenes(0));
    if (this.grey) {
      for (const panel of board.panels) panel.moving = printed(panel.moving, player.palette);
    }
    return this.#wrapped({ ...board, background: null }, null);
  }

  #wrapped({ width, height, background, panels }, reader) {
    const packer = new BoardPacker();
    const held = (reader !== null && this.held.get(reader)) || new Map();
    if (reader !== null) this.held.set(reader, held);
    const plain = panels.map((panel) => ({
      name: panel.name,
      rect: panel.rect,
      clip: panel.clip,
      lively: this.lively && LIVELY_PANELS.includes(panel.name.split("-")[0]),
      still: panel.still.map((still, k) => layerOf(`${panel.name}${k}`, still, packer, held)),
      moving: packer.marks(panel.moving),
    }));
    return packer.wrapped({ width, height, background, panels: plain });
  }

  /** A title page, packed. */
  card(text) {
    const { width, layout, palette } = this.player;
    return new BoardPacker().wrapped(cardBoard(text, { width, height: layout.height, palette }));
  }
}

/**
 * The colours of a picture: purple says that one can act, and nobody acts on paper.
 *
 * @param {Run} run
 * @param {Options} options
 */
function paletteOf({ header: { tokens } }, { theme, grey }) {
  const still = { ...theme, accent: theme.ink };
  const palette = new Palette({ ...tokens, themes: { light: still, dark: still } }, false);
  palette.grey = grey;
  return palette;
}

function layerOf(name, { key, marks, upTo = null }, packer, held) {
  const known = held.get(name) === key;
  held.set(name, key);
  return { name, upTo, marks: known ? null : packer.marks(marks()) };
}

/**
 * Let a run say something else before its first step.
 *
 * @param {Run} run
 */
function opensWith({ header }, text) {
  header.names.lookFor = "";
  header.words.steps[header.words.start] = text;
}
