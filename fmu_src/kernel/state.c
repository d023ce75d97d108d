/* Saved states: a header that tells where they come from, then the structure as it is in memory. */
#include "stages.h"

#include <string.h>

enum { CP_STATE_VERSION = 1, CP_STATE_BYTES = 614 * 8 + 9 * 8 + 18 * 4 + 16 + CP_SLOTS + 2 * CP_RING };

/* no padding, else bytes would be left to chance and the Python runtime could not read them */
typedef char cp_state_is_dense[sizeof(cp_state) == CP_STATE_BYTES ? 1 : -1];
typedef char cp_state_is_small[sizeof(cp_state) <= 16384 ? 1 : -1];

static const unsigned char cp_state_magic[8] = {'c', 'o', 'u', 'p', 'l', 'a', 'n', 't'};

static void cp_put_little_endian(unsigned char *bytes, uint64_t value, int n)
{
    for (int i = 0; i < n; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i) & 0xFF);
    }
}

static void cp_state_header(const cp_coupling_settings *c, unsigned char *bytes)
{
    memcpy(bytes, cp_state_magic, sizeof cp_state_magic);
    cp_put_little_endian(bytes + 8, CP_STATE_VERSION, 4);
    cp_put_little_endian(bytes + 12, sizeof(cp_state), 4);
    cp_put_little_endian(bytes + 16, c->fingerprint, 8);
}

CP_API size_t cp_coupling_serialised_size(void)
{
    return CP_STATE_HEADER + sizeof(cp_state);
}

CP_API void cp_coupling_serialise(const cp_coupling_settings *c, const cp_state *s, unsigned char *bytes)
{
    cp_state_header(c, bytes);
    memcpy(bytes + CP_STATE_HEADER, s, sizeof *s);
}

CP_API bool cp_coupling_restore(const cp_coupling_settings *c, cp_state *s, const unsigned char *bytes, size_t size,
                                cp_message *why)
{
    unsigned char expected[CP_STATE_HEADER];
    if (size != cp_coupling_serialised_size()) {
        cp_say(why, "serialised state has ");
        cp_say_number(why, (double)size);
        cp_say_more(why, " bytes, allowed ");
        cp_say_number(why, (double)cp_coupling_serialised_size());
        return false;
    }
    cp_state_header(c, expected);
    if (memcmp(bytes, expected, sizeof expected) != 0) {
        cp_say(why, "serialised state is not from this version and these settings of the FMU");
        return false;
    }
    memcpy(s, bytes + CP_STATE_HEADER, sizeof *s);
    return true;
}
