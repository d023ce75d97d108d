/* Sentences for the log: no locale, no allocation, and a fraction of the size of printf. */
#ifndef CP_TEXT_H
#define CP_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#ifndef CP_API
#define CP_API
#endif

/* Write `format` to `text`, cut to `room` bytes with a zero at the end. %s is a string; %g a double with 9
   significant digits, %m one with 14, %t one with 15 or 17 so that no other one looks the same; with 12 below 1e-5 and
   from 1e14 on. */
CP_API void cp_format(char *text, size_t room, const char *format, va_list arguments);

#endif
