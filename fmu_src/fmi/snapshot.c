/* Saved states: a header that tells where they come from, the host's side of the run, then the state of the model as it
   is in memory. The bytes are those of couplant_runtime/state.py. */
#include "instance.h"

#include <string.h>

typedef struct {
    char magic[8];
    uint32_t version;
    uint32_t size;          /* of the model's state, bytes */
    uint64_t settings_hash; /* states of differently set FMUs do not fit each other */
    uint64_t checksum;      /* CRC-32 of what follows; only in serialised form */
    double start;           /* s */
    int32_t running;        /* 0 before initialisation, 1 after it; any other phase as itself */
    int32_t stale;          /* a value was set since the outputs were worked out */
} cp_snapshot;

enum { CP_STATE_FORMAT = 3, CP_SUMMED_FROM = offsetof(cp_snapshot, start) };

static const char cp_magic[8] = {'c', 'o', 'u', 'p', 'l', 'a', 'n', 't'};

static uint32_t cp_crc(uint32_t crc, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        crc ^= ((const unsigned char *)bytes)[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
        }
    }
    return crc;
}

static uint64_t cp_checksum(const cp_snapshot *head, const void *state)
{
    const uint32_t crc = cp_crc(0xFFFFFFFFu, (const char *)head + CP_SUMMED_FROM, sizeof *head - CP_SUMMED_FROM);
    return ~cp_crc(crc, state, head->size);
}

static size_t cp_snapshot_size(const cp_instance *self)
{
    return sizeof(cp_snapshot) + self->state_size;
}

static int32_t cp_phase_number(cp_phase phase)
{
    return phase == CP_INSTANTIATED ? 0 : phase == CP_STEPPING ? 1 : (int32_t)phase;
}

static cp_phase cp_phase_of(int32_t number)
{
    return number == 0 ? CP_INSTANTIATED : number == 1 ? CP_STEPPING : (cp_phase)number;
}

/* what is wrong with a header, or NULL */
static const char *cp_head_fault(const cp_instance *self, const cp_snapshot *head)
{
    if (memcmp(head->magic, cp_magic, sizeof cp_magic) != 0) {
        return "it is not a state of a couplant FMU";
    }
    if (head->version != CP_STATE_FORMAT || head->size != self->state_size) {
        return "it is of another version";
    }
    return head->settings_hash != self->settings.hash ? "it is of an FMU with other settings" : NULL;
}

static bool cp_is_phase(int32_t number)
{
    return number == 0 || number == 1 || number == CP_INITIALIZATION || number == CP_EVENT || number == CP_FAILED ||
           number == CP_ENDED || number == CP_TERMINATED;
}

/* Does the FMU show this variable, so that its value is checked when initialisation ends? */
static bool cp_shows(const cp_instance *self, const cp_variable *variable)
{
    size_t i = 0;
    while (i < self->n_variables && self->variable[i] != variable) {
        i++;
    }
    return i < self->n_variables;
}

/* Is the value one that the variable can have had? */
static bool cp_had_value(const cp_instance *self, const cp_variable *variable, const void *state, bool running)
{
    const double value = cp_value(variable, state);
    switch (variable->role) {
    case CP_INPUT:
        return cp_in_range(variable, value) && (variable->type != CP_BOOLEAN || value == 0.0 || value == 1.0);
    case CP_OUTPUT:
        return true;
    case CP_TIME:
        return cp_finite(value);
    default:
        return (!running && cp_shows(self, variable)) || cp_in_range(variable, value);
    }
}

/* Could the instance go on from here? The content of a state from a file is as little to be trusted as its head. */
static bool cp_is_sound(const cp_instance *self, const cp_snapshot *head, cp_reason *why)
{
    const cp_model *const model = self->model;
    const void *const state = head + 1;
    const bool running = head->running != 0 && head->running != CP_INITIALIZATION;
    *why = (cp_reason){"its start time, phase or flags are none"};
    if (!cp_finite(head->start) || !cp_is_phase(head->running) || (head->stale != 0 && head->stale != 1)) {
        return false;
    }
    for (size_t i = 0; model->set == NULL && i < model->n_variables; i++) {
        if (!cp_had_value(self, &model->variables[i], state, running)) {
            cp_phrase(why->text, sizeof why->text, "%s = %t, which it cannot have been", model->variables[i].name,
                      cp_value(&model->variables[i], state));
            return false;
        }
    }
    return model->sound == NULL || model->sound(state, self->binding, running, why);
}

static cp_status cp_refuse_state(const cp_instance *self, const char *fault)
{
    return cp_log(self, CP_ERROR, CP_LOG_STATE, "state refused: %s", fault);
}

CP_API cp_status cp_state_get(cp_instance *self, void **snapshot)
{
    if (!cp_pointers_ok(self, 1, snapshot, snapshot)) {
        return CP_ERROR;
    }
    void *const kept = *snapshot != NULL ? *snapshot : self->memory.allocate(1, cp_snapshot_size(self));
    cp_snapshot *const head = (cp_snapshot *)kept;
    if (head == NULL) {
        return cp_log(self, CP_ERROR, CP_LOG_STATE, "out of memory");
    }
    *head = (cp_snapshot){
        .version = CP_STATE_FORMAT,
        .size = (uint32_t)self->state_size,
        .settings_hash = self->settings.hash,
        .start = self->start_time,
        .running = cp_phase_number(self->phase),
        .stale = self->stale,
    };
    memcpy(head->magic, cp_magic, sizeof cp_magic);
    memcpy(head + 1, self->state, self->state_size);
    *snapshot = head;
    return CP_OK;
}

CP_API cp_status cp_state_set(cp_instance *self, const void *snapshot)
{
    const cp_snapshot *const head = (const cp_snapshot *)snapshot;
    if (!cp_pointers_ok(self, 1, snapshot, snapshot)) {
        return CP_ERROR;
    }
    const char *const fault = cp_head_fault(self, head);
    if (fault != NULL) {
        return cp_refuse_state(self, fault);
    }
    self->phase = cp_phase_of(head->running);
    self->start_time = head->start;
    self->stale = head->stale != 0;
    self->preview_is_made = false;
    memcpy(self->state, head + 1, self->state_size);
    return CP_OK;
}

CP_API cp_status cp_state_free(cp_instance *self, void **snapshot)
{
    if (snapshot != NULL && *snapshot != NULL) {
        self->memory.release(*snapshot);
        *snapshot = NULL;
    }
    return CP_OK;
}

CP_API cp_status cp_state_size(const cp_instance *self, const void *snapshot, size_t *size)
{
    if (!cp_pointers_ok(self, 1, snapshot, size)) {
        return CP_ERROR;
    }
    *size = cp_snapshot_size(self);
    return CP_OK;
}

CP_API cp_status cp_state_write(const cp_instance *self, const void *snapshot, void *bytes, size_t size)
{
    cp_snapshot head;
    if (!cp_pointers_ok(self, 1, snapshot, bytes)) {
        return CP_ERROR;
    }
    memcpy(&head, snapshot, sizeof head);
    const char *const fault = cp_head_fault(self, &head);
    if (fault != NULL || size < cp_snapshot_size(self)) {
        return cp_refuse_state(self, fault != NULL ? fault : "the array is too short");
    }
    const char *const state = (const char *)snapshot + sizeof head;
    head.checksum = cp_checksum(&head, state);
    memcpy(bytes, &head, sizeof head);
    memcpy((char *)bytes + sizeof head, state, head.size);
    return CP_OK;
}

CP_API cp_status cp_state_read(const cp_instance *self, const void *bytes, size_t size, void **snapshot)
{
    cp_snapshot head;
    if (!cp_pointers_ok(self, 1, bytes, snapshot)) {
        return CP_ERROR;
    }
    if (size != cp_snapshot_size(self)) {
        return cp_log(self, CP_ERROR, CP_LOG_STATE, "state refused: %g bytes, expected %g", (double)size,
                      (double)cp_snapshot_size(self));
    }
    memcpy(&head, bytes, sizeof head);
    const char *const state = (const char *)bytes + sizeof head;
    const char *fault = cp_head_fault(self, &head);
    fault = fault == NULL && head.checksum != cp_checksum(&head, state) ? "it is damaged" : fault;
    if (fault != NULL) {
        return cp_refuse_state(self, fault);
    }
    void *const copy = self->memory.allocate(1, size);
    cp_reason why;
    if (copy == NULL) {
        return cp_log(self, CP_ERROR, CP_LOG_STATE, "out of memory");
    }
    const bool sound = cp_is_sound(self, (const cp_snapshot *)memcpy(copy, bytes, size), &why);
    if (sound && *snapshot == NULL) {
        *snapshot = copy;
        return CP_OK;
    }
    if (sound) {
        memcpy(*snapshot, copy, size);
    }
    self->memory.release(copy);
    return sound ? CP_OK : cp_refuse_state(self, why.text);
}
