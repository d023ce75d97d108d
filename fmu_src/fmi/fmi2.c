/* FMI 2.0 co-simulation face. */
#include <stdlib.h>
#include <string.h>

#include "instance.h"

#include "fmi2Functions.h"

enum {
    CP_F2_LOGGING, CP_F2_FREE, CP_F2_SETUP, CP_F2_ENTER, CP_F2_EXIT, CP_F2_TERMINATE, CP_F2_RESET, CP_F2_GET, CP_F2_SET,
    CP_F2_STATE_GET, CP_F2_STATE_SET, CP_F2_STATE_FREE, CP_F2_STATE_SIZE, CP_F2_STATE_WRITE, CP_F2_STATE_READ,
    CP_F2_DIRECTIONAL, CP_F2_SLOPE_SET, CP_F2_SLOPE_GET, CP_F2_STEP, CP_F2_CANCEL, CP_F2_STATUS
};

enum { CP_STARTED = CP_STEPPING | CP_FAILED | CP_ENDED | CP_TERMINATED };

/* The call order: who may be called when. Reading harms nothing and is allowed always. */
static const cp_rule cp_order2[] = {
    [CP_F2_LOGGING] = {"fmi2SetDebugLogging", CP_ANY_PHASE},
    [CP_F2_FREE] = {"fmi2FreeInstance", CP_ANY_PHASE},
    [CP_F2_SETUP] = {"fmi2SetupExperiment", CP_INSTANTIATED},
    [CP_F2_ENTER] = {"fmi2EnterInitializationMode", CP_INSTANTIATED},
    [CP_F2_EXIT] = {"fmi2ExitInitializationMode", CP_INITIALIZATION},
    [CP_F2_TERMINATE] = {"fmi2Terminate", CP_STEPPING | CP_FAILED | CP_ENDED},
    [CP_F2_RESET] = {"fmi2Reset", CP_ANY_PHASE},
    [CP_F2_GET] = {"fmi2GetXXX", CP_ANY_PHASE},
    [CP_F2_SET] = {"fmi2SetXXX", CP_INSTANTIATED | CP_INITIALIZATION | CP_STEPPING},
    [CP_F2_STATE_GET] = {"fmi2GetFMUstate", CP_ANY_PHASE},
    [CP_F2_STATE_SET] = {"fmi2SetFMUstate", CP_ANY_PHASE},
    [CP_F2_STATE_FREE] = {"fmi2FreeFMUstate", CP_ANY_PHASE},
    [CP_F2_STATE_SIZE] = {"fmi2SerializedFMUstateSize", CP_ANY_PHASE},
    [CP_F2_STATE_WRITE] = {"fmi2SerializeFMUstate", CP_ANY_PHASE},
    [CP_F2_STATE_READ] = {"fmi2DeSerializeFMUstate", CP_ANY_PHASE},
    [CP_F2_DIRECTIONAL] = {"fmi2GetDirectionalDerivative", CP_INITIALIZATION | CP_STARTED},
    [CP_F2_SLOPE_SET] = {"fmi2SetRealInputDerivatives", CP_STEPPING},
    [CP_F2_SLOPE_GET] = {"fmi2GetRealOutputDerivatives", CP_STARTED},
    [CP_F2_STEP] = {"fmi2DoStep", CP_STEPPING},
    [CP_F2_CANCEL] = {"fmi2CancelStep", 0},
    [CP_F2_STATUS] = {"fmi2GetXXXStatus", CP_STARTED},
};

static void cp_emit2(const cp_instance *self, cp_status status, const char *category, const char *text)
{
    const fmi2CallbackLogger logger = (fmi2CallbackLogger)self->host_log;
    if (logger != NULL) {
        logger(self->environment, self->name != NULL ? self->name : "", (fmi2Status)status, category, "%s", text);
    }
}

static cp_selection cp_reals(const fmi2ValueReference vr[], size_t n)
{
    return (cp_selection){1u << CP_REAL, CP_AS_DOUBLE, vr, n};
}

static cp_selection cp_integers(const fmi2ValueReference vr[], size_t n)
{
    return (cp_selection){1u << CP_INTEGER | 1u << CP_ENUMERATION, CP_AS_INT32, vr, n};
}

static cp_selection cp_booleans(const fmi2ValueReference vr[], size_t n)
{
    return (cp_selection){1u << CP_BOOLEAN, CP_AS_INT32, vr, n};
}

/* A function of the standard that passes its arguments on where the call order admits it; `answer` sees `self`. */
#define CP_PASS_ON(function, parameters, rule, answer)           \
    FMI2_Export fmi2Status function parameters                   \
    {                                                            \
        cp_instance *const self = cp_admit(c, &cp_order2[rule]); \
        return self != NULL ? (fmi2Status)answer : fmi2Error;    \
    }

FMI2_Export const char *fmi2GetTypesPlatform(void)
{
    return fmi2TypesPlatform;
}

FMI2_Export const char *fmi2GetVersion(void)
{
    return "2.0";
}

CP_PASS_ON(fmi2SetDebugLogging, (fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[]),
           CP_F2_LOGGING, cp_set_logging(self, on != fmi2False, n, categories))

FMI2_Export fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String location,
                                          const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean on)
{
    (void)visible;
    (void)on;
    if (functions == NULL || name == NULL) {
        return NULL;
    }
    if (type != fmi2CoSimulation) {
        const fmi2CallbackLogger logger = functions->logger;
        if (logger != NULL) {
            logger(functions->componentEnvironment, name, fmi2Error, CP_LOG_CALL, "%s",
                   "this FMU is for co-simulation only");
        }
        return NULL;
    }
    const bool own = functions->allocateMemory == NULL || functions->freeMemory == NULL;
    const cp_host host = {
        .name = name,
        .token = guid,
        .location = location,
        .environment = functions->componentEnvironment,
        .emit = cp_emit2,
        .host_log = (void (*)(void))functions->logger,
        .memory = {own ? calloc : functions->allocateMemory, own ? free : functions->freeMemory},
    };
    return cp_create(&cp_this_model, CP_SETTINGS_OF_FMU, &host);
}

FMI2_Export void fmi2FreeInstance(fmi2Component c)
{
    cp_instance *const self = cp_admit(c, &cp_order2[CP_F2_FREE]);
    if (self != NULL) {
        cp_free(self);
    }
}

FMI2_Export fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                                           fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop)
{
    cp_instance *const self = cp_admit(c, &cp_order2[CP_F2_SETUP]);
    (void)tolerance_defined;
    (void)tolerance;
    return self != NULL ? (fmi2Status)cp_set_period(self, start, stop_defined != fmi2False, stop) : fmi2Error;
}

CP_PASS_ON(fmi2EnterInitializationMode, (fmi2Component c), CP_F2_ENTER, cp_enter_initialization(self))
CP_PASS_ON(fmi2ExitInitializationMode, (fmi2Component c), CP_F2_EXIT, cp_exit_initialization(self))
CP_PASS_ON(fmi2Terminate, (fmi2Component c), CP_F2_TERMINATE, cp_terminate(self))

FMI2_Export fmi2Status fmi2Reset(fmi2Component c)
{
    cp_instance *const self = cp_admit(c, &cp_order2[CP_F2_RESET]);
    if (self == NULL) {
        return fmi2Error;
    }
    cp_reset(self);
    return fmi2OK;
}

static fmi2Status cp_get2(fmi2Component c, cp_selection which, void *values)
{
    cp_instance *const self = cp_admit(c, &cp_order2[CP_F2_GET]);
    return self != NULL ? (fmi2Status)cp_get(self, which, values) : fmi2Error;
}

static fmi2Status cp_set2(fmi2Component c, cp_selection which, const void *values)
{
    cp_instance *const self = cp_admit(c, &cp_order2[CP_F2_SET]);
    return self != NULL ? (fmi2Status)cp_set(self, which, values) : fmi2Error;
}

#define CP_REFERENCES fmi2Component c, const fmi2ValueReference vr[], size_t n
#define CP_VALUES(type, chosen)                                                    \
    FMI2_Export fmi2Status fmi2Get##type(CP_REFERENCES, fmi2##type values[])       \
    {                                                                              \
        return cp_get2(c, chosen(vr, n), values);                                  \
    }                                                                              \
    FMI2_Export fmi2Status fmi2Set##type(CP_REFERENCES, const fmi2##type values[]) \
    {                                                                              \
        return cp_set2(c, chosen(vr, n), values);                                  \
    }

CP_VALUES(Real, cp_reals)
CP_VALUES(Integer, cp_integers)
CP_VALUES(Boolean, cp_booleans)

/* no couplant FMU has strings: any reference is wrong, no reference is fine */
static fmi2Status cp_no_strings(cp_instance *self, size_t n)
{
    if (self == NULL) {
        return fmi2Error;
    }
    return n == 0 ? fmi2OK : (fmi2Status)cp_log(self, CP_ERROR, CP_LOG_CALL, "this FMU has no variable of type String");
}

FMI2_Export fmi2Status fmi2GetString(CP_REFERENCES, fmi2String values[])
{
    (void)vr;
    (void)values;
    return cp_no_strings(cp_admit(c, &cp_order2[CP_F2_GET]), n);
}

FMI2_Export fmi2Status fmi2SetString(CP_REFERENCES, const fmi2String values[])
{
    (void)vr;
    (void)values;
    return cp_no_strings(cp_admit(c, &cp_order2[CP_F2_SET]), n);
}

CP_PASS_ON(fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate *state), CP_F2_STATE_GET, cp_state_get(self, state))
CP_PASS_ON(fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate state), CP_F2_STATE_SET, cp_state_set(self, state))
CP_PASS_ON(fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate *state), CP_F2_STATE_FREE, cp_state_free(self, state))
CP_PASS_ON(fmi2SerializedFMUstateSize, (fmi2Component c, fmi2FMUstate state, size_t *size),
           CP_F2_STATE_SIZE, cp_state_size(self, state, size))
CP_PASS_ON(fmi2SerializeFMUstate, (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size),
           CP_F2_STATE_WRITE, cp_state_write(self, state, bytes, size))
CP_PASS_ON(fmi2DeSerializeFMUstate, (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state),
           CP_F2_STATE_READ, cp_state_read(self, bytes, size, state))

FMI2_Export fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                                    size_t n_unknowns, const fmi2ValueReference knowns[],
                                                    size_t n_knowns, const fmi2Real seed[], fmi2Real sensitivity[])
{
    cp_instance *const self = cp_admit(c, &cp_order2[CP_F2_DIRECTIONAL]);
    if (self == NULL) {
        return fmi2Error;
    }
    return (fmi2Status)cp_directional(self, cp_reals(unknowns, n_unknowns), cp_reals(knowns, n_knowns), seed,
                                      sensitivity);
}

FMI2_Export fmi2Status fmi2SetRealInputDerivatives(CP_REFERENCES, const fmi2Integer order[], const fmi2Real values[])
{
    cp_instance *const self = cp_admit(c, &cp_order2[CP_F2_SLOPE_SET]);
    (void)vr;
    (void)order;
    (void)values;
    if (self == NULL) {
        return fmi2Error;
    }
    return n == 0 ? fmi2OK : (fmi2Status)cp_log(self, CP_ERROR, CP_LOG_CALL, "input derivatives are not taken");
}

CP_PASS_ON(fmi2GetRealOutputDerivatives,
           (fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[], fmi2Real values[]),
           CP_F2_SLOPE_GET, cp_slopes(self, cp_reals(vr, n), order, values))

/* There is no Event Mode to say when inputs come: with event timing every read at a communication point shows what they
   mean there, set anew or not. */
static bool cp_awaits_inputs(const cp_instance *self)
{
    return self->model->has_event_mode != NULL && self->model->has_event_mode(self->binding);
}

FMI2_Export fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_prior)
{
    cp_instance *const self = cp_admit(c, &cp_order2[CP_F2_STEP]);
    (void)no_set_prior;
    if (self == NULL) {
        return fmi2Error;
    }
    cp_step step;
    step.t = t;
    step.h = h;
    step.event_mode = false;
    step.early = false;
    const cp_status status = cp_do_step(self, &step);
    self->stale = status < CP_DISCARD && h != 0.0 ? cp_awaits_inputs(self) : self->stale;
    return step.terminate && status < CP_DISCARD ? fmi2Discard : (fmi2Status)status;
}

FMI2_Export fmi2Status fmi2CancelStep(fmi2Component c)
{
    (void)cp_admit(c, &cp_order2[CP_F2_CANCEL]);
    return fmi2Error;
}

/* steps never run in the background: only the end of the run and the last time have a meaning */
static fmi2Status cp_status2(fmi2Component c, const void *value, bool known)
{
    cp_instance *const self = cp_admit(c, &cp_order2[CP_F2_STATUS]);
    if (self == NULL || !cp_pointers_ok(self, 1, value, value)) {
        return fmi2Error;
    }
    return known ? fmi2OK : fmi2Discard;
}

FMI2_Export fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    const fmi2Status status = cp_status2(c, value, kind == fmi2LastSuccessfulTime);
    if (status == fmi2OK) {
        *value = cp_time((const cp_instance *)c);
    }
    return status;
}

FMI2_Export fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    const fmi2Status status = cp_status2(c, value, kind == fmi2Terminated);
    if (status == fmi2OK) {
        *value = ((const cp_instance *)c)->phase == CP_ENDED ? fmi2True : fmi2False;
    }
    return status;
}

#define CP_NO_STATUS(function, type)                                                         \
    FMI2_Export fmi2Status function(fmi2Component c, const fmi2StatusKind kind, type *value) \
    {                                                                                        \
        (void)kind;                                                                          \
        return cp_status2(c, value, false);                                                  \
    }

CP_NO_STATUS(fmi2GetStatus, fmi2Status)
CP_NO_STATUS(fmi2GetIntegerStatus, fmi2Integer)
CP_NO_STATUS(fmi2GetStringStatus, fmi2String)
