"""The sources of a tree, read once: paths, syntax trees, imports, functions."""

import ast
import re
from functools import cache
from pathlib import Path

STAGES = ("latency", "history", "quality", "discontinuity", "switching", "algorithm", "energy", "reconstruction")


@cache
def parsed(text):
    """Return the syntax tree of a text."""
    return ast.parse(text)


class House:
    """A checkout at `root`."""

    def __init__(self, root):
        self.root = Path(root)
        self.runtime = self.root / "fmu_src" / "couplant_runtime"
        self.kernel = self.root / "fmu_src" / "kernel"
        self.package = self.root / "builder" / "couplant"
        self.runtime_files = sorted(self.runtime.rglob("*.py"))
        self.package_files = sorted(self.package.rglob("*.py"))
        beside = (self.root / "examples" / "published", self.root / "workbench" / "build")
        others = [path for folder in beside for path in sorted(folder.rglob("*.py"))]
        self.sources = [*self.runtime_files, *self.package_files, *others]
        self.texts = {}

    def name(self, path):
        """Return the path of a file from the root."""
        return path.relative_to(self.root).as_posix()

    def text(self, path):
        """Return the text of a file."""
        if path not in self.texts:
            self.texts[path] = path.read_text(encoding="utf-8")
        return self.texts[path]

    def tree(self, path):
        """Return the syntax tree of a file."""
        return parsed(self.text(path))

    def modules(self):
        """Return the files of the package by the names of their modules."""
        parts = {path: path.relative_to(self.package.parent).with_suffix("").parts for path in self.package_files}
        return {".".join(names).removesuffix(".__init__"): path for path, names in parts.items()}


def imports(tree):
    """Yield the names of the modules that a file imports, relative ones with their dots."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def public_functions(tree):
    """Yield the functions and methods of a file that others may call."""
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else [node]
        for item in inner:
            if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
                yield item


def every_argument(function):
    """Return all arguments of a function but ``*args`` and ``**kwargs``."""
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def documented(function):
    """Return the texts under Parameters by name."""
    text = ast.get_docstring(function) or ""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", text, flags=re.DOTALL | re.MULTILINE)
    lines = section[1] + "\n" if section else ""
    entries = re.findall(r"^(\*{0,2}\w[\w, *]*?)(?: :.*)?\n((?: +.*\n?|\n)*)", lines, flags=re.MULTILINE)
    return {name.strip(" *"): words for names, words in entries for name in names.split(",")}
