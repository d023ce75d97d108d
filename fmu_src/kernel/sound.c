/* The border of saved states: what comes from a file has a right checksum and may still be wrong. Here every number is
   held against the table of coupling.toml, parameters against their ranges, and what must fit together against each
   other, so that no step goes astray with it: no place outside a list, no loop without end, no division by zero. */
#include "stages.h"

#include <string.h>

typedef enum { CP_F64, CP_I64, CP_I32, CP_U8 } cp_width;

/* a row of the table: a field and its range, inclusive */
typedef struct {
    uint32_t offset; /* in the state */
    uint16_t count;
    uint8_t width; /* cp_width */
    uint8_t least; /* places in cp_limits */
    uint8_t most;
} cp_bound;

#include "generated/bounds.h"

static double cp_sound_number(const cp_state *s, const cp_bound *bound, size_t i)
{
    const char *const place = (const char *)s + bound->offset;
    switch (bound->width) {
    case CP_F64:
        return ((const double *)(const void *)place)[i];
    case CP_I64:
        return (double)((const int64_t *)(const void *)place)[i];
    case CP_I32:
        return ((const int32_t *)(const void *)place)[i];
    default:
        return ((const uint8_t *)place)[i];
    }
}

/* name of the field in that row, and of its record with a dot */
static const char *cp_sound_name(size_t row, const char **record)
{
    const char *name = cp_names;
    for (;; name += strlen(name) + 1) {
        if (name[strlen(name) - 1] == '.') {
            *record = name;
        } else if (row-- == 0) {
            return name;
        }
    }
}

static bool cp_sound_field(const cp_state *s, size_t row, cp_reason *why)
{
    const cp_bound *const bound = &cp_bounds[row];
    const double least = cp_limits[bound->least];
    const double most = cp_limits[bound->most];
    for (size_t i = 0; i < bound->count; i++) {
        const double value = cp_sound_number(s, bound, i);
        if (!(value >= least && value <= most)) {
            const char *record = "";
            const char *const name = cp_sound_name(row, &record);
            return cp_refuse(why, "saved state: field %s%s = %t, allowed %t to %t", record, name, value, least, most);
        }
    }
    return true;
}

static bool cp_sound_fields(const cp_coupling_settings *c, const cp_state *s, cp_reason *why)
{
    for (size_t i = 0; i < sizeof cp_bounds / sizeof *cp_bounds; i++) {
        if (cp_bounds[i].offset < cp_coupling_size(c) && !cp_sound_field(s, i, why)) {
            return false;
        }
    }
    return true;
}

/* Parameters that the FMU does not show are as they always were; those that it shows are checked when it runs. */
static bool cp_sound_parameters(const cp_coupling_settings *c, const cp_state *s, bool running, cp_reason *why)
{
    bool shown[CP_VARIABLES] = {false};
    for (int32_t i = 0; i < c->n_variables; i++) {
        shown[c->chosen[i]] = true;
    }
    for (size_t row = 0; row < CP_VARIABLES; row++) {
        const cp_variable *const variable = cp_variable_row(row);
        const bool parameter = variable->role == CP_FIXED || variable->role == CP_TUNABLE;
        if (parameter && !shown[row] && variable->offset < cp_coupling_size(c) &&
            !cp_in_allowed_range(variable, cp_value(variable, s), why)) {
            return false;
        }
    }
    return !running || cp_coupling_check(c, s, why);
}

static bool cp_sound_relation(bool right, const char *words, cp_reason *why)
{
    return right || cp_refuse(why, "saved state: %s", words);
}

static bool cp_sound_clock(const cp_state *s, bool running, cp_reason *why)
{
    const bool right = s->grid.n <= s->grid.here && s->history.news <= s->grid.n + 1;
    if (!running) {
        return cp_sound_relation(right && s->grid.n == -1 && !s->history.filled && s->switching.active == CP_NONE,
                                 "macro steps or values before initialisation has ended", why);
    }
    return cp_sound_relation(right && s->grid.anchor_time <= s->grid.time,
                             "the present time does not fit the macro steps", why);
}

/* Does the stamp of the newest value belong to its slot, or in constant mode the slot to the macro step? What the stamp
   cannot resolve is left to it. */
static bool cp_sound_newest(const cp_state *s)
{
    const double period = s->grid.period;
    if (s->parameter.latency_mode == CP_CONSTANT) {
        return s->history.newest <= s->grid.n - s->parameter.constant_steps;
    }
    const double position = (s->latency.newest_stamp - s->latency.first_stamp) / period + 0.5;
    const double stamp = s->latency.newest_stamp < 0.0 ? -s->latency.newest_stamp : s->latency.newest_stamp;
    const double unresolved = 0.125 * CP_RESOLVED * stamp / period;
    return position >= 0.0 && position <= 2.0 * CP_FARTHEST_SLOT &&
           position + unresolved >= (double)s->history.origin;
}

/* Do the stamps of received values belong to their slots? */
static bool cp_sound_stamps(const cp_state *s)
{
    const double *const stamps = s->history.stamps;
    for (int32_t i = 0; i < CP_SLOTS && i <= s->history.newest - s->history.origin; i++) {
        const double off = stamps[0] - stamps[i] - i;
        if (!s->history.marked[i] && !(off >= -2.0 * (double)CP_SLOTS && off <= 2.0 * (double)CP_SLOTS)) {
            return false;
        }
    }
    return true;
}

static bool cp_sound_history(const cp_state *s, cp_reason *why)
{
    const int64_t origin = s->history.origin;
    const int64_t newest = s->history.newest;
    const bool ordered = origin <= s->switching.anchor && s->switching.anchor <= newest &&
                         origin <= s->discontinuity.tested && s->discontinuity.tested <= newest;
    const bool fits = !s->history.filled || (s->grid.period > 0.0 && cp_sound_newest(s));
    if (!cp_sound_relation(ordered && fits, "the slots of the history do not fit each other", why)) {
        return false;
    }
    return !s->history.filled ||
           (cp_sound_relation(!s->history.marked[0], "the newest value is marked as interpolated", why) &&
            cp_sound_relation(cp_sound_stamps(s), "send times do not fit their slots", why));
}

static bool cp_sound_is_offered(const cp_coupling_settings *c, int32_t which)
{
    return which > CP_NONE && which < CP_ALGORITHMS && cp_is_offered(c, which);
}

/* Can the algorithms that estimates came from have run? */
static bool cp_sound_algorithms(const cp_coupling_settings *c, const cp_state *s, bool running, cp_reason *why)
{
    const int32_t active = s->switching.active;
    if (running && !cp_sound_is_offered(c, s->switching.selected_before)) {
        return cp_sound_relation(false, "switching.selected_before is no algorithm of this FMU", why);
    }
    const bool instead = cp_has_plant(c) && active == c->plant.fallback && s->plant.wrong; /* of a wrong model */
    const bool offered = instead || cp_sound_is_offered(c, active);
    const bool runs = s->history.filled && offered && s->latency.steps <= CP_MAX_STEPS &&
                      cp_row_of(active)->needed(c, s) <= CP_SLOTS - s->latency.early;
    return cp_sound_relation(active == CP_NONE || runs, "switching.active cannot have run", why);
}

/* Does the factor have a pivot for every column that is done? */
static bool cp_sound_factor(const cp_coupling_settings *c, const cp_state *s)
{
    const cp_neural *const own = cp_neural_in(s);
    for (int32_t i = 0; own->phase == CP_TRAINING && i < own->column && i < c->neural.size; i++) {
        if (!(own->factor[i * (i + 1) / 2 + i] > 0.0)) {
            return false;
        }
    }
    return true;
}

CP_API bool cp_coupling_sound(const cp_coupling_settings *c, const cp_state *s, bool running, cp_reason *why)
{
    return cp_sound_fields(c, s, why) && cp_sound_parameters(c, s, running, why) && cp_sound_clock(s, running, why) &&
           cp_sound_history(s, why) && cp_sound_algorithms(c, s, running, why) &&
           cp_sound_relation(c->neural.size == 0 || cp_sound_factor(c, s), "a factor without pivot", why);
}
