/* Calls the FMI functions of one FMU in any order with any values, under the sanitizers, and checks what has to hold.

       fuzz RUNS SEED RESOURCES TOKEN BURST

   BURST is the number of values in a message, which are the first variables. Run i begins with the seed SEED + i.
   Prints how many calls were made; a report of a sanitizer, a violation of what holds (fuzz_invariants.h), a crash or a hang
   ends it otherwise. The rules of the standard for the host are kept in two points only: instance pointers are valid,
   arrays as long as announced. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all.c"

enum { FUZZ_INSTANCES = 3, FUZZ_STATES = 4 };

static uint64_t seed;
static uint64_t seed_of_run;
static unsigned long logged;
static char last_message[512];
static double now;
static size_t burst;

#include "fuzz_invariants.h"

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
    static const double odd[] = {0.0, -0.0, 1.0, -1.0, 1e-300, 5e-324, 1e9, -1e9, 1e300, CP_UNLIMITED,
                                 -CP_UNLIMITED, 0.01, (double)INFINITY, -(double)INFINITY, (double)NAN};
    const uint64_t bits = draw_bits();
    double value = 0.0;
    switch (draw(4)) {
    case 0: memcpy(&value, &bits, sizeof value); return value; /* NaN and infinity among them */
    case 1: return odd[draw(sizeof odd / sizeof *odd)];
    case 2: return (double)draw(100) - 20.0;
    default: return ((double)draw(1000000) / 1000000.0 - 0.5) * 4.0;
    }
}

static uint32_t *draw_references(size_t n)
{
    uint32_t *const references = malloc(n * sizeof *references + (n == 0));
    for (size_t i = 0; i < n; i++) {
        references[i] = draw(8) ? (uint32_t)draw(n_references + 2) : (uint32_t)draw_bits();
        references[i] = draw(4) ? references[i] : 1 + (uint32_t)draw(3 * burst + 1); /* inputs and y_hat */
        const uint32_t one = watched[draw(WATCHED)];
        references[i] = draw(4) || one == 0 ? references[i] : one;
    }
    return references;
}

static double *draw_reals(size_t n)
{
    double *const values = malloc(n * sizeof *values + (n == 0));
    for (size_t i = 0; i < n; i++) {
        values[i] = draw_real();
    }
    return values;
}

static int32_t *draw_whole(size_t n)
{
    int32_t *const values = malloc(n * sizeof *values + (n == 0));
    for (size_t i = 0; i < n; i++) {
        values[i] = draw(4) ? (int32_t)draw(8) : (int32_t)(uint32_t)draw_bits();
    }
    return values;
}

#if CP_FMI == 3
#include "fuzz3.h"
#else
#include "fuzz2.h"
#endif

typedef struct {
    fuzz_state state;
    bool forged;
} fuzz_slot;

/* Change some of the content and mend the checksum. */
static void forge(unsigned char *bytes, size_t size)
{
    cp_snapshot head;
    for (size_t changes = 1 + draw(3); changes > 0; changes--) {
        const double real = draw_real();
        const int32_t whole = (int32_t)draw(300) - 100;
        unsigned char *const at = bytes + CP_SUMMED_FROM + draw((size - CP_SUMMED_FROM) / sizeof real) * sizeof real;
        switch (draw(3)) {
        case 0: memcpy(at, &real, sizeof real); break;
        case 1: memcpy(at + sizeof whole * draw(2), &whole, sizeof whole); break;
        default: at[draw(sizeof real)] ^= (unsigned char)(1u << draw(8)); break;
        }
    }
    memcpy(&head, bytes, sizeof head);
    head.checksum = cp_checksum(&head, bytes + sizeof head);
    memcpy(bytes, &head, sizeof head);
}

/* serialise, perhaps damage or forge, read back; what is accepted must be usable */
static void call_serialise(void *c, fuzz_slot *slot)
{
    if (slot->state == NULL) {
        return;
    }
    const size_t size = state_size(c, slot->state);
    unsigned char *const bytes = calloc(size + 1, 1);
    unsigned char *cut = NULL;
    fuzz_state copy = NULL;
    size_t length = size;
    state_write(c, slot->state, bytes, size);
    const bool forged = draw(3) == 0;
    const bool damaged = !forged && draw(3) == 0;
    if (forged) {
        forge(bytes, size);
    } else if (damaged) {
        bytes[draw(size)] ^= (unsigned char)(1u << draw(8));
    }
    if (draw(4) == 0) {
        length = draw(size);
    }
    cut = malloc(length + (length == 0));
    memcpy(cut, bytes, length);
    const bool read = state_read(c, cut, length, &copy);
    changed_nothing(c, "saving a state changed something");
    holds(!read || (length == size && !damaged), "a damaged state was taken");
    holds(read || length < size || damaged || forged || slot->forged, "a saved state was refused");
    if (read) {
        state_set(c, copy);
        forget(c, forged || slot->forged);
        state_free(c, &copy);
    }
    free(cut);
    free(bytes);
}

static void call_state(void *c, fuzz_slot slots[])
{
    fuzz_slot *const slot = &slots[draw(FUZZ_STATES)];
    remember(c);
    switch (draw(4)) {
    case 0:
        state_get(c, &slot->state);
        slot->forged = record_of(c)->forged;
        changed_nothing(c, "saving a state changed something");
        break;
    case 1:
        if (slot->state != NULL) {
            state_set(c, slot->state);
            forget(c, slot->forged);
        }
        break;
    case 2: state_free(c, &slot->state); break;
    default: call_serialise(c, slot); break;
    }
}

static void take_step(void *component, double t, double h)
{
    cp_instance *const c = component;
    const bool awaits = is_coupling() && c->model->has_event_mode(c->binding);
    if (awaits && c->stale) {
        keep_pace(c); /* with event timing what is given out is what the inputs mean at the start of a step */
    } else {
        record_of(c)->paced = record_of(c)->paced && !awaits;
    }
    remember(c);
    const bool refused = !call_step(c, t, h);
    const bool empty = h == 0.0; /* some hosts begin with one: it is answered, nothing is given out */
    holds(!refused || !is_coupling() || is_same_state(c), "a refused step changed something");
    if (empty) {
        changed_nothing(c, "a step of no length changed something");
    }
    if (refused || empty) {
        record_of(c)->paced = false; /* the inputs may change before the next try */
    } else if (!awaits) {
        keep_pace(c);
    }
}

/* 0 to 1 */
static double draw_share(void) { return (double)draw(1000000) / 1e6; }

/* limits and rate, in one call, that matter to the tones below; if one is refused, all are */
static void call_tune(void *c)
{
    const size_t n = 1 + draw(3);
    uint32_t references[3];
    double values[3];
    for (size_t i = 0; i < n; i++) {
        const size_t which = draw(3);
        references[i] = watched[OUTPUT_MIN + which];
        values[i] = which + OUTPUT_MIN == RATE_MAX ? 100.0 * draw_share() : 4.0 * draw_share() - 2.0;
    }
    remember(c);
    const bool accepted = set_reals(c, references, n, values);
    changed_named(c, references, accepted ? n : 0, accepted);
}

static void call_any(void *c, fuzz_slot slots[])
{
    static const double sizes[] = {0.01, 0.0025, 0.02, 0.007, 1.0};
    remember(c);
    switch (draw(16)) {
    case 0: call_order(c); forget(c, record_of(c)->forged); break;
    case 1: call_null(c); changed_nothing(c, "a null pointer changed something"); break;
    case 2: call_derivative(c); changed_nothing(c, "a read changed something"); break;
    case 3: call_state(c, slots); break;
    case 4: take_step(c, draw_real(), draw_real()); break;
    case 5: call_begin(c); break;
    case 6: call_tune(c); break;
    case 7: case 8: case 9: call_values(c); break;
    default: {
        const double h = draw(16) ? sizes[draw(5)] : draw_real();
        const double t = time_of(c);
        take_step(c, t, h);
        now = CP_FMI == 2 ? t + h : now;
        break;
    }
    }
}

/* A good host for a while: a tone with noise, jumps and losses, late and disordered, few values out of order, so that what needs many steps in a
   row is reached too: learning, clocks, blending, what follows a jump. Now and then something else happens. */
static void call_drive(void *c, fuzz_slot slots[])
{
    static const double scales[] = {0.0, 0.01, 1.0};
    static const double h = 0.01;
    const double noise = scales[draw(3)];
    const double stiffness = 0.3 * draw_share();
    const size_t disorder = 1 + draw(4);
    double x = draw_share();
    double v = 0.0;
    if (draw(2)) {
        call_reset(c);
        call_begin(c);
    }
    if (draw(2)) {
        call_tune(c);
    }
    for (size_t steps = draw(1000); steps > 0; steps--) {
        double sent = time_of(c) - h * (double)(2 + draw(disorder));
        v -= stiffness * x;
        x += v + (draw(300) ? 0.0 : 5.0);
        for (uint32_t i = 0; i < burst; i++, sent -= h) {
            const double y = draw(500) ? x - i * v + noise * (draw_share() - 0.5) : draw_real();
            take_news(c, 3 * i + 1, y, draw(500) ? sent : draw_real(), draw(30) != 0);
        }
        if (draw(200) == 0) {
            call_any(c, slots);
        }
        now = CP_FMI == 2 ? time_of(c) : now;
        take_step(c, now, h);
        if (draw(8) == 0) {
            check(c);
        }
    }
}

static unsigned long run_one(const char *resources, const char *token)
{
    void *instances[FUZZ_INSTANCES] = {NULL};
    fuzz_slot slots[FUZZ_STATES] = {{NULL, false}};
    const size_t n = 1 + draw(FUZZ_INSTANCES);
    unsigned long calls = 0;
    for (size_t i = 0; i < n; i++) {
        instances[i] = instantiate(resources, token);
        if (instances[i] == NULL) {
            abort();
        }
        prepare(instances[i]);
        records[i] = (fuzz_record){.c = instances[i]};
        call_begin(instances[i]);
    }
    for (size_t rounds = draw(2000); rounds > 0; rounds--, calls++) {
        void *const c = instances[draw(n)];
        draw(200) ? call_any(c, slots) : call_drive(c, slots);
        if (draw(2)) {
            check(c);
        }
    }
    for (size_t i = 0; i < FUZZ_STATES; i++) {
        state_free(instances[0], &slots[i].state);
    }
    for (size_t i = 0; i < n; i++) {
        release(instances[i]);
    }
    return calls;
}

int main(int argc, char **argv)
{
    unsigned long calls = 0;
    if (argc != 6) {
        return 2;
    }
    const unsigned long runs = strtoul(argv[1], NULL, 10);
    const uint64_t first = strtoull(argv[2], NULL, 10);
    burst = strtoul(argv[5], NULL, 10);
    for (unsigned long i = 0; i < runs; i++) {
        seed = seed_of_run = first + i;
        calls += run_one(argv[3], argv[4]);
    }
    (void)printf("%lu calls, %lu messages\n", calls, logged);
    return 0;
}
