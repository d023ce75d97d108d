#include "instance.h"

#include <string.h>

/* A saved state: this header, then the state of the model as it is in memory. */
typedef struct {
    char magic[8];
    uint32_t version;
    uint32_t size;          /* of the model's state, bytes */
    uint64_t settings_hash; /* states of differently set FMUs do not fit each other */
    uint64_t checksum;      /* of clock and state; only in serialised form */
    cp_clock clock;
} cp_snapshot;

enum { CP_STATE_VERSION = 1 };

static const char cp_magic[8] = {'c', 'o', 'u', 'p', 'l', 'a', 'n', 't'};

static uint64_t cp_fnv(uint64_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    }
    return hash;
}

static uint64_t cp_checksum(const cp_snapshot *head, const void *state)
{
    const uint64_t hash = cp_fnv(14695981039346656037u, &head->clock, sizeof head->clock);
    return cp_fnv(hash, state, head->size);
}

static size_t cp_snapshot_size(const cp_instance *self)
{
    return sizeof(cp_snapshot) + self->model->state_size;
}

/* what is wrong with a header, or NULL */
static const char *cp_head_fault(const cp_instance *self, const cp_snapshot *head)
{
    if (memcmp(head->magic, cp_magic, sizeof cp_magic) != 0) {
        return "it is not a state of a couplant FMU";
    }
    if (head->version != CP_STATE_VERSION || head->size != self->model->state_size) {
        return "it is of another version";
    }
    return head->settings_hash != self->settings.hash ? "it is of an FMU with other settings" : NULL;
}

CP_API cp_status cp_state_get(cp_instance *self, void **snapshot)
{
    if (!cp_pointers_ok(self, 1, snapshot, snapshot)) {
        return CP_ERROR;
    }
    cp_snapshot *const head = *snapshot != NULL ? *snapshot : self->memory.allocate(1, cp_snapshot_size(self));
    if (head == NULL) {
        return cp_log(self, CP_ERROR, "out of memory");
    }
    memset(head, 0, sizeof *head);
    memcpy(head->magic, cp_magic, sizeof cp_magic);
    head->version = CP_STATE_VERSION;
    head->size = (uint32_t)self->model->state_size;
    head->settings_hash = self->settings.hash;
    head->clock = self->clock;
    memcpy(head + 1, self->state, self->model->state_size);
    *snapshot = head;
    return CP_OK;
}

CP_API cp_status cp_state_set(cp_instance *self, const void *snapshot)
{
    const cp_snapshot *const head = snapshot;
    if (!cp_pointers_ok(self, 1, snapshot, snapshot)) {
        return CP_ERROR;
    }
    const char *const fault = cp_head_fault(self, head);
    if (fault != NULL) {
        return cp_log(self, CP_ERROR, "state refused: %s", fault);
    }
    self->clock = head->clock;
    memcpy(self->state, head + 1, self->model->state_size);
    self->preview_is_made = false;
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
        return cp_log(self, CP_ERROR, "state not written: %s", fault != NULL ? fault : "the array is too short");
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
        return cp_log(self, CP_ERROR, "state refused: %zu bytes, expected %zu", size, cp_snapshot_size(self));
    }
    memcpy(&head, bytes, sizeof head);
    const char *const state = (const char *)bytes + sizeof head;
    const char *fault = cp_head_fault(self, &head);
    fault = fault == NULL && head.checksum != cp_checksum(&head, state) ? "it is damaged" : fault;
    if (fault != NULL) {
        return cp_log(self, CP_ERROR, "state refused: %s", fault);
    }
    void *const copy = *snapshot != NULL ? *snapshot : self->memory.allocate(1, size);
    if (copy == NULL) {
        return cp_log(self, CP_ERROR, "out of memory");
    }
    *snapshot = memcpy(copy, bytes, size);
    return CP_OK;
}
