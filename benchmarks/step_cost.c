/* What steps of FMUs cost, next to each other.

       step_cost [plain|repeated RESOURCES TOKEN Y_HAT ACTIVE]..

   Messages have one value, or three with stamps. Y_HAT and ACTIVE are value references, of the estimate and of the
   algorithm that made it. All take the same signal, in turn, many times over; of each step the least time counts, so
   that what the machine does beside does not. A line for each: median and longest, ns, and the last algorithm. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "all.c"

enum { STEPS = 2000, ROUNDS = 25, VALUES = 3, LATE = 3, WORDS = 5, MOST = 4 };

static const double h = 0.01;

/* what is handed over at a macro step */
typedef struct {
    fmi2Real numbers[2 * VALUES]; /* value, send stamp, newest first */
    fmi2Boolean valid[VALUES];
} message;

static message plain[STEPS];
static message repeated[STEPS];

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* between 0 and 1, the same at every run */
static double chance(void)
{
    static uint32_t seed = 1;
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 16777216.0;
}

/* A tone with noise and jumps. Its sender keeps time badly, a message in twenty is lost, latencies are 2 to 4 steps. */
static void prepare(void)
{
    static double value[STEPS];
    static double stamp[STEPS];
    static int arrival[STEPS];
    double x = 0.0;
    double v = 1.0;
    for (int n = 0; n < STEPS; n++) {
        v -= 0.01 * x;
        x += 0.01 * v;
        value[n] = x + 0.01 * chance() + (n / 250 % 2) * 2.0;
        stamp[n] = ((double)n - 0.5 * chance()) * h;
        arrival[n] = n + 2 + (int)(3.0 * chance()) + (chance() < 0.05 ? STEPS : 0);
        plain[n] = (message){{value[n > LATE ? n - LATE : 0]}, {1}};
    }
    for (int n = 0; n < STEPS; n++) {
        int newest = n;
        while (newest >= 0 && arrival[newest] > n) {
            newest--;
        }
        for (int i = 0; i < VALUES; i++) {
            const int sent = newest - i > 0 ? newest - i : 0;
            repeated[n].numbers[2 * i] = value[sent];
            repeated[n].numbers[2 * i + 1] = stamp[sent];
            repeated[n].valid[i] = newest >= i;
        }
    }
}

static fmi2Component start(const char *resources, const char *token)
{
    static const fmi2CallbackFunctions callbacks = {NULL, calloc, free, NULL, NULL};
    const fmi2Component c = fmi2Instantiate("b", fmi2CoSimulation, token, resources, &callbacks, 0, 0);
    if (c == NULL || fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0) != fmi2OK ||
        fmi2EnterInitializationMode(c) != fmi2OK || fmi2ExitInitializationMode(c) != fmi2OK) {
        abort();
    }
    return c;
}

/* what is measured */
typedef struct {
    const char *resources;
    const char *token;
    const message *messages;
    size_t values;
    fmi2ValueReference y_hat;
    fmi2ValueReference active;
    fmi2Integer ran; /* at last */
    double least[STEPS];
} candidate;

static candidate candidates[MOST];

/* references: y, y_time, y_valid, then the same of what the message repeats */
static fmi2Real exchange(fmi2Component c, const candidate *own, int n)
{
    static const fmi2ValueReference real[] = {1, 2, 4, 5, 7, 8};
    static const fmi2ValueReference boolean[] = {3, 6, 9};
    const message *const m = &own->messages[n];
    fmi2Real y_hat = 0.0;
    if (fmi2SetReal(c, real, own->values > 1 ? 2 * own->values : 1, m->numbers) != fmi2OK ||
        fmi2SetBoolean(c, boolean, own->values, m->valid) != fmi2OK || fmi2DoStep(c, n * h, h, 1) != fmi2OK ||
        fmi2GetReal(c, &own->y_hat, 1, &y_hat) != fmi2OK) {
        abort();
    }
    return y_hat;
}

/* Run all steps once; keep of each the least time so far. */
static void run(candidate *own)
{
    const fmi2Component c = start(own->resources, own->token);
    volatile double sum = 0.0;
    for (int n = 0; n < STEPS; n++) {
        const double begin = seconds();
        sum += exchange(c, own, n);
        const double taken = seconds() - begin;
        own->least[n] = taken < own->least[n] ? taken : own->least[n];
    }
    if (fmi2GetInteger(c, &own->active, 1, &own->ran) != fmi2OK) {
        abort();
    }
    fmi2FreeInstance(c);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* median and maximum without what reading the clock costs, ns */
static void report(candidate *own, double clock)
{
    double *const least = own->least;
    qsort(least, STEPS, sizeof *least, ascending);
    (void)printf("%.1f %.1f %d\n", (least[STEPS / 2] - clock) * 1e9, (least[STEPS - 1] - clock) * 1e9, own->ran);
}

static double clock_alone(double least)
{
    for (int i = 0; i < STEPS; i++) {
        const double begin = seconds();
        const double taken = seconds() - begin;
        least = taken < least ? taken : least;
    }
    return least;
}

static void take(candidate *own, char **words)
{
    const bool repeats = strcmp(words[0], "repeated") == 0;
    own->messages = repeats ? repeated : plain;
    own->values = repeats ? VALUES : 1;
    own->resources = words[1];
    own->token = words[2];
    own->y_hat = (fmi2ValueReference)strtoul(words[3], NULL, 10);
    own->active = (fmi2ValueReference)strtoul(words[4], NULL, 10);
    for (int n = 0; n < STEPS; n++) {
        own->least[n] = 1.0;
    }
}

int main(int argc, char **argv)
{
    const int count = (argc - 1) / WORDS;
    if (count < 1 || count > MOST || argc != 1 + count * WORDS) {
        return 2;
    }
    prepare();
    for (int i = 0; i < count; i++) {
        take(&candidates[i], &argv[1 + i * WORDS]);
    }
    double clock = 1.0;
    for (int round = 0; round < ROUNDS; round++) {
        clock = clock_alone(clock); /* in turn too: the machine may have become slower at the end */
        for (int i = 0; i < count; i++) {
            run(&candidates[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        report(&candidates[i], clock);
    }
    return 0;
}
