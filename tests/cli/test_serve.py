"""``couplant serve``: refusals; what it does once it runs is in tests/learning."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "70000"), "--port = 70000"),
        (("--token", "short"), "16 or more"),
        (("--token", "0123456789abcdef", "--host", "0.0.0.0"), "--anywhere"),
    ],
)
def test_wrong_use_is_one_sentence(couplant, arguments, words):
    done = couplant("serve", *arguments)
    assert done.status == 2
    assert words in done.err
