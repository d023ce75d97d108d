/* Variables by reference. */
#include "stages.h"

CP_API const cp_variable *cp_coupling_find(const cp_coupling_settings *c, uint32_t reference)
{
    return reference >= 1 && reference <= (uint32_t)c->n_variables ? cp_variable_row(c->chosen[reference - 1]) : NULL;
}

/* a tunable while the FMU runs: in range and fitting to the others, or nothing changes */
static bool cp_tune(const cp_coupling_settings *c, cp_state *s, const cp_variable *variable, double value,
                    cp_reason *why)
{
    const double before = cp_value(variable, s);
    if (!cp_in_allowed_range(variable, value, why)) {
        return false;
    }
    cp_put(variable, s, value);
    if (!cp_coupling_check(c, s, why)) {
        cp_put(variable, s, before);
        return false;
    }
    return true;
}

CP_API bool cp_coupling_set(const cp_coupling_settings *c, cp_state *s, const cp_variable *variable, double value,
                            bool running, cp_reason *why)
{
    if (variable->role == CP_OUTPUT || variable->role == CP_TIME) {
        return cp_refuse(why, "%s is an output and cannot be set", variable->name);
    }
    if (running && variable->role == CP_FIXED) {
        return cp_refuse(why, "%s is fixed and cannot be set after initialisation", variable->name);
    }
    if (!cp_fits_its_place(variable, value)) {
        return cp_in_allowed_range(variable, value, why);
    }
    if (running && variable->role == CP_TUNABLE) {
        return cp_tune(c, s, variable, value, why);
    }
    cp_put(variable, s, value);
    return true;
}
