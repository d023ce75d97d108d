/* Prints each number of the input as the log of an FMU shows it. */
#include <stdio.h>

#include "text.c"

static void print(const char *format, ...)
{
    char text[40];
    va_list arguments;
    va_start(arguments, format);
    cp_format(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)puts(text);
}

int main(void)
{
    double value = 0.0;
    while (scanf("%lf", &value) == 1) {
        print("%g", value);
        print("%t", value);
    }
    print("%s is %s: cut here because it is too long", "a", "b");
    return 0;
}
