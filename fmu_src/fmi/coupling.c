/* The coupling as a model behind the FMI faces: the kernel does the work, this file translates. */
#include "model.h"

#include "../kernel/fmu.c"
#include "../kernel/generated/events.h"

static const cp_coupling_settings *cp_settings_in(const void *binding)
{
    return (const cp_coupling_settings *)binding;
}

static cp_state *cp_state_in(void *state)
{
    return (cp_state *)state;
}

static bool cp_coupling_bind(void *binding, const cp_settings *settings, cp_reason *why)
{
    return cp_coupling_settle((cp_coupling_settings *)binding, settings->lists, settings->n_lists, settings->hash, why);
}

static void cp_coupling_restart(void *state, const void *binding)
{
    cp_coupling_reset(cp_settings_in(binding), cp_state_in(state));
}

static bool cp_coupling_take(void *state, const void *binding, uint32_t reference, double value, bool running,
                             cp_reason *why)
{
    return cp_coupling_set(cp_state_in(state), cp_coupling_find(cp_settings_in(binding), reference), value, running,
                           why);
}

static bool cp_coupling_agrees(const void *state, const void *binding, cp_reason *why)
{
    return cp_coupling_check(cp_settings_in(binding), (const cp_state *)state, why);
}

static bool cp_coupling_is_sound(const void *state, const void *binding, bool running, cp_reason *why)
{
    return cp_coupling_sound(cp_settings_in(binding), (const cp_state *)state, running, why);
}

static bool cp_coupling_finish(void *state, const void *binding, double t0, cp_reason *why)
{
    return cp_coupling_init(cp_settings_in(binding), cp_state_in(state), t0, why);
}

static void cp_coupling_copy_for(void *preview, const void *binding, const void *state)
{
    cp_coupling_copy(cp_settings_in(binding), cp_state_in(preview), (const cp_state *)state);
}

static void cp_coupling_show(void *preview, const void *binding, double t, bool running)
{
    (void)t;
    cp_coupling_refresh(cp_settings_in(binding), cp_state_in(preview), running);
}

static size_t cp_coupling_state_size(const void *binding)
{
    return cp_coupling_size(cp_settings_in(binding));
}

static double cp_coupling_period(const void *state)
{
    return ((const cp_state *)state)->grid.period;
}

static bool cp_coupling_has_event_mode(const void *binding)
{
    return cp_settings_in(binding)->event != 0;
}

static double cp_coupling_next_event(const void *state, const void *binding)
{
    return cp_coupling_has_event_mode(binding) ? cp_coupling_next_point((const cp_state *)state) : CP_UNLIMITED;
}

/* With Event Mode in use no step passes a macro point, if the host takes a shorter one. */
static void cp_coupling_shorten(const cp_state *s, cp_step *step)
{
    const double left = cp_coupling_next_point(s) - step->t;
    const double end = step->t + step->h;
    const double near = cp_nearness(end, step->h, s->grid.period);
    const double same = cp_same_time(end, s->grid.period);
    const double tolerance = near > same ? near : same;
    step->event_needed = step->h >= left - tolerance;
    if (step->early && left > 0.0 && step->h > left + tolerance) {
        step->h = left;
    }
}

static cp_status cp_coupling_move(void *state, const void *binding, cp_step *step)
{
    cp_state *const s = cp_state_in(state);
    if (step->event_mode && cp_coupling_has_event_mode(binding)) {
        cp_coupling_shorten(s, step);
    }
    if (!cp_coupling_step(cp_settings_in(binding), s, step->t, step->h, &step->why)) {
        return CP_ERROR;
    }
    step->events = (uint32_t)s->log.events;
    step->terminate = s->quality.stopped != 0;
    return CP_OK;
}

static uint32_t cp_coupling_last_events(const void *state)
{
    return (uint32_t)cp_coupling_closing((const cp_state *)state);
}

static bool cp_coupling_slope_of(const void *state, const void *binding, size_t offset, double *value)
{
    *value = cp_coupling_slope(cp_settings_in(binding), (const cp_state *)state);
    return offset == offsetof(cp_state, reconstruction.y_hat);
}

static bool cp_coupling_partial(const void *state, const void *binding, bool running, size_t unknown, size_t known,
                                double *value)
{
    *value = cp_coupling_gain(cp_settings_in(binding), (const cp_state *)state, running);
    return unknown == offsetof(cp_state, reconstruction.y_hat) && known == offsetof(cp_state, input.y);
}

static const cp_model cp_this_model = {
    .name = "coupling",
    .variables = cp_rows,
    .n_variables = CP_VARIABLES,
    .events = cp_events,
    .n_events = CP_EVENTS,
    .event_numbers = cp_event_numbers,
    .state_size = sizeof(cp_state_with_neural),
    .time = offsetof(cp_state, grid.time),
    .binding_size = sizeof(cp_coupling_settings),
    .checks_time = true,
    .bind = cp_coupling_bind,
    .size_of_state = cp_coupling_state_size,
    .reset = cp_coupling_restart,
    .set = cp_coupling_take,
    .agree = cp_coupling_agrees,
    .sound = cp_coupling_is_sound,
    .finish = cp_coupling_finish,
    .step = cp_coupling_move,
    .closing = cp_coupling_last_events,
    .copy = cp_coupling_copy_for,
    .refresh = cp_coupling_show,
    .period = cp_coupling_period,
    .has_event_mode = cp_coupling_has_event_mode,
    .next_event = cp_coupling_next_event,
    .slope = cp_coupling_slope_of,
    .partial = cp_coupling_partial,
};
