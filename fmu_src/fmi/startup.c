/* A Windows DLL without the startup code and the compiler library of mingw, which weigh more than all of couplant. */

int __stdcall DllMainCRTStartup(void *module, unsigned long reason, void *reserved);

/* Windows calls this when it loads and unloads the DLL: there is nothing to set up. */
int __stdcall DllMainCRTStartup(void *module, unsigned long reason, void *reserved)
{
    (void)module;
    (void)reason;
    (void)reserved;
    return 1;
}

/* Compilers call this for a stack frame above one page: touch each page on the way, so that Windows provides them. */
#ifdef __x86_64__
/* size in rax; all registers are kept */
__asm__(".text\n"
        ".globl ___chkstk_ms\n"
        "___chkstk_ms:\n"
        "    push %rcx\n"
        "    push %rax\n"
        "    lea 24(%rsp), %rcx\n"
        "1:  cmp $0x1000, %rax\n"
        "    jb 2f\n"
        "    sub $0x1000, %rcx\n"
        "    orl $0, (%rcx)\n"
        "    sub $0x1000, %rax\n"
        "    jmp 1b\n"
        "2:  sub %rax, %rcx\n"
        "    orl $0, (%rcx)\n"
        "    pop %rax\n"
        "    pop %rcx\n"
        "    ret\n");
#else
/* size in eax; moves the stack pointer as well */
__asm__(".text\n"
        ".globl __alloca\n"
        "__alloca:\n"
        "    push %ecx\n"
        "    lea 8(%esp), %ecx\n"
        "1:  cmp $0x1000, %eax\n"
        "    jb 2f\n"
        "    sub $0x1000, %ecx\n"
        "    orl $0, (%ecx)\n"
        "    sub $0x1000, %eax\n"
        "    jmp 1b\n"
        "2:  sub %eax, %ecx\n"
        "    orl $0, (%ecx)\n"
        "    lea 4(%esp), %eax\n"
        "    mov %ecx, %esp\n"
        "    mov -4(%eax), %ecx\n"
        "    push (%eax)\n"
        "    sub %esp, %eax\n"
        "    ret\n");

/* Compilers call these to divide 64-bit whole numbers on 32-bit machines. */
long long __divdi3(long long dividend, long long divisor);
long long __moddi3(long long dividend, long long divisor);
unsigned long long __udivdi3(unsigned long long dividend, unsigned long long divisor);
unsigned long long __umoddi3(unsigned long long dividend, unsigned long long divisor);

static unsigned long long cp_magnitude(long long value)
{
    return value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value;
}

static unsigned long long cp_divide(unsigned long long dividend, unsigned long long divisor, unsigned long long *rest)
{
    unsigned long long quotient = 0;
    *rest = 0;
    for (int bit = 0; bit < 64; bit++) {
        *rest = *rest << 1 | dividend >> 63;
        dividend <<= 1;
        quotient <<= 1;
        if (*rest >= divisor) {
            *rest -= divisor;
            quotient |= 1;
        }
    }
    return quotient;
}

long long __divdi3(long long dividend, long long divisor)
{
    unsigned long long rest;
    const unsigned long long quotient = cp_divide(cp_magnitude(dividend), cp_magnitude(divisor), &rest);
    return (long long)((dividend < 0) != (divisor < 0) ? 0ull - quotient : quotient);
}

long long __moddi3(long long dividend, long long divisor)
{
    unsigned long long rest;
    (void)cp_divide(cp_magnitude(dividend), cp_magnitude(divisor), &rest);
    return (long long)(dividend < 0 ? 0ull - rest : rest);
}

unsigned long long __udivdi3(unsigned long long dividend, unsigned long long divisor)
{
    unsigned long long rest;
    return cp_divide(dividend, divisor, &rest);
}

unsigned long long __umoddi3(unsigned long long dividend, unsigned long long divisor)
{
    unsigned long long rest;
    (void)cp_divide(dividend, divisor, &rest);
    return rest;
}
#endif
