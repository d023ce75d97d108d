"""Messages: whole ones come through, all others are refused."""

import random
import struct

import pytest

from couplant_runtime.learning.message import (
    ANSWER,
    LONGEST_ANSWER,
    REQUEST,
    Answer,
    Request,
    Training,
    Unusable,
    length,
    pack_answer,
    pack_request,
    read_answer,
    read_request,
)

TOKEN = b"0123456789abcdef"
NUMBERS = (1.0, -2.5, 1e-300), (0.0, 3.25, -1.0, 1e300)
REQUEST_1 = Request(7, 3, 5, 4, 2, 0.01, 0.3, *NUMBERS, 1, 2.5, Training(30, 64, 1, 0.01))


def test_a_request_comes_through():
    data = pack_request(REQUEST_1, TOKEN)
    assert length(data[:12], REQUEST, 10**6) == len(data)
    assert read_request(data, TOKEN) == REQUEST_1


def test_an_answer_comes_through():
    data = pack_answer(Answer(7, (1.0, 2.0)), TOKEN)
    assert length(data, ANSWER, LONGEST_ANSWER) == len(data)
    assert read_answer(data, TOKEN, 2) == Answer(7, (1.0, 2.0))
    assert read_answer(pack_answer(Answer(7, ()), TOKEN), TOKEN, 2).weights == ()


def test_too_little_is_not_yet_a_message():
    data = pack_answer(Answer(7, ()), TOKEN)
    assert [length(data[:n], ANSWER, LONGEST_ANSWER) for n in (0, 3, 11)] == [0, 0, 0]


FOREIGN = (b"HTTP/1.1 200 OK\r\n\r\n", b"CPLN\1\0\2\0" + bytes(40), b"CPLN\2\0\1\0" + bytes(40))


@pytest.mark.parametrize("change", FOREIGN)
def test_foreign_versions_and_kinds_are_refused(change):
    with pytest.raises(Unusable):
        length(change, ANSWER, LONGEST_ANSWER)


def test_a_huge_length_is_refused_before_it_arrives():
    with pytest.raises(Unusable, match="allowed"):
        length(struct.pack("<4sHHI", b"CPLN", 2, ANSWER, 2**32 - 1), ANSWER, LONGEST_ANSWER)


@pytest.mark.parametrize("weights", [(float("nan"), 1.0), (float("inf"), 1.0), (1.0,), (1.0, 2.0, 3.0)])
def test_weights_that_are_no_numbers_or_too_many_are_refused(weights):
    with pytest.raises(Unusable):
        read_answer(pack_answer(Answer(1, weights), TOKEN), TOKEN, 2)


def test_another_token_is_refused():
    with pytest.raises(Unusable, match="token"):
        read_answer(pack_answer(Answer(1, (1.0, 2.0)), b"another"), TOKEN, 2)
    with pytest.raises(Unusable, match="token"):
        read_request(pack_request(REQUEST_1, b"another"), TOKEN)


@pytest.mark.parametrize("seed", range(40))
def test_a_single_wrong_bit_anywhere_is_refused(seed):
    data = bytearray(pack_request(REQUEST_1, TOKEN))
    chance = random.Random(seed)
    data[chance.randrange(12, len(data))] ^= 1 << chance.randrange(8)
    with pytest.raises(Unusable):
        read_request(bytes(data), TOKEN)


def test_the_token_is_never_sent():
    assert TOKEN not in pack_request(REQUEST_1, TOKEN)
