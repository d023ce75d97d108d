/* An FMU of FMI 2.0 that lists its states: x'' = u - sin x - x', y = x^2 + 3 u; tests/swing.py has its description. */
#include <math.h>
#include <stdlib.h>

#include "fmi2FunctionTypes.h"

typedef struct { double u, x, v; } instance;

#ifdef ROUGH /* as a solver with a tolerance */
#define GIVEN(y) (rint((y) * 1e7) / 1e7)
#else
#define GIVEN(y) (y)
#endif

static double pull(const instance *s, double x, double v) { return s->u - sin(x) - v; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String place,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    (void)name, (void)type, (void)guid, (void)place, (void)callbacks, (void)visible, (void)logging;
    return calloc(1, sizeof(instance));
}

void fmi2FreeInstance(fmi2Component c) { free(c); }

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_return) { /* Runge and Kutta */
    instance *s = c;
    const double x = s->x, v = s->v;
    const double a1 = pull(s, x, v), v2 = v + h / 2 * a1, a2 = pull(s, x + h / 2 * v, v2);
    const double v3 = v + h / 2 * a2, a3 = pull(s, x + h / 2 * v2, v3), v4 = v + h * a3, a4 = pull(s, x + h * v3, v4);
    (void)t, (void)no_return;
    s->x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    s->v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real values[]) {
    const instance *s = c;
    const double all[] = {0, s->u, s->x, s->v, s->v, pull(s, s->x, s->v), GIVEN(s->x * s->x + 3 * s->u)};
    for (size_t i = 0; i < n; i++) values[i] = all[r[i]];
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real values[]) {
    for (size_t i = 0; i < n; i++) if (r[i] == 1) ((instance *)c)->u = values[i];
    return fmi2OK;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
                                        const fmi2ValueReference known[], size_t n, const fmi2Real seed[],
                                        fmi2Real values[]) {
    const instance *s = c;
    const double rates[3][3] = {{0, 0, 1}, {1, -cos(s->x), -1}, {3, 2 * s->x, 0}}; /* of der x, der v, y by u, x, v */
    for (size_t i = 0; i < unknowns; i++) {
        values[i] = 0;
        for (size_t j = 0; j < n; j++) values[i] += rates[unknown[i] - 4][known[j] - 1] * seed[j];
    }
    return fmi2OK;
}

const char *fmi2GetVersion(void) { return "2.0"; }
const char *fmi2GetTypesPlatform(void) { return "default"; }

#define DONE(NAME) int fmi2##NAME(void) { return fmi2OK; } /* importers want them to be there */
DONE(EnterInitializationMode)
DONE(ExitInitializationMode)
DONE(SetupExperiment)
DONE(Terminate)
DONE(SetDebugLogging)
DONE(Reset)
DONE(CancelStep)
DONE(GetInteger)
DONE(SetInteger)
DONE(GetBoolean)
DONE(SetBoolean)
DONE(GetString)
DONE(SetString)
DONE(GetStatus)
DONE(GetRealStatus)
DONE(GetIntegerStatus)
DONE(GetBooleanStatus)
DONE(GetStringStatus)
DONE(GetFMUstate)
DONE(SetFMUstate)
DONE(FreeFMUstate)
DONE(SerializedFMUstateSize)
DONE(SerializeFMUstate)
DONE(DeSerializeFMUstate)
DONE(SetRealInputDerivatives)
DONE(GetRealOutputDerivatives)
