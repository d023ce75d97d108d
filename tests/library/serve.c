/* A signal of the C library behind lines of text, for any machine that has standard input and output.

       list KEY N BITS ..      a list of the settings, doubles as 16 hexadecimal digits
       open HASH PREVIEW       open with the lists so far; PREVIEW: 1 with room to preview
       find NAME, start T, set HANDLE VALUE, get HANDLE, held HANDLE (of the committed state), step T H
       save, restore HEX, message, slope, gain, next, why, reset, close

   Each answers one line: the status, then what was asked for. */
#include <stdio.h>
#include <stdlib.h>

#include "couplant.c"

enum { LINE = 1 << 20, LISTS = 300 };

static char line[LINE];
static couplant_list lists[LISTS];
static size_t n_lists;
static couplant_settings settings;
static void *memory;
static couplant *c;

static char *word(void) { return strtok(NULL, " \n"); }

static double number(void)
{
    const uint64_t bits = strtoull(word(), NULL, 16);
    double value = 0.0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void answer(couplant_status status, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    (void)printf("%d %08lx%08lx\n", (int)status, (unsigned long)(bits >> 32), (unsigned long)(bits & 0xFFFFFFFFu));
}

static void take_list(void)
{
    char *const key = word();
    const size_t n = strtoul(word(), NULL, 10);
    double *const values = malloc((n + 1) * sizeof *values);
    char *const kept = malloc(strlen(key) + 1);
    if (values == NULL || kept == NULL || n_lists == LISTS) {
        abort();
    }
    for (size_t i = 0; i < n; i++) {
        values[i] = number();
    }
    lists[n_lists++] = (couplant_list){strcpy(kept, key), values, n};
    answer(COUPLANT_OK, 0.0);
}

static void open_signal(void)
{
    couplant_sentence why = {""};
    size_t size = 0;
    settings = (couplant_settings){strtoull(word(), NULL, 16), lists, n_lists};
    const int preview = atoi(word());
    couplant_status status = couplant_size(&settings, preview, &size, &why);
    free(memory);
    memory = malloc(size + 1);
    status = status == COUPLANT_OK ? couplant_open(&c, memory, size, &settings, &why) : status;
    (void)printf("%d %s\n", (int)status, why.text);
    n_lists = 0;
}

static void save(void)
{
    size_t size = 0;
    (void)couplant_state_size(c, &size);
    unsigned char *const bytes = malloc(size);
    const couplant_status status = couplant_save(c, bytes, size);
    (void)printf("%d ", (int)status);
    for (size_t i = 0; i < size; i++) {
        (void)printf("%02x", bytes[i]);
    }
    (void)printf("\n");
    free(bytes);
}

static void restore(void)
{
    const char *const hex = word();
    const size_t size = strlen(hex) / 2;
    unsigned char *const bytes = malloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        unsigned value = 0;
        (void)sscanf(hex + 2 * i, "%2x", &value);
        bytes[i] = (unsigned char)value;
    }
    answer(couplant_restore(c, bytes, size), 0.0);
    free(bytes);
}

static void tell_message(void)
{
    couplant_notice message = {0.0, 0, "", ""};
    const couplant_status status = couplant_message(c, &message);
    (void)printf("%d %d %s %g %s\n", (int)status, message.warns, message.category, message.time, message.text);
}

static void call_with_double(couplant_status call(couplant *, double *))
{
    double value = 0.0;
    const couplant_status status = call(c, &value);
    answer(status, value);
}

static void call_with_handle(const char *call)
{
    const couplant_handle handle = (couplant_handle)strtoul(word(), NULL, 10);
    double value = 0.0;
    if (strcmp(call, "set") == 0) {
        answer(couplant_set(c, handle, number()), 0.0);
    } else if (strcmp(call, "get") == 0) {
        const couplant_status status = couplant_get(c, handle, &value);
        answer(status, value);
    } else {
        answer(COUPLANT_OK, cp_value(cp_coupling_find(&c->settings, handle), c->state));
    }
}

static void call_of_life(const char *call)
{
    if (strcmp(call, "start") == 0) {
        answer(couplant_start(c, number()), 0.0);
    } else if (strcmp(call, "step") == 0) {
        const double t = number();
        answer(couplant_step(c, t, number()), 0.0);
    } else if (strcmp(call, "reset") == 0) {
        answer(couplant_reset(c), 0.0);
    } else if (strcmp(call, "close") == 0) {
        answer(couplant_close(c), 0.0);
    } else if (strcmp(call, "find") == 0) {
        couplant_handle handle = 0;
        const couplant_status status = couplant_find(c, word(), &handle);
        (void)printf("%d %lu\n", (int)status, (unsigned long)handle);
    } else {
        (void)printf("%d %s\n", COUPLANT_OK, couplant_why(c));
    }
}

static void serve(const char *call)
{
    static const char *const with_handle[] = {"set", "get", "held"};
    for (size_t i = 0; i < sizeof with_handle / sizeof *with_handle; i++) {
        if (strcmp(call, with_handle[i]) == 0) {
            call_with_handle(call);
            return;
        }
    }
    if (strcmp(call, "list") == 0) {
        take_list();
    } else if (strcmp(call, "open") == 0) {
        open_signal();
    } else if (strcmp(call, "save") == 0) {
        save();
    } else if (strcmp(call, "restore") == 0) {
        restore();
    } else if (strcmp(call, "message") == 0) {
        tell_message();
    } else if (strcmp(call, "slope") == 0 || strcmp(call, "gain") == 0 || strcmp(call, "next") == 0) {
        call_with_double(*call == 's' ? couplant_slope : *call == 'g' ? couplant_gain : couplant_next_point);
    } else {
        call_of_life(call);
    }
}

int main(void)
{
    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const call = strtok(line, " \n");
        if (call != NULL) {
            serve(call);
            (void)fflush(stdout);
        }
    }
    return 0;
}
