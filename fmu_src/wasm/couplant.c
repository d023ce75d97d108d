/* An FMU as a module of WebAssembly that imports nothing: it exports what ../flat/flat.c has, `calloc` and `free`.

   Texts and values lie in the memory of the module. The model is `model.c`, found by the include path: the coupling,
   unless a folder before has one. */
#include "../flat/flat.c"

#include "library.c"
