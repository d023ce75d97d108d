/* Instances of FMUs of FMI 2 and 3, with Event Mode where they have it. */
#include "engine.h"

#include <math.h>
#include <string.h>

#include "../base/grid.h"

enum { ENGINE_MOST_UPDATES = 100, ENGINE_TERMINATED = 2 /* fmi2Terminated */ };

typedef int (*engine_step2)(void *instance, double t, double h, int no_state_before);
typedef int (*engine_status2)(void *instance, int kind, int *value);
typedef int (*engine_step3)(void *instance, double t, double h, bool no_state_before, bool *event, bool *over,
                            bool *early, double *reached);
typedef int (*engine_update3)(void *instance, bool *again, bool *over, bool *nominals, bool *values, bool *announced,
                              double *next_event);
typedef int (*engine_mode3)(void *instance);
typedef int (*engine_get_state)(void *instance, void **state);
typedef int (*engine_set_state)(void *instance, void *state);
typedef int (*engine_access)(void *instance, const uint32_t *references, size_t n, void *values);
typedef int (*engine_counted)(void *instance, const uint32_t *references, size_t n, void *values, size_t size);

static void mark(const engine_fmu *fmu, const unsigned char *text)
{
    if (fmu->mark != NULL) {
        memcpy(fmu->mark, text, ENGINE_MARK);
    }
}

static void mark_time(const engine_fmu *fmu, double t)
{
    if (fmu->mark != NULL) {
        memcpy(fmu->mark + 8, &t, sizeof t);
    }
}

static void unmark(const engine_fmu *fmu)
{
    if (fmu->mark != NULL) {
        fmu->mark[0] = 0;
    }
}

static engine_reason fail(engine_failure *failure, engine_reason reason, double t, double h, int status)
{
    failure->t = t;
    failure->h = h;
    failure->status = status;
    return reason;
}

static engine_reason answered(engine_failure *failure, int function, int status)
{
    failure->function = function;
    failure->status = status;
    return ENGINE_ANSWERED;
}

static int access_group(engine_fmu *fmu, const engine_group *group)
{
    mark(fmu, group->text);
    const int status =
        group->counted
            ? ((engine_counted)group->function)(fmu->instance, group->references, group->n, group->buffer, group->n)
            : ((engine_access)group->function)(fmu->instance, group->references, group->n, group->buffer);
    unmark(fmu);
    return status;
}

#define EACH_TYPE(CASE)                                                                                               \
    CASE(ENGINE_FLOAT64, double)                                                                                      \
    CASE(ENGINE_FLOAT32, float)                                                                                       \
    CASE(ENGINE_INT8, int8_t)                                                                                         \
    CASE(ENGINE_UINT8, uint8_t)                                                                                       \
    CASE(ENGINE_INT16, int16_t)                                                                                       \
    CASE(ENGINE_UINT16, uint16_t)                                                                                     \
    CASE(ENGINE_INT32, int32_t)                                                                                       \
    CASE(ENGINE_UINT32, uint32_t)                                                                                     \
    CASE(ENGINE_INT64, int64_t)                                                                                       \
    CASE(ENGINE_UINT64, uint64_t)                                                                                     \
    CASE(ENGINE_BOOL, bool)

engine_reason engine_fmu_read(engine_fmu *fmu, const engine_group *group)
{
    if (access_group(fmu, group) > ENGINE_GOES_ON) {
        return ENGINE_NOT_GIVEN;
    }
    switch (group->type) {
#define READ(NAME, TYPE)                                                                                              \
    case NAME:                                                                                                        \
        for (size_t i = 0; i < group->n; i++) {                                                                       \
            group->values[group->places[i]] = (double)((const TYPE *)group->buffer)[i];                               \
        }                                                                                                             \
        break;
        EACH_TYPE(READ)
    default:
        return ENGINE_NOT_GIVEN;
    }
    return ENGINE_FINE;
}

/* Is a number whole enough for a type that is not real? Any finite one is: its part before the point is meant. */
static bool may_be_set(const engine_group *group)
{
    for (size_t i = 0; group->type > ENGINE_FLOAT32 && i < group->n; i++) {
        if (!(fabs(group->values[group->places[i]]) < 9223372036854775808.0)) {
            return false;
        }
    }
    return true;
}

engine_reason engine_fmu_write(engine_fmu *fmu, const engine_group *group)
{
    if (!may_be_set(group)) {
        return ENGINE_NOT_TAKEN;
    }
    const int32_t *const places = group->places;
    switch (group->type) {
    case ENGINE_FLOAT64:
        for (size_t i = 0; i < group->n; i++) {
            ((double *)group->buffer)[i] = group->values[places[i]];
        }
        break;
    case ENGINE_FLOAT32:
        for (size_t i = 0; i < group->n; i++) {
            ((float *)group->buffer)[i] = (float)group->values[places[i]];
        }
        break;
#define WRITE(NAME, TYPE)                                                                                             \
    case NAME:                                                                                                        \
        for (size_t i = 0; i < group->n; i++) {                                                                       \
            ((TYPE *)group->buffer)[i] = (TYPE)(int64_t)group->values[places[i]];                                     \
        }                                                                                                             \
        break;
        WRITE(ENGINE_INT8, int8_t)
        WRITE(ENGINE_UINT8, uint8_t)
        WRITE(ENGINE_INT16, int16_t)
        WRITE(ENGINE_UINT16, uint16_t)
        WRITE(ENGINE_INT32, int32_t)
        WRITE(ENGINE_UINT32, uint32_t)
        WRITE(ENGINE_INT64, int64_t)
        WRITE(ENGINE_UINT64, uint64_t)
        WRITE(ENGINE_BOOL, bool)
    default:
        return ENGINE_NOT_TAKEN;
    }
    return access_group(fmu, group) > ENGINE_GOES_ON ? ENGINE_NOT_TAKEN : ENGINE_FINE;
}

static int call_mode(engine_fmu *fmu, int function)
{
    mark(fmu, fmu->text[function]);
    const int status = ((engine_mode3)fmu->function[function])(fmu->instance);
    unmark(fmu);
    return status;
}

engine_reason engine_fmu_enter_event(engine_fmu *fmu, engine_failure *failure)
{
    if (!fmu->has_events || fmu->in_event) {
        return ENGINE_FINE;
    }
    const int status = call_mode(fmu, ENGINE_ENTER_EVENT);
    if (status > ENGINE_GOES_ON) {
        return answered(failure, ENGINE_ENTER_EVENT, status);
    }
    fmu->in_event = 1;
    fmu->event_waits = 0;
    return ENGINE_FINE;
}

/* Iterate until the discrete states stay, and note the time of the next event. */
static engine_reason update_discrete_states(engine_fmu *fmu, double t, engine_failure *failure)
{
    for (int i = 0; i < ENGINE_MOST_UPDATES; i++) {
        bool again = false;
        bool over = false;
        bool nominals = false;
        bool values = false;
        bool announced = false;
        double next_event = 0.0;
        mark(fmu, fmu->text[ENGINE_UPDATE]);
        const int status = ((engine_update3)fmu->function[ENGINE_UPDATE])(fmu->instance, &again, &over, &nominals,
                                                                         &values, &announced, &next_event);
        unmark(fmu);
        if (status > ENGINE_GOES_ON) {
            return fail(failure, ENGINE_EVENT_REFUSED, t, 0.0, status);
        }
        if (over) {
            return fail(failure, ENGINE_ENDED, t, 0.0, status);
        }
        if (!again) {
            fmu->next_event = announced ? next_event : HUGE_VAL;
            return ENGINE_FINE;
        }
    }
    return fail(failure, ENGINE_EVENT_ENDLESS, t, 0.0, 0);
}

static engine_reason leave_event(engine_fmu *fmu, double t, engine_failure *failure)
{
    engine_reason reason = fmu->event_waits ? engine_fmu_enter_event(fmu, failure) : ENGINE_FINE;
    if (reason != ENGINE_FINE || !fmu->in_event) {
        return reason;
    }
    reason = update_discrete_states(fmu, t, failure);
    if (reason != ENGINE_FINE) {
        return reason;
    }
    const int status = call_mode(fmu, ENGINE_ENTER_STEP);
    if (status > ENGINE_GOES_ON) {
        return answered(failure, ENGINE_ENTER_STEP, status);
    }
    fmu->in_event = 0;
    fmu->event_waits = 0;
    return ENGINE_FINE;
}

/* Step to t + h or the next event, whichever is first. */
static engine_reason advance(engine_fmu *fmu, double t, double h, double *reached, engine_failure *failure)
{
    const engine_reason reason = leave_event(fmu, t, failure);
    if (reason != ENGINE_FINE) {
        return reason;
    }
    const double left = fmu->next_event - t;
    const double same = cp_same_time(t + h, h);
    h = same < left && left < h - same ? left : h;
    bool event = false;
    bool over = false;
    bool early = false;
    double last = 0.0;
    mark(fmu, fmu->text[ENGINE_DO_STEP]);
    mark_time(fmu, t);
    const int status = ((engine_step3)fmu->function[ENGINE_DO_STEP])(fmu->instance, t, h, !fmu->restorable, &event,
                                                                    &over, &early, &last);
    unmark(fmu);
    if (status > ENGINE_GOES_ON) {
        return fail(failure, ENGINE_STEP_REFUSED, t, h, status);
    }
    *reached = early ? last : t + h;
    fmu->event_waits = fmu->has_events && (event || *reached >= fmu->next_event - same);
    if (over) {
        return fail(failure, ENGINE_ENDED, *reached, 0.0, status);
    }
    return *reached > t ? ENGINE_FINE : fail(failure, ENGINE_STAYS, t, h, status);
}

static engine_reason step3(engine_fmu *fmu, double t, double h, engine_failure *failure)
{
    const double end = t + h;
    double reached = t;
    engine_reason reason = advance(fmu, t, h, &reached, failure);
    while (reason == ENGINE_FINE && end - reached > cp_same_time(end, h)) {
        reason = advance(fmu, reached, end - reached, &reached, failure);
    }
    return reason;
}

engine_reason engine_fmu_step(engine_fmu *fmu, double t, double h, engine_failure *failure)
{
    if (fmu->version == 3) {
        return step3(fmu, t, h, failure);
    }
    mark(fmu, fmu->text[ENGINE_DO_STEP]);
    mark_time(fmu, t);
    const int status = ((engine_step2)fmu->function[ENGINE_DO_STEP])(fmu->instance, t, h, !fmu->restorable);
    unmark(fmu);
    return status > ENGINE_GOES_ON ? fail(failure, ENGINE_STEP_REFUSED, t, h, status) : ENGINE_FINE;
}

engine_reason engine_fmu_save(engine_fmu *fmu, engine_failure *failure)
{
    mark(fmu, fmu->text[ENGINE_GET_STATE]);
    const int status = ((engine_get_state)fmu->function[ENGINE_GET_STATE])(fmu->instance, &fmu->state);
    unmark(fmu);
    fmu->kept_next_event = fmu->next_event;
    fmu->kept_in_event = fmu->in_event;
    fmu->kept_event_waits = fmu->event_waits;
    return status > ENGINE_GOES_ON ? answered(failure, ENGINE_GET_STATE, status) : ENGINE_FINE;
}

engine_reason engine_fmu_restore(engine_fmu *fmu, engine_failure *failure)
{
    mark(fmu, fmu->text[ENGINE_SET_STATE]);
    const int status = ((engine_set_state)fmu->function[ENGINE_SET_STATE])(fmu->instance, fmu->state);
    unmark(fmu);
    fmu->next_event = fmu->kept_next_event;
    fmu->in_event = fmu->kept_in_event;
    fmu->event_waits = fmu->kept_event_waits;
    return status > ENGINE_GOES_ON ? answered(failure, ENGINE_SET_STATE, status) : ENGINE_FINE;
}
