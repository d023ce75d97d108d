/* Every variable that a coupling FMU can have, and the items of enumerations; part of variables.c. */

/* by the number in the flags of a variable */
static const cp_items cp_enumerations[] = {
    {0, ""},
    {0x1e, "1 (constant), 2 (stamps), 3 (resequenced), 4 (round_trip)"},
    {0x6, "1 (linear), 2 (hold)"},
    {0x6, "1 (hold), 2 (safe)"},
    {0x33fe, "1 (zoh), 2 (foh), 3 (smb), 4 (eros3), 5 (eros4), 6 (linear), 7 (irregular), 8 (auto), 9 (network), "
        "12 (model), 13 (phasor)"},
    {0x1e, "1 (ignore), 2 (warn), 3 (stop), 4 (hold)"},
    {0x6, "1 (common), 2 (free)"},
    {0x6, "1 (spectral), 2 (residual)"},
#if !defined(CP_WITHOUT_ENERGY) || !defined(CP_WITHOUT_NEURAL)
    {0xe, "1 (off), 2 (lag), 3 (lag_and_gain)"},
    {0x6, "1 (off), 2 (frequency)"},
    {0xf, "0 (none), 1 (effort), 2 (displacement), 3 (velocity)"},
    {0x6, "1 (displacement), 2 (velocity)"},
    {0x6, "1 (own), 2 (bond)"},
#endif
};

#define CP_ROWS_PARAMETER_A(i) \
    CP_ROW("algorithm.a[" #i "]", REAL, FIXED, parameter.a[i - 1], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
#define CP_EACH_PARAMETER_A(ROW) \
    ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9) ROW(10) ROW(11) ROW(12) \
    ROW(13) ROW(14) ROW(15) ROW(16) ROW(17) ROW(18) ROW(19) ROW(20) ROW(21) ROW(22) ROW(23) ROW(24) \
    ROW(25) ROW(26) ROW(27) ROW(28) ROW(29) ROW(30) ROW(31) ROW(32) ROW(33) ROW(34) ROW(35) ROW(36) \
    ROW(37) ROW(38) ROW(39) ROW(40) ROW(41) ROW(42) ROW(43) ROW(44) ROW(45) ROW(46) ROW(47) ROW(48) \
    ROW(49) ROW(50) ROW(51) ROW(52) ROW(53) ROW(54) ROW(55) ROW(56) ROW(57) ROW(58) ROW(59) ROW(60) \
    ROW(61) ROW(62) ROW(63) ROW(64)

#define CP_ROWS_PARAMETER_SLOPES(i) \
    CP_ROW("algorithm.A[" #i "]", REAL, FIXED, parameter.slopes[i - 1], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
#define CP_EACH_PARAMETER_SLOPES(ROW) \
    ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9) ROW(10) ROW(11) ROW(12) \
    ROW(13) ROW(14) ROW(15) ROW(16) ROW(17) ROW(18) ROW(19) ROW(20) ROW(21) ROW(22) ROW(23) ROW(24) \
    ROW(25) ROW(26) ROW(27) ROW(28) ROW(29) ROW(30) ROW(31) ROW(32) ROW(33) ROW(34) ROW(35) ROW(36) \
    ROW(37) ROW(38) ROW(39) ROW(40) ROW(41) ROW(42) ROW(43) ROW(44) ROW(45) ROW(46) ROW(47) ROW(48) \
    ROW(49) ROW(50) ROW(51) ROW(52) ROW(53) ROW(54) ROW(55) ROW(56) ROW(57) ROW(58) ROW(59) ROW(60) \
    ROW(61) ROW(62) ROW(63) ROW(64)

#define CP_ROWS_INPUT_BURST(i) \
    CP_ROW("y[" #i "]", REAL, INPUT, input.burst[i - 2], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED) \
    CP_ROW("y_time[" #i "]", REAL, INPUT, input.burst_time[i - 2], 0, -CP_UNLIMITED, -CP_UNLIMITED, CP_UNLIMITED) \
    CP_ROW("y_valid[" #i "]", BOOLEAN, INPUT, input.burst_valid[i - 2], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
#define CP_EACH_INPUT_BURST(ROW) \
    ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8)

#define CP_ROWS_PLANT_U(i) \
    CP_ROW("u[" #i "]", REAL, INPUT, plant.u[i - 1], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
#define CP_EACH_PLANT_U(ROW) \
    ROW(1) ROW(2) ROW(3) ROW(4)

#define CP_ROWS_PLANT_COMPANION(i) \
    CP_ROW("companion[" #i "]", REAL, INPUT, plant.companion[i - 1], 0, -CP_UNLIMITED, -CP_UNLIMITED, CP_UNLIMITED)
#define CP_EACH_PLANT_COMPANION(ROW) \
    ROW(1) ROW(2) ROW(3)

#define CP_ROWS_PLANT_GIVEN(i) \
    CP_ROW("given[" #i "]", REAL, INPUT, plant.given[i - 1], 0, -CP_UNLIMITED, -CP_UNLIMITED, CP_UNLIMITED) \
    CP_ROW("given_slope[" #i "]", REAL, INPUT, plant.given_slope[i - 1], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
#define CP_EACH_PLANT_GIVEN(ROW) \
    ROW(1) ROW(2) ROW(3) ROW(4)

#define CP_ROWS_PLANT_EARLIER_COMPANION(i) \
    CP_ROW("earlier_companion[" #i "]", REAL, INPUT, plant.earlier_companion[i - 1], 0, -CP_UNLIMITED, -CP_UNLIMITED, \
    CP_UNLIMITED)
#define CP_EACH_PLANT_EARLIER_COMPANION(ROW) \
    ROW(1) ROW(2) ROW(3)

#define CP_ROWS_PLANT_EARLIER_GIVEN(i) \
    CP_ROW("earlier_given[" #i "]", REAL, INPUT, plant.earlier_given[i - 1], 0, -CP_UNLIMITED, -CP_UNLIMITED, \
    CP_UNLIMITED) \
    CP_ROW("earlier_slope[" #i "]", REAL, INPUT, plant.earlier_slope[i - 1], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
#define CP_EACH_PLANT_EARLIER_GIVEN(ROW) \
    ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6)

#define CP_ROWS_NEURAL_BASE(i) \
    CP_NEURAL_ROW("network.weights[" #i "]", REAL, FIXED, base[i - 1], 0, 0.0, -1000000.0, 1000000.0)
#define CP_EACH_NEURAL_BASE(ROW) \
    ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9) ROW(10) ROW(11) ROW(12) \
    ROW(13) ROW(14) ROW(15) ROW(16) ROW(17) ROW(18) ROW(19) ROW(20) ROW(21) ROW(22) ROW(23) ROW(24) \
    ROW(25) ROW(26) ROW(27) ROW(28) ROW(29) ROW(30) ROW(31) ROW(32) ROW(33) ROW(34) ROW(35) ROW(36) \
    ROW(37) ROW(38) ROW(39) ROW(40) ROW(41) ROW(42) ROW(43) ROW(44) ROW(45) ROW(46) ROW(47) ROW(48) \
    ROW(49) ROW(50) ROW(51) ROW(52) ROW(53) ROW(54) ROW(55) ROW(56) ROW(57) ROW(58) ROW(59) ROW(60) \
    ROW(61) ROW(62) ROW(63) ROW(64)

#define CP_ROWS_NEURAL_USE(i) \
    CP_NEURAL_ROW("learning.weights[" #i "]", REAL, OUTPUT, use[i - 1], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
#define CP_EACH_NEURAL_USE(ROW) \
    ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9) ROW(10) ROW(11) ROW(12) \
    ROW(13) ROW(14) ROW(15) ROW(16) ROW(17) ROW(18) ROW(19) ROW(20) ROW(21) ROW(22) ROW(23) ROW(24) \
    ROW(25) ROW(26) ROW(27) ROW(28) ROW(29) ROW(30) ROW(31) ROW(32) ROW(33) ROW(34) ROW(35) ROW(36) \
    ROW(37) ROW(38) ROW(39) ROW(40) ROW(41) ROW(42) ROW(43) ROW(44) ROW(45) ROW(46) ROW(47) ROW(48) \
    ROW(49) ROW(50) ROW(51) ROW(52) ROW(53) ROW(54) ROW(55) ROW(56) ROW(57) ROW(58) ROW(59) ROW(60) \
    ROW(61) ROW(62) ROW(63) ROW(64)

static const cp_variable cp_rows[CP_VARIABLES] = {
    CP_ROW("y", REAL, INPUT, input.y, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("y_time", REAL, INPUT, input.y_time, 0, -CP_UNLIMITED, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("y_valid", BOOLEAN, INPUT, input.y_valid, 0, 1.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("y_hat", REAL, OUTPUT, reconstruction.y_hat, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("latency.steps", INTEGER, OUTPUT, latency.steps, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("latency.seconds", REAL, OUTPUT, latency.seconds, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("discontinuity.detected", BOOLEAN, OUTPUT, discontinuity.detected, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("algorithm.active", ENUMERATION, OUTPUT, switching.active, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("quality.error", REAL, OUTPUT, quality.error, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("quality.tolerance", REAL, OUTPUT, quality.tolerance, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("quality.ok", BOOLEAN, OUTPUT, quality.ok, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("quality.skill", REAL, OUTPUT, quality.skill, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("output.limited", BOOLEAN, OUTPUT, reconstruction.limited, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("state", ENUMERATION, OUTPUT, switching.mode, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("macro_step", REAL, FIXED, parameter.macro_step, 0, 0.01, 0.0, CP_UNLIMITED)
    CP_ROW("latency.mode", ENUMERATION, FIXED, parameter.latency_mode, 1, 1.0, 1.0, 4.0)
    CP_ROW("latency.constant_steps", INTEGER, FIXED, parameter.constant_steps, 0, 0.0, 0.0, 64.0)
    CP_ROW("latency.offset", REAL, FIXED, parameter.latency_offset, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("latency.coast_steps", INTEGER, FIXED, parameter.coast_steps, 0, 3.0, 0.0, 64.0)
    CP_ROW("latency.lost_steps", INTEGER, FIXED, parameter.lost_steps, 0, 64.0, 0.0, 1000000.0)
    CP_ROW("discontinuity.enabled", BOOLEAN, FIXED, parameter.detection, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("discontinuity.hold", BOOLEAN, FIXED, parameter.hold_after_flag, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("discontinuity.floor", REAL, FIXED, parameter.floor, 0, 0.0, 0.0, CP_UNLIMITED)
    CP_ROW("reconstruction", ENUMERATION, FIXED, parameter.reconstruction, 2, 1.0, 1.0, 2.0)
    CP_ROW("output.on_loss", ENUMERATION, FIXED, parameter.on_loss, 3, 1.0, 1.0, 2.0)
    CP_ROW("output.safe_value", REAL, FIXED, parameter.safe_value, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("bypass", BOOLEAN, TUNABLE, parameter.bypass, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("algorithm.selected", ENUMERATION, TUNABLE, parameter.selected, 4, 2.0, 1.0, 13.0)
    CP_ROW("algorithm.observer_gain", REAL, TUNABLE, parameter.observer_gain, 0, 0.0, 0.0, CP_UNLIMITED)
    CP_ROW("discontinuity.sensitivity", REAL, TUNABLE, parameter.sensitivity, 0, 5.0, 1.0, CP_UNLIMITED)
    CP_ROW("quality.action", ENUMERATION, TUNABLE, parameter.action, 5, 1.0, 1.0, 4.0)
    CP_ROW("quality.zeta", REAL, TUNABLE, parameter.zeta, 0, -1.0, -1.0, CP_UNLIMITED)
    CP_ROW("quality.delta", REAL, TUNABLE, parameter.delta, 0, -1.0, -1.0, CP_UNLIMITED)
    CP_ROW("output.min", REAL, TUNABLE, parameter.output_min, 0, -CP_UNLIMITED, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("output.max", REAL, TUNABLE, parameter.output_max, 0, CP_UNLIMITED, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("output.rate_max", REAL, TUNABLE, parameter.rate_max, 0, CP_UNLIMITED, 0.0, CP_UNLIMITED)
    CP_EACH_PARAMETER_A(CP_ROWS_PARAMETER_A)
    CP_EACH_PARAMETER_SLOPES(CP_ROWS_PARAMETER_SLOPES)
    CP_ROW("debug.slot", INTEGER, OUTPUT, debug.slot, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("debug.missing", INTEGER, OUTPUT, debug.missing, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("debug.fraction", REAL, OUTPUT, latency.fraction, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("debug.newest", REAL, OUTPUT, debug.newest, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("debug.spectrum", REAL, OUTPUT, discontinuity.spectrum, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("debug.spectrum_before", REAL, OUTPUT, discontinuity.spectrum_before, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("debug.usable", INTEGER, OUTPUT, debug.usable, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("debug.level", REAL, OUTPUT, algorithm.level, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("debug.slope", REAL, OUTPUT, algorithm.slope, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("debug.unlimited", REAL, OUTPUT, reconstruction.unlimited, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("time", REAL, TIME, grid.time, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_EACH_INPUT_BURST(CP_ROWS_INPUT_BURST)
    CP_ROW("y_echo", REAL, INPUT, input.y_echo, 0, -CP_UNLIMITED, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("latency.drift", REAL, OUTPUT, clock.drift, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("latency.clock", ENUMERATION, FIXED, parameter.latency_clock, 6, 1.0, 1.0, 2.0)
    CP_ROW("latency.minimum", REAL, FIXED, parameter.latency_minimum, 0, 0.0, 0.0, CP_UNLIMITED)
    CP_ROW("discontinuity.detector", ENUMERATION, FIXED, parameter.detector, 7, 1.0, 1.0, 2.0)
    CP_ROW("quality.grade", ENUMERATION, OUTPUT, quality.grade, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("auto.zoh", REAL, OUTPUT, bank.weight[0], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("auto.foh", REAL, OUTPUT, bank.weight[1], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("auto.eros3", REAL, OUTPUT, bank.weight[2], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("auto.eros4", REAL, OUTPUT, bank.weight[3], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("auto.irregular", REAL, OUTPUT, bank.weight[4], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("auto.linear", REAL, OUTPUT, bank.weight[5], 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("auto.leading", ENUMERATION, OUTPUT, bank.leading, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("signal.period", REAL, FIXED, parameter.signal_period, 0, 0.0, 0.0, CP_UNLIMITED)
    CP_ROW("latency.host_lead", REAL, FIXED, parameter.host_lead, 0, 0.0, -64.0, 64.0)
    CP_ROW("latency.hold_lead", REAL, FIXED, parameter.hold_lead, 0, 0.0, -64.0, 64.0)
    CP_ROW("output.guard", REAL, FIXED, parameter.guard, 0, 0.0, 0.0, CP_UNLIMITED)
    CP_ROW("output.guarded", BOOLEAN, OUTPUT, guard.acts, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("messages.lost", INTEGER, OUTPUT, history.lost, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("messages.late", INTEGER, OUTPUT, history.late, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("messages.reordered", INTEGER, OUTPUT, history.reordered, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("auto.adaptive", REAL, OUTPUT, adaptive.share, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("signal.noise", REAL, FIXED, parameter.noise, 0, 0.0, 0.0, CP_UNLIMITED)
    CP_ROW("quality.skill_zoh", REAL, OUTPUT, quality.skill_zoh, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
#if !defined(CP_WITHOUT_ENERGY) || !defined(CP_WITHOUT_NEURAL)
    CP_ROW("applied", REAL, INPUT, follow.applied, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("latency.follow", ENUMERATION, FIXED, follow.mode, 8, 1.0, 1.0, 3.0)
    CP_ROW("latency.offset_min", REAL, FIXED, follow.offset_min, 0, 0.0, 0.0, CP_UNLIMITED)
    CP_ROW("latency.offset_max", REAL, FIXED, follow.offset_max, 0, 0.0, 0.0, CP_UNLIMITED)
    CP_ROW("latency.lag", REAL, OUTPUT, follow.lag, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("latency.deviation", REAL, OUTPUT, follow.deviation, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("latency.gain", REAL, OUTPUT, follow.gain, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("latency.followed", BOOLEAN, OUTPUT, follow.followed, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("algorithm.frequency", REAL, FIXED, phasor.nominal, 0, 50.0, 1e-06, 1000000.0)
    CP_ROW("algorithm.harmonics", INTEGER, FIXED, phasor.harmonics, 0, 13.0, 1.0, 25.0)
    CP_ROW("algorithm.follow", ENUMERATION, FIXED, phasor.follow, 9, 2.0, 1.0, 2.0)
    CP_ROW("algorithm.settling", REAL, FIXED, phasor.settling, 0, 3.5, 0.1, 1000.0)
    CP_ROW("phasor.frequency", REAL, OUTPUT, phasor.frequency, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("phasor.amplitude", REAL, OUTPUT, phasor.amplitude, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("phasor.followed", BOOLEAN, OUTPUT, phasor.followed, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("conjugate", REAL, INPUT, bond.conjugate, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.far_given", REAL, INPUT, bond.far_given, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.far_passed", REAL, INPUT, bond.far_passed, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.far_time", REAL, INPUT, bond.far_time, 0, -CP_UNLIMITED, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.given", REAL, OUTPUT, energy.given, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.passed", REAL, OUTPUT, energy.passed, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.time", REAL, OUTPUT, energy.booked, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.residual", REAL, OUTPUT, energy.residual, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.own", REAL, OUTPUT, energy.own, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.taken", REAL, OUTPUT, energy.taken, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.left", REAL, OUTPUT, energy.left, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.power", REAL, OUTPUT, energy.power, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.correction", REAL, OUTPUT, energy.correction, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.limited", BOOLEAN, OUTPUT, energy.limited, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.grade", ENUMERATION, OUTPUT, energy.grade, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.kind", ENUMERATION, FIXED, bond.end, 10, 0.0, 0.0, 3.0)
    CP_ROW("energy.conjugate_is", ENUMERATION, FIXED, bond.conjugate_is, 11, 1.0, 1.0, 2.0)
    CP_ROW("energy.reversed", BOOLEAN, FIXED, bond.reversed, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.stale", BOOLEAN, FIXED, bond.stale, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.source", ENUMERATION, FIXED, bond.source, 12, 1.0, 1.0, 2.0)
    CP_ROW("energy.stiffness", REAL, FIXED, bond.stiffness, 0, 0.0, 0.0, CP_UNLIMITED)
    CP_ROW("energy.take_back", REAL, TUNABLE, bond.take_back, 0, 0.0, 0.0, 1.0)
    CP_ROW("energy.give_back", BOOLEAN, TUNABLE, bond.give_back, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_ROW("energy.cap", REAL, TUNABLE, bond.cap, 0, 1.0, 0.0, CP_UNLIMITED)
    CP_ROW("energy.budget", REAL, TUNABLE, bond.budget, 0, 0.0, 0.0, CP_UNLIMITED)
    CP_ROW("energy.alert", REAL, TUNABLE, bond.alert, 0, 0.9, 0.0, 1.0)
    CP_ROW("energy.peak", REAL, TUNABLE, bond.peak, 0, 1.5, 1.0, CP_UNLIMITED)
    CP_ROW("energy.rate", REAL, TUNABLE, bond.rate, 0, 2.0, 1.0, CP_UNLIMITED)
    CP_EACH_PLANT_U(CP_ROWS_PLANT_U)
    CP_EACH_PLANT_COMPANION(CP_ROWS_PLANT_COMPANION)
    CP_EACH_PLANT_GIVEN(CP_ROWS_PLANT_GIVEN)
    CP_EACH_PLANT_EARLIER_COMPANION(CP_ROWS_PLANT_EARLIER_COMPANION)
    CP_EACH_PLANT_EARLIER_GIVEN(CP_ROWS_PLANT_EARLIER_GIVEN)
#endif
#ifndef CP_WITHOUT_NEURAL
    CP_NEURAL_ROW("learning.state", ENUMERATION, OUTPUT, phase, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_NEURAL_ROW("learning.accepted", INTEGER, OUTPUT, accepted, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_NEURAL_ROW("learning.refused", INTEGER, OUTPUT, refused, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_NEURAL_ROW("learning.fallbacks", INTEGER, OUTPUT, fallbacks, 0, 0.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_NEURAL_ROW("learning.cycle_steps", INTEGER, FIXED, cycle_steps, 0, 100.0, 10.0, 1000000.0)
    CP_NEURAL_ROW("learning.judge_steps", INTEGER, FIXED, judge_steps, 0, 50.0, 5.0, 1000000.0)
    CP_NEURAL_ROW("learning.prior", REAL, FIXED, prior, 0, 0.3, 1e-06, 1000.0)
    CP_NEURAL_ROW("learning.safe", BOOLEAN, FIXED, safe, 0, 1.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_NEURAL_ROW("learning.gain_max", REAL, FIXED, gain_max, 0, 1.25, 1.0, 1000.0)
    CP_NEURAL_ROW("learning.enabled", BOOLEAN, TUNABLE, enabled, 0, 1.0, -CP_UNLIMITED, CP_UNLIMITED)
    CP_EACH_NEURAL_BASE(CP_ROWS_NEURAL_BASE)
    CP_EACH_NEURAL_USE(CP_ROWS_NEURAL_USE)
#endif
};
