/* couplant: one late, sampled signal in, the best estimate of what it is now out.

   The twin of the Python package couplant_runtime: the same values and the same state, bit for bit.

       latency -> history -> quality -> discontinuity -> switching -> algorithm -> reconstruction

   Use
       cp_coupling_settle       once: take the settings that the builder made
       cp_coupling_reset        give a state its start values
       cp_coupling_set          set inputs and parameters
       cp_coupling_init         check the parameters, set the clock; parameters that are fixed stay from here on
       loop
           cp_coupling_set      the newest value, its send stamp, whether it is new
           cp_coupling_preview  (saved.h) only to read outputs between a set and the next step
           cp_coupling_step     one communication step
           cp_value             the outputs, valid at the end of the step
       cp_coupling_serialise, cp_coupling_restore (saved.h)   a state as bytes, at any time; or copy the structure

   The caller owns all memory. Settings are read-only afterwards and may be shared by any number of states. A state is
   one plain structure without pointers. No function allocates, locks, does I/O, calls the system or libm, or keeps
   anything outside its arguments; the time of a call is bounded. Different states may be used in different threads.

   A function that may refuse returns false and writes one sentence to `why` (which may be NULL): quantity, value, what
   is allowed. What was refused has changed nothing.

   Compile `kernel.c` with -ffp-contract=off -fno-math-errno, never with -ffast-math. */
#ifndef CP_COUPLANT_H
#define CP_COUPLANT_H

#include "generated/constants.h"
#include "generated/state.h"
#include "../base/variable.h"

/* variables that an FMU can have, time included */
#ifndef CP_WITHOUT_NEURAL
enum { CP_VARIABLES = CP_NEURAL_VARIABLES };
#elif !defined(CP_WITHOUT_ENERGY)
enum { CP_VARIABLES = CP_ENERGY_VARIABLES };
#else
enum { CP_VARIABLES = CP_PLAIN_VARIABLES };
#endif

/* Weights of the algorithm `linear` for one latency. */
typedef struct {
    int32_t m;            /* number of weights; 0: none for this latency */
    const double *a;      /* level, newest first, m of them, - */
    const double *slopes; /* A, change per macro step, newest first, m of them, - */
    int32_t n;              /* number of weights of the derivative; 0: it is not used */
    const double *b;        /* of the derivative times the macro step, level, newest first, n of them, - */
    const double *b_slopes; /* B, change per macro step, newest first, n of them, - */
} cp_weights;

/* What the algorithm `irregular` knows about the signal. */
typedef struct {
    int32_t values; /* received values used, 2 .. CP_TERMS; 0: FMU without it */
    int32_t degree; /* of the polynomials that are continued exactly */
    const double *noise; /* variance as a share of the signal's, by usual lead in macro steps, CP_HORIZONS, - */
    const double *correlation; /* r at multiples of 1 / CP_CELLS macro steps, CP_KNOTS, - */
    const double *gradient;    /* its derivative, per macro step */
} cp_spectrum;

/* Shape of a neural network and the linear algorithm that it came from. */
typedef struct {
    int32_t size;         /* number of weights of all layers; 0: no network */
    int32_t steps;        /* latency for which it holds, macro steps */
    int32_t inputs;       /* differences to the newest value, m - 1 */
    int32_t first;        /* linear neurons */
    int32_t second;       /* neurons with leaky ReLU */
    int32_t origin;       /* algorithm that it came from */
    int32_t offsets;      /* the neurons of the second layer have offsets, the last of all weights */
    double leak;          /* slope of the leaky ReLU for negative values, - */
    const double *slopes; /* A of that algorithm, newest first, m of them, - */
} cp_neural_settings;

enum { CP_BETWEEN = 2 };

/* The model of the prototype that sends y, matrices row by row: x_{j+1} = Phi x_j + G0 u_j + G1 (u_{j+1} - u_j),
   y_j = C x_j + D u_j. */
typedef struct {
    int32_t states;  /* N, those of what excites it included; 0: no model */
    int32_t inputs;  /* m */
    int32_t outputs; /* p */
    int32_t own;     /* which of the outputs is y, from 0 */
    int32_t late;    /* the inputs of a macro point are known only after the estimate for it */
    int32_t echo;    /* messages tell what the prototype was given; CP_BETWEEN: those beside a missing one do */
    int32_t stale;   /* the host reads its outputs before it sets its inputs */
    int32_t fallback; /* algorithm that runs in its place while it is wrong */
    double micro_step; /* how long it is given each estimate in step timing, above 0 to 1, macro steps */
    double variance;   /* of the error on y before a correction, were the model right, its unit squared */
    const double *phi;       /* Phi, N x N */
    const double *level;     /* G0, N x m */
    const double *change;    /* G1, N x m */
    const double *of_states; /* C, p x N */
    const double *through;   /* D, p x m */
    const double *gain;      /* K of the observer, N x p */
    const double *start;     /* states at rest from the first outputs, then inputs, N x (p + m) */
} cp_plant;

/* Everything that never changes while an FMU runs: what the builder fixed. */
typedef struct {
    uint64_t fingerprint; /* states of other settings are refused */
    int32_t event;        /* event timing instead of step timing */
    int32_t has;          /* lists that were there, bits */
    int32_t n_variables;  /* that the FMU has */
    int32_t n_start;
    int32_t n_weights;  /* latencies with weights */
    int32_t shown_taps; /* weights that are parameters of the FMU: those of a single latency, else 0 */
    int32_t bonded;     /* the FMU is at the end of a power bond */
    int32_t follows;    /* it learns the lag of its receiver */
    int32_t periodic;   /* it follows the phasors of a periodic signal */
    /* numbers of the caller, as long as the settings are in use */
    const double *start;                  /* start values, n_variables of them; outputs: 0 */
    const double *zeta[CP_ALGORITHMS];    /* zeta / dT by algorithm and horizon, CP_HORIZONS each, - */
    const double *delta[CP_ALGORITHMS];   /* delta likewise, - */
    cp_weights weights[CP_MAX_STEPS + 1]; /* by latency in macro steps */
    cp_spectrum spectrum;
    /* half Hann window, scaled, times cosine and sine; oldest value first, - */
    double real[CP_WINDOW][CP_BINS];
    double imaginary[CP_WINDOW][CP_BINS];
    cp_neural_settings neural;
    cp_plant plant;
    uint16_t chosen[CP_VARIABLES]; /* which of all variables: rows of the table in the order of their references */
} cp_coupling_settings;

/* Bytes of the state that these settings need: up to the records that they do not use. */
CP_API size_t cp_coupling_size(const cp_coupling_settings *c);

/* Settings. */

/* Take the lists of the settings: `timing`, `variables`, `start`, `weights.K`, `derivative.K`, `zeta.NAME`,
   `delta.NAME`, `real`, `imaginary`, `network`, `network.start` as in couplant_runtime/config.py; others are
   ignored. */
CP_API bool cp_coupling_settle(cp_coupling_settings *c, const cp_numbers *lists, size_t n, uint64_t fingerprint,
                               cp_reason *why);

/* Life cycle. */

/* Give the state the start values: nothing received, nothing set. */
CP_API void cp_coupling_reset(const cp_coupling_settings *c, cp_state *s);

/* Leave initialisation: check all parameters, set the clock to `start_time` [s]. */
CP_API bool cp_coupling_init(const cp_coupling_settings *c, cp_state *s, double start_time, cp_reason *why);

/* Carry out a communication step from `time` [s], which continues the last step, over `size` [s]. `s->log.events` tells
   what happened, `s->quality.stopped` that the run ends here. */
CP_API bool cp_coupling_step(const cp_coupling_settings *c, cp_state *s, double time, double size, cp_reason *why);

/* Events to tell when the run ends: what its warnings were about. */
CP_API int32_t cp_coupling_closing(const cp_state *s);

/* Check the range of all parameters and the rules between them; `cp_coupling_init` does it too. Whoever sets tunable
   parameters in a run does it after all that belong together, and takes them back if it says no. */
CP_API bool cp_coupling_check(const cp_coupling_settings *c, const cp_state *s, cp_reason *why);

/* May the FMU go on from this state? For states from outside; `running` if initialisation had ended. */
CP_API bool cp_coupling_sound(const cp_coupling_settings *c, const cp_state *s, bool running, cp_reason *why);

/* Copy the part of a state that a refresh reads, and what a read after it shows. After cp_coupling_init only. */
CP_API void cp_coupling_copy(const cp_coupling_settings *c, cp_state *to, const cp_state *from);

/* Turn a copy of a state into what a read after a set shows: the outputs that fit the inputs. Not `running`: before
   cp_coupling_init. */
CP_API void cp_coupling_refresh(const cp_coupling_settings *c, cp_state *s, bool running);

/* The macro point after the end of the last step, s. */
CP_API double cp_coupling_next_point(const cp_state *s);

/* Derivatives of `y_hat` in a state whose outputs are fresh. */

/* With respect to time, signal unit per s: the slope of the reconstruction; 0 where it is held or limited. */
CP_API double cp_coupling_slope(const cp_coupling_settings *c, const cp_state *s);

/* With respect to the value on `y`, -: a_0 + theta A_0 of the active algorithm; 0 where it is held or limited. In step
   timing 0 once the FMU is `running`: then `y_hat` is that of the last step. */
CP_API double cp_coupling_gain(const cp_coupling_settings *c, const cp_state *s, bool running);

/* Variables. */

/* The variable with that value reference, 1 .. n_variables, or NULL. */
CP_API const cp_variable *cp_coupling_find(const cp_coupling_settings *c, uint32_t reference);

/* Give an input or a parameter a value. Inputs take anything. A fixed parameter is checked when initialisation ends and
   refused once the FMU is `running`; the range of a tunable one is checked here from then on, its fit to the others is
   not. */
CP_API bool cp_coupling_set(cp_state *s, const cp_variable *variable, double value, bool running, cp_reason *why);

#endif
