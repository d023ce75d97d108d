"""Systems of FMUs as SSP archives: two masses, with and without networks, flat, nested, with connections swapped."""

import io
import zipfile
from pathlib import Path
from typing import NamedTuple

STEP = 0.02
END = 25.0
LATENCY = 0.06
UNITS = {"x1": "m", "v1": "m/s", "f": "N"}
SIGNALS = {"x1": ("mass_1", "mass_2"), "v1": ("mass_1", "mass_2"), "f": ("mass_2", "mass_1")}
"""Sender and receiver."""
NAMES = tuple(f"{source}.{name}->{target}.{name}" for name, (source, target) in SIGNALS.items())
SPACES = (
    'xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" '
    'xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"'
)


class Way(NamedTuple):
    """A connection: element and connector at its start and at its end; an empty element is the system itself."""

    start: tuple[str, str]
    end: tuple[str, str]
    inside: str = ""
    more: str = ""

    def text(self):
        ends = []
        for side, (element, connector) in (("start", self.start), ("end", self.end)):
            ends += [f'{side}Element="{element}"'] if element else []
            ends += [f'{side}Connector="{connector}"']
        head = " ".join(["<ssd:Connection", *ends, *([self.more] if self.more else [])])
        return f"{head}>{self.inside}</ssd:Connection>" if self.inside else f"{head}/>"


def connectors(inputs, outputs):
    rows = [("input", name) for name in inputs] + [("output", name) for name in outputs]
    lines = (f'<ssd:Connector name="{name}" kind="{kind}"><ssc:Real/></ssd:Connector>' for kind, name in rows)
    return f"<ssd:Connectors>{''.join(lines)}</ssd:Connectors>"


def component(name, inputs, outputs, source=None, more=""):
    source = source or f"resources/{name}.fmu"
    kind = "application/x-fmu-sharedlibrary"
    return (
        f'<ssd:Component name="{name}" type="{kind}" source="{source}">\n        '
        f"{connectors(inputs, outputs)}{more}\n      </ssd:Component>"
    )


MASS_1 = component("mass_1", ["f"], ["x1", "v1"])
MASS_2 = component("mass_2", ["x1", "v1"], ["f"])


def system(parts, ways, name="two", own="", after=""):
    """Return the text of a system."""
    listed = "".join(f"\n      {part}" for part in parts)
    connected = "".join(f"\n      {way.text()}" for way in ways)
    return (
        f'<ssd:System name="{name}">{own}\n    <ssd:Elements>{listed}\n    </ssd:Elements>\n'
        f"    <ssd:Connections>{connected}\n    </ssd:Connections>{after}\n  </ssd:System>"
    )


def description(text, version="1.0", more=""):
    """Return a description with one system."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- by hand -->\n<ssd:SystemStructureDescription {SPACES} '
        f'version="{version}" name="two masses">\n  {text}{more}\n</ssd:SystemStructureDescription>\n'
    )


def flat(version="1.0", swapped=(), more=""):
    """Return two masses without a network; `swapped` are signals whose connections start where they end."""
    ways = [Way((source, name), (target, name)) for name, (source, target) in SIGNALS.items()]
    turned = [Way(way.end, way.start) if way.start[1] in swapped else way for way in ways]
    return description(system([MASS_1, MASS_2], turned), version, more)


def nested():
    """Return the same with the second mass in a system of its own, whose connectors have other names."""
    own = connectors(["place", "speed"], ["force"])
    ways = [
        Way(("", "place"), ("mass_2", "x1")),
        Way(("mass_2", "v1"), ("", "speed")),  # starts where the signal ends
        Way(("mass_2", "f"), ("", "force")),
    ]
    inner = system([MASS_2], ways, "inner", own)
    outer = [
        Way(("mass_1", "x1"), ("inner", "place")),
        Way(("mass_1", "v1"), ("inner", "speed")),
        Way(("mass_1", "f"), ("inner", "force")),
    ]
    return description(system([MASS_1, inner], outer))


def networked():
    """Return two masses with a network for each signal."""
    networks = [component(f"net_{name}", ["value"], ["received"]) for name in SIGNALS]
    ways = []
    for name, (source, target) in SIGNALS.items():
        ways.append(Way((source, name), (f"net_{name}", "value")))
        ways.append(Way((f"net_{name}", "received"), (target, name)))
    return description(system([MASS_1, MASS_2, *networks], ways))


def archive(path, texts, files, method=zipfile.ZIP_DEFLATED):
    """Write descriptions and FMUs."""
    texts = {"SystemStructure.ssd": texts} if isinstance(texts, str) else texts
    with zipfile.ZipFile(path, "w", method) as target:
        for name, text in texts.items():
            target.writestr(name, text)
        for name, content in files.items():
            target.writestr(name, content if isinstance(content, bytes) else Path(content).read_bytes())
    return path


def description_in(path, name="SystemStructure.ssd"):
    """Return the text of a description in an archive."""
    with zipfile.ZipFile(path) as opened:
        return opened.read(name).decode()


def entries(path):
    """Return the names of the entries with their content, in their order."""
    with zipfile.ZipFile(io.BytesIO(Path(path).read_bytes())) as opened:
        assert opened.testzip() is None
        return {entry.filename: opened.read(entry) for entry in opened.infolist()}
