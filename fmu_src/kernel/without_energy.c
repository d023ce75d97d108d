/* What the pipeline calls at the end of a power bond, to learn a lag, to follow a model or phasors and to use a
   derivative, for FMUs that do nothing of it: their binaries do without the code. Settings that need it are refused. */
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

CP_API void cp_take_earlier(const cp_coupling_settings *c, cp_state *s, int64_t slot, int place)
{
    (void)c;
    (void)s;
    (void)slot;
    (void)place;
}

CP_API void cp_take_companions(const cp_coupling_settings *c, cp_state *s, int64_t slot)
{
    (void)c;
    (void)s;
    (void)slot;
}

CP_API void cp_forget_companions(const cp_coupling_settings *c, cp_state *s, int64_t slots)
{
    (void)c;
    (void)s;
    (void)slots;
}

CP_API bool cp_derivative_told(const cp_state *s, int32_t back)
{
    (void)s;
    (void)back;
    return false;
}

CP_API void cp_course(const cp_state *s, int32_t count, double *values, double *rates)
{
    (void)s;
    (void)count;
    (void)values;
    (void)rates;
}

CP_API void cp_observe(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    (void)s;
}

CP_API void cp_observer_keep(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
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

CP_API void cp_phasor_take(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    (void)s;
}

CP_API void cp_model_judge(cp_state *s, size_t at, double value)
{
    (void)s;
    (void)at;
    (void)value;
}
