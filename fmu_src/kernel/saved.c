/* Copied and saved states: a header that tells where they come from, the clock, then the structure as in memory. */
#include "saved.h"
#include "stages.h"

#include <string.h>

enum { CP_STATE_VERSION = 3, CP_STATE_HEADER = 32 };

/* no padding, else bytes would be left to chance and the Python runtime could not read them */
typedef char cp_state_is_dense[sizeof(cp_state) == CP_STATE_BYTES ? 1 : -1];
typedef char cp_clock_is_dense[sizeof(cp_coupling_clock) == 16 ? 1 : -1];
typedef char cp_plain_state_is_dense[offsetof(cp_state, follow) == CP_PLAIN_STATE_BYTES ? 1 : -1];
typedef char cp_plain_state_is_small[CP_PLAIN_STATE_BYTES <= 24000 ? 1 : -1];
typedef char cp_state_is_small[sizeof(cp_state) <= 45056 ? 1 : -1];
typedef char cp_state_with_neural_is_dense[sizeof(cp_state_with_neural) == CP_STATE_WITH_NEURAL_BYTES ? 1 : -1];
typedef char cp_state_with_neural_is_small[sizeof(cp_state_with_neural) <= 81920 ? 1 : -1];

#include "generated/events.h"

static const unsigned char cp_state_magic[8] = {'c', 'o', 'u', 'p', 'l', 'a', 'n', 't'};

/* what the state has to begin at a multiple of */
typedef struct {
    char before;
    cp_state state;
} cp_placed_state;

/* CRC-32 as zlib has it */
static uint32_t cp_state_checksum(const unsigned char *bytes, size_t n)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
        }
    }
    return ~crc;
}

static void cp_put_little_endian(unsigned char *bytes, uint64_t value, int n)
{
    for (int i = 0; i < n; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i) & 0xFF);
    }
}

/* header for the clock and the state that follow it in `bytes` */
static void cp_state_header(const cp_coupling_settings *c, const unsigned char *bytes, unsigned char *header)
{
    const size_t n = CP_SERIALISED - CP_STATE_HEADER + cp_coupling_size(c);
    const uint32_t checksum = cp_state_checksum(bytes + CP_STATE_HEADER, n);
    memcpy(header, cp_state_magic, sizeof cp_state_magic);
    cp_put_little_endian(header + 8, CP_STATE_VERSION, 4);
    cp_put_little_endian(header + 12, cp_coupling_size(c), 4);
    cp_put_little_endian(header + 16, c->fingerprint, 8);
    cp_put_little_endian(header + 24, checksum, 8);
}

CP_API void cp_coupling_preview(const cp_coupling_settings *c, const cp_state *s, bool running, cp_state *seen)
{
    memcpy(seen, s, cp_coupling_size(c));
    cp_coupling_refresh(c, seen, running);
}

CP_API void cp_coupling_serialise(const cp_coupling_settings *c, const cp_state *s, cp_coupling_clock clock,
                                  unsigned char *bytes)
{
    memcpy(bytes + CP_STATE_HEADER, &clock, sizeof clock);
    memcpy(bytes + CP_STATE_HEADER + sizeof clock, s, cp_coupling_size(c));
    cp_state_header(c, bytes, bytes);
}

static bool cp_clock_is_sound(const cp_coupling_clock *clock, cp_reason *why)
{
    const bool flags = (clock->running == 0 || clock->running == 1) && (clock->stale == 0 || clock->stale == 1);
    return (cp_finite(clock->start) && flags) ||
           cp_refuse(why,
                     "saved state: start time %t s, running %g, stale %g, allowed a finite time, 0 or 1 and 0 or 1",
                     clock->start, (double)clock->running, (double)clock->stale);
}

CP_API bool cp_coupling_restore(const cp_coupling_settings *c, cp_state *s, cp_coupling_clock *clock,
                                const unsigned char *bytes, size_t size, cp_reason *why)
{
    unsigned char expected[CP_STATE_HEADER];
    if (size != CP_SERIALISED + cp_coupling_size(c)) {
        return cp_refuse(why, "serialised state has %t bytes, allowed %t", (double)size,
                         (double)(CP_SERIALISED + cp_coupling_size(c)));
    }
    if ((uintptr_t)bytes % offsetof(cp_placed_state, state) != 0) {
        return cp_refuse(why, "serialised state begins at no multiple of %t bytes, where it can be checked",
                         (double)offsetof(cp_placed_state, state));
    }
    cp_state_header(c, bytes, expected);
    if (memcmp(bytes, expected, sizeof expected) != 0) {
        return cp_refuse(why, "serialised state is damaged or not from this version and these settings of the FMU");
    }
    /* checked where it is: a copy would take more of the stack than a small target has */
    const cp_state *const then = (const cp_state *)(const void *)(bytes + CP_SERIALISED);
    cp_coupling_clock told;
    memcpy(&told, bytes + CP_STATE_HEADER, sizeof told);
    if (!cp_clock_is_sound(&told, why) || !cp_coupling_sound(c, then, told.running != 0, why)) {
        return false;
    }
    *clock = told;
    memcpy(s, then, cp_coupling_size(c));
    return true;
}

CP_API const cp_event *cp_coupling_event_of_bit(int bit)
{
    return bit >= 0 && bit < CP_EVENTS ? &cp_events[bit] : NULL;
}

CP_API const uint32_t *cp_coupling_numbers_of_bit(int bit)
{
    return bit >= 0 && bit < CP_EVENTS ? cp_event_numbers[bit] : NULL;
}
