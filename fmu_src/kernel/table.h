/* Every variable that a coupling FMU can have, one row each, in the order of couplant_runtime/variables.py.

   ROW(name, KIND, ROLE, member of cp_state, start, minimum, maximum). A face adds to them what it needs. */
#ifndef CP_TABLE_H
#define CP_TABLE_H

#define CP_FREE_RANGE -CP_UNLIMITED, CP_UNLIMITED
#define CP_FROM_ZERO 0.0, CP_UNLIMITED

#define CP_INTERFACE_ROWS(ROW)                                                                          \
    ROW("y", REAL, INPUT, y, 0.0, CP_FREE_RANGE)                                                        \
    ROW("y_time", REAL, INPUT, y_time, -CP_UNLIMITED, CP_FREE_RANGE)                                    \
    ROW("y_valid", BOOLEAN, INPUT, y_valid, 1.0, CP_FREE_RANGE)                                         \
    ROW("y_hat", REAL, OUTPUT, y_hat, 0.0, CP_FREE_RANGE)                                               \
    ROW("latency.steps", INTEGER, OUTPUT, latency_steps, 0.0, CP_FREE_RANGE)                            \
    ROW("latency.seconds", REAL, OUTPUT, latency_seconds, 0.0, CP_FREE_RANGE)                           \
    ROW("discontinuity.detected", BOOLEAN, OUTPUT, detected, 0.0, CP_FREE_RANGE)                        \
    ROW("algorithm.active", ENUMERATION, OUTPUT, active, 0.0, CP_FREE_RANGE)                            \
    ROW("quality.error", REAL, OUTPUT, quality_error, 0.0, CP_FREE_RANGE)                               \
    ROW("quality.tolerance", REAL, OUTPUT, quality_tolerance, 0.0, CP_FREE_RANGE)                       \
    ROW("quality.ok", BOOLEAN, OUTPUT, quality_ok, 0.0, CP_FREE_RANGE)                                  \
    ROW("quality.skill", REAL, OUTPUT, quality_skill, 0.0, CP_FREE_RANGE)                               \
    ROW("output.limited", BOOLEAN, OUTPUT, limited, 0.0, CP_FREE_RANGE)                                 \
    ROW("state", ENUMERATION, OUTPUT, mode, 0.0, CP_FREE_RANGE)                                         \
    ROW("macro_step", REAL, FIXED, macro_step, 0.01, CP_FROM_ZERO)                                      \
    ROW("latency.mode", ENUMERATION, FIXED, latency_mode, 1.0, 1.0, 4.0)                                \
    ROW("latency.constant_steps", INTEGER, FIXED, constant_steps, 0.0, 0.0, 64.0)                       \
    ROW("latency.offset", REAL, FIXED, latency_offset, 0.0, CP_FROM_ZERO)                               \
    ROW("latency.coast_steps", INTEGER, FIXED, coast_steps, 3.0, 0.0, 64.0)                             \
    ROW("latency.lost_steps", INTEGER, FIXED, lost_steps, 64.0, 0.0, 1000000.0)                         \
    ROW("discontinuity.enabled", BOOLEAN, FIXED, detection, 0.0, CP_FREE_RANGE)                         \
    ROW("discontinuity.hold", BOOLEAN, FIXED, hold_after_flag, 0.0, CP_FREE_RANGE)                      \
    ROW("discontinuity.floor", REAL, FIXED, floor, 0.0, CP_FROM_ZERO)                                   \
    ROW("reconstruction", ENUMERATION, FIXED, reconstruction, 1.0, 1.0, 2.0)                            \
    ROW("output.on_loss", ENUMERATION, FIXED, on_loss, 1.0, 1.0, 2.0)                                   \
    ROW("output.safe_value", REAL, FIXED, safe_value, 0.0, CP_FREE_RANGE)                               \
    ROW("bypass", BOOLEAN, TUNABLE, bypass, 0.0, CP_FREE_RANGE)                                         \
    ROW("algorithm.selected", ENUMERATION, TUNABLE, selected, 2.0, 1.0, 9.0)                            \
    ROW("algorithm.observer_gain", REAL, TUNABLE, observer_gain, 0.0, CP_FROM_ZERO)                     \
    ROW("discontinuity.sensitivity", REAL, TUNABLE, sensitivity, 5.0, 1.0, CP_UNLIMITED)                \
    ROW("quality.action", ENUMERATION, TUNABLE, action, 1.0, 1.0, 4.0)                                  \
    ROW("quality.zeta", REAL, TUNABLE, zeta, -1.0, -1.0, CP_UNLIMITED)                                  \
    ROW("quality.delta", REAL, TUNABLE, delta, -1.0, -1.0, CP_UNLIMITED)                                \
    ROW("output.min", REAL, TUNABLE, output_min, -CP_UNLIMITED, CP_FREE_RANGE)                          \
    ROW("output.max", REAL, TUNABLE, output_max, CP_UNLIMITED, CP_FREE_RANGE)                           \
    ROW("output.rate_max", REAL, TUNABLE, rate_max, CP_UNLIMITED, CP_FROM_ZERO)

#define CP_DEBUG_ROWS(ROW)                                                                              \
    ROW("debug.slot", INTEGER, OUTPUT, debug_slot, 0.0, CP_FREE_RANGE)                                  \
    ROW("debug.missing", INTEGER, OUTPUT, debug_missing, 0.0, CP_FREE_RANGE)                            \
    ROW("debug.fraction", REAL, OUTPUT, fraction, 0.0, CP_FREE_RANGE)                                   \
    ROW("debug.newest", REAL, OUTPUT, debug_newest, 0.0, CP_FREE_RANGE)                                 \
    ROW("debug.spectrum", REAL, OUTPUT, spectrum, 0.0, CP_FREE_RANGE)                                   \
    ROW("debug.spectrum_before", REAL, OUTPUT, spectrum_before, 0.0, CP_FREE_RANGE)                     \
    ROW("debug.usable", INTEGER, OUTPUT, debug_usable, 0.0, CP_FREE_RANGE)                              \
    ROW("debug.level", REAL, OUTPUT, level, 0.0, CP_FREE_RANGE)                                         \
    ROW("debug.slope", REAL, OUTPUT, slope, 0.0, CP_FREE_RANGE)                                         \
    ROW("debug.unlimited", REAL, OUTPUT, unlimited, 0.0, CP_FREE_RANGE)                                 \
    ROW("time", REAL, TIME, time, 0.0, CP_FREE_RANGE)

/* an earlier value that the message repeats */
#define CP_REPEATED_ROWS(ROW, i)                                                                        \
    ROW("y[" #i "]", REAL, INPUT, burst[i - 2], 0.0, CP_FREE_RANGE)                                     \
    ROW("y_time[" #i "]", REAL, INPUT, burst_time[i - 2], -CP_UNLIMITED, CP_FREE_RANGE)                 \
    ROW("y_valid[" #i "]", BOOLEAN, INPUT, burst_valid[i - 2], 0.0, CP_FREE_RANGE)

/* variables of FMUs that are configured with them */
#define CP_EXTRA_ROWS(ROW)                                                                              \
    CP_REPEATED_ROWS(ROW, 2) CP_REPEATED_ROWS(ROW, 3) CP_REPEATED_ROWS(ROW, 4) CP_REPEATED_ROWS(ROW, 5) \
    CP_REPEATED_ROWS(ROW, 6) CP_REPEATED_ROWS(ROW, 7) CP_REPEATED_ROWS(ROW, 8)                          \
    ROW("y_echo", REAL, INPUT, y_echo, -CP_UNLIMITED, CP_FREE_RANGE)                                    \
    ROW("latency.drift", REAL, OUTPUT, latency_drift, 0.0, CP_FREE_RANGE)                               \
    ROW("latency.clock", ENUMERATION, FIXED, latency_clock, 1.0, 1.0, 2.0)                              \
    ROW("latency.minimum", REAL, FIXED, latency_minimum, 0.0, CP_FROM_ZERO)                             \
    ROW("discontinuity.detector", ENUMERATION, FIXED, detector, 1.0, 1.0, 2.0)                          \
    ROW("quality.grade", ENUMERATION, OUTPUT, grade, 0.0, CP_FREE_RANGE)                                \
    ROW("auto.zoh", REAL, OUTPUT, bank_weight[0], 0.0, CP_FREE_RANGE)                                   \
    ROW("auto.foh", REAL, OUTPUT, bank_weight[1], 0.0, CP_FREE_RANGE)                                   \
    ROW("auto.eros3", REAL, OUTPUT, bank_weight[2], 0.0, CP_FREE_RANGE)                                 \
    ROW("auto.eros4", REAL, OUTPUT, bank_weight[3], 0.0, CP_FREE_RANGE)                                 \
    ROW("auto.irregular", REAL, OUTPUT, bank_weight[4], 0.0, CP_FREE_RANGE)                             \
    ROW("auto.linear", REAL, OUTPUT, bank_weight[5], 0.0, CP_FREE_RANGE)                                \
    ROW("auto.leading", ENUMERATION, OUTPUT, leading, 0.0, CP_FREE_RANGE)                               \
    ROW("signal.period", REAL, FIXED, signal_period, 0.0, CP_FROM_ZERO)

/* members of cp_neural */
#define CP_LEARNING_ROWS(ROW)                                                                           \
    ROW("learning.state", ENUMERATION, OUTPUT, phase, 0.0, CP_FREE_RANGE)                               \
    ROW("learning.accepted", INTEGER, OUTPUT, accepted, 0.0, CP_FREE_RANGE)                             \
    ROW("learning.refused", INTEGER, OUTPUT, refused, 0.0, CP_FREE_RANGE)                               \
    ROW("learning.fallbacks", INTEGER, OUTPUT, fallbacks, 0.0, CP_FREE_RANGE)                           \
    ROW("learning.cycle_steps", INTEGER, FIXED, cycle_steps, 100.0, 10.0, 1000000.0)                    \
    ROW("learning.judge_steps", INTEGER, FIXED, judge_steps, 50.0, 5.0, 1000000.0)                      \
    ROW("learning.prior", REAL, FIXED, prior, 0.3, 1e-6, 1e3)                                           \
    ROW("learning.safe", BOOLEAN, FIXED, safe, 1.0, CP_FREE_RANGE)                                      \
    ROW("learning.gain_max", REAL, FIXED, gain_max, 1.25, 1.0, 1e3)                                     \
    ROW("learning.enabled", BOOLEAN, TUNABLE, enabled, 1.0, CP_FREE_RANGE)

/* WEIGHT(i) for i = 1 .. CP_TAPS */
#define CP_EACH_WEIGHT(WEIGHT)                                                                     \
    WEIGHT(1) WEIGHT(2) WEIGHT(3) WEIGHT(4) WEIGHT(5) WEIGHT(6) WEIGHT(7) WEIGHT(8)                \
    WEIGHT(9) WEIGHT(10) WEIGHT(11) WEIGHT(12) WEIGHT(13) WEIGHT(14) WEIGHT(15) WEIGHT(16)         \
    WEIGHT(17) WEIGHT(18) WEIGHT(19) WEIGHT(20) WEIGHT(21) WEIGHT(22) WEIGHT(23) WEIGHT(24)        \
    WEIGHT(25) WEIGHT(26) WEIGHT(27) WEIGHT(28) WEIGHT(29) WEIGHT(30) WEIGHT(31) WEIGHT(32)        \
    WEIGHT(33) WEIGHT(34) WEIGHT(35) WEIGHT(36) WEIGHT(37) WEIGHT(38) WEIGHT(39) WEIGHT(40)        \
    WEIGHT(41) WEIGHT(42) WEIGHT(43) WEIGHT(44) WEIGHT(45) WEIGHT(46) WEIGHT(47) WEIGHT(48)        \
    WEIGHT(49) WEIGHT(50) WEIGHT(51) WEIGHT(52) WEIGHT(53) WEIGHT(54) WEIGHT(55) WEIGHT(56)        \
    WEIGHT(57) WEIGHT(58) WEIGHT(59) WEIGHT(60) WEIGHT(61) WEIGHT(62) WEIGHT(63) WEIGHT(64)

/* all of a neural network */
#ifdef CP_WITHOUT_NEURAL
#define CP_NEURAL_ROWS(ROW, WEIGHT)
#else
#define CP_NEURAL_ROWS(ROW, WEIGHT) CP_LEARNING_ROWS(ROW) CP_EACH_WEIGHT(WEIGHT)
#endif

/* Events, one row for each bit: EVENT(name, category, words). */
#define CP_EVENT_ROWS(EVENT)                                                                                         \
    EVENT(BAD_VALUE, "input", "y is not a finite number: a step without news; later ones are not logged")            \
    EVENT(BAD_STAMP, "input", "y_time is not a finite number: a step without news; later ones are not logged")       \
    EVENT(FUTURE_STAMP, "input", "y_time lies in the future: the value is not stored; later ones are not logged")    \
    EVENT(OLD_STAMP, "input",                                                                                        \
          "y_time is older than the history: the value is not stored; later ones are not logged")                    \
    EVENT(LATE_HOST, "timing",                                                                                       \
          "the host left out macro steps: they count as steps without news; later ones are not logged")              \
    EVENT(LONG_STEP, "timing", "the step size does not divide macro_step; later ones are not logged")                \
    EVENT(TOO_LATE, "latency", "the latency is above 64 macro steps: the output is held; later ones are not logged") \
    EVENT(DISCONTINUITY, "discontinuity", "a discontinuity was detected")                                            \
    EVENT(BEGAN_HOLDING, "dropout", "no news for more than latency.coast_steps: the output is held")                 \
    EVENT(BECAME_LOST, "dropout", "no news for more than latency.lost_steps: output.on_loss applies")                \
    EVENT(RECOVERED, "dropout", "news arrived: the output is estimated again")                                       \
    EVENT(BAD_QUALITY, "quality", "the error of an estimate exceeds its tolerance")                                  \
    EVENT(QUALITY_ENDS, "quality",                                                                                   \
          "quality.action = stop ends the run: the error of an estimate exceeds its tolerance")                      \
    EVENT(LIMITED, "output", "the output is limited; later ones are not logged")                                     \
    EVENT(RELATIVE_CLOCK, "latency",                                                                                 \
          "neither latency.minimum nor a round trip is known: latency counts from the fastest message")              \
    EVENT(IS_HARMFUL, "quality",                                                                                     \
          "estimates are worse than no compensation: the newest value is held until they are better") \
    EVENT(LEARNT, "learning", "new weights are in use: they were better on values that they had not seen")           \
    EVENT(NOT_LEARNT, "learning",                                                                                    \
          "new weights were refused: no better, or too large a gain; the old ones stay in use")                      \
    EVENT(FELL_BACK, "learning",                                                                                     \
          "the network is worse than no compensation: it returns to the weights of the start")                     \
    EVENT(SERVER_GONE, "learning",                                                                                   \
          "the learning server does not answer: no new weights for now; later ones are not logged")                  \
    EVENT(SERVER_WRONG, "learning",                                                                                  \
          "the learning server sent an unusable answer: it is ignored; later ones are not logged")

#endif
