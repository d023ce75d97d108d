/* Spectral least squares on values of any age: the estimate is right where the ages are irregular.

   Estimated is the change since the newest value, from the changes between it and the m - 1 values before it. With
   their times t_i and the time t of the estimate, counted in macro steps from the newest value, the weights h minimise
   h' C h - 2 h' c subject to sum h_i t_i^p = t^p for p = 1 .. degree, where C and c are the covariances of the changes:
   C_ij = r(t_i - t_j) - r(t_i) - r(t_j) + r(0) + noise (1 + [i = j]) and
   c_i = r(t - t_i) - r(t_i) - r(t) + r(0) + noise, r the autocorrelation of a signal with the given band.

   The noise is that of the steps which estimates usually reach ahead, or that of the signal where it is more. Weights
   whose sizes total more than the noise allows, or in step timing, where the receiver holds what it gets and a loop
   bears less, more than CP_LARGEST_TOTAL, are solved again with more noise, noisy ones at last with a lower degree.
   No fixed total fits every loop: where the errors are far larger than those of ZOH would be, as in a loop that the
   gain of the estimates makes unstable, degree 1 and a total of CP_CAREFUL_TOTAL are in force for some time, degree 0
   and CP_LEAST_TOTAL when that happens again.

   Times are whole numbers of ticks, CP_TICKS of them a macro step, so that equal patterns of ages are recognised. */
#include "../stages.h"
#include <math.h>

CP_FAST_FROM_HERE

enum { CP_ORDER = CP_TERMS - 1 + CP_MAX_DEGREE, CP_SIDES = 2 };

/* The symmetric system of the weights and of one Lagrange multiplier for each power that is continued exactly; the
   right sides are those of the macro point and of the next one. */
typedef struct {
    int32_t values; /* weights that are looked for */
    int32_t order;  /* number of equations */
    double matrix[CP_ORDER][CP_ORDER]; /* lower triangle; then D^-1 of L D L' on the diagonal, L' above it */
    double x[CP_ORDER][CP_SIDES];
} cp_normal;

/* the values used: their slots; lead [ticks], number, usual reach [macro steps], level of the noise, ages from the
   second on [ticks] */
typedef struct {
    int32_t slots[CP_TERMS];
    int32_t pattern[CP_PATTERN];
} cp_received;

/* r at a distance of `ticks`, a cubic between the knots of the table; beyond its end the last value */
static double cp_irregular_covariance(const cp_spectrum *known, int32_t ticks)
{
    const uint32_t distance = (uint32_t)(ticks < 0 ? -ticks : ticks);
    const uint32_t width = CP_TICKS / CP_CELLS;
    const uint32_t cell = distance / width;
    if (cell >= CP_KNOTS - 1) {
        return known->correlation[CP_KNOTS - 1];
    }
    const double x = (double)(int32_t)(distance % width) / (double)width;
    const double left = known->correlation[cell];
    const double step = known->correlation[cell + 1] - left;
    const double start = known->gradient[cell] * 0.25 - step;
    const double end = step - known->gradient[cell + 1] * 0.25;
    return left + x * (step + (1.0 - x) * (start + x * (end - start)));
}

/* covariances of the changes since the newest value, without noise */
static void cp_irregular_changes(cp_normal *e, const cp_spectrum *known, const int32_t *ages, int32_t lead)
{
    const double whole = known->correlation[0];
    const double now = whole - cp_irregular_covariance(known, lead);
    const double then = whole - cp_irregular_covariance(known, lead + CP_TICKS);
    double past[CP_TERMS];
    for (int32_t i = 0; i < e->values; i++) {
        const int32_t age = ages[i + 1];
        past[i] = cp_irregular_covariance(known, age);
        for (int32_t j = 0; j < i; j++) {
            e->matrix[i][j] = cp_irregular_covariance(known, age - ages[j + 1]) - past[i] + (whole - past[j]);
        }
        e->matrix[i][i] = 2.0 * (whole - past[i]);
        e->x[i][0] = cp_irregular_covariance(known, lead + age) - past[i] + now;
        e->x[i][1] = cp_irregular_covariance(known, lead + CP_TICKS + age) - past[i] + then;
    }
}

/* powers 1 .. degree of the times, in units of the span of the values, so that they stay near 1 */
static void cp_irregular_powers(cp_normal *e, const int32_t *ages, int32_t lead)
{
    const int32_t span = e->values > 0 ? ages[e->values] : 0;
    const double unit = 1.0 / (double)(span > 0 ? span : CP_TICKS);
    const double now = (double)lead * unit;
    const double then = (double)(lead + CP_TICKS) * unit;
    for (int32_t row = e->values; row < e->order; row++) {
        const bool first = row == e->values;
        for (int32_t i = 0; i < e->values; i++) {
            e->matrix[row][i] = (first ? 1.0 : e->matrix[row - 1][i]) * ((double)-ages[i + 1] * unit);
        }
        for (int32_t i = e->values; i <= row; i++) {
            e->matrix[row][i] = 0.0;
        }
        e->x[row][0] = (first ? 1.0 : e->x[row - 1][0]) * now;
        e->x[row][1] = (first ? 1.0 : e->x[row - 1][1]) * then;
    }
}

/* Take the equations before it out of equation i. Pivots of weights are positive, those of multipliers negative. */
static void cp_irregular_eliminate(cp_normal *e, int32_t i, double least)
{
    double factors[CP_ORDER];
    double *const row = e->matrix[i];
    double *const x = e->x[i];
    for (int32_t j = 0; j < i; j++) {
        row[j] = cp_less(row[j], factors, e->matrix[j], j);
        factors[j] = e->matrix[j][i] = row[j] * e->matrix[j][j];
        x[0] = x[0] - factors[j] * e->x[j][0];
        x[1] = x[1] - factors[j] * e->x[j][1];
    }
    const double pivot = cp_less(row[i], factors, row, i);
    row[i] = 1.0 / (i < e->values ? (pivot > least ? pivot : least) : (pivot < -1e-30 ? pivot : -1e-30));
}

static void cp_irregular_substitute(cp_normal *e, int32_t i)
{
    double now = e->x[i][0] * e->matrix[i][i];
    double then = e->x[i][1] * e->matrix[i][i];
    for (int32_t k = i + 1; k < e->order; k++) {
        now = now - e->matrix[i][k] * e->x[k][0];
        then = then - e->matrix[i][k] * e->x[k][1];
    }
    e->x[i][0] = now;
    e->x[i][1] = then;
}

static void cp_irregular_system(cp_normal *e, const cp_spectrum *known, const int32_t *pattern, int32_t degree)
{
    const int32_t *const ages = pattern + 3; /* from place 1 on */
    /* a degree needs twice as many values, so that noise is damped */
    const int32_t allowed = (pattern[1] - 1) / 2;
    e->values = pattern[1] - 1;
    e->order = e->values + (degree < allowed ? degree : allowed);
    cp_irregular_changes(e, known, ages, pattern[0]);
    cp_irregular_powers(e, ages, pattern[0]);
}

/* the lower triangle and the right sides with noise */
static void cp_irregular_copy(cp_normal *e, const cp_normal *system, double noise)
{
    e->values = system->values;
    e->order = system->order;
    for (int32_t i = 0; i < e->order; i++) {
        const double added = i < e->values ? noise : -0.0; /* nothing changes by -0.0 */
        for (int32_t j = 0; j < i; j++) {
            e->matrix[i][j] = system->matrix[i][j] + added;
        }
        e->matrix[i][i] = system->matrix[i][i] + 2.0 * added;
        e->x[i][0] = system->x[i][0] + added;
        e->x[i][1] = system->x[i][1] + added;
    }
}

/* weights of the differences to the newest value, from place 1 on: of the level and of the slope */
static void cp_irregular_solve(const cp_normal *system, double noise, double *level, double *slope)
{
    cp_normal e;
    cp_irregular_copy(&e, system, noise);
    for (int32_t i = 0; i < e.order; i++) {
        cp_irregular_eliminate(&e, i, 0.5 * noise);
    }
    for (int32_t i = e.order - 1; i >= 0; i--) {
        cp_irregular_substitute(&e, i);
    }
    for (int32_t i = 0; i < e.values; i++) {
        level[i + 1] = e.x[i][0];
        slope[i + 1] = e.x[i][1] - e.x[i][0];
    }
}

/* sizes of all weights at the end of the step in total, that of the newest value included; `count` values are used */
static double cp_irregular_total(int32_t count, const double *level, const double *slope)
{
    double total = 0.0;
    double newest = 1.0;
    for (int32_t i = 1; i < count; i++) {
        const double weight = level[i] + slope[i];
        total = total + fabs(weight);
        newest = newest - weight;
    }
    return total + fabs(newest);
}

/* The total of sizes falls with about the fifth root of the noise. */
static double cp_irregular_more(double noise, double excess, double most)
{
    const double square = excess * excess;
    const double more = square * square > CP_MORE_NOISE ? noise * (square * square) : noise * CP_MORE_NOISE;
    return more < most ? more : most;
}

/* weights, with as much noise as keeps their sizes small */
static void cp_irregular_weights(const cp_coupling_settings *c, const int32_t *pattern, double *level, double *slope)
{
    const int32_t care = pattern[2] - CP_HORIZONS + 1; /* 0 or less: none */
    const int32_t allowed = care > 0 ? 2 - care : CP_MAX_DEGREE;
    const double usual = c->event ? CP_UNLIMITED : CP_LARGEST_TOTAL;
    const double enough = care > 0 ? CP_UNLIMITED : CP_MOST_NOISE;
    double most = care > 1 ? CP_LEAST_TOTAL : care > 0 ? CP_CAREFUL_TOTAL : usual;
    double noise = c->spectrum.noise[care > 1 ? CP_HORIZONS - 1 : care > 0 ? 0 : pattern[2]];
    if (pattern[3] > 0) {
        double followed = CP_LEAST_NOISE;
        double total = CP_TOTAL_AT_LEVEL;
        for (int32_t i = 0; i < pattern[3]; i++) {
            followed = CP_MORE_AT_LEVEL * followed;
            total = 0.5 * total;
        }
        noise = followed > noise ? followed : noise;
        most = total < most ? total : most;
    }
    cp_normal system;
    cp_irregular_system(&system, &c->spectrum, pattern, c->spectrum.degree < allowed ? c->spectrum.degree : allowed);
    for (int32_t i = 0; i < CP_TRIES; i++) {
        cp_irregular_solve(&system, noise, level, slope);
        const double total = cp_irregular_total(pattern[1], level, slope);
        const bool last = noise >= enough;
        if (total <= most || (last && (pattern[3] == 0 || system.order <= system.values + 1))) {
            return;
        }
        system.order = last ? system.order - 1 : system.order;
        noise = last ? noise : cp_irregular_more(noise, total / most, enough);
    }
}

CP_API int32_t cp_irregular_needed(const cp_coupling_settings *c, const cp_state *s)
{
    (void)s;
    return c->spectrum.values > 0 ? c->spectrum.values : CP_NEVER;
}

/* Find the newest received values. */
static void cp_irregular_receive(const cp_coupling_settings *c, const cp_state *s, cp_received *found)
{
    const int64_t usable = s->history.newest - s->switching.anchor + 1;
    const int64_t end = usable > CP_REACH + s->latency.early ? CP_REACH + s->latency.early : usable;
    int32_t count = 0;
    for (int32_t slot = s->latency.early; slot < end; slot++) {
        if (!s->history.marked[slot] && count < c->spectrum.values) {
            found->slots[count++] = slot;
        }
    }
    if (count == 0) {
        return;
    }
    const double newest = s->history.stamps[found->slots[0]];
    const double steps = s->latency.steps - s->latency.fraction - s->latency.early + (s->history.stamps[0] - newest);
    found->pattern[0] = (int32_t)((steps < -CP_REACH ? -CP_REACH : steps) * CP_TICKS + (steps > 0.0 ? 0.5 : -0.5));
    found->pattern[1] = count;
    found->pattern[2] = s->latency.usual_reach;
    if (s->irregular.careful > 0) {
        found->pattern[2] = CP_HORIZONS + (s->irregular.patience > CP_CAREFUL);
    }
    found->pattern[3] = s->noise.assumed;
    for (int32_t i = 1; i < count; i++) {
        found->pattern[3 + i] = (int32_t)((newest - s->history.stamps[found->slots[i]]) * CP_TICKS + 0.5);
    }
}

static bool cp_irregular_knows(const int32_t *known, const int32_t *pattern)
{
    for (int32_t i = 0; i < CP_PATTERN; i++) {
        if (known[i] != pattern[i]) {
            return false;
        }
    }
    return true;
}

/* place of the weights for this pattern of ages; new ones replace the oldest */
static int32_t cp_irregular_find(const cp_coupling_settings *c, cp_state *s, const int32_t *pattern)
{
    for (int32_t place = 0; place < CP_PATTERNS; place++) {
        if (cp_irregular_knows(&s->irregular.pattern[place * CP_PATTERN], pattern)) {
            return place;
        }
    }
    const int32_t place = s->irregular.next_pattern;
    s->irregular.next_pattern = place + 1 < CP_PATTERNS ? place + 1 : 0;
    for (int32_t i = 0; i < CP_PATTERN; i++) {
        s->irregular.pattern[place * CP_PATTERN + i] = pattern[i];
    }
    cp_irregular_weights(c, pattern, &s->irregular.term_level[place * CP_TERMS],
                         &s->irregular.term_slope[place * CP_TERMS]);
    return place;
}

/* Whether weights are ruinous; where the signal moves far less than where they were before, that says nothing. */
static bool cp_irregular_ruins(const cp_state *s)
{
    return s->parameter.selected == CP_IRREGULAR && s->quality.measured >= CP_ENOUGH &&
           s->quality.skill_zoh < CP_RUINOUS &&
           !(s->irregular.patience > 0 && CP_ONSET * s->quality.hold_power < s->irregular.scale);
}

/* Whether the signal sets out after it was quiet: no weights foresee that. */
static bool cp_irregular_sets_out(cp_state *s)
{
    const double power = s->quality.hold_power;
    const bool moves = s->quality.measured >= CP_PAUSE && power > CP_ONSET * s->irregular.quiet;
    const double grown = CP_QUIET_GROWTH * s->irregular.quiet;
    if (s->quality.measured >= CP_ENOUGH) {
        s->irregular.quiet = moves || power < grown ? power : grown;
    }
    return moves;
}

/* Be careful after a ruinous skill, longer each time: that is how a loop shows that it does not bear the weights. */
static void cp_irregular_heed(cp_state *s)
{
    const double power = s->quality.hold_power;
    const int32_t patience = s->irregular.patience;
    const int32_t left = s->irregular.careful;
    const bool moves = left > 0 && cp_noise_is_elsewhere(s, s->irregular.scale); /* what was there says nothing here */
    if (cp_irregular_sets_out(s) || moves || (left > 0 && patience - left == CP_PAUSE)) {
        cp_noise_judge_anew(s);
    }
    s->irregular.careful = left > 0 && !moves ? left - 1 : 0;
    s->irregular.patience = left == 0 && patience > 0 ? patience - 1 : patience;
    if (cp_irregular_ruins(s)) {
        s->irregular.scale = patience == 0 || power > s->irregular.scale ? power : s->irregular.scale;
        if (left == 0 || patience - left >= CP_PAUSE) {
            const int32_t longer = patience > CP_CAREFUL / 4 ? 4 * patience : CP_CAREFUL;
            s->irregular.patience = s->irregular.careful = longer < CP_MOST_CAREFUL ? longer : CP_MOST_CAREFUL;
        }
    }
}

/* Apply the weights for the present ages to the received values; as differences, so that constants stay. */
CP_API cp_shifted_line cp_irregular_line(const cp_coupling_settings *c, cp_state *s)
{
    cp_received found = {{0}, {0}};
    cp_irregular_heed(s);
    cp_irregular_receive(c, s, &found);
    if (found.pattern[1] == 0) {
        return (cp_shifted_line){s->history.past[s->latency.early], 0.0, 0.0};
    }
    cp_noise_assume(s, found.slots, found.pattern[1], found.pattern[0] > (s->latency.usual_lead + CP_WIDE) * CP_TICKS);
    found.pattern[3] = s->noise.assumed;
    const int32_t place = cp_irregular_find(c, s, found.pattern) * CP_TERMS;
    const double first = s->history.past[found.slots[0]];
    double level = 0.0;
    double slope = 0.0;
    for (int32_t i = 1; i < found.pattern[1]; i++) {
        const double change = s->history.past[found.slots[i]] - first;
        level = level + s->irregular.term_level[place + i] * change;
        slope = slope + s->irregular.term_slope[place + i] * change;
    }
    return (cp_shifted_line){first + level, slope, 0.0};
}

CP_API cp_shifted_line cp_irregular_share(const cp_coupling_settings *c, const cp_state *s)
{
    cp_received found = {{0}, {0}};
    double level[CP_TERMS] = {0.0};
    double slope[CP_TERMS] = {0.0};
    cp_shifted_line share = {1.0, 0.0, 0.0};
    cp_irregular_receive(c, s, &found);
    if (found.pattern[1] > 0) {
        cp_irregular_weights(c, found.pattern, level, slope);
    }
    for (int32_t i = 1; i < found.pattern[1]; i++) {
        share.level = share.level - level[i];
        share.slope = share.slope - slope[i];
    }
    return share;
}

CP_SMALL_FROM_HERE
