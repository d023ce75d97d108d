#include "instance.h"

#include <string.h>

static void cp_set_time(cp_instance *self, double time)
{
    memcpy((char *)self->state + self->model->time, &time, sizeof time);
}

static cp_status cp_check_parameters(const cp_instance *self)
{
    cp_status status = CP_OK;
    if (self->model->set != NULL) {
        return CP_OK; /* the model has its own checks */
    }
    for (size_t i = 0; i < self->n_variables; i++) {
        const cp_variable *const variable = self->variable[i];
        const bool given = variable->role == CP_FIXED || variable->role == CP_TUNABLE;
        if (given && !cp_in_range(variable, cp_value(variable, self->state))) {
            status = cp_out_of_range(self, CP_ERROR, variable, cp_value(variable, self->state));
        }
    }
    return status;
}

CP_API cp_status cp_set_period(cp_instance *self, double start, bool stop_defined, double stop)
{
    if (!cp_finite(start) || (stop_defined && !(stop >= start))) {
        return cp_log(self, CP_ERROR, CP_LOG_TIMING, "start time %t s, stop time %t s: not a period of time", start,
                      stop);
    }
    self->start_time = start;
    self->preview_is_made = false;
    cp_set_time(self, start);
    return CP_OK;
}

CP_API void cp_pass_to(cp_instance *self, cp_phase phase)
{
    self->phase = phase;
    self->stale = true;
    self->preview_is_made = false;
}

CP_API cp_status cp_enter_initialization(cp_instance *self)
{
    if (cp_check_parameters(self) != CP_OK) {
        return CP_ERROR;
    }
    cp_pass_to(self, CP_INITIALIZATION);
    return CP_OK;
}

CP_API cp_status cp_exit_initialization(cp_instance *self)
{
    const cp_model *const model = self->model;
    cp_reason why;
    if (cp_check_parameters(self) != CP_OK) {
        return CP_ERROR;
    }
    if (model->finish != NULL && !model->finish(self->state, self->binding, self->start_time, &why)) {
        return cp_log(self, CP_ERROR, CP_LOG_PARAMETER, "%s", why.text);
    }
    cp_pass_to(self, self->event_mode ? CP_EVENT : CP_STEPPING);
    return CP_OK;
}

/* does the step continue the last one? */
static bool cp_step_fits(const cp_instance *self, const cp_step *step)
{
    const double period = self->model->period != NULL ? self->model->period(self->state) : 0.0;
    const double tolerance = cp_stray(step->t, step->h, period > 0.0 ? period : step->h);
    const double late = step->t - cp_time(self);
    if (!(step->t + step->h > step->t) || !cp_finite(step->t + step->h)) {
        (void)cp_log(self, CP_ERROR, CP_LOG_TIMING, "step size = %t s from t = %t s, allowed above 0, so that the time moves on",
                     step->h, step->t);
        return false;
    }
    if (late > tolerance || late < -tolerance) {
        (void)cp_log(self, CP_ERROR, CP_LOG_TIMING, "current time = %t s, allowed %t s where the last step ended",
                     step->t, cp_time(self));
        return false;
    }
    return true;
}

CP_API cp_status cp_do_step(cp_instance *self, cp_step *step)
{
    step->events = 0;
    step->event_needed = false;
    step->terminate = false;
    step->why.text[0] = '\0';
    if (step->h == 0.0) { /* some hosts begin with one */
        return CP_OK;
    }
    const bool fits = self->model->checks_time || cp_step_fits(self, step);
    const cp_status status = fits ? self->model->step(self->state, self->binding, step) : CP_ERROR;
    if (step->events != 0) {
        cp_tell(self, step->t, step->events);
    }
    self->preview_is_made = false;
    if (status >= CP_DISCARD) {
        self->phase = CP_FAILED;
        return *step->why.text != '\0' ? cp_log(self, status, CP_LOG_TIMING, "%s", step->why.text) : status;
    }
    if (step->t + step->h > cp_time(self)) { /* which never goes back */
        cp_set_time(self, step->t + step->h);
    }
    self->stale = false;
    self->phase = step->terminate ? CP_ENDED : self->phase;
    return status;
}

CP_API cp_status cp_terminate(cp_instance *self)
{
    if (self->model->closing != NULL) {
        cp_tell(self, cp_time(self), self->model->closing(self->state));
    }
    self->phase = CP_TERMINATED;
    return CP_OK;
}
