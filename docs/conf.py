"""The documentation as a site: the pages as they stand, tutorials run afresh, the interface of the package.

The source folder is the repository, so that a link between two pages is the same in both.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs" / "site"))

from nbclient import NotebookClient  # noqa: E402

from couplant.version import __version__  # noqa: E402

project = "couplant"
author = copyright = "couplant developers"
version = release = __version__
root_doc = "docs/index"
include_patterns = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/*.md",
    "docs/tutorials/*",
    "examples/*/README.md",
    "fmu_src/README.md",
]
exclude_patterns = [".*", "build", "dist"]  # the look for sources follows every link in them, out of the repository too
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "accessible",
    "docstrings",
    "gallery",
    "mathml",
    "page_inside",
    "repository",
    "verbs",
]

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True
# of pieces as they come from a program myst-nb makes a line each, wherever they were cut: so they come whole
NotebookClient.coalesce_streams = True  # type: ignore[assignment]
os.environ |= {"COUPLANT_EXAMPLES": str(ROOT / "examples"), "COLUMNS": "110", "NO_COLOR": "1"}
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
copybutton_prompt_text = "$ "
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "furo"
html_title = f"couplant {__version__}"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_extra_path = ["site/front"]
html_copy_source = False
html_use_index = False
html_domain_indices = False
html_theme_options = {"navigation_with_keys": True}
