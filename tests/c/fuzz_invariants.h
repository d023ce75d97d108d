/* What holds after any call: outputs finite, `y_hat` within its limits and its rate, reads and refused sets change
   nothing. What does not hold ends the program with one sentence. */

enum { WATCHED = 6 };

/* value references of variables that most of this is about, 0: the FMU has none */
static const char *const watched_names[WATCHED] = {"y_hat", "output.min", "output.max", "output.rate_max", "bypass",
                                                   "signal.period"};
static uint32_t watched[WATCHED];

enum { Y_HAT, OUTPUT_MIN, OUTPUT_MAX, RATE_MAX, BYPASS, PERIOD };

/* what is known of an instance */
typedef struct {
    const cp_instance *c;
    bool forged; /* its state was made up: it has to be borne, not to make sense */
    bool paced;  /* `y` was given out at `t` */
    double y;
    double t;
} fuzz_record;

typedef struct {
    cp_instance head;
    unsigned char *state;
} fuzz_image;

static fuzz_record records[FUZZ_INSTANCES];
static fuzz_image before;
static uint32_t *all_references;
static size_t n_references;

static void violated(const char *what)
{
    (void)fprintf(stderr, "run with the seed %llu: %s; last message: %s\n", (unsigned long long)seed_of_run, what,
                  last_message);
    abort();
}

static void holds(bool condition, const char *otherwise)
{
    if (!condition) {
        violated(otherwise);
    }
}

static fuzz_record *record_of(const void *c)
{
    size_t i = 0;
    while (records[i].c != c) {
        i++;
    }
    return &records[i];
}

/* All instances are of one FMU. */
static void prepare(const cp_instance *c)
{
    if (all_references != NULL) {
        return;
    }
    n_references = c->n_variables;
    all_references = malloc((n_references + 1) * sizeof *all_references);
    before.state = malloc(c->state_size);
    for (uint32_t i = 0; i < c->n_variables; i++) {
        all_references[i] = i + 1;
        for (size_t j = 0; j < WATCHED; j++) {
            watched[j] = strcmp(c->variable[i]->name, watched_names[j]) == 0 ? i + 1 : watched[j];
        }
    }
}

static bool is_coupling(void) { return watched[RATE_MAX] != 0; }

/* a parameter as it is in the state, which no read can change */
static double parameter_of(const cp_instance *c, size_t which, double otherwise)
{
    return watched[which] == 0 ? otherwise : cp_value(c->variable[watched[which] - 1], c->state);
}

static void remember(const void *component)
{
    const cp_instance *const c = component;
    memcpy(&before.head, c, sizeof *c);
    before.head.preview_is_made = false;
    memcpy(before.state, c->state, c->state_size);
}

static bool is_same_state(const cp_instance *c) { return memcmp(before.state, c->state, c->state_size) == 0; }

/* all is as remembered */
static void changed_nothing(const void *component, const char *otherwise)
{
    const cp_instance *const c = component;
    cp_instance head;
    memcpy(&head, c, sizeof head);
    head.preview_is_made = false;
    holds(is_same_state(c) && memcmp(&before.head, &head, sizeof head) == 0, otherwise);
}

/* A set changes what it names, one that is refused nothing. */
static void changed_named(const void *component, const uint32_t references[], size_t n, bool accepted)
{
    const cp_instance *const c = component;
    if (!accepted && n <= 1) {
        changed_nothing(c, "a refused set changed something");
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (references[i] > 0 && references[i] <= c->n_variables) {
            const cp_variable *const variable = c->variable[references[i] - 1];
            const bool free = variable->role != CP_OUTPUT && variable->role != CP_TIME;
            const size_t size = free ? variable->type == CP_REAL ? sizeof(double) : sizeof(int32_t) : 0;
            memcpy((char *)before.state + variable->offset, (const char *)c->state + variable->offset, size);
        }
    }
    holds(is_same_state(c), "a set changed what it does not name");
}

static void read(cp_instance *c, const uint32_t references[], size_t n, double values[])
{
    const cp_selection which = {15u, CP_AS_DOUBLE, references, n};
    holds(cp_get(c, which, values) == CP_OK, "a read was refused");
}

static bool is_within_limits(const cp_instance *c, double y)
{
    const double period = parameter_of(c, PERIOD, 0.0);
    const double low = parameter_of(c, OUTPUT_MIN, -CP_UNLIMITED);
    const double from = low > -CP_UNLIMITED ? low : 0.0;
    return period > 0.0 ? y >= from && y <= from + period : y >= low && y <= parameter_of(c, OUTPUT_MAX, CP_UNLIMITED);
}

static void check_outputs(const cp_instance *c, const double values[])
{
    for (size_t i = 0; i < c->n_variables; i++) {
        const bool output = c->variable[i]->role == CP_OUTPUT;
        holds(!output || (values[i] >= -CP_UNLIMITED && values[i] <= CP_UNLIMITED), "an output is not finite");
    }
    if (cp_running(c)) {
        holds(parameter_of(c, OUTPUT_MIN, 0.0) <= parameter_of(c, OUTPUT_MAX, 0.0), "the limits cross");
        holds(is_within_limits(c, values[watched[Y_HAT] - 1]), "y_hat is outside its limits");
    }
}

/* Read everything twice, then once more as if there had been no read before. */
static void check(void *component)
{
    cp_instance *const c = component;
    double *const first = calloc(2 * c->n_variables + 1, sizeof *first);
    double *const second = first + c->n_variables;
    const size_t size = c->n_variables * sizeof *first;
    remember(c);
    read(c, all_references, n_references, first);
    read(c, all_references, n_references, second);
    holds(memcmp(first, second, size) == 0, "two reads differ");
    c->preview_is_made = false;
    read(c, all_references, n_references, second);
    holds(memcmp(first, second, size) == 0, "a read shows what its state does not");
    changed_nothing(c, "a read changed something");
    if (is_coupling() && !record_of(c)->forged) {
        check_outputs(c, first);
    }
    free(first);
}

/* an unknown past: what was given out before does not count */
static void forget(const void *c, bool forged)
{
    record_of(c)->forged = forged;
    record_of(c)->paced = false;
}

static double size_of(double value) { return value < 0.0 ? -value : value; }

/* `y_hat` at the present time against what was given out before: within its rate, if no limit moved it. Where it wraps
   round the number of turns, which is not shown, takes part. */
static void keep_pace(cp_instance *c)
{
    fuzz_record *const r = record_of(c);
    const double rate = parameter_of(c, RATE_MAX, CP_UNLIMITED);
    double y = 0.0;
    if (!is_coupling() || r->forged || !cp_running(c) || parameter_of(c, PERIOD, 0.0) > 0.0) {
        return;
    }
    read(c, &watched[Y_HAT], 1, &y);
    const double off = size_of(y - r->y);
    const double most = rate * (cp_time(c) - r->t) * (1.0 + 1e-9) + 1e-12 * (size_of(y) + size_of(r->y));
    const bool at_limit = y == parameter_of(c, OUTPUT_MIN, y) || y == parameter_of(c, OUTPUT_MAX, y);
    if (r->paced && rate < CP_UNLIMITED && !(off <= most) && !at_limit) {
        (void)fprintf(stderr, "y_hat = %.17g at %.17g s, %.17g at %.17g s, output.rate_max = %g\n", r->y, r->t, y,
                      cp_time(c), rate);
        violated("y_hat changed faster than its rate");
    }
    *r = (fuzz_record){.c = c, .paced = true, .y = y, .t = cp_time(c)};
}
