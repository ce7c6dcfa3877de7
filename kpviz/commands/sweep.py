"""`kpviz sweep`: a table of runs, one for each value of a setting."""

from __future__ import annotations

import argparse
import csv
import io
import math

from kpviz.commands import output, work
from kpviz.lessons import sweep as sweeps
from kpviz.lessons.sweep import COLUMNS, Sweep


def sweep(options: argparse.Namespace) -> int:
    """Train for each value, and write the table."""
    output.check(options.out)
    found = work.read(options)
    table = sweeps.sweep(
        found.settings, options.name, options.values, seeds=options.seeds, n_jobs=options.jobs, table=found.table
    )
    output.write(options.out, _csv(table))
    return 0


def _csv(table: Sweep) -> str:
    """Return one line for each run, numbers in full precision; what there is none of is left out."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_written(getattr(point, name)) for name in COLUMNS] for point in table)
    return text.getvalue()


def _written(value: object) -> object:
    if not isinstance(value, float):
        return value
    return "" if math.isnan(value) else int(value) if value.is_integer() else value
