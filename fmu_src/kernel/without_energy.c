/* What the pipeline calls at the end of a power bond and to learn a lag, for FMUs that do neither: their binaries do
   without the code. Settings with a bond or with a lag that is learnt are refused. */
#include "stages.h"

CP_API void cp_follow(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    (void)s;
}

CP_API void cp_follow_note(cp_state *s)
{
    (void)s;
}

CP_API void cp_energy_start(cp_state *s)
{
    (void)s;
}

CP_API void cp_book(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    (void)s;
}

CP_API void cp_note(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    (void)s;
}

CP_API void cp_energy(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    (void)s;
}

CP_API void cp_energy_judge(const cp_coupling_settings *c, cp_state *s, int64_t n, double value)
{
    (void)c;
    (void)s;
    (void)n;
    (void)value;
}

CP_API bool cp_energy_creates(const cp_coupling_settings *c, const cp_state *s)
{
    (void)c;
    (void)s;
    return false;
}
