"""XML of our own against the standard library's."""

import random
from xml.etree import ElementTree

from couplant.pack.describe.xml import Element, document

SIGNS = "ab \"'<>&\n\r\täΩ😀"


def tree(dice, depth):
    """Return the same elements twice: ours and those of the standard library."""
    tag, count = dice.choice(("Unit", "Item")), dice.randint(0, 3)
    attributes = {f"k{i}": "".join(dice.choices(SIGNS, k=dice.randint(0, 6))) for i in range(count)}
    own, other = Element(tag, attributes), ElementTree.Element(tag, attributes)
    for _ in range(dice.randint(0, 3) if depth else 0):
        inner = tree(dice, depth - 1)
        own.inside.append(inner[0])
        other.append(inner[1])
    return own, other


def test_documents_are_written_as_the_standard_library_writes_them():
    for seed in range(100):
        own, other = tree(random.Random(seed), 3)
        ElementTree.indent(other)
        text = ElementTree.tostring(other, encoding="unicode")
        assert document(own) == f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def test_attributes_without_a_value_are_left_out():
    root = Element("a", {"token": ""})
    assert root.add("b", {"x": None, "y": "", "z": "0"}).attributes == {"z": "0"}
    assert ElementTree.fromstring(document(root)).attrib == {"token": ""}
