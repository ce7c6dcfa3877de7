"""The language of formulas, which knows no kernel: who parses a text passes in the kernels that
have a name in it.

Each file imports only from those before it: `nodes.py` has the tree, `parser.py` makes one of a
text, `evaluate.py` works it out, `rounding_errors.py` says how far that may be from the truth, and
`printing.py` writes LaTeX and Python. A kernel within a formula is a leaf of which nothing is known
but a few values and functions (`nodes.Leaf`).
"""
