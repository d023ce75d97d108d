/* Sentences for the log and for refusals. */
#include "text.h"

#include "variable.h"

typedef struct {
    char *text;
    size_t n;
    size_t room;
} cp_writer;

static void cp_write_char(cp_writer *writer, char c)
{
    if (writer->n + 1 < writer->room) {
        writer->text[writer->n++] = c;
    }
}

static void cp_write(cp_writer *writer, const char *words)
{
    for (; *words != '\0'; words++) {
        cp_write_char(writer, *words);
    }
}

static void cp_write_whole(cp_writer *writer, unsigned value)
{
    unsigned power = 1;
    for (; value / power >= 10; power *= 10) {
    }
    for (; power > 0; power /= 10) {
        cp_write_char(writer, (char)('0' + value / power % 10));
    }
}

/* `value` > 0 as an integer of so many digits times a power of ten; returns the power of its first digit */
static int cp_decimal(double value, int digits, int64_t *mantissa)
{
    int exponent = 0;
    double limit = 1.0;
    for (; value >= 10.0; exponent++) {
        value /= 10.0;
    }
    for (; value < 1.0; exponent--) {
        value *= 10.0;
    }
    for (int i = 1; i < digits; i++) {
        value *= 10.0;
        limit *= 10.0;
    }
    *mantissa = (int64_t)(value + 0.5);
    if ((double)*mantissa >= 10.0 * limit) {
        *mantissa /= 10;
        exponent++;
    }
    return exponent;
}

/* what `a` * `b` was rounded off by (Dekker 1971) */
static double cp_rest_of_product(double a, double b)
{
    const double split = 134217729.0; /* 2^27 + 1 */
    const double a_high = split * a - (split * a - a);
    const double b_high = split * b - (split * b - b);
    const double a_low = a - a_high;
    const double b_low = b - b_high;
    return ((a_high * b_high - a * b) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

/* The same with 15 digits where they are enough to read `value` back, else 17, so that numbers that differ look
   different; 12 of the very small and very large. */
static int cp_distinct_decimal(double value, int *digits, int64_t *mantissa)
{
    double power = 1.0;
    int exponent = 16;
    *digits = 12;
    if (value < 1e-5 || value >= 1e14) {
        return cp_decimal(value, *digits, mantissa);
    }
    for (; value * power < 1e16; exponent--) {
        power *= 10.0;
    }
    const double rest = cp_rest_of_product(value, power);
    *mantissa = (int64_t)(value * power) + (int64_t)(rest < 0.0 ? rest - 0.5 : rest + 0.5);
    const int64_t shorter = (*mantissa + 50) / 100;
    const bool enough = (double)shorter / (power / 100.0) == value && shorter < 1000000000000000;
    *mantissa = enough ? shorter : *mantissa;
    *digits = enough ? 15 : 17;
    return exponent;
}

/* the digits of a mantissa without zeros at the end, a point behind `before` of them */
static void cp_write_digits(cp_writer *writer, int64_t mantissa, int digits, int before)
{
    char figures[20];
    int last = digits;
    for (int i = digits; i > 0; i--) {
        figures[i - 1] = (char)('0' + mantissa % 10);
        mantissa /= 10;
    }
    for (; last > before && last > 1 && figures[last - 1] == '0'; last--) {
    }
    for (int i = before; i <= 0; i++) {
        cp_write(writer, i == before ? "0." : "");
        cp_write(writer, i < 0 ? "0" : "");
    }
    for (int i = 0; i < last; i++) {
        cp_write(writer, i == before && i > 0 ? "." : "");
        cp_write_char(writer, figures[i]);
    }
}

static void cp_write_number(cp_writer *writer, double value, char kind)
{
    int64_t mantissa = 0;
    int digits = kind == 'm' ? 14 : 9;
    cp_write(writer, value < 0.0 ? "-" : "");
    value = value < 0.0 ? -value : value;
    if (!(value > 0.0 && value <= CP_UNLIMITED)) {
        cp_write(writer, value == 0.0 ? "0" : value != value ? "nan" : "inf");
        return;
    }
    const int exponent =
        kind == 't' ? cp_distinct_decimal(value, &digits, &mantissa) : cp_decimal(value, digits, &mantissa);
    if (exponent >= -5 && exponent < digits) {
        cp_write_digits(writer, mantissa, digits, exponent + 1);
        return;
    }
    cp_write_digits(writer, mantissa, digits, 1);
    cp_write(writer, exponent < 0 ? "e-" : "e+");
    cp_write_whole(writer, (unsigned)(exponent < 0 ? -exponent : exponent));
}

CP_API void cp_format(char *text, size_t room, const char *format, va_list arguments)
{
    cp_writer writer = {text, 0, room};
    for (; *format != '\0'; format++) {
        const char kind = *format == '%' ? format[1] : '\0';
        if (kind == 's') {
            cp_write(&writer, va_arg(arguments, const char *));
        } else if (kind != '\0') {
            cp_write_number(&writer, va_arg(arguments, double), kind);
        } else {
            cp_write_char(&writer, *format);
        }
        format += kind != '\0';
    }
    text[writer.n] = '\0';
}
