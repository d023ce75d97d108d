/* What instances and saved states are made with, and nothing else calls; for targets without a C library. */
#ifndef CP_FREESTANDING_STDLIB_H
#define CP_FREESTANDING_STDLIB_H

#include <stddef.h>

void *calloc(size_t n, size_t size);
void free(void *memory);

#endif
