/* The life cycle of a coupling FMU: init, reset, step, and preview for a read after a set.

   Time: the macro steps are t_n = t_0 + n dT; a communication step from t to t + h runs the pipeline if t is the first
   communication point of a new macro step, and gives out the estimate for t + h. */
#include "stages.h"

#include <string.h>

#define CP_FARTHEST_STEP 9e15

/* Run one macro step. */
static void cp_pipeline(const cp_coupling_settings *c, cp_state *s)
{
    cp_latency(c, s);
    cp_history(c, s);
    cp_quality(c, s);
    cp_discontinuity(c, s);
    cp_switching(c, s);
    cp_algorithm(c, s);
    cp_reconstruction(c, s);
}

/* the outputs of Initialization Mode: `y_hat` is the limited `y`, nothing is stored */
static void cp_refresh_start(const cp_coupling_settings *c, cp_state *s)
{
    s->passed = cp_bounded(s->y, c->start[0]);
    s->level = s->held = s->unlimited = s->passed;
    s->y_hat = cp_wrap(s, cp_limit(s, s->passed));
    s->latency_steps = s->latency_mode == CP_CONSTANT ? s->constant_steps : 0;
    s->latency_seconds = cp_bounded(s->latency_steps * s->macro_step + s->latency_offset, CP_UNLIMITED);
}

static void cp_place_start(const cp_coupling_settings *c, cp_state *s, size_t row, double value)
{
    const cp_coupling_variable *const variable = cp_variable_row(row);
    if (variable->offset < cp_coupling_size(c) && variable->role != CP_ROLE_OUTPUT && variable->role != CP_ROLE_TIME) {
        cp_place_value(s, variable, value);
    }
}

CP_API void cp_coupling_reset(const cp_coupling_settings *c, cp_state *s)
{
    memset(s, 0, cp_coupling_size(c));
    for (size_t row = 0; row < CP_VARIABLES; row++) {
        cp_place_start(c, s, row, cp_variable_row(row)->start);
    }
    for (int32_t i = 0; i < c->n_variables; i++) {
        cp_place_start(c, s, c->chosen[i], c->start[i]);
    }
    s->n = -1;
    s->mode = CP_STARTING;
    s->judged_ok = 1;
    s->quality_ok = 1;
    cp_refresh_start(c, s);
}

static bool cp_refuse_time(cp_message *why, const char *quantity, double value, const char *allowed)
{
    cp_say(why, quantity);
    cp_say_number(why, value);
    cp_say_more(why, allowed);
    return false;
}

CP_API bool cp_coupling_init(const cp_coupling_settings *c, cp_state *s, double start_time, cp_message *why)
{
    if (!cp_finite(start_time)) {
        return cp_refuse_time(why, "start time = ", start_time, " s, allowed any finite number");
    }
    if (!cp_coupling_check(c, s, why)) {
        return false;
    }
    s->start_time = s->time = s->target = s->given_time = start_time;
    s->period = s->macro_step;
    s->selected_before = s->selected;
    if (c->neural.size > 0) {
        cp_neural_start(cp_neural_of(s));
    }
    cp_refresh_start(c, s);
    s->given = cp_limit(s, s->passed);
    return true;
}

static bool cp_admit_step(cp_state *s, double time, double size, cp_message *why)
{
    if (!(size > 0.0 && size <= CP_UNLIMITED)) {
        return cp_refuse_time(why, "step size = ", size, " s, allowed above 0");
    }
    const double period = s->period > 0.0 ? s->period : size;
    const double off = time - s->time;
    if (!(off >= -CP_TINY * period && off <= CP_TINY * period)) {
        (void)cp_refuse_time(why, "current time = ", time, " s, allowed ");
        cp_say_number(why, s->time);
        cp_say_more(why, " s where the last step ended");
        return false;
    }
    if (!((time + size - s->start_time) / period < CP_FARTHEST_STEP)) {
        return cp_refuse_time(why, "end of step = ", time + size, " s, allowed are 9e+15 macro steps");
    }
    s->period = period;
    return true;
}

/* Continue the estimate over macro steps at which the host did not come; they are not judged. */
static void cp_leave_out(cp_state *s, int64_t n)
{
    if (n == s->n + 1 || s->n < 0) {
        return;
    }
    cp_tell_once(s, CP_LATE_HOST);
    if (s->filled && s->mode < CP_HOLDING && n - 1 - s->news > s->coast_steps) {
        s->mode = CP_HOLDING;
        s->events |= CP_BEGAN_HOLDING;
    }
    const int64_t first = s->n + 1 > n - CP_RING ? s->n + 1 : n - CP_RING;
    for (int64_t missed = first; missed <= n; missed++) {
        const double ahead = (double)(missed - s->n) - s->shift;
        s->judgeable[cp_ring(missed)] = 0;
        s->observed[cp_ring(missed)] = cp_bounded(s->level + s->slope * ahead, s->level);
    }
}

static int32_t cp_at_most(int64_t value, int32_t most)
{
    return value < most ? (int32_t)value : most;
}

static void cp_show(cp_state *s)
{
    s->debug_slot = cp_at_most(s->newest, INT32_MAX);
    s->debug_missing = cp_at_most(s->n - s->news, INT32_MAX);
    s->debug_usable = cp_at_most(s->newest - s->anchor + 1, CP_SLOTS);
    s->debug_newest = s->past[0];
}

/* macro step that the present time belongs to */
static int64_t cp_macro_step(const cp_state *s)
{
    return (int64_t)((s->time - s->start_time) / s->period + CP_TINY);
}

CP_API double cp_coupling_next_point(const cp_state *s)
{
    return s->start_time + (double)(cp_macro_step(s) + 1) * s->period;
}

/* Run the pipeline if the macro step is new, else take a stamped value and continue the estimate. */
static void cp_run(const cp_coupling_settings *c, cp_state *s, double target)
{
    const int64_t n = cp_macro_step(s);
    s->target = target;
    if (n > s->n) {
        cp_leave_out(s, n);
        s->n = s->due = n;
        cp_pipeline(c, s);
        cp_show(s);
        return;
    }
    s->due = n + 1;
    if (s->latency_mode != CP_CONSTANT) {
        cp_locate(s);
        cp_history(c, s);
    }
    cp_reconstruction(c, s);
}

CP_API bool cp_coupling_step(const cp_coupling_settings *c, cp_state *s, double time, double size, cp_message *why)
{
    if (!cp_admit_step(s, time, size, why)) {
        return false;
    }
    s->events = 0;
    s->stopped = 0;
    cp_run(c, s, time + size);
    s->time = time + size;
    return true;
}

CP_API void cp_coupling_refresh(const cp_coupling_settings *c, cp_state *s, bool running)
{
    if (running && s->period > 0.0) {
        cp_run(c, s, s->time);
    } else {
        cp_refresh_start(c, s);
    }
}
