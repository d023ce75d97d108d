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

#ifdef _WIN32
__declspec(dllimport) int __stdcall GetModuleHandleExW(unsigned long flags, const void *address, void **module);
__declspec(dllimport) unsigned long __stdcall GetModuleFileNameW(void *module, wchar_t *path, unsigned long room);
__declspec(dllimport) int __stdcall WideCharToMultiByte(unsigned page, unsigned long flags, const wchar_t *wide, int n,
                                                        char *text, int room, const char *other, int *used);

enum { CP_BY_ADDRESS = 6, CP_UTF8 = 65001 };

static int cp_own_file(char *path)
{
    static const char here = 0;
    wchar_t wide[CP_PATH_ROOM];
    void *module = NULL;
    return GetModuleHandleExW(CP_BY_ADDRESS, &here, &module) && GetModuleFileNameW(module, wide, CP_PATH_ROOM) != 0 &&
           WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, CP_PATH_ROOM, NULL, NULL) != 0;
}
#elif defined(__GNUC__) && (defined(__linux__) || defined(__APPLE__))
typedef struct {
    const char *file;
    void *base;
    const char *symbol;
    void *address;
} cp_library;

/* as in dlfcn.h; not there where nothing is loaded at run time */
int dladdr(const void *address, cp_library *place) __attribute__((weak));

static int cp_own_file(char *path)
{
    static const char here = 0;
    cp_library place;
    if (dladdr == NULL || dladdr(&here, &place) == 0 || strlen(place.file) >= CP_PATH_ROOM) {
        return 0;
    }
    strcpy(path, place.file);
    return 1;
}
#else
static int cp_own_file(char *path)
{
    (void)path;
    return 0;
}
#endif

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

/* The folder of the unpacked FMU: this library lies in FOLDER/binaries/PLATFORM. False where it cannot be told. */
static int cp_own_folder(char *path)
{
    if (!cp_own_file(path)) {
        return 0;
    }
    for (int up = 0; up < 3; up++) {
        size_t n = strlen(path);
        while (n > 0 && path[n - 1] != '/' && path[n - 1] != '\\') {
            n--;
        }
        if (n == 0) {
            return 0;
        }
        path[n - 1] = '\0';
    }
    return 1;
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
    char own[CP_PATH_ROOM];
    FILE *file = location != NULL ? cp_find_settings(location) : NULL;
    if (file == NULL && cp_own_folder(own)) {
        file = cp_find_settings(own);
    }
    if (file == NULL) {
        return NULL;
    }
    char *const text = cp_read_all(file, memory, size);
    fclose(file);
    return text;
}
