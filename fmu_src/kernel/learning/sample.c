/* What one step teaches: past differences and the change that followed, at both ends of the macro step. */
#include "learning.h"

CP_API int32_t cp_sample_slots(const cp_neural_settings *net)
{
    return net->steps + 2 + net->inputs;
}

/* the sample that ends with the newest value: inputs and true changes at both ends of the macro step */
CP_API void cp_take_sample(const cp_coupling_settings *c, const double *past, double span, cp_sample *one)
{
    const cp_neural_settings *const net = &c->neural;
    const double *const near = past + net->steps + (c->event ? 0 : 1);
    const double *const far = past + net->steps + (c->event ? 1 : 0);
    cp_neural_differences(net, near, span, one->near);
    one->change = (past[0] - near[0]) / span;
    cp_neural_differences(net, far, span, one->far);
    one->change_far = (past[0] - far[0]) / span;
    one->slope_far = (c->event ? 1.0 : -1.0) * cp_neural_start_slope(net, far) / span;
}

static bool cp_within(const double *values, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        if (!(values[i] >= -CP_LARGEST_CHANGE && values[i] <= CP_LARGEST_CHANGE)) {
            return false;
        }
    }
    return true;
}

/* no value so large that something that is worked out from it overflows */
CP_API bool cp_usable_sample(const cp_neural_settings *net, const cp_sample *one)
{
    return cp_within(one->near, net->inputs) && cp_within(one->far, net->inputs) && cp_within(&one->change, 1) &&
           cp_within(&one->change_far, 1) && cp_within(&one->slope_far, 1);
}

CP_API double cp_error_near(const cp_neural_settings *net, const double *weights, const cp_sample *one)
{
    return one->change - cp_neural_forward(net, weights, one->near);
}

CP_API double cp_error_far(const cp_neural_settings *net, const double *weights, const cp_sample *one)
{
    return one->change_far - one->slope_far - cp_neural_forward(net, weights, one->far);
}
