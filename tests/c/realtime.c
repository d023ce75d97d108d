/* The real-time contract of a coupling FMU: after initialisation a step allocates nothing, locks nothing, makes no
   system call; many instances step in turn without growth; and what a step costs.

       realtime contract|many|time RESOURCES TOKEN

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

enum { Y = 1, Y_TIME = 2, Y_VALID = 3, Y_HAT = 4 };

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

/* a signal with jumps and steps without news, sent at uneven times, so that every stage has something to do */
static double signal_at(unsigned long n)
{
    return (double)(n * 7919u % 1000u) / 1000.0 + (double)(n / 500u % 2u) * 3.0;
}

static fmi2Real exchange(fmi2Component c, unsigned long n, double h)
{
    static const fmi2ValueReference in[] = {Y, Y_TIME};
    static const fmi2ValueReference valid = Y_VALID;
    static const fmi2ValueReference out = Y_HAT;
    const fmi2Real y[] = {signal_at(n), ((double)n - (double)(n * 104729u % 1000u) / 2000.0) * h};
    const fmi2Boolean news = n % 97 != 0;
    fmi2Real y_hat = 0.0;
    if (fmi2SetReal(c, in, 2, y) != fmi2OK || fmi2SetBoolean(c, &valid, 1, &news) != fmi2OK ||
        fmi2DoStep(c, (double)n * h, h, 1) != fmi2OK || fmi2GetReal(c, &out, 1, &y_hat) != fmi2OK) {
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
    _exit(allocated + released == before ? 0 : 1);
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

/* median, 99.9 percentile and maximum of set + doStep + get over batches of 100, ns each */
static int measure(const char *resources, const char *token)
{
    enum { BATCHES = 4000, STEPS = 100 };
    static double batch[BATCHES];
    const fmi2Component c = start(resources, token);
    volatile double sum = 0.0;
    unsigned long n = 0;
    for (int i = 0; i < BATCHES; i++) {
        const double begin = seconds();
        for (int j = 0; j < STEPS; j++, n++) {
            sum += exchange(c, n, 0.01);
        }
        batch[i] = (seconds() - begin) / STEPS * 1e9;
    }
    qsort(batch, BATCHES, sizeof *batch, ascending);
    (void)printf("%.2f %.2f %.2f\n", batch[BATCHES / 2], batch[BATCHES - 1 - BATCHES / 1000], batch[BATCHES - 1]);
    fmi2FreeInstance(c);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        return 2;
    }
    if (strcmp(argv[1], "contract") == 0) {
        return contract(argv[2], argv[3]);
    }
    return strcmp(argv[1], "many") == 0 ? many(argv[2], argv[3]) : measure(argv[2], argv[3]);
}
