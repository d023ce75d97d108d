/* The model of the module if no other is named: the coupling with all its algorithms. */
#include "../fmi/coupling.c"
