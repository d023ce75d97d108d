/* Actions at a communication point. */
#include "engine.h"

static const double ENGINE_ROUNDING = 1e-9; /* share of the distance of two samples by which a time may miss one */

static engine_reason each_group(const engine_action *action,
                                engine_reason (*access)(engine_fmu *fmu, const engine_group *group),
                                engine_failure *failure)
{
    for (size_t i = 0; i < action->n_groups; i++) {
        const engine_reason reason = access(action->fmu, &action->groups[i]);
        if (reason != ENGINE_FINE) {
            failure->group = (int32_t)i;
            return reason;
        }
    }
    return ENGINE_FINE;
}

static engine_reason write_inputs(const engine_action *action, engine_failure *failure)
{
    const engine_reason reason = engine_fmu_enter_event(action->fmu, failure);
    return reason != ENGINE_FINE ? reason : each_group(action, engine_fmu_write, failure);
}

/* Step in two parts; outputs between them tell slopes. */
static engine_reason step_early(const engine_action *action, double t, double h, engine_failure *failure)
{
    if (h == 0.0) {
        return ENGINE_FINE;
    }
    const double first = action->part * h;
    engine_reason reason = engine_fmu_step(action->fmu, t, first, failure);
    if (reason == ENGINE_FINE) {
        reason = each_group(action, engine_fmu_read, failure);
    }
    if (reason != ENGINE_FINE) {
        return reason;
    }
    for (size_t i = 0; i < action->n; i++) {
        action->to[action->slopes[i]] = (action->from[i] - action->to[action->places[i]]) / first;
    }
    return engine_fmu_step(action->fmu, t + first, h - first, failure);
}

/* Value of a channel at a time [s]: a sample itself where it is meant, else linear between two. */
static double channel_at(const engine_channel *channel, double now)
{
    size_t i = 0;
    for (size_t end = channel->n; i < end;) {
        const size_t middle = i + (end - i) / 2;
        if (channel->time[middle] < now) {
            i = middle + 1;
        } else {
            end = middle;
        }
    }
    if (i == 0 || i == channel->n) {
        return channel->n == 0 ? now : channel->value[i == 0 ? 0 : i - 1];
    }
    const double *const time = &channel->time[i];
    const double *const value = &channel->value[i];
    const double least = ENGINE_ROUNDING * (time[0] - time[-1]);
    if (time[0] - now <= least || now - time[-1] <= least) {
        return value[time[0] - now <= least ? 0 : -1];
    }
    return (value[0] - value[-1]) / (time[0] - time[-1]) * (now - time[-1]) + value[-1];
}

static engine_reason carry_out(const engine_action *action, double t, double h, double last_h, engine_failure *failure)
{
    switch (action->kind) {
    case ENGINE_READ:
        return each_group(action, engine_fmu_read, failure);
    case ENGINE_WRITE:
        return write_inputs(action, failure);
    case ENGINE_STEP:
        return engine_fmu_step(action->fmu, t, action->lasting && h == 0.0 ? last_h : h, failure);
    case ENGINE_EARLY:
        return step_early(action, t, h, failure);
    case ENGINE_SAVE:
        return engine_fmu_save(action->fmu, failure);
    case ENGINE_RESTORE:
        return engine_fmu_restore(action->fmu, failure);
    case ENGINE_COPY:
        for (size_t i = 0; i < action->n; i++) {
            action->to[action->places[i]] = action->from[action->places[i]];
        }
        return ENGINE_FINE;
    case ENGINE_CHANNELS:
        for (size_t i = 0; i < action->n; i++) {
            action->to[action->places[i]] = channel_at(&action->channels[i], *action->from);
        }
        return ENGINE_FINE;
    case ENGINE_TIME:
        *action->to = t + (action->lasting && h == 0.0 ? last_h : h) - action->part;
        return ENGINE_FINE;
    default:
        return action->call(t, h) == 0 ? ENGINE_FINE : ENGINE_CALL_FAILED;
    }
}

/* Carry out all actions of a plan; false: one failed, and `failure` says how. `last_h` is the last step that was not 0. */
bool engine_do(const engine_plan *plan, double t, double h, double last_h, engine_failure *failure)
{
    for (size_t i = 0; i < plan->n; i++) {
        const engine_reason reason = carry_out(&plan->actions[i], t, h, last_h, failure);
        if (reason != ENGINE_FINE) {
            failure->reason = reason;
            failure->action = &plan->actions[i];
            return false;
        }
    }
    return true;
}
