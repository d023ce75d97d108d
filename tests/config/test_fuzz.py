"""Damaged settings, scenarios, bench files and systems: taken, or refused in short sentences that name the file."""

import random
import shutil
from pathlib import Path

import pytest

from couplant.config.bench import load_bench
from couplant.config.load import load_interface
from couplant.config.scenario import load_scenario
from tests.mutation import complaint, mutate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = {
    "03_recording/torque.toml": load_interface,
    "12_hybrid_vehicle/torque.toml": load_interface,
    "04_learning/adam.toml": load_scenario,
    "01_two_mass_oscillator/scenario.toml": load_scenario,
    "03_recording/scenario.toml": load_scenario,
    "09_guard/scenario.toml": load_scenario,
    "13_rths/scenario.toml": load_scenario,
    "05_udp_bench/scenario.toml": load_bench,
}
WORDS = [
    one.encode()
    for one in (
        "1e308", "-1e308", "1e-308", "9223372036854775807", "99999999999999999999", "true", "[]", "{}", '""', "1.0",
        "0", "-1", "2026-11-22", "\n[a.b]\n", "\n[[a]]\n", "a.b.c = 1\n",
        '"\\u202egnp"', '"Ö"', "'''", '"""', "inf", "nan",
        "[signals.X1]\n", "latency", "algorithm", '"auto"', '"linear"', "k", "../", "con", "1_000",
    )
]  # fmt: skip


def changed(rng, content):
    """Return TOML with other values, keys and lines in one to four places, which mostly is TOML still."""
    lines = content.decode().splitlines()
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(lines))
        key, equals, value = lines[at].partition(" = ")
        other = lines[rng.randrange(len(lines))].partition(" = ")
        word = rng.choice(WORDS).decode()
        match rng.randrange(6):
            case 0 | 1 if equals:
                lines[at] = f"{key} = {word}"
            case 2 if equals and any(map(str.isdigit, value)):
                digits = "".join("1e308" if one.isdigit() and rng.random() < 0.3 else one for one in value)
                lines[at] = f"{key} = {digits}"
            case 3 if equals:
                lines[at] = f"{key} = {other[2] or word}"
            case 4:
                lines.insert(at, lines[rng.randrange(len(lines))])
            case _ if equals:
                lines[at] = f"{other[0] or 'x'} = {value}"
    return "\n".join(lines).encode()


def damaged(folder, seed, count):
    """Return what is wrong with the answers to so many damaged files."""
    rng = random.Random(seed)
    contents = {name: (EXAMPLES / name).read_bytes() for name in FILES}
    wrong = []
    for name in FILES:
        shutil.copytree(EXAMPLES / Path(name).parent, folder / Path(name).parent, dirs_exist_ok=True)
    for _ in range(count):
        name = rng.choice(list(FILES))
        path = folder / name
        content = contents[name]
        path.write_bytes(mutate(rng, content, WORDS) if rng.random() < 0.3 else changed(rng, content))
        if found := complaint(path, FILES[name]):
            wrong.append(f"{name} (seed {seed}): {found}")
    return wrong


@pytest.mark.night("40 000 damaged settings: 10 minutes")
@pytest.mark.parametrize("seed", range(20))
def test_damaged_settings(tmp_path, seed):
    assert not damaged(tmp_path, seed, 2000)


def test_some_damaged_settings(tmp_path):
    assert not damaged(tmp_path, 40, 60)


DEEP = ".".join(["a"] * 40_000)


@pytest.mark.parametrize("text", [f"{DEEP} = 1\n", f"[{DEEP}]\n", f"b = {{ {DEEP} = 1 }}\n", "a = {" * 9000])
def test_deep_keys_are_refused_before_they_are_read(tmp_path, text):
    path = tmp_path / "deep.toml"
    path.write_text(text, encoding="utf-8")
    assert not complaint(path, load_interface)
