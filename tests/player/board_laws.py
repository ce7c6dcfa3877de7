"""What is wrong with a board: words on words, outside, cut off or crossed, points covered, marks
hard to see.
"""

import re

from contrast import contrast
from windows import TOUCHED

from kpviz import tokens

FINGER = 44  # px
# Four digits of a whole part with no comma among them; bits and years have none.
TOGETHER = re.compile(r"(?<![\d.,(₀-₉])(?![01]+\b)\d{4,}")
# A point's name that is squared, multiplied or has a number before it as the component of a vector.
COMPONENT = re.compile(r"\d·x[₀-₉]|x[₀-₉]+(x[₀-₉]|[²³⁴-⁹])")
# Marks that one has to see, by their panels, and what is under them.
SEEN = {
    "timeline": {"epoch": "panel", "edge": "panel", "behind": "paper"},
    "map": {"boundary": "field_zero", "other": "field_zero"},
}

LAID_OUT = """(([width, height, dark, shown, around, isFitted]) => {
  const { Legible, SCRIPT, boxOf, overlap } = load("paint/measure.js");
  const { STEPS } = load("board/scale.js");
  const { Palette } = load("paint/colors.js");
  if (width) s.size = { width, height };
  s.player.palette = new Palette(s.run.header.tokens, dark);
  s.around = around;
  s.arrange();
  const { fonts } = s.palette;
  const maps = new Set(s.player.maps.map(({ name }) => name));
  const EXAMPLE = /^x_?[0-9₀-₉]+$/;
  const faults = [];
  const wrong = (law, panel, ...what) => faults.push([law, panel, ...what]);

  const words = (name, rect, boxes) => {
    boxes.forEach((one, k) => {
      const { mark: { text } } = one;
      for (const other of boxes.slice(k + 1)) if (overlap(one, other)) wrong("on another", name, text, other.mark.text);
      const page = { x: 0, y: 0, w: s.size.width, h: s.layout.height };
      if (sticksOut(one, rect ?? page, 3) || sticksOut(one, page, 1)) wrong("outside", name, text);
      const room = width > 1000 || maps.size === 1;
      // A text of the data, or a formula that somebody has typed.
      const written = one.mark.name === "object" || name === "remembered" || /^k = |[[][0-9]/.test(text);
      if (text.includes("…") && room && !written) wrong("cut", name, text);
    });
  };

  const sticksOut = ({ x, y, w, h }, rect, slack) =>
    x < rect.x - slack || x + w > rect.x + rect.w + slack ||
    y < rect.y - slack || y + h > rect.y + rect.h + slack;

  // Nothing that is written or laid anywhere covers a point of a map.
  const onPoints = (panels) => {
    const points = panels.filter(({ name }) => maps.has(name)).flatMap(({ marks }) =>
      marks.filter(({ i, r, name }) => Number.isInteger(i) && r && !["halo", "foot"].includes(name)));
    for (const { name, boxes, still, moving } of panels) {
      const seenUpTo = ({ marks, upTo = Infinity }) => marks().filter(({ x }) => !(x >= upTo));
      const marks = [...still.flatMap(seenUpTo), ...moving];
      const plates = marks.filter(({ kind, name: mark, fill }) =>
        mark === "plate" || (kind === "rect" && fill && !maps.has(name)) || (kind === "rect" && fill && mark === "over"));
      const scales = marks.filter(({ kind, h }) => kind === "image" && h < 20);
      for (const { x, y, w, h, mark } of [...boxes, ...plates, ...scales])
        for (const point of points) {
          const gap = Math.max(x - point.x, point.x - x - w, y - point.y, point.y - y - h);
          if (gap < point.r - 1) wrong("covers", name, mark?.text ?? "a plate or a scale", point.i);
        }
    }
  };

  // No word of a panel lies on one of another panel.
  const acrossPanels = (panels) =>
    panels.forEach(({ name, boxes }, k) => {
      for (const { name: otherName, boxes: others } of panels.slice(k + 1))
        for (const one of boxes)
          for (const other of others)
            if (overlap(one, other)) wrong("on another", name, one.mark.text, otherName, other.mark.text);
    });

  // What runs through no word, or lies under none.
  const struck = (name, marks, boxes) => {
    const rules = {
      timeline: [/^epoch/, ["cursor", "cue", "pole", "head"]],
      margins: [/./, ["dashed", "lit"]],
    };
    const [words, others] = rules[name] ?? [/(?!)/, []];
    for (const { x, y, w, h, mark } of boxes.filter(({ mark }) => words.test(mark.name ?? "") || words.test(mark.text)))
      for (const each of marks) {
        const called = each.name ?? (each.lit === undefined ? (each.dash ? "dashed" : "") : "lit");
        if (!others.includes(called)) continue;
        const [xs, ys] = [0, 1].map((odd) => [...(each.points ?? [])].filter((_, k) => k % 2 === odd));
        const at = each.points ? { x: Math.min(...xs), y: Math.min(...ys) } : each;
        const far = each.points ? [Math.max(...xs) - at.x, Math.max(...ys) - at.y] : [each.w ?? 0, each.h ?? 0];
        const gap = Math.max(x - at.x - far[0], at.x - x - w, y - at.y - far[1], at.y - y - h);
        if (gap < (each.r ? 0.8 * each.r : -1)) wrong("struck", name, mark.text, called);
      }
    const [title] = boxes.filter(({ mark }) => mark.name === "title");
    const first = Math.min(...marks.filter(({ kind, i }) => kind === "rect" && i !== undefined).map(({ x }) => x));
    for (const { x, y, w, mark } of name === "alpha" ? boxes.filter(({ mark }) => mark.name === "axis") : []) {
      if (y <= title.y + title.h + 0.12 * title.mark.size) wrong("under the title", name, mark.text);
      if (x + w > first) wrong("covered", name, mark.text);
    }
  };

  // Where there is a legend it says which class is which, and what halos show; and so does the line
  // of a question in a wide window. What is said at a point keeps clear of the frame.
  const explained = (panels) => {
    const above = panels.filter(({ name }) => /^(strip|caption|question)/.test(name));
    const keys = above.flatMap(({ texts }) => texts.map(({ text }) => text));
    const { names, words } = s.run.header;
    const areNamed = [0, 1].every((k) =>
      keys.some((text) => [names.classes[k], words.classes[k]].some((one) => text.includes(one))));
    const stands = (panel) => above.some(({ name }) => name === panel);
    const isKeyed = stands("strip") || (stands("question") && width >= 600);
    if (isKeyed && !areNamed) wrong("no legend", "map", ...keys);
    const halos = panels.some(({ marks }) => marks.some(({ name, i }) => name === "halo" && i !== undefined));
    if (halos && stands("strip") && !keys.some((text) => /halo|everywhere|hidden|^k[(]|alike/.test(text))) wrong("no key of halos", ...keys);
    for (const { name, rect, boxes } of panels.filter(({ name }) => maps.has(name)))
      for (const { x, w, mark } of boxes.filter(({ mark }) => mark.name === "object"))
        if (x < rect.x + 4 || x + w > rect.x + rect.w - 4) wrong("at the frame", name, mark.text);
  };

  const legible = new Legible();
  const fitted = (panel) => {
    if (isFitted) legible.fit(panel, { least: s.layout.least, fonts, ...s.size });
    return panel;
  };
  const panels = s.board.panels.map((panel) => {
    const { name, rect, marks } = fitted(panel);
    const boxes = marks.filter(({ kind, text }) => kind === "text" && text?.trim()).map((mark) => ({
      ...boxOf(mark, mark.code ? { ...fonts, canvas: fonts.code } : fonts), mark,
    }));
    words(name, rect, boxes);
    struck(name, marks, boxes);
    const { still, moving } = panel;
    return { name, rect, marks, still, moving, boxes, texts: boxes.map(({ mark }) => mark) };
  });
  onPoints(panels);
  acrossPanels(panels.filter(({ name }) => name !== "tip"));
  explained(panels);
  const lines = panels.flatMap(({ name, marks }) => marks.filter((mark) => mark.name === "boundary")
    .map(({ width }) => width / Math.max(1, s.layout.panels[name].w / 600)));
  const texts = panels.flatMap(({ name, texts }) =>
    texts.map(({ text, size, fill, alpha }) => ({ panel: name, text, size, fill, alpha })));
  // Indices are set smaller than their line, as those of the typeface are.
  for (const { name, texts } of panels)
    texts.forEach(({ text, size }, k) => {
      const isIndex = k > 0 && Math.abs(size - SCRIPT * texts[k - 1].size) < 1e-6;
      if (!isIndex && size < STEPS.small - 1e-6) wrong("below the floor", name, text, size);
    });
  const seen = panels.flatMap(({ name, marks }) => marks.filter((mark) => shown[name]?.includes(mark.name))
    .map((mark) => ({ panel: name, name: mark.name, fill: mark.fill ?? mark.stroke, alpha: mark.alpha })));
  for (const { name, texts } of panels.filter(({ name }) => ["axis", "gutter"].includes(name)))
    for (const { text, weight } of texts)
      if (weight === 600 && EXAMPLE.test(text)) wrong("called like a point", name, text);
  const said = load("point/spoken.js").accountOf(s.player).flatMap(({ lines }) => lines);
  return { faults, lines, texts, seen, said };
})(arg)"""


def room_in(window):
    """Width and height that a window leaves to the board under the bar above it, and what else the
    page says of that room.
    """
    width, height = window
    bar = 40 if height < 560 and window not in TOUCHED else FINGER if width < 900 else 45
    top = bar if height < 560 or width < 900 else bar + 4
    around = {"view": height, "touch": window in TOUCHED}
    return width - 16, max(height - top - 6, 200), around


def faults(player, size=(0, 0), theme="light", is_fitted=False, **around):
    """What is wrong with the board at a size, (0, 0): its own; and how wide lines are on a map of
    600 px at most.
    """
    facts = player.js(
        LAID_OUT,
        [
            *size,
            theme == "dark",
            {panel: list(names) for panel, names in SEEN.items()},
            around,
            is_fitted,
        ],
    )
    colours = tokens.THEMES[theme]
    wrong = facts["faults"]
    for mark in facts["texts"]:
        is_on_button = mark["fill"] == colours["paper"]
        ground = colours["accent" if is_on_button else "paper"]
        if mark["panel"] != "sequence" and contrast(on(mark, ground), ground) < 4.5:
            wrong.append(["hard to read", mark["panel"], mark["text"], mark["fill"]])
    for mark in facts["seen"]:
        ground = colours[SEEN[mark["panel"]][mark["name"]]]
        if contrast(on(mark, ground), ground) < 3:
            wrong.append(["hard to see", mark["name"], mark["fill"]])
    texts = [mark["text"] for mark in facts["texts"]] + facts["said"]
    wrong += [["thousands", text] for text in texts if TOGETHER.search(text)]
    wrong += [["a component called like a point", text] for text in texts if COMPONENT.search(text)]
    return wrong, facts["lines"]


def on(mark, ground):
    """The colour of a mark on its ground."""
    share = mark.get("alpha", 1)
    parts = [
        [int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (mark["fill"], ground)
    ]
    return "#" + "".join(
        f"{round(share * a + (1 - share) * b):02x}" for a, b in zip(*parts, strict=True)
    )
