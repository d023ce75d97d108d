/* Files in the resources of an FMU, wherever a host has unpacked it. */
#ifndef CP_RESOURCE_H
#define CP_RESOURCE_H

#include "settings.h"

/* Read settings.txt below the resource location, a URI (raw or percent-encoded) or a plain path, UTF-8; where it is not
   there, or no location is given, from where this library lies. Return its text with a zero behind it and set `*size`,
   or NULL. The caller releases it. */
CP_API char *cp_resource_read(const char *location, cp_memory memory, size_t *size);

#endif
