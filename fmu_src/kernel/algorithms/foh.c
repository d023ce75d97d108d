/* First-order hold, the PD predictor of the literature: the line through the two newest values. */
#include "../stages.h"

CP_API cp_line cp_foh_line(const double *past, int32_t k)
{
    const double slope = past[0] - past[1];
    return (cp_line){past[0] + k * slope, slope};
}
