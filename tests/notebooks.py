"""Reading and executing the notebooks that were exported."""

import nbformat

from kpviz.export.code.notebook import notebook


def cells(case, kind):
    read = nbformat.reads(notebook(case.settings, case.split), as_version=4)
    nbformat.validate(read)
    return [cell.source for cell in read.cells if cell.cell_type == kind]


def reproduces(case, execute):
    """Execute the cells of code as one; return their variables."""
    found, printed = execute("\n".join(cells(case, "code")))
    case.assert_same(found["mistakes"], found["alpha"])
    case.assert_printed(printed)
    return found
