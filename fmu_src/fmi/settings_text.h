/* settings.txt as lists. */
#ifndef CP_SETTINGS_TEXT_H
#define CP_SETTINGS_TEXT_H

#include "settings.h"

/* Parse `text` of `size` bytes, changing it in place; the settings point into it and into `*block`, which the caller
   releases. Return NULL, or what is wrong. */
CP_API const char *cp_settings_parse(cp_settings *settings, char *text, size_t size, cp_memory memory, void **block);

#endif
