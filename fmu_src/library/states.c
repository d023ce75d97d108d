/* Messages, saved states and the sentence about the last refusal; part of couplant.c. */

static void cp_word(const couplant *c, int bit, couplant_notice *message)
{
    const cp_event *const event = cp_coupling_event_of_bit(bit);
    const uint32_t *const offsets = cp_coupling_numbers_of_bit(bit);
    double numbers[CP_EVENT_NUMBERS];
    cp_reason text;
    for (size_t i = 0; i < CP_EVENT_NUMBERS; i++) {
        memcpy(&numbers[i], (const char *)c->state + offsets[i], sizeof numbers[i]);
    }
    (void)cp_refuse(&text, event->text, numbers[0], numbers[1], numbers[2]);
    memcpy(message->text, text.text, sizeof message->text);
    message->time = c->time;
    message->warns = event->status != CP_OK;
    message->category = event->category;
}

couplant_status couplant_message(couplant *c, couplant_notice *message)
{
    if (!cp_is_alive(c) && (c == NULL || c->life != CP_LIFE_CLOSED)) {
        return COUPLANT_REFUSED;
    }
    if (message == NULL) {
        return cp_say_about(c, "%s = NULL, allowed a place for a message", "message");
    }
    for (int bit = 0; bit < CP_EVENTS; bit++) {
        if ((c->events >> bit & 1) != 0) {
            c->events &= ~(1 << bit);
            cp_word(c, bit, message);
            return COUPLANT_OK;
        }
    }
    return COUPLANT_NOTHING;
}

couplant_status couplant_state_size(couplant *c, size_t *bytes)
{
    if (!cp_is_open(c, "couplant_state_size")) {
        return COUPLANT_REFUSED;
    }
    if (bytes == NULL) {
        return cp_say_about(c, "%s = NULL, allowed a place for the size", "bytes");
    }
    *bytes = CP_SERIALISED + cp_coupling_size(&c->settings);
    return COUPLANT_OK;
}

couplant_status couplant_save(couplant *c, void *bytes, size_t size)
{
    cp_reason reason;
    if (!cp_is_open(c, "couplant_save")) {
        return COUPLANT_REFUSED;
    }
    const size_t needed = CP_SERIALISED + cp_coupling_size(&c->settings);
    if (bytes == NULL || size < needed) {
        (void)cp_refuse(&reason, "bytes = %s of %t, allowed %t or more", bytes == NULL ? "NULL" : "a place",
                        (double)size, (double)needed);
        return cp_say(&c->why, &reason);
    }
    const cp_coupling_clock clock = {c->start, cp_has_started(c), c->stale != 0};
    cp_coupling_serialise(&c->settings, c->state, clock, (unsigned char *)bytes);
    return COUPLANT_OK;
}

couplant_status couplant_restore(couplant *c, const void *bytes, size_t size)
{
    cp_coupling_clock clock = {0.0, 0, 0};
    cp_reason reason;
    if (!cp_is_open(c, "couplant_restore")) {
        return COUPLANT_REFUSED;
    }
    if (bytes == NULL) {
        return cp_say_about(c, "%s = NULL, allowed a saved state", "bytes");
    }
    if (!cp_coupling_restore(&c->settings, c->state, &clock, (const unsigned char *)bytes, size, &reason)) {
        return cp_say(&c->why, &reason);
    }
    const bool ended = clock.running && c->state->quality.stopped;
    c->life = ended ? CP_LIFE_ENDED : clock.running ? CP_LIFE_RUN : CP_LIFE_BEFORE;
    c->stale = clock.stale;
    c->seen = c->events = 0;
    c->start = clock.start;
    c->time = c->state->grid.time;
    return COUPLANT_OK;
}

const char *couplant_why(const couplant *c)
{
    return c != NULL && (cp_is_alive(c) || c->life == CP_LIFE_CLOSED) ? c->why.text : "this signal is not open";
}
