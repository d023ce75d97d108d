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
           cp_coupling_preview  only to read outputs between a set and the next step
           cp_coupling_step     one communication step
           cp_coupling_get      the outputs, valid at the end of the step
       cp_coupling_serialise, cp_coupling_restore   a state as bytes, at any time; or copy the structure

   The caller owns all memory. Settings are read-only afterwards and may be shared by any number of states. A state is
   one plain structure without pointers. No function allocates, locks, does I/O, calls the system or libm, or keeps
   anything outside its arguments; the time of a call is bounded. Different states may be used in different threads.

   A function that may refuse returns false and writes one sentence to `why` (which may be NULL): quantity, value, what
   is allowed. What was refused has changed nothing.

   Compile `kernel.c` with -ffp-contract=off -fno-math-errno, never with -ffast-math. */
#ifndef CP_COUPLANT_H
#define CP_COUPLANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "neural.h"

/* `static` where kernel.c is part of a larger translation unit */
#ifndef CP_API
#define CP_API
#endif

#define CP_UNLIMITED 1.7976931348623157e308 /* largest finite number: no limit; its negative on y_time: no stamp yet */

enum {
    CP_SLOTS = 64,     /* values in the history, macro steps of the sender */
    CP_RING = 128,     /* estimates kept for judging */
    CP_TAPS = 64,      /* weights of an algorithm at most */
    CP_MAX_STEPS = 64, /* largest latency that is made up for, macro steps */
    CP_HORIZONS = 66,  /* horizons of the tolerance, 0 .. 65 macro steps */
    CP_WINDOW = 8,     /* values that the detector looks at */
    CP_BINS = 4,       /* frequencies of the detector */
    CP_BURST = 7,      /* earlier values that a message repeats at most */
    CP_BLOCKS = 8,     /* blocks of messages that tell the drift of a clock */
    CP_FIT = 6,        /* values that the residual detector fits */
    CP_RESIDUALS = 21, /* residuals of which it takes the median */
    CP_TERMS = 10,     /* values that the algorithm `irregular` uses at most */
    CP_PATTERNS = 12,  /* patterns of ages whose weights are kept */
    CP_PATTERN = CP_TERMS + 2, /* numbers in a pattern */
    CP_BANK = 6,       /* algorithms that `auto` blends */
    CP_CELLS = 4,      /* knots of the autocorrelation in a macro step */
    CP_REACH = 32,     /* slots that `irregular` looks at */
    CP_KNOTS = CP_CELLS * (CP_HORIZONS + CP_REACH) + 1,
    CP_ALGORITHMS = 8,
    CP_TABLED = 6,      /* algorithms whose tolerances all settings have */
#ifdef CP_WITHOUT_NEURAL
    CP_VARIABLES = 210, /* that an FMU can have, time included */
#else
    CP_VARIABLES = 284,
#endif
    CP_EVENTS = 21,       /* kinds of events */
    CP_EVENT_QUALITY_STOP = 12, /* the one that ends the run */
    CP_SENTENCE = 160
};

/* values of the enumerations: algorithm.* */
enum { CP_NONE, CP_ZOH, CP_FOH, CP_SMB, CP_EROS3, CP_EROS4, CP_LINEAR, CP_IRREGULAR, CP_AUTO, CP_NETWORK };
enum { CP_CONSTANT = 1, CP_STAMPS, CP_RESEQUENCED, CP_ROUND_TRIP };     /* latency.mode */
enum { CP_CLOCK_COMMON = 1, CP_CLOCK_FREE };                            /* latency.clock */
enum { CP_DETECT_SPECTRAL = 1, CP_DETECT_RESIDUAL };                    /* discontinuity.detector */
enum { CP_UNKNOWN, CP_HARMFUL, CP_NEUTRAL, CP_USEFUL, CP_GOOD };        /* quality.grade */
enum { CP_RECONSTRUCT_LINEAR = 1, CP_RECONSTRUCT_HOLD };                /* reconstruction */
enum { CP_LOSS_HOLD = 1, CP_LOSS_SAFE };                                /* output.on_loss */
enum { CP_QUALITY_IGNORE = 1, CP_QUALITY_WARN, CP_QUALITY_STOP, CP_QUALITY_HOLD }; /* quality.action */
enum { CP_STARTING = 1, CP_RUNNING, CP_HOLDING, CP_LOST };              /* state */

/* one sentence that says why something was refused */
typedef struct {
    char text[CP_SENTENCE];
} cp_message;

/* Weights of the algorithm `linear` for one latency. */
typedef struct {
    int32_t m;            /* number of weights; 0: none for this latency */
    const double *a;      /* level, newest first, m of them, - */
    const double *slopes; /* A, change per macro step, newest first, m of them, - */
} cp_weights;

/* What the algorithm `irregular` knows about the signal. */
typedef struct {
    int32_t values; /* received values used, 2 .. CP_TERMS; 0: FMU without it */
    int32_t degree; /* of the polynomials that are continued exactly */
    const double *noise; /* variance as a share of the signal's, by usual lead in macro steps, CP_HORIZONS, - */
    const double *correlation; /* r at multiples of 1 / CP_CELLS macro steps, CP_KNOTS, - */
    const double *gradient;    /* its derivative, per macro step */
} cp_spectrum;

/* A list of the settings: n numbers under a key. */
typedef struct {
    const char *key;
    const double *values;
    size_t n;
} cp_numbers;

/* Everything that never changes while an FMU runs: what the builder fixed. */
typedef struct {
    uint64_t fingerprint; /* states of other settings are refused */
    int32_t event;        /* event timing instead of step timing */
    int32_t has;          /* lists that were there, bits */
    int32_t n_variables;  /* that the FMU has */
    int32_t n_start;
    int32_t n_weights;  /* latencies with weights */
    int32_t shown_taps; /* weights that are parameters of the FMU: those of a single latency, else 0 */
    /* numbers of the caller, as long as the settings are in use */
    const double *start;                  /* start values, n_variables of them; outputs: 0 */
    const double *zeta[CP_ALGORITHMS];    /* zeta / dT by algorithm - 1 and horizon, CP_HORIZONS each, - */
    const double *delta[CP_ALGORITHMS];   /* delta likewise, - */
    cp_weights weights[CP_MAX_STEPS + 1]; /* by latency in macro steps */
    cp_spectrum spectrum;
    /* half Hann window, scaled, times cosine and sine; oldest value first, - */
    double real[CP_WINDOW][CP_BINS];
    double imaginary[CP_WINDOW][CP_BINS];
    cp_neural_settings neural;
    uint16_t chosen[CP_VARIABLES]; /* which of all variables: rows of the table in the order of their references */
} cp_coupling_settings;

/* All run-time state of one coupling FMU, parameters included; the fields, their order and their size are those of
   couplant_runtime/state.py. NaN is in inputs only, as one bit pattern. */
typedef struct {
    /* inputs and outputs */
    double y;                 /* newest value received, signal unit */
    double y_time;            /* its send time in the receiver's time, s */
    double y_hat;             /* estimate for `target`, signal unit */
    double latency_seconds;   /* latency that is made up for, s */
    double quality_error;     /* of the estimate judged last, signal unit */
    double quality_tolerance; /* of that estimate, signal unit */
    double quality_skill;     /* 1 perfect, 0 as good as ZOH, - */
    /* parameters */
    double macro_step;     /* dT, s; 0: the first step */
    double latency_offset; /* time that no stamp shows, s */
    double floor;          /* smaller breaks are no discontinuities, signal unit */
    double safe_value;     /* output when the signal is lost, signal unit */
    double observer_gain;  /* lambda of smb, 1/s; 0: worked out */
    double sensitivity;    /* beta, - */
    double zeta;           /* s; -1: table */
    double delta;          /* -; -1: table */
    double output_min;     /* signal unit */
    double output_max;     /* signal unit */
    double rate_max;       /* signal unit per s */
    /* clock */
    double start_time; /* t_0, s */
    double time;       /* end of the last step, s */
    double target;     /* time that the outputs are valid for, s */
    double period;     /* dT in use, s; 0: not yet known */
    /* latency */
    double first_stamp;  /* send time of slot 0, s */
    double newest_stamp; /* send time of the newest value, s */
    double fraction;     /* f = k - lead / dT, - */
    /* estimate: level + slope (theta - shift) */
    double shift;     /* - */
    double level;     /* signal unit */
    double slope;     /* signal unit per macro step */
    double held;      /* what a held output shows, signal unit */
    double passed;    /* y before the history has a value, signal unit */
    double unlimited; /* estimate before the limits, signal unit */
    double given;     /* what was given out last, signal unit */
    double given_time; /* when, s */
    /* detector and skill */
    double spectrum;        /* with the newest value, signal unit */
    double spectrum_before; /* one slot earlier, signal unit */
    double debug_newest;    /* newest value in the history, signal unit */
    double error_power;     /* faded sum of squared errors, signal unit squared */
    double hold_power;      /* the same for ZOH, signal unit squared */
    double past[CP_SLOTS];  /* history, newest first, signal unit */
    double a[CP_TAPS];      /* parameters algorithm.a[i], - */
    double slopes[CP_TAPS]; /* parameters algorithm.A[i], - */
    double estimated[CP_RING]; /* unlimited estimate for t_n, by n modulo CP_RING, signal unit */
    double held_then[CP_RING]; /* what ZOH would have given, signal unit */
    double observed[CP_RING];  /* estimate at theta = 0 for the observer, signal unit */
    double y_echo;             /* send time of the receiver's message that the sender had last, s */
    double latency_minimum;    /* of the fastest message, s */
    double latency_drift;      /* gain of the sender's clock on the receiver's, - */
    double signal_period;      /* of a signal that wraps round, signal unit; 0: none */
    double clock_offset;       /* added to a stamp gives the receiver's time, s */
    double round_trip;         /* smallest, s; 0: none yet */
    double block_time[CP_BLOCKS + 1];    /* of the lowest transit time of each block, the present one last, s */
    double block_transit[CP_BLOCKS + 1]; /* lowest transit time, s */
    double usual_lead;         /* of values as they arrive, mean, macro steps */
    double residual;           /* of the value tested last, signal unit */
    double break_rate;         /* flag one value ago: residual by the time since the value before; else 0 */
    double fitted[CP_FIT];     /* values received last, moved by jumps, newest first, signal unit */
    double fitted_at[CP_FIT];  /* their send times, macro steps */
    double residuals[CP_RESIDUALS]; /* sizes, newest first, signal unit */
    double low;                /* smallest value that a bank has seen, signal unit */
    double high;               /* largest, signal unit */
    double burst[CP_BURST];      /* earlier values that the message repeats, signal unit */
    double burst_time[CP_BURST]; /* their send times, s */
    double stamps[CP_SLOTS];     /* send times of the values in `past`, macro steps since the first */
    double term_level[CP_PATTERNS * CP_TERMS]; /* weights of the level by pattern, newest value first, - */
    double term_slope[CP_PATTERNS * CP_TERMS]; /* of the slope, - */
    double bank_loss[CP_BANK];   /* faded sum of squared errors, signal unit squared */
    double bank_weight[CP_BANK]; /* share in the estimate, - */
    double bank_estimated[CP_BANK * CP_RING]; /* estimate for t_n, by member, then n modulo CP_RING, signal unit */
    int64_t n;      /* macro step, -1 before the first */
    int64_t newest; /* slot of the newest value on the sender's grid */
    int64_t origin; /* slot of the first value */
    int64_t anchor; /* slot of the first value, of the last flag or of a change of algorithm */
    int64_t tested; /* slot that the detector looked at last */
    int64_t judged; /* macro step whose estimate is judged next */
    int64_t news;   /* macro step of the last news */
    int64_t slot;   /* where the incoming value belongs */
    int64_t due;    /* macro step that an incoming value counts for */
    int64_t anchor_before; /* anchor before the last flag */
    int32_t latency_steps; /* k */
    int32_t active;        /* algorithm that made the estimate */
    int32_t mode;          /* starting, running, holding, lost */
    int32_t latency_mode;
    int32_t constant_steps; /* macro steps */
    int32_t coast_steps;    /* macro steps */
    int32_t lost_steps;     /* macro steps */
    int32_t reconstruction;
    int32_t on_loss;
    int32_t selected; /* algorithm */
    int32_t action;   /* of quality */
    int32_t selected_before;
    int32_t taken;  /* what the incoming value is: nothing, newest, late */
    int32_t events; /* bits of this step, see cp_coupling_event */
    int32_t logged; /* bits that are told once only and have been told */
    int32_t debug_slot;
    int32_t debug_missing;
    int32_t debug_usable;
    int32_t y_valid;
    int32_t detected;
    int32_t quality_ok;
    int32_t limited;
    int32_t detection;
    int32_t hold_after_flag;
    int32_t bypass;
    int32_t stopped;   /* quality.action = stop ends the run */
    int32_t latency_clock;
    int32_t detector;
    int32_t grade;
    int32_t leading;      /* algorithm with the largest share */
    int32_t early;        /* slots by which the estimate keeps back behind the newest */
    int32_t blocks;       /* that are full */
    int32_t block_count;  /* messages in the present block */
    int32_t measured;     /* estimates judged, up to a million */
    int32_t compared;     /* estimates that the bank has judged, likewise */
    int32_t next_pattern; /* place that the next new pattern takes */
    int32_t burst_valid[CP_BURST];
    int32_t fits;         /* values that the residual detector has taken, as far as that matters */
    int32_t usual_steps;  /* the same, settled, macro steps */
    int32_t pattern[CP_PATTERNS * CP_PATTERN]; /* lead, number, usual lead and ages of the values, ticks */
    uint8_t filled;    /* the history has a value */
    uint8_t starting;  /* the selected algorithm has not run since the start */
    uint8_t flagged;   /* ... since the last flag */
    uint8_t judged_ok; /* the estimate judged last is tolerated */
    uint8_t marked[CP_SLOTS];   /* slot is filled by interpolation */
    uint8_t judgeable[CP_RING]; /* by n modulo CP_RING */
    uint8_t horizon[CP_RING];   /* kappa, macro steps */
} cp_state;

/* The state of an FMU with a neural network; a pointer to its first member is what the functions take. */
typedef struct {
    cp_state state;
    cp_neural neural;
} cp_state_with_neural;

/* Bytes of the state that these settings need: sizeof(cp_state) or sizeof(cp_state_with_neural). */
CP_API size_t cp_coupling_size(const cp_coupling_settings *c);

/* Settings. */

/* Take the lists of the settings: `timing`, `variables`, `start`, `weights.K`, `zeta.NAME`, `delta.NAME`, `real`,
   `imaginary`, `network`, `network.start` as in couplant_runtime/config.py; others are ignored. */
CP_API bool cp_coupling_settle(cp_coupling_settings *c, const cp_numbers *lists, size_t n, uint64_t fingerprint,
                               cp_message *why);

/* Life cycle. */

/* Give the state the start values: nothing received, nothing set. */
CP_API void cp_coupling_reset(const cp_coupling_settings *c, cp_state *s);

/* Leave initialisation: check all parameters, set the clock to `start_time` [s]. */
CP_API bool cp_coupling_init(const cp_coupling_settings *c, cp_state *s, double start_time, cp_message *why);

/* Carry out a communication step from `time` [s], which continues the last step, over `size` [s]. `s->events` tells
   what happened, `s->stopped` that the run ends here. */
CP_API bool cp_coupling_step(const cp_coupling_settings *c, cp_state *s, double time, double size, cp_message *why);

/* Check the range of all parameters and the rules between them; `cp_coupling_init` and `cp_coupling_set` do it too. */
CP_API bool cp_coupling_check(const cp_coupling_settings *c, const cp_state *s, cp_message *why);

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

typedef enum { CP_KIND_REAL, CP_KIND_INTEGER, CP_KIND_BOOLEAN, CP_KIND_ENUMERATION } cp_kind;
typedef enum { CP_ROLE_INPUT, CP_ROLE_OUTPUT, CP_ROLE_FIXED, CP_ROLE_TUNABLE, CP_ROLE_TIME } cp_causality;

/* One variable of the FMU; its value in the state is a double, or int32_t for all but reals. */
#ifdef CP_BEHIND_A_FACE
typedef cp_variable cp_coupling_variable; /* the face's own record: one table serves both */
#else
typedef struct {
    const char *name;
    uint8_t type;    /* cp_kind */
    uint8_t role;    /* cp_causality */
    uint32_t offset; /* in cp_state, bytes */
    double start;    /* where the settings say nothing */
    double min;      /* allowed range, inclusive */
    double max;
} cp_coupling_variable;
#endif

/* The variable with that value reference, 1 .. n_variables, or NULL. */
CP_API const cp_coupling_variable *cp_coupling_find(const cp_coupling_settings *c, uint32_t reference);

/* Value of a variable in a state. */
CP_API double cp_coupling_get(const cp_state *s, const cp_coupling_variable *variable);

/* Give an input or a parameter a value. Inputs take anything. A fixed parameter is checked when initialisation ends and
   refused once the FMU is `running`, a tunable one is checked here from then on. */
CP_API bool cp_coupling_set(const cp_coupling_settings *c, cp_state *s, const cp_coupling_variable *variable,
                            double value, bool running, cp_message *why);

/* What follows an FMI face does itself; it leaves it out with CP_BEHIND_A_FACE. */
#ifndef CP_BEHIND_A_FACE

/* Write to `seen` the state with the outputs that a read after a set shows; `s` stays as it is. */
CP_API void cp_coupling_preview(const cp_coupling_settings *c, const cp_state *s, bool running, cp_state *seen);

/* Events: the meaning of the bits in `events`. */

typedef struct {
    const char *category;
    const char *text;
} cp_coupling_event;

/* The event of bit `bit`, or NULL. */
CP_API const cp_coupling_event *cp_coupling_event_of_bit(int bit);

/* Saved states: the same bytes as those of the Python runtime. */

/* what belongs to the host's side of a run and is saved with the state */
typedef struct {
    double start;    /* start time, s */
    int32_t running; /* initialisation has ended */
    int32_t stale;   /* a value was set since the outputs were worked out */
} cp_coupling_clock;

enum { CP_SERIALISED = 32 + sizeof(cp_coupling_clock) }; /* and cp_coupling_size */

/* Write header, clock and state, CP_SERIALISED bytes. */
CP_API void cp_coupling_serialise(const cp_coupling_settings *c, const cp_state *s, cp_coupling_clock clock,
                                  unsigned char *bytes);

/* Take over a state that was written with the same settings. */
CP_API bool cp_coupling_restore(const cp_coupling_settings *c, cp_state *s, cp_coupling_clock *clock,
                                const unsigned char *bytes, size_t size, cp_message *why);

#endif

#endif
