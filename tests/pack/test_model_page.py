"""What the pages of prototypes and of the network say."""

from couplant.pack.describe.model_sheet import model_page, read_sheet


def test_a_prototype_with_slopes_and_feedthrough():
    shown = model_page(read_sheet("mass_2"))
    assert shown.facts == {"communication step": "0.02 s", "stop time": "25 s"}
    assert shown.connect["slopes"].startswith("`x1.slope`, `v1.slope`: per s")
    assert shown.connect["at once"] == "Outputs that follow inputs without a step between: `f` (x1, v1)."
    assert [(one.name, one.members) for one in shown.terminals] == [
        (name, {name: "value", f"{name}.slope": "slope"}) for name in ("x1", "v1")
    ]


def test_one_without_feedthrough_says_nothing_of_it():
    assert model_page(read_sheet("mass_1")).connect.keys() == {"communication step", "slopes"}


def test_entries_of_lists_follow_the_first():
    received = model_page(read_sheet("network")).terminals[-1]
    assert received.name == "received" and len(received.members) == 3 * 8 + 1
    assert received.members["stamp[8]"] == "stamp[8]" and received.members["received"] == "value"
    direct = model_page(read_sheet("power_bonds")).connect["at once"]
    assert "[1]" in direct and "[2]`" not in direct
