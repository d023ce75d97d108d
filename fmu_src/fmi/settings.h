/* Settings of one FMU: lists of numbers by key, read once at instantiation.

   They come from `settings.txt` in the resources, or, in a source FMU, from a generated header as the same structure.
   The file is lines of text:

       couplant settings 1
       token {...}
       hash 0123456789abcdef
       KEY COUNT VALUE VALUE ..        numbers as Python's float.hex() writes them */
#ifndef CP_SETTINGS_H
#define CP_SETTINGS_H

#include "../base/variable.h"

typedef struct {
    const char *token; /* GUID or instantiation token */
    uint64_t hash;     /* of everything that gives the state its meaning */
    const cp_numbers *lists;
    size_t n_lists;
} cp_settings;

typedef struct {
    void *(*allocate)(size_t n, size_t size); /* zeroed */
    void (*release)(void *memory);
} cp_memory;

/* Return the values of a list and set n, or NULL with n = 0. */
CP_API const double *cp_settings_list(const cp_settings *settings, const char *key, size_t *n);

#endif
