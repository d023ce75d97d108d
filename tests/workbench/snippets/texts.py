"""Texts: methods, slices, formats, what repr says."""

from __future__ import annotations

TEXTS = [
    "", " ", "a", "abc", " a b  c ", "a,b,,c", ",", "\ta\n b\r\n", "ÄÖß straße", "aXbXc", "x=1=2", "😀 a😀b",
    "\u00a0x\u2003",
    "\x1cy\x85", "line\nline\r\nline\rlast\n", "ΑΣ", "İi", "0123", "²", "٣", "a_b", "_", "prefix-body-suffix",
    "\ufeffz",
]  # fmt: skip


def case_parts():
    return [
        [t.split(), t.split(","), t.split(None, 1), t.split(",", 1), t.rsplit("X", 1), t.split(maxsplit=1), t.rsplit()]
        for t in TEXTS
    ] + [[t.partition("="), t.rpartition("="), t.splitlines(), t.splitlines(True), t.partition("😀")] for t in TEXTS]


def case_strips():
    return [[t.strip(), t.lstrip(), t.rstrip(), t.strip(" a"), t.lstrip("a"), t.rstrip("c "),
        t.strip("😀")] for t in TEXTS]


def case_tests():
    return [
        [
            t.isdigit(), t.isdecimal(), t.isascii(), t.isalpha(), t.isalnum(), t.isspace(), t.isidentifier(),
            t.isupper(), t.islower(), t.startswith("a"), t.endswith(("c", " ")), t.startswith(("x", "_")), "b" in t,
            "" in t, "z" not in t,
        ]
        for t in TEXTS
    ]  # fmt: skip


def case_changes():
    return [
        [
            t.lower(), t.upper(), t.replace("a", "$&"), t.replace("a", "b", 1), t.removeprefix("a"),
            t.removesuffix("c"),
            t.ljust(5) + "|", t.rjust(5, "*"), t.center(6) + "|", t.center(7, "-"), t.zfill(6), t.capitalize(), t * 2,
        ]
        for t in TEXTS if t.isascii() or t in ("😀 a😀b", "ÄÖß straße")
    ] + [["+5".zfill(4), "-".join(["a"]), "ab".join("xyz"), "abc".casefold(), "".join([])]]  # fmt: skip


def case_places():
    return [
        [t.find("b"), t.rfind("a"), t.count("a"), t.count(""), t.find("", 1), t.find("b", 3), len(t), t[:1], t[1:],
        t[-2:]]
        for t in TEXTS
    ] + [["abcdef"[i:j:k] for i in (None, 0, 2, -2, 9) for j in (None, 0, 4, -1, -9) for k in (None, 1, 2, -1, -2)]]


def case_letters():
    t = "a😀b"
    return [t[0], t[1], t[-1], t[::-1], t[1:2], list(t), ord(t[1]), chr(128512), min(t), sorted("bßa😀\ufffd")]


def case_formats():
    name, n, x, nothing = "é'\"\n😀", 5, 2.5, None
    return [
        f"{name!r} {n!r} {nothing!r} {n} {nothing} {True}", f"{name:>8}|{name:<8}|{name:^8}|{name:*^9}|{name:.2}|",
        f"{n:>{n}}|{x:.{n}f}|{x:{n}.1f}", f"{{}} {n + 1} ${n} `{n}` \\", f"{'a' 'b'}{n if n > 3 else x:g}",
        f"{[1, 'a', (2,), None]!r} {(1, 2)} {{'k': 1}}", str(12) + str(True) + str(None) + "a", repr("a"),
    ]  # fmt: skip


def case_repr():
    return [repr(t) for t in [*TEXTS, "'", '"', "'\"", "\\", "\u200b", "\x00\x7f", "\u2028", "\U000e0001", "é"]]


def case_bytes():
    text = "aß€😀"
    raw = text.encode()
    grown = bytearray(b"ab")
    grown.append(99)
    grown += b"de"
    grown.extend([1, 2])
    grown[0] = 255
    return [
        list(raw), raw.decode(), raw[:3] == b"a\xc3\x9f", raw[1], raw[-1], list(raw[-2:]), len(raw), raw.hex(),
        bytes(grown) == b"\xffbcde\x01\x02", list(b"x".join([b"1", b"2"])), b"abc".startswith(b"ab"), b"c" in b"abc",
        b"abcabc".find(b"c"), list((258).to_bytes(4, "little")), int.from_bytes(b"\x01\x02", "big"), repr(b"a'\n\xff"),
        list(bytes(3)), list(bytes([1, 2])), list(b"ab" + b"c"), list(bytearray(2)), bytes.fromhex("00ff").hex(),
        list("ä".encode("latin-1")), b"\xe4".decode("latin-1"), "ascii".encode("ascii").decode("ascii"), 98 in b"abc",
    ]  # fmt: skip


def case_order():
    return [sorted(TEXTS), "a" < "B", "" < "a", max(TEXTS), ("a", 1) < ("a", 2), ["b"] > ["a", "z"]]


def case_translate():
    table = str.maketrans("ab", "xy", "c")
    return ["abcd".translate(table), "a😀".translate(str.maketrans({"a": "long", "😀": None}))]


def case_wrong():
    def of(make):
        try:
            return make()
        except (ValueError, IndexError, KeyError) as error:
            return str(error) != ""

    return [
        of(lambda: "abc"[5]), of(lambda: "a".split("")), of(lambda: "abc".index("z")), of(lambda: b"\xff".decode()),
        of(lambda: "é".encode("ascii")), of(lambda: bytes([256])), of(lambda: {"a": 1}["b"]),
    ]  # fmt: skip
