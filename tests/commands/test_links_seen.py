"""What the player shows of a link is in its pictures, too; what of it cannot be read is named."""

from pathlib import Path

from kpviz.commands.inputs import read


def test_a_pin_or_an_angle_that_cannot_be_read_is_named():
    given = read("?v=1&pins=1&p1.kernel=none&turn=30", {})
    (notice,) = given.notices
    assert "turn is not two angles" in notice
    assert "kernel" in notice


def test_the_lift_is_drawn_as_the_link_turns_it(kpviz):
    link = "?v=1&kernel=monomial&degree=2&n=20&show=lift&t=9"
    for name, turn in (("first", ""), ("turned", "&turn=-60,10"), ("again", "&turn=-60,10")):
        assert kpviz("plot", link + turn, "--panel", "lift", "--size", "400x400", "--out", f"{name}.png")[0] == 0
    first, turned, again = (Path(f"{name}.png").read_bytes() for name in ("first", "turned", "again"))
    assert turned == again != first


def test_curves_run_over_the_setting_that_the_link_names(kpviz):
    link = "?v=1&data=moons&n=12&noise=0.3&epochs=2&show=curve"
    for name, over in (("usual", ""), ("first", "&over=sigma"), ("named", "&over=noise"), ("again", "&over=noise")):
        assert kpviz("plot", link + over, "--panel", "curve", "--size", "400x400", "--out", f"{name}.png")[0] == 0
    usual, first, named, again = (Path(f"{name}.png").read_bytes() for name in ("usual", "first", "named", "again"))
    assert usual == first != named == again
    film = ("--size", "640x360", "--fps", "24", "--speed", "20", "--to", "1", "--no-title", "--no-words", "--out")
    for name, over in (("usual", ""), ("named", "&over=noise")):
        assert kpviz("render", link + over, *film, f"{name}.gif")[0] == 0
    assert Path("usual.gif").read_bytes() != Path("named.gif").read_bytes()


def test_a_setting_without_a_range_that_curves_cannot_run_over_is_named():
    (notice,) = read("?v=1&over=kernel", {}).notices
    assert "over is not a setting with a range" in notice


def test_pins_that_cannot_compare_other_data_are_left_out_and_named():
    link = "?v=1&data=moons&pins=1&p1.kernel=linear"
    assert len(read(link, {}).pins) == len(read(link, {"data": "circles"}).pins) == 1
    given = read(link, {"data": "texts"})
    assert given.pins == ()
    assert "cannot compare such examples" in given.notices[0]
