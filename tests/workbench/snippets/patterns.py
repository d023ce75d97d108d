"""Regular expressions."""

from __future__ import annotations

import re

TEXTS = [
    "", "a", "abc", "a1b22", "12.5", " x ", "key = value", "a\nb", "a\n", "A-b_c", "2026-03-29T23:59", "x[s]", "t/ms",
    "٣a",
    "ß ü", "a.b", "aXbxc", "((x))", "\u2028q", "\r", "foo.bar(1,2)", "😀😀", "\x1c", "K", "ab,cd,,e",
]  # fmt: skip
PATTERNS = [
    re.compile(r"[a-z]+"), re.compile(r"(\d+)(?:\.(\d+))?"), re.compile(r"^a"), re.compile(r"b$"), re.compile(r"a$"),
    re.compile(r"(?P<key>\w+)\s*=\s*(?P<value>\w+)"), re.compile(r"."), re.compile(r"\s"), re.compile(r"\S+"),
    re.compile(r"\bb"), re.compile(r"[^\[\](){}<>]+"), re.compile(r"(?m)^b|a$"), re.compile(r"x", re.IGNORECASE),
    re.compile(r"a.b", re.DOTALL), re.compile(r"(a|ab)(c|bcd)?"), re.compile(r"\w{2,3}?"),
    re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+"),
    re.compile(r"(?<=a).|q(?!x)"), re.compile(r"\Aa\Z"), re.compile(r"[\w.-]+"), re.compile(r"\(|\)"),
    re.compile(r"[]a]"),
    re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ]"), re.compile(r"\D"), re.compile("[ _]"), re.compile(r"k", re.I),
    re.compile(r"^b", re.M),
    re.compile("a*"), re.compile(r"\W"), re.compile(r"[A-Za-zµμ]+", re.ASCII),
]  # fmt: skip


def case_all():
    out = []
    for pattern in PATTERNS:
        for text in TEXTS:
            for found in (pattern.match(text), pattern.fullmatch(text), pattern.search(text)):
                out.append(None if found is None else [found[0], found.groups(), found.span(), found.start(),
                found.end()])
    return out


def case_findall():
    return [[p.findall(t) for t in TEXTS] for p in PATTERNS]


def case_sub():
    return [[p.sub("<>", t), p.sub(lambda m: m[0].upper(), t), p.sub("x", t, 1)] for p in PATTERNS[:4] for t in TEXTS]


def case_templates():
    return [
        re.sub(r"(\w)(\d)", r"\2\1", "a1 b2"), re.sub(r"(?P<n>\w)-", r"\g<n>+\\", "a-b-"), re.sub(r"(a)|b", r"[\1]",
        "ab"),
        re.split(r"[ _]", "a b_c"), re.split(r"(,)", "a,b,c"), re.escape("a.b*c [d]-e"),
        re.findall(r"[().*/]|[^().*/]+", "N.(m/s)"),
        [m[0] for m in re.finditer(r"\d+", "1 22 333")],
    ]  # fmt: skip


def case_groups():
    found = re.fullmatch(r"(?P<y>\d+)(?:-(?P<m>\d+))?", "2026")
    return [found["y"], found["m"], found.group("y", "m"), found.groupdict(), found.groups("x"), found.group(),
        bool(found)] if found else []
