// Who takes a key: presses each of the keys while the page is in one mode, and says what has come
// of it. The answers of the server are left out: what would be asked is noted. After each press the
// mode is entered anew.

async (root, seen, enter, { keys, repeat }) => {
  const stage = root.kpviz;
  const s = seen(stage);
  const noted = [];
  const note =
    (name) =>
    (value, ...more) => {
      const what = typeof value === "string" ? ` ${value}` : "";
      noted.push(
        `asks ${name}${what}${name === "command" && more[0] ? ` ${JSON.stringify(more[0])}` : ""}`,
      );
      return 0;
    };
  const pretended = [];
  /** Put something in the place of what an object has, until the end. */
  function pretend(object, name, value) {
    const was = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
    pretended.push(() => (was ? Object.defineProperty(object, name, was) : delete object[name]));
  }
  if (stage.session) {
    for (const name of ["command", "drag", "undo", "redo", "abandon", "again", "show", "name"]) {
      pretend(stage.session, name, note(name));
    }
    pretend(stage.session, "counts", { undo: 1, redo: 1 });
    pretend(stage.session, "awaits", () => false);
  }
  if (stage.outside) pretend(stage.outside, "dialog", note("dialog"));
  pretend(stage.notes, "open", note("notes"));
  const { lesson } = stage.standing;
  if (lesson) pretend(lesson, "close", note("the lesson to close"));
  pretend(navigator.clipboard, "writeText", () => Promise.resolve());
  pretend(Element.prototype, "requestFullscreen", () => {
    noted.push("fills the screen");
    return Promise.reject(new Error("not in this test"));
  });
  const clock = s.clock;
  pretend(clock, "tick", () => {}); // What plays stays where it is.

  const focused = () => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  };
  const nameOf = (element) => {
    if (element === stage.canvas) return "the canvas";
    if (!element || element === document.body) return "nothing";
    return (
      element.dataset?.do ??
      element.dataset?.panel ??
      (element.className || element.tagName.toLowerCase())
    );
  };

  /** What can be seen of the page, each thing by its name. */
  const look = () => {
    const { player, controls, dock, cueBox } = stage;
    const { edit, firstMinute, question, present } = stage.standing;
    const { touch } = player;
    const menus = Object.entries(controls.menus).filter(([, menu]) => !menu.hidden);
    return {
      t: player.t,
      plays: clock.playing,
      slow: clock.slow,
      speed: Number(clock.speed.toFixed(2)),
      panels: [...player.shown].sort().join(" "),
      page: player.panelPage,
      lift: player.lift.query,
      draws: edit.on && (edit.label > 0 ? "+1" : "-1") + (edit.brush ? " brush" : ""),
      cursor: edit.keyboard?.map((place) => place.toFixed(3)).join(" ") ?? null,
      holds: Boolean(player.modes.held),
      waits: edit.later.length,
      guesses: question.on && `${question.phase} ${question.answers.size}`,
      threshold: player.run.fisher?.movedThreshold ?? null,
      stage: present.on ? present.shape : null,
      blank: present.blank,
      light: present.spotlight.on,
      words: present.slides.over && `${present.slides.over} ${present.slides.page}`,
      code: present.join.on,
      menus: [...menus.map(([name]) => name), ...controls.popovers.map(() => "popover")].join(" "),
      settings: dock?.open || false,
      cue: cueBox.open,
      export: stage.export?.open ?? false,
      lesson: lesson?.open ? lesson.at : null,
      predicts: lesson?.view?.guesses.textContent ?? null,
      minute: firstMinute.phase,
      pinned: player.pinned !== null,
      touches: touch.hot.size > 0 || touch.lines.length > 0,
      focus: nameOf(focused()),
      says: controls.statusLine.textContent,
    };
  };

  /** Leave all modes. */
  const leave = () => {
    const { player, controls, dock, standing, cueBox, termBox } = stage;
    const { edit, present } = standing;
    stage.arrange = () => {}; // Once at the end is enough.
    if (standing.firstMinute.phase !== null) standing.firstMinute.stop();
    player.modes.cancel();
    if (edit.on) edit.toggle(false);
    edit.label = 1;
    present.end();
    controls.menu(null);
    cueBox.close();
    if (stage.export?.open) stage.export.dialog.close();
    dock?.close();
    termBox.close();
    if (standing.question.on) standing.question.toggle();
    focused()?.blur();
    stage.walk.leave();
    if (player.run.fisher) s.cursor.cut(null);
    player.lift.to(null);
    player.order.ahead = null;
    player.panelPage = 0;
    player.state.change({ pinned: null, shown: new Set(stage.shownAtFirst) });
    clock.stop();
    clock.slow = false;
    clock.speed = stage.speedAtFirst;
    s.cursor.put(stage.timeAtFirst);
    controls.statusLine.textContent = "";
    if (present.slides.over) present.slides.hide();
    if (lesson?.open) {
      // What a key answered or preferred is not there when the mode begins anew.
      for (const name of Object.keys(localStorage)) {
        if (/^kpviz-(lesson-|forms-|prefers-questions)/.test(name)) localStorage.removeItem(name);
      }
      lesson.go(0);
    }
    stage.point(null);
    delete stage.arrange;
    stage.arrange();
  };
  Object.assign(stage, { shownAtFirst: [...s.shown], speedAtFirst: clock.speed, timeAtFirst: s.t });

  const settle = async () => {
    for (let k = 0; k < 8; k++) await Promise.resolve();
  };
  /** The mode as it begins, the same each time. */
  const start = async () => {
    leave();
    await settle();
    focused()?.blur(); // Presenting gives the focus back a moment later.
    enter(s, stage);
    await settle();
    stage.draw();
    noted.length = 0;
    return look();
  };

  const differences = (before, after) =>
    Object.keys(before)
      .filter((name) => before[name] !== after[name])
      .map((name) => `${name} ${before[name]} → ${after[name]}`);

  const outcomes = {};
  const first = await start();
  for (const key of keys) {
    const shift = key.startsWith("Shift+");
    const name = shift ? key.slice(6) : key;
    const event = new KeyboardEvent("keydown", {
      key: shift && name.length === 1 ? name.toUpperCase() : name,
      shiftKey: shift,
      repeat,
      bubbles: true,
      cancelable: true,
      composed: true,
    });
    (focused() ?? document.body).dispatchEvent(event);
    const taken = event.defaultPrevented;
    await settle();
    if (taken) stage.draw();
    const came = [...differences(first, look()), ...noted];
    outcomes[key] =
      taken || came.length
        ? `${taken ? "taken" : "left"}: ${came.join("; ") || "nothing"}`
        : "left";
    noted.length = 0;
    if (came.every((what) => what.startsWith("asks ") || what.startsWith("says "))) {
      stage.controls.statusLine.textContent = first.says;
      continue;
    }
    const now = await start();
    const strange = differences(first, now);
    if (strange.length) {
      throw new Error(`after ${key} the mode begins in another way: ${strange.join("; ")}`);
    }
  }
  leave();
  for (const undo of pretended.reverse()) undo();
  for (const name of ["shownAtFirst", "speedAtFirst", "timeAtFirst"]) delete stage[name];
  return outcomes;
};
