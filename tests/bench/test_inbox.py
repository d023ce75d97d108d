"""Every value reaches the coupling FMU once, the newest first, none before it was sent."""

from couplant.bench.inbox import NEWEST, Arrivals, Inbox
from couplant.bench.message import VALUES, Message
from couplant_runtime.guard import NO_STAMP

INPUTS = ("y", "y_time", "y_valid", "y[2]", "y_time[2]", "y_valid[2]", "y_echo")


def inbox(**more):
    return Inbox({"a": INPUTS, "b": INPUTS[:3]}, ("a", "b"), {"a": 7.0, "b": 8.0}, **more)


def message(*stamps, sequence=0, echo=NO_STAMP):
    return Message(VALUES, 0, 0, 1, sequence, 0.0, echo, 0.0, tuple((t, 10.0 * t, -t) for t in stamps))


def handed(box, t, signal="a"):
    box.hand_over(t)
    names = ("y", "y_time", "y[2]", "y_time[2]")
    read = {name: box.values.get(f"{signal}.{name}") for name in names}
    valid = [box.values.get(f"{signal}.{name}") for name in ("y_valid", "y_valid[2]")]
    first = (read["y"], read["y_time"]) if valid[0] else None
    second = (read["y[2]"], read["y_time[2]"]) if valid[1] else None
    return first, second


def test_start_values_come_before_everything():
    box = inbox()
    assert (box.values["a.y"], box.values["b.y"], box.values["a.y_time"]) == (7.0, 8.0, NO_STAMP)
    assert handed(box, 0.0) == (None, None)


def test_a_wire_brings_the_newest_value_again_and_again():
    box = Inbox({"a": (NEWEST,), "b": (NEWEST,)}, ("a", "b"), {"a": 7.0, "b": 8.0}, ahead=True)
    assert set(box.ports) == {"a.newest", "b.newest"}

    def brought(t):
        box.hand_over(t)
        return box.values["a.newest"], box.values["b.newest"]

    assert brought(0.0) == (7.0, 8.0), "what it starts with"
    box.add(message(2.0, 1.0))
    assert brought(2.0) == brought(3.0) == (20.0, -2.0)
    box.add(message(1.5))
    assert [brought(t) for t in (4.0, 5.0, 6.0)] == [(20.0, -2.0)] * 3, "what was overtaken comes too late"
    box.add(message(9.0))
    assert brought(7.0) == (90.0, -9.0), "it looks at no clock"


def test_every_signal_gets_its_column():
    box = inbox()
    box.add(message(3.0))
    assert handed(box, 3.0) == ((30.0, 3.0), None)
    assert handed(box, 3.0, "b") == (None, None), "nothing new a second time"
    assert (box.values["b.y"], box.newest) == (-3.0, {"a": 30.0, "b": -3.0})


def test_messages_that_arrive_within_one_step_are_joined():
    box = Inbox({"a": INPUTS}, ("a",), {"a": 0.0})
    box.add(message(1.0))
    box.add(message(3.0, 2.0, 1.0))
    assert handed(box, 3.0) == ((30.0, 3.0), (20.0, 2.0))


def test_what_does_not_fit_waits_for_the_next_step():
    box = Inbox({"a": INPUTS}, ("a",), {"a": 0.0})
    box.add(message(3.0, 2.0, 1.0))
    assert handed(box, 3.0) == ((30.0, 3.0), (20.0, 2.0))
    assert handed(box, 4.0) == ((10.0, 1.0), None)
    assert handed(box, 5.0) == (None, None)
    assert box.newest == {"a": 30.0}


def test_what_was_handed_over_is_not_repeated():
    box = Inbox({"a": INPUTS}, ("a",), {"a": 0.0})
    box.add(message(1.0))
    assert handed(box, 1.0) == ((10.0, 1.0), None)
    box.add(message(2.0, 1.0))
    assert handed(box, 2.0) == ((20.0, 2.0), None)


def test_values_of_the_future_wait_unless_clocks_differ():
    box, ahead = (Inbox({"a": INPUTS}, ("a",), {"a": 0.0}, ahead=ahead) for ahead in (False, True))
    for each in (box, ahead):
        each.add(message(2.0))
    assert handed(box, 1.0) == (None, None)
    assert handed(box, 2.0) == ((20.0, 2.0), None)
    assert handed(ahead, 1.0) == ((20.0, 2.0), None)


def test_the_newest_echo_is_handed_on():
    box = Inbox({"a": INPUTS}, ("a",), {"a": 0.0})
    box.add(message(2.0, echo=1.5))
    box.add(message(1.0, echo=0.5))
    box.hand_over(2.0)
    assert box.values["a.y_echo"] == 1.5


def test_account_of_what_arrives():
    arrivals = Arrivals()
    news = [arrivals.is_new(message(1.0 * i, sequence=i), 0.1) for i in (0, 1, 4, 3, 3, 0, 6)]
    assert news == [True, True, True, True, False, False, True]
    assert [arrivals.counts[name] for name in ("doubled", "overtaken", "lost")] == [2, 1, 2]
    assert [row[0] for row in arrivals.log] == [0.0, 1.0, 4.0, 3.0, 6.0]
