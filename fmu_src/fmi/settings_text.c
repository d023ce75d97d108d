#include "settings_text.h"

#include <stdbool.h>
#include <string.h>

static int cp_hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* fraction digits, left-aligned in 52 bits */
static const char *cp_parse_fraction(const char *text, uint64_t *fraction)
{
    int shift = 48;
    *fraction = 0;
    for (; cp_hex_digit(*text) >= 0 && shift >= 0; text++, shift -= 4) {
        *fraction |= (uint64_t)cp_hex_digit(*text) << shift;
    }
    return text;
}

static const char *cp_parse_exponent(const char *text, int *exponent)
{
    const bool negative = *text == '-';
    *exponent = 0;
    text += *text == '-' || *text == '+';
    if (*text < '0' || *text > '9') {
        return NULL;
    }
    for (; *text >= '0' && *text <= '9' && *exponent < 100000000; text++) {
        *exponent = 10 * *exponent + (*text - '0');
    }
    *exponent = negative ? -*exponent : *exponent;
    return text;
}

/* Parse a number as float.hex() writes it, exactly, whatever the locale; return what follows it, or NULL. */
static const char *cp_parse_hex(const char *text, double *value)
{
    const uint64_t sign = *text == '-' ? (uint64_t)1 << 63 : 0;
    uint64_t fraction = 0;
    int exponent = 0;
    text += *text == '-';
    if (text[0] != '0' || text[1] != 'x' || (text[2] != '0' && text[2] != '1')) {
        return NULL;
    }
    const bool normal = text[2] == '1';
    text += 3;
    text = *text == '.' ? cp_parse_fraction(text + 1, &fraction) : text;
    text = *text == 'p' ? cp_parse_exponent(text + 1, &exponent) : NULL;
    if (text == NULL || (normal && (exponent < -1022 || exponent > 1023)) ||
        (!normal && fraction != 0 && exponent != -1022)) {
        return NULL;
    }
    const uint64_t bits = sign | (normal ? (uint64_t)(exponent + 1023) << 52 : 0) | fraction;
    memcpy(value, &bits, sizeof bits);
    return text;
}

/* Cut the next line off `*rest`; NULL at the end. */
static char *cp_next_line(char **rest)
{
    char *const line = *rest;
    if (*line == '\0') {
        return NULL;
    }
    char *const end = line + strcspn(line, "\r\n");
    *rest = end + (*end != '\0');
    *end = '\0';
    return line;
}

static const char *cp_after(const char *line, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(line, word, n) == 0 ? line + n : NULL;
}

static bool cp_parse_hash(const char *text, uint64_t *hash)
{
    *hash = 0;
    for (int i = 0; i < 16; i++) {
        const int digit = cp_hex_digit(text[i]);
        if (digit < 0) {
            return false;
        }
        *hash = *hash << 4 | (uint64_t)digit;
    }
    return text[16] == '\0';
}

/* `KEY COUNT VALUE ..`; the values go to `values`, at most `room` of them */
static bool cp_parse_list(cp_numbers *list, char *line, double *values, size_t room)
{
    char *const space = strchr(line, ' ');
    int count = 0;
    if (space == NULL || space == line) {
        return false;
    }
    *space = '\0';
    const char *text = space[1] == '-' ? NULL : cp_parse_exponent(space + 1, &count);
    if (text == NULL || (size_t)count > room) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        text = *text == ' ' ? cp_parse_hex(text + 1, &values[i]) : NULL;
        if (text == NULL) {
            return false;
        }
    }
    *list = (cp_numbers){line, values, (size_t)count};
    return *text == '\0';
}

static const char *cp_parse_lists(cp_settings *settings, char *rest, cp_numbers *lists, double *values, size_t room)
{
    for (char *line = cp_next_line(&rest); line != NULL; line = cp_next_line(&rest)) {
        if (*line == '\0') {
            continue;
        }
        cp_numbers *const list = &lists[settings->n_lists];
        if (!cp_parse_list(list, line, values, room)) {
            return "settings.txt: a line is not KEY COUNT VALUE ..";
        }
        values += list->n;
        room -= list->n;
        settings->n_lists++;
    }
    return NULL;
}

static size_t cp_count(const char *text, size_t size, char wanted)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        n += text[i] == wanted;
    }
    return n;
}

CP_API const char *cp_settings_parse(cp_settings *settings, char *text, size_t size, cp_memory memory, void **block)
{
    const size_t n_lines = cp_count(text, size, '\n') + 1;
    const size_t n_values = cp_count(text, size, ' ') + 1;
    char *rest = text;
    const char *line = cp_next_line(&rest);
    if (line == NULL || strcmp(line, "couplant settings 1") != 0) {
        return "settings.txt is not a settings file of this version of couplant";
    }
    line = cp_next_line(&rest);
    settings->token = line != NULL ? cp_after(line, "token ") : NULL;
    line = cp_next_line(&rest);
    line = line != NULL ? cp_after(line, "hash ") : NULL;
    if (settings->token == NULL || line == NULL || !cp_parse_hash(line, &settings->hash)) {
        return "settings.txt: token or hash is missing";
    }
    *block = memory.allocate(1, n_values * sizeof(double) + n_lines * sizeof(cp_numbers));
    if (*block == NULL) {
        return "out of memory";
    }
    double *const values = *block;
    cp_numbers *const lists = (cp_numbers *)(void *)(values + n_values);
    settings->lists = lists;
    settings->n_lists = 0;
    return cp_parse_lists(settings, rest, lists, values, n_values);
}
