"""The numbers of the dock, typed: per cent, a decimal comma, steps, and what is no number."""

import dock_fields as fields


def test_shares_are_read_and_typed_in_per_cent(dock):
    dock.open(data=[fields.plain("held", 0.25, percent=True)]).show("data")
    number = dock.page.locator("input.number")
    assert number.input_value() == "25"
    assert dock.page.get_by_role("slider").get_attribute("aria-valuetext") == "25%"
    number.fill("90")
    number.press("Enter")
    assert dock.asked[-1] == {"name": "set", "value": {"held": 0.5}}
    assert number.input_value() == "50" or dock.take(data=[fields.plain("held", 0.5, percent=True)])


def test_a_decimal_comma_is_typed_and_what_is_no_number_stays_with_its_reason(dock):
    dock.open(kernel=[fields.slider()]).show("kernel")
    number = dock.page.locator("input.number")
    number.fill("")
    number.press_sequentially("0,25")  # one key after the other
    number.press("Enter")
    assert dock.asked[-1] == {"name": "set", "value": {"sigma": 0.25}}
    dock.take(kernel=[fields.slider(value=0.25)])
    number.fill("wide")
    number.press("Enter")
    assert (number.input_value(), number.get_attribute("aria-invalid")) == ("wide", "true")
    assert dock.page.get_by_role("alert").text_content() == "Write a number, such as 0.25."
    dock.take(kernel=[fields.slider(value=2.0)])  # the slider was moved
    assert (number.input_value(), number.get_attribute("aria-invalid")) == ("2", "false")
    assert len(dock.asked) == 1


def test_arrows_step_a_number_that_has_steps(dock):
    dock.open(data=[fields.number(7)]).show("data")
    number = dock.page.get_by_label("Data seed")
    number.press("ArrowUp")
    assert (number.input_value(), dock.asked[-1]) == ("8", {"name": "set", "value": {"seed": 8}})


def test_an_empty_number_is_put_back(dock):
    dock.open(data=[fields.number(7)]).show("data")
    number = dock.page.get_by_label("Data seed")
    number.fill("")
    number.press("Enter")
    assert (number.input_value(), dock.asked) == ("7", [])
