/* The real-time contract of a coupling FMU: after initialisation a step allocates nothing, locks nothing, makes no
   system call; many instances step in turn without growth; and what a step costs.

       realtime contract|many|time|single|repeated RESOURCES TOKEN [BURST [RESULT]]

   BURST is the number of values in a message. RESULT is the value reference of an integer output that must be above 0
   after the steps of `contract`: what was to be examined has happened.
   Compiled with the FMU as one program and with malloc and its kin wrapped by the linker. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "all.c"

enum { Y = 1 };

static fmi2ValueReference burst = 1;
static fmi2ValueReference result;
static unsigned long allocated;
static unsigned long released;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *memory, size_t n);
void __real_free(void *memory);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *memory, size_t n);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t n)
{
    allocated++;
    return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    allocated++;
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *memory, size_t n)
{
    allocated++;
    return __real_realloc(memory, n);
}

void __wrap_free(void *memory)
{
    released += memory != NULL;
    __real_free(memory);
}

static fmi2Component start(const char *resources, const char *token)
{
    static const fmi2CallbackFunctions callbacks = {NULL, calloc, free, NULL, NULL};
    const fmi2Component c = fmi2Instantiate("r", fmi2CoSimulation, token, resources, &callbacks, 0, 0);
    if (c == NULL || fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0) != fmi2OK ||
        fmi2EnterInitializationMode(c) != fmi2OK || fmi2ExitInitializationMode(c) != fmi2OK) {
        abort();
    }
    return c;
}

/* noise and arcs in turn, with jumps, so that every stage has something to do and a network something to learn */
static double signal_at(unsigned long n)
{
    const double arc = (double)(n % 60u) / 30.0 - 1.0;
    const double noise = (double)(n * 7919u % 1000u) / 1000.0;
    const double course = n / 2000u % 2u != 0 ? 4.0 * arc * (1.0 - (arc < 0.0 ? -arc : arc)) : noise;
    return course + (double)(n / 500u % 2u) * 3.0;
}

/* a message sent 2 to 4 steps ago with its predecessors, or none; without stamps y alone counts */
static bool receive(fmi2Component c, unsigned long n, double h)
{
    const unsigned long late = 2 + n * 7919u % 3u;
    for (fmi2ValueReference i = 0; i < burst; i++) {
        const fmi2ValueReference in[] = {Y + 3 * i, Y + 3 * i + 1};
        const fmi2ValueReference valid = Y + 3 * i + 2;
        const unsigned long sent = n > late + i ? n - late - i : 0;
        const fmi2Real values[] = {signal_at(sent), (double)sent * h};
        const fmi2Boolean news = n % 97 != 0 && n >= late + i;
        if (fmi2SetReal(c, in, 2, values) != fmi2OK || fmi2SetBoolean(c, &valid, 1, &news) != fmi2OK) {
            return false;
        }
    }
    return true;
}

static fmi2Real exchange(fmi2Component c, unsigned long n, double h)
{
    const fmi2ValueReference out = Y + 3 * burst;
    fmi2Real y_hat = 0.0;
    if (!receive(c, n, h) || fmi2DoStep(c, (double)n * h, h, 1) != fmi2OK ||
        fmi2GetReal(c, &out, 1, &y_hat) != fmi2OK) {
        abort();
    }
    return y_hat;
}

/* from here on the kernel of the operating system ends the process at any call but exit */
static void forbid_system_calls(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
    };
    const struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        (void)printf("no seccomp: %s\n", strerror(errno));
        exit(77);
    }
}

static int contract(const char *resources, const char *token)
{
    const fmi2Component c = start(resources, token);
    const unsigned long before = allocated + released;
    volatile double sum = 0.0;
    forbid_system_calls();
    for (unsigned long n = 0; n < 100000; n++) {
        sum += exchange(c, n, 0.01);
    }
    fmi2Integer found = 1;
    if (result != 0 && fmi2GetInteger(c, &result, 1, &found) != fmi2OK) {
        found = 0;
    }
    _exit(allocated + released != before ? 1 : found > 0 ? 0 : 2);
}

/* a state that is taken, set and freed */
static void save(fmi2Component c)
{
    fmi2FMUstate state = NULL;
    if (fmi2GetFMUstate(c, &state) != fmi2OK || fmi2SetFMUstate(c, state) != fmi2OK ||
        fmi2FreeFMUstate(c, &state) != fmi2OK || state != NULL) {
        abort();
    }
}

static int many(const char *resources, const char *token)
{
    enum { COUNT = 1000, STEPS = 200 };
    static fmi2Component c[COUNT];
    const unsigned long at_first = allocated - released;
    for (int i = 0; i < COUNT; i++) {
        c[i] = start(resources, token);
    }
    const unsigned long before = allocated;
    for (unsigned long n = 0; n < STEPS; n++) {
        const double first = exchange(c[0], n, 0.01);
        for (int i = 1; i < COUNT; i++) {
            if (exchange(c[i], n, 0.01) != first) {
                return 1;
            }
        }
    }
    if (allocated != before) {
        return 2;
    }
    for (int i = 0; i < COUNT; i++) {
        save(c[i]);
        fmi2FreeInstance(c[i]);
    }
    return allocated - released == at_first ? 0 : 3;
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* median, 99.9 percentile and maximum of set + doStep + get over batches of `steps`, ns each */
static int measure(const char *resources, const char *token, int steps)
{
    enum { MOST = 200000 };
    static double batch[MOST];
    const int batches = steps > 1 ? 4000 : MOST;
    const fmi2Component c = start(resources, token);
    volatile double sum = 0.0;
    unsigned long n = 0;
    for (int i = 0; i < batches; i++) {
        const double begin = seconds();
        for (int j = 0; j < steps; j++, n++) {
            sum += exchange(c, n, 0.01);
        }
        batch[i] = (seconds() - begin) / steps * 1e9;
    }
    qsort(batch, (size_t)batches, sizeof *batch, ascending);
    (void)printf("%.2f %.2f %.2f\n", batch[batches / 2], batch[batches - 1 - batches / 1000], batch[batches - 1]);
    fmi2FreeInstance(c);
    return 0;
}

/* The same of single steps, of each the least of many runs, so that what the machine does beside does not count, less
   what reading the clock takes. */
static int repeat(const char *resources, const char *token)
{
    enum { STEPS = 20000, RUNS = 25 };
    static double least[STEPS];
    volatile double sum = 0.0;
    double clock = 1.0;
    for (int run = 0; run < RUNS; run++) {
        const fmi2Component c = start(resources, token);
        for (unsigned long n = 0; n < STEPS; n++) {
            const double begin = seconds();
            sum += exchange(c, n, 0.01);
            const double end = seconds();
            const double again = seconds();
            clock = again - end < clock ? again - end : clock;
            least[n] = run == 0 || end - begin < least[n] ? end - begin : least[n];
        }
        fmi2FreeInstance(c);
    }
    qsort(least, STEPS, sizeof *least, ascending);
    const int at[] = {STEPS / 2, STEPS - 1 - STEPS / 1000, STEPS - 1};
    for (int i = 0; i < 3; i++) {
        (void)printf("%.1f ", (least[at[i]] - clock) * 1e9);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 6) {
        return 2;
    }
    burst = argc > 4 ? (fmi2ValueReference)strtoul(argv[4], NULL, 10) : 1;
    result = argc > 5 ? (fmi2ValueReference)strtoul(argv[5], NULL, 10) : 0;
    if (strcmp(argv[1], "contract") == 0) {
        return contract(argv[2], argv[3]);
    }
    if (strcmp(argv[1], "many") == 0) {
        return many(argv[2], argv[3]);
    }
    if (strcmp(argv[1], "repeated") == 0) {
        return repeat(argv[2], argv[3]);
    }
    return measure(argv[2], argv[3], strcmp(argv[1], "single") == 0 ? 1 : 100);
}
