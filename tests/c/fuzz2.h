/* FMI 2.0 for the fuzzer: one call with values drawn at random; arrays have exactly the length that is announced. */
typedef fmi2FMUstate fuzz_state;

static void log_quietly(fmi2ComponentEnvironment e, fmi2String i, fmi2Status s, fmi2String c, fmi2String m, ...)
{
    va_list arguments;
    (void)e;
    (void)i;
    (void)s;
    (void)c;
    va_start(arguments, m);
    if (vsnprintf(last_message, sizeof last_message, m, arguments) < 0) {
        abort();
    }
    va_end(arguments);
    logged++;
}

static void *instantiate(const char *resources, const char *token)
{
    static const fmi2CallbackFunctions with = {log_quietly, calloc, free, NULL, NULL};
    static const fmi2CallbackFunctions without = {log_quietly, NULL, NULL, NULL, NULL};
    return fmi2Instantiate("fuzz", fmi2CoSimulation, token, resources, draw(2) ? &with : &without, 0, (int)draw(2));
}

static void release(void *c) { fmi2FreeInstance(c); }

static void call_values(void *c)
{
    const size_t n = draw(6);
    uint32_t *const references = draw_references(n);
    double *const reals = draw_reals(n);
    int32_t *const whole = draw_whole(n);
    fmi2String *const strings = calloc(n + 1, sizeof *strings);
    const size_t kind = draw(8);
    fmi2Status status = fmi2OK;
    remember(c);
    switch (kind) {
    case 0: (void)fmi2GetReal(c, references, n, reals); break;
    case 1: (void)fmi2GetInteger(c, references, n, whole); break;
    case 2: (void)fmi2GetBoolean(c, references, n, whole); break;
    case 3: (void)fmi2GetString(c, references, n, strings); break;
    case 4: status = fmi2SetReal(c, references, n, reals); break;
    case 5: status = fmi2SetInteger(c, references, n, whole); break;
    case 6: status = fmi2SetBoolean(c, references, n, whole); break;
    default: (void)fmi2GetRealOutputDerivatives(c, references, n, whole, reals); break;
    }
    kind >= 4 && kind < 7 ? changed_named(c, references, n, status == fmi2OK) : changed_nothing(c, "a read changed something");
    free(references);
    free(reals);
    free(whole);
    free(strings);
}

static bool set_reals(void *c, const uint32_t references[], size_t n, const double values[])
{
    return fmi2SetReal(c, references, n, values) == fmi2OK;
}

/* value, stamp and validity are variables `first` and those after it */
static void take_news(void *c, uint32_t first, double value, double time, bool valid)
{
    const uint32_t reals[] = {first, first + 1};
    const uint32_t flag = first + 2;
    const double values[] = {value, time};
    const fmi2Boolean flags[] = {valid};
    (void)fmi2SetReal(c, reals, 2, values);
    (void)fmi2SetBoolean(c, &flag, 1, flags);
}

static void call_reset(void *c)
{
    (void)fmi2Reset(c);
    forget(c, false);
}

static void call_null(void *c)
{
    const uint32_t reference = 1;
    double value = 0.0;
    (void)fmi2GetReal(c, NULL, 1, &value);
    (void)fmi2SetReal(c, &reference, 1, NULL);
    (void)fmi2GetRealOutputDerivatives(c, &reference, 1, NULL, &value);
    (void)fmi2GetDirectionalDerivative(c, &reference, 1, NULL, 1, &value, &value);
    (void)fmi2GetFMUstate(c, NULL);
    (void)fmi2SetFMUstate(c, NULL);
    (void)fmi2SerializeFMUstate(c, NULL, NULL, 0);
    (void)fmi2DeSerializeFMUstate(c, NULL, 0, NULL);
    (void)fmi2GetRealStatus(c, fmi2LastSuccessfulTime, NULL);
    (void)fmi2SetDebugLogging(c, 1, 3, NULL);
    (void)fmi2DoStep(NULL, 0.0, 1.0, 1);
    fmi2FreeInstance(NULL);
}

static void call_derivative(void *c)
{
    const size_t n = draw(4);
    const size_t m = draw(4);
    uint32_t *const unknowns = draw_references(n);
    uint32_t *const knowns = draw_references(m);
    double *const seed = draw_reals(m);
    double *const result = draw_reals(n);
    (void)fmi2GetDirectionalDerivative(c, unknowns, n, knowns, m, seed, result);
    free(unknowns);
    free(knowns);
    free(seed);
    free(result);
}

static void call_status(void *c)
{
    fmi2Status status;
    double real;
    int whole;
    fmi2String string;
    const fmi2StatusKind kind = (fmi2StatusKind)draw(4);
    (void)fmi2GetStatus(c, kind, &status);
    (void)fmi2GetRealStatus(c, kind, &real);
    (void)fmi2GetIntegerStatus(c, kind, &whole);
    (void)fmi2GetBooleanStatus(c, kind, &whole);
    (void)fmi2GetStringStatus(c, kind, &string);
}

static void call_logging(void *c)
{
    static const fmi2String names[] = {"call", "timing", "parameter", "nonsense", "", NULL};
    const fmi2String *const one = &names[draw(6)];
    (void)fmi2SetDebugLogging(c, (int)draw(2), draw(2), one);
}

static void state_get(void *c, fuzz_state *state) { (void)fmi2GetFMUstate(c, state); }
static void state_set(void *c, fuzz_state state) { (void)fmi2SetFMUstate(c, state); }
static void state_free(void *c, fuzz_state *state) { (void)fmi2FreeFMUstate(c, state); }

static size_t state_size(void *c, fuzz_state state)
{
    size_t size = 0;
    (void)fmi2SerializedFMUstateSize(c, state, &size);
    return size;
}

static void state_write(void *c, fuzz_state state, void *bytes, size_t size)
{
    (void)fmi2SerializeFMUstate(c, state, bytes, size);
}

static int state_read(void *c, const void *bytes, size_t size, fuzz_state *state)
{
    return fmi2DeSerializeFMUstate(c, bytes, size, state) == fmi2OK;
}

static double time_of(void *c)
{
    double time = now;
    if (fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &time) != fmi2OK) {
        time = now;
    }
    return time;
}

/* false: it was refused */
static bool call_step(void *c, double t, double h) { return fmi2DoStep(c, t, h, (int)draw(2)) != fmi2Error; }

static void call_order(void *c)
{
    switch (draw(9)) {
    case 0: (void)fmi2SetupExperiment(c, (int)draw(2), draw_real(), draw_real(), (int)draw(2), draw_real()); break;
    case 1: (void)fmi2EnterInitializationMode(c); break;
    case 2: (void)fmi2ExitInitializationMode(c); break;
    case 3: (void)fmi2Terminate(c); break;
    case 4: call_reset(c); break;
    case 5: (void)fmi2CancelStep(c); break;
    case 6: (void)fmi2SetRealInputDerivatives(c, NULL, draw(2), NULL, NULL); break;
    case 7: call_status(c); break;
    default: call_logging(c); break;
    }
}

/* so that most of the time is spent where something happens */
static void call_begin(void *c)
{
    now = draw(4) ? 0.0 : draw_real();
    (void)fmi2SetupExperiment(c, 0, 0.0, now, 0, 0.0);
    (void)fmi2EnterInitializationMode(c);
    (void)fmi2ExitInitializationMode(c);
}
