/* What the probe and its partner tell each other: numbers of steps, in values that no importer can make up. */
#ifndef CP_PROBE_H
#define CP_PROBE_H

#include <stdint.h>

enum {
    CP_SETTLED = 4,   /* steps at the start that do not count: importers begin in many ways */
    CP_FURTHEST = 56, /* largest delay that is understood, steps */
    CP_EARLIEST = -1, /* the source has taken the step that the target is about to take */
    CP_NOTES = 64     /* a message of the partner is -(CP_NOTES code + note) */
};

/* notes of the partner on its input; above: the delay + CP_DELAY_NOTE */
enum { CP_NOTHING = 0, CP_CHANGED = 1, CP_DELAY_NOTE = 4 };

/* What is known about a connection. */
typedef struct {
    double value;       /* the newest that came */
    double delay;       /* steps from giving out to using */
    double min, max;    /* of it */
    int64_t age;        /* steps since a new value came */
    int64_t gap;        /* steps between the newest two */
    int64_t usual;      /* the same for the first two that counted */
    int64_t good, bad;  /* values that were as they had been sent, and others */
    int64_t uneven;     /* gaps other than the usual one, and delays that cannot be */
} cp_line;

/* The value of step n. Rises by 5, 11, 5 and 11 in turn: no polynomial through some values meets the next ones. */
static double cp_code(int64_t n)
{
    static const double wave[] = {0.0, 1.0, 4.0, 1.0};
    return 8.0 * (double)(n + 1) + wave[n & 3];
}

/* Is the value that of a step, up to rounding? Of which? */
static bool cp_decode(double value, int64_t *n)
{
    const double tolerance = 1e-3;
    if (!(value > 8.0 - tolerance && value < 1e15)) {
        return false;
    }
    *n = (int64_t)((value + tolerance) / 8.0) - 1;
    const double miss = value - cp_code(*n);
    return miss > -tolerance && miss < tolerance;
}

/* Has something new come? 0 is what inputs and unit delays start with. */
static bool cp_is_news(cp_line *line, double value)
{
    line->age++;
    if (!cp_finite(value) || value == 0.0 || value == line->value) {
        return false;
    }
    line->value = value;
    line->gap = line->age;
    line->age = 0;
    return true;
}

/* Note the delay of a value from step `sent` that is used in step n; `sent` counts only if the value was understood. */
static void cp_note(cp_line *line, bool understood, int64_t n, int64_t sent)
{
    const int64_t delay = n - sent;
    if (n < CP_SETTLED) {
        return;
    }
    if (!understood) {
        line->bad++;
        return;
    }
    if (delay < CP_EARLIEST || delay > CP_FURTHEST) {
        line->uneven++;
        return;
    }
    line->delay = (double)delay;
    line->min = line->good == 0 || line->delay < line->min ? line->delay : line->min;
    line->max = line->good == 0 || line->delay > line->max ? line->delay : line->max;
    line->usual = line->good == 1 ? line->gap : line->usual;
    line->uneven += line->good > 1 && line->gap != line->usual;
    line->good++;
}

static bool cp_is_count(int64_t n)
{
    return n >= 0 && n <= INT64_C(1000000000000000);
}

/* Can a connection, from a file, be like this after n steps? */
static bool cp_is_line(const cp_line *line, int64_t n)
{
    const bool counts = cp_is_count(line->age) && cp_is_count(line->gap) && cp_is_count(line->usual) &&
                        cp_is_count(line->good) && cp_is_count(line->bad) && cp_is_count(line->uneven);
    const bool delays = line->delay >= CP_EARLIEST && line->delay <= CP_FURTHEST && line->delay <= (double)n &&
                        line->delay == (double)(int64_t)line->delay;
    return counts && delays && cp_finite(line->value) && cp_finite(line->min) && cp_finite(line->max) &&
           (line->good == 0 || line->gap > 0);
}

/* One odd value may be what a block starts with. */
static bool cp_is_changed(const cp_line *line)
{
    return line->bad > 1;
}

#endif
