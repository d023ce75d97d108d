/* Previews, saved states and the words of events, for programs that use the kernel without an FMI face: a face has its
   own. */
#ifndef CP_SAVED_H
#define CP_SAVED_H

#include "couplant.h"

/* Write to `seen` the state with the outputs that a read after a set shows; `s` stays as it is. */
CP_API void cp_coupling_preview(const cp_coupling_settings *c, const cp_state *s, bool running, cp_state *seen);

/* Events: the meaning of the bits in `events`. */

/* The event of bit `bit`, or NULL. */
CP_API const cp_event *cp_coupling_event_of_bit(int bit);
/* The offsets in the state of the numbers, doubles, that its sentence has as %g, CP_EVENT_NUMBERS of them, or NULL. */
CP_API const uint32_t *cp_coupling_numbers_of_bit(int bit);

/* Saved states: the same bytes as those of the Python runtime. */

/* what belongs to the host's side of a run and is saved with the state */
typedef struct {
    double start;    /* start time, s */
    int32_t running; /* initialisation has ended */
    int32_t stale;   /* a value was set since the outputs were worked out */
} cp_coupling_clock;

enum { CP_SERIALISED = 32 + sizeof(cp_coupling_clock) }; /* and cp_coupling_size */

/* Write header, clock and state, CP_SERIALISED bytes. */
CP_API void cp_coupling_serialise(const cp_coupling_settings *c, const cp_state *s, cp_coupling_clock clock,
                                  unsigned char *bytes);

/* Take over a state that was written with the same settings, and is sound; `bytes` begin where a double may. */
CP_API bool cp_coupling_restore(const cp_coupling_settings *c, cp_state *s, cp_coupling_clock *clock,
                                const unsigned char *bytes, size_t size, cp_reason *why);

#endif
