/* One instance of a model: what both FMI faces share. */
#ifndef CP_INSTANCE_H
#define CP_INSTANCE_H

#include "model.h"

typedef enum {
    CP_INSTANTIATED = 1,
    CP_INITIALIZATION = 2,
    CP_STEPPING = 4,
    CP_EVENT = 8,
    CP_FAILED = 16, /* a step was refused: reading, reset and restoring a state work */
    CP_ENDED = 32,  /* the model ended the run */
    CP_TERMINATED = 64,
    CP_ANY_PHASE = 127
} cp_phase;

/* a row of the call-order table of a face */
typedef struct {
    const char *name;
    unsigned phases; /* in which it may be called */
} cp_rule;

/* Categories of what is logged; those of events come with the model. */
#define CP_LOG_CALL "call"           /* a function in a wrong order, a bad reference or pointer */
#define CP_LOG_PARAMETER "parameter" /* a refused value */
#define CP_LOG_TIMING "timing"       /* a refused step */
#define CP_LOG_STATE "state"         /* a refused state */

enum { CP_MOST_CATEGORIES = 16 };

typedef struct cp_instance cp_instance;

struct cp_instance {
    const cp_model *model;
    cp_memory memory;
    cp_settings settings;
    char *text;                   /* of settings.txt */
    void *lists;                  /* its numbers */
    void *binding;                /* the model's view of the settings */
    const cp_variable **variable; /* by value reference - 1 */
    const double *start;          /* start values by the settings, or NULL */
    size_t n_variables;
    cp_phase phase;
    double start_time;    /* s */
    size_t state_size;    /* of the model, with these settings, bytes */
    void *state;          /* committed */
    void *preview;        /* with outputs after a set */
    bool stale;           /* the outputs of the state are not those of the present inputs */
    bool preview_is_made; /* since the last set */
    bool event_mode;      /* FMI 3 Event Mode is in use */
    bool early;           /* FMI 3: the host takes early returns */
    const char *categories[CP_MOST_CATEGORIES];
    bool muted[CP_MOST_CATEGORIES];
    size_t n_categories;
    char *name;
    void *environment;
    /* the host's logger, wrapped by the face */
    void (*emit)(const cp_instance *self, cp_status status, const char *category, const char *text);
    void (*host_log)(void);
};

/* What a face knows of the host when it makes an instance. */
typedef struct {
    const char *name;
    const char *token;
    const char *location;
    void *environment;
    void (*emit)(const cp_instance *self, cp_status status, const char *category, const char *text);
    void (*host_log)(void);
    cp_memory memory;
    bool event_mode; /* FMI 3 */
    bool early;      /* FMI 3 */
} cp_host;

/* Make an instance, or log one sentence and return NULL. */
CP_API cp_instance *cp_create(const cp_model *model, const cp_settings *built_in, const cp_host *host);
CP_API void cp_free(cp_instance *self);

/* Put everything back to the start values. */
CP_API void cp_reset(cp_instance *self);

/* Return the instance if the call is in order, else NULL after a log line. */
CP_API cp_instance *cp_admit(void *component, const cp_rule *rule);

CP_API cp_status cp_set_logging(cp_instance *self, bool on, size_t n, const char *const categories[]);
CP_API cp_status cp_log(const cp_instance *self, cp_status status, const char *category, const char *format, ...);
/* Write a sentence as `cp_log` does, cut to `room` bytes. */
CP_API void cp_phrase(char *text, size_t room, const char *format, ...);
CP_API void cp_tell(const cp_instance *self, double time, uint32_t events);

CP_API double cp_time(const cp_instance *self);
CP_API bool cp_running(const cp_instance *self);
CP_API cp_status cp_set_period(cp_instance *self, double start, bool stop_defined, double stop);
CP_API cp_status cp_enter_initialization(cp_instance *self);
CP_API cp_status cp_exit_initialization(cp_instance *self);
CP_API cp_status cp_do_step(cp_instance *self, cp_step *step);
CP_API cp_status cp_terminate(cp_instance *self);

/* Go on to a phase in which outputs are worked out anew, whether or not an input is set there. */
CP_API void cp_pass_to(cp_instance *self, cp_phase phase);

/* how the host's array of values is made */
typedef enum { CP_AS_DOUBLE, CP_AS_INT32, CP_AS_INT64, CP_AS_BOOL } cp_array;

/* Values by reference. */
typedef struct {
    unsigned types; /* bits 1 << cp_type */
    cp_array array;
    const uint32_t *references;
    size_t n;
} cp_selection;

CP_API cp_status cp_get(cp_instance *self, cp_selection which, void *values);
CP_API cp_status cp_set(cp_instance *self, cp_selection which, const void *values);
CP_API cp_status cp_slopes(cp_instance *self, cp_selection which, const int32_t orders[], double values[]);
CP_API cp_status cp_directional(cp_instance *self, cp_selection unknowns, cp_selection knowns, const double seed[],
                                double sensitivity[]);

CP_API bool cp_in_range(const cp_variable *variable, double value);
CP_API cp_status cp_out_of_range(const cp_instance *self, cp_status status, const cp_variable *variable, double value);

/* Return the variable of a reference if its type is among `types`, else NULL after a log line. */
CP_API const cp_variable *cp_find(const cp_instance *self, uint32_t reference, unsigned types);
CP_API bool cp_pointers_ok(const cp_instance *self, size_t n, const void *a, const void *b);

/* saved states: snapshot.c */
CP_API cp_status cp_state_get(cp_instance *self, void **snapshot);
CP_API cp_status cp_state_set(cp_instance *self, const void *snapshot);
CP_API cp_status cp_state_free(cp_instance *self, void **snapshot);
CP_API cp_status cp_state_size(const cp_instance *self, const void *snapshot, size_t *size);
CP_API cp_status cp_state_write(const cp_instance *self, const void *snapshot, void *bytes, size_t size);
CP_API cp_status cp_state_read(const cp_instance *self, const void *bytes, size_t size, void **snapshot);

#endif
