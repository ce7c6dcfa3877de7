// A puzzle before a class: the map with its board, the number of that, and the records of the
// class, which are typed or read from links. The best so far stands first, and its board is shown.

import { bareStage, questionBesideMap } from "../board/class_layout.js";
import { readings } from "../page/typed_number.js";
import { recordIn } from "../page/lesson/record.js";
import { WallBox } from "../page/wall_box.js";
import { counted } from "../run/words.js";
import { keep, recall, PLACES } from "../service/texts.js";

/** @import { BoardShape, Rect } from "../board/types.d.ts" */
/** @import { Puzzle } from "./puzzle.js" */
/** @import { SeenPuzzle } from "../page/lesson/puzzle.js" */

/**
 * A record of the class. `board`: the link that proves it, "" where it was only typed.
 * @typedef {{ value: number, shown: string, by: string, board: string }} WallRecord
 */

const LONGEST_NAME = 20; // In characters, as in kpviz/lessons/records.py.

export class PuzzleWall {
  /** @type {WallRecord[]} */
  records = []; // The best first.
  shownBoard = ""; // The board of a record that is shown, "" for none.

  /** @param {Puzzle} puzzle */
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.box = new WallBox(puzzle.stage, (text) => this.#read(text));
  }

  /** Another puzzle is there. */
  open() {
    this.records = recall(PLACES.wall, this.puzzle.task.mark) ?? [];
    this.shownBoard = "";
  }

  /** @param {WallRecord} record */
  add(record) {
    const isOther = ({ by, value }) => (record.by ? by !== record.by : value !== record.value);
    const before = this.records.find((other) => !isOther(other));
    const better = before && this.puzzle.isBetter(before.value, record.value) ? before : record;
    this.#put([...this.records.filter(isOther), better]);
  }

  /** Take the record away that came last. */
  #takeBack() {
    this.#put(this.records.filter((record) => record !== this.last));
  }

  /** @param {WallRecord[]} records */
  #put(records) {
    const { puzzle } = this;
    this.last = records.at(-1);
    this.records = [...records].sort((one, other) =>
      puzzle.isBetter(one.value, other.value) ? -1 : Number(one.value !== other.value),
    );
    keep(PLACES.wall, this.records, puzzle.task.mark);
    puzzle.stage.arrange();
  }

  /** What was typed: a number with a name, or the link of a record. @param {string} text */
  #read(text) {
    const { puzzle } = this;
    if (text.includes("record=")) {
      const { host } = puzzle;
      const pairs = Object.fromEntries(new URLSearchParams(text.slice(text.indexOf("?") + 1)));
      if (pairs.lesson === host.name) puzzle.readRecord(recordIn(pairs, host.name));
      else puzzle.stage.say("This record is one of another puzzle.");
      return;
    }
    const [, number, by] = /^(\S+)\s*(.*)$/.exec(text);
    const values = readings(number);
    if (values.length === 1) {
      this.add({
        value: values[0],
        shown: number,
        by: by.slice(0, LONGEST_NAME).trim(),
        board: "",
      });
    } else {
      puzzle.stage.say(`“${number}” is not a number: write it first, and then the name.`);
    }
  }

  /** A page turned by a clicker; returns whether that is all it does. */
  turn(direction) {
    const board = this.records.find((record) => record.board)?.board ?? "";
    const goesOn = direction > 0 && board !== this.shownBoard;
    const goesBack = direction < 0 && this.shownBoard !== "";
    if (goesOn) {
      this.shownBoard = board;
      this.puzzle.showBoard(board);
    } else if (goesBack) {
      this.shownBoard = "";
      this.puzzle.again();
    }
    return goesOn || goesBack;
  }

  /** Whether a key means something here, which is then done. @param {string} name */
  press(name) {
    if (name === "Enter") this.box.listen();
    else if (name === "0") this.#takeBack();
    else return undefined;
    return true;
  }

  /** For the lecturer alone. */
  linesForLecturer() {
    const { task } = this.puzzle;
    const lines = this.records.map(
      ({ shown, by, board }) => `${shown} ${by}${board ? " ✓ checked" : ""}`,
    );
    return [this.puzzle.ask, `par ${task.par}`, ...lines];
  }

  /** @param {BoardShape} shape */
  layout(shape) {
    return questionBesideMap(shape, bareStage(this.puzzle.player, shape, new Set(["map"])));
  }

  /** @param {Rect} box of the board in the window */
  place(box) {
    this.box.place(box, this.puzzle.player.layout);
  }

  /** @param {SeenPuzzle} seen */
  show({ where, shown, unit, learnt }) {
    const { puzzle, records } = this;
    const { par } = puzzle.task;
    const [best] = records;
    // The engine counts once more; until then it is the number that was checked.
    const boardOf = records.find(({ board }) => board && board === this.shownBoard);
    const count = puzzle.checked === null && boardOf ? boardOf.shown : shown;
    const proven = records.filter(({ board }) => board).length;
    const all = counted(records.length, "record");
    const some = proven ? `${proven} of them checked` : "none of them checked";
    const checked = proven === records.length ? "each one checked" : some;
    this.box.show({
      where,
      question: puzzle.ask,
      shown: count,
      beside: [
        unit,
        ...(best?.shown === count ? [`the best so far: ${best.by || "without a name"}`] : []),
      ],
      told: learnt.length ? [...learnt, ` ${puzzle.best}`] : [puzzle.why],
      isReached: learnt.length > 0,
      records,
      foot: records.length
        ? `par ${par} · ${all}, ${checked}`
        : `par ${par} · Y shows the code, Enter takes a record`,
    });
  }
}
