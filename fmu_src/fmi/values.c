#include "instance.h"

#include <string.h>

CP_API bool cp_in_range(const cp_variable *variable, double value)
{
    if ((variable->flags & CP_ANY_VALUE) != 0) {
        return true;
    }
    return value >= variable->min && value <= variable->max;
}

CP_API cp_status cp_out_of_range(const cp_instance *self, cp_status status, const cp_variable *variable, double value)
{
    return cp_log(self, status, CP_LOG_PARAMETER, "%s = %g, allowed %g to %g%s%s", variable->name, value, variable->min,
                  variable->max, *variable->unit != '\0' ? " " : "", variable->unit);
}

static double cp_load(cp_array array, const void *values, size_t i)
{
    switch (array) {
    case CP_AS_DOUBLE:
        return ((const double *)values)[i];
    case CP_AS_INT32:
        return ((const int32_t *)values)[i];
    case CP_AS_INT64:
        return (double)((const int64_t *)values)[i];
    default:
        return ((const bool *)values)[i];
    }
}

static void cp_store(cp_array array, void *values, size_t i, double value)
{
    switch (array) {
    case CP_AS_DOUBLE:
        ((double *)values)[i] = value;
        break;
    case CP_AS_INT32:
        ((int32_t *)values)[i] = (int32_t)value;
        break;
    case CP_AS_INT64:
        ((int64_t *)values)[i] = (int64_t)value;
        break;
    default:
        ((bool *)values)[i] = value != 0.0;
    }
}

CP_API bool cp_pointers_ok(const cp_instance *self, size_t n, const void *a, const void *b)
{
    if (n > 0 && (a == NULL || b == NULL)) {
        (void)cp_log(self, CP_ERROR, CP_LOG_CALL, "a null pointer where %g values are", (double)n);
        return false;
    }
    return true;
}

CP_API const cp_variable *cp_find(const cp_instance *self, uint32_t reference, unsigned types)
{
    if (reference == 0 || reference > self->n_variables) {
        (void)cp_log(self, CP_ERROR, CP_LOG_CALL, "no variable has the value reference %t", (double)reference);
        return NULL;
    }
    const cp_variable *const variable = self->variable[reference - 1];
    if ((types >> variable->type & 1u) == 0) {
        (void)cp_log(self, CP_ERROR, CP_LOG_CALL, "%s is of another type", variable->name);
        return NULL;
    }
    return variable;
}

/* a copy of the state with what the inputs mean now, set or not; the state itself if the model has no such thing */
static const void *cp_refreshed(cp_instance *self)
{
    if (self->model->refresh == NULL) {
        return self->state;
    }
    if (!self->preview_is_made) {
        if (self->model->copy != NULL && cp_running(self)) {
            self->model->copy(self->preview, self->binding, self->state);
        } else {
            memcpy(self->preview, self->state, self->state_size);
        }
        self->model->refresh(self->preview, self->binding, cp_time(self), cp_running(self));
        self->preview_is_made = true;
    }
    return self->preview;
}

/* the state with outputs that fit the inputs: the committed one, or a copy made for reading */
static const void *cp_readable(cp_instance *self)
{
    return self->stale ? cp_refreshed(self) : self->state;
}

CP_API cp_status cp_get(cp_instance *self, cp_selection which, void *values)
{
    if (!cp_pointers_ok(self, which.n, which.references, values)) {
        return CP_ERROR;
    }
    const void *const state = cp_readable(self);
    for (size_t i = 0; i < which.n; i++) {
        const cp_variable *const variable = cp_find(self, which.references[i], which.types);
        if (variable == NULL) {
            return CP_ERROR;
        }
        cp_store(which.array, values, i, cp_value(variable, state));
    }
    return CP_OK;
}

/* May it be set now? With FMI 3 Event Mode in use, inputs set in Step Mode, as FMPy does, count from the next step. */
static bool cp_settable(const cp_instance *self, const cp_variable *variable)
{
    const unsigned phase = (unsigned)self->phase;
    switch (variable->role) {
    case CP_INPUT:
    case CP_TUNABLE:
        return true;
    case CP_FIXED:
        return (phase & (CP_INSTANTIATED | CP_INITIALIZATION)) != 0;
    default:
        return false;
    }
}

static cp_status cp_set_one(cp_instance *self, uint32_t reference, unsigned types, double value)
{
    const cp_model *const model = self->model;
    const cp_variable *const variable = cp_find(self, reference, types);
    cp_reason why;
    if (variable == NULL) {
        return CP_ERROR;
    }
    if (!cp_settable(self, variable)) {
        if (variable->role == CP_FIXED && cp_value(variable, self->state) == value) {
            return CP_UNCHANGED; /* hosts that write all parameters again change none */
        }
        return cp_log(self, CP_ERROR, CP_LOG_PARAMETER, "%s cannot be set in this state", variable->name);
    }
    if (model->set != NULL) {
        const bool done = model->set(self->state, self->binding, reference, value, cp_running(self), &why);
        return done ? CP_OK : cp_log(self, CP_DISCARD, CP_LOG_PARAMETER, "%s", why.text);
    }
    const bool later = variable->role == CP_FIXED && variable->type != CP_ENUMERATION && cp_fits_its_place(variable, value);
    if (!later && !cp_in_range(variable, value)) {
        return cp_out_of_range(self, CP_DISCARD, variable, value);
    }
    cp_put(variable, self->state, value);
    return CP_OK;
}

/* Can this be a parameter that is changed in a run, and then has to fit the others? */
static bool cp_is_tuned(const cp_instance *self, uint32_t reference)
{
    const bool known = reference > 0 && reference <= self->n_variables;
    return known && self->model->agree != NULL && cp_running(self) && self->variable[reference - 1]->role == CP_TUNABLE;
}

/* Parameters of one call count together: if they do not fit each other or the rest, all are as `before` the call. */
static cp_status cp_agree(cp_instance *self, cp_selection which, const void *before)
{
    cp_reason why;
    if (self->model->agree(self->state, self->binding, &why)) {
        return CP_OK;
    }
    for (size_t i = 0; i < which.n; i++) {
        if (cp_is_tuned(self, which.references[i])) {
            const cp_variable *const variable = self->variable[which.references[i] - 1];
            cp_put(variable, self->state, cp_value(variable, before));
        }
    }
    return cp_log(self, CP_DISCARD, CP_LOG_PARAMETER, "%s", why.text);
}

static cp_status cp_worse(cp_status one, cp_status other)
{
    return one > other ? one : other;
}

/* What is refused keeps its old value, all else is set; where nothing is, outputs stay as they are. */
CP_API cp_status cp_set(cp_instance *self, cp_selection which, const void *values)
{
    cp_status worst = CP_OK;
    if (!cp_pointers_ok(self, which.n, which.references, values)) {
        return CP_ERROR;
    }
    bool tuned = false;
    bool changed = false;
    bool retuned = false;
    for (size_t i = 0; i < which.n; i++) {
        const bool tunes = cp_is_tuned(self, which.references[i]);
        if (tunes && !tuned) {
            memcpy(self->preview, self->state, self->state_size); /* which has to be made anew anyway */
            self->preview_is_made = false;
            tuned = true;
        }
        const cp_status status = cp_set_one(self, which.references[i], which.types, cp_load(which.array, values, i));
        changed = changed || (status == CP_OK && !tunes);
        retuned = retuned || (status == CP_OK && tunes);
        worst = cp_worse(status, worst);
    }
    const cp_status agreed = tuned ? cp_agree(self, which, self->preview) : CP_OK;
    if (changed || (retuned && agreed == CP_OK)) {
        self->stale = true;
        self->preview_is_made = false;
    }
    return cp_worse(agreed, worst);
}

CP_API cp_status cp_slopes(cp_instance *self, cp_selection which, const int32_t orders[], double values[])
{
    if (!cp_pointers_ok(self, which.n, which.references, values) || !cp_pointers_ok(self, which.n, orders, values)) {
        return CP_ERROR;
    }
    const void *const state = cp_readable(self);
    for (size_t i = 0; i < which.n; i++) {
        const cp_variable *const variable = cp_find(self, which.references[i], which.types);
        if (variable == NULL) {
            return CP_ERROR;
        }
        if (orders[i] != 1 || self->model->slope == NULL ||
            !self->model->slope(state, self->binding, variable->offset, &values[i])) {
            return cp_log(self, CP_ERROR, CP_LOG_CALL, "%s has no derivative of order %g", variable->name,
                          (double)orders[i]);
        }
    }
    return CP_OK;
}

/* one row of the Jacobian times the seed */
static cp_status cp_product(cp_instance *self, const cp_variable *unknown, cp_selection knowns, const double seed[],
                            double *sum)
{
    const void *const state = cp_refreshed(self);
    *sum = 0.0;
    for (size_t j = 0; j < knowns.n; j++) {
        const cp_variable *const known = cp_find(self, knowns.references[j], knowns.types);
        double value = 0.0;
        if (known == NULL) {
            return CP_ERROR;
        }
        if (!self->model->partial(state, self->binding, cp_running(self), unknown->offset, known->offset, &value)) {
            return cp_log(self, CP_ERROR, CP_LOG_CALL, "no derivative of %s with respect to %s", unknown->name,
                          known->name);
        }
        *sum += value * seed[j];
    }
    return CP_OK;
}

CP_API cp_status cp_directional(cp_instance *self, cp_selection unknowns, cp_selection knowns, const double seed[],
                                double sensitivity[])
{
    if (self->model->partial == NULL) {
        return cp_log(self, CP_ERROR, CP_LOG_CALL, "%s has no directional derivatives", self->model->name);
    }
    if (!cp_pointers_ok(self, unknowns.n, unknowns.references, sensitivity) ||
        !cp_pointers_ok(self, knowns.n, knowns.references, seed)) {
        return CP_ERROR;
    }
    for (size_t i = 0; i < unknowns.n; i++) {
        const cp_variable *const unknown = cp_find(self, unknowns.references[i], unknowns.types);
        if (unknown == NULL || cp_product(self, unknown, knowns, seed, &sensitivity[i]) != CP_OK) {
            return CP_ERROR;
        }
    }
    return CP_OK;
}
