"""Times as recordings give them: units of time, and time stamps."""

import re

from couplant.base.errors import UsageError

ALLOWED = "s, ms, us, ns, min or h"
_UNITS = {
    "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "sek": 1.0, "sekunden": 1.0,
    "ms": 1e-3, "msec": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
    "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "usec": 1e-6, "microsecond": 1e-6, "microseconds": 1e-6,
    "ns": 1e-9, "nsec": 1e-9, "nanosecond": 1e-9, "nanoseconds": 1e-9,
    "min": 60.0, "minute": 60.0, "minutes": 60.0, "h": 3600.0, "hour": 3600.0, "hours": 3600.0,
}  # fmt: skip
_DAYS_TO_1970 = 719163
_TIMES = ("t", "time", "zeit", "timestamp", "x_value", "x-value", "temps", "tiempo")
_BRACKETS = re.compile(r"(.*?)\s*[\[({<]\s*([^\[\](){}<>]*?)\s*[\])}>]\s*")
_SLASH = re.compile(r"(.*?)\s*/\s*([^/]+?)\s*")
_SUFFIX = re.compile(r"(.*?)(?:[\s_.-]+in)?[\s_.-]+([A-Za-zµμ]+)")
_STAMP = re.compile(
    r"(?:(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)[T ]|(?P<day>\d\d?)\.(?P<month>\d\d?)\.(?P<year>\d{4}) )"
    r"(?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<part>\d{1,9})\d*)?)?"
    r"(?:(?P<utc>Z)|(?P<sign>[+-])(?P<hours>\d\d):?(?P<minutes>\d\d))?"
)


def seconds_in(unit: str) -> float | None:
    """Return how many seconds a unit of time has, or None if it is none that is known."""
    return _UNITS.get(unit.strip(" .").lower())


def factor_of(unit: str, name: str, origin: str) -> float:
    """Return the seconds in the `unit` of the times `name`, 1 if none; raise `UsageError` of `origin` if unknown."""
    factor = seconds_in(unit) if unit else 1.0
    if factor is None:
        raise UsageError(f'{origin}: time_unit = "{unit}" of {name}, allowed {ALLOWED}')
    return factor


def unit_in(heading: str) -> str:
    """Return the unit that the heading of a column of times tells, empty where it tells none.

    It stands in brackets, behind a slash (t/ms), at the end (time_ms, time in ms), or is the whole heading.
    """
    if found := _BRACKETS.fullmatch(heading):
        return found[2]
    if seconds_in(heading) is not None:
        return heading.strip()
    if (found := _SLASH.fullmatch(heading)) and (seconds_in(found[2]) or found[1].lower() in _TIMES):
        return found[2]
    found = _SUFFIX.fullmatch(heading)
    return found[2] if found and seconds_in(found[2]) else ""


def is_time(heading: str) -> bool:
    """Tell whether a heading is that of times, with a unit or without; T alone is a torque or a temperature."""
    bare = heading.strip().lower()
    if heading.strip() == "T":
        return False
    for form in (_BRACKETS, _SLASH, _SUFFIX):
        if (found := form.fullmatch(bare)) and (form is _BRACKETS or seconds_in(found[2])):
            bare = found[1].strip(" _.-")
    return bare in _TIMES


def is_stamp(text: str) -> bool:
    """Tell whether a text is a date with a time: 2026-11-22T08:15:00.25, 22.11.2026 08:15:00,25."""
    return _STAMP.fullmatch(text.strip()) is not None


def moment(text: str, origin: str) -> tuple[int, int] | None:
    """Return a time stamp as seconds since 1970 and nanoseconds, None if empty; raise `UsageError` if it is none."""
    text = text.strip()
    if text.lower() in ("", "nat"):
        return None
    found = _STAMP.fullmatch(text)
    if found is None:
        raise UsageError(f'{origin}: "{text[:40]}", allowed a time stamp such as 2026-11-22T08:15:00.25')
    days = _days(int(found["y"] or found["year"]), int(found["m"] or found["month"]), int(found["d"] or found["day"]))
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"] or 0)
    if days is None or hour > 23 or minute > 59 or second > 59:
        raise UsageError(f'{origin}: "{text}", allowed a date that exists')
    ahead = int(f"{found['sign']}1") * (60 * int(found["hours"]) + int(found["minutes"])) if found["sign"] else 0
    seconds = 86400 * days + 3600 * hour + 60 * (minute - ahead) + second
    return seconds, int((found["part"] or "").ljust(9, "0"))


def _days(year: int, month: int, day: int) -> int | None:
    """Return the days from 1970 to a date, None if there is no such date."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= lengths[month - 1]:
        return None
    whole = year - 1
    return 365 * whole + whole // 4 - whole // 100 + whole // 400 + sum(lengths[: month - 1]) + day - _DAYS_TO_1970
