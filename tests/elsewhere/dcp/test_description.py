"""Descriptions of slaves and side files: written, read back, and what they may not say."""

import os
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from couplant.base.errors import UsageError
from couplant.elsewhere.dcp.description import INSIDE, read_description, to_xml, write_description
from couplant.elsewhere.dcp.side import load_side
from couplant.elsewhere.dcp.slave import describe_side
from tests.elsewhere.dcp.hand import DESCRIPTION
from tests.elsewhere.dcp.virtual import write_bench


@pytest.mark.parametrize("name", ["slave.dcp", "slave.dcpx"])
def test_a_description_comes_back(tmp_path, name):
    write_description(DESCRIPTION, tmp_path / name)
    assert read_description(tmp_path / name) == DESCRIPTION
    first = (tmp_path / name).read_bytes()
    write_description(DESCRIPTION, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


def test_an_archive_has_one_folder(tmp_path):
    write_description(DESCRIPTION, tmp_path / "slave.dcp")
    with zipfile.ZipFile(tmp_path / "slave.dcp") as archive:
        assert archive.namelist() == [INSIDE]
        assert archive.infolist()[0].compress_type == zipfile.ZIP_DEFLATED


@pytest.mark.skipif(
    "COUPLANT_DCP_SCHEMA" not in os.environ, reason="COUPLANT_DCP_SCHEMA names no dcpSlaveDescription.xsd"
)
def test_the_schema_of_the_standard_takes_it(tmp_path):
    schema = xmlschema.XMLSchema11(os.environ["COUPLANT_DCP_SCHEMA"])
    folder = write_bench(tmp_path / "bench")
    for description in (DESCRIPTION, *(describe_side(load_side(folder / f"{one}.toml")) for one in ("left", "right"))):
        root = ElementTree.fromstring(to_xml(description))
        # this assertion compares words with truth values, which the validator refuses in DCPLib's own example too
        others = [
            one
            for one in schema.iter_errors(root)
            if "canMonitorHeartbeat" not in str(getattr(one.validator, "path", ""))
        ]
        assert others == []
        monitors = root.find("CapabilityFlags").get("canMonitorHeartbeat") == "true"
        assert monitors == (root.find("Heartbeat") is not None)


def test_a_side_is_described_with_all_that_a_master_may_set(tmp_path):
    folder = write_bench(tmp_path / "bench", ports=(8090, 8091))
    found = describe_side(load_side(folder / "right.toml"), tmp_path / "right.dcp")
    assert read_description(tmp_path / "right.dcp") == found
    kinds = {kind: [one.name for one in found.variables if one.kind == kind] for kind in ("input", "output")}
    assert kinds == {"input": ["x1", "v1"], "output": ["f", "x1.y_hat", "v1.y_hat"]}
    tunable = [one.name for one in found.variables if one.variability == "tunable"]
    assert "x1.output.max" in tunable
    assert (found.host, found.port, found.resolution) == ("127.0.0.1", 8091, (1, 50))
    # another algorithm is another slave
    write_bench(folder, algorithm="foh", ports=(8090, 8091))
    assert describe_side(load_side(folder / "right.toml")).uuid != found.uuid


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("side='middle'", "side"),
        ("host='0.0.0.0'", "host = 0.0.0.0: not on this machine only, allowed with anywhere = true only."),
        ("host='name'", "host = name, allowed an IPv4 address"),
        ("data_ports=[9, 3]", "data_ports = [9, 3], allowed the first and the last port, 1 to 65535"),
        ("port=0", "port = 0, allowed"),
        ("algorithm='smb'", "smb in event: no run of"),
        ("bench='none.toml'", "none.toml"),
    ],
)
def test_what_a_side_file_may_not_say(tmp_path, change, sentence):
    folder = write_bench(tmp_path)
    with pytest.raises(UsageError) as error:
        load_side(folder / "left.toml", [change])
    assert sentence in str(error.value)


def test_echoes_are_not_carried(tmp_path):
    folder = write_bench(tmp_path)
    text = (folder / "bench.toml").read_text()
    (folder / "bench.toml").write_text(text + '[coupling]\nlatency.mode = "round_trip"\n')
    with pytest.raises(UsageError, match=r'latency.mode = "round_trip" needs echoes, which DCP does not carry'):
        describe_side(load_side(folder / "left.toml"))


@pytest.mark.parametrize(
    "content",
    [b"", b"<a/>", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", b"PK\x05\x06" + bytes(18), b"<dcpSlaveDescription/>"],
)
def test_what_is_no_description_is_refused(tmp_path, content):
    path = Path(tmp_path / "slave.dcp")
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"slave\.dcp"):
        read_description(path)
