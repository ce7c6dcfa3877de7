"""Of a law over boards in windows, `make test` asks each board in one window; with KPVIZ_SHARE=all,
as once a week, each is asked in all.
"""

import itertools
import os

IS_WHOLE = os.environ.get("KPVIZ_SHARE") == "all"


def share(kinds, others):
    """Pairs in which each kind stands once, or with all others, each of which is in some pair."""
    if IS_WHOLE:
        return [*itertools.product(kinds, others)]
    return [*zip(kinds, itertools.cycle(others), strict=False)]
