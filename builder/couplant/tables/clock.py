"""Times as recordings give them: units of time, time stamps, times of day."""

import re

from couplant.base.errors import UsageError, quote
from couplant.base.units import unit_of

PACKED = "hhmmss"  # a time of day as one number
ALLOWED = "s, ms, us, ns, min or h"
_UNITS = {
    "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "sek": 1.0, "sekunden": 1.0,
    "ms": 1e-3, "msec": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
    "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "usec": 1e-6, "microsecond": 1e-6, "microseconds": 1e-6,
    "ns": 1e-9, "nsec": 1e-9, "nanosecond": 1e-9, "nanoseconds": 1e-9,
    "min": 60.0, "minute": 60.0, "minutes": 60.0, "h": 3600.0, "hour": 3600.0, "hours": 3600.0,
}  # fmt: skip
_DAYS_TO_1970 = 719163
_TIMES = ("t", "time", "zeit", "timestamp", "x_value", "x-value", "temps", "tiempo", "uhrzeit")
_BRACKETS = re.compile(r"(.*?)\s*[\[({<]\s*([^\[\](){}<>]*?)\s*[\])}>]\s*")
_SLASH = re.compile(r"(.*?)\s*/\s*([^/]+?)\s*")
_SUFFIX = re.compile(r"(.*?)(?:[\s_.-]+in)?[\s_.-]+([A-Za-zµμ]+)")
_STAMP = re.compile(
    r"(?:(?P<y>\d{4})[-/](?P<m>\d\d?)[-/](?P<d>\d\d?)(?:T| +)"
    r"|(?P<day>\d\d?)(?P<mark>[./-])(?P<month>\d\d?|[A-Za-z]{3})[./-](?P<year>\d{4}) +)"
    r"(?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<part>\d{1,9})\d*)?)?(?: ?(?P<half>[AaPp][Mm]))?"
    r"(?:(?P<utc>Z)|(?P<sign>[+-])(?P<hours>\d\d):?(?P<minutes>\d\d))?"
)
_DAYTIME = re.compile(  # hours, or parts of a second: 8:15 may be either
    r"(?:(\d{1,3}):(\d\d):(\d\d)(?:[.,](\d{1,9})\d*)?(?: ?([AaPp][Mm]))?|(\d\d?):(\d\d)[.,](\d{1,9})\d*)"
)
_DATE = re.compile(r"\d{4}[-/]\d\d?[-/]\d\d?|\d\d?[./-](?:\d\d?|[A-Za-z]{3})[./-]\d{4}")
_DURATION = re.compile(r"\s*(\d*\.?\d+(?:[eE]-?\d+)?)\s*([A-Za-zµμ]*)\s*")
_LONGEST = 200  # letters of a heading that is looked at
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SINCE_1970 = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9))


def seconds_in(unit: str) -> float | None:
    """Return how many seconds a unit of time has, or None if it is none that is known."""
    return _UNITS.get(unit.strip(" .").lower())


def duration_in(text: str) -> float | None:
    """Return a time above 0 with its unit, 10ms, or in seconds, 0.01 [s], or None if the text is none."""
    found = _DURATION.fullmatch(text)
    factor = seconds_in(found[2] or "s") if found else None
    return None if found is None or factor is None else float(found[1]) * factor or None


def unit_since_1970(time: float) -> str:
    """Return the unit in which a `time` that counts from 1970 lies between 2001 and 2286, empty if there is none."""
    return next((unit for unit, factor in _SINCE_1970 if 1e9 <= factor * time < 1e10), "")


def seconds_of_day(packed: float) -> float:
    """Return the seconds since midnight of a time of day `packed` as 81500.25, a quarter past eight [hhmmss]."""
    minutes = packed // 100.0
    return packed - 100.0 * minutes + 60.0 * (minutes % 100.0) + 3600.0 * (minutes // 100.0)


def factor_of(unit: str, name: str, origin: str) -> float:
    """Return the seconds in the `unit` of the times `name`, 1 if none; raise `UsageError` of `origin` if unknown."""
    factor = seconds_in(unit) if unit else 1.0
    if factor is None:
        raise UsageError(f'{origin}: time_unit = "{quote(unit)}" of {quote(name)}, allowed {ALLOWED}')
    return factor


def unit_in(heading: str) -> str:
    """Return the unit that the heading of a column of times tells, empty where it tells none.

    It stands in brackets, behind a slash (t/ms), at the end (time_ms, time in ms), or is the whole heading.
    """
    if len(heading) > _LONGEST:
        return ""
    if found := _BRACKETS.fullmatch(heading):
        return found[2]
    if seconds_in(heading) is not None:
        return heading.strip()
    if (found := _SLASH.fullmatch(heading)) and (seconds_in(found[2]) or found[1].lower() in _TIMES):
        return found[2]
    found = _SUFFIX.fullmatch(heading)
    return found[2] if found and seconds_in(found[2]) else ""


def is_time(heading: str, unit: str = "") -> bool:
    """Tell whether a heading is that of times, with a unit or without, which may also stand in a row of its own.

    T alone is a torque or a temperature, and so is t in the unit of one.
    """
    bare = re.sub(r"\.\d+$", "", heading.strip())
    if len(bare) > _LONGEST:
        return False
    for form in (_BRACKETS, _SLASH, _SUFFIX):
        if (found := form.fullmatch(bare)) and (form is _BRACKETS or seconds_in(found[2])):
            bare, unit = found[1].strip(" _.-"), found[2]
    other = bool(unit) and seconds_in(unit) is None and unit_of(unit) is not None
    return bare.lower() in _TIMES and not other and (bare != "T" or seconds_in(unit) is not None)


def is_stamp(text: str) -> bool:
    """Tell whether a text is a date with a time, 2026-11-22T08:15:00.25, 22.11.2026 08:15, or a time of day."""
    return _STAMP.fullmatch(text.strip()) is not None or _DAYTIME.fullmatch(text.strip()) is not None


def is_date(text: str) -> bool:
    """Tell whether a text is a date without a time."""
    return _DATE.fullmatch(text.strip()) is not None


def moment(text: str) -> tuple[int, int] | None:
    """Return a time stamp as seconds since 1970, a time of day as those since midnight, and nanoseconds; else None."""
    text = text.strip()
    day = _DAYTIME.fullmatch(text)
    if day is not None:
        hour, minute, second = int(day[1] or "0"), int(day[2] or day[6]), int(day[3] or day[7])
        return _seconds(0, _in_24(hour, day[5]), minute, second, day[4] or day[8])
    found = _STAMP.fullmatch(text)
    if found is None:
        return None
    days = _days(*_date(found["mark"], found["day"], found["month"], found["year"])) if found["mark"] else None
    if found["y"]:
        days = _days(int(found["y"]), int(found["m"]), int(found["d"]))
    hour = _in_24(int(found["hour"]), found["half"])
    if days is None or hour > 23:
        return None
    ahead = int(f"{found['sign']}1") * (60 * int(found["hours"]) + int(found["minutes"])) if found["sign"] else 0
    return _seconds(86400 * days - 60 * ahead, hour, int(found["minute"]), int(found["second"] or 0), found["part"])


def _seconds(start: int, hour: int, minute: int, second: int, part: str | None) -> tuple[int, int] | None:
    """Return seconds and nanoseconds of a time of day after a `start`, None if there is no such time."""
    if minute > 59 or second > 59:
        return None
    return start + 3600 * hour + 60 * minute + second, int((part or "").ljust(9, "0"))


def _in_24(hour: int, half: str | None) -> int:
    return hour % 12 + 12 * (half[0] in "pP") if half else hour


def _date(mark: str, first: str, second: str, year: str) -> tuple[int, int, int]:
    """Return year, month and day; behind a slash stands the day unless it is the month only that can stand there."""
    if second.isalpha():
        return int(year), 1 + _MONTHS.index(second.lower()) if second.lower() in _MONTHS else 0, int(first)
    day, month = int(first), int(second)
    return (int(year), day, month) if (mark == "/" and day <= 12) or month > 12 else (int(year), month, day)


def _days(year: int, month: int, day: int) -> int | None:
    """Return the days from 1970 to a date, None if there is no such date."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= lengths[month - 1]:
        return None
    whole = year - 1
    return 365 * whole + whole // 4 - whole // 100 + whole // 400 + sum(lengths[: month - 1]) + day - _DAYS_TO_1970
