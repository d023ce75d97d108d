/* Variables by reference. */
#include "stages.h"

CP_API const cp_variable *cp_coupling_find(const cp_coupling_settings *c, uint32_t reference)
{
    return reference >= 1 && reference <= (uint32_t)c->n_variables ? cp_variable_row(c->chosen[reference - 1]) : NULL;
}

CP_API bool cp_coupling_set(cp_state *s, const cp_variable *variable, double value, bool running, cp_reason *why)
{
    if (variable->role == CP_OUTPUT || variable->role == CP_TIME) {
        return cp_refuse(why, "%s is an output and cannot be set", variable->name);
    }
    if (running && variable->role == CP_FIXED) {
        return cp_value(variable, s) == value ||
               cp_refuse(why, "%s is fixed and cannot be set after initialisation", variable->name);
    }
    const bool tuned = running && variable->role == CP_TUNABLE;
    const bool checked = tuned || variable->type == CP_ENUMERATION;
    if ((checked || !cp_fits_its_place(variable, value)) && !cp_in_allowed_range(variable, value, why)) {
        return false;
    }
    cp_put(variable, s, value);
    return true;
}
