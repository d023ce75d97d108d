"""Every variable that a coupling FMU can have, in the order that settings count on."""

from ..guard import UNLIMITED
from ..variable import Variable
from .numbers import BURST, COMPANIONS, EARLIER_COMPANIONS, EARLIER_INPUTS, MOST_WEIGHTS, PLANT_INPUTS, TAPS

ALL: tuple[Variable, ...] = (
    Variable("y", "real", "input", "input", "y", 0.0, "newest value received", unit="signal"),
    Variable(
        "y_time", "real", "input", "input", "y_time", -UNLIMITED, "send time of the value on y in the receiver's time",
        unit="s",
    ),
    Variable("y_valid", "boolean", "input", "input", "y_valid", 1, "false: nothing new on y"),
    Variable(
        "y_hat", "real", "output", "reconstruction", "y_hat", None, "estimate of the signal at the current time",
        unit="signal",
    ),
    Variable("latency.steps", "integer", "output", "latency", "steps", None, "latency in macro steps, rounded up"),
    Variable("latency.seconds", "real", "output", "latency", "seconds", None, "latency that is made up for", unit="s"),
    Variable(
        "discontinuity.detected", "boolean", "output", "discontinuity", "detected", None,
        "the newest value breaks with the past",
    ),
    Variable(
        "algorithm.active", "enumeration", "output", "switching", "active", None, "algorithm that made the estimate",
        items="ActiveAlgorithm",
    ),
    Variable(
        "quality.error", "real", "output", "quality", "error", None, "error of the estimate judged last",
        unit="d signal",
    ),
    Variable(
        "quality.tolerance", "real", "output", "quality", "tolerance", None, "tolerated error of that estimate",
        unit="d signal",
    ),
    Variable(
        "quality.ok", "boolean", "output", "quality", "ok", None, "the error is tolerated and the output is not held",
    ),
    Variable(
        "quality.skill", "real", "output", "quality", "skill", None,
        "1 perfect, 0 as good as no FMU (the value as it came), negative harmful",
    ),
    Variable(
        "output.limited", "boolean", "output", "reconstruction", "limited", None,
        "the output is kept within its limits",
    ),
    Variable(
        "state", "enumeration", "output", "switching", "mode", None, "starting, running, holding or lost",
        items="State",
    ),
    Variable(
        "macro_step", "real", "fixed", "parameter", "macro_step", 0.01,
        "period of the data exchange; 0: the first step", unit="s", minimum=0.0,
    ),
    Variable(
        "latency.mode", "enumeration", "fixed", "parameter", "latency_mode", 1, "constant, or from send stamps",
        minimum=1.0, maximum=4.0, items="LatencyMode",
    ),
    Variable(
        "latency.constant_steps", "integer", "fixed", "parameter", "constant_steps", 0, "latency in constant mode",
        minimum=0.0, maximum=64.0,
    ),
    Variable(
        "latency.offset", "real", "fixed", "parameter", "latency_offset", 0.0, "time that no stamp shows", unit="s",
    ),
    Variable(
        "latency.coast_steps", "integer", "fixed", "parameter", "coast_steps", 3, "steps without news bridged",
        minimum=0.0, maximum=64.0,
    ),
    Variable(
        "latency.lost_steps", "integer", "fixed", "parameter", "lost_steps", 64, "steps without news until lost",
        minimum=0.0, maximum=1000000.0,
    ),
    Variable(
        "discontinuity.enabled", "boolean", "fixed", "parameter", "detection", 0, "detect discontinuities and switch",
    ),
    Variable(
        "discontinuity.hold", "boolean", "fixed", "parameter", "hold_after_flag", 0,
        "hold instead of extrapolating after a flag",
    ),
    Variable(
        "discontinuity.floor", "real", "fixed", "parameter", "floor", 0.0, "smaller breaks are no discontinuities",
        unit="d signal", minimum=0.0,
    ),
    Variable(
        "reconstruction", "enumeration", "fixed", "parameter", "reconstruction", 1, "between macro steps", minimum=1.0,
        maximum=2.0, items="Reconstruction",
    ),
    Variable(
        "output.on_loss", "enumeration", "fixed", "parameter", "on_loss", 1, "when the signal is lost", minimum=1.0,
        maximum=2.0, items="OnLoss",
    ),
    Variable(
        "output.safe_value", "real", "fixed", "parameter", "safe_value", 0.0, "output when the signal is lost",
        unit="signal",
    ),
    Variable("bypass", "boolean", "tunable", "parameter", "bypass", 0, "y_hat = y, everything else keeps running"),
    Variable(
        "algorithm.selected", "enumeration", "tunable", "parameter", "selected", 2, "coupling algorithm", minimum=1.0,
        maximum=13.0, items="Algorithm",
    ),
    Variable(
        "algorithm.observer_gain", "real", "tunable", "parameter", "observer_gain", 0.0, "gain of smb; 0: worked out",
        unit="1/s", minimum=0.0,
    ),
    Variable(
        "discontinuity.sensitivity", "real", "tunable", "parameter", "sensitivity", 5.0,
        "growth of the spectrum that flags", minimum=1.0,
    ),
    Variable(
        "quality.action", "enumeration", "tunable", "parameter", "action", 1, "on a bad estimate", minimum=1.0,
        maximum=4.0, items="QualityAction",
    ),
    Variable(
        "quality.zeta", "real", "tunable", "parameter", "zeta", -1.0, "tolerance: weight of the curvature; -1: table",
        unit="s", minimum=-1.0,
    ),
    Variable(
        "quality.delta", "real", "tunable", "parameter", "delta", -1.0, "tolerance: share of the horizon; -1: table",
        minimum=-1.0,
    ),
    Variable(
        "output.min", "real", "tunable", "parameter", "output_min", -UNLIMITED, "lower limit of y_hat", unit="signal",
    ),
    Variable(
        "output.max", "real", "tunable", "parameter", "output_max", UNLIMITED, "upper limit of y_hat", unit="signal",
    ),
    Variable(
        "output.rate_max", "real", "tunable", "parameter", "rate_max", UNLIMITED, "largest rate of y_hat",
        unit="signal/s", minimum=0.0,
    ),
    *(
        Variable(
            f"algorithm.a[{i + 1}]", "real", "fixed", "parameter", "a", 0.0,
            f"weight of the level for value {i + 1}, newest first", index=i, feature="weights",
        )
        for i in range(TAPS)
    ),
    *(
        Variable(
            f"algorithm.A[{i + 1}]", "real", "fixed", "parameter", "slopes", 0.0,
            f"weight of the slope for value {i + 1}, newest first", index=i, feature="weights",
        )
        for i in range(TAPS)
    ),
    Variable(
        "debug.slot", "integer", "output", "debug", "slot", None, "macro step at which the newest value was sent",
        feature="debug",
    ),
    Variable(
        "debug.missing", "integer", "output", "debug", "missing", None, "macro steps without news", feature="debug",
    ),
    Variable(
        "debug.fraction", "real", "output", "latency", "fraction", None,
        "part of a macro step taken off the latency in steps", feature="debug",
    ),
    Variable(
        "debug.newest", "real", "output", "debug", "newest", None, "newest value in the history", unit="signal",
        feature="debug",
    ),
    Variable(
        "debug.spectrum", "real", "output", "discontinuity", "spectrum", None,
        "detector: spectrum with the newest value", unit="d signal", feature="debug",
    ),
    Variable(
        "debug.spectrum_before", "real", "output", "discontinuity", "spectrum_before", None,
        "detector: spectrum one slot earlier", unit="d signal", feature="debug",
    ),
    Variable(
        "debug.usable", "integer", "output", "debug", "usable", None, "slots since the start or the last flag",
        feature="debug",
    ),
    Variable(
        "debug.level", "real", "output", "algorithm", "level", None, "estimate at the macro point", unit="signal",
        feature="debug",
    ),
    Variable(
        "debug.slope", "real", "output", "algorithm", "slope", None, "change of the estimate per macro step",
        unit="d signal", feature="debug",
    ),
    Variable(
        "debug.unlimited", "real", "output", "reconstruction", "unlimited", None, "estimate before the limits",
        unit="signal", feature="debug",
    ),
    Variable("time", "real", "independent", "grid", "time", None, "simulation time", unit="s"),
    *(
        variable
        for i in range(BURST)
        for variable in (
            Variable(
                f"y[{i + 2}]", "real", "input", "input", "burst", 0.0, "earlier value that the message repeats",
                unit="signal", index=i, feature="burst",
            ),
            Variable(
                f"y_time[{i + 2}]", "real", "input", "input", "burst_time", -UNLIMITED, "send time of that value",
                unit="s", index=i, feature="burst",
            ),
            Variable(
                f"y_valid[{i + 2}]", "boolean", "input", "input", "burst_valid", 0, "false: no such value", index=i,
                feature="burst",
            ),
        )
    ),
    Variable(
        "y_echo", "real", "input", "input", "y_echo", -UNLIMITED, "send time of our newest message that the sender had",
        unit="s", feature="echo",
    ),
    Variable(
        "latency.drift", "real", "output", "clock", "drift", None, "gain of the sender's clock on the receiver's",
        feature="clock",
    ),
    Variable(
        "latency.clock", "enumeration", "fixed", "parameter", "latency_clock", 1, "of the send stamps", minimum=1.0,
        maximum=2.0, items="Clock", feature="clock",
    ),
    Variable(
        "latency.minimum", "real", "fixed", "parameter", "latency_minimum", 0.0, "of the fastest message, as seen here",
        unit="s", minimum=0.0, feature="clock",
    ),
    Variable(
        "discontinuity.detector", "enumeration", "fixed", "parameter", "detector", 1, "test for discontinuities",
        minimum=1.0, maximum=2.0, items="Detector", feature="discontinuity.detector",
    ),
    Variable(
        "quality.grade", "enumeration", "output", "quality", "grade", None, "worth of the algorithm, by quality.skill",
        items="Grade", feature="grade",
    ),
    *(
        Variable(
            f"auto.{name}", "real", "output", "bank", "weight", None, f"share of {name} in the estimate", index=i,
            feature="auto",
        )
        for i, name in enumerate(("zoh", "foh", "eros3", "eros4", "irregular", "linear"))
    ),
    Variable(
        "auto.leading", "enumeration", "output", "bank", "leading", None, "algorithm with the largest share",
        items="ActiveAlgorithm", feature="auto",
    ),
    Variable(
        "signal.period", "real", "fixed", "parameter", "signal_period", 0.0, "of a signal that wraps round",
        unit="d signal", minimum=0.0, feature="wrap",
    ),
    Variable(
        "latency.host_lead", "real", "fixed", "parameter", "host_lead", 0.0,
        "macro steps that the importer adds on the way", minimum=-64.0, maximum=64.0, feature="latency.host_lead",
    ),
    Variable(
        "latency.hold_lead", "real", "fixed", "parameter", "hold_lead", 0.0,
        "macro steps that the receiver's hold adds", minimum=-64.0, maximum=64.0, feature="latency.hold_lead",
    ),
    Variable(
        "output.guard", "real", "fixed", "parameter", "guard", 0.0,
        "ranges of the last values that an estimate may lie outside; 0: any", minimum=0.0, feature="output.guard",
    ),
    Variable(
        "output.guarded", "boolean", "output", "guard", "acts", None, "the estimate is kept near the last values",
        feature="output.guard",
    ),
    Variable(
        "messages.lost", "integer", "output", "history", "lost", None, "values sent that have not come",
        feature="messages",
    ),
    Variable(
        "messages.late", "integer", "output", "history", "late", None, "values that came later than their turn",
        feature="messages",
    ),
    Variable(
        "messages.reordered", "integer", "output", "history", "reordered", None, "values that came after a newer one",
        feature="messages",
    ),
    Variable(
        "auto.adaptive", "real", "output", "adaptive", "share", None,
        "share of what auto learns of the signal in the estimate", feature="auto",
    ),
    Variable(
        "signal.noise", "real", "fixed", "parameter", "noise", 0.0,
        "standard deviation of the measurement noise; 0: not known", unit="d signal", minimum=0.0,
        feature="signal.noise",
    ),
    Variable(
        "quality.skill_zoh", "real", "output", "quality", "skill_zoh", None,
        "1 perfect, 0 as good as zoh in the FMU, negative harmful", feature="baseline",
    ),
    Variable(
        "applied", "real", "input", "follow", "applied", 0.0, "what the receiver really does with y_hat, as measured",
        unit="signal", feature="latency.follow",
    ),
    Variable(
        "latency.follow", "enumeration", "fixed", "follow", "mode", 1, "what is learnt from the receiver's answer",
        minimum=1.0, maximum=3.0, items="Follow", feature="latency.follow",
    ),
    Variable(
        "latency.offset_min", "real", "fixed", "follow", "offset_min", 0.0, "least lag that is followed", unit="s",
        minimum=0.0, feature="latency.follow",
    ),
    Variable(
        "latency.offset_max", "real", "fixed", "follow", "offset_max", 0.0, "largest lag that is followed", unit="s",
        minimum=0.0, feature="latency.follow",
    ),
    Variable(
        "latency.lag", "real", "output", "follow", "lag", None, "latency.offset in force", unit="s",
        feature="latency.follow",
    ),
    Variable(
        "latency.deviation", "real", "output", "follow", "deviation", None, "standard deviation of the lag", unit="s",
        feature="latency.follow",
    ),
    Variable(
        "latency.gain", "real", "output", "follow", "gain", None, "amplitude of the receiver's answer",
        feature="latency.follow",
    ),
    Variable(
        "latency.followed", "boolean", "output", "follow", "followed", None, "the receiver's answer is plausible",
        feature="latency.follow",
    ),
    Variable(
        "algorithm.frequency", "real", "fixed", "phasor", "nominal", 50.0, "nominal frequency of a periodic signal",
        unit="Hz", minimum=1e-06, maximum=1000000.0, feature="phasor",
    ),
    Variable(
        "algorithm.harmonics", "integer", "fixed", "phasor", "harmonics", 13,
        "order of its highest harmonic; odd ones are foreseen", minimum=1.0, maximum=25.0, feature="phasor",
    ),
    Variable(
        "algorithm.follow", "enumeration", "fixed", "phasor", "follow", 2,
        "what of it is learnt besides amplitudes and phases", minimum=1.0, maximum=2.0, items="Frequency",
        feature="phasor",
    ),
    Variable(
        "algorithm.settling", "real", "fixed", "phasor", "settling", 3.5,
        "time in which its frequency is followed, over the latency; in a loop 3 or more", minimum=0.1, maximum=1000.0,
        feature="phasor",
    ),
    Variable(
        "phasor.frequency", "real", "output", "phasor", "frequency", None, "frequency of the fundamental", unit="Hz",
        feature="phasor",
    ),
    Variable(
        "phasor.amplitude", "real", "output", "phasor", "amplitude", None, "amplitude of the fundamental",
        unit="signal", feature="phasor",
    ),
    Variable(
        "phasor.followed", "boolean", "output", "phasor", "followed", None, "the signal is periodic: it is foreseen",
        feature="phasor",
    ),
    Variable(
        "conjugate", "real", "input", "bond", "conjugate", 0.0,
        "present value of the bond's other signal, sent from here", unit="partner", feature="energy",
    ),
    Variable(
        "energy.far_given", "real", "input", "bond", "far_given", 0.0, "energy given out at the far end", unit="J",
        feature="energy",
    ),
    Variable(
        "energy.far_passed", "real", "input", "bond", "far_passed", 0.0, "budget passed on by the far end", unit="J",
        feature="energy",
    ),
    Variable(
        "energy.far_time", "real", "input", "bond", "far_time", -UNLIMITED, "until when the far end has booked",
        unit="s", feature="energy",
    ),
    Variable(
        "energy.given", "real", "output", "energy", "given", None, "energy that has left the network here", unit="J",
        feature="energy",
    ),
    Variable(
        "energy.passed", "real", "output", "energy", "passed", None, "budget passed on to the far end", unit="J",
        feature="energy",
    ),
    Variable(
        "energy.time", "real", "output", "energy", "booked", None, "until when energy is booked", unit="s",
        feature="energy",
    ),
    Variable(
        "energy.residual", "real", "output", "energy", "residual", None, "energy that the coupling has created",
        unit="J", feature="energy",
    ),
    Variable(
        "energy.own", "real", "output", "energy", "own", None, "share of it from the estimates here", unit="J",
        feature="energy",
    ),
    Variable(
        "energy.taken", "real", "output", "energy", "taken", None, "energy taken out by corrections", unit="J",
        feature="energy",
    ),
    Variable(
        "energy.left", "real", "output", "energy", "left", None, "what is left of the budget", unit="J",
        feature="energy",
    ),
    Variable(
        "energy.power", "real", "output", "energy", "power", None, "power given out in the last step", unit="W",
        feature="energy",
    ),
    Variable(
        "energy.correction", "real", "output", "energy", "correction", None, "added to the estimate", unit="d signal",
        feature="energy",
    ),
    Variable(
        "energy.limited", "boolean", "output", "energy", "limited", None, "the estimate is kept within the budget",
        feature="energy",
    ),
    Variable(
        "energy.grade", "enumeration", "output", "energy", "grade", None, "what the coupling does to energy",
        items="EnergyGrade", feature="energy",
    ),
    Variable(
        "energy.kind", "enumeration", "fixed", "bond", "end", 0, "what y is in its power bond", minimum=0.0,
        maximum=3.0, items="BondEnd", feature="energy",
    ),
    Variable(
        "energy.conjugate_is", "enumeration", "fixed", "bond", "conjugate_is", 1, "what the flow of the bond is",
        minimum=1.0, maximum=2.0, items="Conjugate", feature="energy",
    ),
    Variable(
        "energy.reversed", "boolean", "fixed", "bond", "reversed", 0,
        "effort times flow is power out of the effort's receiver", feature="energy",
    ),
    Variable(
        "energy.stale", "boolean", "fixed", "bond", "stale", 0, "the host reads outputs before it sets inputs",
        feature="energy",
    ),
    Variable(
        "energy.source", "enumeration", "fixed", "bond", "source", 1, "energy that is taken back", minimum=1.0,
        maximum=2.0, items="EnergySource", feature="energy",
    ),
    Variable(
        "energy.stiffness", "real", "fixed", "bond", "stiffness", 0.0,
        "effort over flow, by which it falls at once; 0: unknown", minimum=0.0, feature="energy",
    ),
    Variable(
        "energy.take_back", "real", "tunable", "bond", "take_back", 0.0,
        "share of created energy taken out in a macro step", minimum=0.0, maximum=1.0, feature="energy",
    ),
    Variable(
        "energy.give_back", "boolean", "tunable", "bond", "give_back", 0, "give back energy that was lost too",
        feature="energy",
    ),
    Variable(
        "energy.cap", "real", "tunable", "bond", "cap", 1.0, "largest correction as a share of the estimate",
        minimum=0.0, feature="energy",
    ),
    Variable(
        "energy.budget", "real", "tunable", "bond", "budget", 0.0,
        "energy given out beyond what came back; 0: no guard", unit="J", minimum=0.0, feature="energy",
    ),
    Variable(
        "energy.alert", "real", "tunable", "bond", "alert", 0.9,
        "share of the budget below which estimates must be plausible", minimum=0.0, maximum=1.0, feature="energy",
    ),
    Variable(
        "energy.peak", "real", "tunable", "bond", "peak", 1.5, "plausible size in largest ones received", minimum=1.0,
        feature="energy",
    ),
    Variable(
        "energy.rate", "real", "tunable", "bond", "rate", 2.0, "plausible change in largest ones received", minimum=1.0,
        feature="energy",
    ),
    *(
        Variable(
            f"u[{i + 1}]", "real", "input", "plant", "u", 0.0,
            f"present value of signal {i + 1} that goes to the sender of y", index=i, feature="plant",
        )
        for i in range(PLANT_INPUTS)
    ),
    *(
        Variable(
            f"companion[{i + 1}]", "real", "input", "plant", "companion", -UNLIMITED,
            f"value of output {i + 1} that the sender sent with y", index=i, feature="companions",
        )
        for i in range(COMPANIONS)
    ),
    *(
        variable
        for i in range(PLANT_INPUTS)
        for variable in (
            Variable(
                f"given[{i + 1}]", "real", "input", "plant", "given", -UNLIMITED,
                f"what the sender was given as signal {i + 1} when it sent y", index=i, feature="given",
            ),
            Variable(
                f"given_slope[{i + 1}]", "real", "input", "plant", "given_slope", 0.0,
                "its slope in the macro step that began then, per s", index=i, feature="given",
            ),
        )
    ),
    *(
        Variable(
            f"earlier_companion[{i + 1}]", "real", "input", "plant", "earlier_companion", -UNLIMITED,
            "companion of a repeated value: all of y[2], all of y[3] ..", index=i, feature="earlier companions",
        )
        for i in range(EARLIER_COMPANIONS)
    ),
    *(
        variable
        for i in range(EARLIER_INPUTS)
        for variable in (
            Variable(
                f"earlier_given[{i + 1}]", "real", "input", "plant", "earlier_given", -UNLIMITED,
                "given with a repeated value: all of y[2], all of y[3] ..", index=i, feature="earlier given",
            ),
            Variable(
                f"earlier_slope[{i + 1}]", "real", "input", "plant", "earlier_slope", 0.0,
                "given_slope with a repeated value, in the same order", index=i, feature="earlier given",
            ),
        )
    ),
    Variable(
        "learning.state", "enumeration", "output", "neural", "phase", None, "collecting, training or judging",
        items="LearningState", feature="network",
    ),
    Variable(
        "learning.accepted", "integer", "output", "neural", "accepted", None, "new weights that were taken",
        feature="network",
    ),
    Variable(
        "learning.refused", "integer", "output", "neural", "refused", None, "new weights that were not taken",
        feature="network",
    ),
    Variable(
        "learning.fallbacks", "integer", "output", "neural", "fallbacks", None, "returns to the weights of the start",
        feature="network",
    ),
    Variable(
        "learning.cycle_steps", "integer", "fixed", "neural", "cycle_steps", 100, "macro steps of a learning cycle",
        minimum=10.0, maximum=1000000.0, feature="network",
    ),
    Variable(
        "learning.judge_steps", "integer", "fixed", "neural", "judge_steps", 50, "macro steps of a test of new weights",
        minimum=5.0, maximum=1000000.0, feature="network",
    ),
    Variable(
        "learning.prior", "real", "fixed", "neural", "prior", 0.3, "expected change of a weight", minimum=1e-06,
        maximum=1000.0, feature="network",
    ),
    Variable(
        "learning.safe", "boolean", "fixed", "neural", "safe", 1, "take new weights only after a test",
        feature="network",
    ),
    Variable(
        "learning.gain_max", "real", "fixed", "neural", "gain_max", 1.25,
        "largest gain, as a multiple of that of the start", minimum=1.0, maximum=1000.0, feature="network",
    ),
    Variable(
        "learning.enabled", "boolean", "tunable", "neural", "enabled", 1, "learn while running", feature="network",
    ),
    *(
        Variable(
            f"network.weights[{i + 1}]", "real", "fixed", "neural", "base", 0.0,
            f"weight {i + 1} of the network: first, second, last layer, row by row", minimum=-1000000.0,
            maximum=1000000.0, index=i, feature="network",
        )
        for i in range(MOST_WEIGHTS)
    ),
    *(
        Variable(
            f"learning.weights[{i + 1}]", "real", "output", "neural", "use", None,
            f"weight {i + 1} of the network in use, in the order of network.weights", index=i, feature="network",
        )
        for i in range(MOST_WEIGHTS)
    ),
    Variable(
        "identification.settled", "boolean", "output", "model", "settled", None,
        "the model is known well enough to be used", feature="identification",
    ),
    Variable(
        "identification.samples", "integer", "output", "model", "samples", None,
        "values that the model was identified from", feature="identification",
    ),
    Variable(
        "identification.forgetting", "real", "fixed", "model", "forgetting", 0.99, "weight kept a sample", minimum=0.5,
        maximum=1.0, feature="identification",
    ),
    Variable(
        "u", "real", "input", "model", "u", 0.0, "present value of the signal that goes to the sender of y",
        feature="element",
    ),
)
