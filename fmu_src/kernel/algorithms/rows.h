/* The algorithms, one row each: what the stages ask instead of knowing them by name. Part of stages.h. */
#ifndef CP_ALGORITHM_ROWS_H
#define CP_ALGORITHM_ROWS_H

#include "../couplant.h"
#include "../generated/algorithms.h"

enum { CP_NEVER = CP_SLOTS + 1 }; /* slots that there never are */

/* what an FMU must have been built with to run an algorithm */
enum { CP_NEEDS_NOTHING, CP_NEEDS_WEIGHTS, CP_NEEDS_SPECTRUM, CP_NEEDS_NEURAL, CP_NEEDS_PLANT, CP_NEEDS_PHASOR };

/* what an algorithm is, bits */
enum {
    CP_CARRIES_STATE = 1, /* estimates go into later ones: none may mix values from both sides of a jump */
    CP_BLENDS = 2,        /* a bank that learns the errors of its members */
    CP_LEARNS = 4,        /* takes every new value as a sample */
    CP_AS_ORIGIN = 8      /* judged by the tolerance of the algorithm that it came from */
};

/* the estimate level + slope theta */
typedef struct {
    double level; /* signal unit */
    double slope; /* signal unit per macro step */
} cp_line;

/* the estimate level + slope (theta - shift) */
typedef struct {
    double level; /* signal unit */
    double slope; /* signal unit per macro step */
    double shift; /* macro steps */
} cp_shifted_line;

/* A line for the values as they are: the fraction of the latency moves it. */
static inline cp_shifted_line cp_shifted(cp_line line, const cp_state *s)
{
    return (cp_shifted_line){line.level, line.slope, s->latency.fraction};
}

typedef struct {
    int32_t (*needed)(const cp_coupling_settings *c, const cp_state *s); /* m(k), slots; CP_NEVER: not at this k */
    cp_shifted_line (*line)(const cp_coupling_settings *c, cp_state *s);
    cp_shifted_line (*share)(const cp_coupling_settings *c, const cp_state *s); /* of the newest value in the line */
    char name[14];
    uint8_t needs;
    uint8_t is;
} cp_algorithm_row;

#define CP_DECLARE_ALGORITHM(number, file, ...)                                                 \
    CP_API int32_t cp_##file##_needed(const cp_coupling_settings *c, const cp_state *s);        \
    CP_API cp_shifted_line cp_##file##_line(const cp_coupling_settings *c, cp_state *s);        \
    CP_API cp_shifted_line cp_##file##_share(const cp_coupling_settings *c, const cp_state *s);
#define CP_NOTHING_OF_ALGORITHM(...)

#ifdef CP_WITHOUT_NEURAL
#define CP_DECLARE_NEURAL CP_NOTHING_OF_ALGORITHM
#else
#define CP_DECLARE_NEURAL CP_DECLARE_ALGORITHM
#endif
#ifdef CP_WITHOUT_ENERGY
#define CP_DECLARE_PLANT CP_NOTHING_OF_ALGORITHM
#else
#define CP_DECLARE_PLANT CP_DECLARE_ALGORITHM
#endif

CP_ALGORITHM_ROWS(CP_DECLARE_ALGORITHM, CP_DECLARE_NEURAL, CP_DECLARE_PLANT, CP_DECLARE_PLANT, CP_NOTHING_OF_ALGORITHM)

/* The row of an algorithm, by its number. */
CP_API const cp_algorithm_row *cp_row_of(int32_t which);

/* Is the algorithm what that bit says? */
CP_API bool cp_is(int32_t which, int32_t bit);

/* Was the FMU built with what the algorithm needs? */
CP_API bool cp_is_offered(const cp_coupling_settings *c, int32_t which);

#endif
