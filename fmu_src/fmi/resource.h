/* Files in the resources of an FMU, wherever a host has unpacked it. */
#ifndef CP_RESOURCE_H
#define CP_RESOURCE_H

#include "settings.h"

/* Read a file below the resource location, a URI (raw or percent-encoded) or a plain path, UTF-8. Return its text with
   a zero behind it and set `*size`, or NULL. The caller releases it. */
CP_API char *cp_resource_read(const char *location, const char *name, cp_memory memory, size_t *size);

#endif
