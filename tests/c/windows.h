/* A program for Windows on its own C library alone: what zig would add it compiles from some hundred files of mingw. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

enum { TERMINATED = 2 }; /* as in C99: what does not fit is cut, and its whole length returned */

int _configure_narrow_argv(int mode);
int _initialize_narrow_environment(void);
int main(int argc, char **argv);
void __main(void);
void mainCRTStartup(void);

void __main(void) {}

void mainCRTStartup(void)
{
    (void)_configure_narrow_argv(1);
    (void)_initialize_narrow_environment();
    exit(main(*__p___argc(), *__p___argv()));
}

int vsnprintf(char *text, size_t size, const char *format, va_list values)
{
    return __stdio_common_vsprintf(TERMINATED, text, size, format, NULL, values);
}

int snprintf(char *text, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(text, size, format, values);
    va_end(values);
    return length;
}

int printf(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length = __stdio_common_vfprintf(0, stdout, format, NULL, values);
    va_end(values);
    return length;
}

static void *open_library(const char *path) { return (void *)LoadLibraryA(path); }
static void (*symbol_of(void *library, const char *name))(void)
{
    return (void (*)(void))GetProcAddress((HMODULE)library, name);
}
