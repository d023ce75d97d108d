"""Damaged SSP archives: listed, or refused in short sentences that name the file."""

import io
import random
import zipfile

import pytest

from couplant.base.errors import UsageError
from couplant.elsewhere.ssp.listing import listing
from couplant.elsewhere.ssp.removal import remove
from tests.elsewhere.ssp import systems
from tests.mutation import complaint, mutate

WORDS = [
    one.encode()
    for one in (
        "<", ">", "&amp;", "&x;", '<!DOCTYPE a [<!ENTITY b "c">]>', 'xmlns:x="y"', "osp:A", 'startElement=""', "../",
        'name="\u202egnp"', "resources/MASS_1.fmu", "<![CDATA[", "-->", 'version="9"', '<ssd:System name="a">',
        "</ssd:System>",
    )
]  # fmt: skip


def packed(text, entries):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("SystemStructure.ssd", text)
        for name, data in entries.items():
            archive.writestr(name, data)
    return content.getvalue()


@pytest.mark.night("8 400 damaged archives: 6 minutes")
@pytest.mark.parametrize("seed", range(14))
def test_damaged_archives(tmp_path, masses, seed):
    rng = random.Random(seed)
    path, text, entries = tmp_path / "two.ssp", systems.flat().encode(), masses["2"]
    whole, wrong = packed(text, entries), []
    for _ in range(600):
        within = rng.random() < 0.6
        path.write_bytes(packed(mutate(rng, text, WORDS), entries) if within else mutate(rng, whole, WORDS))
        use = listing if rng.random() < 0.7 else lambda one: remove(one, tmp_path / "out.ssp")
        if found := complaint(path, use):
            wrong.append(f"seed {seed}: {found}")
    assert not wrong


def test_names_that_are_one_file_on_windows_are_refused(tmp_path):
    path = tmp_path / "two.ssp"
    path.write_bytes(packed(systems.flat(), {"resources/mass_1.fmu": b"", "resources/MASS_1.fmu": b""}))
    with pytest.raises(UsageError, match=r"resources/mass_1.fmu and resources/MASS_1.fmu are one file on Windows"):
        listing(path)
