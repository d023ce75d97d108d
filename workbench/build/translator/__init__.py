"""From Python to JavaScript: modules of the package in a subset with types become modules that a page can run.

What is translated
    functions with defaults and keywords, closures, generators, comprehensions, data classes, tuples with names,
    errors, texts with formats, regular expressions, dictionaries and sets by value; no arrays, no files, no pow, no
    sines: what has no translation is refused in a sentence that names file, line and construct.
What differs
    integers are exact to 2**53 only; of an integer and a float JavaScript does not know which is which, so that a float
    becomes a text by a format or by `couplant.base.written.real`; a product of 0 and a negative integer is -0.

>>> from workbench.build.translator import translate
>>> sorted(translate(["couplant.base.grid"]))
['python/couplant.base.grid.js']
"""

from workbench.build.translator.refusal import Untranslatable
from workbench.build.translator.translation import HAND_WRITTEN, translate

__all__ = ["HAND_WRITTEN", "Untranslatable", "translate"]
