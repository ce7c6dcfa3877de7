"""The page that plays itself, as text: what is in it, what cannot get out of it, and what is
refused.
"""

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import kpviz
from kpviz import experiment, fonts, tokens
from kpviz.engine.data.drawn import Names
from kpviz.export.page import page as exported
from kpviz.export.page.figure import figure
from kpviz.export.page.page import page, shared_player
from kpviz.export.page.vary import variation
from kpviz.lessons import comparison, explain, presets
from kpviz.player import modules, payload
from kpviz.player.comparison import Comparison
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings
from kpviz.settings.cues import Cues
from kpviz.settings.view import ViewState

FRONTEND = Path(kpviz.__file__).parent / "player" / "web"
EVIL = "</script><script>alert(1)</script><!--<script><img src=x onerror=alert(1)>'\"&amp;"


class Read(HTMLParser):
    """The parts of a page, as a browser's parser finds them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.inside = [], {}, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img", "link"):
            self.inside.append(f"{tag}#{dict(attrs)['id']}" if "id" in dict(attrs) else tag)

    def handle_endtag(self, tag):
        assert self.inside.pop().partition("#")[0] == tag

    def handle_data(self, data):
        name = self.inside[-1] if self.inside else ""
        self.texts[name] = self.texts.get(name, "") + data

    @property
    def options(self):
        return json.loads(self.texts["script#run"])

    @property
    def sent(self):
        return gzip.decompress(base64.b64decode(self.options["run"]))


def made(settings=None, pins=(), **options):
    settings = settings or Settings.of()
    split = experiment.prepare(settings)
    lineup = Comparison.of(settings, split, experiment.run(settings, split), pins)
    return page(lineup, Cues.of_code(settings.cues), **options)


def unpacked(sent):
    """The envelope's header, and the bytes of each run."""
    header, _ = payload.unpack(sent)
    sizes = [run["size"] for run in header["runs"]]
    start = len(sent) - sum(sizes)
    ends = start + np.cumsum(sizes)
    return header, [sent[low:high] for low, high in zip([start, *ends[:-1]], ends, strict=True)]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"data": "spirals", "cues": "mistake 2: Look."},
        {"data": "linear", "kernel": "linear", "learner": "svm"},
        {"data": "moons", "learner": "norma", "stream": "on"},
        {"data": "circles", "n": 500, "noise": 0.25, "epochs": 15},
    ],
    ids=str,
)
def test_a_page_is_the_same_each_time_fits_into_a_mail_and_names_no_address_and_no_file(given):
    text = made(Settings.of(**given))
    assert text == made(Settings.of(**given))
    assert len(text.encode()) < 2_000_000
    assert (
        re.findall(
            # The namespace of formulas is a name that nobody fetches.
            r"https?://(?!www\.w3\.org/1998/Math/)|\burl\((?!data:font/woff2;base64,)"
            r"|@import|\bimport\(",
            text,
        )
        == []
    )
    # Without an icon of its own, which is empty, a browser would ask the host for one.
    tags = [tag for tag in Read(text).tags if tag != ("link", {"rel": "icon", "href": "data:,"})]
    names = {name for _, attributes in tags for name in attributes}
    assert names.isdisjoint({"src", "href", "srcset", "action", "data", "style"})


def test_the_policy_allows_the_one_script_and_no_request():
    read = Read(made())
    policy = next(
        one["content"]
        for tag, one in read.tags
        if one.get("http-equiv") == "Content-Security-Policy"
    )
    rules = {words[0]: set(words[1:]) for words in map(str.split, policy.split(";"))}
    digest = base64.b64encode(
        hashlib.sha256(read.texts["script#player"].encode()).digest()
    ).decode()
    assert rules["default-src"] == {"'none'"}
    assert rules["script-src"] == {f"'sha256-{digest}'"}
    assert "connect-src" not in rules
    assert rules["font-src"] == {"data:"}
    assert rules["img-src"] == rules["media-src"] | {"data:"} == {"data:", "blob:"}


def test_a_page_brings_the_app_s_typeface_and_its_licence_where_there_is_room(monkeypatch):
    whole = made()
    form = (
        r"@font-face \{ font-family: '([\w ]+)'; font-weight: ([\d ]+);[^}]*base64,([^)]*)\)[^}]*\}"
    )
    rules = re.findall(form, whole)
    faces = [(face.family, "{} {}".format(*face.weights)) for face in fonts.FACES]
    assert [(family, weights) for family, weights, _ in rules] == faces
    assert all(base64.b64decode(font, validate=True)[:4] == b"wOF2" for *_, font in rules)
    assert "SIL Open Font License" in whole
    bare = re.sub(r"/\* Source Sans.*?\n(@font-face \{[^}]*\}\n)+", "\n", whole)
    monkeypatch.setattr(exported, "_LONGEST_WITH_TYPEFACE", len(bare))
    assert made() == bare


# ---- the player ----------------------------------------------------------------------------------


def test_each_module_comes_once_and_after_what_it_imports():
    script, done = Read(made()).texts["script#player"], []
    for name, block in re.findall(
        r"^const (\$\w+) = \(\(\) => \{\n(.*?)\n\}\)\(\);$", script, re.DOTALL | re.MULTILINE
    ):
        assert {*re.findall(r"^const \{ .* \} = (\$\w+);$", block, re.MULTILINE)} <= {*done}, name
        done.append(name)
    assert len(done) == len({*done})
    assert {"$page_standalone", "$page_stage", "$panels_map"} <= {*done}
    assert "$page_index" not in done, "the app's own entry is of no use here"


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        ({"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}, "itself: a.js → b.js → a.js"),
        ({"a.js": 'import b from "./b.js";\nexport default function a() {}'}, "another way"),
        ({"a.js": 'import * as b from "./b.js";\nexport default function a() {}'}, "another way"),
        ({"a.js": "export let a = 1;"}, "another way"),
        ({"a.js": "const a = 1;\nexport { a };"}, "another way"),
    ],
)  # fmt: skip
def test_modules_that_are_written_in_another_way_are_refused(monkeypatch, sources, words):
    monkeypatch.setattr(modules, "frontend", sources.__getitem__)
    with pytest.raises(ValueError, match=words):
        modules.script("a.js")


def test_what_ends_a_script_within_a_module_does_not_end_it_in_the_page(monkeypatch):
    monkeypatch.setattr(
        modules, "frontend", {"closes.js": 'export const a = "</SCRIPT><!--<script";'}.__getitem__
    )
    assert not re.search(r"(?i)</?script|<!--", modules.script("closes.js"))
    assert r"\x3c/SCRIPT>\x3c!--\x3cscript" in modules.script("closes.js")


# ---- one player for many pages -------------------------------------------------------------------


def test_the_shared_player_is_one_script_without_modules_and_asks_for_nothing():
    script = shared_player()
    assert (
        re.findall(
            r"https?://(?!www\.w3\.org)|\burl\((?!data:font)|^(?:import|export)\b|\bimport[(.]",
            script,
            re.M,
        )
        == []
    )
    assert all(face.family in script for face in fonts.FACES)
    assert len(gzip.compress(script.encode())) < 550_000


def test_a_page_may_refer_to_the_shared_player_and_runs_nothing_else():
    read = Read(made(player='../a "b".js'))
    [script] = [given for tag, given in read.tags if tag == "script" and "src" in given]
    assert script["src"] == '../a "b".js'
    policy = next(
        one["content"]
        for tag, one in read.tags
        if one.get("http-equiv") == "Content-Security-Policy"
    )
    assert f"script-src 'nonce-{script['nonce']}';" in policy
    assert policy.startswith("default-src 'none'")
    assert "'self'" not in policy
    assert read.sent == Read(made()).sent


def test_a_figure_is_the_page_of_its_link_in_a_frame_and_a_picture_without_javascript():
    [(tag, given)] = Read(
        figure("?v=1&data=moons&t=7&show=alpha", player="kpviz.js", picture="a.png", alt=EVIL)
    ).tags
    assert (tag, given["title"]) == ("iframe", "Moons · Gaussian, σ = 0.5 · Perceptron")
    read = Read(given["srcdoc"])
    assert ("img", {"src": "a.png", "alt": EVIL}) in [
        (tag, {key: each[key] for key in ("src", "alt") if key in each}) for tag, each in read.tags
    ]
    assert (read.options["autoplay"], unpacked(read.sent)[0]["view"]["t"]) == (False, 7)
    for wrong, words in (
        ("fisher?v=1", "Only the player"),
        ("v=1&sigma=soft", "sigma"),
        ("data", "not a link"),
    ):
        with pytest.raises(ValueError, match=words):
            figure(wrong, player="kpviz.js")


def test_a_page_with_a_slider_has_the_runs_of_twelve_values_and_opens_with_its_own():
    settings = Settings.of(n=8, epochs=1)
    varied = Read(made(settings, variation=variation(settings, "sigma"))).options["vary"]
    assert (varied["name"], len(varied["runs"]), varied["runs"][varied["at"]]["value"]) == (
        "σ",
        12,
        "0.5",
    )


# ---- the run -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "shown", "brought"),
    [
        *(({"data": data}, None, {"remembered"}) for data in ("texts", "trees", "graphs", "bits")),
        ({"data": "texts"}, ("alpha", "gram"), {"gram"}),
        (
            {"data": "moons", "held": 0.2, "cues": "title: Moons|start: Look."},
            ("alpha", "bound"),
            {"bound"},
        ),
        ({"n": 12}, None, set()),
    ],
)
def test_the_run_in_the_page_is_what_the_app_sends_with_the_panels_with_which_it_opens(
    given, shown, brought
):
    settings = Settings.of(**given)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    read = Read(made(settings, view=ViewState(10**6, shown)))
    header, [sent] = unpacked(read.sent)
    assert sent == payload.encode(
        Experiment.of(settings.without_cues, split, run), extra_names=brought
    )
    assert (header["view"]["t"], header["cues"]["cues"]) == (
        run.n_steps,
        Cues.of_code(settings.cues).plain["cues"],
    )
    asked = {
        "gram",
        "remembered",
        "bound",
        "primal",
    }  # nobody could be asked for the numbers of others
    assert (
        asked & {*payload.unpack(sent)[0]["extras"]} == asked & {*read.options["panels"]} == brought
    )


def test_the_notes_of_the_lecturer_stay_at_home():
    settings = Settings.of(cues="start hold 4 light x3: Look.|>Ask Ada first.|end")
    read = Read(made(settings, address="https://kpviz.example/"))
    header, _ = unpacked(read.sent)
    assert header["cues"]["cues"] == Cues.of_code("start hold 4 light x3: Look.|end").plain["cues"]
    assert b"Ada" not in read.sent
    assert "Ada first" not in made(settings)


def test_pinned_models_come_along():
    lesson = presets.PRESETS["budget"]
    settings, pins = lesson.settings()
    header, sent = unpacked(Read(made(settings, pins=pins)).sent)
    queries = [payload.unpack(one)[0]["settings"]["query"] for one in sent]
    assert queries == [settings.query(), *(pin.on(settings).query() for pin in pins)]
    assert header["pins"]["names"] == comparison.names(pins, settings)
    assert (
        header["pins"]["query"]
        == presets.query(settings, pins)
        == f"compare=budget&{comparison.query(pins)}"
    )


def test_a_cue_holds_as_long_as_it_says_or_as_reading_takes():
    cues = (
        "start hold 4: One.|mistake 3: Two words.|mistake 3 hold 9: Late.|12|epoch 2 hold "
        "0|mistake 999: Never.|end"
    )
    settings = Settings.of(cues=cues)
    run = experiment.run(settings)
    third = int(np.flatnonzero(run.mistake)[2]) + 1
    read = Cues.of_code(settings.cues).cues
    sentences = {t: explain.explain(run, t).sentence for t in (12, run.n_steps)}
    assert Read(made(settings)).options["holds"] == {
        "0": 4.0,
        str(third): read[1].seconds(),
        "12": read[3].seconds(sentences[12]),
        str(run.epoch_start[2]): 0.0,
        str(run.n_steps): read[6].seconds(sentences[run.n_steps]),
    }
    assert len(sentences[12]) > 40, "a sentence that takes longer than no words"


# ---- what strangers write, and how it looks ------------------------------------------------------


def evil_settings():
    points = experiment.drawn(Settings.of(), experiment.prepare(Settings.of())).code
    names = Names((EVIL[:30], "x₂"), (EVIL[9:40], "y")).code
    return Settings.of(
        data="drawn",
        points=points,
        names=names,
        cues=f"title: {EVIL}|by: {EVIL}|start: {EVIL}|>{EVIL}",
    )


def test_what_a_stranger_wrote_is_text():
    settings = evil_settings()
    text = made(settings, address="https://example.org/<script>alert(1)</script>")
    read, usual = Read(text), Read(made())
    assert [tag for tag, _ in read.tags] == [tag for tag, _ in usual.tags]
    assert read.inside == []
    assert read.texts["title"] == EVIL
    assert read.texts["h1"] == EVIL
    assert read.texts["p"].startswith(EVIL)
    header, [sent] = unpacked(read.sent)
    assert header["cues"]["cues"][0]["words"] == EVIL
    assert payload.unpack(sent)[0]["names"]["features"][0] == EVIL[:30]
    assert read.texts["script#player"] == usual.texts["script#player"]


def test_the_heading_tells_data_and_model_or_the_lecture():
    assert Read(made()).texts["h1"] == "XOR"
    assert (
        Read(made(Settings.of(data="moons", predictor="averaged")))
        .texts["p"]
        .endswith("Perceptron · averaged")
    )
    read = Read(made(Settings.of(cues="title: My lecture|by: A. Lecturer")))
    assert (read.texts["title"], read.texts["h1"]) == ("My lecture", "My lecture")
    assert read.texts["p"].startswith("A. Lecturer · XOR · Gaussian")


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_one_theme_has_its_own_colours_and_auto_has_both(theme):
    style = Read(made(theme=theme)).texts["style"]
    for name in ("light", "dark"):
        paper = f"--st-background-color: {tokens.THEMES[name]['paper']};"
        assert (paper in style) == (theme in (name, "auto"))
    asked = set(re.findall(r"var\((--st-[a-z-]+)", modules.frontend("page/stage.css")))
    assert asked
    assert asked <= set(re.findall(r"(--st-[a-z-]+):", style))


# ---- links, and what is refused ------------------------------------------------------------------


def test_links_lead_to_the_app_without_what_belongs_to_one_session_or_nowhere():
    many = Settings.of(data="blobs", n=300)
    points = experiment.drawn(many, experiment.prepare(many)).code
    for settings, given, expected in (
        (None, None, None),
        (None, "https://kpviz.example:8501/class/?v=1&t=3#x", "https://kpviz.example:8501/class/"),
        (None, "http://localhost:8501", "http://localhost:8501/"),
        (
            Settings.of(data="drawn", points=points),
            "https://kpviz.example/",
            None,
        ),  # which no link can hold
    ):
        assert Read(made(settings, address=given)).options["address"] == expected


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"theme": "pink"}, "theme is 'pink': give one of auto, light, dark."),
        ({"speed": 0.0}, "speed is 0.0: give 0.25 to 60 steps per second, or None."),
        ({"speed": float("nan")}, "speed is nan: give"),
        (
            {"address": "javascript:alert(1)"},
            "address is 'javascript:alert(1)': give one that begins with http:// or https://.",
        ),
        ({"address": "kpviz.example"}, "address is 'kpviz.example'"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(options, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        made(**options)


def test_a_page_of_no_examples_is_refused():
    with pytest.raises(ValueError, match="no examples to learn from"):
        made(Settings.of(data="drawn"))
