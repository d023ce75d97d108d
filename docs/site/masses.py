"""``python -m docs.site.masses``: draw docs/masses.svg, two masses moving: undelayed, late as it comes, with couplant.

The motion is that of example 1 in step timing, 60 ms of latency each way: the plain wire and `auto`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import couplant
from couplant.base.arrays import Vector
from couplant.base.files import write_atomic

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "masses.svg"
SCENARIO = ROOT / "examples" / "01_two_mass_oscillator" / "scenario.toml"
WORDS = ('timing=["step"]', 'algorithms=["wire","auto"]', 'watch=["mass_1.x1","mass_2.x2"]')

_STEPS = 5  # macro steps from one picture to the next
_SHOWN = 12.5  # seconds in which the 25 of the run are shown
_WIDTH, _HEIGHT, _GAP = 288, 192, 18
_METRE = 330.0  # pixels of one
_REST, _APART, _MASS, _RAIL = 104.0, 80.0, 30, 84  # place of mass 1 at rest, distance, size, height of the rail
_TOP, _TALL, _DRAWN = 142, 42, 190.0  # the course below: its middle, half of its height, pixels of a metre
_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328 } .what { font-weight: 600 } .bad { fill: #b42318 }
  .panel { fill: #ffffff; stroke: #d0d7de } .rail, .spring, .zero { fill: none; stroke: #8c959f; stroke-width: 1.5 }
  .spring { vector-effect: non-scaling-stroke } .zero { stroke-width: 1 }
  .real { fill: #1f5fd0 } .virtual { fill: #0f9d8a }
  .course { fill: none; stroke: #1f5fd0; stroke-width: 1.6 } .truth { fill: none; stroke: #c4cbd3; stroke-width: 4 }
  .now { stroke: #8c959f; stroke-width: 1 }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .panel { fill: #0d1117; stroke: #30363d }
    .real { fill: #5b9bff } .course { stroke: #5b9bff } .virtual { fill: #35c9b3 } .bad { fill: #ff7b72 }
    .truth { stroke: #3d444d } }
"""


def draw() -> str:
    """Return the picture as SVG, which moves by itself: 0 to 25 s in half that time, again and again."""
    wire, auto = couplant.simulate(SCENARIO, WORDS).runs
    courses = [tuple(run.watched[name] for name in ("mass_1.x1", "mass_2.x2")) for run in (wire, auto)]
    truth = tuple(one.reference for one in courses[0])
    shown = [truth, *(tuple(one.values for one in pair) for pair in courses)]
    error = "{:.3g} % off".format
    heads = (
        ("without latency", "both in one place", ""),
        ("60 ms late, as it comes", f"{wire.verdict}, {error(wire.metrics['error'])}", ' class="bad"'),
        ("60 ms late, with couplant", error(auto.metrics["error"]), ""),
    )
    panels = [_panel(i, *heads[i], *shown[i], truth[0]) for i in range(3)]
    width = 3 * _WIDTH + 2 * _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" width="{width}" height="{_HEIGHT}" '
        'role="img">\n<title>Two masses joined by a spring, coupled over a network: undelayed, 60 ms late, 60 ms late '
        f"with couplant</title>\n<style>{_STYLE}</style>\n{''.join(panels)}</svg>\n"
    )


def _panel(place: int, what: str, said: str, kind: str, x1: Vector, x2: Vector, truth: Vector) -> str:
    """Return a panel: words, masses and spring that move, and the course of mass 1 with the moment that is shown."""
    first, second = (_REST + at + _METRE * x[::_STEPS] for at, x in ((0.0, x1), (_APART, x2)))
    spring = " ".join(f"{i / 12:.3f},{(0, 6, 0, -6)[i % 4]}" for i in range(13))
    low, across = _RAIL - _MASS, _WIDTH - 24.0
    return f"""<svg x="{place * (_WIDTH + _GAP)}" width="{_WIDTH}" height="{_HEIGHT}">
<rect class="panel" x=".5" y=".5" width="{_WIDTH - 1}" height="{_HEIGHT - 1}" rx="6"/>
<text class="what" x="12" y="20">{what}</text><text{kind} x="12" y="38">{said}</text>
<path class="rail" d="M12 {_RAIL}H{_WIDTH - 12}"/>
<g>{_move("translate", (f"{x:.1f} {_RAIL - _MASS / 2:g}" for x in first))}
<g>{_move("scale", (f"{max(b - a, 1.0):.1f} 1" for a, b in zip(first, second, strict=True)))}
<polyline class="spring" points="{spring}"/></g></g>
<rect class="real" x="{-_MASS / 2:g}" y="{low}" width="{_MASS}" height="{_MASS}" rx="4">{_slide(first)}</rect>
<rect class="virtual" x="{-_MASS / 2:g}" y="{low}" width="{_MASS}" height="{_MASS}" rx="4">{_slide(second)}</rect>
<path class="zero" d="M12 {_TOP}H{_WIDTH - 12}"/>
<svg y="{_TOP - _TALL}" width="{_WIDTH}" height="{2 * _TALL}">{_course("truth", truth)}{_course("course", x1)}</svg>
<path class="now" d="M12 {_TOP - _TALL}V{_TOP + _TALL}"><animateTransform attributeName="transform" type="translate" \
from="0 0" to="{across:g} 0" dur="{_SHOWN}s" repeatCount="indefinite"/></path>
</svg>
"""


def _move(kind: str, values: Iterable[str]) -> str:
    turns = f'dur="{_SHOWN}s" repeatCount="indefinite" values="{";".join(values)}"'
    return f'<animateTransform attributeName="transform" type="{kind}" {turns}/>'


def _slide(places: Vector) -> str:
    return _move("translate", (f"{x:.1f} 0" for x in places))


def _course(kind: str, x: Vector) -> str:
    """Return a course over the whole time; what leaves the panel is cut off."""
    at = [(12.0 + (_WIDTH - 24.0) * i / (len(x) - 1), _TALL - _DRAWN * v) for i, v in enumerate(x)][::_STEPS]
    return f'<polyline class="{kind}" points="{" ".join(f"{t:.1f},{y:.1f}" for t, y in at)}"/>'


if __name__ == "__main__":
    write_atomic(PICTURE, draw())
