"""The pictures of the settings in either theme: on the page's ground, in the colours of the classes."""

import io

import numpy as np
import pytest
from matplotlib import image

SEEN = 3.0  # of contrast (WCAG 1.4.11)
PAINTED = "html:root { opacity: 1 !important; }"  # as the window is not, usually


def luminance(colours):
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def ground_and_classes(picture):
    """The colour most of a picture has, and those of its most orange and most blue places."""
    pixels = (
        image.imread(io.BytesIO(picture.screenshot(style=PAINTED)), format="png")[..., :3].reshape(-1, 3).astype(float)
    )
    warm = pixels[:, 0] - pixels[:, 2]
    return np.median(pixels, axis=0), pixels[warm.argmax()], pixels[warm.argmin()]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("group", ["data", "learner", "compare"])
def test_pictures_are_as_light_as_the_page_and_tell_the_classes_apart(player, group, theme):
    player.wear(color_scheme=theme).open("/?v=1").until("s.palette.dark === arg", theme == "dark")
    player.page.locator(f".chip[data-group={group}]").click()
    pictures = player.page.locator(".dock .picture:visible")
    pictures.first.wait_for()
    for k in range(3):
        ground, orange, blue = ground_and_classes(pictures.nth(k))
        assert (luminance(ground) < 0.03) if theme == "dark" else (luminance(ground) > 0.9)
        assert contrast(orange, ground) > SEEN
        assert contrast(blue, ground) > SEEN
        assert orange[0] > orange[1] > orange[2]
        assert blue[0] < blue[1] < blue[2]


def test_the_pictures_follow_the_theme_while_the_settings_are_open(player):
    player.wear(color_scheme="light").open("/?v=1")
    player.page.locator(".chip[data-group=data]").click()
    picture = player.page.locator(".dock .picture:visible").first
    assert luminance(ground_and_classes(picture)[0]) > 0.9
    player.wear(color_scheme="dark").until("s.palette.dark")
    assert luminance(ground_and_classes(picture)[0]) < 0.03
