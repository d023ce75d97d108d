#include "resource.h"

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <wchar.h>
#endif

enum { CP_PATH_ROOM = 4096 };

static int cp_hex_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int cp_is_uri(const char *location)
{
    static const char scheme[] = "file:";
    for (size_t i = 0; scheme[i] != '\0'; i++) {
        if ((location[i] | 0x20) != (scheme[i] | 0x20)) {
            return 0;
        }
    }
    return 1;
}

/* What follows the scheme and an empty or local authority: file:/p, file:///p, file://localhost/p, file:///C:/p. */
static const char *cp_uri_path(const char *location)
{
    const char *path = location + strlen("file:");
    if (strncmp(path, "//localhost/", 12) == 0) {
        path += 11;
    } else if (strncmp(path, "///", 3) == 0) {
        path += 2;
    }
#ifdef _WIN32
    path += path[0] == '/' && path[1] != '\0' && path[2] == ':';
#endif
    return path;
}

static size_t cp_copy_decoded(const char *from, int decode, char *to, size_t room)
{
    size_t n = 0;
    for (; *from != '\0' && n < room; from++, n++) {
        const int high = decode && *from == '%' ? cp_hex_value(from[1]) : -1;
        const int low = high >= 0 ? cp_hex_value(from[2]) : -1;
        to[n] = low < 0 ? *from : (char)(high * 16 + low);
        from += low < 0 ? 0 : 2;
    }
    return n;
}

/* The path that a location stands for and `name` below it; `decode` resolves %XX in a URI. False if it does not fit. */
static int cp_resource_path(const char *location, const char *name, int decode, char *path, size_t room)
{
    const int uri = cp_is_uri(location);
    const size_t n_name = strlen(name);
    size_t n = cp_copy_decoded(uri ? cp_uri_path(location) : location, uri && decode, path, room);
    if (n + n_name + 2 > room) {
        return 0;
    }
    if (n > 0 && path[n - 1] != '/' && path[n - 1] != '\\') {
        path[n++] = '/';
    }
    memcpy(path + n, name, n_name + 1);
    return 1;
}

#ifdef _WIN32
/* one code point of UTF-8, U+FFFD where it is not */
static unsigned long cp_code_point(const unsigned char **text)
{
    const unsigned char *p = *text;
    const int more = p[0] < 0x80 ? 0 : p[0] < 0xE0 ? 1 : p[0] < 0xF0 ? 2 : 3;
    unsigned long code = more == 0 ? p[0] : p[0] & (0x3Fu >> more);
    *text += 1;
    for (int i = 1; i <= more; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0xFFFD;
        }
        code = code << 6 | (p[i] & 0x3Fu);
        *text += 1;
    }
    return code;
}

static FILE *cp_open(const char *path)
{
    wchar_t wide[CP_PATH_ROOM + 2];
    size_t n = 0;
    for (const unsigned char *p = (const unsigned char *)path; *p != '\0' && n < CP_PATH_ROOM;) {
        const unsigned long code = cp_code_point(&p);
        if (code >= 0x10000) {
            wide[n++] = (wchar_t)(0xD800 + ((code - 0x10000) >> 10));
        }
        wide[n++] = (wchar_t)(code >= 0x10000 ? 0xDC00 + (code & 0x3FF) : code);
    }
    wide[n] = L'\0';
    return _wfopen(wide, L"rb");
}
#else
static FILE *cp_open(const char *path)
{
    return fopen(path, "rb");
}
#endif

/* Where this library lies: its path and the length of that, 0 where it cannot be told. */
#ifdef _WIN32
__declspec(dllimport) int __stdcall GetModuleHandleExW(unsigned long flags, const void *address, void **module);
__declspec(dllimport) unsigned long __stdcall GetModuleFileNameW(void *module, wchar_t *path, unsigned long room);

typedef wchar_t cp_letter;
static const cp_letter cp_below[] = L"resources/settings.txt";

static size_t cp_own_file(cp_letter *path)
{
    void *module = NULL;
    return GetModuleHandleExW(6, cp_below, &module) ? GetModuleFileNameW(module, path, CP_PATH_ROOM) : 0;
}
#else
typedef char cp_letter;
static const cp_letter cp_below[] = "resources/settings.txt";

#if defined(__GNUC__) && (defined(__linux__) || defined(__APPLE__))
typedef struct {
    const char *file;
    const void *others[3];
} cp_library;

/* as in dlfcn.h; not there where nothing is loaded at run time */
int dladdr(const void *address, cp_library *library) __attribute__((weak));

static size_t cp_own_file(cp_letter *path)
{
    cp_library library;
    const size_t n = dladdr != NULL && dladdr(cp_below, &library) != 0 ? strlen(library.file) : 0;
    if (n >= CP_PATH_ROOM) {
        return 0;
    }
    memcpy(path, library.file, n);
    return n;
}
#else
static size_t cp_own_file(cp_letter *path)
{
    (void)path;
    return 0;
}
#endif
#endif

/* Open settings.txt from where this library lies, FOLDER/binaries/PLATFORM/FILE. */
static FILE *cp_open_own(void)
{
    cp_letter path[CP_PATH_ROOM + sizeof cp_below];
    size_t n = cp_own_file(path);
    int up = 0;
    while (n > 0 && up < 3) {
        n--;
        up += path[n] == '/' || path[n] == '\\';
    }
    if (up < 3) {
        return NULL;
    }
    memcpy(path + n + 1, cp_below, sizeof cp_below);
#ifdef _WIN32
    return _wfopen(path, L"rb");
#else
    return fopen(path, "rb");
#endif
}

static char *cp_read_all(FILE *file, cp_memory memory, size_t *size)
{
    const long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (end < 0 || end > 1L << 28 || fseek(file, 0, SEEK_SET) != 0) {
        return NULL;
    }
    char *const text = memory.allocate((size_t)end + 1, 1);
    if (text == NULL) {
        return NULL;
    }
    *size = fread(text, 1, (size_t)end, file);
    text[*size] = '\0';
    return text;
}

/* Some importers name the folder of the FMU, not that of its resources. */
static FILE *cp_find_settings(const char *location)
{
    static const char *const names[] = {"settings.txt", "resources/settings.txt"};
    char path[CP_PATH_ROOM];
    FILE *file = NULL;
    for (int i = 0; i < 4 && file == NULL; i++) {
        const int known = *location != '\0' && cp_resource_path(location, names[i / 2], i % 2 == 0, path, sizeof path);
        file = known ? cp_open(path) : NULL;
    }
    return file;
}

CP_API char *cp_resource_read(const char *location, cp_memory memory, size_t *size)
{
    FILE *file = location != NULL ? cp_find_settings(location) : NULL;
    file = file != NULL ? file : cp_open_own();
    if (file == NULL) {
        return NULL;
    }
    char *const text = cp_read_all(file, memory, size);
    fclose(file);
    return text;
}
