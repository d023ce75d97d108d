/* A whole FMU as one translation unit: nothing but the functions of the standard is visible outside.

   CP_FMI              2 or 3: which face
   CP_BUILT_IN_HEADER  file that defines the settings `cp_built_in`; without it they are read from the resources,
                       with it no file is ever opened
   CP_NO_FILES         defined: who includes this file has a `cp_resource_read` of its own, which opens none
   CP_SMALL            defined: all is made small but for what most of the time of a step goes to
   CP_NO_STARTUP       defined: a Windows DLL without the startup code of a C library
   model.c             found by the include path */
#define CP_API static

#include "settings.h"

CP_SMALL_FROM_HERE
#include "settings.c"
#include "../base/text.c"
#include "../base/variable.c"
#ifndef CP_BUILT_IN_HEADER
#ifdef CP_NO_FILES
#include "resource.h"
#else
#include "resource.c"
#endif
#include "settings_text.c"
#endif

#include "values.c"
#include "instance.c"
#include "run.c"
#include "snapshot.c"

#include "model.c"

#ifdef CP_BUILT_IN_HEADER
#include CP_BUILT_IN_HEADER
#define CP_SETTINGS_OF_FMU (&cp_built_in)
#else
#define CP_SETTINGS_OF_FMU NULL
#endif

#if CP_FMI == 3
#include "fmi3.c"
#else
#include "fmi2.c"
#endif

#ifdef CP_NO_STARTUP
#include "startup.c"
#endif
CP_FAST_FROM_HERE
