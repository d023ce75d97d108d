/* A variable of an FMU and its value in a state; what kernel, models and FMI faces share. */
#ifndef CP_VARIABLE_H
#define CP_VARIABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `static` where this is part of a larger translation unit */
#ifndef CP_API
#define CP_API
#endif

/* With CP_SMALL functions are made small or for speed, as is said last. */
#if defined(CP_SMALL) && defined(__clang__)
#define CP_SMALL_FROM_HERE _Pragma("clang attribute push(__attribute__((minsize)), apply_to = function)")
#define CP_FAST_FROM_HERE _Pragma("clang attribute pop")
#elif defined(CP_SMALL) && defined(__GNUC__)
#define CP_SMALL_FROM_HERE _Pragma("GCC optimize(\"Os\")")
#define CP_FAST_FROM_HERE _Pragma("GCC optimize(\"O2\")")
#else
#define CP_SMALL_FROM_HERE
#define CP_FAST_FROM_HERE
#endif

/* a function called from several places, where size counts, or whose arrays are not to lie on the stack of its caller */
#ifdef __GNUC__
#define CP_APART static __attribute__((noinline, unused))
#else
#define CP_APART static
#endif

#define CP_UNLIMITED 1.7976931348623157e308 /* largest finite number: no limit; its negative as a send stamp: none yet */

typedef enum { CP_REAL, CP_INTEGER, CP_BOOLEAN, CP_ENUMERATION } cp_type;

typedef enum { CP_INPUT, CP_OUTPUT, CP_FIXED, CP_TUNABLE, CP_TIME } cp_role;

/* flags of a variable */
enum {
    CP_ANY_VALUE = 1,  /* NaN and infinity may be set: the model deals with them */
    CP_ITEMS_SHIFT = 8 /* above: number of the enumeration that a parameter takes its values from, 0: none */
};

/* One row of the table of a model; its words stand in it, for pointers would be relocations, which are larger. */
typedef struct {
    char name[32];
    char unit[16]; /* for messages */
    uint8_t type;     /* cp_type */
    uint8_t role;     /* cp_role */
    uint16_t flags;
    uint32_t offset; /* in the state: double for CP_REAL, int32_t for all others */
    double start;
    double min; /* allowed range, inclusive */
    double max;
} cp_variable;

/* the values are those of fmi2Status and fmi3Status, but that of a set which leaves all as it was: no host sees it */
typedef enum { CP_UNCHANGED = -1, CP_OK, CP_WARNING, CP_DISCARD, CP_ERROR } cp_status;

/* what an event bit means; its sentence may name numbers of the state as %g */
typedef struct {
    cp_status status;
    const char *category;
    const char *text;
} cp_event;

enum { CP_EVENT_NUMBERS = 3 };

/* A list of settings: n numbers under a key. A face that has such lists in its own header says how it calls them. */
#ifdef CP_NUMBERS
typedef CP_NUMBERS cp_numbers;
#else
typedef struct {
    const char *key;
    const double *values;
    size_t n;
} cp_numbers;
#endif

/* one sentence that says why something was refused */
typedef struct {
    char text[200];
} cp_reason;

/* Value of a variable in a state. */
CP_API double cp_value(const cp_variable *variable, const void *state);

/* Write a value to its place in a state, without any check but that NaN has one bit pattern and Booleans are 0 or 1. */
CP_API void cp_put(const cp_variable *variable, void *state, double value);

static inline bool cp_finite(double value)
{
    return value >= -CP_UNLIMITED && value <= CP_UNLIMITED;
}

/* May a whole number be written to its place? */
static inline bool cp_fits_its_place(const cp_variable *variable, double value)
{
    const bool whole = variable->type == CP_INTEGER || variable->type == CP_ENUMERATION;
    return !whole || (value >= INT32_MIN && value <= INT32_MAX);
}

#endif
