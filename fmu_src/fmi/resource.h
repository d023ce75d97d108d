/* Files in the resources of an FMU, wherever a host has unpacked it. */
#ifndef CP_RESOURCE_H
#define CP_RESOURCE_H

#include "settings.h"

/* Read a file below the resource location, a URI (raw or percent-encoded) or a plain path, UTF-8. Return its text with
   a zero behind it and set `*size`, or NULL. The caller releases it. */
CP_API char *cp_resource_read(const char *location, const char *name, cp_memory memory, size_t *size);

/* Write the path that a location stands for and `name` below it to `path`; `decode` resolves %XX in a URI.
   Return whether it fits. */
CP_API int cp_resource_path(const char *location, const char *name, int decode, char *path, size_t room);

#endif
