/* The sender's clock where it is not the receiver's: offset and drift from the lower envelope of the transit times.

   The transit time, receiver's time of arrival minus send stamp, is the latency plus the offset of the clocks. Blocks
   of CP_BLOCK messages keep their smallest one; a line through the last CP_BLOCKS of these points gives the drift, and
   the lowest point carried along the line to now is the transit time of the fastest message. Its latency has to be
   known: half the smallest round trip, or `latency.minimum`. */
#include "../stages.h"

/* latency of the fastest message, s */
static double cp_clock_least(const cp_state *s)
{
    const bool echoed = s->parameter.latency_mode == CP_ROUND_TRIP && s->clock.round_trip > 0.0;
    return echoed ? 0.5 * s->clock.round_trip : s->parameter.latency_minimum;
}

/* are the send stamps in the sender's own time? */
CP_API bool cp_clock_is_free(const cp_state *s)
{
    return s->parameter.latency_mode == CP_ROUND_TRIP || s->parameter.latency_clock == CP_CLOCK_FREE;
}

/* receiver's time of arrival of the incoming message minus its send stamp, s */
CP_API double cp_clock_transit(const cp_state *s)
{
    return cp_bounded(s->grid.time - s->input.y_time, CP_UNLIMITED);
}

/* smallest usual transit time, s */
CP_API double cp_clock_low(const cp_state *s)
{
    return s->clock.low[0] < s->clock.low[1] ? s->clock.low[0] : s->clock.low[1];
}

/* how much usual transit times differ, s */
CP_API double cp_clock_width(const cp_state *s)
{
    const double high = s->clock.high[0] > s->clock.high[1] ? s->clock.high[0] : s->clock.high[1];
    return cp_bounded(high - cp_clock_low(s), 0.0);
}

/* can a message with the stamp on `y_time` have arrived by now? */
CP_API bool cp_clock_plausible(const cp_state *s)
{
    if (s->clock.blocks + s->clock.block_count == 0) {
        return true;
    }
    const double least = cp_clock_least(s);
    const bool settled = s->clock.blocks > 0 && least > 0.0;
    const double margin = settled ? 0.5 * s->grid.period : CP_AGREE * s->grid.period + cp_clock_width(s);
    return cp_clock_transit(s) > s->clock.fastest - least - margin;
}

/* Work out what added to a send stamp gives the receiver's time, as of now. An estimate so wild that the newest message
   would be far slower than the fastest is not believed. */
CP_API void cp_clock_follow(cp_state *s)
{
    double lowest = CP_UNLIMITED;
    if (s->clock.blocks + s->clock.block_count == 0) {
        return;
    }
    for (int32_t i = 0; i <= CP_BLOCKS; i++) {
        if (i < s->clock.blocks || (i == CP_BLOCKS && s->clock.block_count > 0)) {
            const double here = s->clock.block_transit[i] - s->clock.drift * (s->grid.time - s->clock.block_time[i]);
            lowest = here < lowest ? here : lowest;
        }
    }
    s->clock.fastest = cp_bounded(lowest, 0.0);
    s->clock.offset = cp_bounded(lowest - cp_clock_least(s), 0.0);
    const double slower = s->clock.transit - s->clock.fastest - CP_LONGEST * s->grid.period;
    if (slower > 0.0) {
        s->clock.offset = cp_bounded(s->clock.offset + slower, s->clock.offset);
    }
}

static void cp_clock_echo(cp_state *s)
{
    const double trip = s->grid.time - s->input.y_echo;
    if (!(s->input.y_echo >= CP_LEAST_STAMP) || !(trip > 0.0 && trip <= CP_UNLIMITED)) {
        return;
    }
    if (!(s->clock.round_trip > 0.0) || trip < s->clock.round_trip) {
        s->clock.round_trip = trip;
    }
}

/* slope of the least-squares line through the lowest points, with its sign turned */
static double cp_clock_drift(const cp_state *s)
{
    double time = 0.0;
    double transit = 0.0;
    double above = 0.0;
    double below = 0.0;
    for (int32_t i = 0; i < s->clock.blocks; i++) {
        time = time + (s->clock.block_time[i] - s->clock.block_time[0]);
        transit = transit + (s->clock.block_transit[i] - s->clock.block_transit[0]);
    }
    time = time / s->clock.blocks;
    transit = transit / s->clock.blocks;
    for (int32_t i = 0; i < s->clock.blocks; i++) {
        const double x = s->clock.block_time[i] - s->clock.block_time[0] - time;
        above = above + x * (s->clock.block_transit[i] - s->clock.block_transit[0] - transit);
        below = below + x * x;
    }
    const double drift = below > 0.0 ? -above / below : 0.0;
    if (drift > CP_LARGEST_DRIFT) {
        return CP_LARGEST_DRIFT;
    }
    return drift > -CP_LARGEST_DRIFT ? drift : -CP_LARGEST_DRIFT;
}

/* Keep the lowest point of the block that is full, and take the drift from the last ones. */
static void cp_clock_close(cp_state *s)
{
    if (s->clock.blocks == CP_BLOCKS) {
        for (int32_t i = 0; i < CP_BLOCKS - 1; i++) {
            s->clock.block_time[i] = s->clock.block_time[i + 1];
            s->clock.block_transit[i] = s->clock.block_transit[i + 1];
        }
        s->clock.blocks = CP_BLOCKS - 1;
    }
    s->clock.block_time[s->clock.blocks] = s->clock.block_time[CP_BLOCKS];
    s->clock.block_transit[s->clock.blocks] = s->clock.block_transit[CP_BLOCKS];
    s->clock.blocks++;
    s->clock.block_count = 0;
    if (s->clock.blocks >= CP_LEAST_BLOCKS) {
        s->clock.drift = cp_clock_drift(s);
    }
}

/* Enter a transit time into the present block. */
CP_API void cp_clock_note(cp_state *s, double transit)
{
    if (s->clock.block_count == 0 || transit < s->clock.block_transit[CP_BLOCKS]) {
        s->clock.block_transit[CP_BLOCKS] = transit;
        s->clock.block_time[CP_BLOCKS] = s->grid.time;
    }
    s->clock.block_count++;
}

/* Take the transit time of the message that has just arrived into the envelope. One far below it tells that clock or
   way are others now. */
CP_API void cp_clock_observe(cp_state *s)
{
    const double transit = cp_clock_transit(s);
    if (s->clock.blocks > 0 && transit < s->clock.fastest - s->grid.period) {
        s->clock.blocks = s->clock.block_count = 0;
    }
    cp_clock_note(s, transit);
    if (s->parameter.latency_mode == CP_ROUND_TRIP) {
        cp_clock_echo(s);
    }
    if (!(cp_clock_least(s) > 0.0) && (s->parameter.latency_mode != CP_ROUND_TRIP || s->clock.blocks > 0)) {
        cp_tell_once(s, CP_RELATIVE_CLOCK);
    }
    cp_clock_follow(s);
    if (s->clock.block_count >= CP_BLOCK) {
        cp_clock_close(s);
    }
}
