/* What the pipeline calls of a network, for FMUs that have none: their binaries do without its code.

   Settings with a network are refused, so the rest is never reached. */
#include "stages.h"

CP_API bool cp_network_fits(const cp_network_settings *net)
{
    (void)net;
    return false;
}

CP_API void cp_network_start(cp_network *own)
{
    (void)own;
}

CP_API void cp_learn(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    (void)s;
}

CP_API bool cp_foreseen(const cp_coupling_settings *c, const cp_state *s)
{
    (void)c;
    (void)s;
    return false;
}
