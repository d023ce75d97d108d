"""What is not simply run: which blocks of the pages, what is done instead, and why.

A command is run as it stands; `simulate` and `sweep` are made short. A rule applies to the blocks and commands of a
page that begin with its words; of several that with most words.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """What is done with a block or a command in place of running it as it stands.

    Attributes
    ----------
    why : str
        Reason why it cannot be run.
    test : str
        Test that runs it, `file::function`.
    add : str
        Words behind a command.
    change : tuple of (str, str)
        Words of a command or of code and what stands for them.
    keeps : str
        File that the command writes and that comes out as it is in the tree.
    kind, within, base : str
        For settings: the file whose part they are (interface, scenario, bench, system), the table that they stand in,
        and the file that they are put into.
    """

    page: str
    begins: str
    why: str = ""
    test: str = ""
    add: str = ""
    change: tuple[tuple[str, str], ...] = ()
    keeps: str = ""
    kind: str = ""
    within: str = ""
    base: str = ""


DRAWING = "a drawing or an equation"
REAL_TIME = "tests/bench/test_real_time.py::test_the_estimate_keeps_the_loop_stable_and_is_far_better_than_hold"
TWO = "tests/cli/test_bench.py::test_the_report_on_two_machines"
TUNED = "tests/cli/test_tune.py::test_a_dry_run_writes_settings_that_bench_and_build_read"
APART = "tests/cli/test_tune.py::test_each_side_by_itself"
MEASURED = "tests/cli/test_latency.py::test_two_ends_over_loopback"
PIPELINE = "tests/structure/test_rules.py::test_a_rule_finds_its_fault"
ROOTED = "couplant simulate examples/07_quarter_car/scenario.toml --set root"
JUDGING = "couplant simulate examples/12_hybrid_vehicle/scenario.toml -o build/12"
BOTH = "'algorithms=[\"zoh\", \"configured\"]'"
"""The run that judges both, and its algorithms."""

AFRESH = "couplant simulate examples/12_hybrid_vehicle/scenario.toml --set 'algorithms=[\"configured\"]' --set noise"
OWN = "tests/pages/test_own_algorithm.py"
FOLLOWED = f"{OWN}::test_vectors_fmus_and_lists_know_it"
SIMULINK = "tests/pages/test_simulink.py::test_the_figures_of_the_script_are_those_of_the_fmu"
ENTERED = "tests/arena/test_play.py::test_a_file_of_a_user_takes_part_and_a_mistake_costs_it_alone"
HELD_OUT = "tests/cli/test_arena.py::test_the_secret_may_stand_in_a_file"
CONTAINED = "tests/cli/test_container.py::test_it_prints_what_goes_in_and_out_and_what_is_predicted"
ADVISED = "tests/cli/test_advise.py::test_the_advice_is_what_is_built_shown_and_saved"
BOTH_WAYS = "tests/cli/test_advise.py::test_every_verb_that_is_given_both_ways_says_the_same_of_the_loop"
WARNED = "tests/cli/test_advise.py::test_build_warns_of_a_loop_that_is_unstable_with_the_settings"
WORKBENCH = "tests/workbench/test_page.py::test_the_page_is_small_and_the_same_in_every_process"
WASM = "tests/c/test_wasm.py::test_the_command_of_the_page_makes_the_same_module"
WHEEL = "tests/test_wheel.py::test_the_installed_command_works_from_an_empty_folder"
SLAVES = "tests/cli/test_dcp.py::test_two_slaves_and_a_master_in_processes"
FEDERATION = "tests/elsewhere/helics/test_session.py::test_the_foot_of_example_1"
MACHINES = "tests/elsewhere/helics/test_session.py::test_two_commands_and_their_records_joined"
CARRIER = "tests/bench/test_transport.py::test_classes_of_ones_own"
BROUGHT = "tests/bench/test_transport.py::test_another_package_brings_one_of_its_own"
ROUTER = "tests/cli/test_router.py::test_it_runs_until_control_c_and_says_when_a_port_is_taken"
SECURED = "tests/bench/test_zenoh_session.py::test_tls"
WATCHED = "tests/cli/test_bench_live.py::test_the_page_is_told_served_and_written"
SAMPLES = "tests/bench/test_villas.py::test_a_bench_over_samples_with_the_relay_between"
LIVE = "tests/bench/test_live.py::test_values_pass_and_are_estimated_over_each"
SWEPT = "couplant sweep examples/06_sweep/scenario.toml -o build/06"
SETTINGS = "examples/03_recording/settings.toml"
SHAFT = (
    ("a.csv b.csv", "examples/15_engine_shaft/recorded_*.csv"),
    ("--input u --output y", "--input torque --output speed --states 1"),
)
"""Recordings with an input and an output, and the least to try."""

JOINT = "tests/design/test_joint.py::test_the_verb_writes_them_for_the_fmu"
CLUSTER = "tests/sweep/test_cluster.py::test_the_rows_are_those_of_processes"

RULES = (
    Rule("README.md", "latency -> history", test=PIPELINE),
    Rule("README.md", "make test", test="tests/test_readme.py::test_the_make_targets_exist"),
    Rule("docs/workbench.md", "make workbench", test=WORKBENCH),
    Rule("README.md", "make demo", test="tests/cosim/test_examples.py::test_the_figures_are_the_expected_ones"),
    Rule("docs/commands.md", "couplant bench", test=REAL_TIME),
    Rule("README.md", "couplant demo", test="tests/test_wheel.py::test_the_demonstration_is_in_the_wheel"),
    Rule("README.md", "couplant try", add="--no-open"),
    Rule("README.md", "pip install", test=WHEEL),
    Rule("docs/commands.md", "couplant demo", test="tests/test_wheel.py::test_the_demonstration_is_in_the_wheel"),
    Rule("docs/commands.md", "couplant try", add="--no-open"),
    Rule("docs/commands.md", "couplant identify", change=SHAFT),
    Rule("docs/commands.md", "couplant macro-step", test=MEASURED),
    Rule("docs/commands.md", "couplant energy", change=(("recording.csv", "power.csv"),)),
    Rule("docs/commands.md", "couplant ssp", change=(("a.x->b.u", "mass_1.x1->mass_2.x1"),)),
    Rule("docs/algorithms.md", "f_p(x)", why=DRAWING),
    Rule("docs/algorithms.md", "Δ^d", why=DRAWING),
    Rule("docs/algorithms.md", "e = y -", why=DRAWING),
    Rule("docs/architecture.md", "latency -> history", test=PIPELINE),
    Rule("docs/architecture.md", "fmu_src/coupling.toml", why="a list of folders"),
    Rule("docs/architecture.md", "modules -> program", why=DRAWING),
    Rule("docs/architecture.md", "cli", test="tests/structure/test_rules.py::test_a_rule_finds_its_fault"),
    Rule("docs/architecture.md", "ŷ(t)", why=DRAWING),
    Rule("docs/architecture.md", "couplant try", add="--no-open"),
    Rule("docs/architecture.md", "couplant arena", add="--small"),
    Rule("docs/architecture.md", "couplant identify", change=SHAFT),
    Rule("docs/architecture.md", "couplant energy", change=(("recording.csv", "power.csv"),)),
    Rule("docs/architecture.md", "COUPLANT_FUZZ_RUNS", test="tests/c/test_fuzz.py::test_coupling"),
    Rule("docs/behaviour.md", "latency -> history", test=PIPELINE),
    Rule("docs/follow.md", "latency =", kind="interface", within="signals.torque", base="interface.toml"),
    Rule("docs/grid.md", "[interface]", kind="interface"),
    Rule("docs/commands.md", "couplant helics", test=FEDERATION),
    Rule("docs/commands.md", "couplant dcp", test=SLAVES),
    Rule("docs/dcp.md", "couplant dcp", test=SLAVES),
    Rule("docs/dcp.md", "bench =", test=SLAVES),
    Rule("docs/dcp.md", "duration =", test=SLAVES),
    Rule("docs/dcp.md", "t =", why=DRAWING),
    Rule("docs/helics.md", "couplant helics examples/01", test=FEDERATION),
    Rule("docs/helics.md", "couplant helics scenario.toml", test=MACHINES),
    Rule("docs/commands.md", "couplant tune", test=TUNED),
    Rule("docs/tune.md", "couplant tune examples/05", test=TUNED),
    Rule("docs/tune.md", "couplant tune bench.toml --side", test=APART),
    Rule("docs/bench.md", "left:", why=DRAWING),
    Rule("docs/bench.md", "couplant bench examples/05", test=REAL_TIME),
    Rule("docs/bench.md", "couplant bench examples/05_udp_bench/scenario.toml --live", test=WATCHED),
    Rule("docs/villas.md", "couplant bench scenario.toml --side", test=SAMPLES),
    Rule("docs/villas.md", "hugepages =", why="settings of another program"),
    Rule("docs/villas.md", "estimate =", why="settings of another program"),
    Rule("docs/bench.md", "couplant latency", test=MEASURED),
    Rule("docs/bench.md", "couplant macro-step", test=MEASURED),
    Rule("docs/bench.md", "couplant bench scenario.toml --side", test=TWO),
    Rule("docs/bench.md", "couplant bench scenario.toml --join", test=TWO),
    Rule("docs/bench.md", "couplant bench scenario.toml --tr", test=CARRIER),
    Rule("docs/bench.md", "couplant router --listen tcp", test=ROUTER),
    Rule("docs/bench.md", "couplant router --listen tls", test=SECURED),
    Rule("docs/bench.md", "couplant bench examples/05_udp_bench/scenario.toml --transport zenoh", test=LIVE),
    Rule("docs/bench.md", "[bonds.spring]", kind="bench", base="examples/05_udp_bench/scenario.toml"),
    Rule("docs/bench.md", "[bench.transport]", kind="bench", base="examples/05_udp_bench/scenario.toml"),
    Rule("docs/bench.md", "[project.entry-points", test=BROUGHT),
    Rule("docs/energy.md", "[bonds.shaft]", kind="scenario", base="examples/01_two_mass_oscillator/scenario.toml"),
    Rule("docs/importing.md", "[interface]", kind="interface", base="interface.toml"),
    Rule("docs/importing.md", "from pathlib", change=(("win64,linux64", "host"),)),
    Rule("docs/importing.md", "+-- probe", why=DRAWING),
    Rule("docs/importing.md", "predicted, in macro steps", test=CONTAINED),
    Rule("docs/importing.md", "latency =", kind="interface", within="signals.torque", base="interface.toml"),
    Rule("docs/learning.md", "[signals.torque]", kind="interface", base="interface.toml"),
    Rule("docs/models.md", "[interface]", kind="interface"),
    Rule("docs/models.md", "couplant identify", change=SHAFT),
    Rule("docs/models.md", "[signals.x1]", kind="interface", base="side.toml"),
    Rule("docs/models.md", "e = y_j", why=DRAWING),
    Rule("docs/models.md", "y_hat =", why=DRAWING),
    Rule("docs/models.md", "couplant design --model", add="--steps 3 --plants 2"),
    Rule("docs/models.md", "couplant design --system", test=JOINT),
    Rule("docs/own_algorithm.md", "[interface]", kind="interface"),
    Rule("docs/own_algorithm.md", "y(x) =", why=DRAWING),
    Rule("docs/own_algorithm.md", "parabola", test=FOLLOWED),
    Rule("docs/own_algorithm.md", '"""The parabola', test=FOLLOWED),
    Rule("docs/own_algorithm.md", "/* The parabola", test=FOLLOWED),
    Rule("docs/own_algorithm.md", "def parabola", test=FOLLOWED),
    Rule("docs/own_algorithm.md", "make generate", test=FOLLOWED),
    Rule("docs/own_algorithm.md", ".venv/bin/python tests/vectors/generate.py", test=FOLLOWED),
    Rule("docs/own_algorithm.md", "git diff", why="the folder of the test is no repository"),
    Rule("docs/own_algorithm.md", ".venv/bin/python -m pytest", test=FOLLOWED),
    Rule("docs/own_algorithm.md", "couplant limits", test=f"{OWN}::test_the_command_line_knows_it"),
    Rule("docs/c_library.md", "#include", test="tests/library/test_library.py::test_the_lines_of_the_page_run"),
    Rule("docs/realtime.md", ".venv/bin/python -m ziglang", test=WASM),
    Rule("docs/recordings.md", "couplant try a.csv b.csv --sends", test=BOTH_WAYS),
    Rule("docs/recordings.md", "couplant try", add="--no-open"),
    Rule("docs/simulink.md", "[interface]", kind="interface"),
    Rule("docs/simulink.md", "couplant build", change=(("win64,linux64", "host"),)),
    Rule("docs/simulink.md", "run(", test=SIMULINK),
    Rule("docs/windows.md", "py -m venv", why="PowerShell, on Windows only; installs"),
    Rule("docs/windows.md", "Get-ChildItem", why="PowerShell, on Windows only"),
    Rule("docs/windows.md", "macro_step =", kind="scenario", base="scenario.toml"),
    Rule("docs/install.md", "python3 -m venv", test=WHEEL),
    Rule("docs/install.md", ".venv/bin/python -m pip install", test=WHEEL),
    Rule("docs/install.md", "make release", test="tests/test_release.py::test_what_fails_leaves_the_last_release"),
    Rule("docs/install.md", "sha256sum", test="tests/test_release.py::test_checksums_are_what_sha256sum_reads"),
    Rule("docs/install.md", ".venv/bin/couplant --version", test=WHEEL),
    Rule("docs/install.md", "couplant demo", test="tests/test_wheel.py::test_the_demonstration_is_in_the_wheel"),
    Rule("docs/install.md", "pip", why="installs, or needs a registry"),
    Rule("docs/install.md", "make", test="tests/test_readme.py::test_the_make_targets_exist"),
    Rule("docs/scenarios.md", "name =", kind="scenario"),
    Rule("docs/scenarios.md", "[components.arm", kind="scenario", base="examples/10_crane/scenario.toml"),
    Rule("docs/scenarios.md", "[reference", kind="scenario", base="examples/12_hybrid_vehicle/mil.toml"),
    Rule("docs/scenarios.md", "[figures", kind="scenario", base="examples/12_hybrid_vehicle/scenario.toml"),
    Rule("docs/steps.md", "algorithms =", kind="scenario", base="examples/07_quarter_car/scenario.toml"),
    Rule("docs/steps.md", "dE =", why=DRAWING),
    Rule("docs/system.md", "macro_step =", kind="system"),
    Rule("docs/advice.md", "couplant advise", test=ADVISED),
    Rule("docs/commands.md", "couplant advise", test=ADVISED),
    Rule("docs/advice.md", "Use the model", test=ADVISED),
    Rule("docs/advice.md", "[excitation.motor]", why="a part of a system file whose matrices are not shown"),
    Rule("docs/advice.md", "couplant: warning", test=WARNED),
    Rule("examples/01_two_mass_oscillator/README.md", "mass_1 --x1", why=DRAWING),
    Rule("examples/03_recording/README.md", "[components]", kind="scenario", base=SETTINGS),
    Rule("examples/05_udp_bench/README.md", "couplant bench", test=REAL_TIME),
    Rule("examples/05_udp_bench/README.md", "left:", why=DRAWING),
    Rule("docs/arena.md", "couplant arena --small", add="--task multisine_1"),
    Rule("docs/arena.md", "couplant arena -o", add="--task multisine_1 --entry foh"),
    Rule("docs/arena.md", "couplant arena --task", add="--entry foh"),
    Rule("docs/arena.md", "couplant arena --entry", test=ENTERED),
    Rule("docs/arena.md", "couplant arena --hold-out", test=HELD_OUT),
    Rule("docs/commands.md", "couplant arena", add="--list"),
    Rule("examples/06_sweep/README.md", "couplant sweep", add="--seeds 1 --latency 1"),
    Rule("examples/06_sweep/README.md", f"{SWEPT} --dask", test=CLUSTER),
    Rule("examples/06_sweep/README.md", "--", add="-o build/06 --fresh --seeds 1 --latency 1 --jitter 0"),
    Rule("examples/06_sweep/README.md", "pip install", why="installs from a registry"),
    Rule("examples/06_sweep/README.md", "dask ", test=CLUSTER),
    Rule("examples/14_long_latency/README.md", "couplant design --model", add="--plants 2"),
    Rule("examples/12_hybrid_vehicle/README.md", "bench --torque", why=DRAWING),
    Rule("examples/07_quarter_car/README.md", ROOTED, change=(("duration=2.0", "duration=0.1"),)),
    Rule("examples/12_hybrid_vehicle/README.md", JUDGING, add=f"--set duration=5.0 --set {BOTH}"),
    Rule("examples/12_hybrid_vehicle/README.md", "couplant design", keeps="examples/12_hybrid_vehicle/torque.toml"),
    Rule("examples/12_hybrid_vehicle/README.md", AFRESH, add="--set duration=2.5"),
    Rule("examples/15_engine_shaft/README.md", "couplant identify", add="--states 3"),
)
