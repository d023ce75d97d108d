/* The settings text of couplant_runtime/config.py: one item a line, `key value value ..`, numbers as Python's
   float.hex() writes them, so that they are exact and no locale matters. What is not understood is refused. */
#include "stages.h"

#include <string.h>

static const char cp_first_line[] = "couplant-settings 1\n";
static const char cp_last_line[] = "\nend\n";
static const char *const cp_algorithm_names[CP_ALGORITHMS] = {"zoh", "foh", "smb", "eros3", "eros4", "linear"};

/* what has been read: bits, each item may come once */
typedef struct {
    uint32_t plain;       /* timing, debug */
    uint32_t tables;      /* zeta and delta, two bits for each algorithm */
    uint32_t bins;        /* real and imaginary, two bits for each */
    uint64_t start;       /* rows of the interface */
    uint64_t weights[2];  /* start values of a and A */
} cp_seen;

typedef struct {
    const char *at;
    const char *end;
    cp_coupling_settings *c;
    double *memory; /* for weights */
    size_t room;
    cp_seen seen;
} cp_reader;

/* Step over `word` if it comes next. */
static bool cp_read_word(cp_reader *r, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) {
        return false;
    }
    r->at += n;
    return true;
}

/* whole number without sign */
static bool cp_read_whole(cp_reader *r, int32_t *value)
{
    const char *const first = r->at;
    *value = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && r->at - first < 9; r->at++) {
        *value = 10 * *value + (*r->at - '0');
    }
    return r->at > first;
}

static int cp_read_digit(const cp_reader *r)
{
    const char c = r->at < r->end ? *r->at : ' ';
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* .HHH.. left-aligned in the 52 bits of a significand */
static uint64_t cp_read_fraction(cp_reader *r)
{
    uint64_t fraction = 0;
    if (!cp_read_word(r, ".")) {
        return 0;
    }
    for (int shift = 48; shift >= 0 && cp_read_digit(r) >= 0; shift -= 4, r->at++) {
        fraction |= (uint64_t)cp_read_digit(r) << shift;
    }
    return fraction;
}

static bool cp_read_exponent(cp_reader *r, int32_t *exponent)
{
    if (!cp_read_word(r, "p")) {
        return false;
    }
    const bool negative = cp_read_word(r, "-");
    if (!negative) {
        (void)cp_read_word(r, "+");
    }
    const bool read = cp_read_whole(r, exponent);
    *exponent = negative ? -*exponent : *exponent;
    return read;
}

/* [-]0x1.HHHp[-+]E, or with 0x0. zero and subnormal numbers */
static bool cp_read_number(cp_reader *r, double *value)
{
    const uint64_t sign = cp_read_word(r, "-") ? (uint64_t)1 << 63 : 0;
    const bool normal = cp_read_word(r, "0x1");
    if (!normal && !cp_read_word(r, "0x0")) {
        return false;
    }
    const uint64_t fraction = cp_read_fraction(r);
    int32_t exponent = 0;
    if (!cp_read_exponent(r, &exponent)) {
        return false;
    }
    if (normal ? exponent < -1022 || exponent > 1023 : fraction != 0 && exponent != -1022) {
        return false;
    }
    const uint64_t bits = sign | (normal ? (uint64_t)(exponent + 1023) << 52 : 0) | fraction;
    memcpy(value, &bits, sizeof bits);
    return true;
}

static bool cp_read_numbers(cp_reader *r, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!cp_read_word(r, " ") || !cp_read_number(r, &values[i])) {
            return false;
        }
    }
    return true;
}

static bool cp_first_time(uint32_t *seen, int32_t bit)
{
    const uint32_t mask = (uint32_t)1 << bit;
    const bool first = (*seen & mask) == 0;
    *seen |= mask;
    return first;
}

static bool cp_first_time_of(uint64_t *seen, uint32_t bit)
{
    const uint64_t mask = (uint64_t)1 << bit;
    const bool first = (*seen & mask) == 0;
    *seen |= mask;
    return first;
}

static bool cp_read_timing(cp_reader *r)
{
    r->c->event = cp_read_word(r, "event");
    return (r->c->event || cp_read_word(r, "step")) && cp_first_time(&r->seen.plain, 0);
}

static bool cp_read_debug(cp_reader *r)
{
    r->c->debug = cp_read_word(r, "1");
    return (r->c->debug || cp_read_word(r, "0")) && cp_first_time(&r->seen.plain, 1);
}

/* start value of algorithm.a[i] or algorithm.A[i], behind the bracket */
static bool cp_read_start_of_weight(cp_reader *r, double *values, uint64_t *seen)
{
    int32_t i = 0;
    if (!cp_read_whole(r, &i) || i < 1 || i > CP_TAPS || !cp_read_word(r, "]")) {
        return false;
    }
    return cp_read_numbers(r, &values[i - 1], 1) && cp_first_time_of(seen, (uint32_t)i - 1);
}

/* row of the interface whose name comes next, up to the blank; CP_ROWS_INTERFACE if there is none */
static uint32_t cp_read_name(cp_reader *r)
{
    const char *const blank = memchr(r->at, ' ', (size_t)(r->end - r->at));
    const size_t n = blank != NULL ? (size_t)(blank - r->at) : 0;
    uint32_t row = 0;
    for (; row < CP_ROWS_INTERFACE; row++) {
        const char *const name = cp_variable_row(row)->name;
        if (strlen(name) == n && memcmp(name, r->at, n) == 0) {
            r->at += n;
            break;
        }
    }
    return row;
}

static bool cp_read_start(cp_reader *r)
{
    if (cp_read_word(r, "algorithm.a[")) {
        return cp_read_start_of_weight(r, r->c->start_a, &r->seen.weights[0]);
    }
    if (cp_read_word(r, "algorithm.A[")) {
        return cp_read_start_of_weight(r, r->c->start_slopes, &r->seen.weights[1]);
    }
    const uint32_t row = cp_read_name(r);
    if (row == CP_ROWS_INTERFACE || !cp_read_numbers(r, &r->c->start[row], 1)) {
        return false;
    }
    const cp_coupling_variable *const variable = cp_variable_row(row);
    const double value = r->c->start[row];
    const bool fits = variable->kind == CP_KIND_REAL || (value >= INT32_MIN && value <= INT32_MAX);
    return fits && variable->role != CP_ROLE_OUTPUT && cp_first_time_of(&r->seen.start, row);
}

static bool cp_read_weights(cp_reader *r)
{
    int32_t k = 0;
    int32_t m = 0;
    if (!cp_read_whole(r, &k) || !cp_read_word(r, " ") || !cp_read_whole(r, &m)) {
        return false;
    }
    const size_t n = 2 * (size_t)m;
    if (k > CP_MAX_STEPS || m < 1 || m > CP_TAPS || r->c->weights[k].m > 0 || n > r->room) {
        return false;
    }
    double *const numbers = r->memory;
    r->c->weights[k] = (cp_weights){m, numbers, numbers + m};
    r->c->shown_taps = r->c->n_weights == 0 ? m : 0;
    r->c->n_weights++;
    r->memory += n;
    r->room -= n;
    return cp_read_numbers(r, numbers, n);
}

/* zeta or delta of the algorithm that is named next */
static bool cp_read_tolerances(cp_reader *r, double table[][CP_HORIZONS], int32_t half)
{
    for (int32_t i = CP_ALGORITHMS - 1; i >= 0; i--) {
        if (cp_read_word(r, cp_algorithm_names[i])) {
            return cp_read_numbers(r, table[i], CP_HORIZONS) && cp_first_time(&r->seen.tables, 2 * i + half);
        }
    }
    return false;
}

static bool cp_read_zeta(cp_reader *r)
{
    return cp_read_tolerances(r, r->c->zeta, 0);
}

static bool cp_read_delta(cp_reader *r)
{
    return cp_read_tolerances(r, r->c->delta, 1);
}

static bool cp_read_bin(cp_reader *r, double rows[][CP_WINDOW], int32_t half)
{
    int32_t i = 0;
    if (!cp_read_whole(r, &i) || i >= CP_BINS || !cp_read_numbers(r, rows[i], CP_WINDOW)) {
        return false;
    }
    return cp_first_time(&r->seen.bins, 2 * i + half);
}

static bool cp_read_real(cp_reader *r)
{
    return cp_read_bin(r, r->c->real, 0);
}

static bool cp_read_imaginary(cp_reader *r)
{
    return cp_read_bin(r, r->c->imaginary, 1);
}

static const struct {
    const char *key;
    bool (*read)(cp_reader *r);
} cp_items_of_settings[] = {
    {"timing ", cp_read_timing}, {"debug ", cp_read_debug}, {"start ", cp_read_start}, {"weights ", cp_read_weights},
    {"zeta ", cp_read_zeta},     {"delta ", cp_read_delta}, {"real ", cp_read_real},   {"imaginary ", cp_read_imaginary},
};

static bool cp_read_line(cp_reader *r)
{
    for (size_t i = 0; i < sizeof cp_items_of_settings / sizeof *cp_items_of_settings; i++) {
        if (cp_read_word(r, cp_items_of_settings[i].key)) {
            return cp_items_of_settings[i].read(r) && cp_read_word(r, "\n");
        }
    }
    return false;
}

/* bits of the rows of the interface that have a start value */
static uint64_t cp_rows_with_start(void)
{
    uint64_t rows = 0;
    for (uint32_t row = 0; row < CP_ROWS_INTERFACE; row++) {
        rows |= (uint64_t)(cp_variable_row(row)->role != CP_ROLE_OUTPUT) << row;
    }
    return rows;
}

static bool cp_is_complete(const cp_coupling_settings *c, const cp_seen *seen)
{
    const uint64_t taps = c->shown_taps < 64 ? ((uint64_t)1 << c->shown_taps) - 1 : UINT64_MAX;
    return seen->plain == 3 && seen->tables == 0xFFF && seen->bins == 0xFF && seen->start == cp_rows_with_start() &&
           seen->weights[0] == taps && seen->weights[1] == taps;
}

static bool cp_is_whole_text(const char *text, size_t size)
{
    const size_t first = sizeof cp_first_line - 1;
    const size_t last = sizeof cp_last_line - 1;
    return size >= first + last && memcmp(text, cp_first_line, first) == 0 &&
           memcmp(text + size - last, cp_last_line, last) == 0;
}

static bool cp_refuse_line(cp_message *why, int32_t line)
{
    cp_say(why, "settings are damaged: line ");
    cp_say_number(why, line);
    return false;
}

CP_API uint64_t cp_coupling_fingerprint(const char *text, size_t size)
{
    uint64_t value = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++) {
        value = (value ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    }
    return value;
}

CP_API size_t cp_coupling_room(const char *text, size_t size)
{
    size_t room = 0;
    bool begins = true;
    bool counts = false;
    for (size_t i = 0; i < size; i++) {
        counts = begins ? text[i] == 'w' : counts;
        room += counts && text[i] == ' ';
        begins = text[i] == '\n';
    }
    return room;
}

CP_API bool cp_coupling_parse(cp_coupling_settings *c, const char *text, size_t size, double *memory, size_t room,
                              cp_message *why)
{
    *c = (cp_coupling_settings){0};
    if (!cp_is_whole_text(text, size)) {
        cp_say(why, "settings are cut off or foreign, allowed is a whole text with couplant-settings 1");
        return false;
    }
    cp_reader r = {.c = c, .memory = memory, .room = room};
    r.at = text + sizeof cp_first_line - 1;
    r.end = text + size - (sizeof cp_last_line - 2);
    for (int32_t line = 2; r.at < r.end; line++) {
        if (!cp_read_line(&r)) {
            return cp_refuse_line(why, line);
        }
    }
    if (!cp_is_complete(c, &r.seen)) {
        cp_say(why, "settings are damaged: an item is missing");
        return false;
    }
    c->fingerprint = cp_coupling_fingerprint(text, size);
    return true;
}
