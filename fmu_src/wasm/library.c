/* In place of a C library: copies and comparisons, and memory that grows at the end of what the module has. */
#include <stdlib.h>
#include <string.h>

void *memcpy(void *to, const void *from, size_t n)
{
    return __builtin_memmove(to, from, n); /* one instruction, memory.copy */
}

void *memmove(void *to, const void *from, size_t n)
{
    return __builtin_memmove(to, from, n);
}

void *memset(void *to, int value, size_t n)
{
    return __builtin_memset(to, value, n);
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *const one = (const unsigned char *)a;
    const unsigned char *const other = (const unsigned char *)b;
    size_t i = 0;
    while (i < n && one[i] == other[i]) {
        i++;
    }
    return i < n ? one[i] - other[i] : 0;
}

size_t strlen(const char *text)
{
    size_t n = 0;
    while (text[n] != '\0') {
        n++;
    }
    return n;
}

int strncmp(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] == b[i] && a[i] != '\0') {
        i++;
    }
    return i < n ? (unsigned char)a[i] - (unsigned char)b[i] : 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}

char *strchr(const char *text, int wanted)
{
    while (*text != '\0' && *text != (char)wanted) {
        text++;
    }
    return *text == (char)wanted ? (char *)text : NULL;
}

size_t strcspn(const char *text, const char *ends)
{
    size_t n = 0;
    while (text[n] != '\0' && strchr(ends, text[n]) == NULL) {
        n++;
    }
    return n;
}

/* before every block of memory, so that it starts at a multiple of 16 bytes */
typedef struct cp_block {
    struct cp_block *next; /* of those that are free */
    size_t size;           /* of what follows, bytes */
    size_t filler[2];
} cp_block;

static cp_block *cp_unused;

/* Take from those that are free the smallest that is large enough: runs that repeat take the same ones again. */
static cp_block *cp_reuse(size_t size)
{
    cp_block **best = NULL;
    for (cp_block **at = &cp_unused; *at != NULL; at = &(*at)->next) {
        best = (*at)->size >= size && (best == NULL || (*at)->size < (*best)->size) ? at : best;
    }
    cp_block *const block = best != NULL ? *best : NULL;
    if (block != NULL) {
        *best = block->next;
    }
    return block;
}

static cp_block *cp_extend(size_t size)
{
    enum { PAGE = 65536 };
    extern unsigned char __heap_base; /* where the linker put nothing any more */
    static size_t end;
    const size_t start = end != 0 ? end : ((size_t)&__heap_base + 15) / 16 * 16;
    const size_t has = __builtin_wasm_memory_size(0) * PAGE;
    const size_t needed = start + sizeof(cp_block) + size;
    if (needed > has && __builtin_wasm_memory_grow(0, (needed - has + PAGE - 1) / PAGE) == SIZE_MAX) {
        return NULL;
    }
    cp_block *const block = (cp_block *)start;
    end = needed;
    block->size = size;
    return block;
}

/* zeroed, or NULL */
__attribute__((visibility("default"))) void *calloc(size_t n, size_t size)
{
    const size_t most = (size_t)1 << 30;
    if (size != 0 && n > most / size) {
        return NULL;
    }
    const size_t wanted = (n * size + 15) / 16 * 16;
    cp_block *block = cp_reuse(wanted);
    block = block != NULL ? block : cp_extend(wanted);
    return block != NULL ? memset(block + 1, 0, wanted) : NULL;
}

__attribute__((visibility("default"))) void free(void *memory)
{
    if (memory != NULL) {
        cp_block *const block = (cp_block *)memory - 1;
        block->next = cp_unused;
        cp_unused = block;
    }
}
