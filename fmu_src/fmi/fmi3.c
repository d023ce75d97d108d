/* FMI 3.0 co-simulation face, with Event Mode. What the standard has and these FMUs have not is in fmi3_absent.c. */
#include <stdlib.h>

#include "instance.h"

#include "fmi3Functions.h"

enum {
    CP_F3_LOGGING, CP_F3_FREE, CP_F3_ENTER, CP_F3_EXIT, CP_F3_EVENT, CP_F3_STEP_MODE, CP_F3_UPDATE, CP_F3_EVALUATE,
    CP_F3_TERMINATE, CP_F3_RESET, CP_F3_GET, CP_F3_SET, CP_F3_STATE_GET, CP_F3_STATE_SET, CP_F3_STATE_FREE,
    CP_F3_STATE_SIZE, CP_F3_STATE_WRITE, CP_F3_STATE_READ, CP_F3_DIRECTIONAL, CP_F3_SLOPE, CP_F3_STEP, CP_F3_ABSENT
};

enum { CP_RUN_PHASES = CP_STEPPING | CP_EVENT, CP_PAST_PHASES = CP_FAILED | CP_ENDED | CP_TERMINATED };

/* The call order: who may be called when. Reading harms nothing and is allowed always. */
static const cp_rule cp_order3[] = {
    [CP_F3_LOGGING] = {"fmi3SetDebugLogging", CP_ANY_PHASE},
    [CP_F3_FREE] = {"fmi3FreeInstance", CP_ANY_PHASE},
    [CP_F3_ENTER] = {"fmi3EnterInitializationMode", CP_INSTANTIATED},
    [CP_F3_EXIT] = {"fmi3ExitInitializationMode", CP_INITIALIZATION},
    [CP_F3_EVENT] = {"fmi3EnterEventMode", CP_STEPPING},
    [CP_F3_STEP_MODE] = {"fmi3EnterStepMode", CP_EVENT},
    [CP_F3_UPDATE] = {"fmi3UpdateDiscreteStates", CP_EVENT},
    [CP_F3_EVALUATE] = {"fmi3EvaluateDiscreteStates", CP_INITIALIZATION | CP_EVENT},
    [CP_F3_TERMINATE] = {"fmi3Terminate", CP_RUN_PHASES | CP_FAILED | CP_ENDED},
    [CP_F3_RESET] = {"fmi3Reset", CP_ANY_PHASE},
    [CP_F3_GET] = {"fmi3GetXXX", CP_ANY_PHASE},
    [CP_F3_SET] = {"fmi3SetXXX", CP_INSTANTIATED | CP_INITIALIZATION | CP_RUN_PHASES},
    [CP_F3_STATE_GET] = {"fmi3GetFMUState", CP_ANY_PHASE},
    [CP_F3_STATE_SET] = {"fmi3SetFMUState", CP_ANY_PHASE},
    [CP_F3_STATE_FREE] = {"fmi3FreeFMUState", CP_ANY_PHASE},
    [CP_F3_STATE_SIZE] = {"fmi3SerializedFMUStateSize", CP_ANY_PHASE},
    [CP_F3_STATE_WRITE] = {"fmi3SerializeFMUState", CP_ANY_PHASE},
    [CP_F3_STATE_READ] = {"fmi3DeserializeFMUState", CP_ANY_PHASE},
    [CP_F3_DIRECTIONAL] = {"fmi3GetDirectionalDerivative", CP_INITIALIZATION | CP_RUN_PHASES | CP_PAST_PHASES},
    [CP_F3_SLOPE] = {"fmi3GetOutputDerivatives", CP_RUN_PHASES | CP_PAST_PHASES},
    [CP_F3_STEP] = {"fmi3DoStep", CP_STEPPING},
    [CP_F3_ABSENT] = {"", CP_ANY_PHASE},
};

static void cp_emit3(const cp_instance *self, cp_status status, const char *category, const char *text)
{
    const fmi3LogMessageCallback logger = (fmi3LogMessageCallback)self->host_log;
    if (logger != NULL) {
        logger(self->environment, (fmi3Status)status, category, text);
    }
}

static fmi3Status cp_status3(cp_status status)
{
    return status == CP_DISCARD ? fmi3Error : (fmi3Status)status;
}

/* A function of the standard that passes its arguments on where the call order admits it; `answer` sees `self`. */
#define CP_PASS_ON(function, parameters, rule, answer)                  \
    FMI3_Export fmi3Status function parameters                          \
    {                                                                   \
        cp_instance *const self = cp_admit(instance, &cp_order3[rule]); \
        return self != NULL ? cp_status3(answer) : fmi3Error;           \
    }

FMI3_Export const char *fmi3GetVersion(void)
{
    return fmi3Version;
}

CP_PASS_ON(fmi3SetDebugLogging, (fmi3Instance instance, fmi3Boolean on, size_t n, const fmi3String categories[]),
           CP_F3_LOGGING, cp_set_logging(self, on, n, categories))

FMI3_Export fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean on,
    fmi3Boolean event_mode, fmi3Boolean early, const fmi3ValueReference intermediate[], size_t n_intermediate,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{
    (void)visible;
    (void)on;
    (void)intermediate;
    (void)n_intermediate;
    (void)update;
    if (name == NULL) {
        return NULL;
    }
    const cp_host host = {
        .name = name,
        .token = token,
        .location = resources,
        .environment = environment,
        .emit = cp_emit3,
        .host_log = (void (*)(void))log,
        .memory = {calloc, free},
        .event_mode = event_mode,
        .early = early,
    };
    return cp_create(&cp_this_model, CP_SETTINGS_OF_FMU, &host);
}

FMI3_Export void fmi3FreeInstance(fmi3Instance instance)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_FREE]);
    if (self != NULL) {
        cp_free(self);
    }
}

FMI3_Export fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean tolerance_defined,
                                                   fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean stop_defined,
                                                   fmi3Float64 stop)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_ENTER]);
    (void)tolerance_defined;
    (void)tolerance;
    if (self == NULL || cp_set_period(self, start, stop_defined, stop) != CP_OK) {
        return fmi3Error;
    }
    return cp_status3(cp_enter_initialization(self));
}

CP_PASS_ON(fmi3ExitInitializationMode, (fmi3Instance instance), CP_F3_EXIT, cp_exit_initialization(self))

FMI3_Export fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_EVENT]);
    if (self == NULL) {
        return fmi3Error;
    }
    if (!self->event_mode) {
        return cp_status3(cp_log(self, CP_ERROR, CP_LOG_CALL, "Event Mode was not asked for at instantiation"));
    }
    cp_pass_to(self, CP_EVENT);
    return fmi3OK;
}

FMI3_Export fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_STEP_MODE]);
    if (self == NULL) {
        return fmi3Error;
    }
    self->phase = CP_STEPPING;
    return fmi3OK;
}

FMI3_Export fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *again, fmi3Boolean *terminate,
                                                fmi3Boolean *nominals, fmi3Boolean *values, fmi3Boolean *next_defined,
                                                fmi3Float64 *next)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_UPDATE]);
    if (self == NULL) {
        return fmi3Error;
    }
    if (again == NULL || terminate == NULL || nominals == NULL || values == NULL || next_defined == NULL ||
        next == NULL) {
        return cp_status3(cp_log(self, CP_ERROR, CP_LOG_CALL, "a null pointer for an answer"));
    }
    *again = false;
    *terminate = false;
    *nominals = false;
    *values = false;
    *next = self->model->next_event != NULL ? self->model->next_event(self->state, self->binding) : CP_UNLIMITED;
    *next_defined = *next < CP_UNLIMITED;
    return fmi3OK;
}

/* outputs are worked out when they are read */
FMI3_Export fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance)
{
    return cp_admit(instance, &cp_order3[CP_F3_EVALUATE]) != NULL ? fmi3OK : fmi3Error;
}

CP_PASS_ON(fmi3Terminate, (fmi3Instance instance), CP_F3_TERMINATE, cp_terminate(self))

FMI3_Export fmi3Status fmi3Reset(fmi3Instance instance)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_RESET]);
    if (self == NULL) {
        return fmi3Error;
    }
    cp_reset(self);
    return fmi3OK;
}

static cp_selection cp_chosen3(cp_type type, cp_array array, const fmi3ValueReference references[], size_t n)
{
    return (cp_selection){1u << type, array, references, n};
}

static bool cp_counts_ok(const cp_instance *self, size_t n, size_t n_values)
{
    if (self != NULL && n != n_values) {
        (void)cp_log(self, CP_ERROR, CP_LOG_CALL, "%g value references, %g values", (double)n, (double)n_values);
    }
    return self != NULL && n == n_values;
}

static fmi3Status cp_get3(fmi3Instance instance, cp_selection which, void *values, size_t n_values)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_GET]);
    return cp_counts_ok(self, which.n, n_values) ? cp_status3(cp_get(self, which, values)) : fmi3Error;
}

static fmi3Status cp_set3(fmi3Instance instance, cp_selection which, const void *values, size_t n_values)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_SET]);
    return cp_counts_ok(self, which.n, n_values) ? cp_status3(cp_set(self, which, values)) : fmi3Error;
}

#define CP_REFERENCES fmi3Instance instance, const fmi3ValueReference references[], size_t n
#define CP_VALUES(type, kind, array)                                                                \
    FMI3_Export fmi3Status fmi3Get##type(CP_REFERENCES, fmi3##type values[], size_t n_values)       \
    {                                                                                               \
        return cp_get3(instance, cp_chosen3(kind, array, references, n), values, n_values);         \
    }                                                                                               \
    FMI3_Export fmi3Status fmi3Set##type(CP_REFERENCES, const fmi3##type values[], size_t n_values) \
    {                                                                                               \
        return cp_set3(instance, cp_chosen3(kind, array, references, n), values, n_values);         \
    }

CP_VALUES(Float64, CP_REAL, CP_AS_DOUBLE)
CP_VALUES(Int32, CP_INTEGER, CP_AS_INT32)
CP_VALUES(Int64, CP_ENUMERATION, CP_AS_INT64)
CP_VALUES(Boolean, CP_BOOLEAN, CP_AS_BOOL)

CP_PASS_ON(fmi3GetFMUState, (fmi3Instance instance, fmi3FMUState *state), CP_F3_STATE_GET, cp_state_get(self, state))
CP_PASS_ON(fmi3SetFMUState, (fmi3Instance instance, fmi3FMUState state), CP_F3_STATE_SET, cp_state_set(self, state))
CP_PASS_ON(fmi3FreeFMUState, (fmi3Instance instance, fmi3FMUState *state), CP_F3_STATE_FREE, cp_state_free(self, state))
CP_PASS_ON(fmi3SerializedFMUStateSize, (fmi3Instance instance, fmi3FMUState state, size_t *size),
           CP_F3_STATE_SIZE, cp_state_size(self, state, size))
CP_PASS_ON(fmi3SerializeFMUState, (fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size),
           CP_F3_STATE_WRITE, cp_state_write(self, state, bytes, size))
CP_PASS_ON(fmi3DeserializeFMUState, (fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState *state),
           CP_F3_STATE_READ, cp_state_read(self, bytes, size, state))

FMI3_Export fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                                    size_t n_unknowns, const fmi3ValueReference knowns[],
                                                    size_t n_knowns, const fmi3Float64 seed[], size_t n_seed,
                                                    fmi3Float64 sensitivity[], size_t n_sensitivity)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_DIRECTIONAL]);
    if (!cp_counts_ok(self, n_knowns, n_seed) || !cp_counts_ok(self, n_unknowns, n_sensitivity)) {
        return fmi3Error;
    }
    return cp_status3(cp_directional(self, cp_chosen3(CP_REAL, CP_AS_DOUBLE, unknowns, n_unknowns),
                                     cp_chosen3(CP_REAL, CP_AS_DOUBLE, knowns, n_knowns), seed, sensitivity));
}

FMI3_Export fmi3Status fmi3GetOutputDerivatives(CP_REFERENCES, const fmi3Int32 orders[], fmi3Float64 values[],
                                                size_t n_values)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_SLOPE]);
    if (!cp_counts_ok(self, n, n_values)) {
        return fmi3Error;
    }
    return cp_status3(cp_slopes(self, cp_chosen3(CP_REAL, CP_AS_DOUBLE, references, n), orders, values));
}

FMI3_Export fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set_prior,
                                  fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early,
                                  fmi3Float64 *last_time)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_STEP]);
    (void)no_set_prior;
    if (self == NULL) {
        return fmi3Error;
    }
    if (event_needed == NULL || terminate == NULL || early == NULL || last_time == NULL) {
        return cp_status3(cp_log(self, CP_ERROR, CP_LOG_CALL, "a null pointer for an answer"));
    }
    cp_step step;
    step.t = t;
    step.h = h;
    step.event_mode = self->event_mode;
    step.early = self->early;
    const cp_status status = cp_do_step(self, &step);
    *event_needed = self->event_mode && step.event_needed;
    *terminate = step.terminate;
    *early = step.h < h;
    *last_time = cp_time(self);
    return cp_status3(status);
}

#include "fmi3_absent.c"
