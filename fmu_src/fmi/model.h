/* A model behind the FMI faces: the table of its variables, its state as one plain structure, and its hooks.

   The frame owns the memory: two copies of the state (committed, preview), the settings, the binding. A model allocates
   nothing, logs nothing and keeps nothing outside its state; it reports events as bits, refusals as a sentence. */
#ifndef CP_MODEL_H
#define CP_MODEL_H

#include "../base/grid.h"
#include "../base/variable.h"
#include "settings.h"

typedef struct {
    double t;        /* communication point, s */
    double h;        /* communication step, s; shortened by the model if `early` */
    bool event_mode; /* FMI 3 Event Mode is in use */
    bool early;      /* the host takes a shorter step */
    /* answers */
    uint32_t events;   /* bits, worded by cp_model.events */
    bool event_needed; /* FMI 3: an event waits at the end of the step */
    bool terminate;    /* the run ends here */
    cp_reason why;     /* of CP_ERROR, if no event says it */
} cp_step;

typedef struct {
    const char *name;
    const cp_variable *variables; /* a settings list `variables` selects and orders them by index from 1 */
    size_t n_variables;
    const cp_event *events; /* by bit */
    size_t n_events;
    const uint32_t (*event_numbers)[CP_EVENT_NUMBERS]; /* by bit: offsets of doubles in the state; NULL: none */
    size_t state_size; /* largest */
    size_t time; /* offset of the present time in the state, a double, s */
    size_t binding_size;
    bool checks_time; /* `step` refuses a time that does not continue the last step; else the frame does */

    /* Every hook but `step` may be NULL. `binding` is what `bind` made of the settings, read-only ever after. */

    bool (*bind)(void *binding, const cp_settings *settings, cp_reason *why);
    size_t (*size_of_state)(const void *binding); /* with these settings; NULL: state_size */
    void (*reset)(void *state, const void *binding); /* start values are in; the rest is zero */
    /* a value on its way in, for models that check more than the range */
    bool (*set)(void *state, const void *binding, uint32_t reference, double value, bool running, cp_reason *why);
    /* Do the parameters fit each other? Asked once all values of one call are set. */
    bool (*agree)(const void *state, const void *binding, cp_reason *why);
    /* May the model go on from this state, which came from a file? Asked once the values of its variables are checked;
       models with `set` check those too. */
    bool (*sound)(const void *state, const void *binding, bool running, cp_reason *why);
    /* leaving initialisation at t0: parameters and inputs are final */
    bool (*finish)(void *state, const void *binding, double t0, cp_reason *why);
    cp_status (*step)(void *state, const void *binding, cp_step *step);
    uint32_t (*closing)(const void *state); /* events to tell when the host ends the run */
    void (*copy)(void *preview, const void *binding, const void *state); /* what `refresh` reads, in a run; NULL: all */
    /* outputs after a set, on a copy of the state; not `running`: in initialisation or before */
    void (*refresh)(void *preview, const void *binding, double t, bool running);
    double (*period)(const void *state);                          /* macro step, s, for the tolerance of time */
    bool (*has_event_mode)(const void *binding);                  /* NULL: yes */
    double (*next_event)(const void *state, const void *binding); /* time of the next event, s, or CP_UNLIMITED */
    bool (*slope)(const void *state, const void *binding, size_t offset, double *value); /* d output / dt */
    /* d unknown / d known, by offsets, in a state that `refresh` has seen */
    bool (*partial)(const void *state, const void *binding, bool running, size_t unknown, size_t known, double *value);
} cp_model;

#endif
