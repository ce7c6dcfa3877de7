"""Where a map has few points, neither the legend nor the scale of the colours hides one, or stands beside it."""

import pytest

CORNERS = "data=xor&n=4&noise=0"
ALONE = (
    f"/?v=1&{CORNERS}&kernel=polynomial&degree=2&t=4",
    f"/?v=1&{CORNERS}&kernel=linear&t=63&stage=window",
    "/?v=1&data=drawn&points=vovoQYn0n0vovoQYYMQY.o&kernel=linear&t=3",
)
SIZES = [(1366, 768), (1920, 1080)]


def gaps(found):
    """How far the points are from what is written on a map and from its scale, in pixels; below 0: one is under it."""
    points = [mark for mark in found if mark.get("i") is not None and "r" in mark]
    (scale,) = (mark for mark in found if mark["kind"] == "image" and mark["h"] < 20)
    boxes = [(scale["x"], scale["x"] + scale["w"], scale["y"], scale["y"] + scale["h"])]
    for mark in found:
        wide = 0.5 * mark.get("size", 0) * len(mark.get("text", ""))
        if mark.get("name") == "kernel":
            boxes.append((mark["x"] - wide, mark["x"], mark["y"] - mark["size"], mark["y"]))
        elif mark.get("text", "").startswith("class "):
            boxes.append((mark["x"], mark["x"] + wide, mark["y"] - mark["size"] / 2, mark["y"] + mark["size"] / 2))
    assert len(points) >= 4
    for point in points:
        for x1, x2, y1, y2 in boxes:
            across = max(x1 - point["x"], point["x"] - x2)
            down = max(y1 - point["y"], point["y"] - y2)
            yield max(across, down) - point["r"]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("link", ALONE)
def test_words_and_scale_leave_few_points_free(player, link, size):
    player.open(link, {"width": size[0], "height": size[1]})
    assert min(gaps(player.marks("map"))) > 0


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_compared_maps_hide_no_corner(player, size):
    player.open("/?compare=ties&t=8&stage=window", {"width": size[0], "height": size[1]})
    for name in ("map", "map-0", "map-1", "map-2"):
        assert min(gaps(player.marks(name))) > -1
