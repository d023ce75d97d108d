/* couplant: one late, sampled signal in, the best estimate of what it is now out; for targets without FMI.

   Use
       static double memory[BENCH_TORQUE_DOUBLES];          names of the header that comes with the settings
       couplant *c;
       couplant_open(&c, memory, sizeof memory, &bench_torque, NULL);
       couplant_set(c, bench_torque_output_max, 400.0)      parameters, if they are not those of the settings
       couplant_start(c, 0.0)                               checks them; fixed ones stay from here on
       loop
           couplant_set(c, bench_torque_y, y)               the newest value, its send stamp, whether it is new
           couplant_step(c, time, size)                     one communication step
           couplant_get(c, bench_torque_y_hat, &y_hat)      what it is at the end of the step
       couplant_close(c)

   With event timing the estimate is read before the step: set, get, step.

   All memory is the caller's. No function allocates, locks, does I/O, calls the system or keeps anything outside its
   arguments; the time of a call is bounded. Any number of signals may be open at once, each in memory of its own;
   different ones may be used in different threads and interrupts, one and the same may not.

   Every function returns a status. What was refused has changed nothing, and `couplant_why` has one sentence about it:
   quantity, value, what is allowed.

   Compile couplant.c with -ffp-contract=off -fno-math-errno, never with -ffast-math. */
#ifndef COUPLANT_H
#define COUPLANT_H

/* What no signal of the settings needs is left out: define COUPLANT_WITHOUT_NEURAL for networks that learn,
   COUPLANT_WITHOUT_ENERGY for power bonds, models, derivatives, phasors and a lag that is learnt. */
/* parts */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One signal; what is in it is nobody else's business. */
typedef struct couplant couplant;

typedef enum {
    COUPLANT_OK = 0,
    COUPLANT_NOTHING = 1, /* couplant_message: there is none */
    COUPLANT_ENDED = 2,   /* a step that was done and ends the run: quality.action = stop */
    COUPLANT_REFUSED = 3
} couplant_status;

/* One sentence that says why something was refused; "" for none. */
typedef struct {
    char text[200];
} couplant_sentence;

/* What happened in a step. */
typedef struct {
    double time;          /* of the step, s */
    int warns;            /* 0: it only tells */
    const char *category; /* input, timing, latency, dropout, discontinuity, quality, output, learning, energy, model */
    char text[200];       /* one sentence */
} couplant_notice;

/* n numbers under a key. */
typedef struct {
    const char *key;
    const double *values;
    size_t n;
} couplant_list;

/* The settings of one signal, as `couplant build --c-library` writes them; they may lie in read-only memory, and have to
   stay while a signal is open. */
typedef struct {
    uint64_t fingerprint; /* states of other settings are refused */
    const couplant_list *lists;
    size_t n;
} couplant_settings;

/* A variable of a signal, 1 for the first one: the value reference in an FMU of the same settings. */
typedef uint32_t couplant_handle;

/* Doubles that a signal with a state of so many bytes needs: COUPLANT_DOUBLES for runs, COUPLANT_DOUBLES_TO_PREVIEW
   where outputs are to follow what is set before the next step, which event timing needs. */
#define COUPLANT_DOUBLES(state) (((state) + COUPLANT_OVERHEAD + sizeof(double) - 1) / sizeof(double))
#define COUPLANT_DOUBLES_TO_PREVIEW(state) ((2 * (state) + COUPLANT_OVERHEAD + sizeof(double) - 1) / sizeof(double))
#define COUPLANT_OVERHEAD (COUPLANT_ROWS * sizeof(uint16_t) + 888 + 434 * sizeof(void *))
#if !defined(COUPLANT_WITHOUT_NEURAL)
#define COUPLANT_ROWS 431
#elif !defined(COUPLANT_WITHOUT_ENERGY)
#define COUPLANT_ROWS 293
#else
#define COUPLANT_ROWS 220
#endif

/* Tell the bytes that a signal needs; with `preview`, and with event timing, those for outputs that follow what is set.
   `why` may be NULL. */
couplant_status couplant_size(const couplant_settings *settings, int preview, size_t *bytes, couplant_sentence *why);

/* Open a signal in `memory` of `size` bytes, which begins where a double may, and is its own until it is closed. With
   room for it outputs follow what is set. `why`, which may be NULL, has the sentence if it is refused. */
couplant_status couplant_open(couplant **opened, void *memory, size_t size, const couplant_settings *settings,
                              couplant_sentence *why);

/* Give all variables their start values again; the signal is as it was when it was opened. */
couplant_status couplant_reset(couplant *c);

/* Check all parameters and set the clock to `time`, s. */
couplant_status couplant_start(couplant *c, double time);

/* Carry out a communication step from `time`, where the last one ended, over `size`, s. */
couplant_status couplant_step(couplant *c, double time, double size);

/* End the run, whose last messages are to be read then, and give the memory back. */
couplant_status couplant_close(couplant *c);

/* Find a variable by its name, once; the header of the settings has all of them as constants. */
couplant_status couplant_find(couplant *c, const char *name, couplant_handle *handle);

/* Set an input at any time, a tunable parameter at any time within its range, a fixed one before the start. */
couplant_status couplant_set(couplant *c, couplant_handle handle, double value);

enum { COUPLANT_MOST_AT_ONCE = 32 };

/* Set `n` variables, up to COUPLANT_MOST_AT_ONCE, all or none: parameters that have to fit each other, such as both limits. */
couplant_status couplant_set_all(couplant *c, const couplant_handle handles[], const double values[], size_t n);

/* Read a variable. Whole numbers, enumerations and Booleans (0 or 1) are doubles too. */
couplant_status couplant_get(couplant *c, couplant_handle handle, double *value);

/* Read how fast `y_hat` changes, signal unit per s. */
couplant_status couplant_slope(couplant *c, double *slope);

/* Read how much `y_hat` changes with `y`, -: 0 once it runs in step timing, where it is that of the last step. */
couplant_status couplant_gain(couplant *c, double *gain);

/* Read the next macro point, s: with event timing no step should pass it. */
couplant_status couplant_next_point(couplant *c, double *time);

/* Take the next message; COUPLANT_NOTHING where there is none. Messages wait, each kind once, until they are taken. */
couplant_status couplant_message(couplant *c, couplant_notice *message);

/* Tell the bytes of a saved state. */
couplant_status couplant_state_size(couplant *c, size_t *bytes);

/* Save the state of a run to `bytes`, of which there are `size`. */
couplant_status couplant_save(couplant *c, void *bytes, size_t size);

/* Go on from a saved state, of this signal or of another one with the same settings: `size` bytes that begin where a
   double may. One that is damaged or that no run can have made is refused. */
couplant_status couplant_restore(couplant *c, const void *bytes, size_t size);

/* The sentence about what was refused last, "" where nothing was; it stays until the next refusal. */
const char *couplant_why(const couplant *c);

#ifdef __cplusplus
}
#endif

#endif
