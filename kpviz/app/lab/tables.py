"""Tables of the lab, as HTML in which everything that anyone wrote is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st


def show(head: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1) -> None:
    """Show a table; the first `words` columns are words, at the left, the others numbers, at the right."""
    body = "".join(_row(row, "td", words) for row in rows)
    st.html(f'<table class="kpviz-table"><thead>{_row(head, "th", words)}</thead><tbody>{body}</tbody></table>')


def _row(cells: Sequence[str], tag: str, words: int) -> str:
    kinds = ["words" if place < words else "number" for place in range(len(cells))]
    written = [f'<{tag} class="{kind}">{escape(cell)}</{tag}>' for kind, cell in zip(kinds, cells, strict=True)]
    return f"<tr>{''.join(written)}</tr>"
