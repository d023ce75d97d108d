/* Neural network as an algorithm: it gives the value at one end of the macro step, the slope is that of its start. */
#include "../learning/learning.h"

CP_API int32_t cp_neural_needed(const cp_coupling_settings *c, const cp_state *s)
{
    return s->latency.steps == c->neural.steps ? c->neural.inputs + 1 : CP_NEVER;
}

CP_API cp_shifted_line cp_neural_line(const cp_coupling_settings *c, cp_state *s)
{
    const cp_neural_settings *const net = &c->neural;
    const cp_neural *const own = cp_neural_of(s);
    const double *const past = &s->history.past[s->latency.early];
    const double span = cp_neural_span(own);
    const double slope = cp_neural_start_slope(net, past);
    double change = 0.0;
    if (span > 0.0) {
        double x[CP_SLOTS];
        cp_neural_differences(net, past, span, x);
        change = span * cp_neural_forward(net, own->use, x);
    }
    const double level = past[0] + change;
    return (cp_shifted_line){c->event ? level : level - slope, slope, s->latency.fraction};
}

CP_API cp_shifted_line cp_neural_share(const cp_coupling_settings *c, const cp_state *s)
{
    const cp_neural_settings *const net = &c->neural;
    const cp_neural *const own = cp_neural_in(s);
    const double span = cp_neural_span(own);
    cp_neural_activity act;
    double back[CP_MOST_SECOND];
    double by_first[CP_MOST_WEIGHTS];
    double x[CP_SLOTS] = {0.0};
    double level = 1.0;
    double slope = 0.0;
    if (span > 0.0) {
        cp_neural_differences(net, s->history.past, span, x);
    }
    cp_neural_layers(net, own->use, x, &act);
    cp_neural_back(net, own->use, &act, back, by_first);
    for (int32_t i = 0; i < net->inputs; i++) {
        for (int32_t row = 0; row < net->first; row++) {
            level = level - by_first[row] * own->use[row * net->inputs + i];
        }
        slope = slope - net->slopes[1 + i];
    }
    return (cp_shifted_line){c->event ? level : level - slope, slope, s->latency.fraction};
}
