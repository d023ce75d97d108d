/* A step of one side of a bench: messages that have arrived to inputs, the exchange, a message of what is sent. */
#include "engine.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Places in a datagram, docs/bench.md */
enum { SIDE_VERSION = 4, SIDE_KIND = 5, SIDE_SENDER = 6, SIDE_NUMBERS = 7, SIDE_BLOCKS = 8, SIDE_SCENARIO = 12,
       SIDE_RUN = 16, SIDE_SEQUENCE = 20, SIDE_SENT = 24, SIDE_ECHO = 32, SIDE_TIME = 40, SIDE_HEAD = 48 };

enum { SIDE_LAYOUT = 2, SIDE_VALUES = 3, SIDE_KINDS = 5, SIDE_MOST_BLOCKS = 8 };

static uint32_t whole_at(const unsigned char *place)
{
    uint32_t value;
    memcpy(&value, place, sizeof value);
    return value;
}

static double real_at(const unsigned char *place)
{
    double value;
    memcpy(&value, place, sizeof value);
    return value;
}

static double time_at(const engine_side *side, const unsigned char *place)
{
    const double t = real_at(place);
    return t >= side->least_time ? t : side->no_time;
}

static bool are_finite(const unsigned char *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(real_at(numbers + 8 * i)) <= DBL_MAX)) {
            return false;
        }
    }
    return true;
}

/* Return why a datagram is not taken; it may be none of values. */
static int refusal_of(const engine_side *side, const unsigned char *datagram, size_t size)
{
    if (size < 4 || memcmp(datagram, side->message, 4) != 0) {
        return ENGINE_FOREIGN;
    }
    if (size < SIDE_HEAD) {
        return ENGINE_TRUNCATED;
    }
    if (datagram[SIDE_VERSION] != SIDE_LAYOUT) {
        return ENGINE_OTHER_VERSION;
    }
    const int kind = datagram[SIDE_KIND];
    const int sender = datagram[SIDE_SENDER];
    const size_t n = (size_t)datagram[SIDE_BLOCKS] * (1u + datagram[SIDE_NUMBERS]);
    if (kind < 1 || kind > SIDE_KINDS || sender < 1 || sender > 2 || datagram[SIDE_BLOCKS] > SIDE_MOST_BLOCKS) {
        return ENGINE_FOREIGN;
    }
    if (size != SIDE_HEAD + 8 * n) {
        return ENGINE_TRUNCATED;
    }
    if (!are_finite(datagram + SIDE_SENT, n + (SIDE_HEAD - SIDE_SENT) / 8)) {
        return ENGINE_NOT_FINITE;
    }
    const bool ours = memcmp(datagram + SIDE_SCENARIO, side->message + SIDE_SCENARIO, 8) == 0
                      && sender != side->message[SIDE_SENDER] && datagram[SIDE_BLOCKS] > 0
                      && datagram[SIDE_NUMBERS] + 1u == side->width_in && whole_at(datagram + SIDE_SEQUENCE) < side->most;
    return kind == SIDE_VALUES && !ours ? ENGINE_FOREIGN : ENGINE_TAKEN;
}

static bool is_new(engine_side *side, const unsigned char *datagram, double arrival)
{
    const uint32_t sequence = whole_at(datagram + SIDE_SEQUENCE);
    if (side->seen[sequence]) {
        side->doubled++;
        return false;
    }
    side->seen[sequence] = 1;
    side->overtaken += (int64_t)sequence < side->highest;
    side->highest = (int64_t)sequence > side->highest ? (int64_t)sequence : side->highest;
    double *const row = side->arrivals + 3 * side->n_arrivals++;
    row[0] = real_at(datagram + SIDE_HEAD);
    row[1] = time_at(side, datagram + SIDE_SENT);
    row[2] = arrival;
    return true;
}

static size_t find(const double *stamps, double stamp)
{
    size_t i = 0;
    while (i < ENGINE_REMEMBERED && !(stamps[i] == stamp)) {
        i++;
    }
    return i;
}

/* Return a free place, else that of the oldest stamp. */
static size_t least(const double *stamps)
{
    size_t found = 0;
    for (size_t i = 0; i < ENGINE_REMEMBERED; i++) {
        if (isnan(stamps[i])) {
            return i;
        }
        found = stamps[i] < stamps[found] ? i : found;
    }
    return found;
}

static void add_block(engine_side *side, const unsigned char *block)
{
    const double stamp = real_at(block);
    if (find(side->handed, stamp) < ENGINE_REMEMBERED) {
        return;
    }
    size_t place = find(side->pending, stamp);
    if (place == ENGINE_REMEMBERED) {
        place = least(side->pending);
        if (stamp < side->pending[place]) {
            return;
        }
    }
    side->pending[place] = stamp;
    memcpy(side->blocks + place * side->width_in, block, 8 * side->width_in);
}

/* Take a datagram that has arrived at a time of this run. */
void engine_side_take(engine_side *side, const unsigned char *datagram, size_t size, double arrival)
{
    const int reason = refusal_of(side, datagram, size);
    if (reason != ENGINE_TAKEN) {
        side->dropped[reason]++;
        return;
    }
    if (datagram[SIDE_KIND] != SIDE_VALUES || !is_new(side, datagram, arrival)) {
        return;
    }
    for (size_t i = 0; i < datagram[SIDE_BLOCKS]; i++) {
        add_block(side, datagram + SIDE_HEAD + 8 * i * side->width_in);
    }
    const double echo = time_at(side, datagram + SIDE_ECHO);
    side->echo = echo > side->echo ? echo : side->echo;
}

/* Take the newest blocks until t out of those that wait; return how many. */
static size_t take_due(engine_side *side, double t, const double *due[SIDE_MOST_BLOCKS])
{
    const double last = side->ahead ? HUGE_VAL : t;
    for (size_t n = 0; n < side->places; n++) {
        size_t found = ENGINE_REMEMBERED;
        for (size_t i = 0; i < ENGINE_REMEMBERED; i++) {
            if (side->pending[i] <= last && (found == ENGINE_REMEMBERED || side->pending[i] > side->pending[found])) {
                found = i;
            }
        }
        if (found == ENGINE_REMEMBERED) {
            return n;
        }
        due[n] = side->blocks + found * side->width_in;
        side->handed[side->n_handed++ % ENGINE_REMEMBERED] = side->pending[found];
        side->pending[found] = NAN;
    }
    return side->places;
}

static void hand_over(engine_side *side, double t)
{
    const double *due[SIDE_MOST_BLOCKS];
    const size_t n = take_due(side, t, due);
    const bool newer = n > 0 && due[0][0] > side->newest_stamp;
    for (const engine_put *put = side->puts; put < side->puts + side->n_puts; put++) {
        double *const value = side->values + put->slot;
        const bool there = (size_t)put->place < n;
        if (put->kind == ENGINE_PUT_VALID) {
            *value = there;
        } else if (put->kind == ENGINE_PUT_ECHO) {
            *value = side->echo;
        } else if (there && (put->kind == ENGINE_PUT_VALUE || newer)) {
            *value = due[put->place][put->column];
        }
    }
    if (newer) {
        side->newest_stamp = due[0][0];
        memcpy(side->newest, due[0] + 1, sizeof(double) * side->n_received);
    }
}

/* Put the values at t before those of earlier messages; not: one of them is out of all bounds. */
static bool write_message(engine_side *side, size_t n, double t)
{
    const size_t size = 8 * (1 + side->n_sent + side->n_given);
    const uint32_t sequence = (uint32_t)n;
    unsigned char *const head = side->message;
    unsigned char *place = head + SIDE_HEAD;
    memmove(place + size, place, size * (side->repeat - 1));
    memcpy(place, &t, 8);
    for (size_t i = 0; i < side->n_sent + side->n_given; i++) {
        const bool own = i < side->n_sent;
        const int32_t slot = own ? side->sent[i] : side->given[i - side->n_sent];
        const double value = slot < 0 ? 0.0 : side->values[slot];
        if (own && !(fabs(value) <= side->bound)) {
            return false;
        }
        memcpy(place += 8, &value, 8);
    }
    head[SIDE_BLOCKS] = (unsigned char)(n + 1 < side->repeat ? n + 1 : side->repeat);
    memcpy(head + SIDE_SEQUENCE, &sequence, sizeof sequence);
    memcpy(head + SIDE_ECHO, &side->newest_stamp, 8);
    side->size = SIDE_HEAD + size * head[SIDE_BLOCKS];
    return true;
}

/* Begin the exchange at point n of the time t and make the message that leaves there; not 0: a component refused. */
int32_t engine_side_exchange(engine_side *side, size_t n, double t, double h)
{
    hand_over(side, t);
    if (!engine_do(&side->first, t, h, h, &side->failure)) {
        return 1;
    }
    side->stopped = !write_message(side, n, t);
    return 0;
}

static void record_row(const engine_side *side, const int32_t *places, size_t n, double *rows, size_t row)
{
    for (size_t i = 0; i < n; i++) {
        rows[row * n + i] = places == NULL ? 0.0 : side->values[places[i]];
    }
}

/* End the exchange, record point n and step to the next one, unless the run has ended; not 0: a component refused. */
int32_t engine_side_finish(engine_side *side, size_t n, double t, double h)
{
    if (!engine_do(&side->rest, t, h, h, &side->failure)) {
        return 1;
    }
    record_row(side, side->sent, side->n_sent, side->sent_rows, n);
    record_row(side, side->estimates, side->n_received, side->estimate_rows, n);
    record_row(side, side->status, side->n_status, side->status_rows, n);
    memcpy(side->received_rows + n * side->n_received, side->newest, sizeof(double) * side->n_received);
    return h > 0.0 && !side->stopped && !engine_do(&side->step, t, h, h, &side->failure);
}
