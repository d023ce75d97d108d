/* A small FMI host: loads the binary of an FMU and carries out a script, without any library but C's.

       loader 2|3|3e BINARY RESOURCES TOKEN < SCRIPT        3e: FMI 3 with Event Mode

   Script, one command a line; values as hexadecimal floats or bits, so that nothing is rounded:
       real|int|enum|bool REFERENCE VALUE   set           get real|int|enum|bool REFERENCE   print the value
       init T            through initialisation at T      step T H   one communication step
       save / restore    one saved state                  event      FMI 3: Event Mode, update, Step Mode
       step-mode         FMI 3: leave the first Event Mode
       state             print the serialised state's checksum
       bench N H         N exchanges of a coupling FMU: set y, step of H from time 0 on, get y_hat; print ns for each
   Every line of output is NAME STATUS [VALUE]; what the FMU logs follows on lines that begin with #. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fmi2FunctionTypes.h"
#include "fmi3FunctionTypes.h"

#ifdef _WIN32
#include "windows.h"
#else
#include <dlfcn.h>
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void (*symbol_of(void *library, const char *name))(void)
{
    union {
        void *object;
        void (*function)(void);
    } both = {dlsym(library, name)};
    return both.function;
}
#endif

static void *library;
static int version;
static bool event_mode;
static void *component;
static void *saved;

static void (*find(const char *name))(void)
{
    char full[64];
    (void)snprintf(full, sizeof full, "fmi%d%s", version, name);
    void (*const function)(void) = symbol_of(library, full);
    if (function == NULL) {
        (void)printf("missing %s\n", full);
        exit(2);
    }
    return function;
}

#define CALL2(name) ((fmi2##name##TYPE *)find(#name))
#define CALL3(name) ((fmi3##name##TYPE *)find(#name))

static void tell2(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status, fmi2String category,
                 fmi2String format, ...)
{
    char text[1024];
    va_list arguments;
    (void)environment;
    (void)instance;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)printf("# %d %s %s\n", (int)status, category, text);
}

static void tell3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message)
{
    (void)environment;
    (void)printf("# %d %s %s\n", (int)status, category, message);
}

static void instantiate(const char *resources, const char *token)
{
    static const fmi2CallbackFunctions callbacks = {tell2, calloc, free, NULL, NULL};
    component = version == 2
                    ? CALL2(Instantiate)("loader", fmi2CoSimulation, token, resources, &callbacks, 0, 0)
                    : CALL3(InstantiateCoSimulation)("loader", token, resources, false, false, event_mode, true, NULL,
                                                     0, NULL, tell3, NULL);
}

static double parse(const char *word)
{
    uint64_t bits = 0;
    double value = 0.0;
    if (word[0] == '@') {
        bits = strtoull(word + 1, NULL, 16);
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return atof(word);
}

static void show(const char *name, int status) { (void)printf("%s %d\n", name, status); }

static void show_real(const char *name, int status, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    (void)printf("%s %d %016" PRIx64 "\n", name, status, bits);
}

static void set_value(const char *kind, unsigned reference, double value)
{
    if (strcmp(kind, "real") == 0) {
        show(kind, version == 2 ? (int)CALL2(SetReal)(component, &reference, 1, &value)
                                : (int)CALL3(SetFloat64)(component, &reference, 1, &value, 1));
        return;
    }
    const int32_t whole = (int32_t)value;
    const int64_t item = whole;
    const bool flag = value != 0.0;
    if (version == 2) {
        show(kind, strcmp(kind, "bool") == 0 ? (int)CALL2(SetBoolean)(component, &reference, 1, &whole)
                                             : (int)CALL2(SetInteger)(component, &reference, 1, &whole));
    } else if (strcmp(kind, "bool") == 0) {
        show(kind, (int)CALL3(SetBoolean)(component, &reference, 1, &flag, 1));
    } else {
        show(kind, strcmp(kind, "enum") == 0 ? (int)CALL3(SetInt64)(component, &reference, 1, &item, 1)
                                             : (int)CALL3(SetInt32)(component, &reference, 1, &whole, 1));
    }
}

static void get_value(const char *kind, unsigned reference)
{
    double value = 0.0;
    int32_t whole = 0;
    int64_t item = 0;
    bool flag = false;
    int status = 0;
    if (strcmp(kind, "real") == 0) {
        status = version == 2 ? (int)CALL2(GetReal)(component, &reference, 1, &value)
                              : (int)CALL3(GetFloat64)(component, &reference, 1, &value, 1);
        show_real(kind, status, value);
        return;
    }
    if (version == 2) {
        status = strcmp(kind, "bool") == 0 ? (int)CALL2(GetBoolean)(component, &reference, 1, &whole)
                                           : (int)CALL2(GetInteger)(component, &reference, 1, &whole);
    } else if (strcmp(kind, "bool") == 0) {
        status = (int)CALL3(GetBoolean)(component, &reference, 1, &flag, 1);
    } else if (strcmp(kind, "enum") == 0) {
        status = (int)CALL3(GetInt64)(component, &reference, 1, &item, 1);
    } else {
        status = (int)CALL3(GetInt32)(component, &reference, 1, &whole, 1);
    }
    (void)printf("%s %d %ld\n", kind, status, (long)(whole + item + flag));
}

static void initialise(double start)
{
    int status = 0;
    if (version == 2) {
        status = (int)CALL2(SetupExperiment)(component, 0, 0.0, start, 0, 0.0);
        status |= (int)CALL2(EnterInitializationMode)(component);
        status |= (int)CALL2(ExitInitializationMode)(component);
    } else {
        status = (int)CALL3(EnterInitializationMode)(component, false, 0.0, start, false, 0.0);
        status |= (int)CALL3(ExitInitializationMode)(component);
    }
    show("init", status);
}

static void step(double time, double size)
{
    bool event = false;
    bool end = false;
    bool early = false;
    double last = 0.0;
    if (version == 2) {
        show("step", (int)CALL2(DoStep)(component, time, size, 1));
        return;
    }
    const int status = (int)CALL3(DoStep)(component, time, size, true, &event, &end, &early, &last);
    show("step", end ? (int)fmi3Discard : status);
}

static void handle_event(void)
{
    bool flags[5] = {false};
    double next = 0.0;
    int status = (int)CALL3(EnterEventMode)(component);
    status |= (int)CALL3(UpdateDiscreteStates)(component, &flags[0], &flags[1], &flags[2], &flags[3], &flags[4], &next);
    status |= (int)CALL3(EnterStepMode)(component);
    show_real("event", status, flags[4] ? next : 0.0);
}

static int save(void)
{
    return version == 2 ? (int)CALL2(GetFMUstate)(component, &saved) : (int)CALL3(GetFMUState)(component, &saved);
}

static void restore(void)
{
    show("restore",
         version == 2 ? (int)CALL2(SetFMUstate)(component, saved) : (int)CALL3(SetFMUState)(component, saved));
}

static void release(void)
{
    if (version == 2) {
        (void)CALL2(FreeFMUstate)(component, &saved);
    } else {
        (void)CALL3(FreeFMUState)(component, &saved);
    }
}

static uint32_t checksum(const unsigned char *bytes, size_t n)
{
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < n; i++) {
        sum = (sum ^ bytes[i]) * 16777619u;
    }
    return sum;
}

static void show_state(void)
{
    size_t size = 0;
    (void)save();
    if (version == 2) {
        (void)CALL2(SerializedFMUstateSize)(component, saved, &size);
    } else {
        (void)CALL3(SerializedFMUStateSize)(component, saved, &size);
    }
    unsigned char *const bytes = calloc(size + 1, 1);
    const int status = version == 2 ? (int)CALL2(SerializeFMUstate)(component, saved, (char *)bytes, size)
                                    : (int)CALL3(SerializeFMUState)(component, saved, bytes, size);
    (void)printf("state %d %08" PRIx32 "\n", status, checksum(bytes, size));
    free(bytes);
}

static void bench(long count, double size)
{
    static const unsigned y = 1;
    static const unsigned y_hat = 4;
    fmi2SetRealTYPE *const set = CALL2(SetReal);
    fmi2GetRealTYPE *const get = CALL2(GetReal);
    fmi2DoStepTYPE *const do_step = CALL2(DoStep);
    double value = 0.0;
    int status = 0;
    const clock_t begin = clock();
    for (long n = 0; n < count; n++) {
        value = (double)(n * 7919 % 1000) / 1000.0;
        status |= (int)set(component, &y, 1, &value);
        status |= (int)do_step(component, (double)n * size, size, 1);
        status |= (int)get(component, &y_hat, 1, &value);
    }
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    (void)printf("bench %d %.1f\n", status, seconds / (double)count * 1e9);
}

static void command(char *line)
{
    char *words[4] = {"", "", "", ""};
    int n = 0;
    for (char *word = strtok(line, " \r\n"); word != NULL && n < 4; word = strtok(NULL, " \r\n")) {
        words[n++] = word;
    }
    if (strcmp(words[0], "get") == 0) {
        get_value(words[1], (unsigned)atoi(words[2]));
    } else if (strcmp(words[0], "init") == 0) {
        initialise(parse(words[1]));
    } else if (strcmp(words[0], "step") == 0) {
        step(parse(words[1]), parse(words[2]));
    } else if (strcmp(words[0], "save") == 0) {
        show("save", save());
    } else if (strcmp(words[0], "restore") == 0) {
        restore();
    } else if (strcmp(words[0], "state") == 0) {
        show_state();
    } else if (strcmp(words[0], "event") == 0) {
        handle_event();
    } else if (strcmp(words[0], "bench") == 0) {
        bench(atol(words[1]), parse(words[2]));
    } else if (strcmp(words[0], "step-mode") == 0) {
        show("step-mode", (int)CALL3(EnterStepMode)(component));
    } else if (n > 0) {
        set_value(words[0], (unsigned)atoi(words[1]), parse(words[2]));
    }
}

int main(int argc, char **argv)
{
    char line[256];
    if (argc != 5) {
        return 2;
    }
    version = atoi(argv[1]);
    event_mode = argv[1][1] == 'e';
    library = open_library(argv[2]);
    if (library == NULL) {
        (void)printf("cannot load %s\n", argv[2]);
        return 2;
    }
    instantiate(argv[3], argv[4]);
    (void)printf("instance %d\n", component != NULL);
    while (component != NULL && fgets(line, sizeof line, stdin) != NULL) {
        command(line);
    }
    if (component != NULL) {
        release();
        if (version == 2) {
            CALL2(FreeInstance)(component);
        } else {
            CALL3(FreeInstance)(component);
        }
    }
    return 0;
}
