#include "instance.h"

/* the worst status among the events */
static cp_status cp_worst(const cp_instance *self, uint32_t events)
{
    cp_status worst = CP_OK;
    for (size_t bit = 0; bit < self->model->n_events; bit++) {
        if ((events >> bit & 1u) != 0 && self->model->events[bit].status > worst) {
            worst = self->model->events[bit].status;
        }
    }
    return worst;
}

static cp_status cp_check_parameters(const cp_instance *self)
{
    cp_status status = CP_OK;
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
    if (!cp_is_finite(start) || (stop_defined && !(stop >= start))) {
        return cp_log(self, CP_ERROR, "start time %.12g s, stop time %.12g s: not a period of time", start, stop);
    }
    self->clock.start = start;
    self->clock.time = start;
    self->clock.stop = stop_defined && stop < CP_LARGEST ? stop : CP_LARGEST;
    return CP_OK;
}

/* the step from one phase to the next, if the model agrees */
static cp_status cp_pass(cp_instance *self, uint32_t events, cp_phase next)
{
    cp_tell(self, events);
    if (cp_worst(self, events) == CP_ERROR) {
        return CP_ERROR;
    }
    self->clock.phase = (int32_t)next;
    self->clock.stale = 1;
    self->preview_is_made = false;
    return CP_OK;
}

CP_API cp_status cp_enter_initialization(cp_instance *self)
{
    const cp_model *const model = self->model;
    if (cp_check_parameters(self) != CP_OK) {
        return CP_ERROR;
    }
    const uint32_t events = model->begin != NULL ? model->begin(self->state, self->binding, self->clock.start) : 0;
    return cp_pass(self, events, CP_INITIALIZATION);
}

CP_API cp_status cp_exit_initialization(cp_instance *self)
{
    const cp_model *const model = self->model;
    if (cp_check_parameters(self) != CP_OK) {
        return CP_ERROR;
    }
    const uint32_t events = model->finish != NULL ? model->finish(self->state, self->binding, self->clock.start) : 0;
    return cp_pass(self, events, self->event_mode ? CP_EVENT : CP_STEPPING);
}

static bool cp_step_fits(const cp_instance *self, const cp_step *step)
{
    if (!(step->h > 0.0) || !cp_is_finite(step->t + step->h)) {
        (void)cp_log(self, CP_ERROR, "step of %.12g s from t = %.12g s: it must be positive", step->h, step->t);
        return false;
    }
    const double period = self->model->period != NULL ? self->model->period(self->state) : 0.0;
    const double tolerance = 1e-6 * (period > 0.0 ? period : step->h);
    const double late = step->t - self->clock.time;
    if (late > tolerance || late < -tolerance) {
        (void)cp_log(self, CP_ERROR, "step from t = %.12g s, but the last one ended at t = %.12g s", step->t,
                     self->clock.time);
        return false;
    }
    return true;
}

CP_API cp_status cp_do_step(cp_instance *self, cp_step *step)
{
    if (!cp_step_fits(self, step)) {
        self->clock.phase = CP_FAILED;
        return CP_ERROR;
    }
    const cp_status status = self->model->step(self->state, self->binding, step);
    cp_tell(self, step->events);
    self->clock.time = step->t + step->h;
    self->clock.stale = 0;
    self->preview_is_made = false;
    if (status >= CP_DISCARD || step->terminate) {
        self->clock.phase = status >= CP_DISCARD ? CP_FAILED : CP_ENDED;
    }
    return status;
}
