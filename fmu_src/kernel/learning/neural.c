/* Neural network: past differences to the newest value in, the expected change of the signal out (Baumann 2024, 3.5).

   Two hidden layers, the first linear, the second with leaky ReLU and, if wanted, offsets, a linear output. What it
   gives at rest is taken off: a constant gives exactly zero, so the effective weights of the past values add up to one.
   Inputs are over the running range. */
#include "learning.h"

/* Is it an algorithm that a network may come from: one that every FMU has tolerances for? */
static bool cp_neural_is_origin(int32_t which)
{
    const cp_algorithm_row *const row = cp_row_of(which > CP_NONE && which < CP_ALGORITHMS ? which : CP_NONE);
    return row->name[0] != '\0' && row->needs <= CP_NEEDS_WEIGHTS;
}

CP_API bool cp_neural_fits(const cp_neural_settings *net)
{
    const bool shape = net->first >= 1 && net->second >= 1 && net->second <= CP_MOST_SECOND;
    return shape && net->steps >= 0 && net->steps <= CP_MAX_STEPS && net->leak > 0.0 && net->leak <= 1.0 &&
           cp_neural_is_origin(net->origin);
}

CP_API double cp_neural_span(const cp_neural *own)
{
    return own->highest - own->lowest;
}

CP_API void cp_neural_differences(const cp_neural_settings *net, const double *past, double span, double *x)
{
    for (int32_t i = 0; i < net->inputs; i++) {
        x[i] = (past[1 + i] - past[0]) / span;
    }
}

static double cp_neural_row(const double *weights, const double *values, int32_t n)
{
    double total = 0.0;
    for (int32_t i = 0; i < n; i++) {
        total = total + weights[i] * values[i];
    }
    return total;
}

/* slope of a neuron where the signal is constant */
static double cp_neural_at_rest(const cp_neural_settings *net, double offset)
{
    return offset >= 0.0 ? 1.0 : net->leak;
}

CP_API void cp_neural_layers(const cp_neural_settings *net, const double *weights, const double *x,
                              cp_neural_activity *act)
{
    const double *const middle = weights + net->first * net->inputs;
    for (int32_t row = 0; row < net->first; row++) {
        act->first[row] = cp_neural_row(weights + row * net->inputs, x, net->inputs);
    }
    for (int32_t row = 0; row < net->second; row++) {
        const double total = cp_neural_row(middle + row * net->first, act->first, net->first);
        const double offset = net->offsets ? weights[net->size - net->second + row] : 0.0;
        act->slope[row] = total + offset >= 0.0 ? 1.0 : net->leak;
        act->second[row] = act->slope[row] * (total + offset) - cp_neural_at_rest(net, offset) * offset;
    }
}

CP_API double cp_neural_forward(const cp_neural_settings *net, const double *weights, const double *x)
{
    cp_neural_activity act;
    cp_neural_layers(net, weights, x, &act);
    return cp_neural_row(weights + net->first * (net->inputs + net->second), act.second, net->second);
}

CP_API void cp_neural_back(const cp_neural_settings *net, const double *weights, const cp_neural_activity *act,
                            double *back, double *by_first)
{
    const double *const middle = weights + net->first * net->inputs;
    const double *const last = middle + net->second * net->first;
    for (int32_t row = 0; row < net->second; row++) {
        back[row] = last[row] * act->slope[row];
    }
    for (int32_t i = 0; i < net->first; i++) {
        double total = 0.0;
        for (int32_t row = 0; row < net->second; row++) {
            total = total + back[row] * middle[row * net->first + i];
        }
        by_first[i] = total;
    }
}

CP_API void cp_neural_gradient(const cp_neural_settings *net, const double *weights, const double *x,
                                double *gradient)
{
    cp_neural_activity act;
    double back[CP_MOST_SECOND];
    double by_first[CP_MOST_WEIGHTS];
    int32_t at = 0;
    cp_neural_layers(net, weights, x, &act);
    cp_neural_back(net, weights, &act, back, by_first);
    for (int32_t i = 0; i < net->first; i++) {
        for (int32_t j = 0; j < net->inputs; j++) {
            gradient[at++] = by_first[i] * x[j];
        }
    }
    for (int32_t row = 0; row < net->second; row++) {
        for (int32_t i = 0; i < net->first; i++) {
            gradient[at++] = back[row] * act.first[i];
        }
    }
    for (int32_t row = 0; row < net->second; row++) {
        gradient[at++] = act.second[row];
    }
    for (int32_t row = 0; at < net->size; row++) {
        const double output = weights[net->size - 2 * net->second + row];
        gradient[at++] = back[row] - output * cp_neural_at_rest(net, weights[net->size - net->second + row]);
    }
}

CP_API double cp_neural_start_slope(const cp_neural_settings *net, const double *past)
{
    double total = 0.0;
    for (int32_t tap = 1; tap <= net->inputs; tap++) {
        total = total + net->slopes[tap] * (past[tap] - past[0]);
    }
    return total;
}
