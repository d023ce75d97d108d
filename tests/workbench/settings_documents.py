"""Settings of interfaces, right ones and wrong ones, as texts: from examples, rules and dice."""

import copy
import datetime
import random
from pathlib import Path

import tomlkit

from couplant.config.frame.read import key_tables, read_text, table_name
from couplant.config.interface import Document

ROOT = Path(__file__).resolve().parents[2]
SEED = 18
FILES = ("examples/03_recording/torque.toml", "examples/12_hybrid_vehicle/torque.toml")
FILES += ("examples/12_hybrid_vehicle/learnt.toml", "resources/templates/start/interface.toml")
LIMITS = {"output": {"min": -1.0, "max": 1.0}}
LINEAR = {"selected": "linear", "a": [1.0, 0.0], "A": [1.0, -1.0]}
ROW = {"steps": 4, "a": [1.0], "A": [0.0]}
ROWS = {"selected": "linear", "table": [ROW, ROW | {"A": [0.0, 0.1]}]}
MODEL = {"A": [[0.0, 1.0], [-2.0, -0.5]], "B": [[0.0], [1.0]], "C": [[1.0, 0.0]], "inputs": ["f"], "outputs": ["x"]}
SIGNALS = [
    {},
    LIMITS,
    {"algorithm": LINEAR, "latency": {"constant_steps": 4}},
    {"algorithm": LINEAR | {"steps": 3}, "latency": {"constant_steps": 4}},
    {"algorithm": {"selected": "linear", "a": [1.0]}},
    {"algorithm": {"selected": "linear", "steps": 2}},
    {"algorithm": "linear"},
    {"algorithm": ROWS, "latency": {"constant_steps": 5}},
    {"algorithm": LINEAR | ROWS, "derivative": "v"},
    {"algorithm": LINEAR | {"b": [0.1], "B": [0.1, 0.2]}},
    {"algorithm": LINEAR | {"b": [0.1], "B": [0.2]}},
    {"algorithm": {"selected": "linear", "b": [0.1], "B": [0.2]}, "derivative": "v"},
    {"algorithm": "linear", "derivative": "v", "latency": {"constant_steps": 3}},
    {"algorithm": LINEAR, "latency": {"mode": "stamps"}},
    {"algorithm": LINEAR | {"a": [0.5, 0.1]}},
    {"algorithm": "smb", "discontinuity": {"enabled": True}},
    {"algorithm": "smb", "latency": {"constant_steps": 5, "host_lead": 1.0}},
    {"algorithm": "eros4", "latency": {"constant_steps": 60}},
    {"algorithm": "eros3", "latency": {"constant_steps": 64, "offset": 0.5}},
    {"algorithm": "eros3", "latency": {"offset": -0.5}},
    {"algorithm": "eros3", "latency": {"offset": -0.001, "host_lead": 0.25, "hold_lead": 0.125}},
    {"algorithm": "model"},
    {"algorithm": "none", "burst": 3},
    {"algorithm": {"selected": "irregular", "band": [1.0, 9.0]}},
    {"algorithm": {"selected": "irregular", "band": [9.0, 1.0]}},
    {"algorithm": "auto", "latency": {"mode": "round_trip", "clock": "free", "minimum": 0.01}},
    {"algorithm": "network", "latency": {"constant_steps": 3}},
    {"algorithm": "network", "latency": {"mode": "stamps"}, "learning": {"method": "adam"}},
    {"algorithm": "network", "network": {"start": "linear"}, "latency": {"constant_steps": 2}},
    {"algorithm": "network", "network": {"start": "zoh", "first": 16, "second": 3}},
    {"algorithm": "network", "network": {"start": "foh", "first": 16, "second": 4}, "latency": {"constant_steps": 9}},
    {"algorithm": "network", "network": {"weights": [0.1, 0.2, 0.3]}},
    {"algorithm": "network", "learning": {"mode": "server", "token": "0123456789abcdef"}},
    {"algorithm": {"selected": "network"} | {k: LINEAR[k] for k in "aA"}, "network": {"start": "linear"}},
    {"latency": {"clock": "free"}, "burst": 2},
    {"latency": {"coast_steps": 9, "lost_steps": 3}},
    {"latency": {"follow": "lag", "offset_min": 0.2, "offset_max": 0.1}},
    {"latency": {"follow": "lag", "offset_min": 0.01, "offset_max": 0.1, "offset": 0.5}},
    {"latency": {"follow": "lag_and_gain", "offset_max": 9.5}, "signal": {"period": 3.0}},
    {"latency": {"follow": "lag", "offset_max": 0.05}, "algorithm": LINEAR},
    {"output": {"min": 2.0, "max": 1.0}},
    {"output": {"min": 0.0, "max": 1.0, "safe_value": 3.0, "on_loss": "safe"}},
    {"output": {"variability": "discrete", "guard": 2.0}},
    {"quality": {"action": "hold", "zeta": -1, "delta": -0.5}},
    {"unit": "Nm"},
    {"unit": "kg.m2/s3"},
    {"from": "a.x", "to": ["b.u", "b.v.w"]},
    {"from": "a", "to": ["b.u", 3, "9.x"]},
]
COMMONS = [
    {},
    {"timing": "event"},
    {"timing": "event", "host": "jacobi"},
    {"host": "jacobi", "micro_step": 0.005},
    {"host": "jacobi", "micro_step": 0.003},
    {"host": "sequential"},
    {"host": "sequential", "order": ["a", "f.coupling", "x.coupling", "b"]},
    {"host": "sequential", "order": ["b", "x.network", "x.coupling", "f.coupling", "a", "a", "what"]},
    {"macro_step": 0},
    {"macro_step": 0.0, "timing": "event"},
    {"macro_step": 1e-5, "inputs": "needed"},
]
ENDS = [
    {},
    {"a": {"feedthrough": {"x": ["f"]}}, "b": {}},
    {"a": {"feedthrough": {"x": ["f", "g"]}}, "b": {"feedthrough": {"f": ["x"], "g": []}}},
    {"a": {"feedthrough": {"x": 1}}},
]
WIDE = {"a": {"feedthrough": {"x": ["f", "g"], "z": ["g"]}}, "b": {"feedthrough": {"f": ["x"]}}}
BONDS = [
    {},
    {"shaft": {"effort": "f", "flow": "x"}},
    {"shaft": {"effort": "f", "flow": "x", "take_back": 0.5, "budget": 2.0, "flow_is": "velocity", "sign": -1}},
    {"shaft": {"effort": "f", "flow": "x", "budget": 2.0}, "other": {"flow": "x", "take_back": 0.1}},
    {"shaft": {"effort": "f", "flow": "f"}, "none": {}},
    {"shaft": {"effort": "nothing", "flow": "x", "sign": 2}},
    {"one": {"effort": "f", "budget": 1.0, "sign": True}, "two": {"flow": "x", "budget": 1.0, "stiffness": 9.0}},
]
MODELS = [
    {},
    {"plant": MODEL},
    {"plant": MODEL | {"D": [[0.5]], "noise": [0.1, 0.2], "disturbance": [1.0]}, "again": MODEL},
    {"plant": MODEL | {"B": [[0.0, 1.0], [1.0]], "order": 2, "C": [[1.0]], "drive": 2.5}},
    {"plant": MODEL | {"inputs": list("abcdefghijkl"), "outputs": [f"y{i}" for i in range(12)], "noise": []}},
]
VALUES = [
    *(True, False, 0, 1, -1, 2, 3, 64, 65, 10**6, 2**53 + 1, 2**63, -(2**64), 10**400, 0.0, -0.0, 1.0, 0.5, -2.5),
    *(1e-300, 1e16, 1e22, 123456.789, 1e308, float("inf"), float("nan"), "", "x", "step", "eros3", "constant"),
    *("N.m", "a.b"),
    *("é\u2028\U0001f600", 'quote " and \\', "a" * 60, "tab\tand\nline", []),
    *([1, 2.5, "x"], [[1.0]], [True], {}),
    *({"x": 1}, ["é\U0001f600\x7f"], [datetime.date(2026, 2, 28), datetime.time(7, 30)]),
    datetime.datetime(2026, 1, 2, 3),
    *([1.0, 2.0], [{"steps": 1}], ["f"], {"selected": "foh", "step": 1}, [float("inf"), -0.0, "é", {"a": [1]}]),
]
KEYS = ("macro_stp", "algoritm", "constant_step", "unit s", "é", "1", "x.y", "offset", "min", "from_", "selected", "")


def special():
    """Yield documents for rules that look at several parts."""
    yield document(LIMITS | {"output": {"variability": "discrete"}}, {"timing": "event"}, {}, {}, {})
    yield document({"latency": {"offset": -0.5}}, {"macro_step": 0}, {}, {}, {})
    yield document({"algorithm": {"selected": "irregular", "band": [1, 9]}}, {"macro_step": 0}, {}, {}, {})
    yield document({"algorithm": LINEAR | {"b": [0.1, 0.2], "B": [0, 0]}, "derivative": "v"}, {}, {}, {}, {})
    for name in ("F", "con", "LPT1", "9f", "f-1", "", "a" * 60, "é"):
        found = document(LIMITS, {}, {}, {}, {})
        yield found | {"signals": found["signals"] | {name: {}}}
    plant = MODEL | {"A": [[0.0] * 9] * 9, "B": [[1.0]] * 9, "C": [[1.0] * 9], "order": 2}
    yield document({"algorithm": "model"}, {}, {}, {}, {"plant": plant})
    yield document({"algorithm": "model"}, {"timing": "step", "host": "jacobi"}, ENDS[2], {}, {"plant": MODEL})
    for units in (("N", "m/s"), ("kN", "m/s"), ("N.m", "rad/s"), ("Pa", "m3/s"), ("N", "kg"), ("degC", "W/(K.s)")):
        for flow_is in ("velocity", "displacement"):
            bonds = {"shaft": {"effort": "f", "flow": "x", "flow_is": flow_is}}
            found = document(LIMITS | {"unit": units[1], "quality": {"action": "hold"}}, {}, {}, bonds, {})
            found["signals"]["f"]["unit"] = units[0]
            yield found
    for inner in (LIMITS, LIMITS | {"latency": {"host_lead": 1.0}}, {"algorithm": "eros4"}, {"algorithm": "auto"}):
        for ends in (ENDS[2], WIDE):
            for host in ("jacobi", "sequential"):
                order = ["a", "x.coupling", "b", "f.coupling"]
                found = document(inner, {"host": host, "order": order}, ends, {}, {})
                found["signals"]["f"] |= inner
                found["signals"]["g"] = {"from": "b.f", "to": ["a.g", "c.h"], "latency": {"mode": "stamps"}}
                yield found


def texts():
    """Return files and documents of rules, then some changed by dice."""
    whole = [(ROOT / name).read_text(encoding="utf-8") for name in FILES]
    bases = [*map(read_text, whole), *of_rules(), *special()]
    dice = random.Random(SEED)
    changed = [mutant(dice, copy.deepcopy(dice.choice(bases))) for _ in range(300)]
    return whole + [tomlkit.dumps(one) for one in [*bases[len(whole) :], *changed]]


def of_rules():
    """Yield documents whose parts are right one by one."""
    dice = random.Random(SEED + 1)
    for signal in SIGNALS:
        yield document(signal, {}, {}, {}, {})
        yield document(signal, *(dice.choice(some) for some in (COMMONS, ENDS, BONDS, MODELS)))
    for common in COMMONS:
        yield document(dice.choice(SIGNALS), common, ENDS[1], {}, MODELS[1])
        yield document({"from": "a.x", "to": ["b.x"]}, common, ENDS[2], {}, {})
    for parts in [(ENDS[1], bonds, models) for bonds in BONDS for models in MODELS]:
        yield document(LIMITS, dice.choice(COMMONS[:4]), *parts)


def document(signal, common, ends, bonds, models):
    force = {"unit": "N", "latency": {"constant_steps": 2}, "from": "b.f", "to": ["a.f"]} | LIMITS
    place = {"unit": "m", **({"from": "a.x", "to": ["b.x"]} if ends else {}), **signal}
    parts = {"components": ends, "signals": {"f": force, "x": place}, "bonds": bonds, "models": models}
    found = {"interface": {"name": "bench", "macro_step": 0.01, **common}}
    return copy.deepcopy(found | {key: part for key, part in parts.items() if part})


def mutant(dice, found):
    """Change one to four places of a document."""
    for _ in range(dice.choice([1, 1, 2, 3, 4])):
        table, keys = dice.choice(list(tables(found, table_name(Document))))
        how = dice.random()
        if how < 0.6:
            key = dice.choice(keys)
            table[key] = copy.deepcopy(dice.choice(VALUES))
        elif how < 0.75:
            table[dice.choice(KEYS)] = copy.deepcopy(dice.choice(VALUES))
        elif how < 0.85 and table:
            del table[dice.choice(list(table))]
        elif table:
            key = dice.choice(list(table))
            table[key[:-1] + "xyz_"[len(key) % 4]] = table.pop(key)
    return found


_TABLES = key_tables(Document)


def tables(node, name):
    """Yield the tables of a document, each with the keys that it may have; those that are not there are made."""
    yield node, [*_TABLES[name]]
    for key, row in _TABLES[name].items():
        inner = node.get(key)
        if row["table"] and isinstance(inner, dict):
            yield from tables(inner, row["table"])
        if row["entries"] and isinstance(inner, dict):
            for entry in inner.values():
                if isinstance(entry, dict):
                    yield from tables(entry, row["entries"])
