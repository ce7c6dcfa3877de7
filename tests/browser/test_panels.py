"""Panels in the page: chosen beside the map, pointed at, turned and clicked, with what they ask the
server for.
"""

import numpy as np
import pytest
from lifted import SQUARE, TURNED, drawn, fits, opened, space

import kpviz
from kpviz import experiment, tokens
from kpviz.engine import theory
from kpviz.lessons import verdict
from kpviz.lessons.sweep import values_of
from kpviz.panels import ABOUT, BY_NAME, IN_LINKS
from kpviz.settings import Settings

# ---- chosen --------------------------------------------------------------------------------------

ROWS = """(rows) => rows.map((row) => {
  const box = row.querySelector("[data-panel]");
  return [
    box.dataset.panel,
    row.innerText,
    [...row.querySelectorAll("kbd")].map((key) => key.innerText),
    row.querySelector("svg path").getAttribute("d"),
    box.getAttribute("aria-describedby").split(" ").map((id) => box.parentElement.querySelector(`#${id}`).innerText),
    row.classList.contains("empty"),
  ];
})"""


def unfold(player):
    """All groups of panels."""
    player.js("r.querySelectorAll('.chooser details').forEach((one) => (one.open = true))")


def test_each_panel_has_an_icon_a_title_a_line_and_its_key_in_its_group(player):
    player.open("/?v=1&t=12").press("h").rest()
    chooser = player.page.get_by_role("region", name="Panels")
    assert chooser.locator("summary").all_inner_texts()[:-1] == list(ABOUT.values())
    unfold(player)
    rows = {
        row[0]: row[1:] for row in chooser.locator("label:has([data-panel])").evaluate_all(ROWS)
    }
    assert rows.keys() >= set(IN_LINKS)
    for name in IN_LINKS:
        panel, (words, keys, path, described, _) = BY_NAME[name], rows[name]
        assert panel.title.split(":")[0] in words
        assert (panel.line in words) != rows[name][-1]  # or why it has nothing to show
        assert keys == ([panel.key.upper()] if panel.key else [])
        assert path.startswith("M")
        assert panel.line in described
        assert chooser.get_by_role("checkbox", name=panel.title.split(":")[0]).count() > 0
    assert rows["own"][-1]
    assert "This learner has nothing of its own." in rows["own"][0]
    assert not rows["margins"][-1]
    for tiles in chooser.locator(".tiles").all():
        empty = tiles.locator("label").evaluate_all(
            "(all) => all.map((one) => one.classList.contains('empty'))"
        )
        assert empty == sorted(empty)  # what has nothing to show comes last
    assert len({rows[name][2] for name in IN_LINKS}) == len(IN_LINKS)  # each has its own


EMPTY = """(all) => all
  .filter((one) => !one.matches(":focus-within"))
  .map((one) => one.classList.contains("empty"))"""


def test_what_has_nothing_to_show_comes_last_in_the_group_that_has_the_focus_too(player):
    player.open("/?v=1&t=12").press("h").rest()
    unfold(player)
    for tiles in player.page.locator(".kpviz .chooser .tiles").all():
        for data in ("texts", "moons"):
            first = tiles.locator("[data-panel]").first
            first.focus()
            player.js("s.session.command('set', { data: arg })", data)
            player.until(f"s.run.header.settings.query.includes('data={data}')").rest()
            assert player.focused() == first.get_attribute("data-panel")
            empty = tiles.locator("label").evaluate_all(EMPTY)
            assert empty == sorted(empty), data


def test_arrows_go_from_panel_to_panel_space_chooses_and_settings_and_panels_take_each_other_s_place(
    player,
):
    player.open("/?v=1&t=12").button("panels").focus()
    player.press("Enter")
    chooser, dock = (
        player.page.get_by_role("region", name="Panels"),
        player.page.locator("#kpviz-dock"),
    )
    assert chooser.is_visible()
    last = player.js(
        "[...r.querySelectorAll('.chooser details[open] [data-panel]')].at(-1).dataset.panel"
    )
    for keys, name in (
        (["ArrowDown"], "readings"),
        (["End"], last),
        (["Home", "ArrowUp"], "margins"),
    ):
        assert player.focused() == "margins"
        assert player.press(*keys).focused() == name
        player.press("Home")
    player.press("ArrowDown", " ").until("s.shown.has('readings')")
    assert player.t == 12
    assert player.press("Escape").focused() == "opens more"  # where its button is
    assert not chooser.is_visible()
    player.press("h", "Shift+K")
    dock.wait_for()
    assert not chooser.is_visible()
    player.more("panels")
    assert chooser.is_visible()
    assert not dock.is_visible()
    player.click(*player.spots()[0].tolist())
    assert chooser.is_visible()  # one looks at the map meanwhile


def test_panels_and_presets_are_part_of_the_link_and_nothing_is_asked_for_before_it_is_shown(
    player,
):
    player.open("/?v=1&t=3")
    board = ["map", "strip", "axis", "gutter", "words"]
    assert player.panels() == [*board, "alpha", "margins", "timeline"]
    assert player.js("s.run.predictors === undefined && s.run.votes === undefined")
    assert player.js("s.session.requests.waiting.size === 0")
    menu = player.press("h").page.locator(".kpviz .menu.panels")
    presets = menu.locator("[data-preset]")
    pressed = "(all) => all.map((e) => e.ariaPressed)"
    assert presets.evaluate_all(pressed) == ["true", "false"]
    menu.get_by_role("button", name="Map and sentence").click()
    player.page.wait_for_url("**show=none**")
    assert presets.evaluate_all(pressed) == ["false", "true"]
    assert player.panels() == [*board, "timeline"]
    unfold(player)
    menu.get_by_text("Pseudo-code").click()
    menu.get_by_text("Mistake bounds").click()
    player.page.wait_for_url("**show=bound.code**")
    assert player.panels() == [*board, "timeline"]  # the chooser has their place
    player.press("Escape")
    bound = theory.bounds_of(experiment.run(Settings.of()))[0]
    assert f"{int(bound.value)} ever" in player.until_extra("bound").words("bound")
    player.press("h")
    menu.locator("[data-panel=readings]").check()
    assert len(player.until_extra("readings").marks("map", name="other")) == 2
    menu.get_by_role("button", name="The usual panels").click()
    player.page.wait_for_url(lambda url: "show" not in url)
    menu.get_by_text("Margins divided").click()
    player.page.wait_for_url("**show=alpha.margins.normed.own**")
    player.press("Escape").rest()
    assert "‖f‖" in player.words("margins")
    assert player.reload().shown == ["alpha", "margins", "normed", "own"]
    assert player.t == 3


# ---- the pointer ---------------------------------------------------------------------------------


def test_dragging_on_the_timeline_scrubs(player):
    player.open("/?v=1")
    rect = player.panel("timeline")
    y = rect["y"] + rect["h"] / 2
    at = {t: rect["x"] + 8 + t / 180 * (rect["w"] - 16) for t in (20, 60, 100, 180)}
    player.hold((at[20], y))
    for t in (60, 100, 60):
        player.page.mouse.move(*player.at(at[t], y))
        assert player.t == t
    player.page.mouse.move(*player.at(at[100], y - 200))  # off the timeline, the button still held
    assert player.t == 100
    player.page.mouse.move(*player.at(at[180] + 300, y))
    assert player.t == 180
    player.page.mouse.up()
    player.page.mouse.move(*player.at(at[60], y))
    assert player.t == 180


def test_a_click_pins_the_sum_and_its_numbers_can_be_copied(player):
    player.open("/?v=1&t=100").point(*player.on_map(0.5, 0.53))
    tip, copy = player.tip, player.page.locator(".kpviz .copy")
    assert not copy.is_visible()
    player.click(*player.on_map(0.5, 0.53)).point(*player.on_map(0.8, 0.2))
    assert player.tip == tip
    box = player.marks("tip")[0]
    assert copy.bounding_box()["y"] - player.at(0, box["y"] + box["h"])[1] == pytest.approx(
        4, abs=1
    )  # beside its box
    copy.click()
    player.page.locator(".kpviz .status").wait_for()
    text = player.page.evaluate("navigator.clipboard.readText()")
    assert text == player.js("s.pinnedTouch.probe.full")
    assert text.startswith("f(")
    player.press("Escape").rest()
    assert not copy.is_visible()
    assert player.js("s.pinned") is None


def test_a_pinned_example_offers_its_score_term_by_term(player):
    offer = player.open("/?v=1&t=60").page.get_by_role("button", name="f, term by term")
    i = 3
    player.click(*player.spots()[i].tolist()).until("s.pinned !== null").rest()
    offer.click()
    player.until("s.run.header.extras.remembered").rest()
    (sum_,) = player.marks("remembered", name="sum")
    assert sum_["text"].startswith("f(x₃) = ")
    assert not offer.is_visible()
    player.press("Escape").click(*player.on_map(0.5, 0.53)).rest()
    assert not offer.is_visible()  # a place is no example


def test_e_shows_similarity_on_the_map_for_a_class_too(player):
    before = player.open("/?show=none&t=7").away().picture()
    player.press("e").until("s.shown.has('similar') && s.run.header.extras.similar").rest()
    assert player.js("s.query").endswith("show=similar")
    assert player.picture() != before
    assert player.press("e").until("!s.shown.has('similar')").rest().picture() == before
    player.present().press("e").until(
        "s.shown.has('similar') && s.scenes().map.kernelRow.i !== null"
    ).rest()
    assert len(player.marks("map", name="similar")) == 1


def test_dragging_turns_the_features_in_space_and_a_double_click_turns_them_back(player):
    split, _ = opened(player, **SQUARE)
    phi, cube = space(split)
    panel = player.panel("lift")
    x, y = panel["x"] + 8, panel["y"] + panel["h"] / 2
    before = drawn(player)
    player.hold((x, y), (x + 40, y + 10), (x + 80, y + 30)).page.mouse.up()
    now = player.rest().js(TURNED)
    assert now["turn"] == pytest.approx(tokens.LIFT["turn"] - 40)
    assert now["tilt"] == pytest.approx(tokens.LIFT["tilt"] + 15)
    assert fits(cube.seen(phi, now["turn"], now["tilt"]), drawn(player))
    player.page.mouse.dblclick(*player.at(x, y))
    np.testing.assert_allclose(drawn(player.rest()), before)


# ---- a curve over a setting ----------------------------------------------------------------------

CURVE = "v=1&data=moons&n=30&noise=0.2&held=0.3&epochs=4"
ANSWERED = "s.player.curve.answer && s.player.curve.answered === s.player.curve.key"


def curve(player, name, seeds=1, link=CURVE):
    """The curve on the board is that of Python."""
    player.until(f"{ANSWERED} && s.player.curve.answer.name === arg[0] && "
        f"s.player.curve.answer.seeds === arg[1]",
                 [name, seeds]).rest()  # fmt: skip
    wanted = kpviz.sweep(link, name, seeds=seeds).means["mistakes"].tolist()
    assert player.js("s.player.curve.numbers.mistakes") == wanted
    return player


def chosen(player, name):
    """Click a property that a curve can run over, or the mean over seeds."""
    marks = player.marks("curve", name="seeds" if name == "seeds" else "over")
    mark = next(mark for mark in marks if name in ("seeds", mark["text"].split()[-1]))
    return player.click(mark["x"] + 3, mark["y"])


def test_a_click_on_a_curve_sets_the_value_in_one_step_and_the_curve_stays(player):
    player.open(f"/?{CURVE}&show=alpha").press("h")
    unfold(player)
    player.page.locator(".kpviz [data-panel=curve]").check()
    # The chooser has the place of the panels: then one sees the page of the new one.
    player.press("Escape")
    curve(player, "sigma")
    points, undo = player.marks("curve", name="mistakes")[0]["points"], player.counts()["undo"]
    player.js("(window.first = s.player.curve.answer, 0)")
    value = values_of(Settings.of(), "sigma")[10]
    player.click(points[20], points[21] + 3).until_set(f"sigma={value:g}")
    assert (player.settings.sigma, player.counts()["undo"]) == (value, undo + 1)
    assert player.js("s.player.curve.answer === window.first")
    assert player.marks("curve", name="now")[0]["points"][0] == points[20]
    player.press("z").until("!s.run.header.settings.query.includes('sigma')")
    player.press("n").until_set("seed=1")  # other settings have another curve
    curve(player, "sigma", link=f"{CURVE}&seed=1")


def test_the_setting_of_a_curve_is_chosen_and_in_the_link_or_the_one_that_was_turned_last(player):
    curve(player.open(f"/?{CURVE}&show=curve"), "sigma")
    assert "over=" not in player.js("s.query")
    player.js("(s.session.command('set', { noise: 0.3 }), 0)")
    curve(player.until_set("noise=0.3"), "noise", link=CURVE.replace("0.2", "0.3"))
    chosen(player, "noise")
    assert "over=noise" in player.rest().js("s.query").split("&")
    player.js("(s.session.command('set', { noise: 0.2 }), 0)")
    curve(chosen(player.until_set("noise=0.2"), "seeds"), "noise", seeds=5)
    assert len(player.marks("curve", name="ticked")) == 1
    link = player.js("s.query")
    player.anew(f"/?{link}").until(ANSWERED).rest()
    assert (player.js("s.curve.numbers.name"), player.js("s.query")) == ("noise", link)


# ---- runs side by side ---------------------------------------------------------------------------


def test_the_table_has_all_numbers_of_the_runs_and_follows_the_step(player):
    player.open("/?v=1&t=30")
    button = player.page.locator(".bar > [data-do=numbers]")
    assert not button.is_visible()
    player.open("/?v=1&t=30&held=0.3&pins=1&p1.kernel=linear")
    button.click()
    table = player.page.locator(".menu.numbers table")
    assert table.locator("thead th").all_inner_texts() == ["A\nLinear", "B\nGaussian, σ = 0.5"]
    labels = ["mistakes", "epochs", "remembered", "margin y·f/‖f‖"]
    errors = ["training error", "held-out error"]
    assert table.locator("tbody th").all_inner_texts() == [*labels, *errors]

    def numbers():
        return table.locator("tbody tr").first.locator("td").all_inner_texts()

    assert numbers() == [mark["text"] for mark in decided(player)]
    before = numbers()
    player.press(*["ArrowRight"] * 12).rest()
    assert numbers() == [mark["text"] for mark in decided(player)] != before
    player.press("Escape")
    assert not table.is_visible()
    assert player.t == 42


def decided(player):
    """How many mistakes each of two runs has, under its map."""
    return [*player.marks("decide-0", name="mistakes"), *player.marks("decide", name="mistakes")]


def test_p_pins_this_run_and_a_change_stays_beside_it(player):
    player.open("/?v=1&t=30").js("(window.kept = s, 0)")
    player.press("p").until_pinned(1).press("k").until_set("laplacian")
    names = player.js("[window.kept === s, s.t, s.runs.pinned[0].header.names.kernel]")
    assert names == [True, 30, "Gaussian, σ = 0.5"]
    player.page.wait_for_url("**kernel=laplacian&pins=1**")
    player.reload()
    assert player.js("[s.runs.pinned.length, s.t, s.runs.query]") == [1, 30, "pins=1"]
    player.press("Shift+p").until_pinned(0)
    assert "sentences" not in player.panels()
    player.page.wait_for_function("!location.search.includes('pins')")
    ready = player.show("compare")
    ready.get_by_text("Which learner?").click()
    ready.get_by_role("button", name="Whose margin is wider?").click()
    player.until_pinned(1)
    assert player.settings.learner == "svm"
    player.page.locator(".asking .question", has_text="Whose margin is wider?").wait_for()


# ---- what is known of the end --------------------------------------------------------------------


def test_the_end_of_a_run_that_did_not_converge_says_why_and_what_helps(player, monkeypatch):
    monkeypatch.setattr(
        verdict, "SECONDS", 60.0
    )  # it is looked for as long as that takes, on a busy machine too
    settings = Settings.of(kernel="linear", intercept="unit")
    split = experiment.prepare(settings)
    found = verdict.of(settings, split, experiment.run(settings, split), drawn=True)
    player.open("/").press(
        "End"
    ).rest()  # nothing is asked of a run that converged, or is not at its end
    assert player.js("s.askers.at(-1).subject") is None
    player.open(f"/?{settings.query()}").press("ArrowRight").rest()
    assert player.js("s.askers.at(-1).subject") is None
    player.press("End").until("s.player.verdicts.at(s.run, s.t)").rest()
    assert player.js("(({ why, help }) => [why, help])(s.player.verdicts.at(s.run, s.t))") == [
        found.separable,
        found.help,
    ]
    run = experiment.run(settings, split)
    wrong = int((run.margins_at(run.n_steps) <= 0).sum())
    headline = (
        f"No line parts them. Whatever it tries, some stay wrong: {wrong} of {len(run.y)} now."
    )
    assert player.sentence == headline
    for name, more in (("Why?", found.separable), ("What helps?", found.help)):
        fold = player.page.get_by_role("button", name=name)
        fold.press("Enter")
        player.until(f"s.player.verdicts.open === '{'why' if name == 'Why?' else 'help'}'").rest()
        assert fold.get_attribute("aria-expanded") == "true"
        assert player.sentence.startswith(headline)
        assert player.sentence.endswith(more)
    player.page.get_by_role("button", name="What helps?").click()
    player.until("!s.player.verdicts.open").rest()
    assert player.sentence == headline
    button = player.page.get_by_role("button", name="Try a Gaussian kernel")
    button.click()
    player.until("!s.run.header.settings.query.includes('kernel')").press("End").rest()
    assert player.js("s.run.header.end") == "clean"
    assert button.is_hidden()
    player.press("z").until_set("kernel=linear")


# ---- terms ---------------------------------------------------------------------------------------


def term(player, name, where=".terms"):
    return player.page.locator(f".kpviz {where} [data-term={name}]").first


def test_resting_on_a_term_explains_it_until_the_pointer_leaves(player):
    box = player.open("/?v=1&t=25").page.locator(".kpviz .explained")
    term(player, "margin").hover()
    box.wait_for()
    assert "Positive if the prediction is correct" in box.inner_text()
    box.hover()  # one can go there, to the link
    assert player.wait_in_page(500).page.locator(".kpviz .explained").is_visible()
    with player.in_haste():
        player.page.mouse.move(300, 400)
        box.wait_for(state="hidden")


def test_enter_explains_a_term_escape_closes_and_gives_the_focus_back_and_a_press_elsewhere_closes_too(
    player,
):
    box = player.open("/?v=1&t=25").page.locator(".kpviz .explained")
    stops = player.js("[...r.querySelectorAll('.terms .term')].filter((b) => b.tabIndex === 0)"
                      ".map((b) => b.dataset.term)")  # fmt: skip
    assert len(stops) == len(set(stops)) >= 8  # each is one stop of the Tab key
    term(player, "epoch").focus()
    player.press("Enter")
    box.wait_for()
    assert (box.get_attribute("aria-label"), player.focused()) == ("Epoch", "explained")
    assert player.press("Tab").js("r.getRootNode().activeElement.tagName") == "A"
    assert player.press("Escape").focused() == "epoch"
    assert not box.is_visible()
    term(player, "kernel").click()
    assert (
        box.locator("a").evaluate("(a) => a.href") == f"{player.base}/?v=1&t=20&show=similar.alpha"
    )
    assert player.press("ArrowRight").rest().t == 26
    assert box.is_visible()
    player.page.mouse.click(300, 400)
    assert not box.is_visible()
    player.press("Shift+L").page.locator(".dock [data-field='more rare'] > summary").click()
    term(player, "intercept", ".dock").click()
    box.wait_for()
    player.press("Escape")  # one thing at a time
    assert not box.is_visible()
    assert player.js("s.dock.open") == "learner"
    assert player.press("Escape").js("s.dock.open") is None
    assert player.query == "v=1"


def test_what_is_not_readable_while_it_plays_or_before_a_class_is_not_underlined_and_the_box_stays_inside(
    player,
):
    player.wear(390, 844).open("/?v=1&t=25")
    for one in player.page.locator(".kpviz .terms .term").all():
        one.click(force=True)
        left, _, right, _ = player.box(".explained")
        assert 0 <= left <= right <= 390
        player.press("Escape")
    player.pace(20).press(" ").until("s.clock.playing && r.querySelector('.terms').hidden")
    player.press(" ").until("!r.querySelector('.terms').hidden")
    player.open("/?v=1&t=25&stage=16x9")
    assert not term(player, "mistake").is_visible()


def test_beside_the_width_the_settings_offer_the_curves_over_it(player):
    player.open("/?v=1").press("Shift+K")
    player.page.get_by_role("button", name="What does σ change?").click()
    player.page.wait_for_url("**show=*curve*")
    curve(player, "sigma", link="v=1").rest()
    (line,) = player.marks("curve", name="mistakes")
    assert len(line["points"]) > 20


def test_on_a_phone_the_settings_that_offer_the_curves_close_and_the_curves_are_in_sight(player):
    player.wear(390, 844).open("/?v=1").press("Shift+K")
    player.page.get_by_role("button", name="What does σ change?").click()
    player.until("'curve' in s.player.layout.panels").rest()
    assert not player.page.locator(".kpviz .dock").is_visible()
    curves = player.panel("curve")
    assert player.at(0, curves["y"])[1] >= -1
    assert player.at(0, curves["y"] + curves["h"])[1] <= 844
