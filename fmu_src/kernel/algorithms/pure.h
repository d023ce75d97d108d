/* Algorithms that are functions of the past values and of k alone. */
#ifndef CP_PURE_H
#define CP_PURE_H

#include "../stages.h"

/* The functions of a row from `cp_NAME_taps(k)`, m, and `cp_NAME_estimate(past, k)`: the share of the newest value is
   what the estimate makes of a unit impulse. */
#define CP_PURE(name)                                                                       \
    CP_API int32_t cp_##name##_needed(const cp_coupling_settings *c, const cp_state *s)        \
    {                                                                                          \
        (void)c;                                                                               \
        return cp_##name##_taps(s->latency.steps);                                             \
    }                                                                                          \
                                                                                               \
    CP_API cp_shifted_line cp_##name##_line(const cp_coupling_settings *c, cp_state *s)        \
    {                                                                                          \
        (void)c;                                                                               \
        return cp_shifted(cp_##name##_estimate(&s->history.past[s->latency.early], s->latency.steps), s);      \
    }                                                                                          \
                                                                                               \
    CP_API cp_shifted_line cp_##name##_share(const cp_coupling_settings *c, const cp_state *s) \
    {                                                                                          \
        const double impulse[CP_SLOTS] = {1.0};                                                \
        (void)c;                                                                               \
        return cp_shifted(cp_##name##_estimate(impulse, s->latency.steps), s);                 \
    }

#endif
