"""Some forty boards are as they were: `pytest tests/player/test_gallery.py --update-gallery` writes them anew.

Every learner, kind of data, panel, predictor and grain of time is on at least one of them, as in an app in a window of
1366 × 768 pixels, or presented to a class.
"""

import json
from pathlib import Path

import pytest
from gallery import changes, described, size, text

from kpviz import panels
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.player.envelope import STAGES

GALLERY = Path(__file__).parents[1] / "gallery"
END = 99_999  # a link that asks for more steps than there are opens at the last
BOARDS = {
    "start": "v=1",
    "first-step": "t=1",
    "xor-middle": "t=60&show=alpha.code.margins.lines.normed",
    "xor-end": f"t={END}&show=alpha.bound.margins",
    "all-panels": "n=30&t=45&show=alpha.bound.code.gram.lift.margins.norm.own.primal.readings.remembered.sequence",
    "map-alone": "data=spirals&sigma=0.2&t=40&show=none",
    "circles-lifted": "data=circles&kernel=monomial&intercept=unit&t=90&show=lift",
    "lift-turned": "data=circles&kernel=monomial&intercept=unit&t=90&show=lift&turn=30,-20",
    "linear-primal": "data=linear&kernel=linear&intercept=unit&t=30&show=primal.alpha",
    "polynomial-primal": "data=moons&kernel=polynomial&degree=3&t=100&show=primal",
    "laplacian-averaged": f"data=moons&kernel=laplacian&noise=0.3&predictor=averaged&t={END}&show=readings.margins",
    "voted-shuffled": "data=blobs&flipped=0.1&order=shuffled&predictor=voted&t=120&show=readings.sequence",
    "sigmoid-no-kernel": "kernel=sigmoid&gamma=2&t=200&show=gram.alpha",
    "formula": "kernel=formula&formula=exp(-norm(u-v)**2)*(1%2Bdot(u,v))&data=checkerboard&t=50&show=similar.alpha",
    "sum-held-out": "kernel=gaussian&combine=sum&kernel2=linear&data=moons&held=0.3&t=70",
    "product-normalized": "kernel=subsets&combine=product&kernel2=laplacian&normalize=on&data=shifted&t=33",
    "density": "kernel=density&intercept=unit&data=iris&pair=12&t=150&show=remembered.margins",
    "mixture": "kernel=mixture&components=3&data=breast_cancer&n=60&t=80",
    "random-order": "order=random&noise=0.2&epochs=3&t=100&show=sequence.alpha.margins",
    "order-by-hand": "n=24&order=hand&sequence=AFACAJ&t=10&show=sequence",
    "perceptron-radius": "data=shifted&kernel=linear&intercept=radius&eta=0.1&tie=negative&t=140",
    "oldest": "learner=oldest&budget=6&data=moons&noise=0.2&t=120&show=own.alpha",
    "randomized": "learner=randomized&budget=6&data=moons&noise=0.2&t=120&show=own.alpha",
    "forgetron": "learner=forgetron&budget=8&data=circles&noise=0.2&t=150&show=own.alpha.code.bound",
    "projectron": f"learner=projectron&delta=0.4&data=moons&t={END}&show=own.alpha",
    "norma": "learner=norma&nu=0.3&tau=30&data=moons&t=90&show=own.alpha.code",
    "pa": "learner=pa&variant=PA-I&C=0.3&data=moons&noise=0.2&t=90&show=own.alpha.code",
    "matern": "data=circles&kernel=matern32&sigma=0.3&t=60",
    "matern52": "data=circles&kernel=matern52&sigma=0.3&t=60&show=alpha.margins",
    "svm": "learner=svm&C=10&data=linear&kernel=linear&t=20&show=own.alpha.lines",
    "svm-end": f"learner=svm&C=10&data=moons&t={END}&show=own.alpha.lines.margins",
    "logistic": "learner=logistic&data=moons&noise=0.25&n=50&t=75&show=own.alpha.margins",
    "texts": "data=texts&t=40",
    "texts-asked": "data=texts&kernel=spectrum&ask=the%20goal&t=40&show=remembered.gram",
    "trees": f"data=trees&t={END}",
    "graphs": "data=graphs&rounds=2&t=30&show=remembered.alpha",
    "bits": "data=bits&function=parity&bits=4&t=20",
    "stream": "stream=on&data=moons&n=300&drift=1&t=210",
    "stream-of-norma": "stream=on&learner=norma&n=300&t=150&show=own.margins",
    "two-runs": "data=moons&n=60&noise=0.15&held=0.3&pins=1&p1.kernel=linear&t=42",
    "four-ties": "n=4&noise=0&kernel=linear&epochs=10&pins=3&p1.kernel=linear&p1.tie=correct&p2.kernel=linear"
    "&p2.tie=positive&p3.kernel=linear&p3.tie=negative&t=6",
    "two-streams": "data=moons&stream=on&n=200&drift=2&learner=norma&pins=1&t=150",
    "cue": "t=3&cues=start: Hello.|mistake 3 light x12, margins: Look where the boundary goes.|end",
    "presented": "t=12&stage=16x9",
    "presented-cue": "t=3&stage=4x3&show=alpha.own&learner=forgetron&cues=3 light map: Look here.",
    "presented-upright": "data=moons&t=30&stage=9x16&show=alpha.margins",
    "presented-square": "data=texts&t=12&stage=1x1",
    "presented-two": "data=moons&pins=1&p1.learner=svm&t=20&stage=window",
}


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_as_it_was(player, request, name):
    player.open(f"/?{BOARDS[name]}", size(BOARDS[name]))
    now, path = described(player), GALLERY / f"{name}.json"
    if request.config.getoption("--update-gallery"):
        path.write_text(text(now), encoding="utf-8")
    found = changes(json.loads(path.read_text(encoding="utf-8")), now)
    assert not found, f"The board {name} has changed; if it should, write the gallery anew.\n" + "\n".join(found)


def test_the_gallery_has_a_board_of_everything():
    links = "&".join(BOARDS.values()) + "&data=xor&kernel=gaussian&learner=perceptron&predictor=last"  # the defaults
    for key, values in {
        "data": [*SOURCES, *OBJECTS],
        "learner": LEARNERS,
        "predictor": PREDICTORS,
        "stage": STAGES,
    }.items():
        assert [value for value in values if f"{key}={value}" not in links] == [], key
    of_data = {"words", "subtrees", "graph"}  # these are usual for texts, trees and graphs
    assert [name for name in KERNELS if f"kernel={name}" not in links and name not in of_data] == []
    shown = {
        name
        for link in BOARDS.values()
        for part in link.split("&")
        if part.startswith("show=")
        for name in part[5:].split(".")
    }
    assert set(panels.IN_LINKS) - shown == {"tune"}  # which is a slider, no marks


def test_the_gallery_has_no_other_file_and_stays_small():
    files = list(GALLERY.iterdir())
    assert {path.name for path in files} == {f"{name}.json" for name in BOARDS}
    assert sum(path.stat().st_size for path in files) < 3_000_000


def test_a_change_is_told_mark_by_mark():
    before = {"map": [{"kind": "circle", "i": 3, "x": 1.0, "fill": "ink"}, {"kind": "text", "text": "f"}], "alpha": []}
    now = {"map": [{"kind": "circle", "i": 3, "x": 7.0, "fill": "ink"}], "votes": []}
    assert changes(before, before) == []
    assert changes(before, now) == [
        "alpha: the panel is gone",
        "map: 2 marks → 1",
        "map, mark 0 (circle 3): x 1.0 → 7.0",
        "votes: the panel is new",
    ]
