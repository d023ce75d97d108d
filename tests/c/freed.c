/* Put before a program, this finds who releases a shared pointer of C++ once too often: a freed block, which is not
   given back, reads as one with a single owner and no class, so the next release calls through a null pointer. */

#include <stddef.h>
#include <stdint.h>

void _ZdlPvm(uintptr_t *block, size_t size); /* operator delete(void *, std::size_t) */

void _ZdlPvm(uintptr_t *block, size_t size) {
    if (block != NULL && size >= 2 * sizeof *block) {
        block[0] = 0;
        block[1] = (uintptr_t)0x100000001;
    }
}
