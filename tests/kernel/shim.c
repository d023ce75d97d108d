/* The kernel as a shared library for the tests. */
#include "kernel.c"

size_t cp_test_settings_size(void);
size_t cp_test_state_size(void);

size_t cp_test_settings_size(void)
{
    return sizeof(cp_coupling_settings);
}

size_t cp_test_state_size(void)
{
    return sizeof(cp_state);
}
