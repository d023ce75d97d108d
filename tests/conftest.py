"""What all tests share: tiers, samples of large products, needed programs, scenario files."""

import functools
import os
import random
import shutil
import signal
import sys
from collections import defaultdict
from datetime import date
from pathlib import Path

import pytest
import typer.main
from hypothesis import settings

from tests.costs import Costs

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

TIERS = ("landing", "night")
"""Marks of tests that `make test` leaves to `make test-all` and `make test-night`; each says why."""

LANDING = 2
"""How many times as many as in the sample of the day are tested at a landing."""

DAY = "COUPLANT_TESTS_DAY"
"""The seed of samples: the day, the same in all processes of a run; set it to have the samples of another day."""


BYTE_CODE = Path(__file__).resolve().parents[1] / "build" / "bytecode"
"""Where byte code is kept if none is to lie beside sources: workers and commands would compile all of it each time."""


def pytest_configure(config):
    """Hear Ctrl-C, which a run in the background ignores and hands on to all that it starts; fix the day."""
    if sys.dont_write_bytecode:
        sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTE_CODE)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.setdefault(DAY, date.today().isoformat())
    config.pluginmanager.register(Costs())


def pytest_report_header():
    """Tell what samples are drawn by."""
    return f"samples: {DAY}={os.environ[DAY]}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Hold that tiers have reasons; draw the samples of the day, and what of a product waits for the night.

    Of what a sample leaves out twice as many are for the landing, and all others for the night; all of it where the
    mark says `rest="night"`.
    """
    products = defaultdict(list)
    for item in items:
        for marker in (marker for name in TIERS for marker in item.iter_markers(name)):
            if not marker.args:
                raise pytest.UsageError(f"{item.nodeid}: @pytest.mark.{marker.name}(reason) says why not a lower tier")
        if (marker := item.get_closest_marker("sample")) is not None:
            products[item.nodeid.partition("[")[0], marker.args[0], marker.kwargs.get("rest", "landing")].append(item)
    for (name, count, rest), members in products.items():
        drawn = random.Random(f"{os.environ[DAY]} {name}").sample(members, len(members))
        landing = 0 if rest == "night" else LANDING * count
        for item in drawn[count : count + landing]:
            item.add_marker(pytest.mark.landing("not in the sample of the day"))
        for item in drawn[count + landing :]:
            item.add_marker(pytest.mark.night("in no sample of the day"))


def pytest_runtest_setup(item):
    """Look for the programs that `needs_system` names."""
    for marker in item.iter_markers("needs_system"):
        missing = [program for program in marker.args if shutil.which(program) is None]
        if missing and os.environ.get("CI"):
            pytest.fail(f"needs {', '.join(missing)}: continuous integration has to install it", pytrace=False)
        if missing:
            pytest.skip(f"needs {', '.join(missing)}")


@pytest.fixture(scope="session", autouse=True)
def verbs():
    """Make the commands of an application once: a process has it once, and tests run hundreds of commands in theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", functools.cache(typer.main.get_command))
        yield


@pytest.fixture
def scenario(tmp_path):
    """Return a function that writes a scenario file and returns its path."""

    def write(text, name="scenario.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write
