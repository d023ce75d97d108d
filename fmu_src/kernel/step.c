/* The life cycle of a coupling FMU: init, reset, step, and preview for a read after a set.

   Time: the macro steps are t_n = t_0 + n dT, as the host counts them; a communication step from t to t + h runs the
   pipeline if t is the first communication point of a new macro step, and gives out the estimate for t + h. */
#include "stages.h"

#include "../base/grid.h"

#include <string.h>

/* Run one macro step. */
static void cp_pipeline(const cp_coupling_settings *c, cp_state *s)
{
    cp_latency(c, s);
    cp_history(c, s);
    cp_quality(c, s);
    cp_discontinuity(c, s);
    cp_switching(c, s);
    cp_algorithm(c, s);
    cp_energy(c, s);
    cp_reconstruction(c, s);
}

/* the outputs of Initialization Mode: `y_hat` is the limited `y`, nothing is stored */
static void cp_refresh_start(const cp_coupling_settings *c, cp_state *s)
{
    if (cp_coupling_size(c) > offsetof(cp_state, follow)) {
        s->follow.lag = s->parameter.latency_offset;
    }
    s->algorithm.passed = cp_bounded(s->input.y, c->start[0]);
    s->algorithm.level = s->algorithm.held = s->reconstruction.unlimited = s->algorithm.passed;
    s->reconstruction.y_hat = cp_wrap(s, cp_limit(s, s->algorithm.passed));
    s->latency.steps = s->parameter.latency_mode == CP_CONSTANT ? s->parameter.constant_steps : 0;
    const double steps = s->latency.steps + (s->parameter.host_lead + s->parameter.hold_lead);
    s->latency.seconds = cp_bounded(steps * s->parameter.macro_step + s->parameter.latency_offset, CP_UNLIMITED);
}

static void cp_place_start(const cp_coupling_settings *c, cp_state *s, size_t row, double value)
{
    const cp_variable *const variable = cp_variable_row(row);
    if (variable->offset < cp_coupling_size(c) && variable->role != CP_OUTPUT && variable->role != CP_TIME) {
        cp_put(variable, s, value);
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
    s->grid.n = -1;
    s->switching.mode = CP_STARTING;
    s->quality.judged_ok = 1;
    s->quality.ok = 1;
    if (cp_coupling_size(c) > offsetof(cp_state, follow)) {
        s->follow.gain = 1.0;
    }
    cp_refresh_start(c, s);
}

/* Refuse macro steps that the host's time cannot make. */
static bool cp_check_resolution(double macro_step, double start_time, cp_reason *why)
{
    const double least = cp_same_time(start_time, 0.0);
    return !(macro_step > 0.0 && macro_step < least) ||
           cp_refuse(why,
                     "macro_step = %t s, allowed %t s or more with the start time %t s, where time has no finer steps",
                     macro_step, least, start_time);
}

CP_API bool cp_coupling_init(const cp_coupling_settings *c, cp_state *s, double start_time, cp_reason *why)
{
    if (!cp_finite(start_time)) {
        return cp_refuse(why, "start time = %t s, allowed any finite number", start_time);
    }
    if (!cp_coupling_check(c, s, why) || !cp_check_resolution(s->parameter.macro_step, start_time, why)) {
        return false;
    }
    s->grid.anchor_time = s->grid.time = s->grid.target = s->reconstruction.given_time = start_time;
    s->grid.period = s->parameter.macro_step;
    if (CP_KNOWS_ENERGY && c->bonded) {
        cp_energy_start(s);
    }
    s->switching.selected_before = s->parameter.selected;
    if (c->neural.size > 0) {
        cp_neural_start(cp_neural_of(s));
    }
    cp_refresh_start(c, s);
    s->reconstruction.given = cp_limit(s, s->algorithm.passed);
    return true;
}

static bool cp_admit_step(cp_state *s, double time, double size, cp_reason *why)
{
    if (!(size > 0.0 && size <= CP_UNLIMITED)) {
        return cp_refuse(why, "step size = %t s, allowed above 0", size);
    }
    const double period = s->grid.period > 0.0 ? s->grid.period : size;
    const double off = time - s->grid.time;
    const double stray = cp_stray(time, size, period);
    if (!(off >= -stray && off <= stray)) {
        return cp_refuse(why, "current time = %t s, allowed %t s where the last step ended", time, s->grid.time);
    }
    if (!(time + size > time)) {
        return cp_refuse(why, "step size = %t s, allowed what moves the time %t s on", size, time);
    }
    if (!(time + size - s->grid.anchor_time < (CP_FARTHEST_STEP - (double)s->grid.anchor) * period)) {
        return cp_refuse(why, "end of step = %t s, allowed are 9e+15 macro steps", time + size);
    }
    s->grid.period = period;
    return true;
}

/* Continue the estimate over macro steps at which the host did not come; they are not judged. */
static void cp_leave_out(cp_state *s, int64_t n)
{
    if (n == s->grid.n + 1 || s->grid.n < 0) {
        return;
    }
    cp_tell_once(s, CP_LATE_HOST);
    if (s->history.filled && s->switching.mode < CP_HOLDING && n - 1 - s->history.news > s->parameter.coast_steps) {
        s->switching.mode = CP_HOLDING;
        s->switching.brief = cp_is_brief(s, n - 1 - s->history.news);
        s->log.events |= CP_BEGAN_HOLDING;
    }
    s->quality.wire_count = 0;
    const int64_t first = s->grid.n + 1 > n - CP_RING ? s->grid.n + 1 : n - CP_RING;
    for (int64_t missed = first; missed <= n; missed++) {
        const double ahead = (double)(missed - s->grid.n) - s->algorithm.shift;
        s->quality.judgeable[cp_ring(missed)] = 0;
        s->algorithm.observed[cp_ring(missed)] =
            cp_bounded(s->algorithm.level + s->algorithm.slope * ahead, s->algorithm.level);
    }
}

static int32_t cp_at_most(int64_t value, int32_t most)
{
    return value < most ? (int32_t)value : most;
}

static void cp_show(cp_state *s)
{
    s->debug.slot = cp_at_most(s->history.newest, INT32_MAX);
    s->debug.missing = cp_at_most(s->grid.n - s->history.news, INT32_MAX);
    s->debug.usable = cp_at_most(s->history.newest - s->switching.anchor + 1, CP_SLOTS);
    s->debug.newest = s->history.past[0];
}

CP_API double cp_point_time(const cp_state *s, int64_t n)
{
    return s->grid.anchor_time + (double)(n - s->grid.anchor) * s->grid.period;
}

CP_API double cp_coupling_next_point(const cp_state *s)
{
    const double next = cp_point_time(s, s->grid.here + 1);
    return next > s->grid.time ? next : s->grid.time + cp_same_time(s->grid.time, s->grid.period);
}

/* Work out the macro step that the present time belongs to; a macro point too far off is counted from anew. */
static void cp_arrive(cp_state *s)
{
    const double same = cp_same_time(s->grid.time, s->grid.period);
    const double keep = 0.5 * (same < s->grid.near ? same : s->grid.near);
    const double since = s->grid.time - s->grid.anchor_time;
    const double passed = since / s->grid.period;
    const int64_t point = (int64_t)(passed + 0.5);
    const double off = since - (double)point * s->grid.period;
    const bool on_point = off >= -s->grid.near && off <= s->grid.near;
    const int64_t here = s->grid.anchor + (on_point ? point : (int64_t)passed);
    if (on_point && point > 0 && !(off >= -keep && off <= keep)) {
        s->grid.anchor_time = s->grid.time;
        s->grid.anchor = here;
    }
    s->grid.here = here > s->grid.here ? here : s->grid.here;
}

/* Run the pipeline if the macro step is new, else take a stamped value and continue the estimate. */
static void cp_estimate(const cp_coupling_settings *c, cp_state *s)
{
    const int64_t n = s->grid.here;
    if (n > s->grid.n) {
        cp_leave_out(s, n);
        s->grid.n = s->grid.due = n;
        cp_pipeline(c, s);
        if (CP_KNOWS_ENERGY && c->follows && c->event) {
            cp_follow_note(s);
        }
        cp_show(s);
        return;
    }
    s->grid.due = n + 1;
    if (s->parameter.latency_mode != CP_CONSTANT) {
        cp_locate(s);
        cp_history(c, s);
    }
    if (s->history.filled) {
        cp_read_wire(c, s);
    }
    cp_reconstruction(c, s);
}

static void cp_run(const cp_coupling_settings *c, cp_state *s, double target)
{
    s->grid.target = target;
    cp_book(c, s);
    cp_estimate(c, s);
    cp_note(c, s);
}

CP_API bool cp_coupling_step(const cp_coupling_settings *c, cp_state *s, double time, double size, cp_reason *why)
{
    if (!cp_admit_step(s, time, size, why)) {
        return false;
    }
    const double end = cp_larger(time + size, s->grid.time); /* a step from before the last one's end may be short */
    s->log.events = 0;
    s->quality.stopped = 0;
    s->grid.near = cp_nearness(end, size, s->grid.period);
    cp_run(c, s, end);
    s->grid.time = end;
    cp_arrive(s);
    return true;
}

/* Copy rings that lie behind each other, from the macro step `first` to `last`. */
static void cp_copy_rings(double *to, const double *from, int count, int64_t first, int64_t last)
{
    for (int64_t n = first; n <= last; n++) {
        for (int i = 0; i < count; i++) {
            to[cp_ring(n) + (size_t)i * CP_RING] = from[cp_ring(n) + (size_t)i * CP_RING];
        }
    }
}

/* Copy what a refresh reads, without the bank where it does not run, and without estimates that are judged already: it
   is memory, not arithmetic, that a read after a set costs. */
CP_API void cp_coupling_copy(const cp_coupling_settings *c, cp_state *to, const cp_state *from)
{
    const int32_t instead = cp_has_plant(c) ? c->plant.fallback : CP_ZOH;
    const bool blends = cp_is(from->parameter.selected, CP_BLENDS) || cp_is(instead, CP_BLENDS);
    const int64_t last = from->grid.here + 1;
    const int64_t first = from->quality.judged > last - CP_RING ? from->quality.judged : last - CP_RING + 1;
    const size_t ends[] = {0, offsetof(cp_state, quality.estimated), offsetof(cp_state, quality.judged),
                           blends ? offsetof(cp_state, bank.estimated) : offsetof(cp_state, bank),
                           blends ? offsetof(cp_state, bank.low) : offsetof(cp_state, guard), cp_coupling_size(c)};
    for (int i = 0; i < 3; i++) {
        memcpy((char *)to + ends[2 * i], (const char *)from + ends[2 * i], ends[2 * i + 1] - ends[2 * i]);
    }
    cp_copy_rings(to->quality.estimated, from->quality.estimated, 4, first, last);
    if (blends) {
        cp_copy_rings(to->bank.estimated, from->bank.estimated, CP_BANK, first, last);
    }
}

CP_API void cp_coupling_refresh(const cp_coupling_settings *c, cp_state *s, bool running)
{
    if (running && s->grid.period > 0.0) {
        cp_run(c, s, s->grid.time);
    } else if (cp_coupling_check(c, s, NULL)) { /* else initialisation will be refused: nothing is worked out */
        cp_refresh_start(c, s);
    }
}
