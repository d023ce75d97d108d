/* What the files of the kernel share with each other; users include couplant.h only. */
#ifndef CP_STAGES_H
#define CP_STAGES_H

#include "algorithms/rows.h"
#include "couplant.h"

#include <float.h>

/* values must be those of the Python runtime, bit for bit */
#if defined(__FAST_MATH__)
#error "compile without -ffast-math"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "compile for arithmetic in double, on 32-bit x86 with -msse2 -mfpmath=sse"
#endif

#define CP_TINY 1e-6   /* of a macro step: times this close are the same */
#define CP_FAR 1e9     /* macro steps: an age beyond any use */
#define CP_NO_STAMP (-CP_UNLIMITED)

/* what the incoming value is */
enum { CP_NOTHING, CP_NEWEST, CP_LATE };

enum {
    CP_BAD_VALUE = 1 << 0,
    CP_BAD_STAMP = 1 << 1,
    CP_FUTURE_STAMP = 1 << 2,
    CP_OLD_STAMP = 1 << 3,
    CP_LATE_HOST = 1 << 4,
    CP_LONG_STEP = 1 << 5,
    CP_TOO_LATE = 1 << 6,
    CP_DISCONTINUITY = 1 << 7,
    CP_BEGAN_HOLDING = 1 << 8,
    CP_BECAME_LOST = 1 << 9,
    CP_RECOVERED = 1 << 10,
    CP_BAD_QUALITY = 1 << 11,
    CP_QUALITY_ENDS = 1 << CP_EVENT_QUALITY_STOP,
    CP_LIMITED = 1 << 13,
    CP_RELATIVE_CLOCK = 1 << 14,
    CP_IS_HARMFUL = 1 << 15,
    CP_LEARNT = 1 << 16,
    CP_NOT_LEARNT = 1 << 17,
    CP_FELL_BACK = 1 << 18,
    CP_SERVER_GONE = 1 << 19, /* these two in the Python runtime only */
    CP_SERVER_WRONG = 1 << 20
};

enum {
    CP_TICKS = 65536, /* of time in a macro step */
    CP_MAX_DEGREE = 3 /* of the polynomials that `irregular` continues exactly */
};

CP_API void cp_latency(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_history(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_quality(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_discontinuity(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_switching(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_algorithm(const cp_coupling_settings *c, cp_state *s);
CP_API void cp_reconstruction(const cp_coupling_settings *c, cp_state *s);

CP_API void cp_locate(cp_state *s);
CP_API double cp_theta(const cp_state *s, double time);
CP_API double cp_limit(const cp_state *s, double value);

/* The bank of `auto`. */
CP_API void cp_bank_start(cp_state *s);
CP_API void cp_bank_learn(cp_state *s, size_t at, double value);

/* The residual detector. */
CP_API bool cp_residual_break(cp_state *s, int64_t newest);
CP_API void cp_residual_start(cp_state *s);

/* The sender's clock. */
CP_API bool cp_clock_is_free(const cp_state *s);
CP_API bool cp_clock_plausible(const cp_state *s);
CP_API void cp_clock_observe(cp_state *s);
CP_API void cp_clock_follow(cp_state *s);

/* Signals that wrap round. */
CP_API double cp_unwrap(const cp_state *s, double value, double near);
CP_API double cp_wrap(const cp_state *s, double value);


#define CP_LARGEST_WEIGHT 1e6 /* of a neural network, - */

static inline cp_neural *cp_neural_of(cp_state *s)
{
    return &((cp_state_with_neural *)(void *)s)->neural;
}

static inline const cp_neural *cp_neural_in(const cp_state *s)
{
    return &((const cp_state_with_neural *)(const void *)s)->neural;
}

/* What the pipeline calls of a neural network and of its learning. */
CP_API bool cp_neural_fits(const cp_neural_settings *net);
CP_API void cp_neural_start(cp_neural *own);
CP_API void cp_learn(const cp_coupling_settings *c, cp_state *s);
CP_API bool cp_foreseen(const cp_coupling_settings *c, const cp_state *s);

/* Is `value` within the range of a variable? */
CP_API bool cp_in_allowed_range(const cp_coupling_variable *variable, double value, cp_message *why);

/* Write a value to its place in the state, without any check. */
CP_API void cp_place_value(cp_state *s, const cp_coupling_variable *variable, double value);

/* The variable in that row of the table of all that there can be. */
CP_API const cp_coupling_variable *cp_variable_row(size_t row);

/* Sentences: begin, and add words or a number to, what a refusal says. All take NULL. */
CP_API void cp_say(cp_message *why, const char *words);
CP_API void cp_say_more(cp_message *why, const char *words);
CP_API void cp_say_number(cp_message *why, double value);

static inline bool cp_finite(double value)
{
    return value >= -CP_UNLIMITED && value <= CP_UNLIMITED;
}

/* `value` if it is finite, else `fallback`: keeps overflow out of the state */
static inline double cp_bounded(double value, double fallback)
{
    return cp_finite(value) ? value : fallback;
}

/* place of macro step n in a ring, also for n below 0 */
static inline size_t cp_ring(int64_t n)
{
    return (size_t)((uint64_t)n % CP_RING);
}

static inline void cp_tell_once(cp_state *s, int32_t event)
{
    if ((s->logged & event) == 0) {
        s->logged |= event;
        s->events |= event;
    }
}

#endif
