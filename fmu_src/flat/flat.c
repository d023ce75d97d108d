/* A face over that of FMI 3 in which every value is a double, Booleans and enumerations too, and no file is opened: for
   the kernel in a process (couplant.pack.kernel) and for modules of WebAssembly (../wasm).

   Besides the functions of FMI 3 there are

       instance = couplant_open(token, settings)       0: `couplant_log` says why
       reference = couplant_reference(instance, name)  0: there is no such variable
       couplant_set(instance, reference, value)        parameters before the start, inputs at any time
       fmi3EnterInitializationMode(instance, 0, 0, start, 0, 0), fmi3ExitInitializationMode(instance)
       loop: couplant_set, couplant_step(instance, t, h), couplant_get(instance, reference)
       fmi3FreeInstance(instance)

   `couplant_write` and `couplant_read` set and read n variables with one call: references and values lie in arrays.
   `couplant_run` is the whole loop.

   What sets and steps answer is a status of FMI 3: 0 done, 1 done with a warning, 3 refused; a step that ends the run
   answers 2. The model is `model.c`, found by the include path. */
#define CP_FMI 3
#define CP_NO_FILES
#include "../fmi/all.c"

enum { CP_EVERY_TYPE = 1 << CP_REAL | 1 << CP_INTEGER | 1 << CP_BOOLEAN | 1 << CP_ENUMERATION };

/* Variables of a run: their references, and a row of values for each communication point. */
typedef struct {
    const uint32_t *references;
    size_t n;
    double *values;
} couplant_columns;

FMI3_Export fmi3Instance couplant_open(const char *token, const char *settings);
FMI3_Export uint32_t couplant_reference(fmi3Instance instance, const char *name);
FMI3_Export fmi3Status couplant_set(fmi3Instance instance, uint32_t reference, double value);
FMI3_Export double couplant_get(fmi3Instance instance, uint32_t reference);
FMI3_Export fmi3Status couplant_write(fmi3Instance instance, const uint32_t *references, size_t n, const double *values);
FMI3_Export fmi3Status couplant_read(fmi3Instance instance, const uint32_t *references, size_t n, double *values);
FMI3_Export fmi3Status couplant_step(fmi3Instance instance, double t, double h);
FMI3_Export fmi3Status couplant_run(fmi3Instance instance, const double *times, double h, size_t n,
                                    const couplant_columns *inputs, const couplant_columns *outputs, int read_before,
                                    size_t *done);
FMI3_Export const char *couplant_log(void);

/* In place of the folder of the resources stands the text of its `settings.txt`. */
CP_API char *cp_resource_read(const char *location, cp_memory memory, size_t *size)
{
    *size = location != NULL ? strlen(location) : 0;
    char *const text = (char *)memory.allocate(*size + 1, 1);
    return text != NULL && location != NULL ? (char *)memcpy(text, location, *size) : NULL;
}

static char cp_said[4096]; /* lines of the log */
static size_t cp_said_size;

static void cp_say(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String text)
{
    (void)environment;
    (void)status;
    const size_t left = sizeof cp_said - cp_said_size;
    cp_phrase(cp_said + cp_said_size, left, "%s: %s\n", category, text);
    cp_said_size += strlen(cp_said + cp_said_size);
}

/* What was logged since the last call, lines `category: sentence`; valid until the next call of anything. */
const char *couplant_log(void)
{
    const char *const lines = cp_said_size > 0 ? cp_said : "";
    cp_said_size = 0;
    return lines;
}

/* Make an instance from the text of `settings.txt` and the token that is in it. */
fmi3Instance couplant_open(const char *token, const char *settings)
{
    return fmi3InstantiateCoSimulation("couplant", token, settings, false, true, false, false, NULL, 0, NULL, cp_say,
                                       NULL);
}

uint32_t couplant_reference(fmi3Instance instance, const char *name)
{
    const cp_instance *const self = (const cp_instance *)instance;
    for (uint32_t i = 0; self != NULL && i < self->n_variables; i++) {
        if (strcmp(self->variable[i]->name, name) == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* Faces of FMI have arrays of whole numbers; here a double may be none. */
static bool cp_is_of_type(const cp_variable *variable, double value)
{
    const bool fits = value >= INT32_MIN && value <= INT32_MAX;
    return variable->type == CP_REAL || (fits && value == (double)(int32_t)value);
}

static const cp_variable *cp_named_by(const cp_instance *self, uint32_t reference)
{
    return self != NULL && reference > 0 && reference <= self->n_variables ? self->variable[reference - 1] : NULL;
}

fmi3Status couplant_write(fmi3Instance instance, const uint32_t *references, size_t n, const double *values)
{
    const cp_selection which = {CP_EVERY_TYPE, CP_AS_DOUBLE, references, n};
    const cp_instance *const self = (const cp_instance *)instance;
    for (size_t i = 0; i < n; i++) {
        const cp_variable *const known = cp_named_by(self, references[i]);
        if (known != NULL && !cp_is_of_type(known, values[i])) {
            (void)cp_log(self, CP_ERROR, CP_LOG_PARAMETER, "%s = %g, allowed whole numbers", known->name, values[i]);
            return fmi3Error;
        }
    }
    return cp_set3(instance, which, values, n);
}

fmi3Status couplant_read(fmi3Instance instance, const uint32_t *references, size_t n, double *values)
{
    const cp_selection which = {CP_EVERY_TYPE, CP_AS_DOUBLE, references, n};
    return cp_get3(instance, which, values, n);
}

fmi3Status couplant_set(fmi3Instance instance, uint32_t reference, double value)
{
    return couplant_write(instance, &reference, 1, &value);
}

/* NaN if there is no such variable */
double couplant_get(fmi3Instance instance, uint32_t reference)
{
    double value = 0.0;
    return couplant_read(instance, &reference, 1, &value) == fmi3OK ? value : __builtin_nan("");
}

fmi3Status couplant_step(fmi3Instance instance, double t, double h)
{
    bool event = false;
    bool ends = false;
    bool early = false;
    double last = 0.0;
    const fmi3Status status = fmi3DoStep(instance, t, h, true, &event, &ends, &early, &last);
    return status < fmi3Discard && ends ? fmi3Discard : status;
}

/* Set a row of inputs, step by `h` and read a row of outputs at each of the `n` communication points `times`; outputs
   that answer to the inputs of the same point (event timing) are read before the step. `done` is the number of whole
   rows: fewer than `n` where a step ended the run (2) or something was refused (3), and `couplant_log` says why. */
fmi3Status couplant_run(fmi3Instance instance, const double *times, double h, size_t n, const couplant_columns *inputs,
                        const couplant_columns *outputs, int read_before, size_t *done)
{
    for (*done = 0; *done < n; ++*done) {
        const size_t i = *done;
        double *const row = outputs->values + i * outputs->n;
        fmi3Status status = couplant_write(instance, inputs->references, inputs->n, inputs->values + i * inputs->n);
        if (status < fmi3Discard && read_before) {
            status = couplant_read(instance, outputs->references, outputs->n, row);
        }
        if (status < fmi3Discard) {
            status = couplant_step(instance, times[i], h);
        }
        if (status < fmi3Discard && !read_before) {
            status = couplant_read(instance, outputs->references, outputs->n, row);
        }
        if (status >= fmi3Discard) {
            return status;
        }
    }
    return fmi3OK;
}
