/* What the pipeline calls of a neural network, for FMUs that have none: their binaries do without its code.

   Settings with a neural network are refused, so the rest is never reached. */
#include "stages.h"

CP_API bool cp_neural_fits(const cp_neural_settings *net)
{
    (void)net;
    return false;
}

CP_API void cp_neural_start(cp_neural *own)
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

CP_API bool cp_is_harmful(const cp_coupling_settings *c, const cp_state *s)
{
    (void)c;
    (void)s;
    return false;
}
