"""Messages of FMUs are kept, not printed."""

import logging

from couplant.cosim.fmu.instance import kept_messages


def test_two_hundred_lines_are_kept_and_all_are_counted(caplog):
    log = logging.getLogger("couplant.cosim.fmu.instance")
    with kept_messages() as said:
        assert said.summary == ""
        log.debug("nothing")
        log.warning("%s: first", "x.coupling")
        assert said.summary == "x.coupling: first"
        for _ in range(300):
            log.error("more")
    assert (len(said.lines), said.count) == (200, 301)
    assert said.summary == "x.coupling: first (the first of 301 messages, see the report)"
    assert caplog.records == []
    log.warning("after")
    assert [record.getMessage() for record in caplog.records] == ["after"]
