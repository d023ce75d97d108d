/* The border: which values the variables of an FMU may take. Inside, the stages trust them. */
#include "stages.h"

/* items of the enumeration of a parameter */
static const char *cp_items(const cp_coupling_variable *variable)
{
    switch (variable->offset) {
    case offsetof(cp_state, latency_mode):
        return "1 (constant), 2 (stamps), 3 (resequenced), 4 (round_trip)";
    case offsetof(cp_state, reconstruction):
        return "1 (linear), 2 (hold)";
    case offsetof(cp_state, on_loss):
        return "1 (hold), 2 (safe)";
    case offsetof(cp_state, latency_clock):
        return "1 (common), 2 (free)";
    case offsetof(cp_state, detector):
        return "1 (spectral), 2 (residual)";
    default:
        return "1 (ignore), 2 (warn), 3 (stop), 4 (hold)";
    }
}

static void cp_say_algorithm(cp_message *why, int32_t which)
{
    cp_say_number(why, which);
    cp_say_more(why, " (");
    cp_say_more(why, cp_row_of(which)->name);
    cp_say_more(why, ")");
}

static void cp_say_range(cp_message *why, const cp_coupling_variable *variable)
{
    if (variable->offset == offsetof(cp_state, selected)) {
        for (int32_t which = CP_ZOH; which <= variable->max; which++) {
            cp_say_more(why, which > CP_ZOH ? ", " : "");
            cp_say_algorithm(why, which);
        }
    } else if (variable->type == CP_KIND_ENUMERATION) {
        cp_say_more(why, cp_items(variable));
    } else if (variable->min == -CP_UNLIMITED) {
        cp_say_more(why, "any finite number");
    } else {
        cp_say_number(why, variable->min);
        cp_say_more(why, variable->max < CP_UNLIMITED ? " to " : " or more");
        if (variable->max < CP_UNLIMITED) {
            cp_say_number(why, variable->max);
        }
    }
}

/* NAME = VALUE, allowed */
static bool cp_refuse(cp_message *why, const char *name, double value, const char *allowed)
{
    cp_say(why, name);
    cp_say_more(why, " = ");
    cp_say_number(why, value);
    cp_say_more(why, allowed);
    return false;
}

CP_API bool cp_in_allowed_range(const cp_coupling_variable *variable, double value, cp_message *why)
{
    if (value >= variable->min && value <= variable->max) {
        return true;
    }
    (void)cp_refuse(why, variable->name, value, ", allowed ");
    cp_say_range(why, variable);
    return false;
}

static bool cp_check_limits(const cp_state *s, cp_message *why)
{
    if (s->output_min > s->output_max) {
        (void)cp_refuse(why, "output.min", s->output_min, ", allowed up to output.max = ");
        cp_say_number(why, s->output_max);
        return false;
    }
    if (s->lost_steps < s->coast_steps) {
        (void)cp_refuse(why, "latency.lost_steps", s->lost_steps, ", allowed latency.coast_steps = ");
        cp_say_number(why, s->coast_steps);
        cp_say_more(why, " or more");
        return false;
    }
    return true;
}

static bool cp_has_echo(const cp_coupling_settings *c)
{
    for (int32_t i = 0; i < c->n_variables; i++) {
        if (cp_variable_row(c->chosen[i])->offset == offsetof(cp_state, y_echo)) {
            return true;
        }
    }
    return false;
}

/* what an FMU must have been built with, by need */
static const char cp_needs[][10] = {"", "weights", "it", "a network"};

/* May the selected algorithm run? */
static bool cp_check_algorithm(const cp_coupling_settings *c, const cp_state *s, cp_message *why)
{
    const bool offered = cp_is_offered(c, s->selected);
    if (offered && !(s->detection && cp_is(s->selected, CP_CARRIES_STATE))) {
        return true;
    }
    cp_say(why, "algorithm.selected = ");
    cp_say_algorithm(why, s->selected);
    cp_say_more(why, ", allowed only ");
    cp_say_more(why, offered ? "with discontinuity.enabled = false" : "in an FMU built with ");
    cp_say_more(why, offered ? "" : cp_needs[cp_row_of(s->selected)->needs]);
    return false;
}

static bool cp_check_together(const cp_coupling_settings *c, const cp_state *s, cp_message *why)
{
    if (!cp_check_limits(s, why) || !cp_check_algorithm(c, s, why)) {
        return false;
    }
    if (s->latency_mode == CP_ROUND_TRIP && !cp_has_echo(c)) {
        cp_say(why, "latency.mode = 4 (round_trip), allowed only in an FMU built with it");
        return false;
    }
    if (c->event && !(s->macro_step > 0.0)) {
        return cp_refuse(why, "macro_step", s->macro_step, " s, allowed above 0 with event timing");
    }
    return true;
}

CP_API bool cp_coupling_check(const cp_coupling_settings *c, const cp_state *s, cp_message *why)
{
    for (int32_t i = 0; i < c->n_variables; i++) {
        const cp_coupling_variable *const variable = cp_variable_row(c->chosen[i]);
        const bool parameter = variable->role == CP_ROLE_FIXED || variable->role == CP_ROLE_TUNABLE;
        if (parameter && !cp_in_allowed_range(variable, cp_coupling_get(s, variable), why)) {
            return false;
        }
    }
    return cp_check_together(c, s, why);
}
