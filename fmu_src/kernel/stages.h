/* What the files of the kernel share with each other; users include couplant.h only. */
#ifndef CP_STAGES_H
#define CP_STAGES_H

#include "algorithms/rows.h"
#include "couplant.h"

#include <float.h>
#include <math.h>

/* values must be those of the Python runtime, bit for bit */
#if defined(__FAST_MATH__)
#error "compile without -ffast-math"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "compile for arithmetic in double, on 32-bit x86 with -msse2 -mfpmath=sse"
#endif

#define CP_NO_STAMP (-CP_UNLIMITED)

/* what the incoming value is */
enum { CP_NOTHING, CP_NEWEST, CP_LATE, CP_STRAY };

/* are the stage `energy`, the lag that is learnt, the algorithm `model` and derivatives of y part of the kernel? */
#ifdef CP_WITHOUT_ENERGY
enum { CP_KNOWS_ENERGY = 0 };
#else
enum { CP_KNOWS_ENERGY = 1 };
#endif

/* why a stamp does not go on from those before: the same message again, older than the history, from another time */
enum { CP_AGAIN, CP_GONE, CP_ELSEWHERE };

CP_API void cp_latency(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_history(const cp_coupling_settings *c, cp_state *s);
/* a send time on the sender's grid, macro steps */
CP_API double cp_history_stamp(const cp_state *s, double time);
CP_API void cp_quality(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_read_wire(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_discontinuity(const cp_coupling_settings *c, cp_state *s);
/* Does the history go on behind so many macro steps without news, no more held than bridged? */
CP_API bool cp_is_brief(const cp_state *s, int64_t missing);
CP_API void cp_switching(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_algorithm(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_energy(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_reconstruction(const cp_coupling_settings *c, cp_state *s);

/* time of macro step `n`, s */
CP_API double cp_point_time(const cp_state *s, int64_t n);

CP_API void cp_locate(cp_state *s);
/* what the lead has beyond the age of the newest value, macro steps */
CP_API double cp_latency_added_lead(const cp_coupling_settings *c, const cp_state *s);
CP_API double cp_theta(const cp_state *s, double time);
CP_API double cp_limit(const cp_state *s, double value);

/* The lag of the receiver. */
CP_API void cp_follow(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_follow_note(cp_state *s);

static inline bool cp_follows(const cp_coupling_settings *c, const cp_state *s)
{
    return CP_KNOWS_ENERGY && c->follows && s->follow.mode > CP_FOLLOW_OFF;
}

/* Is the amplitude of its answer learnt too? Not of a signal that wraps round. */
static inline bool cp_follows_gain(const cp_coupling_settings *c, const cp_state *s)
{
    return cp_follows(c, s) && s->follow.mode == CP_FOLLOW_LAG_AND_GAIN && !(s->parameter.signal_period > 0.0);
}

/* the `latency.offset` in force, s */
static inline double cp_offset(const cp_coupling_settings *c, const cp_state *s)
{
    return cp_follows(c, s) ? s->follow.lag : s->parameter.latency_offset;
}

/* What messages tell besides y: bits. */
enum { CP_COMPANIONS_TOLD = 1, CP_INPUTS_TOLD = 2 };

/* place of a slot in a ring */
static inline size_t cp_slot_at(int64_t slot)
{
    return (size_t)((uint64_t)slot % CP_SLOTS);
}

CP_API void cp_take_companions(const cp_coupling_settings *c, cp_state *s, int64_t slot);
CP_API void cp_take_earlier(const cp_coupling_settings *c, cp_state *s, int64_t slot, int place);
CP_API void cp_forget_companions(const cp_coupling_settings *c, cp_state *s, int64_t slots);

#ifndef CP_WITHOUT_ENERGY
/* the oldest slot of the history that has been the sender's */
CP_API int64_t cp_oldest_slot(const cp_state *s);
/* the first slot from `slot` on, in steps of 1 or -1, whose message told what the sender was given; `end`: none */
CP_API int64_t cp_told_from(const cp_state *s, int64_t slot, int64_t step, int64_t end);
#endif

/* Did the message of the slot `back` before the newest tell the derivative? */
CP_API bool cp_derivative_told(const cp_state *s, int32_t back);
/* values, and derivatives per macro step, of the `count` newest slots */
CP_API void cp_course(const cp_state *s, int32_t count, double *values, double *rates);

/* The prototype that sends y. */
CP_API void cp_observe(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_observer_keep(const cp_coupling_settings *c, cp_state *s);
#ifndef CP_WITHOUT_ENERGY
CP_API void cp_observer_present(const cp_coupling_settings *c, const cp_state *s, double at, double *u);
CP_API double cp_observer_place(const cp_coupling_settings *c, const cp_state *s, int64_t slot);
CP_API double cp_observer_correct(const cp_coupling_settings *c, const cp_state *s, int64_t slot, double *x);
CP_API void cp_plant_move(const cp_plant *plant, const double *x, const double *u, const double *change, double *later);
CP_API double cp_plant_output(const cp_plant *plant, int32_t which, const double *x, const double *u);
#endif
/* The phasors of a periodic signal. */
CP_API void cp_phasor_take(const cp_coupling_settings *c, cp_state *s);

CP_API void cp_model_judge(cp_state *s, size_t at, double value);

static inline bool cp_has_plant(const cp_coupling_settings *c)
{
    return CP_KNOWS_ENERGY && c->plant.states > 0;
}

/* do messages tell more than y? */
static inline bool cp_hears(const cp_coupling_settings *c)
{
    return CP_KNOWS_ENERGY && c->plant.outputs > 0;
}

/* Is a model selected, right or wrong? */
static inline bool cp_models(const cp_coupling_settings *c, const cp_state *s)
{
    return cp_has_plant(c) && s->parameter.selected == CP_MODEL;
}

/* the algorithm that is to run: the selected one, in the place of a wrong model what it falls back to */
static inline int32_t cp_choose(const cp_coupling_settings *c, const cp_state *s)
{
    return cp_models(c, s) && s->plant.wrong ? c->plant.fallback : s->parameter.selected;
}

/* The bank of `auto`. */
CP_API void cp_bank_start(cp_state *s);
CP_API void cp_bank_learn(cp_state *s, size_t at, double value, double position);

/* Its members that learn the signal: the first, or the one that looks far back. */
CP_API void cp_adaptive_start(cp_state *s);
CP_API void cp_adaptive_forget(cp_state *s);
CP_API bool cp_adaptive_take(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_adaptive_learn(cp_state *s);
CP_API bool cp_adaptive_is_ready(const cp_state *s, bool deep);
CP_API cp_shifted_line cp_adaptive_line(const cp_state *s, bool deep);
CP_API cp_shifted_line cp_adaptive_share(const cp_state *s, bool deep);

/* The end of a power bond: what is given out is booked before a communication step and noted after it. */
CP_API void cp_energy_start(cp_state *s);
CP_API void cp_book(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_note(const cp_coupling_settings *c, cp_state *s);
#ifndef CP_WITHOUT_ENERGY
/* Is the conjugate of a communication point known only after the estimate for it? */
CP_API bool cp_bond_late(const cp_coupling_settings *c, const cp_state *s);
CP_API void cp_budget(const cp_coupling_settings *c, cp_state *s);
#endif
CP_API void cp_energy_judge(const cp_coupling_settings *c, cp_state *s, int64_t n, double value);
CP_API bool cp_energy_creates(const cp_coupling_settings *c, const cp_state *s);

static inline bool cp_bonded(const cp_coupling_settings *c, const cp_state *s)
{
    return c->bonded && s->bond.end != CP_BOND_NONE;
}

/* 1 where effort times flow is power into the receiver of the effort, else -1 */
static inline double cp_bond_sign(const cp_state *s)
{
    return s->bond.reversed ? -1.0 : 1.0;
}

static inline double cp_between(double value, double low, double high)
{
    if (value < low) {
        return low;
    }
    return value > high ? high : value;
}

static inline double cp_larger(double one, double other)
{
    return one > other ? one : other;
}

/* The residual detector. */
CP_API bool cp_residual_break(cp_state *s, int64_t newest);
CP_API void cp_residual_start(cp_state *s);

/* The noise that `irregular` is to assume. */
CP_API void cp_noise_assume(cp_state *s, const int32_t *slots, int32_t count, bool late);
CP_API void cp_noise_judge_anew(cp_state *s);
CP_API bool cp_noise_is_elsewhere(const cp_state *s, double scale);

/* The sender's clock. */
CP_API bool cp_clock_is_free(const cp_state *s);
CP_API double cp_clock_transit(const cp_state *s);
CP_API double cp_clock_low(const cp_state *s);
CP_API double cp_clock_width(const cp_state *s);
CP_API bool cp_clock_plausible(const cp_state *s);
CP_API void cp_clock_observe(cp_state *s);
CP_API void cp_clock_note(cp_state *s, double transit);
CP_API void cp_clock_follow(cp_state *s);

/* Senders that begin anew. */
CP_API bool cp_restart_is_usual(const cp_state *s);
CP_API bool cp_restart_is_lost(const cp_state *s);
CP_API bool cp_restart_doubts(const cp_state *s);
CP_API bool cp_restart_contradicts(cp_state *s);
CP_API void cp_restart_take(cp_state *s);
CP_API void cp_restart_stray(cp_state *s, int32_t stray);

/* The guard. */
CP_API void cp_guard_measure(cp_state *s);
CP_API cp_shifted_line cp_guard_line(cp_state *s, cp_shifted_line line, double share);

/* Signals that wrap round. */
CP_API double cp_unwrap(const cp_state *s, double value, double near);
CP_API bool cp_is_same(const cp_state *s, double value, double stored);
CP_API double cp_wrap(const cp_state *s, double value);

static inline cp_neural *cp_neural_of(cp_state *s)
{
    return &((cp_state_with_neural *)(void *)s)->neural;
}

static inline const cp_neural *cp_neural_in(const cp_state *s)
{
    return &((const cp_state_with_neural *)(const void *)s)->neural;
}

/* What the pipeline calls of a network and of its learning. */
CP_API bool cp_neural_fits(const cp_neural_settings *net);
CP_API void cp_neural_start(cp_neural *own);
CP_API void cp_learn(const cp_coupling_settings *c, cp_state *s);
CP_API bool cp_foreseen(const cp_coupling_settings *c, const cp_state *s);
CP_API bool cp_is_harmful(const cp_coupling_settings *c, const cp_state *s);

/* Write a sentence; see text.h for the format. Returns false. `why` may be NULL. */
CP_API bool cp_refuse(cp_reason *why, const char *format, ...);

/* Is `value` within the range of a variable? */
CP_API bool cp_in_allowed_range(const cp_variable *variable, double value, cp_reason *why);

/* The variable in that row of the table of all that there can be. */
CP_API const cp_variable *cp_variable_row(size_t row);

/* `value` if it is finite, else `fallback`: keeps overflow out of the state; in place, calls are a tenth of a step */
static inline __attribute__((always_inline)) double cp_bounded(double value, double fallback)
{
    return fabs(value) <= CP_UNLIMITED ? value : fallback;
}

/* `value` less the products of two rows of `n` numbers, in their order */
static inline __attribute__((always_inline)) double cp_less(double value, const double *one, const double *other,
                                                            int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        value = value - one[i] * other[i];
    }
    return value;
}

/* place of macro step n in a ring, also for n below 0 */
static inline size_t cp_ring(int64_t n)
{
    return (size_t)((uint64_t)n % CP_RING);
}

static inline void cp_tell_once(cp_state *s, int32_t event)
{
    if ((s->log.told & event) == 0) {
        s->log.told |= event;
        s->log.events |= event;
    }
}

#endif
