/* Variables of a signal by name and by handle, and what is worked out from them; part of couplant.c. */

couplant_status couplant_find(couplant *c, const char *name, couplant_handle *handle)
{
    if (!cp_is_open(c, "couplant_find")) {
        return COUPLANT_REFUSED;
    }
    if (name == NULL || handle == NULL) {
        return cp_say_about(c, "%s = NULL, allowed a name and a place for its handle", name == NULL ? "name" : "handle");
    }
    for (uint32_t i = 1; i <= (uint32_t)c->settings.n_variables; i++) {
        if (strcmp(cp_coupling_find(&c->settings, i)->name, name) == 0) {
            *handle = i;
            return COUPLANT_OK;
        }
    }
    return cp_say_about(c, "%s is no variable of this signal", name);
}

static const cp_variable *cp_variable_of(couplant *c, couplant_handle handle, cp_reason *why)
{
    const cp_variable *const found = cp_coupling_find(&c->settings, handle);
    if (found == NULL) {
        (void)cp_refuse(why, "handle = %t, allowed 1 to %t", (double)handle, (double)c->settings.n_variables);
    }
    return found;
}

/* Set one; whether parameters fit each other is asked later. */
static bool cp_set_one(couplant *c, const cp_variable *variable, double value, cp_reason *why)
{
    const bool whole = value >= INT32_MIN && value <= INT32_MAX && value == (double)(int32_t)value;
    if (variable->type != CP_REAL && !whole) {
        return cp_refuse(why, "%s = %g, allowed whole numbers", variable->name, value);
    }
    return cp_coupling_set(c->state, variable, value, cp_has_started(c), why);
}

static bool cp_tunes(const couplant *c, const cp_variable *variable)
{
    return cp_has_started(c) && variable->role == CP_TUNABLE;
}

/* Put back what `n` variables were, the last one first: one may have been set twice. */
static void cp_take_back(couplant *c, const couplant_handle handles[], const double before[], size_t n)
{
    for (size_t i = n; i > 0; i--) {
        cp_put(cp_coupling_find(&c->settings, handles[i - 1]), c->state, before[i - 1]);
    }
}

static bool cp_set_those(couplant *c, const couplant_handle handles[], const double values[], size_t n, cp_reason *why)
{
    double before[COUPLANT_MOST_AT_ONCE];
    bool tuned = false;
    for (size_t i = 0; i < n; i++) {
        const cp_variable *const variable = cp_variable_of(c, handles[i], why);
        before[i] = variable != NULL ? cp_value(variable, c->state) : 0.0;
        if (variable == NULL || !cp_set_one(c, variable, values[i], why)) {
            cp_take_back(c, handles, before, i);
            return false;
        }
        tuned = tuned || cp_tunes(c, variable);
    }
    if (tuned && !cp_coupling_check(&c->settings, c->state, why)) {
        cp_take_back(c, handles, before, n);
        return false;
    }
    return true;
}

couplant_status couplant_set_all(couplant *c, const couplant_handle handles[], const double values[], size_t n)
{
    cp_reason reason;
    if (!cp_is_open(c, "couplant_set")) {
        return COUPLANT_REFUSED;
    }
    if (n > COUPLANT_MOST_AT_ONCE || (n > 0 && (handles == NULL || values == NULL))) {
        (void)cp_refuse(&reason, "n = %t, allowed up to %t, with arrays of as many handles and values", (double)n,
                        (double)COUPLANT_MOST_AT_ONCE);
        return cp_say(&c->why, &reason);
    }
    if (!cp_set_those(c, handles, values, n, &reason)) {
        return cp_say(&c->why, &reason);
    }
    c->stale = c->stale || n > 0;
    c->seen = c->seen && n == 0;
    return COUPLANT_OK;
}

couplant_status couplant_set(couplant *c, couplant_handle handle, double value)
{
    return couplant_set_all(c, &handle, &value, 1);
}

/* The state with outputs that fit the inputs: a copy of it, if there is room for one and something was set. */
static const cp_state *cp_shown(couplant *c)
{
    if (!c->stale || c->preview == NULL) {
        return c->state;
    }
    if (!c->seen && cp_has_started(c)) {
        cp_coupling_copy(&c->settings, c->preview, c->state);
        cp_coupling_refresh(&c->settings, c->preview, true);
    } else if (!c->seen) {
        cp_coupling_preview(&c->settings, c->state, false, c->preview);
    }
    c->seen = 1;
    return c->preview;
}

couplant_status couplant_get(couplant *c, couplant_handle handle, double *value)
{
    cp_reason reason;
    if (!cp_is_open(c, "couplant_get")) {
        return COUPLANT_REFUSED;
    }
    if (value == NULL) {
        return cp_say_about(c, "%s = NULL, allowed a place for a double", "value");
    }
    const cp_variable *const variable = cp_variable_of(c, handle, &reason);
    *value = variable != NULL ? cp_value(variable, cp_shown(c)) : *value;
    return cp_done(c, variable != NULL, &reason);
}

/* Is there a place for a number of a run? */
static bool cp_may_tell(couplant *c, const char *call, const void *place)
{
    if (!cp_is_running(c, call)) {
        return false;
    }
    return place != NULL || cp_say_about(c, "%s to NULL, allowed a place for a double", call) == COUPLANT_OK;
}

couplant_status couplant_slope(couplant *c, double *slope)
{
    if (!cp_may_tell(c, "couplant_slope", slope)) {
        return COUPLANT_REFUSED;
    }
    *slope = cp_coupling_slope(&c->settings, cp_shown(c));
    return COUPLANT_OK;
}

couplant_status couplant_gain(couplant *c, double *gain)
{
    if (!cp_may_tell(c, "couplant_gain", gain)) {
        return COUPLANT_REFUSED;
    }
    *gain = cp_coupling_gain(&c->settings, cp_shown(c), true);
    return COUPLANT_OK;
}

couplant_status couplant_next_point(couplant *c, double *time)
{
    if (!cp_may_tell(c, "couplant_next_point", time)) {
        return COUPLANT_REFUSED;
    }
    *time = cp_coupling_next_point(c->state);
    return COUPLANT_OK;
}
