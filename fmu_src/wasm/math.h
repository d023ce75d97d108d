/* All that the sources use of a library of maths, for targets that have none. Both are exact: every machine gives the
   same bits. Without an instruction for the root, a compiler calls `sqrt`, which then has to be there. */
#ifndef CP_FREESTANDING_MATH_H
#define CP_FREESTANDING_MATH_H

#define fabs(value) __builtin_fabs(value)
#define sqrt(value) __builtin_sqrt(value)

#endif
