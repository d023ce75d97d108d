/* An FMU of FMI 2.0 that does harm: y' = -u with y(0) = 1, until ATTACK = "function count kind" is due, or its file `late`. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmi2FunctionTypes.h"

typedef struct { double u, y; int steps; char late[32]; } instance;

static void *raiser(void *unused) {
    (void)unused;
    raise(SIGSEGV);
    return NULL;
}

static void print(long bytes) {
    static char line[1 << 16];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (long i = 0; i < bytes; i += (long)sizeof line) fwrite(line, 1, sizeof line, i % 3 ? stdout : stderr);
    fflush(stdout);
}

static void attack(const char *kind) {
    volatile int *nowhere = NULL;
    pthread_t thread;
    if (!strcmp(kind, "segv")) *nowhere = 1;
    if (!strcmp(kind, "abort")) abort();
    if (!strcmp(kind, "exit0")) exit(0);
    if (!strcmp(kind, "exit3")) exit(3);
    if (!strcmp(kind, "_exit")) _exit(0);
    if (!strcmp(kind, "kill")) raise(SIGKILL);
    if (!strcmp(kind, "close")) for (int i = 0; i < 64; i++) close(i);
    if (!strcmp(kind, "print")) print(1L << 28);
    if (!strcmp(kind, "words")) fprintf(stderr, "out of licences\n"), exit(3);
    if (!strcmp(kind, "read")) while (getchar() != EOF) {}
    if (!strcmp(kind, "thread") && !pthread_create(&thread, NULL, raiser, NULL)) pthread_join(thread, NULL);
    if (!strcmp(kind, "deaf")) {
        FILE *file = fopen(getenv("ATTACK_FILE"), "w");
        signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN);
        fclose(file);
        for (;;) pause();
    }
}

static void due(const char *function) {
    static int left = -1;
    char wanted[32] = "", kind[32] = "";
    int count = 0;
    const char *order = getenv("ATTACK");
    if (order && sscanf(order, "%31s %d %31s", wanted, &count, kind) == 3 && !strcmp(wanted, function)) {
        left = left < 0 ? count : left;
        if (left > 0 && --left == 0) attack(kind);
    }
}

__attribute__((constructor)) static void load(void) { due("load"); }
__attribute__((destructor)) static void unload(void) { due("unload"); }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String place,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    instance *made = calloc(1, sizeof *made);
    char path[1024];
    FILE *file;
    (void)name, (void)type, (void)guid, (void)callbacks, (void)visible, (void)logging;
    due("Instantiate");
    snprintf(path, sizeof path, "%s/late", strstr(place, "file://") ? strstr(place, "file://") + 7 : place);
    file = fopen(path, "r");
    if (file && fscanf(file, "%31s", made->late) == 1) puts("at work"), fflush(stdout);
    if (file) fclose(file);
    made->y = 1.0;
    return made;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_return) {
    instance *one = c;
    (void)t, (void)no_return;
    due("DoStep");
    if (++one->steps == 3 && one->u == 0.0) attack(one->late); /* the first value takes more than two steps */
    one->y -= h * one->u;
    return fmi2OK;
}

#define PLAIN(NAME, ...) fmi2Status fmi2##NAME(fmi2Component c __VA_ARGS__) { (void)c; due(#NAME); return fmi2OK; }
#define COMMA ,
PLAIN(EnterInitializationMode)
PLAIN(ExitInitializationMode)
PLAIN(Terminate)
PLAIN(SetupExperiment, COMMA fmi2Boolean a COMMA fmi2Real b COMMA fmi2Real d COMMA fmi2Boolean e COMMA fmi2Real f)

void fmi2FreeInstance(fmi2Component c) {
    due("FreeInstance");
    free(c);
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real values[]) {
    due("GetReal");
    for (size_t i = 0; i < n; i++) values[i] = r[i] == 1 ? ((instance *)c)->u : ((instance *)c)->y;
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real values[]) {
    due("SetReal");
    for (size_t i = 0; i < n; i++) if (r[i] == 1) ((instance *)c)->u = values[i];
    return fmi2OK;
}

const char *fmi2GetVersion(void) { return "2.0"; }
const char *fmi2GetTypesPlatform(void) { return "default"; }

#define REFUSED(NAME) int fmi2##NAME(void) { return fmi2Error; } /* importers want them to be there */
REFUSED(SetDebugLogging)
REFUSED(Reset)
REFUSED(CancelStep)
REFUSED(GetInteger)
REFUSED(SetInteger)
REFUSED(GetBoolean)
REFUSED(SetBoolean)
REFUSED(GetString)
REFUSED(SetString)
REFUSED(GetStatus)
REFUSED(GetRealStatus)
REFUSED(GetIntegerStatus)
REFUSED(GetBooleanStatus)
REFUSED(GetStringStatus)
REFUSED(GetFMUstate)
REFUSED(SetFMUstate)
REFUSED(FreeFMUstate)
REFUSED(SerializedFMUstateSize)
REFUSED(SerializeFMUstate)
REFUSED(DeSerializeFMUstate)
REFUSED(GetDirectionalDerivative)
REFUSED(SetRealInputDerivatives)
REFUSED(GetRealOutputDerivatives)
