/* Variables by reference, for users without an FMI face: a face reaches into the state itself. */
#include "stages.h"

CP_API const cp_coupling_variable *cp_coupling_find(const cp_coupling_settings *c, uint32_t reference)
{
    return reference >= 1 && reference <= (uint32_t)c->n_variables ? cp_variable_row(c->chosen[reference - 1]) : NULL;
}

/* a tunable while the FMU runs: in range and fitting to the others, or nothing changes */
static bool cp_tune(const cp_coupling_settings *c, cp_state *s, const cp_coupling_variable *variable, double value,
                    cp_message *why)
{
    const double before = cp_coupling_get(s, variable);
    if (!cp_in_allowed_range(variable, value, why)) {
        return false;
    }
    cp_place_value(s, variable, value);
    if (!cp_coupling_check(c, s, why)) {
        cp_place_value(s, variable, before);
        return false;
    }
    return true;
}

static bool cp_refuse_set(cp_message *why, const char *name, const char *words)
{
    cp_say(why, name);
    cp_say_more(why, words);
    return false;
}

static bool cp_fits_its_place(const cp_coupling_variable *variable, double value)
{
    const bool whole = variable->type == CP_KIND_INTEGER || variable->type == CP_KIND_ENUMERATION;
    return !whole || (value >= INT32_MIN && value <= INT32_MAX);
}

CP_API bool cp_coupling_set(const cp_coupling_settings *c, cp_state *s, const cp_coupling_variable *variable,
                            double value, bool running, cp_message *why)
{
    if (variable->role == CP_ROLE_OUTPUT || variable->role == CP_ROLE_TIME) {
        return cp_refuse_set(why, variable->name, " is an output and cannot be set");
    }
    if (running && variable->role == CP_ROLE_FIXED) {
        return cp_refuse_set(why, variable->name, " is fixed and cannot be set after initialisation");
    }
    if (!cp_fits_its_place(variable, value)) {
        return cp_in_allowed_range(variable, value, why);
    }
    if (running && variable->role == CP_ROLE_TUNABLE) {
        return cp_tune(c, s, variable, value, why);
    }
    cp_place_value(s, variable, value);
    return true;
}
