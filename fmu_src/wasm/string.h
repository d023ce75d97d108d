/* All that the sources use of it, for targets without a C library; compilers call the first four themselves. */
#ifndef CP_FREESTANDING_STRING_H
#define CP_FREESTANDING_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
size_t strcspn(const char *text, const char *ends);
char *strchr(const char *text, int wanted);

#endif
