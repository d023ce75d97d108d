/* Sliding-mode observer (Baumann 2024, 3-36 with its misplaced index corrected): an algorithm that carries a state.

   It tracks the macro point itself, so no fraction moves it. Without a latency it is FOH. */
#include "../stages.h"

CP_API int32_t cp_smb_needed(const cp_coupling_settings *c, const cp_state *s)
{
    (void)c;
    return s->latency.steps + 2;
}

/* lambda dT; a gain of 0 [1/s] stands for 0.85 of the stability limit pi / (2 k dT) */
static double cp_smb_gain_per_step(const cp_state *s)
{
    const double gain = s->parameter.observer_gain;
    return gain > 0.0 ? gain * s->grid.period : CP_SHARE_OF_LIMIT * CP_HALF_PI / s->latency.steps;
}

/* Advance the observer by y_{n-k} - y_{n-k-1} - lambda dT (y_hat_{n-k} - y_{n-k}).

   The newest value lies `fraction` of a step after the estimate it is compared with; the received slope bridges that.
   Bridging with the estimated slope makes the observer diverge at latencies below a macro step.

   The error of a value is subtracted once: a macro step without news knows no other one. So the gains whose effect is
   not seen yet add up to 0.85 pi / 2 at most whatever steps the sender skips and however late values come, less than
   the 3/2 up to which delayed feedback of a varying gain decays (Yorke 1970). */
CP_API cp_shifted_line cp_smb_line(const cp_coupling_settings *c, cp_state *s)
{
    const double *const past = &s->history.past[s->latency.early];
    if (s->latency.steps == 0) {
        return cp_foh_line(c, s);
    }
    const double before = s->algorithm.observed[cp_ring(s->grid.n - 1)];
    const double rise = past[0] - past[1];
    const int64_t slot = s->history.newest - s->latency.early;
    if (slot == s->algorithm.corrected) {
        return (cp_shifted_line){before + rise, rise, 0.0};
    }
    s->algorithm.corrected = slot;
    double then = s->algorithm.observed[cp_ring(s->grid.n - s->latency.steps)];
    if (s->latency.fraction != 0.0) {
        then = then + s->latency.fraction * rise;
    }
    const double slope = rise - cp_smb_gain_per_step(s) * (then - past[0]);
    return (cp_shifted_line){before + slope, slope, 0.0};
}

CP_API cp_shifted_line cp_smb_share(const cp_coupling_settings *c, const cp_state *s)
{
    if (s->latency.steps == 0) {
        return cp_foh_share(c, s);
    }
    const double share = 1.0 + cp_smb_gain_per_step(s) * (1.0 - s->latency.fraction);
    return (cp_shifted_line){share, share, 0.0};
}
