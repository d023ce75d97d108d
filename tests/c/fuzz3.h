/* FMI 3.0 for the fuzzer: one call with values drawn at random; arrays have exactly the length that is announced. */
typedef fmi3FMUState fuzz_state;

static void log_quietly(fmi3InstanceEnvironment e, fmi3Status s, fmi3String c, fmi3String m)
{
    (void)e;
    (void)s;
    (void)c;
    (void)snprintf(last_message, sizeof last_message, "%s", m);
    logged++;
}

static void *instantiate(const char *resources, const char *token)
{
    void *const c = fmi3InstantiateCoSimulation("fuzz", token, resources, false, draw(2) != 0, draw(2) != 0,
                                                draw(2) != 0, NULL, 0, NULL, log_quietly, NULL);
    if (c != NULL) {
        return c;
    }
    return fmi3InstantiateCoSimulation("fuzz", token, resources, false, false, false, draw(2) != 0, NULL, 0, NULL,
                                       log_quietly, NULL);
}

static void release(void *c) { fmi3FreeInstance(c); }

static void call_values(void *c)
{
    const size_t n = draw(6);
    const size_t m = draw(8) ? n : draw(6);
    const size_t most = n > m ? n : m;
    uint32_t *const references = draw_references(n);
    double *const reals = draw_reals(m);
    int32_t *const whole = draw_whole(most);
    int64_t *const items = calloc(m + 1, sizeof *items);
    bool *const flags = calloc(m + 1, sizeof *flags);
    fmi3String *const strings = calloc(m + 1, sizeof *strings);
    for (size_t i = 0; i < m; i++) {
        items[i] = draw(2) ? (int64_t)draw(9) - 1 : (int64_t)draw_bits();
        flags[i] = draw(2) != 0;
    }
    const size_t kind = draw(11);
    fmi3Status status = fmi3OK;
    remember(c);
    switch (kind) {
    case 0: (void)fmi3GetFloat64(c, references, n, reals, m); break;
    case 1: (void)fmi3GetInt32(c, references, n, whole, m); break;
    case 2: (void)fmi3GetInt64(c, references, n, items, m); break;
    case 3: (void)fmi3GetBoolean(c, references, n, flags, m); break;
    case 4: status = fmi3SetFloat64(c, references, n, reals, m); break;
    case 5: status = fmi3SetInt32(c, references, n, whole, m); break;
    case 6: status = fmi3SetInt64(c, references, n, items, m); break;
    case 7: status = fmi3SetBoolean(c, references, n, flags, m); break;
    case 8: (void)fmi3GetString(c, references, n, strings, m); break;
    case 9: (void)fmi3GetOutputDerivatives(c, references, n, whole, reals, m); break;
    default: (void)fmi3GetClock(c, references, n, flags); break;
    }
    kind >= 4 && kind < 8 ? changed_named(c, references, n == m ? n : 0, status == fmi3OK)
                          : changed_nothing(c, "a read changed something");
    free(references);
    free(reals);
    free(whole);
    free(items);
    free(flags);
    free(strings);
}

static bool set_reals(void *c, const uint32_t references[], size_t n, const double values[])
{
    return fmi3SetFloat64(c, references, n, values, n) == fmi3OK;
}

/* value, stamp and validity are variables `first` and those after it */
static void take_news(void *c, uint32_t first, double value, double time, bool valid)
{
    const uint32_t reals[] = {first, first + 1};
    const uint32_t flag = first + 2;
    const double values[] = {value, time};
    const bool flags[] = {valid};
    (void)fmi3SetFloat64(c, reals, 2, values, 2);
    (void)fmi3SetBoolean(c, &flag, 1, flags, 1);
}

static void call_reset(void *c)
{
    (void)fmi3Reset(c);
    forget(c, false);
}

static void call_null(void *c)
{
    const uint32_t reference = 1;
    double value = 0.0;
    (void)fmi3GetFloat64(c, NULL, 1, &value, 1);
    (void)fmi3SetFloat64(c, &reference, 1, NULL, 1);
    (void)fmi3GetOutputDerivatives(c, &reference, 1, NULL, &value, 1);
    (void)fmi3GetFMUState(c, NULL);
    (void)fmi3SetFMUState(c, NULL);
    (void)fmi3SerializeFMUState(c, NULL, NULL, 0);
    (void)fmi3DeserializeFMUState(c, NULL, 0, NULL);
    (void)fmi3SetDebugLogging(c, true, 3, NULL);
    (void)fmi3DoStep(c, 0.0, 1.0, true, NULL, NULL, NULL, NULL);
    (void)fmi3UpdateDiscreteStates(c, NULL, NULL, NULL, NULL, NULL, NULL);
    (void)fmi3EnterEventMode(NULL);
    fmi3FreeInstance(NULL);
}

static void call_derivative(void *c)
{
    const size_t n = draw(4);
    const size_t m = draw(4);
    uint32_t *const unknowns = draw_references(n);
    uint32_t *const knowns = draw_references(m);
    double *const seed = draw_reals(m);
    double *const result = draw_reals(n);
    (void)fmi3GetDirectionalDerivative(c, unknowns, n, knowns, m, seed, m, result, n);
    (void)fmi3GetAdjointDerivative(c, unknowns, n, knowns, m, result, n, seed, m);
    free(unknowns);
    free(knowns);
    free(seed);
    free(result);
}

static void call_update(void *c)
{
    bool flags[5];
    double next;
    (void)fmi3UpdateDiscreteStates(c, &flags[0], &flags[1], &flags[2], &flags[3], &flags[4], &next);
}

static void call_logging(void *c)
{
    static const fmi3String names[] = {"call", "timing", "parameter", "nonsense", "", NULL};
    const fmi3String *const one = &names[draw(6)];
    (void)fmi3SetDebugLogging(c, draw(2) != 0, draw(2), one);
}

static void state_get(void *c, fuzz_state *state) { (void)fmi3GetFMUState(c, state); }
static void state_set(void *c, fuzz_state state) { (void)fmi3SetFMUState(c, state); }
static void state_free(void *c, fuzz_state *state) { (void)fmi3FreeFMUState(c, state); }

static size_t state_size(void *c, fuzz_state state)
{
    size_t size = 0;
    (void)fmi3SerializedFMUStateSize(c, state, &size);
    return size;
}

static void state_write(void *c, fuzz_state state, void *bytes, size_t size)
{
    (void)fmi3SerializeFMUState(c, state, bytes, size);
}

static int state_read(void *c, const void *bytes, size_t size, fuzz_state *state)
{
    return fmi3DeserializeFMUState(c, bytes, size, state) == fmi3OK;
}

static double time_of(void *c)
{
    (void)c;
    return now;
}

/* false: it was refused */
static bool call_step(void *c, double t, double h)
{
    bool event = false;
    bool end = false;
    bool early = false;
    double last = 0.0;
    const fmi3Status status = fmi3DoStep(c, t, h, draw(2) != 0, &event, &end, &early, &last);
    now = status == fmi3OK ? last : now;
    if (event && draw(4) != 0) {
        (void)fmi3EnterEventMode(c);
        call_update(c);
        (void)fmi3EnterStepMode(c);
    }
    return status != fmi3Error;
}

static void call_order(void *c)
{
    switch (draw(11)) {
    case 0:
        (void)fmi3EnterInitializationMode(c, draw(2) != 0, draw_real(), draw_real(), draw(2) != 0, draw_real());
        break;
    case 1: (void)fmi3ExitInitializationMode(c); break;
    case 2: (void)fmi3Terminate(c); break;
    case 3: call_reset(c); break;
    case 4: (void)fmi3EnterEventMode(c); break;
    case 5: (void)fmi3EnterStepMode(c); break;
    case 6: call_update(c); break;
    case 7: (void)fmi3EvaluateDiscreteStates(c); break;
    case 8: (void)fmi3EnterConfigurationMode(c); break;
    case 9: (void)fmi3EnterContinuousTimeMode(c); break;
    default: call_logging(c); break;
    }
}

/* so that most of the time is spent where something happens */
static void call_begin(void *c)
{
    now = draw(4) ? 0.0 : draw_real();
    (void)fmi3EnterInitializationMode(c, false, 0.0, now, false, 0.0);
    (void)fmi3ExitInitializationMode(c);
    (void)fmi3EnterStepMode(c);
}
