"""Files with seeded damage: letters changed, cut, doubled, put elsewhere, extreme numbers, words with a meaning."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from couplant.base.errors import CouplantError

LONGEST = 500  # letters of a sentence, without the folder of its file
MOST_SECONDS = 5.0  # of CPU for an input below 1 MB [s]

_NUMBERS = (b"1e308", b"-1e308", b"1e999", b"nan", b"inf", b"0", b"-1", b"9" * 40, b"1e-320", b"2147483648", b"0x7f")
_WORDS = (
    b"\n", b"\r", b"\0", b",", b";", b"\t", b" ", b'"', b"'", b"[", b"]", b"{", b"}", b"=", b".", b"#", b"%", b"\xff",
    b"\xc3", "\u202egnp.exe".encode(), "Ö".encode(), b"OVERFLOW", b"2026-11-22T08:15:00", b"99999-99-99", b"24:61:61",
    b"\xff\xfe",
)  # fmt: skip


def mutate(rng: random.Random, content: bytes, words: Sequence[bytes] = ()) -> bytes:
    """Return a content with one to five changes, the most of them near its beginning."""
    data = bytearray(content)
    for _ in range(rng.randint(1, 5)):
        at = min(int(rng.expovariate(1 / 300)) if rng.random() < 0.7 else rng.randrange(len(data) + 1), len(data))
        length = rng.choice((0, 1, 1, 2, 8, 100))
        match rng.randrange(7):
            case 0:
                data[at : at + length] = rng.choice(_NUMBERS)
            case 1:
                data[at : at + length] = rng.choice((*_WORDS, *words))
            case 2 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 3:
                del data[at : at + 10 * length]
            case 4:
                data[at:at] = data[at : at + length] * rng.choice((1, 2, 300))
            case 5:
                other = rng.randrange(len(data) + 1)
                data[at:at] = data[other : other + 20 * length]
            case _:
                data[at : at + length] = bytes(rng.randrange(256) for _ in range(length))
    return bytes(data[:900_000])


def complaint(path: Path, use: Callable[[Path], object], most: float = MOST_SECONDS) -> str:
    """Return what is wrong with the way in which a file is refused or taken in `most` s of CPU, else nothing."""
    begin = time.process_time()
    try:
        use(path)
    except CouplantError as error:
        said = str(error)
        longest = max((line.replace(str(path.parent), "") for line in said.splitlines()), key=len, default="")
        if len(longest) > LONGEST:
            return f"{len(longest)} letters: {longest[:200]}"
        if path.name not in said:
            return f"without its file: {said[:200]}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    seconds = time.process_time() - begin
    return f"{seconds:.1f} s of CPU" if seconds > most else ""
