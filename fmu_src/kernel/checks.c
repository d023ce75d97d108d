/* The border: which values the variables of an FMU may take. Inside, the stages trust them. */
#include "stages.h"

#include <stdarg.h>

#include "../base/text.h"

CP_API bool cp_refuse(cp_reason *why, const char *format, ...)
{
    va_list arguments;
    if (why != NULL) {
        va_start(arguments, format);
        cp_format(why->text, sizeof why->text, format, arguments);
        va_end(arguments);
    }
    return false;
}

static bool cp_check_limits(const cp_state *s, cp_reason *why)
{
    if (s->parameter.output_min > s->parameter.output_max) {
        return cp_refuse(why, "output.min = %g, allowed up to output.max = %g", s->parameter.output_min,
                         s->parameter.output_max);
    }
    if (s->parameter.lost_steps < s->parameter.coast_steps) {
        return cp_refuse(why, "latency.lost_steps = %g, allowed latency.coast_steps = %g or more",
                         (double)s->parameter.lost_steps, (double)s->parameter.coast_steps);
    }
    return true;
}

/* No estimate for a time too long before the newest value; its age counts where it is known. */
static bool cp_check_lead(const cp_state *s, cp_reason *why)
{
    const double offset = s->parameter.latency_offset;
    const double step = s->parameter.macro_step;
    double lead = s->parameter.host_lead + s->parameter.hold_lead;
    if (offset < 0.0 && !(step > 0.0)) {
        return cp_refuse(
            why, "latency.offset = %g s, allowed 0 or more with macro_step = 0, where latency.host_lead can be less",
            offset);
    }
    if (step > 0.0) {
        lead = offset / step + lead;
    }
    if (s->parameter.latency_mode == CP_CONSTANT) {
        lead = s->parameter.constant_steps + lead;
    }
    if (lead >= CP_LEAST_LEAD - CP_TINY) {
        return true;
    }
    return cp_refuse(why,
                     "latency.offset = %g s, latency.host_lead = %g and latency.hold_lead = %g make the lead %g macro "
                     "steps, allowed %g or more",
                     offset, s->parameter.host_lead, s->parameter.hold_lead, lead, CP_LEAST_LEAD);
}

static bool cp_has_echo(const cp_coupling_settings *c)
{
    for (int32_t i = 0; i < c->n_variables; i++) {
        if (cp_variable_row(c->chosen[i])->offset == offsetof(cp_state, input.y_echo)) {
            return true;
        }
    }
    return false;
}

/* what an FMU must have been built with, by need */
static const char cp_needs[][10] = {"", "weights", "it", "a network", "a model", "it"};

/* May the selected algorithm run? */
static bool cp_check_algorithm(const cp_coupling_settings *c, const cp_state *s, cp_reason *why)
{
    const bool offered = cp_is_offered(c, s->parameter.selected);
    if (offered && !(s->parameter.detection && cp_is(s->parameter.selected, CP_CARRIES_STATE))) {
        return true;
    }
    return cp_refuse(why, "algorithm.selected = %g (%s), allowed only %s%s", (double)s->parameter.selected,
                     cp_row_of(s->parameter.selected)->name,
                     offered ? "with discontinuity.enabled = false" : "in an FMU built with ",
                     offered ? "" : cp_needs[cp_row_of(s->parameter.selected)->needs]);
}

static bool cp_check_together(const cp_coupling_settings *c, const cp_state *s, cp_reason *why)
{
    if (!cp_check_limits(s, why) || !cp_check_lead(s, why) || !cp_check_algorithm(c, s, why)) {
        return false;
    }
    if (s->parameter.latency_mode == CP_ROUND_TRIP && !cp_has_echo(c)) {
        return cp_refuse(why, "latency.mode = 4 (round_trip), allowed only in an FMU built with it");
    }
    if (c->event && !(s->parameter.macro_step > 0.0)) {
        return cp_refuse(why, "macro_step = %g s, allowed above 0 with event timing", s->parameter.macro_step);
    }
    return true;
}

CP_API bool cp_coupling_check(const cp_coupling_settings *c, const cp_state *s, cp_reason *why)
{
    for (int32_t i = 0; i < c->n_variables; i++) {
        const cp_variable *const variable = cp_variable_row(c->chosen[i]);
        const bool parameter = variable->role == CP_FIXED || variable->role == CP_TUNABLE;
        if (parameter && !cp_in_allowed_range(variable, cp_value(variable, s), why)) {
            return false;
        }
    }
    return cp_check_together(c, s, why);
}
