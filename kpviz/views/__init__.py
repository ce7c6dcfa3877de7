"""Still pictures of a run for slides, notebooks and films: the canvas's colours, marks and words in matplotlib.

Each panel is a small frozen dataclass of arrays already computed; `of(run, t)` computes them, `draw(ax)` only draws.
`board.figure(run, t)` puts the panels together. Text is sized relative to matplotlib's "font.size", points relative to
their axes, so that a panel can stand alone in a figure of one's own.
"""
