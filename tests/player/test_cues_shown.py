"""The flags of cues on the timeline: they say their words, lead there and give nothing away."""

from cueing import link

# ---- the timeline ---------------------------------------------------------------------------------------------------


def test_pointing_at_a_flag_says_its_words_and_a_click_goes_there(player):
    player.open(link("mistake 3: Look where the boundary goes.|100"))
    first, second = player.marks("timeline", name="cue")
    player.point(first["x"] + 3, first["y"] + 2)
    assert player.tip == ["cue: mistake 3, step 3 (click to go there)", "Look where the boundary goes."]
    player.click(first["x"] + 3, first["y"] + 2)
    assert player.t == 3
    player.point(second["x"] + 3, second["y"] + 2)
    assert player.tip == ["cue: step 100 (click to go there)"]
    player.click(second["x"] + 3, second["y"] + 2)
    assert player.t == 100


def test_while_one_predicts_no_flag_gives_an_answer_away(player):
    player.open(link(t=10)).press("q").rest()
    assert [flag["t"] for flag in player.marks("timeline", name="cue")] == [0, 3]
