"""The one table of panels.

The player, links, cues, dialogs and the command line read it, so it lies below them.

A panel is one file in the player's `panels/`, which exports one object `<name>Panel`, and one line
of `PANELS`; `make assets` writes the player's copy of the table (`scripts/panels.py`).

Tests: tests/test_panels.py.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Group = Literal["board", "default", "more", "compared", "on map"]
ABOUT = {
    "decides": "How it decides",
    "learns": "How it learns",
    "proven": "What is proven",
    "map": "On the map",
}


@dataclass(frozen=True)
class Panel:
    """What is known of a panel besides its marks.

    Parameters
    ----------
    name : what links, cues and the command line call it.
    title : what it shows, for menus and dialogs; short : the same in a word or two, for tabs and
        messages.
    group : "board": always there; "default": there unless it is switched off; "more": there when it
        is asked for; "compared": part of a comparison only; "on map": drawn on the map or changes
        another panel.
    page : whose board it stands on, where that is not the player's; there it takes the place of the
        panel `instead`.
    requires : what a run must provide: "training set" (examples that come more than once), "parts"
        (particulars of the learner), "order" (of the examples; its panel says why a run has none)
        or "many" (features, on Fisher's page). Otherwise the panel is empty.
    file : the file of its marks where that is not named like the panel.
    on_request : whether its numbers are computed only when it is shown. key : of the keyboard.
    no_plane : whether it is shown by default where the examples have no plane.
    text : whether it is words only; the sentence beside it stays large.
    share : its height in a column, where most have 1; stream_share : how many times as high it is
        of a stream.
    flat : above its least height it has use for this share of its width, which leaves the rest to
        others.
    square : whether it needs width as well as height. tab_height : in a narrow window, in CSS
        pixels.
    rows, columns : the least room it needs, in letters of the least type: where panels have less,
        they stand on pages.
    shape : width and height of a picture of this panel alone, in CSS pixels.
    about : the key of `ABOUT` under which one finds it; line : in some words what one sees there.
    reveals : what it would reveal to someone who predicts: "now", f at the instant; "ahead", the
        steps to come.
    """

    name: str
    title: str
    short: str
    group: Group
    requires: tuple[str, ...] = ()
    page: Literal["", "fisher"] = ""
    instead: str = ""
    file: str = ""
    on_request: bool = False
    key: str = ""
    no_plane: bool = False
    text: bool = False
    share: float = 1.0
    stream_share: float = 1.0
    flat: float = 0.0
    square: bool = False
    tab_height: int = 190
    rows: float = 0.0
    columns: float = 0.0
    shape: tuple[int, int] | None = None
    reveals: Literal["", "now", "ahead"] = ""
    about: Literal["", "decides", "learns", "proven", "map"] = ""
    line: str = ""

    @property
    def lights(self) -> bool:
        """Whether a cue can light it up."""
        return not self.page and (
            self.group in ("default", "more") or self.name in ("map", "timeline")
        )

    @property
    def drawn(self) -> bool:
        """Whether it has marks of its own."""
        return self.group != "on map"

    @property
    def in_links(self) -> bool:
        """Whether a link records that it is shown."""
        return not self.page and self.group not in ("board", "compared")


_TRAINING_SET = ("training set",)
PANELS = (
    Panel("map", "The map", "Map", "board", shape=(520, 520)),
    Panel("strip", "Legend and scale, above the map", "Legend", "board"),
    Panel("axis", "Name and numbers of the first axis", "Axis", "board", file="axes"),
    Panel("gutter", "Name and numbers of the second axis", "Axis", "board", file="axes"),
    Panel("words", "The sentence", "Step", "board", file="text", shape=(640, 280), tab_height=160),
    Panel("short", "The sentence in a few words", "Step", "board", file="text"),
    Panel("timeline", "The timeline", "Timeline", "board", shape=(720, 130)),
    Panel(
        "alpha",
        "Weight of each example (α)",
        "Weights",
        "default",
        _TRAINING_SET,
        share=0.75,
        flat=0.16,
        rows=7,
        columns=17,
        shape=(600, 310),
        about="learns",
        line="The weight of each example in f; one brick per mistake.",
    ),
    Panel(
        "own",
        "Learner details",
        "Learner",
        "default",
        ("parts",),
        share=1.35,
        rows=13,
        columns=17,
        shape=(600, 310),
        about="learns",
        line="Memory, limits or current pair.",
    ),
    Panel(
        "margins",
        "Margins: how safely right is each example?",
        "Margins",
        "default",
        stream_share=2.0,
        rows=7,
        columns=17,
        shape=(600, 310),
        reveals="now",
        about="decides",
        line="How far each example lies on its own side, y·f(x).",
    ),
    Panel(
        "code",
        "Pseudo-code",
        "Rule",
        "more",
        file="text",
        text=True,
        rows=12.5,
        columns=26,
        shape=(480, 270),
        about="learns",
        line="The algorithm, with the current line highlighted.",
    ),
    Panel(
        "bound",
        "Mistake bounds",
        "Bounds",
        "more",
        file="bounds",
        on_request=True,
        text=True,
        rows=15,
        columns=20,
        shape=(640, 480),
        about="proven",
        line="Which theorems apply, and how many mistakes they allow.",
    ),
    Panel(
        "readings",
        "Last, averaged, voted: boundaries and errors",
        "Readings",
        "more",
        _TRAINING_SET,
        on_request=True,
        share=1.6,
        rows=14,
        columns=17,
        shape=(600, 420),
        reveals="ahead",
        about="decides",
        line="Three predictors of one run, with their errors.",
    ),
    Panel(
        "primal",
        "The primal perceptron",
        "Primal",
        "more",
        on_request=True,
        share=1.6,
        rows=14,
        columns=22,
        shape=(600, 520),
        reveals="now",
        about="decides",
        line="The weight vector w, and what it costs beside the dual.",
    ),
    Panel(
        "validity",
        "Is it a kernel? Eigenvalues, and points that refute it",
        "Kernel?",
        "more",
        _TRAINING_SET,
        on_request=True,
        share=2.2,
        tab_height=300,
        rows=11,
        columns=22,
        shape=(600, 420),
        about="proven",
        line="Eigenvalues of K, and points that refute k.",
    ),
    Panel(
        "derivation",
        "Proof that k is a kernel, step by step",
        "Derivation",
        "more",
        file="validity",
        on_request=True,
        text=True,
        share=1.2,
        tab_height=300,
        rows=10,
        columns=22,
        shape=(600, 420),
        about="proven",
        line="How k is made of kernels, step by step.",
    ),
    Panel(
        "gram",
        "Gram matrix: k of every pair of examples",
        "Gram matrix",
        "more",
        _TRAINING_SET,
        on_request=True,
        share=2.2,
        square=True,
        tab_height=320,
        rows=13,
        columns=16,
        shape=(560, 470),
        about="decides",
        line="How similar the examples are, sorted by class.",
    ),
    Panel(
        "lift",
        "The features of degree 2 in space",
        "Lift",
        "more",
        _TRAINING_SET,
        on_request=True,
        share=2.2,
        square=True,
        tab_height=340,
        rows=13,
        columns=18,
        shape=(560, 500),
        reveals="now",
        about="decides",
        line="The examples as φ(x), and the plane w·φ(x) + b = 0.",
    ),
    Panel(
        "remembered",
        "What is remembered: f(x), term by term",
        "Memory",
        "more",
        on_request=True,
        no_plane=True,
        share=2.6,
        square=True,
        tab_height=320,
        rows=13,
        columns=22,
        shape=(600, 420),
        reveals="now",
        about="decides",
        line="f(x) as a sum over the examples that are remembered.",
    ),
    Panel(
        "sequence",
        "The order of the examples",
        "Order",
        "more",
        ("order",),
        rows=9,
        columns=17,
        shape=(560, 330),
        about="learns",
        line="Which example comes when, and which were mistakes.",
    ),
    Panel(
        "norm",
        "‖f‖ over the run",
        "Norm",
        "more",
        _TRAINING_SET,
        rows=7,
        columns=17,
        shape=(600, 310),
        reveals="ahead",
        about="learns",
        line="How large f is, step by step.",
    ),
    Panel(
        "proof",
        "Novikoff’s proof: ⟨w, u⟩ from below, ‖w‖ from above",
        "Proof",
        "more",
        _TRAINING_SET,
        on_request=True,
        share=1.8,
        tab_height=300,
        rows=13,
        columns=22,
        shape=(600, 400),
        about="proven",
        line="Both sides of the inequality, mistake by mistake.",
    ),
    Panel(
        "curve",
        "Curves over a setting: mistakes, support, errors",
        "Curves",
        "more",
        on_request=True,
        share=1.8,
        tab_height=300,
        rows=13,
        columns=20,
        shape=(600, 380),
        about="learns",
        line="One run for each value of a setting, side by side.",
    ),
    Panel(
        "votes", "The votes, under the timeline", "Votes", "board", _TRAINING_SET, file="timeline"
    ),
    Panel(
        "question", "What a ready comparison asks and shows", "Question", "compared", file="compare"
    ),
    Panel("caption", "The name of a run", "Name", "compared", file="compare"),
    Panel("decide", "The two numbers that decide", "Numbers", "compared", file="compare"),
    Panel("sentences", "What each run says", "Step", "compared", file="compare"),
    Panel(
        "similar",
        "k(x, ·) of one example on the map",
        "k(x, ·)",
        "on map",
        _TRAINING_SET,
        on_request=True,
        key="e",
        about="map",
        line="How similar each place is to one example, in place of f.",
    ),
    Panel(
        "lines",
        "Margin lines on the map",
        "Margin lines",
        "on map",
        about="map",
        line="Where f is ± the smallest margin, as dotted lines.",
    ),
    Panel(
        "unhatched",
        "Compared maps without hatching",
        "No hatching",
        "on map",
        about="map",
        line="Without the lines where the runs disagree.",
    ),
    Panel(
        "normed",
        "Margins divided by ‖f‖",
        "Margins / ‖f‖",
        "on map",
        about="decides",
        line="The histogram of y·f/‖f‖, distances in feature space.",
    ),
    Panel(
        "plane", "The plane, and the direction F", "Plane", "board", page="fisher", instead="map"
    ),
    Panel(
        "legend",
        "Legend, above the plane",
        "Legend",
        "board",
        file="plane",
        page="fisher",
        instead="strip",
    ),
    Panel(
        "angles",
        "J over the angle of F",
        "J",
        "board",
        file="projections",
        page="fisher",
        instead="timeline",
    ),
    Panel(
        "projections",
        "Projections x·F",
        "Projections",
        "default",
        page="fisher",
        rows=12,
        columns=19,
        share=1.4,
    ),
    Panel(
        "components",
        "Principal components",
        "PCA",
        "default",
        ("many",),
        file="projections",
        page="fisher",
        rows=13,
        columns=16,
        share=1.4,
    ),
    Panel(
        "criterion",
        "J, and the best J",
        "J",
        "more",
        file="scatter",
        page="fisher",
        rows=9,
        columns=24,
    ),
    Panel("scatter", "Scatter matrices", "Scatter", "more", page="fisher", rows=12, columns=24),
)
BY_NAME = {panel.name: panel for panel in PANELS}
IN_LINKS = tuple(panel.name for panel in PANELS if panel.in_links)
LIT = tuple(panel.name for panel in PANELS if panel.lights)
SINGLE = tuple(panel.name for panel in PANELS if panel.shape)


def available(provided: Collection[str], names: Collection[str] = IN_LINKS) -> tuple[str, ...]:
    """Return which of these panels have something to show of a run, see `Panel.requires`.

    >>> available({"training set"}, ["own", "gram"])
    ('gram',)
    """
    return tuple(name for name in names if set(BY_NAME[name].requires) <= set(provided))


def shown_by_default(*, plane: bool) -> tuple[str, ...]:
    """Return the panels that are shown unless one chooses others.

    More where the examples have no plane.

    >>> shown_by_default(plane=False)
    ('alpha', 'own', 'margins', 'remembered')
    """
    ours = (panel for panel in PANELS if not panel.page)
    return tuple(
        panel.name for panel in ours if panel.group == "default" or (panel.no_plane and not plane)
    )
