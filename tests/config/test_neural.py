"""Settings of networks: what must fit together."""

import pytest

from couplant.base.errors import UsageError
from couplant.config import advice, parse_interface
from couplant.config.rules.neural import neural_of, start_weights


def document(**signal):
    signal = {"algorithm": "network", "latency": {"constant_steps": 3}, **signal}
    return {"interface": {"name": "b", "macro_step": 0.01}, "signals": {"y": signal}}


def parsed(**signal):
    return parse_interface(document(**signal), "b.toml").signals["y"]


def test_the_defaults_are_those_of_the_dissertation():
    net = neural_of(parsed(), 3)
    assert (net.first, net.second, net.leak, net.inputs, net.size, net.server) == (4, 2, 0.01, 5, 30, False)


def test_without_the_algorithm_there_is_none():
    assert neural_of(parsed(algorithm="foh"), 3) is None


def test_it_starts_from_given_weights():
    given = {"selected": "network", "a": [2.0, -1.0], "A": [1.0, -1.0]}
    assert start_weights(parsed(algorithm=given, network={"start": "linear"}), 3) == ((2.0, -1.0), (1.0, -1.0))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"latency": {"mode": "stamps"}}, 'allowed "constant" with a network'),
        ({"network": {"start": "linear"}}, "needs weights"),
        ({"network": {"second": 3}}, "even number"),
        ({"network": {"first": 16}}, "allowed 3 to 64"),
        ({"network": {"weights": [1.0, 2.0, 3.0]}}, "length 3, allowed 30"),
        ({"network": {"start": "smb"}}, 'allowed "zoh"'),
        ({"learning": {"prior": 0.0}}, "learning.prior = 0"),
        ({"learning": {"token": "short"}}, "16 to 128"),
    ],
)
def test_what_does_not_fit_is_told(change, words):
    with pytest.raises(UsageError, match="signals") as caught:
        parsed(**change)
    assert words in str(caught.value)


def test_a_token_that_everybody_can_read_is_told_where_it_is_used():
    token, server = "0123456789abcdef", {"algorithm": "network", "latency": {"constant_steps": 3}}
    for learning, told in (
        ({"mode": "server", "token": token}, True),
        ({"mode": "server"}, False),
        ({"mode": "embedded", "token": token}, False),
    ):
        interface = parse_interface(document(**server, learning=learning), "b.toml")
        found = [line for line in advice(interface) if "token" in line]
        assert found == (told * [TOKEN_ADVICE])


TOKEN_ADVICE = (
    "signals.y.learning.token stands in clear in the FMU, for all who have it: leave it out and set "
    "COUPLANT_TOKEN where the FMU runs."
)
