#include "settings.h"

#include <string.h>

CP_API const double *cp_settings_list(const cp_settings *settings, const char *key, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < settings->n_lists; i++) {
        if (strcmp(settings->lists[i].key, key) == 0) {
            *n = settings->lists[i].n;
            return settings->lists[i].values;
        }
    }
    return NULL;
}
