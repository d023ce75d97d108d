/* What a step has to tell: the words for its event bits. */
#include "stages.h"
#include "table.h"

#define CP_EVENT_WORDS(name, category, words) {category, words},

static const cp_coupling_event cp_event_words[CP_EVENTS] = {CP_EVENT_ROWS(CP_EVENT_WORDS)};

CP_API const cp_coupling_event *cp_coupling_event_of_bit(int bit)
{
    return bit >= 0 && bit < CP_EVENTS ? &cp_event_words[bit] : NULL;
}
