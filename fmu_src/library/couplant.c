/* A face over the kernel for C and C++ without FMI: memory of the caller, handles, statuses (couplant.h). */
#include "couplant.h"

#ifdef COUPLANT_WITHOUT_NEURAL
#define CP_WITHOUT_NEURAL
#endif
#ifdef COUPLANT_WITHOUT_ENERGY
#define CP_WITHOUT_ENERGY
#endif
/* in one file the functions of headers count as its own, and not all parts use all of them */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunused-function"
#endif

#define CP_API static
#define CP_NUMBERS couplant_list

#include "../kernel/kernel.c"

#include <float.h>

/* values must be those of all other machines, bit for bit */
#if DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024
#error "double has to be a number of 64 bits; on AVR and some other targets that is an option of the compiler"
#endif

/* numbers that memory hardly has by chance: what was never opened is refused */
enum { CP_LIFE_BEFORE = 0x636F7570, CP_LIFE_RUN, CP_LIFE_ENDED, CP_LIFE_CLOSED };

struct couplant {
    int32_t life;
    int32_t stale;     /* something was set since outputs were worked out */
    int32_t seen;      /* the preview is made */
    int32_t events;    /* that wait to be read, bits */
    double time;       /* of the step that told them, s */
    double start;      /* s */
    cp_state *state;   /* behind this record */
    cp_state *preview; /* behind the state, or NULL */
    couplant_sentence why;
    cp_coupling_settings settings;
};

/* what a signal has to begin at a multiple of */
typedef struct {
    char before;
    couplant signal;
} cp_placed_signal;

typedef char cp_overhead_is_enough[sizeof(couplant) <= COUPLANT_OVERHEAD ? 1 : -1];
typedef char cp_overhead_is_no_more[sizeof(couplant) + 32 > COUPLANT_OVERHEAD ? 1 : -1];
typedef char cp_rows_are_told[COUPLANT_ROWS == CP_VARIABLES ? 1 : -1];
typedef char cp_sentence_has_room[sizeof(couplant_sentence) == sizeof(cp_reason) ? 1 : -1];

/* Pass a sentence on. */
static couplant_status cp_say(couplant_sentence *why, const cp_reason *reason)
{
    if (why != NULL) {
        memcpy(why->text, reason->text, sizeof why->text);
    }
    return COUPLANT_REFUSED;
}

static couplant_status cp_say_about(couplant *c, const char *format, const char *name)
{
    cp_reason reason;
    (void)cp_refuse(&reason, format, name);
    return cp_say(&c->why, &reason);
}

static couplant_status cp_done(couplant *c, bool done, const cp_reason *reason)
{
    return done ? COUPLANT_OK : cp_say(&c->why, reason);
}

static bool cp_is_alive(const couplant *c)
{
    return c != NULL && c->life >= CP_LIFE_BEFORE && c->life <= CP_LIFE_ENDED;
}

/* Is it open? Else a sentence says so, if there is where to say it. */
static bool cp_is_open(couplant *c, const char *call)
{
    if (c != NULL && c->life == CP_LIFE_CLOSED) {
        (void)cp_say_about(c, "%s after couplant_close, allowed is couplant_open", call);
    }
    return cp_is_alive(c);
}

static bool cp_is_running(couplant *c, const char *call)
{
    if (!cp_is_open(c, call)) {
        return false;
    }
    if (c->life == CP_LIFE_BEFORE) {
        (void)cp_say_about(c, "%s before couplant_start", call);
    } else if (c->life == CP_LIFE_ENDED) {
        (void)cp_say_about(c, "%s after the end of the run, allowed are couplant_reset and couplant_restore", call);
    }
    return c->life == CP_LIFE_RUN;
}

static bool cp_has_started(const couplant *c)
{
    return c->life != CP_LIFE_BEFORE;
}

static bool cp_lists_are_there(const couplant_settings *settings, cp_reason *why)
{
    bool there = settings != NULL && (settings->n == 0 || settings->lists != NULL);
    for (size_t i = 0; there && i < settings->n; i++) {
        there = settings->lists[i].key != NULL && (settings->n == 0 || settings->lists[i].values != NULL);
    }
    return there || cp_refuse(why, "settings = NULL or with a list that is NULL, allowed those that were written");
}

static bool cp_take_settings(cp_coupling_settings *taken, const couplant_settings *settings, cp_reason *why)
{
    return cp_lists_are_there(settings, why) &&
           cp_coupling_settle(taken, settings->lists, settings->n, settings->fingerprint, why);
}

static size_t cp_needed(const cp_coupling_settings *settings, bool preview)
{
    return sizeof(couplant) + cp_coupling_size(settings) * (preview ? 2 : 1);
}

couplant_status couplant_size(const couplant_settings *settings, int preview, size_t *bytes, couplant_sentence *why)
{
    cp_coupling_settings taken;
    cp_reason reason;
    if (bytes == NULL) {
        (void)cp_refuse(&reason, "bytes = NULL, allowed a place for the size");
        return cp_say(why, &reason);
    }
    if (!cp_take_settings(&taken, settings, &reason)) {
        return cp_say(why, &reason);
    }
    *bytes = cp_needed(&taken, preview != 0 || taken.event != 0);
    return COUPLANT_OK;
}

/* Is the memory what the record of a signal, then what the settings in it ask for? */
static bool cp_memory_suits(const void *memory, size_t size, size_t needed, cp_reason *why)
{
    const size_t multiple = offsetof(cp_placed_signal, signal);
    if (memory == NULL || (uintptr_t)memory % multiple != 0) {
        return cp_refuse(why, "memory = %s, allowed what begins at a multiple of %t bytes, as doubles do",
                         memory == NULL ? "NULL" : "bytes at an odd place", (double)multiple);
    }
    return size >= needed ||
           cp_refuse(why, "memory has %t bytes, allowed %t or more", (double)size, (double)needed);
}

static bool cp_move_in(void *memory, size_t size, const couplant_settings *settings, cp_reason *why)
{
    if (!cp_memory_suits(memory, size, sizeof(couplant), why)) {
        return false;
    }
    couplant *const c = (couplant *)memory;
    c->life = 0;
    if (!cp_take_settings(&c->settings, settings, why) ||
        !cp_memory_suits(memory, size, cp_needed(&c->settings, c->settings.event != 0), why)) {
        return false;
    }
    c->state = (cp_state *)(void *)(c + 1);
    c->preview = NULL;
    if (size >= cp_needed(&c->settings, true)) {
        c->preview = (cp_state *)(void *)((char *)c->state + cp_coupling_size(&c->settings));
    }
    c->life = CP_LIFE_BEFORE;
    c->why.text[0] = '\0';
    return true;
}

couplant_status couplant_open(couplant **opened, void *memory, size_t size, const couplant_settings *settings,
                              couplant_sentence *why)
{
    cp_reason reason;
    if (opened == NULL) {
        (void)cp_refuse(&reason, "opened = NULL, allowed a place for the signal");
        return cp_say(why, &reason);
    }
    *opened = NULL;
    if (!cp_move_in(memory, size, settings, &reason)) {
        return cp_say(why, &reason);
    }
    *opened = (couplant *)memory;
    return couplant_reset(*opened);
}

couplant_status couplant_reset(couplant *c)
{
    if (!cp_is_open(c, "couplant_reset")) {
        return COUPLANT_REFUSED;
    }
    cp_coupling_reset(&c->settings, c->state);
    c->life = CP_LIFE_BEFORE;
    c->stale = 1;
    c->seen = c->events = 0;
    c->time = c->start = 0.0;
    return COUPLANT_OK;
}

couplant_status couplant_start(couplant *c, double time)
{
    cp_reason reason;
    if (!cp_is_open(c, "couplant_start")) {
        return COUPLANT_REFUSED;
    }
    if (cp_has_started(c)) {
        return cp_say_about(c, "%s after the start, allowed is couplant_reset before it", "couplant_start");
    }
    if (!cp_coupling_init(&c->settings, c->state, time, &reason)) {
        return cp_say(&c->why, &reason);
    }
    c->life = CP_LIFE_RUN;
    c->time = c->start = time;
    c->stale = 1;
    c->seen = 0;
    return COUPLANT_OK;
}

couplant_status couplant_step(couplant *c, double time, double size)
{
    cp_reason reason;
    if (!cp_is_running(c, "couplant_step")) {
        return COUPLANT_REFUSED;
    }
    if (!cp_coupling_step(&c->settings, c->state, time, size, &reason)) {
        return cp_say(&c->why, &reason);
    }
    c->stale = c->settings.event; /* with event timing what is read next is for the point that has come */
    c->seen = 0;
    c->events |= c->state->log.events;
    c->time = time;
    if (c->state->quality.stopped) {
        c->life = CP_LIFE_ENDED;
        return COUPLANT_ENDED;
    }
    return COUPLANT_OK;
}

couplant_status couplant_close(couplant *c)
{
    if (!cp_is_open(c, "couplant_close")) {
        return COUPLANT_REFUSED;
    }
    if (cp_has_started(c)) {
        c->events |= cp_coupling_closing(c->state);
    }
    c->life = CP_LIFE_CLOSED;
    return COUPLANT_OK;
}

#include "values.c"
#include "states.c"
