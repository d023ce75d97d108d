/* Calls the functions of the C library in any order with any values, under sanitizers, and checks what has to hold.

       fuzz RUNS SEED

   Run i begins with the seed SEED + i. Memory is exactly as large as announced. What does not hold ends the program with
   one sentence: what is refused changes nothing and says why, outputs are finite and within their limits, a damaged state,
   a handle that is none and memory that is too small are refused, what was saved is taken. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "couplant.c"
#include "couplant_bench.c"

enum { SIGNALS = 3, LISTS = 64, CALLS = 1500 };

typedef struct {
    couplant *c;
    void *memory;
    size_t size;
    unsigned char *saved; /* a state, or NULL */
    unsigned char *before;
    double *values; /* of a list of its settings */
    int forged; /* its state or its settings were made up: it has to be borne, not to make sense */
} slot;

static uint64_t seed;
static uint64_t seed_of_run;
static unsigned long refusals;
static slot slots[SIGNALS];

static void holds(bool condition, const char *otherwise)
{
    if (!condition) {
        (void)fprintf(stderr, "run with the seed %llu: %s\n", (unsigned long long)seed_of_run, otherwise);
        abort();
    }
}

static uint64_t draw_bits(void)
{
    seed += 0x9E3779B97F4A7C15u;
    uint64_t z = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* 0 .. n - 1 */
static size_t draw(size_t n) { return (size_t)(draw_bits() % n); }

static double draw_real(void)
{
    static const double odd[] = {0.0, -0.0, 1.0, 1e-300, 5e-324, 1e9, -1e9, 1e300, CP_UNLIMITED, -CP_UNLIMITED, 0.01,
                                 (double)INFINITY, -(double)INFINITY, (double)NAN};
    const uint64_t bits = draw_bits();
    double value = 0.0;
    switch (draw(4)) {
    case 0: memcpy(&value, &bits, sizeof value); return value;
    case 1: return odd[draw(sizeof odd / sizeof *odd)];
    case 2: return (double)draw(100) - 20.0;
    default: return (double)draw(4000000) / 1e6 - 2.0;
    }
}

static size_t state_size(const couplant *c) { return cp_coupling_size(&c->settings); }

static void remember(slot *s)
{
    memcpy(s->before, s->memory, s->size);
}

/* the sentence and the preview are no part of what a call must not change */
static void changed_nothing(const slot *s, const char *otherwise)
{
    const couplant *const old = (const couplant *)(const void *)s->before;
    const couplant *const now = s->c;
    const bool same = old->life == now->life && old->events == now->events && old->stale == now->stale &&
                      memcmp(&old->settings, &now->settings, sizeof old->settings) == 0 &&
                      memcmp(s->before + sizeof *old, now->state, state_size(now)) == 0;
    holds(same, otherwise);
}

static bool checked(slot *s, couplant_status status)
{
    if (status == COUPLANT_REFUSED) {
        refusals++;
        changed_nothing(s, "a refused call changed something");
        holds(couplant_why(s->c)[0] != '\0', "a refused call does not say why");
    } else {
        remember(s);
    }
    return status != COUPLANT_REFUSED;
}

static void check_outputs(slot *s)
{
    double low = -CP_UNLIMITED;
    double high = CP_UNLIMITED;
    for (uint32_t i = 1; i <= (uint32_t)s->c->settings.n_variables && !s->forged; i++) {
        const cp_variable *const variable = cp_coupling_find(&s->c->settings, i);
        double value = 0.0;
        remember(s);
        holds(couplant_get(s->c, i, &value) == COUPLANT_OK, "a read was refused");
        changed_nothing(s, "a read changed something");
        holds(variable->role != CP_OUTPUT || cp_finite(value), "an output is not finite");
        low = strcmp(variable->name, "output.min") == 0 ? value : low;
        high = strcmp(variable->name, "output.max") == 0 ? value : high;
    }
    const double y_hat = cp_shown(s->c)->reconstruction.y_hat;
    const bool limited = s->forged || !cp_has_started(s->c) || (y_hat >= low && y_hat <= high);
    holds(limited || (s->c->stale && s->c->preview == NULL), "y_hat is outside its limits");
}

static void set_some(slot *s)
{
    couplant_handle handles[COUPLANT_MOST_AT_ONCE + 1];
    double values[COUPLANT_MOST_AT_ONCE + 1];
    const size_t n = draw(8) ? draw(4) : draw(COUPLANT_MOST_AT_ONCE + 2);
    const uint32_t known = (uint32_t)s->c->settings.n_variables;
    bool none = false;
    for (size_t i = 0; i < n; i++) {
        handles[i] = draw(16) ? 1 + (uint32_t)draw(known) : draw(2) ? known + 1 : (uint32_t)draw_bits();
        none = none || handles[i] == 0 || handles[i] > known;
        values[i] = draw(2) ? draw_real() : (double)draw(8);
    }
    const bool done = checked(s, couplant_set_all(s->c, handles, values, n));
    holds(!done || !none, "a handle that is none was taken");
    holds(!done || n <= COUPLANT_MOST_AT_ONCE, "too many values were taken");
}

static void take_step(slot *s)
{
    const double t = draw(16) ? s->c->state->grid.time : draw_real();
    (void)checked(s, couplant_step(s->c, t, draw(16) ? 0.01 : draw_real()));
}

/* a good sender for a while */
static void drive(slot *s)
{
    (void)checked(s, couplant_reset(s->c));
    (void)checked(s, couplant_start(s->c, 0.0));
    for (size_t n = draw(300); n > 0; n--) {
        const double t = s->c->state->grid.time;
        (void)checked(s, couplant_set(s->c, 1, sin(3.0 * t) + (draw(100) ? 0.0 : 5.0)));
        (void)checked(s, couplant_set(s->c, 2, t - 0.01 * (double)(2 + draw(3))));
        (void)checked(s, couplant_set(s->c, 3, draw(20) ? 1.0 : 0.0));
        take_step(s);
    }
}

/* the checksum of a header that was made up */
static void mend(unsigned char *bytes, const couplant *c)
{
    unsigned char head[CP_STATE_HEADER];
    cp_state_header(&c->settings, bytes, head);
    memcpy(bytes, head, sizeof head);
}

static void save_or_restore(slot *s)
{
    size_t size = 0;
    (void)couplant_state_size(s->c, &size);
    if (s->saved == NULL || draw(4) == 0) {
        free(s->saved);
        s->saved = malloc(size);
        holds(couplant_save(s->c, s->saved, size) == COUPLANT_OK, "a state could not be saved");
        return;
    }
    unsigned char *const bytes = malloc(size);
    memcpy(bytes, s->saved, size);
    const size_t kind = draw(4);
    if (kind == 1) {
        bytes[draw(size)] ^= (unsigned char)(1u << draw(8));
    } else if (kind == 2) {
        const double real = draw_real();
        memcpy(bytes + CP_STATE_HEADER + 8 * draw((size - CP_STATE_HEADER) / 8), &real, sizeof real);
        mend(bytes, s->c);
    }
    const bool done = checked(s, couplant_restore(s->c, bytes, kind == 3 ? draw(size) : size));
    holds(!done || kind == 0 || kind == 2, "a damaged state was taken");
    holds(done || kind != 0 || s->forged, "a saved state was refused");
    s->forged = s->forged || (done && kind == 2);
    free(bytes);
}

static void call_null(slot *s)
{
    const couplant_handle handle = 1;
    (void)checked(s, couplant_get(s->c, handle, NULL));
    (void)checked(s, couplant_find(s->c, NULL, NULL));
    (void)checked(s, couplant_set_all(s->c, NULL, NULL, 1));
    (void)checked(s, couplant_restore(s->c, NULL, 8));
    (void)checked(s, couplant_save(s->c, NULL, 8));
    (void)checked(s, couplant_slope(s->c, NULL));
    (void)checked(s, couplant_state_size(s->c, NULL));
    (void)checked(s, couplant_message(s->c, NULL));
    holds(couplant_step(NULL, 0.0, 1.0) == COUPLANT_REFUSED, "a signal that is none was stepped");
    holds(couplant_open(NULL, NULL, 0, NULL, NULL) == COUPLANT_REFUSED, "NULL was opened");
}

static void find_some(slot *s)
{
    char name[40];
    couplant_handle handle = 0;
    const cp_variable *const known = cp_coupling_find(&s->c->settings, 1 + (uint32_t)draw((size_t)s->c->settings.n_variables));
    memcpy(name, known->name, sizeof known->name);
    if (draw(2)) {
        name[draw(sizeof known->name)] = (char)draw_bits();
    }
    name[sizeof name - 1] = '\0';
    const bool done = checked(s, couplant_find(s->c, name, &handle));
    holds(!done || strcmp(cp_coupling_find(&s->c->settings, handle)->name, name) == 0, "another variable was found");
}

static void tell_some(slot *s)
{
    couplant_notice message;
    double value = 0.0;
    while (couplant_message(s->c, &message) == COUPLANT_OK) {
        holds(message.text[0] != '\0' && strlen(message.text) < sizeof message.text, "a message without a text");
    }
    remember(s);
    (void)checked(s, couplant_slope(s->c, &value));
    (void)checked(s, couplant_gain(s->c, &value));
    (void)checked(s, couplant_next_point(s->c, &value));
}

static void release(slot *s)
{
    free(s->saved);
    free(s->memory);
    free(s->before);
    free(s->values);
    memset(s, 0, sizeof *s);
}

/* Settings with something changed; the arrays that are changed are copies. */
static void open_some(slot *s)
{
    const couplant_settings *const good = draw(2) ? &bench_net : &bench_end;
    couplant_list lists[LISTS];
    couplant_settings mine = {good->fingerprint, lists, good->n};
    const size_t at = draw(good->n);
    const size_t kind = draw(6); /* of what is wrong; 4, 5: nothing */
    size_t needed = 0;
    couplant_sentence why = {""};
    memcpy(lists, good->lists, good->n * sizeof *lists);
    double *const values = malloc((lists[at].n + 1) * sizeof *values);
    memcpy(values, lists[at].values, lists[at].n * sizeof *values);
    values[draw(lists[at].n)] = kind == 0 ? draw_real() : values[0];
    lists[at].values = kind < 4 ? values : lists[at].values;
    lists[at].n = kind == 1 ? draw(lists[at].n + 1) : lists[at].n;
    lists[at].key = kind == 2 ? lists[draw(good->n)].key : lists[at].key;
    mine.n = kind == 3 ? at : mine.n;
    release(s);
    const bool sized = couplant_size(&mine, (int)draw(2), &needed, &why) == COUPLANT_OK;
    const size_t size = !sized || draw(8) == 0 ? draw(30000) : needed;
    s->memory = malloc(size + (size == 0));
    s->size = size;
    const couplant_status status = couplant_open(&s->c, s->memory, size, &mine, &why);
    holds(status == COUPLANT_OK || (s->c == NULL && why.text[0] != '\0'), "a refused signal does not say why");
    holds(status != COUPLANT_OK || sized, "settings without a size were taken");
    s->values = values;
    s->forged = kind < 4;
    s->before = malloc(s->size + 1);
}

static void call_any(slot *s)
{
    remember(s);
    switch (draw(12)) {
    case 0: (void)checked(s, couplant_start(s->c, draw(4) ? 0.0 : draw_real())); break;
    case 1: (void)(draw(8) ? COUPLANT_OK : couplant_reset(s->c)); break;
    case 2: (void)(draw(32) ? COUPLANT_OK : couplant_close(s->c)); break;
    case 3: save_or_restore(s); break;
    case 4: call_null(s); break;
    case 5: find_some(s); break;
    case 6: tell_some(s); break;
    case 7: drive(s); break;
    case 8: case 9: set_some(s); break;
    default: take_step(s); break;
    }
}

int main(int argc, char **argv)
{
    const unsigned long runs = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
    for (unsigned long run = 0; run < runs; run++) {
        seed = seed_of_run = strtoull(argv[2], NULL, 10) + run;
        for (size_t calls = 0; calls < CALLS; calls++) {
            slot *const s = &slots[draw(SIGNALS)];
            if (s->c == NULL || s->c->life == CP_LIFE_CLOSED || draw(200) == 0) {
                open_some(s);
            } else {
                call_any(s);
            }
            if (s->c != NULL && s->c->life != CP_LIFE_CLOSED && draw(8) == 0) {
                check_outputs(s);
            }
        }
    }
    for (size_t i = 0; i < SIGNALS; i++) {
        release(&slots[i]);
    }
    (void)printf("%lu refusals\n", refusals);
    return runs == 0;
}
