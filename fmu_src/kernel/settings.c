/* Settings from the lists of couplant_runtime/config.py: all is bounded here, once, so that no step checks it. */
#include "stages.h"

#include <string.h>

enum {
    CP_HAS_TIMING = 1, CP_HAS_VARIABLES = 2, CP_HAS_START = 4,
    CP_HAS_REAL = 8, CP_HAS_IMAGINARY = 16, CP_HAS_ALL = 31,
    CP_HAS_IRREGULAR = 32,
    CP_HAS_CORRELATION = 64,
    CP_HAS_GRADIENT = 128,
    CP_HAS_SPECTRUM = 224
};

static bool cp_settings_refuse(cp_reason *why, const char *key, const char *words)
{
    return cp_refuse(why, "settings are damaged: %s%s", key, words);
}

/* `n` finite numbers as needed? */
static bool cp_settings_fit(const cp_numbers *list, size_t needed, cp_reason *why)
{
    bool fit = list->n == needed;
    for (size_t i = 0; fit && i < needed; i++) {
        fit = cp_finite(list->values[i]);
    }
    return fit || cp_settings_refuse(why, list->key, ": wrong number of values, or one that is not finite");
}

static bool cp_settings_take_timing(cp_coupling_settings *c, const cp_numbers *list, cp_reason *why)
{
    if (!cp_settings_fit(list, 1, why)) {
        return false;
    }
    c->event = list->values[0] != 0.0;
    c->has |= CP_HAS_TIMING;
    return true;
}

static bool cp_settings_take_variables(cp_coupling_settings *c, const cp_numbers *list, cp_reason *why)
{
    if (list->n < 1 || list->n > CP_VARIABLES) {
        return cp_settings_refuse(why, list->key, ": wrong number of values");
    }
    for (size_t i = 0; i < list->n; i++) {
        const double position = list->values[i];
        if (!(position >= 1.0 && position <= (double)CP_VARIABLES && position == (double)(uint16_t)position)) {
            return cp_settings_refuse(why, list->key, ": not a variable of this version");
        }
        c->chosen[i] = (uint16_t)(position - 1.0);
    }
    c->n_variables = (int32_t)list->n;
    c->has |= CP_HAS_VARIABLES;
    return true;
}

static bool cp_settings_take_start(cp_coupling_settings *c, const cp_numbers *list, cp_reason *why)
{
    if (list->n > CP_VARIABLES || !cp_settings_fit(list, list->n, why)) {
        return cp_settings_refuse(why, list->key, ": wrong number of values, or one that is not finite");
    }
    c->start = list->values;
    c->n_start = (int32_t)list->n;
    c->has |= CP_HAS_START;
    return true;
}

/* latency at the end of a key, or -1 */
static int32_t cp_settings_steps(const char *digits)
{
    int32_t k = 0;
    for (const char *at = digits; *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || k > CP_MAX_STEPS) {
            return -1;
        }
        k = 10 * k + (*at - '0');
    }
    return *digits != '\0' && k <= CP_MAX_STEPS ? k : -1;
}

static bool cp_settings_take_weights(cp_coupling_settings *c, const char *digits, const cp_numbers *list,
                                     cp_reason *why)
{
    const int32_t k = cp_settings_steps(digits);
    const size_t m = list->n / 2;
    if (k < 0 || m < 1 || m > CP_TAPS || c->weights[k].m > 0) {
        return cp_settings_refuse(why, list->key, ": allowed once for 0 to 64 steps, with 2 to 128 values");
    }
    if (!cp_settings_fit(list, 2 * m, why)) {
        return false;
    }
    c->weights[k] = (cp_weights){.m = (int32_t)m, .a = list->values, .slopes = list->values + m};
    c->shown_taps = c->n_weights == 0 ? (int32_t)m : 0;
    c->n_weights++;
    return true;
}

/* those of the derivative come after those of the value */
static bool cp_settings_take_derivative(cp_coupling_settings *c, const char *digits, const cp_numbers *list,
                                        cp_reason *why)
{
    const int32_t k = cp_settings_steps(digits);
    const size_t n = list->n / 2;
    if (!CP_KNOWS_ENERGY || k < 0 || n < 1 || n > CP_TAPS || c->weights[k].m == 0) {
        return cp_settings_refuse(why, list->key, ": not for this FMU, or without weights");
    }
    c->weights[k].n = (int32_t)n;
    c->weights[k].b = list->values;
    c->weights[k].b_slopes = list->values + n;
    c->plant.outputs = 2;
    return cp_settings_fit(list, 2 * n, why);
}

static bool cp_settings_take_tolerances(const double *tables[], const char *name, const cp_numbers *list,
                                        cp_reason *why)
{
    for (int32_t i = CP_ZOH; i < CP_ALGORITHMS; i++) {
        if (strcmp(name, cp_row_of(i)->name) == 0) {
            tables[i] = list->values;
            return cp_settings_fit(list, CP_HORIZONS, why);
        }
    }
    return true;
}

static bool cp_settings_take_bins(cp_coupling_settings *c, double bins[][CP_BINS], int32_t has, const cp_numbers *list,
                                  cp_reason *why)
{
    if (!cp_settings_fit(list, CP_BINS * CP_WINDOW, why)) {
        return false;
    }
    for (size_t row = 0; row < CP_BINS; row++) {
        for (size_t i = 0; i < CP_WINDOW; i++) {
            bins[i][row] = list->values[row * CP_WINDOW + i];
        }
    }
    c->has |= has;
    return true;
}

static bool cp_settings_take_irregular(cp_coupling_settings *c, const cp_numbers *list, cp_reason *why)
{
    if (!cp_settings_fit(list, 2 + CP_HORIZONS, why)) {
        return false;
    }
    const double values = list->values[0];
    const double degree = list->values[1];
    const double *const noise = list->values + 2;
    bool fits = values >= 2.0 && values < (double)CP_TERMS + 1.0 && degree >= 0.0 &&
                degree < (double)CP_MAX_DEGREE + 1.0;
    for (size_t i = 0; fits && i < CP_HORIZONS; i++) {
        fits = noise[i] > 0.0 && noise[i] <= 1e6;
    }
    if (!fits) {
        return cp_settings_refuse(why, list->key, ": a value is out of range");
    }
    c->spectrum.values = (int32_t)values;
    c->spectrum.degree = (int32_t)degree;
    c->spectrum.noise = noise;
    c->has |= CP_HAS_IRREGULAR;
    return true;
}

static bool cp_settings_take_knots(cp_coupling_settings *c, const double **knots, int32_t has, const cp_numbers *list,
                                   cp_reason *why)
{
    *knots = list->values;
    c->has |= has;
    return cp_settings_fit(list, CP_KNOTS, why);
}

/* what follows `prefix` in a key, or NULL */
static const char *cp_settings_after(const char *key, const char *prefix)
{
    const size_t n = strlen(prefix);
    return strncmp(key, prefix, n) == 0 ? key + n : NULL;
}

static bool cp_settings_take_neural(cp_coupling_settings *c, const cp_numbers *list, cp_reason *why)
{
    cp_neural_settings *const net = &c->neural;
    if (!cp_settings_fit(list, 7, why)) {
        return false;
    }
    for (size_t i = 0; i < 7; i++) {
        if (!(list->values[i] >= 0.0 && list->values[i] <= (double)CP_MAX_STEPS)) {
            return cp_settings_refuse(why, list->key, ": out of range");
        }
    }
    net->steps = (int32_t)list->values[0];
    net->first = (int32_t)list->values[1];
    net->second = (int32_t)list->values[2];
    net->leak = list->values[3];
    net->origin = (int32_t)list->values[5];
    net->offsets = list->values[6] != 0.0;
    const bool server = list->values[4] != 0.0;
    return (!server && cp_neural_fits(net)) || cp_settings_refuse(why, list->key, ": out of range, or for a server");
}

static bool cp_settings_take_neural_start(cp_coupling_settings *c, const cp_numbers *list, cp_reason *why)
{
    const size_t m = list->n / 2;
    if (m < 2 || m > CP_TAPS || !cp_settings_fit(list, 2 * m, why)) {
        return cp_settings_refuse(why, list->key, ": allowed 4 to 128 values, an even number");
    }
    c->neural.inputs = (int32_t)m - 1;
    c->neural.slopes = list->values + m;
    return true;
}

static bool cp_settings_take_plant(cp_coupling_settings *c, const cp_numbers *list, cp_reason *why)
{
    enum { WHOLE = 8, HEAD = 10 };
    static const int32_t most[WHOLE] = {
        CP_PLANT_STATES, CP_PLANT_INPUTS, CP_COMPANIONS + 1, CP_COMPANIONS, 1, CP_BETWEEN, 1, CP_MODEL};
    int32_t head[WHOLE] = {0};
    if (!CP_KNOWS_ENERGY || list->n < HEAD || !cp_settings_fit(list, list->n, why)) {
        return cp_settings_refuse(why, list->key, ": not for this FMU, or a number is missing");
    }
    for (size_t i = 0; i < WHOLE; i++) {
        if (!(list->values[i] >= (i < 3 ? 1.0 : 0.0) && list->values[i] <= most[i])) {
            return cp_settings_refuse(why, list->key, ": out of range");
        }
        head[i] = (int32_t)list->values[i];
    }
    const size_t n = (size_t)head[0], m = (size_t)head[1], p = (size_t)head[2];
    const size_t needed = HEAD + n * n + 2 * n * m + p * n + p * m + n * p + n * (p + m);
    if (list->n != needed || head[3] >= head[2]) {
        return cp_settings_refuse(why, list->key, ": wrong number of values for its sizes");
    }
    cp_plant *const plant = &c->plant;
    *plant = (cp_plant){.states = head[0], .inputs = head[1], .outputs = head[2], .own = head[3], .late = head[4],
                        .echo = head[5], .stale = head[6], .fallback = head[7], .micro_step = list->values[WHOLE],
                        .variance = list->values[WHOLE + 1], .phi = list->values + HEAD};
    const bool known = head[7] == CP_AUTO || head[7] == CP_ZOH || head[7] == CP_MODEL;
    if (!(known && plant->micro_step > 0.0 && plant->micro_step <= 1.0 && plant->variance > 0.0)) {
        return cp_settings_refuse(why, list->key, ": out of range");
    }
    plant->level = plant->phi + n * n;
    plant->change = plant->level + n * m;
    plant->of_states = plant->change + n * m;
    plant->through = plant->of_states + p * n;
    plant->gain = plant->through + p * m;
    plant->start = plant->gain + n * p;
    return true;
}

/* number of weights once both lists are there */
static bool cp_settings_size_neural(cp_coupling_settings *c, cp_reason *why)
{
    cp_neural_settings *const net = &c->neural;
    const bool none = net->first == 0 && net->inputs == 0;
    net->size = net->first * net->inputs + net->second * net->first + net->second * (1 + net->offsets);
    const bool fits = net->first > 0 && net->inputs > 0 && net->size <= CP_MOST_WEIGHTS;
    return none || fits || cp_settings_refuse(why, "network", ": allowed up to 64 weights, with network.start");
}

static bool cp_settings_take_spectrum(cp_coupling_settings *c, const cp_numbers *list, cp_reason *why)
{
    if (strcmp(list->key, "irregular") == 0) {
        return cp_settings_take_irregular(c, list, why);
    }
    if (strcmp(list->key, "correlation") == 0) {
        return cp_settings_take_knots(c, &c->spectrum.correlation, CP_HAS_CORRELATION, list, why);
    }
    return strcmp(list->key, "gradient") != 0 ||
           cp_settings_take_knots(c, &c->spectrum.gradient, CP_HAS_GRADIENT, list, why);
}

static bool cp_settings_take(cp_coupling_settings *c, const cp_numbers *list, cp_reason *why)
{
    const char *const key = list->key;
    const char *rest = NULL;
    if (strcmp(key, "timing") == 0) {
        return cp_settings_take_timing(c, list, why);
    }
    if (strcmp(key, "variables") == 0) {
        return cp_settings_take_variables(c, list, why);
    }
    if (strcmp(key, "start") == 0) {
        return cp_settings_take_start(c, list, why);
    }
    if ((rest = cp_settings_after(key, "weights.")) != NULL) {
        return cp_settings_take_weights(c, rest, list, why);
    }
    if ((rest = cp_settings_after(key, "derivative.")) != NULL) {
        return cp_settings_take_derivative(c, rest, list, why);
    }
    if (strcmp(key, "network") == 0) {
        return cp_settings_take_neural(c, list, why);
    }
    if (strcmp(key, "plant") == 0) {
        return cp_settings_take_plant(c, list, why);
    }
    if (strcmp(key, "network.start") == 0) {
        return cp_settings_take_neural_start(c, list, why);
    }
    if ((rest = cp_settings_after(key, "zeta.")) != NULL) {
        return cp_settings_take_tolerances(c->zeta, rest, list, why);
    }
    if ((rest = cp_settings_after(key, "delta.")) != NULL) {
        return cp_settings_take_tolerances(c->delta, rest, list, why);
    }
    if (strcmp(key, "real") == 0) {
        return cp_settings_take_bins(c, c->real, CP_HAS_REAL, list, why);
    }
    if (strcmp(key, "imaginary") == 0) {
        return cp_settings_take_bins(c, c->imaginary, CP_HAS_IMAGINARY, list, why);
    }
    return cp_settings_take_spectrum(c, list, why);
}

/* Every algorithm that the FMU can run, but those that are judged by another's tolerance, has its own. */
static bool cp_settings_have_tolerances(const cp_coupling_settings *c)
{
    for (int32_t i = CP_ZOH; i < CP_ALGORITHMS; i++) {
        const cp_algorithm_row *const row = cp_row_of(i);
        const bool spectral = row->needs == CP_NEEDS_SPECTRUM && (c->has & CP_HAS_SPECTRUM) == 0;
        const bool known = row->needs < CP_NEEDS_PLANT || (CP_KNOWS_ENERGY && cp_is_offered(c, i));
        const bool runs = row->name[0] != '\0' && !spectral && known;
        if (runs && !cp_is(i, CP_AS_ORIGIN) && (c->zeta[i] == NULL || c->delta[i] == NULL)) {
            return false;
        }
    }
    return true;
}

/* Does the FMU have the variable of that place? */
static bool cp_settings_have(const cp_coupling_settings *c, size_t place)
{
    for (int32_t i = 0; i < c->n_variables; i++) {
        if (cp_variable_row(c->chosen[i])->offset == place) {
            return true;
        }
    }
    return false;
}

/* no variable outside the state, and start values of whole numbers that fit their place */
static bool cp_settings_variables_fit(const cp_coupling_settings *c)
{
    for (int32_t i = 0; i < c->n_variables && i < c->n_start; i++) {
        const cp_variable *const variable = cp_variable_row(c->chosen[i]);
        const bool whole = c->start[i] >= INT32_MIN && c->start[i] <= INT32_MAX;
        if (variable->offset >= cp_coupling_size(c) || (variable->type != CP_REAL && !whole)) {
            return false;
        }
    }
    return c->n_start == c->n_variables;
}

CP_API size_t cp_coupling_size(const cp_coupling_settings *c)
{
    if (c->neural.size > 0) {
        return sizeof(cp_state_with_neural);
    }
    if (cp_hears(c)) {
        return sizeof(cp_state);
    }
    if (CP_KNOWS_ENERGY && c->bonded) {
        return offsetof(cp_state, plant);
    }
    if (CP_KNOWS_ENERGY && c->periodic) {
        return offsetof(cp_state, bond);
    }
    return CP_KNOWS_ENERGY && c->follows ? offsetof(cp_state, phasor) : offsetof(cp_state, follow);
}

CP_API bool cp_coupling_settle(cp_coupling_settings *c, const cp_numbers *lists, size_t n, uint64_t fingerprint,
                               cp_reason *why)
{
    *c = (cp_coupling_settings){.fingerprint = fingerprint};
    for (size_t i = 0; i < n; i++) {
        if (!cp_settings_take(c, &lists[i], why)) {
            return false;
        }
    }
    if (CP_KNOWS_ENERGY) {
        c->bonded = cp_settings_have(c, offsetof(cp_state, bond.end));
        c->follows = cp_settings_have(c, offsetof(cp_state, follow.mode));
        c->periodic = cp_settings_have(c, offsetof(cp_state, phasor.nominal));
    }
    const int32_t spectral = c->has & CP_HAS_SPECTRUM;
    const bool whole = spectral == 0 || spectral == CP_HAS_SPECTRUM;
    if ((c->has & CP_HAS_ALL) != CP_HAS_ALL || !whole || !cp_settings_have_tolerances(c)) {
        return cp_settings_refuse(why, "a list", " is missing");
    }
    if (!cp_settings_size_neural(c, why)) {
        return false;
    }
    if (!cp_settings_variables_fit(c)) {
        return cp_settings_refuse(why, "start", " does not fit the variables");
    }
    return true;
}
