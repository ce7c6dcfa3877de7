"""The settings beside the map, alone: focus, caret and place stay, what comes too late is passed
over.
"""

import dock_fields as fields
import pytest

LONG = [
    fields.words(f"Words {k}, which take a line or two of the narrow column beside the map.")
    for k in range(40)
]


# ---- opening and closing ------------------------------------------------------------------------


def test_a_tab_opens_its_group_with_the_focus_in_it_and_the_button_opens_the_last_one_again(dock):
    dock.open(
        data=[fields.tiles(value="moons"), fields.plain(), fields.number()],
        kernel=[fields.slider()],
    )
    section = dock.page.get_by_role("region", name="Data")
    assert not section.is_visible()
    dock.page.locator(".settings").click()
    assert section.is_visible()
    assert dock.tab("data").get_attribute("aria-pressed") == "true"
    assert (dock.focused(), dock.read("wanted")) == ("moons", [["data"]])
    dock.page.locator(".settings").click()
    assert not section.is_visible()
    assert dock.read("marks")[-1] is None
    dock.show("data").page.get_by_label("Data seed").focus()
    dock.show("kernel")  # only one is open
    assert dock.tab("data").get_attribute("aria-pressed") == "false"
    assert dock.page.locator(".dock .field:visible").count() == 1
    dock.page.keyboard.press("Escape")
    assert not dock.page.locator(".dock").is_visible()
    assert dock.focused() == "Settings"
    dock.page.locator(".settings").click()
    assert dock.page.get_by_role("region", name="Kernel").is_visible()
    assert dock.show("data").focused() == "Data seed"  # where it was
    dock.take(data=[fields.tiles()])
    dock.page.keyboard.press("Escape")  # even if what had the focus is gone
    assert not dock.page.locator(".dock").is_visible()


def test_the_focus_waits_for_fields_that_are_still_to_come_and_finds_the_numbers_that_can_be_turned(
    dock,
):
    assert dock.open().show("data").focused() == "data"
    assert dock.take(data=[fields.number()]).focused() == "Data seed"
    for kernel, opened in ((fields.slider(), "Kernel"), (fields.choice(), "Learner")):
        dock.open().page.evaluate("page.dock.turn()")
        assert dock.read("wanted") == [["kernel", "learner"]]
        dock.take(
            kernel=[kernel],
            learner=[fields.number(), fields.slider("eta", 1.0, words="learning rate")],
        )
        assert dock.page.get_by_role("region", name=opened).is_visible()
        assert dock.focused() in {"sigma: width", "eta: learning rate"}
        assert dock.read("wanted")[-1] == [opened.lower()]


# ---- what fields send ---------------------------------------------------------------------------


def test_choices_buttons_lists_and_cards_send_what_was_chosen(dock):
    column = {
        **fields.select(value="a", name="x1", options=[["a", "a"], ["b", "b"]], command="columns"),
        "label": "Second feature",
    }
    chosen = [
        fields.tiles(),
        fields.choice(),
        fields.select(),
        fields.toggle(),
        {**column, "key": "x1"},
    ]
    pressed = [
        fields.button(),
        fields.dialog(),
        fields.button("original", disabled="There is none."),
    ]
    dock.open(data=[*chosen, *pressed, fields.items("A"), fields.cards("widths")]).show("data")
    for name in ("circles", "unit: b", "Stream"):
        dock.page.get_by_label(name).check()
    for name, value in {"First feature": "feature 3", "Second feature": "b"}.items():
        dock.page.get_by_label(name).select_option(value)
    for name in ("Do draw", "Edit the numbers", "Do original", "Unpin", "widths"):
        dock.page.get_by_role("button", name=name).click(force=True)
    assert dock.read("dialogs") == ["table"]
    assert [(each["name"], each["value"]) for each in dock.asked] == [
        ("set", {"data": "circles"}),
        ("set", {"intercept": "unit"}),
        ("set", {"stream": "on"}),
        ("set", {"x": 3}),
        ("columns", {"x1": "b"}),
        ("draw", None),
        ("unpin", {"number": 0}),
        ("compare", {"name": "widths"}),
    ]


def test_files_pasted_tables_and_examples_are_sent_and_an_example_stays_with_the_reason_until_it_is_taken(
    dock, tmp_path
):
    dock.open(data=[fields.more(fields.file(), fields.paste(), opened=True), fields.add()]).show(
        "data"
    )
    path = tmp_path / "mine.csv"
    path.write_text("x,y\n1,2\n")
    dock.page.locator("input[type=file]").set_input_files(path)
    assert dock.read("opened") == [["mine.csv"]]
    dock.page.get_by_label("Or paste").fill("x1\tx2")
    dock.page.keyboard.press("Control+Enter")
    assert dock.asked[-1] == {"name": "paste", "value": {"text": "x1\tx2"}}
    field = dock.page.get_by_label("Add an example")
    field.fill("dogs (")
    dock.page.get_by_label("Class").select_option("−cooking")
    dock.page.get_by_role("button", name="Add it").click()
    assert dock.asked[-1] == {"name": "example", "value": {"text": "dogs (", "y": -1}}
    dock.take(data=[fields.add({"text": "dogs (", "why": "A bracket is not closed.", "at": 5})])
    assert field.input_value() == "dogs ("
    assert dock.page.get_by_role("alert").inner_text() == "A bracket is not closed."
    field.fill("dogs")
    dock.page.keyboard.press("Enter")
    dock.take(data=[fields.add()])
    assert field.input_value() == ""
    assert dock.page.get_by_role("alert").count() == 0


def test_of_many_tiles_a_phone_shows_a_few_until_all_are_asked_for_or_another_is_chosen(dock):
    dock.page.set_viewport_size({"width": 390, "height": 844})
    many = [{"value": str(k), "title": f"tile {k}", "tip": ""} for k in range(12)]
    tiles = {"kind": "tiles", "name": "kernel", "value": "1", "options": many, "few": 4}
    seen = dock.open(kernel=[tiles]).show("kernel").page.locator(".tiles label:visible")
    assert seen.count() == 4
    for key, chosen in (("End", 3), ("ArrowRight", 0)):  # what is not seen is not walked to
        dock.page.locator(".tiles input:checked").press(key)
        assert dock.asked[-1]["value"] == {"kernel": str(chosen)}
    dock.page.get_by_role("button", name="All 12").click()
    assert seen.count() == 12
    assert not dock.page.get_by_role("button", name="All 12").is_visible()
    assert (
        dock.open(kernel=[{**tiles, "value": "7"}])
        .show("kernel")
        .page.locator(".tiles label:visible")
        .count()
        == 12
    )


# ---- sliders and numbers ------------------------------------------------------------------------


def test_a_slider_is_one_gesture_from_the_first_move_to_the_end(dock):
    dock.open(kernel=[fields.slider()]).show("kernel")
    box = dock.page.locator("input[type=range]").bounding_box()
    y = box["y"] + box["height"] / 2
    dock.page.mouse.move(box["x"] + box["width"] / 2, y)
    dock.page.mouse.down()
    for share in (0.6, 0.7, 0.8):
        dock.page.mouse.move(box["x"] + share * box["width"], y)
    dock.take(kernel=[fields.slider(value=0.01)])  # of an earlier moment
    assert float(dock.page.locator("input.number").input_value()) > 0.5
    dock.page.mouse.up()
    asked = dock.asked
    assert len({each["gesture"] for each in asked}) == 1
    assert [each["last"] for each in asked] == [*[False] * (len(asked) - 1), True]
    values = [each["value"]["sigma"] for each in asked]
    assert values == sorted(values)
    assert values[-1] == pytest.approx(10 ** (-2 + 3 * 0.8), rel=0.2)


def test_what_was_said_before_the_answer_comes_too_late_and_a_refusal_takes_the_value_back(dock):
    dock.open(kernel=[fields.slider(), fields.choice()]).show("kernel").answered(0)
    number = dock.page.locator("input.number")
    number.fill("2")
    number.press("Enter")
    dock.page.get_by_label("unit: b").check()
    assert [each["value"] for each in dock.asked] == [{"sigma": 2}, {"intercept": "unit"}]
    dock.take(kernel=[fields.slider(), fields.choice()])
    assert number.input_value() == "2"
    assert dock.page.get_by_label("unit: b").is_checked()
    dock.answered(None).page.evaluate("page.dock.settle()")
    assert number.input_value() == "0.5"
    assert dock.page.get_by_label("none").is_checked()


def gestures(dock):
    """Of each thing that was asked in the one gesture that there was, whether it was the last, once
    it is over.
    """
    dock.page.wait_for_function("page.asked.at(-1)?.last")
    assert len({each["gesture"] for each in dock.asked}) == 1
    return [each["last"] for each in dock.asked]


def test_arrows_that_follow_each_other_are_one_gesture_which_another_key_ends_before_it_is_heard(
    dock,
):
    dock.open(kernel=[fields.slider()]).show("kernel")
    for _ in range(3):
        dock.page.keyboard.down("ArrowRight")  # it is held
    dock.page.keyboard.up("ArrowRight")
    assert gestures(dock) == [False, False, False, True]
    dock.open(learner=[fields.slider("epochs", 1, low=1, high=1000, integer=True)]).show("learner")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        dock.page.keyboard.press(key)
    assert gestures(dock) == [False] * 4 + [True]
    assert [each["value"]["epochs"] for each in dock.asked] == [
        2,
        3,
        4,
        3,
        3,
    ]  # each changes a whole number
    for key in ("Tab", "z"):
        dock.open(kernel=[fields.slider()]).show("kernel").page.evaluate(HEARD, key)
        dock.page.keyboard.press("ArrowRight")
        dock.page.keyboard.press(key)
        assert dock.page.evaluate("page.heard") is True
        assert gestures(dock) == [False, True]


HEARD = """(one) => document.addEventListener(
  "keydown", ({ key }) => key === one && (page.heard = page.asked.at(-1).last), true)"""


def test_numbers_are_typed_with_a_comma_or_in_per_cent_and_what_is_none_stays_with_its_reason(dock):
    dock.open(
        data=[fields.plain("held", 0.25, percent=True), fields.number(7)], kernel=[fields.slider()]
    ).show("kernel")
    number = dock.page.locator("input.number:visible")
    number.fill("")
    number.press_sequentially("0,25")  # one key after the other
    number.press("Enter")
    assert dock.asked[-1] == {"name": "set", "value": {"sigma": 0.25}}
    number.fill("wide")
    number.press("Enter")
    assert (number.input_value(), number.get_attribute("aria-invalid")) == ("wide", "true")
    assert dock.page.get_by_role("alert").text_content() == "Write a number, such as 0.25."
    dock.take(
        data=[fields.plain("held", 0.25, percent=True), fields.number(7)],
        kernel=[fields.slider(value=2.0)],
    )
    assert (number.input_value(), number.get_attribute("aria-invalid")) == (
        "2",
        "false",
    )  # the slider was moved
    assert len(dock.asked) == 1
    share = dock.show("data").page.get_by_role("slider")
    assert (number.first.input_value(), share.get_attribute("aria-valuetext")) == ("25", "25%")
    number.first.fill("90")
    number.first.press("Enter")
    assert dock.asked[-1] == {"name": "set", "value": {"held": 0.5}}
    seed = dock.page.get_by_label("Data seed")
    seed.press("ArrowUp")
    assert (seed.input_value(), dock.asked[-1]) == ("8", {"name": "set", "value": {"seed": 8}})
    asked = len(dock.asked)
    seed.fill("")
    seed.press("Enter")
    assert (seed.input_value() in "78", len(dock.asked)) == (True, asked)


# ---- what stays ---------------------------------------------------------------------------------


def test_what_is_half_typed_stays_with_its_caret_and_what_is_wrong_says_why_and_shows_where(dock):
    dock.open(kernel=[fields.text(), fields.slider()]).show("kernel")
    formula = dock.page.get_by_label("k(u, v) =")
    formula.fill("exp(dot(u, v))")
    formula.evaluate("(e) => e.setSelectionRange(4, 4)")
    dock.take(kernel=[fields.words("New above."), fields.text("u[1]"), fields.choice()])
    assert formula.input_value() == "exp(dot(u, v))"
    assert formula.evaluate("(e) => [e.selectionStart, document.activeElement === e]") == [4, True]
    formula.fill("exp(u")
    formula.press("Enter")
    assert dock.asked[-1] == {"name": "type", "value": {"name": "formula", "text": "exp(u"}}
    dock.take(
        kernel=[fields.text(draft={"text": "exp(u", "why": "A bracket is missing.", "at": 5})]
    )
    assert formula.input_value() == "exp(u"
    assert dock.focused().startswith("k(u, v) =")
    assert dock.page.get_by_role("alert").inner_text() == "A bracket is missing."
    assert dock.page.locator(".place").text_content() == "exp(u\n     ^"
    dock.take(kernel=[fields.text("u[1]*v[1]")])
    assert formula.input_value() == "u[1]*v[1]"
    assert dock.page.locator(".place:visible").count() == 0


def test_a_field_keeps_its_element_and_the_focus_when_others_come_and_go(dock):
    dock.open(kernel=[fields.tiles(), fields.slider(), fields.slider("degree")]).show("kernel")
    dock.page.get_by_role("slider", name="degree").focus()
    dock.page.evaluate("window.kept = document.activeElement")
    dock.take(
        kernel=[
            fields.tiles(),
            fields.math(),
            fields.words("Said."),
            fields.slider("degree"),
            fields.choice(),
        ]
    )
    assert dock.page.evaluate("window.kept === document.activeElement")
    dock.take(kernel=[fields.slider("degree"), fields.tiles(), fields.slider()])
    assert dock.page.evaluate("window.kept === document.activeElement")


def test_the_place_stays_while_fields_above_it_come_and_go_and_while_it_is_closed(dock):
    dock.open(data=[*LONG[:20], fields.slider(), *LONG[20:]]).show("data")
    slider = dock.page.get_by_role("slider")
    slider.focus()
    before = pytest.approx(slider.bounding_box()["y"], abs=1.5)
    dock.take(data=[fields.tiles(), *LONG, fields.slider(), *LONG[20:]])
    assert slider.bounding_box()["y"] == before
    dock.take(data=[*LONG[:15], fields.slider(), *LONG[20:]])
    assert slider.bounding_box()["y"] == before
    dock.page.keyboard.press("Escape")
    dock.show("data")
    assert slider.bounding_box()["y"] == before


def test_an_edge_behind_which_there_is_more_is_shaded_and_what_the_reader_unfolds_stays_unfolded(
    dock,
):
    dock.open(data=LONG, kernel=[fields.more(fields.number())]).show("data")
    frame = dock.page.locator(".dock .frame:visible")
    shaded = "(e) => [e.classList.contains('above'), e.classList.contains('below')]"
    assert frame.evaluate(shaded) == [False, True]
    dock.page.locator(".dock .fields:visible").first.evaluate("(e) => e.scrollTo(0, 100)")
    dock.page.wait_for_function(
        "document.querySelector('.frame:not([hidden])').classList.contains('above')"
    )
    dock.page.locator(".dock .fields:visible").first.evaluate("(e) => e.scrollTo(0, 1e6)")
    dock.page.wait_for_function(
        "!document.querySelector('.frame:not([hidden])').classList.contains('below')"
    )
    dock.show("kernel")
    assert frame.evaluate(shaded) == [False, False]
    details = dock.page.locator("details")
    assert not details.evaluate("(e) => e.open")
    dock.page.locator("summary").click()
    dock.take(kernel=[fields.more(fields.number(3))])
    assert details.evaluate("(e) => e.open")
    assert dock.page.get_by_label("Data seed").input_value() == "3"


# ---- what is shown ------------------------------------------------------------------------------


def test_a_formula_is_set_and_what_is_not_one_or_a_stranger_wrote_stays_text(dock):
    evil = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi onclick="x()" '
        'href="x">k</mi><script>1</script></math>'
    )
    plain = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi onclick="x()" href="x">k</mi></math>'
    )
    formulas = [fields.math(), fields.math(evil), fields.math(plain), fields.math("no <b>formula")]
    stranger = "<img src=x onerror=alert(1)>"
    written = [
        fields.words(stranger),
        fields.items(stranger),
        fields.select(options=[[2, stranger]]),
    ]
    dock.open(kernel=formulas, data=written).show("kernel")
    message = dock.page.locator(".math").all()
    assert message[0].locator("math msup").count() == 1
    assert message[1].evaluate("(e) => [e.children.length, e.textContent]") == [0, evil]
    assert message[2].evaluate("(e) => e.querySelector('mi').getAttributeNames()") == []
    assert message[3].evaluate("(e) => [e.children.length, e.textContent]") == [0, "no <b>formula"]
    assert dock.show("data").page.locator(".dock img").count() == 0
    assert dock.page.locator(".dock .words:visible").inner_text() == stranger
