"""Sphinx builds the documentation with this: `make docs`."""

import doctest
import sys
from pathlib import Path

import kpviz

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "kpviz"
author = "The kpviz authors"
copyright = "The kpviz authors, BSD-3-Clause"
release = version = kpviz.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "sphinx_design",
    "kpviz_docs",
]
exclude_patterns = ["generated/tables"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", r".*")]

# ---- Markdown ------------------------------------------------------------------------------------

myst_enable_extensions = [
    "attrs_block",
    "attrs_inline",
    "colon_fence",
    "deflist",
    "dollarmath",
    "fieldlist",
]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_raise_on_error = True

# ---- Python --------------------------------------------------------------------------------------

add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_type_aliases = {"FloatArray": "FloatArray", "ArrayLike": "ArrayLike"}
autosummary_generate = False
numpydoc_show_class_members = False
doctest_default_flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
doctest_global_setup = """
import numpy as np
import kpviz
from kpviz import *
from kpviz.kernels import *
from kpviz.learners import *
from kpviz.primal import *
from kpviz.theory import *
"""

# ---- html ----------------------------------------------------------------------------------------

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = f"kpviz {release}"
html_static_path = ["_static"]
html_css_files = ["kpviz-docs.css", "kpviz-look.css"]
html_js_files = ["kpviz-docs.js"]
html_sidebars: dict[str, list[str]] = {"index": [], "gallery/index": [], "generated/gallery/*": []}
html_favicon = "../kpviz/app/icon.png"
html_context = {"default_mode": "auto"}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {
        "text": "kpviz",
        "image_light": "../kpviz/app/icon.png",
        "image_dark": "../kpviz/app/icon.png",
    },
    "header_links_before_dropdown": 6,
    "navbar_end": ["theme-switcher"],
    "back_to_top_button": False,
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "navbar_persistent": ["search-button"],
    "collapse_navigation": True,  # nothing to fold that has no name
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
