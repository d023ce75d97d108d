"""Messages between the client in an FMU and the learning server: one request, one answer, one connection.

A message is magic, version, kind, length of the body, the body, and an HMAC-SHA256 of all that with the shared token,
which itself is never sent. Numbers are little-endian.
"""

import hashlib
import hmac
import struct
from typing import NamedTuple

from ..generated.numbers import MOST_WEIGHTS

MAGIC = b"CPLN"
VERSION = 2  # of the messages
REQUEST, ANSWER = 1, 2  # kinds of messages
MOST_VALUES = 4096  # of a request
DIGEST = 32  # length of the signature of a message [bytes]
_HEAD = struct.Struct("<4sHHI")
_SHAPE = struct.Struct("<I10H4d")
_REPLY = struct.Struct("<IHH")
LONGEST_REQUEST = _HEAD.size + _SHAPE.size + 8 * (MOST_WEIGHTS + MOST_VALUES) + DIGEST  # [bytes]
LONGEST_ANSWER = _HEAD.size + _REPLY.size + 8 * MOST_WEIGHTS + DIGEST  # [bytes]


class Unusable(ValueError):
    """A message that cannot be used: foreign, damaged, too long, of another version or with another token."""


class Training(NamedTuple):
    """How the server trains."""

    epochs: int = 0  # of training by Adam; 0: least squares
    batch: int = 0  # samples in an update
    relative: int = 0  # whether relative errors are made small instead of absolute ones
    rate: float = 0.0  # how far a weight goes in an update at first [-]


class Request(NamedTuple):
    """Request of the client."""

    number: int  # of the request; the answer repeats it
    horizon: int  # how far the neural network predicts [macro steps]
    inputs: int  # inputs of the neural network
    first: int  # neurons of its first hidden layer
    second: int  # neurons of its second hidden layer
    leak: float  # slope of the leaky ReLU [-]
    prior: float  # expected change of a weight [-]
    base: tuple[float, ...]  # weights to start from
    values: tuple[float, ...]  # values of the last cycles, oldest first [signal unit]
    offsets: int = 0  # whether its second layer has offsets
    span: float = 0.0  # running range of the signal, 0: that of the values [signal unit]
    training: Training = Training()


class Answer(NamedTuple):
    """New weights for a request; none if the server could not train."""

    number: int
    weights: tuple[float, ...]


def pack_request(request: Request, token: bytes) -> bytes:
    """Return a `request` as bytes, signed with `token`."""
    shape = (request.number, request.horizon, request.inputs, request.first, request.second)
    counts = (len(request.base), len(request.values), request.offsets)
    numbers = request.base + request.values
    epochs, batch, relative, rate = request.training
    reals = (request.leak, request.prior, request.span, rate)
    body = _SHAPE.pack(*shape, *counts, epochs, batch, relative, *reals) + struct.pack(f"<{len(numbers)}d", *numbers)
    return _sign(REQUEST, body, token)


def pack_answer(answer: Answer, token: bytes) -> bytes:
    """Return an `answer` as bytes, signed with `token`."""
    count = len(answer.weights)
    body = _REPLY.pack(answer.number, count, 0) + struct.pack(f"<{count}d", *answer.weights)
    return _sign(ANSWER, body, token)


def length(data: bytes, kind: int, longest: int) -> int:
    """Return the length of the whole message that begins with `data`; 0 while too little of it is there.

    It must be of the `kind` that is expected and have at most `longest` bytes.

    Raises
    ------
    Unusable
        If it is no message of this version and kind, or too long.
    """
    if data[:4] != MAGIC[: len(data)]:
        raise Unusable("it is no message of couplant")
    if len(data) < _HEAD.size:
        return 0
    _, version, found, body = _HEAD.unpack_from(data)
    if version != VERSION or found != kind:
        raise Unusable(f"version {version} and kind {found}, allowed {VERSION} and {kind}")
    whole = _HEAD.size + int(body) + DIGEST
    if whole > longest:
        raise Unusable(f"{whole} bytes, allowed {longest}")
    return whole


def read_request(data: bytes, token: bytes) -> Request:
    """Return the request in a whole message, signed with the token that the client has.

    Raises
    ------
    Unusable
        If it was signed with another token or its numbers do not fit.
    """
    body = _body(data, token)
    if len(body) < _SHAPE.size:
        raise Unusable("it ends too early")
    number, horizon, inputs, first, second, weights, values, *rest = _SHAPE.unpack_from(body)
    offsets, epochs, batch, relative, leak, prior, span, rate = rest
    if len(body) != _SHAPE.size + 8 * (weights + values):
        raise Unusable("its length does not fit its counts")
    numbers = struct.unpack_from(f"<{weights + values}d", body, _SHAPE.size)
    if not all(map(_finite, (leak, prior, span, rate, *numbers))):
        raise Unusable("it has numbers that are not finite")
    training, lists = Training(epochs, batch, relative, rate), (numbers[:weights], numbers[weights:])
    return Request(number, horizon, inputs, first, second, leak, prior, *lists, offsets, span, training)


def read_answer(data: bytes, token: bytes, count: int) -> Answer:
    """Return the answer in a whole message, signed with the token that the server has.

    `count` is the number of weights needed; an answer without any is allowed too.

    Raises
    ------
    Unusable
        If it was signed with another token, has another number of weights, or one that is not finite.
    """
    body = _body(data, token)
    if len(body) < _REPLY.size:
        raise Unusable("it ends too early")
    number, found, _ = _REPLY.unpack_from(body)
    if found not in (0, count) or len(body) != _REPLY.size + 8 * found:
        raise Unusable(f"{found} weights, needed {count}")
    weights = struct.unpack_from(f"<{found}d", body, _REPLY.size)
    if not all(map(_finite, weights)):
        raise Unusable("it has weights that are not finite")
    return Answer(number, weights)


def _sign(kind: int, body: bytes, token: bytes) -> bytes:
    message = _HEAD.pack(MAGIC, VERSION, kind, len(body)) + body
    return message + hmac.new(token, message, hashlib.sha256).digest()


def _body(data: bytes, token: bytes) -> bytes:
    message, digest = data[:-DIGEST], data[-DIGEST:]
    if not hmac.compare_digest(hmac.new(token, message, hashlib.sha256).digest(), digest):
        raise Unusable("it was not signed with our token")
    return message[_HEAD.size :]


def _finite(value: float) -> bool:
    return value - value == 0.0
