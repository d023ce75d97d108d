/* Calls the FMI functions of one FMU in any order with any values, under the sanitizers.

       fuzz SECONDS SEED RESOURCES TOKEN VARIABLES BURST

   VARIABLES is their number, BURST that of the values in a message, which are the first variables.
   Prints how many calls were made; a report of a sanitizer, a crash or a hang ends it otherwise. The rules of the
   standard for the host are kept in two points only: instance pointers are valid, arrays as long as announced. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "all.c"

enum { FUZZ_INSTANCES = 3, FUZZ_STATES = 4 };

static uint64_t seed;
static unsigned long logged;
static double now;
static size_t variables;
static size_t burst;

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
    static const double odd[] = {0.0, -0.0, 1.0, -1.0, 1e-300, 5e-324, 1e9, -1e9, 1e300, CP_UNLIMITED, -CP_UNLIMITED, 0.01};
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
        references[i] = draw(8) ? (uint32_t)draw(variables + 2) : (uint32_t)draw_bits();
        references[i] = draw(4) ? references[i] : 1 + (uint32_t)draw(3 * burst + 1); /* inputs and y_hat */
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

/* serialise, perhaps damage, read back; what is accepted must be usable */
static void call_serialise(void *c, fuzz_state *state)
{
    if (*state == NULL) {
        return;
    }
    const size_t size = state_size(c, *state);
    unsigned char *const bytes = calloc(size + 1, 1);
    unsigned char *cut = NULL;
    fuzz_state copy = NULL;
    size_t length = size;
    state_write(c, *state, bytes, size);
    if (draw(3) == 0 && size > 0) {
        bytes[draw(size)] ^= (unsigned char)(1u << draw(8));
    }
    if (draw(3) == 0) {
        length = draw(size + 1);
    }
    cut = malloc(length + (length == 0));
    memcpy(cut, bytes, length);
    if (state_read(c, cut, length, &copy)) {
        state_set(c, copy);
        state_free(c, &copy);
    }
    free(cut);
    free(bytes);
}

static void call_state(void *c, fuzz_state states[])
{
    fuzz_state *const state = &states[draw(FUZZ_STATES)];
    switch (draw(4)) {
    case 0: state_get(c, state); break;
    case 1: state_set(c, *state); break;
    case 2: state_free(c, state); break;
    default: call_serialise(c, state); break;
    }
}

static void call_any(void *c, fuzz_state states[])
{
    static const double sizes[] = {0.01, 0.0025, 0.02, 0.007, 1.0};
    switch (draw(16)) {
    case 0: call_order(c); break;
    case 1: call_null(c); break;
    case 2: call_derivative(c); break;
    case 3: call_state(c, states); break;
    case 4: call_step(c, draw_real(), draw_real()); break;
    case 5: call_begin(c); break;
    case 6: case 7: case 8: case 9: call_values(c); break;
    default: {
        const double h = draw(16) ? sizes[draw(5)] : draw_real();
        const double t = time_of(c);
        call_step(c, t, h);
        now = CP_FMI == 2 ? t + h : now;
        break;
    }
    }
}

/* 0 to 1 */
static double draw_share(void) { return (double)draw(1000000) / 1e6; }

/* A good host for a while: a tone with noise, jumps and losses, late and disordered, so that what needs many steps in a
   row is reached too: learning, clocks, blending, what follows a jump. Now and then something else happens. */
static void call_drive(void *c, fuzz_state states[])
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
    for (size_t steps = draw(1000); steps > 0; steps--) {
        double sent = time_of(c) - h * (double)(2 + draw(disorder));
        v -= stiffness * x;
        x += v + (draw(300) ? 0.0 : 5.0);
        for (uint32_t i = 0; i < burst; i++, sent -= h) {
            take_news(c, 3 * i + 1, x - i * v + noise * (draw_share() - 0.5), sent, draw(30) != 0);
        }
        if (draw(200) == 0) {
            call_any(c, states);
        }
        now = CP_FMI == 2 ? time_of(c) : now;
        call_step(c, now, h);
    }
}

static unsigned long run_one(const char *resources, const char *token)
{
    void *instances[FUZZ_INSTANCES] = {NULL};
    fuzz_state states[FUZZ_STATES] = {NULL};
    const size_t n = 1 + draw(FUZZ_INSTANCES);
    unsigned long calls = 0;
    for (size_t i = 0; i < n; i++) {
        instances[i] = instantiate(resources, token);
        if (instances[i] == NULL) {
            abort();
        }
        call_begin(instances[i]);
    }
    for (size_t rounds = draw(2000); rounds > 0; rounds--, calls++) {
        void *const c = instances[draw(n)];
        draw(200) ? call_any(c, states) : call_drive(c, states);
    }
    for (size_t i = 0; i < FUZZ_STATES; i++) {
        state_free(instances[0], &states[i]);
    }
    for (size_t i = 0; i < n; i++) {
        release(instances[i]);
    }
    return calls;
}

int main(int argc, char **argv)
{
    unsigned long calls = 0;
    if (argc != 7) {
        return 2;
    }
    variables = strtoul(argv[5], NULL, 10);
    burst = strtoul(argv[6], NULL, 10);
    seed = strtoull(argv[2], NULL, 10);
    for (const time_t end = time(NULL) + atol(argv[1]); time(NULL) < end;) {
        calls += run_one(argv[3], argv[4]);
    }
    (void)printf("%lu calls, %lu messages\n", calls, logged);
    return 0;
}
