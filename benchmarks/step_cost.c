/* What a step costs with everything on, next to EROS4 at a constant latency.

       step_cost RESOURCES TOKEN RESOURCES TOKEN

   First the plain FMU, then the one with everything on: inputs of messages of three values. Both take the same signal,
   in turn, many times over; of each step the least time counts, so that what the machine does beside does not. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "all.c"

enum { STEPS = 2000, ROUNDS = 25, VALUES = 3, LATE = 3 };

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

/* references: y, y_time, y_valid, then the same of what the message repeats, then y_hat */
static fmi2Real exchange(fmi2Component c, const message *m, size_t values, int n)
{
    static const fmi2ValueReference real[] = {1, 2, 4, 5, 7, 8};
    static const fmi2ValueReference boolean[] = {3, 6, 9};
    const fmi2ValueReference out = values > 1 ? 3 * VALUES + 1 : 4;
    fmi2Real y_hat = 0.0;
    if (fmi2SetReal(c, real, values > 1 ? 2 * values : 1, m->numbers) != fmi2OK ||
        fmi2SetBoolean(c, boolean, values, m->valid) != fmi2OK || fmi2DoStep(c, n * h, h, 1) != fmi2OK ||
        fmi2GetReal(c, &out, 1, &y_hat) != fmi2OK) {
        abort();
    }
    return y_hat;
}

/* Run all steps once; keep of each the least time so far. */
static void run(char **fmu, const message *messages, size_t values, double *least)
{
    const fmi2Component c = start(fmu[0], fmu[1]);
    volatile double sum = 0.0;
    for (int n = 0; n < STEPS; n++) {
        const double begin = seconds();
        sum += exchange(c, &messages[n], values, n);
        const double taken = seconds() - begin;
        least[n] = taken < least[n] ? taken : least[n];
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
static void report(double *least, double clock)
{
    qsort(least, STEPS, sizeof *least, ascending);
    (void)printf("%.1f %.1f\n", (least[STEPS / 2] - clock) * 1e9, (least[STEPS - 1] - clock) * 1e9);
}

static double clock_alone(void)
{
    double least = 1.0;
    for (int i = 0; i < STEPS; i++) {
        const double begin = seconds();
        const double taken = seconds() - begin;
        least = taken < least ? taken : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    static double of_plain[STEPS];
    static double of_everything[STEPS];
    if (argc != 5) {
        return 2;
    }
    prepare();
    for (int n = 0; n < STEPS; n++) {
        of_plain[n] = of_everything[n] = 1.0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        run(&argv[1], plain, 1, of_plain);
        run(&argv[3], repeated, VALUES, of_everything);
    }
    const double clock = clock_alone();
    report(of_plain, clock);
    report(of_everything, clock);
    return 0;
}
