"""Places of elements and attributes in a text, and changes of it."""

import time

import pytest

from couplant.base.archives import Refused
from couplant.elsewhere.ssp.markup import Edits, parse


def test_attributes_are_found_behind_the_name_of_their_element():
    text = b"<a:b  x = '1>' xmlns:a=\"urn:a\"\n y=\"&lt;\"/>"
    found = parse("a", text).attributes
    assert {name: (text[a.of_name], text[a.of_value], a.text) for name, a in found.items()} == {
        "x": (b"x", b"1>", "1>"),
        "xmlns:a": (b"xmlns:a", b"urn:a", "urn:a"),
        "y": (b"y", b"&lt;", "<"),
    }


def test_a_long_name_takes_no_longer_than_its_length():
    long = b"a" * 200_000
    value, _ = timed(b'<a xmlns="u" c="' + long + b'" b="1"/>')
    name, root = timed(b"<" + long + b' xmlns="u" b="1"/>')
    assert root.get("b") == "1"
    assert name < 1000.0 * value  # with the square of the length it is a hundred thousand times


def timed(text):
    """Return how long `text` takes to be read [s], and its root."""
    start = time.process_time()
    root = parse("a", text)
    return time.process_time() - start, root


def test_prefixes_are_not_copied_for_each_element():
    declared = " ".join(f'xmlns:p{i}="u"' for i in range(200))
    root = parse("a", f'<r {declared}><p1:q xmlns:z="y"/></r>'.encode())
    (child,) = root.children
    assert (child.space, child.scope["z"], len(child.scope.maps[0])) == ("u", "y", 1)
    assert child.scope.maps[1:] == root.scope.maps


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_that_does_not_say_so_is_refused(encoding):
    with pytest.raises(Refused, match=r"a is not UTF-8 at byte [01], as SSP has it"):
        parse("a", "<r/>".encode(encoding))


def test_changes_that_exclude_one_another_are_refused():
    text = b'<r><a b="1"/></r>'
    (a,) = parse("a", text).children
    gone = Edits(text)
    gone.remove(a)
    gone.remove(a)
    assert gone.result() == b"<r></r>"
    for change in ((a.attributes["b"].of_value, b"2"), (slice(a.begin + 1, a.end + 1), b"")):
        edits = Edits(text)
        edits.remove(a)
        edits.replace(*change)
        with pytest.raises(Refused, match=r"changes at byte \d+ exclude one another"):
            edits.result()
