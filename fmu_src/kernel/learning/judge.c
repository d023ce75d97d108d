/* Safe learning: when new weights are taken.

   On values that were not used for training they must beat the weights in use and the hold at both ends of the macro
   step, and the gain of the estimate must stay within a multiple of that of the start. Errors count by
   e^2 / (e^2 + (3 spread)^2), so that one jump does not decide. */
#include "learning.h"

#include <math.h>

static double cp_bounded_loss(double error, double scale)
{
    const double square = error * error;
    const double whole = square + scale * scale;
    return whole > 0.0 ? square / whole : 0.0;
}

/* product of the first two layers, row by row */
static void cp_second_rows(const cp_neural_settings *net, const double *weights, double *rows)
{
    const double *const middle = weights + net->first * net->inputs;
    for (int32_t row = 0; row < net->second; row++) {
        for (int32_t i = 0; i < net->inputs; i++) {
            double total = 0.0;
            for (int32_t neuron = 0; neuron < net->first; neuron++) {
                total = total + middle[row * net->first + neuron] * weights[neuron * net->inputs + i];
            }
            rows[row * net->inputs + i] = total;
        }
    }
}

static double cp_pattern_gain(const cp_neural_settings *net, const double *last, const double *rows, int32_t pattern)
{
    double newest = 1.0;
    double total = 0.0;
    for (int32_t i = 0; i < net->inputs; i++) {
        double effective = 0.0;
        for (int32_t row = 0; row < net->second; row++) {
            const double slope = (pattern >> row & 1) != 0 ? net->leak : 1.0;
            effective = effective + last[row] * slope * rows[row * net->inputs + i];
        }
        newest = newest - effective;
        total = total + fabs(effective);
    }
    return total + fabs(newest);
}

CP_API double cp_neural_gain(const cp_neural_settings *net, const double *weights)
{
    double rows[CP_MOST_SECOND * CP_SLOTS];
    double largest = 0.0;
    cp_second_rows(net, weights, rows);
    for (int32_t pattern = 0; pattern < 1 << net->second; pattern++) {
        const double total = cp_pattern_gain(net, weights + net->first * (net->inputs + net->second), rows, pattern);
        if (!(total <= largest)) {
            largest = total;
        }
    }
    return largest;
}

CP_API bool cp_propose(const cp_neural_settings *net, cp_neural *own)
{
    for (int32_t i = 0; i < net->size; i++) {
        if (!(own->candidate[i] >= -CP_LARGEST_WEIGHT && own->candidate[i] <= CP_LARGEST_WEIGHT)) {
            return false;
        }
    }
    if (!(cp_neural_gain(net, own->candidate) <= own->gain_max * cp_neural_gain(net, own->base))) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        own->loss[i] = 0.0;
        own->loss_far[i] = 0.0;
    }
    own->judged = 0;
    own->phase = CP_JUDGING;
    return true;
}

CP_API bool cp_judge(const cp_neural_settings *net, cp_neural *own, const cp_sample *one)
{
    const double scale = CP_WIDTH * own->spread;
    own->loss[0] = own->loss[0] + cp_bounded_loss(cp_error_near(net, own->candidate, one), scale);
    own->loss[1] = own->loss[1] + cp_bounded_loss(cp_error_near(net, own->use, one), scale);
    own->loss[2] = own->loss[2] + cp_bounded_loss(one->change, scale);
    own->loss_far[0] = own->loss_far[0] + cp_bounded_loss(cp_error_far(net, own->candidate, one), scale);
    own->loss_far[1] = own->loss_far[1] + cp_bounded_loss(cp_error_far(net, own->use, one), scale);
    own->loss_far[2] = own->loss_far[2] + cp_bounded_loss(one->change_far, scale);
    own->judged++;
    return own->judged >= own->judge_steps;
}

CP_API bool cp_better(const cp_neural *own)
{
    const double *const near = own->loss;
    const double *const far = own->loss_far;
    return near[0] < near[1] && near[0] < near[2] && far[0] < far[1] && far[0] < far[2];
}

CP_API void cp_weigh(cp_neural *own, double error, double change)
{
    const double scale = CP_WIDTH * own->spread;
    const double more = cp_bounded_loss(error, scale) - CP_HARM_SHARE * cp_bounded_loss(change, scale);
    own->behind = cp_between(CP_HARM_MEMORY * own->behind + more, -CP_HARM_CREDIT, CP_HARM_DEBT);
    if (!(own->behind > 0.0)) {
        own->harmful = own->harmful > CP_MADE_UP ? own->harmful - CP_MADE_UP : 0;
    } else if (own->harmful < CP_HARM_PATIENCE) {
        own->harmful++;
    }
}
