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
    .events = cp_coupling_events,
    .n_events = CP_EVENTS,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .binding_size = sizeof(cp_coupling_settings),
    .checks_time = true,
    .bind = cp_coupling_bind,
    .reset = cp_coupling_restart,
    .set = cp_coupling_take,
    .finish = cp_coupling_finish,
    .step = cp_idle,
    .refresh = cp_coupling_show,
};
