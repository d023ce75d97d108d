#include "instance.h"

#include <stdarg.h>
#include <string.h>

#ifndef CP_BUILT_IN_HEADER
#include "resource.h"
#include "settings_text.h"
#endif
#include "../base/text.h"

static size_t cp_category(const cp_instance *self, const char *name)
{
    size_t i = 0;
    while (i < self->n_categories && strcmp(self->categories[i], name) != 0) {
        i++;
    }
    return i;
}

static void cp_collect_categories(cp_instance *self)
{
    static const char *const own[] = {CP_LOG_CALL, CP_LOG_PARAMETER, CP_LOG_TIMING, CP_LOG_STATE};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        self->categories[self->n_categories++] = own[i];
    }
    for (size_t i = 0; i < self->model->n_events; i++) {
        const char *const name = self->model->events[i].category;
        if (cp_category(self, name) == self->n_categories && self->n_categories < CP_MOST_CATEGORIES) {
            self->categories[self->n_categories++] = name;
        }
    }
}

CP_API double cp_time(const cp_instance *self)
{
    double time = 0.0;
    memcpy(&time, (const char *)self->state + self->model->time, sizeof time);
    return time;
}

/* has initialisation ended? */
CP_API bool cp_running(const cp_instance *self)
{
    return ((unsigned)self->phase & (CP_INSTANTIATED | CP_INITIALIZATION)) == 0;
}

CP_API cp_status cp_log(const cp_instance *self, cp_status status, const char *category, const char *format, ...)
{
    char text[512];
    va_list arguments;
    const size_t i = cp_category(self, category);
    if (self->emit == NULL || (i < self->n_categories && self->muted[i])) {
        return status;
    }
    va_start(arguments, format);
    cp_format(text, sizeof text, format, arguments);
    va_end(arguments);
    self->emit(self, status, category, text);
    return status;
}

CP_API void cp_phrase(char *text, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cp_format(text, room, format, arguments);
    va_end(arguments);
}

static void cp_tell_one(const cp_instance *self, double time, size_t bit)
{
    const cp_event *const event = &self->model->events[bit];
    double numbers[CP_EVENT_NUMBERS] = {0.0};
    char text[256];
    for (size_t i = 0; self->model->event_numbers != NULL && i < CP_EVENT_NUMBERS; i++) {
        memcpy(&numbers[i], (const char *)self->state + self->model->event_numbers[bit][i], sizeof numbers[i]);
    }
    cp_phrase(text, sizeof text, event->text, numbers[0], numbers[1], numbers[2]);
    (void)cp_log(self, event->status, event->category, "t = %m s: %s", time, text);
}

CP_API void cp_tell(const cp_instance *self, double time, uint32_t events)
{
    for (size_t bit = 0; events != 0 && bit < self->model->n_events; bit++) {
        if ((events >> bit & 1u) != 0) {
            cp_tell_one(self, time, bit);
        }
    }
}

CP_API cp_status cp_set_logging(cp_instance *self, bool on, size_t n, const char *const categories[])
{
    if (n > 0 && categories == NULL) {
        return cp_log(self, CP_ERROR, CP_LOG_CALL, "%g log categories announced, none given", (double)n);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t at = categories[i] != NULL ? cp_category(self, categories[i]) : self->n_categories;
        if (at == self->n_categories) {
            const char *const name = categories[i] != NULL ? categories[i] : "(null)";
            return cp_log(self, CP_ERROR, CP_LOG_CALL, "unknown log category %s", name);
        }
        self->muted[at] = !on;
    }
    for (size_t i = 0; n == 0 && i < self->n_categories; i++) {
        self->muted[i] = !on;
    }
    return CP_OK;
}

static char *cp_duplicate(cp_memory memory, const char *text)
{
    const size_t n = strlen(text) + 1;
    char *const copy = (char *)memory.allocate(n, 1);
    return copy != NULL ? (char *)memcpy(copy, text, n) : NULL;
}

#ifdef CP_BUILT_IN_HEADER
static const char *cp_load_settings(cp_instance *self, const cp_settings *built_in, const char *location)
{
    (void)location;
    self->settings = *built_in;
    return NULL;
}
#else
static const char *cp_load_settings(cp_instance *self, const cp_settings *built_in, const char *location)
{
    size_t size = 0;
    (void)built_in;
    self->text = cp_resource_read(location, self->memory, &size);
    if (self->text == NULL) {
        return "settings.txt cannot be read from the resources";
    }
    return cp_settings_parse(&self->settings, self->text, size, self->memory, &self->lists);
}
#endif

/* the variables of this FMU among those of the model, in its order */
static const char *cp_select_variables(cp_instance *self)
{
    size_t n = 0;
    size_t n_start = 0;
    const double *const chosen = cp_settings_list(&self->settings, "variables", &n);
    self->n_variables = chosen != NULL ? n : self->model->n_variables;
    self->start = cp_settings_list(&self->settings, "start", &n_start);
    self->variable =
        (const cp_variable **)self->memory.allocate(self->n_variables + 1, sizeof *self->variable);
    if (self->variable == NULL) {
        return "out of memory";
    }
    for (size_t i = 0; i < self->n_variables; i++) {
        const double index = chosen != NULL ? chosen[i] : (double)(i + 1);
        if (!(index >= 1.0 && index <= (double)self->model->n_variables)) {
            return "settings.txt: a variable that this binary does not have";
        }
        self->variable[i] = &self->model->variables[(size_t)index - 1];
    }
    const bool fits = self->start == NULL || n_start == self->n_variables;
    return fits ? NULL : "settings.txt: one start value for each variable";
}

static const char *cp_bind(cp_instance *self, cp_reason *why)
{
    const cp_model *const model = self->model;
    self->binding = self->memory.allocate(1, model->binding_size + 1);
    if (self->binding == NULL) {
        return "out of memory";
    }
    if (model->bind != NULL && !model->bind(self->binding, &self->settings, why)) {
        return why->text;
    }
    self->state_size = model->size_of_state != NULL ? model->size_of_state(self->binding) : model->state_size;
    self->state = self->memory.allocate(1, self->state_size);
    self->preview = self->memory.allocate(1, self->state_size);
    return self->state == NULL || self->preview == NULL ? "out of memory" : NULL;
}

static bool cp_event_mode_ok(const cp_instance *self)
{
    const cp_model *const model = self->model;
    return !self->event_mode || model->has_event_mode == NULL || model->has_event_mode(self->binding);
}

static const char *cp_furnish(cp_instance *self, const cp_settings *built_in, const cp_host *host, cp_reason *why)
{
    const char *wrong = cp_load_settings(self, built_in, host->location);
    if (wrong == NULL && (host->token == NULL || strcmp(host->token, self->settings.token) != 0)) {
        wrong = "GUID or instantiation token is not that of this FMU";
    }
    wrong = wrong == NULL ? cp_select_variables(self) : wrong;
    wrong = wrong == NULL ? cp_bind(self, why) : wrong;
    self->name = wrong == NULL ? cp_duplicate(self->memory, host->name) : NULL;
    wrong = wrong == NULL && self->name == NULL ? "out of memory" : wrong;
    return wrong == NULL && !cp_event_mode_ok(self) ? "this FMU has no Event Mode" : wrong;
}

CP_API cp_instance *cp_create(const cp_model *model, const cp_settings *built_in, const cp_host *host)
{
    cp_instance *const self = (cp_instance *)host->memory.allocate(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->model = model;
    self->memory = host->memory;
    self->environment = host->environment;
    self->emit = host->emit;
    self->host_log = host->host_log;
    self->event_mode = host->event_mode;
    self->early = host->early;
    cp_collect_categories(self);
    cp_reason why;
    const char *const wrong = cp_furnish(self, built_in, host, &why);
    if (wrong != NULL) {
        (void)cp_log(self, CP_ERROR, "settings", "%s: %s", host->name, wrong);
        cp_free(self);
        return NULL;
    }
    cp_reset(self);
    return self;
}

CP_API void cp_free(cp_instance *self)
{
    void *const parts[] = {self->text,    self->lists,   self->binding, (void *)self->variable,
                           self->state,   self->preview, self->name,    self};
    const cp_memory memory = self->memory;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i] != NULL) {
            memory.release(parts[i]);
        }
    }
}

CP_API void cp_reset(cp_instance *self)
{
    const cp_model *const model = self->model;
    memset(self->state, 0, self->state_size);
    for (size_t i = 0; i < model->n_variables; i++) {
        if (model->variables[i].role != CP_TIME && model->variables[i].offset < self->state_size) {
            cp_put(&model->variables[i], self->state, model->variables[i].start);
        }
    }
    for (size_t i = 0; self->start != NULL && i < self->n_variables; i++) {
        if (self->variable[i]->role != CP_TIME) {
            cp_put(self->variable[i], self->state, self->start[i]);
        }
    }
    self->phase = CP_INSTANTIATED;
    self->start_time = 0.0;
    self->stale = true;
    self->preview_is_made = false;
    if (model->reset != NULL) {
        model->reset(self->state, self->binding);
    }
}

CP_API cp_instance *cp_admit(void *component, const cp_rule *rule)
{
    cp_instance *const self = (cp_instance *)component;
    if (self == NULL) {
        return NULL;
    }
    if (((unsigned)self->phase & rule->phases) == 0) {
        (void)cp_log(self, CP_ERROR, CP_LOG_CALL, "%s is not allowed in this state", rule->name);
        return NULL;
    }
    return self;
}
