"""A run in a notebook's cell: the player in a sandboxed frame, which plays by itself."""

import time

import kpviz

PATIENCE = 30_000  # ms


def test_the_frame_of_a_cell_plays_the_run_to_its_end(chromium, tmp_path):
    run = kpviz.open("data=xor&n=4")
    cell = tmp_path / "cell.html"
    cell.write_text(f"<!doctype html><meta charset='utf-8'><div>{run._repr_html_()}</div>", encoding="utf-8")
    context = chromium.new_context(viewport={"width": 1000, "height": 700}, offline=True)
    tab = context.new_page()
    errors = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(cell.as_uri())
    frame = tab.wait_for_selector("iframe").content_frame()
    player = frame.wait_for_selector(".kpviz canvas", timeout=PATIENCE)
    box = player.bounding_box()
    assert box["width"] > 300
    assert box["height"] > 200
    ends = time.monotonic() + PATIENCE / 1000
    last = f"converged after {run.n_epochs} epochs and {run.mistake.sum()} mistakes"
    while last not in frame.inner_text("body"):
        assert time.monotonic() < ends, frame.inner_text("body")
        time.sleep(0.2)
    context.close()
    assert errors == []
