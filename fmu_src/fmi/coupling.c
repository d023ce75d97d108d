/* The coupling as a model behind the FMI faces: the kernel does the work, this file translates. */
#include "model.h"

#include "../kernel/kernel.c"

#include "../kernel/table.h"

/* the rows of the kernel's table as the faces want them */
#define CP_FLAGS_OF_INPUT (CP_DISCRETE | CP_ANY_VALUE)
#define CP_FLAGS_OF_OUTPUT 0
#define CP_FLAGS_OF_FIXED 0
#define CP_FLAGS_OF_TUNABLE 0
#define CP_FLAGS_OF_TIME 0
#define CP_COUPLING_ROW(name, kind, role, member, start, ...)                                       \
    {name, "", CP_##kind, CP_##role, CP_FLAGS_OF_##role, offsetof(cp_state, member), start, __VA_ARGS__},
#define CP_COUPLING_A(i) CP_COUPLING_ROW("algorithm.a[" #i "]", REAL, FIXED, a[i - 1], 0.0, CP_FREE_RANGE)
#define CP_COUPLING_SLOPE(i) CP_COUPLING_ROW("algorithm.A[" #i "]", REAL, FIXED, slopes[i - 1], 0.0, CP_FREE_RANGE)

static const cp_variable cp_coupling_variables[CP_VARIABLES] = {
    CP_INTERFACE_ROWS(CP_COUPLING_ROW) CP_EACH_WEIGHT(CP_COUPLING_A) CP_EACH_WEIGHT(CP_COUPLING_SLOPE)
        CP_DEBUG_ROWS(CP_COUPLING_ROW)};

#define CP_COUPLING_EVENT(name, category, words) {CP_WARNING, words},

/* behind the events of the kernel: what it refuses although the face let it pass */
enum { CP_START_REFUSED = 1 << CP_EVENTS, CP_STEP_REFUSED = 1 << (CP_EVENTS + 1) };

static const cp_event cp_coupling_events[CP_EVENTS + 2] = {
    CP_EVENT_ROWS(CP_COUPLING_EVENT){CP_ERROR, "the parameters contradict each other"},
    {CP_ERROR, "the step is refused: it does not continue the last one, or ends after more than 9e+15 macro steps"},
};

enum { CP_MOST_LISTS = 128 };

static bool cp_coupling_bind(void *binding, const cp_settings *settings)
{
    cp_numbers lists[CP_MOST_LISTS];
    if (settings->n_lists > CP_MOST_LISTS) {
        return false;
    }
    for (size_t i = 0; i < settings->n_lists; i++) {
        const cp_list *const list = &settings->lists[i];
        lists[i] = (cp_numbers){list->key, list->values, list->n};
    }
    return cp_coupling_settle(binding, lists, settings->n_lists, settings->hash, NULL);
}

static void cp_coupling_restart(void *state, const void *binding)
{
    cp_coupling_reset(binding, state);
}

static uint32_t cp_coupling_finish(void *state, const void *binding, double t0)
{
    return cp_coupling_init(binding, state, t0, NULL) ? 0 : CP_START_REFUSED;
}

static void cp_coupling_show(void *preview, const void *binding, double t, bool running)
{
    (void)t;
    cp_coupling_refresh(binding, preview, running);
}

static double cp_coupling_period(const void *state)
{
    return ((const cp_state *)state)->period;
}

static bool cp_coupling_has_event_mode(const void *binding)
{
    return ((const cp_coupling_settings *)binding)->event != 0;
}

/* the macro point after `time`, s */
static double cp_coupling_next_point(const cp_state *s, double time)
{
    const int64_t n = (int64_t)((time - s->start_time) / s->period + CP_TINY);
    return s->start_time + (double)(n + 1) * s->period;
}

static double cp_coupling_next_event(const void *state, const void *binding)
{
    const cp_state *const s = state;
    return cp_coupling_has_event_mode(binding) ? cp_coupling_next_point(s, s->time) : CP_LARGEST;
}

/* With Event Mode in use no step passes a macro point, if the host takes a shorter one. */
static void cp_coupling_shorten(const cp_state *s, cp_step *step)
{
    const double left = cp_coupling_next_point(s, s->time) - step->t;
    step->event_needed = step->h >= left - CP_TINY * s->period;
    if (step->early && step->h > left + CP_TINY * s->period) {
        step->h = left;
    }
}

static cp_status cp_coupling_move(void *state, const void *binding, cp_step *step)
{
    cp_state *const s = state;
    if (step->event_mode && cp_coupling_has_event_mode(binding)) {
        cp_coupling_shorten(s, step);
    }
    if (!cp_coupling_step(binding, s, step->t, step->h, NULL)) {
        step->events = CP_STEP_REFUSED;
        return CP_ERROR;
    }
    step->events = (uint32_t)s->events;
    step->terminate = s->stopped != 0;
    return CP_OK;
}

static bool cp_coupling_slope_of(const void *state, const void *binding, size_t offset, double *value)
{
    *value = cp_coupling_slope(binding, state);
    return offset == offsetof(cp_state, y_hat);
}

static bool cp_coupling_partial(const void *state, const void *binding, size_t unknown, size_t known, double *value)
{
    const cp_state *const s = state;
    *value = cp_coupling_gain(binding, s, s->n >= 0);
    return unknown == offsetof(cp_state, y_hat) && known == offsetof(cp_state, y);
}

static bool cp_coupling_fits(const void *state, const void *binding, cp_reason *why)
{
    cp_message message;
    if (cp_coupling_check(binding, state, &message)) {
        return true;
    }
    memcpy(why->text, message.text, sizeof message.text);
    return false;
}

static const cp_model cp_this_model = {
    .name = "coupling",
    .variables = cp_coupling_variables,
    .n_variables = CP_VARIABLES,
    .events = cp_coupling_events,
    .n_events = CP_EVENTS + 2,
    .state_size = sizeof(cp_state),
    .binding_size = sizeof(cp_coupling_settings),
    .bind = cp_coupling_bind,
    .reset = cp_coupling_restart,
    .check = cp_coupling_fits,
    .finish = cp_coupling_finish,
    .step = cp_coupling_move,
    .refresh = cp_coupling_show,
    .period = cp_coupling_period,
    .has_event_mode = cp_coupling_has_event_mode,
    .next_event = cp_coupling_next_event,
    .slope = cp_coupling_slope_of,
    .partial = cp_coupling_partial,
};
