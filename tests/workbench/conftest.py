"""A browser, the page on a disk, and pages that are watched."""

import pytest

from couplant.workbench import write_page
from tests.report.test_browser import chromium
from tests.workbench.browser import FLAGS, Watched


@pytest.fixture(scope="module")  # no longer: while one is open, its driver refuses those of other modules
def browser():
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """The page without a recording, as a file."""
    chromium()  # skips where there is none
    return write_page(tmp_path_factory.mktemp("workbench") / "index.html")


@pytest.fixture
def opened(browser, written):
    """A function that opens the page at a link; it must not complain until the end of the test."""
    kept = []

    def opens(link="", address=None, **how):
        kept.append(Watched(browser, (address or written.as_uri()) + link, **how))
        return kept[-1]

    yield opens
    for one in kept:
        one.close()
