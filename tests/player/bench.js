// A player for the tests: its board, its pointer and its keys without a page. `load` gives a module
// by its path.

{
  const { Actions } = load("page/actions.js");
  const { describe } = load("panels/board.js");
  const { Palette } = load("paint/colors.js");
  const { Capabilities, Player, untouched } = load("board/player.js");
  const { scenesOf } = load("board/scene.js");
  const { ON_BOARD } = load("modes/board_actions.js");
  const { pinnedTouchOf, pointAgain, touchOf } = load("point/pointer.js");
  const { Targets } = load("point/targets.js");
  const { Edit } = load("modes/edit.js");
  const { StepQuestion } = load("modes/question.js");
  const { Reorder } = load("modes/order.js");

  const FRAME = 400; // In ms: more than a frame, so that few of them end a motion.
  const WINDOW = { width: 1342, height: 714 }; // The board in a window of 1366 × 768.

  /** All that stay until one leaves them, except the first minute, which is made of elements. */
  const standingOf = (bench) => ({
    edit: new Edit(bench),
    question: new StepQuestion(bench.player),
    reorder: new Reorder(bench),
  });

  /** What shows a player, as far as the tests need it. */
  class Bench {
    player;
    message = ""; // It is said for a moment.
    now = 0;
    around = {}; // What a page says of the room besides its size.
    targets = new Targets(() => this.board);
    seen = false; // The targets are those of the board as it is now.
    session = null; // Nobody answers what it sends.
    controls = { takeMap() {} };
    standing;
    actions;

    /**
     * @param {Uint8Array} data of an envelope
     * @param {{ width: number, height: number }} size
     * @param {"play" | "fisher"} page whose board it is
     */
    constructor(data, size, page) {
      this.size = size ?? WINDOW;
      const capabilities = new Capabilities({ page });
      this.player = new Player({ page: this, capabilities });
      this.standing = standingOf(this);
      const escape = () => this.player.state.change({ pinned: null });
      this.actions = Object.assign(new Actions(this), { escape });
      this.player.modes.known.push(...Object.values(this.standing));
      const envelope = this.player.take(data);
      if (envelope.view.stage) {
        this.player.modes.enter({ name: "present", bare: true, boardShape: { kind: "projector" } });
      }
      this.player.palette = new Palette(this.player.run.header.tokens, false);
      this.arrange();
      this.player.state.subscribe((changed) => this.follow(changed));
    }

    get cursor() {
      return this.player.cursor;
    }

    // ---- what the player asks of a page ---------------------------------------------------------

    redraw() {
      this.seen = false;
    }

    say(words) {
      this.message = words;
    }

    arrange() {
      this.player.place(this.size.width, this.size.height, this.around);
      this.see();
    }

    follow(changed) {
      if (changed.has("shown")) this.arrange();
      else if (changed.has("t") || changed.has("pinned")) this.see();
      else this.redraw();
    }

    // ---- what is seen ---------------------------------------------------------------------------

    get scenes() {
      return () => scenesOf(this.player, this.now);
    }

    get board() {
      return describe(this.scenes(), this.player.layout, this.size.width);
    }

    /** As a page draws it, while nothing is touched: what can be pointed at. */
    look() {
      this.player.touch = untouched();
      this.targets.board = this.board;
      this.seen = true;
    }

    /** Something has changed. */
    see() {
      this.seen = false;
      this.retouch();
    }

    /** Describe all marks, as a page does when it draws them: some are kept for what comes next. */
    draw() {
      for (const panel of this.board.panels) void panel.marks;
    }

    /** Let time pass until nothing moves. */
    settle() {
      this.draw();
      const began = this.now;
      while (this.cursor.motion && !this.cursor.motion.atRest(this.now)) this.now += FRAME;
      if (this.now !== began) this.draw();
    }

    // ---- what a hand does -----------------------------------------------------------------------

    point(pointer) {
      this.player.state.change({ pointer });
      this.retouch();
    }

    retouch() {
      const { player, targets } = this;
      if (player.pointer && !this.seen) this.look();
      if (player.pointer) player.state.change({ pointer: pointAgain(targets, player.pointer) });
      player.touch = touchOf(player, player.pointer?.hit ?? null);
      player.pinnedTouch = pinnedTouchOf(player);
    }

    click(pointer) {
      this.point(pointer);
      this.pick();
    }

    /** As a stage does it. */
    pick() {
      const { player } = this;
      const { touch, pointer } = player;
      if (touch.time !== null) player.cursor.go(touch.time);
      else player.state.change({ pinned: touch.probe || touch.full ? pointer : null });
    }

    press(name) {
      this.actions.press(ON_BOARD.find(({ keys }) => keys?.includes(name)).name);
    }
  }

  /** A name that the bench does not have is its player's, or else its cursor's. */
  const seen = (bench) => probe(bench, () => [bench.player, bench.cursor]);

  const isFloats = (value) => value instanceof Float64Array || value instanceof Float32Array;

  globalThis.tests = {
    probe,

    open(size, page) {
      this.bench = seen(new Bench(kpviz.bytes, size, page));
    },

    /** The marks of a panel that look like this, by their texts, names or kinds, as JSON. */
    marks(panel, look) {
      const has = (mark) => Object.entries(look).every(([key, value]) => mark[key] === value);
      const marks = this.bench.board.panels
        .filter(({ name }) => name === panel)
        .flatMap(({ marks }) => marks.filter(has));
      const plain = (key, value) =>
        key === "image" ? null : ArrayBuffer.isView(value) ? [...value] : value;
      return JSON.stringify(marks, plain);
    },

    /**
     * A value as JSON; of arrays of floats it has the places in `floats`, since their digits take
     * long.
     */
    value(value) {
      const arrays = [];
      let length = 0;
      const plain = (_, part) => {
        if (!ArrayBuffer.isView(part)) return part;
        if (!isFloats(part) || !part.every(Number.isFinite)) return [...part];
        arrays.push([length, part]);
        length += part.length;
        return { floats: [length - part.length, length] };
      };
      const text = JSON.stringify(value, plain) ?? "null";
      const floats = new Float64Array(length);
      for (const [at, part] of arrays) floats.set(part, at);
      this.floats = new Uint8Array(floats.buffer);
      return text;
    },
  };
}
