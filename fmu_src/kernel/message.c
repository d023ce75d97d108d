/* Sentences about refusals: numbers always with a decimal point, whatever the locale. */
#include "stages.h"

enum { CP_DIGITS = 9 }; /* significant digits of a number in a sentence */

CP_API void cp_say_more(cp_message *why, const char *words)
{
    size_t at = 0;
    if (why == NULL) {
        return;
    }
    while (at < CP_SENTENCE - 1 && why->text[at] != '\0') {
        at++;
    }
    for (; at < CP_SENTENCE - 1 && *words != '\0'; at++, words++) {
        why->text[at] = *words;
    }
    why->text[at] = '\0';
}

CP_API void cp_say(cp_message *why, const char *words)
{
    if (why != NULL) {
        why->text[0] = '\0';
        cp_say_more(why, words);
    }
}

/* a whole number from 0 to 999999999 */
static void cp_say_whole(cp_message *why, int32_t value)
{
    char digits[CP_DIGITS + 1];
    size_t at = CP_DIGITS;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0 && at > 0);
    cp_say_more(why, &digits[at]);
}

/* positive mantissa d.ddd.. in 1 .. 10 */
static void cp_say_mantissa(cp_message *why, double mantissa)
{
    char digits[CP_DIGITS + 2];
    double left = mantissa + 5e-9;
    size_t last = 0;
    for (size_t at = 0; at <= CP_DIGITS; at++) {
        if (at == 1) {
            digits[at] = '.';
            continue;
        }
        const int digit = left < 10.0 ? (int)left : 9;
        digits[at] = (char)('0' + digit);
        left = (left - digit) * 10.0;
        last = digit != 0 || at == 0 ? at : last;
    }
    digits[last + 1] = '\0';
    cp_say_more(why, digits);
}

static void cp_say_scientific(cp_message *why, double value)
{
    int32_t exponent = 0;
    for (; value >= 10.0; exponent++) {
        value /= 10.0;
    }
    for (; value < 1.0; exponent--) {
        value *= 10.0;
    }
    cp_say_mantissa(why, value);
    if (exponent != 0) {
        cp_say_more(why, exponent < 0 ? "e-" : "e+");
        cp_say_whole(why, exponent < 0 ? -exponent : exponent);
    }
}

CP_API void cp_say_number(cp_message *why, double value)
{
    if (value < 0.0) {
        cp_say_more(why, "-");
        value = -value;
    }
    if (value != value) {
        cp_say_more(why, "nan");
    } else if (value > CP_UNLIMITED) {
        cp_say_more(why, "inf");
    } else if (value < 1e9 && value == (double)(int32_t)value) {
        cp_say_whole(why, (int32_t)value);
    } else {
        cp_say_scientific(why, value);
    }
}
