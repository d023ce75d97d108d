/* The loop of a co-simulation in one's own process: sets, reads and steps FMUs without Python between two macro points.

   Everything lies in memory of the caller (couplant.cosim.run.engine), which says as a list of actions in which order
   values are exchanged; nothing is allocated here. Values of all types pass as doubles. The same actions in Python give
   the same bits. */
#ifndef COUPLANT_ENGINE_H
#define COUPLANT_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined _WIN32
#define ENGINE_EXPORT __declspec(dllexport)
#else
#define ENGINE_EXPORT __attribute__((visibility("default")))
#endif

typedef void (*engine_function)(void); /* of an FMU: each call says which type it has */

enum { ENGINE_MARK = 256 }; /* bytes of a mark */

/* Status of FMI: ok and warning go on. */
enum { ENGINE_GOES_ON = 1, ENGINE_DISCARD = 2, ENGINE_ERROR = 3 };

/* Why an action failed. */
typedef enum {
    ENGINE_FINE,
    ENGINE_NOT_GIVEN,     /* outputs were not read */
    ENGINE_NOT_TAKEN,     /* inputs were not set */
    ENGINE_STEP_REFUSED,
    ENGINE_ENDED,         /* the FMU ends the run */
    ENGINE_STAYS,         /* it returned early where it began */
    ENGINE_EVENT_REFUSED,
    ENGINE_EVENT_ENDLESS,
    ENGINE_ANSWERED,      /* another function has a bad status */
    ENGINE_CALL_FAILED    /* a function of the caller */
} engine_reason;

/* Functions of an FMU whose calls are marked; reading and setting have marks of their own. */
enum { ENGINE_DO_STEP, ENGINE_GET_STATE, ENGINE_SET_STATE, ENGINE_ENTER_EVENT, ENGINE_UPDATE, ENGINE_ENTER_STEP,
       ENGINE_FUNCTIONS };

/* An instance of an FMU in Step Mode, or in Event Mode right after its initialisation. */
typedef struct {
    void *instance;
    engine_function function[ENGINE_FUNCTIONS];
    const unsigned char *text[ENGINE_FUNCTIONS]; /* of the mark */
    unsigned char *mark; /* memory that tells which function is at work, NULL: nobody asks */
    void *state;         /* kept last */
    double next_event;   /* s */
    double kept_next_event;
    int32_t version;     /* of FMI: 2 or 3 */
    int32_t restorable;  /* 0: no state of a time before is ever set */
    int32_t has_events;  /* Event Mode is used */
    int32_t in_event;
    int32_t event_waits;
    int32_t kept_in_event;
    int32_t kept_event_waits;
} engine_fmu;

typedef enum {
    ENGINE_FLOAT64, ENGINE_FLOAT32, ENGINE_INT8, ENGINE_UINT8, ENGINE_INT16, ENGINE_UINT16, ENGINE_INT32, ENGINE_UINT32,
    ENGINE_INT64, ENGINE_UINT64, ENGINE_BOOL
} engine_type;

/* Variables of one type of one FMU, and their places in an array of doubles. */
typedef struct {
    engine_function function;  /* fmiXGet.. or fmiXSet.. of the type */
    const unsigned char *text; /* of the mark */
    const uint32_t *references;
    void *buffer;              /* n values of the type */
    double *values;
    const int32_t *places;
    size_t n;
    int32_t type;              /* engine_type */
    int32_t counted;           /* the function takes the number of values besides that of references */
} engine_group;

typedef int32_t (*engine_call)(double t, double h); /* 0: done */

/* Samples of a recording over time; without any the time itself is its value. */
typedef struct {
    const double *time; /* s */
    const double *value;
    size_t n;
} engine_channel;

enum { ENGINE_READ, ENGINE_WRITE, ENGINE_STEP, ENGINE_EARLY, ENGINE_COPY, ENGINE_SAVE, ENGINE_RESTORE, ENGINE_CALLED,
       ENGINE_CHANNELS, ENGINE_TIME };

/* What happens at a time t before a step h. ENGINE_EARLY steps and stores slopes of what its groups read; ENGINE_COPY
   copies the values at n places from `from` to `to`; ENGINE_CHANNELS puts the values of n channels at the time `*from`
   to their places in `to`; ENGINE_TIME sets the time `*to` to that at the end of the step, after `part`. */
typedef struct {
    engine_fmu *fmu;
    const engine_group *groups;
    size_t n_groups;
    engine_call call;
    const engine_channel *channels;
    const double *from;   /* ENGINE_COPY; ENGINE_EARLY: outputs on the way, n of them */
    double *to;           /* ENGINE_EARLY: where values before and slopes are */
    const int32_t *places; /* ENGINE_EARLY: of the values before the step */
    const int32_t *slopes; /* places */
    size_t n;
    double part;          /* ENGINE_EARLY: of the step after which outputs are read */
    int32_t kind;
    int32_t lasting;      /* ENGINE_STEP: at the end of a run, where h is 0, the length before counts */
} engine_action;

typedef struct {
    const engine_action *actions;
    size_t n;
} engine_plan;

typedef struct {
    const engine_action *action;
    double t; /* s */
    double h; /* s */
    int32_t reason; /* engine_reason */
    int32_t status; /* of FMI */
    int32_t function; /* the one that ENGINE_ANSWERED is about */
    int32_t group;    /* the one that was not given or not taken */
} engine_failure;

/* A grid of communication points, what happens at them, and where it is recorded. */
typedef struct {
    engine_plan point;        /* exchange */
    engine_plan step;
    engine_plan log;          /* reads after a step into `logged` */
    const double *shown;      /* what receivers are given */
    const double *logged;
    const int32_t *watched;   /* places in `shown` */
    const int32_t *bounded;   /* places in `shown` of what must not leave its bound */
    size_t n_watched;
    size_t n_bounded;
    size_t n_logged;
    double bound;
    double *watched_rows;
    double *logged_rows;
    size_t n_rows;            /* of watched values so far */
    size_t n_logs;
    double start;             /* s */
    double macro_step;        /* s */
    double h;                 /* communication step, s */
    size_t micro_steps;
    int32_t fine;             /* all communication points are recorded, not macro points only */
    int32_t diverged;
    engine_failure failure;
} engine_run;

enum { ENGINE_REMEMBERED = 256 }; /* send times */

/* Why a datagram is dropped, in the order in which drops are counted. */
enum { ENGINE_FOREIGN, ENGINE_TRUNCATED, ENGINE_OTHER_VERSION, ENGINE_NOT_FINITE, ENGINE_TAKEN };

enum { ENGINE_PUT_VALUE, ENGINE_PUT_VALID, ENGINE_PUT_ECHO, ENGINE_PUT_NEWEST };

/* A value that messages set. */
typedef struct {
    int32_t slot;   /* in the values of the exchange */
    int32_t kind;
    int32_t place;  /* of the block among those that are handed over, the newest is 0 */
    int32_t column; /* in the block */
} engine_put;

/* One side of a bench in one run (couplant.bench.steps). Messages are in docs/bench.md. */
typedef struct {
    engine_plan first;        /* of the exchange: until what is sent is known */
    engine_plan rest;
    engine_plan step;
    double *values;           /* of the exchange */
    const engine_put *puts;
    const int32_t *sent;      /* places of what is sent */
    const int32_t *given;     /* of what the prototype was given, < 0: 0 */
    const int32_t *estimates;
    const int32_t *status;    /* NULL: zeros */
    size_t n_puts, n_sent, n_given, n_received, n_status;
    double *blocks;           /* that wait, ENGINE_REMEMBERED rows of width_in numbers */
    double *newest;           /* values that were handed over */
    unsigned char *message;   /* that leaves; all but what changes from step to step is there from the beginning */
    unsigned char *seen;      /* by sequence number */
    double *arrivals;         /* rows of 3: send time, clock of the sender when it left, arrival, s */
    double *sent_rows, *received_rows, *estimate_rows, *status_rows;
    size_t width_in;          /* numbers in a block that arrives */
    size_t places;            /* blocks that are handed over at once */
    size_t repeat;            /* blocks in a message that leaves */
    size_t most;              /* messages in a run */
    size_t size;              /* of the message that leaves */
    size_t n_arrivals;
    size_t n_handed;
    int64_t highest;          /* sequence number */
    int64_t doubled, overtaken, dropped[ENGINE_TAKEN];
    double handed[ENGINE_REMEMBERED];
    double pending[ENGINE_REMEMBERED]; /* send times of the blocks that wait, NAN: free */
    double echo;
    double newest_stamp;
    double no_time, least_time;
    double bound;             /* of what is sent */
    int32_t ahead;            /* send times may be still to come */
    int32_t stopped;
    engine_failure failure;
} engine_side;

/* Steps with inputs that are linear in time and are repeated until they fit at both ends (couplant.cosim.run.reference). */
typedef struct {
    engine_plan save;
    engine_plan restore;
    engine_plan write;        /* inputs from `course` */
    engine_plan step;
    engine_plan point;
    const double *values;     /* of the exchange */
    const int32_t *sources;   /* of the links, places in `values`, shape (n) */
    const int32_t *inputs;    /* the link of each number in `course` */
    const int32_t *sloped;    /* it is a slope, not a mean value */
    double *course;
    double *begin;            /* by link: values at the beginning */
    double *slopes;           /* of the last try */
    double *guess;
    double *before;           /* slopes of the step before */
    double *largest;
    size_t n;
    size_t n_course;
    const int32_t *watched;
    size_t n_watched;
    double *rows;
    double start, macro_step, h; /* s */
    size_t micro_steps;
    double settled;
    int32_t most;             /* tries */
    int32_t restorable;
    engine_failure failure;
} engine_relaxation;

ENGINE_EXPORT int32_t engine_run_steps(engine_run *run, size_t first, size_t end);
ENGINE_EXPORT int32_t engine_run_last(engine_run *run, double t);
ENGINE_EXPORT int32_t engine_relax_steps(engine_relaxation *run, size_t first, size_t end);
ENGINE_EXPORT void engine_side_take(engine_side *side, const unsigned char *datagram, size_t size, double arrival);
ENGINE_EXPORT int32_t engine_side_exchange(engine_side *side, size_t n, double t, double h);
ENGINE_EXPORT int32_t engine_side_finish(engine_side *side, size_t n, double t, double h);
ENGINE_EXPORT void engine_sizes(size_t sizes[9]);

bool engine_do(const engine_plan *plan, double t, double h, double last_h, engine_failure *failure);
engine_reason engine_fmu_step(engine_fmu *fmu, double t, double h, engine_failure *failure);
engine_reason engine_fmu_read(engine_fmu *fmu, const engine_group *group);
engine_reason engine_fmu_write(engine_fmu *fmu, const engine_group *group);
engine_reason engine_fmu_save(engine_fmu *fmu, engine_failure *failure);
engine_reason engine_fmu_restore(engine_fmu *fmu, engine_failure *failure);
engine_reason engine_fmu_enter_event(engine_fmu *fmu, engine_failure *failure);

#endif
