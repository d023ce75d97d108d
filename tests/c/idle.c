/* The coupling FMU with a step that returns at once: what the face alone costs. */
#define cp_this_model cp_whole_model
#include "coupling.c"
#undef cp_this_model

static cp_status cp_idle(void *state, const void *binding, cp_step *step)
{
    (void)state;
    (void)binding;
    (void)step;
    return CP_OK;
}

static const cp_model cp_this_model = {
    .name = "idle",
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
    .step = cp_idle,
    .closing = cp_coupling_last_events,
    .refresh = cp_coupling_show,
    .period = cp_coupling_period,
    .has_event_mode = cp_coupling_has_event_mode,
    .next_event = cp_coupling_next_event,
    .slope = cp_coupling_slope_of,
    .partial = cp_coupling_partial,
};
