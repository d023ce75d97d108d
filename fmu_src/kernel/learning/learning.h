/* What the files of the network and of its learning share. */
#ifndef CP_LEARNING_H
#define CP_LEARNING_H

#include "../stages.h"

/* what the neurons of a network do */
typedef struct {
    double first[CP_MOST_WEIGHTS];
    double second[CP_MOST_SECOND];
    double slope[CP_MOST_SECOND]; /* of the leaky ReLU where it is */
} cp_neural_activity;

/* Inputs and true changes at both ends of the macro step, over the running range; the near end is the network's. */
typedef struct {
    double near[CP_SLOTS];
    double far[CP_SLOTS];
    double change;
    double change_far;
    double slope_far; /* what the slope of the start algorithm adds at the far end */
} cp_sample;

/* Network: `past` begins with the value that counts as the newest. */
CP_API void cp_neural_differences(const cp_neural_settings *net, const double *past, double span, double *x);
CP_API double cp_neural_forward(const cp_neural_settings *net, const double *weights, const double *x);
CP_API void cp_neural_gradient(const cp_neural_settings *net, const double *weights, const double *x,
                                double *gradient);
/* values of the first layer, values and slopes of the second */
CP_API void cp_neural_layers(const cp_neural_settings *net, const double *weights, const double *x,
                              cp_neural_activity *act);
/* derivatives of the output by what enters the last layer, and by the values of the first */
CP_API void cp_neural_back(const cp_neural_settings *net, const double *weights, const cp_neural_activity *act,
                            double *back, double *by_first);
CP_API double cp_neural_start_slope(const cp_neural_settings *net, const double *past);
CP_API double cp_neural_gain(const cp_neural_settings *net, const double *weights);
CP_API double cp_neural_span(const cp_neural *own);

/* Samples: the slots that one needs; the one that ends with the newest value. */
CP_API int32_t cp_sample_slots(const cp_neural_settings *net);
CP_API void cp_take_sample(const cp_coupling_settings *c, const double *past, double span, cp_sample *one);
CP_API bool cp_usable_sample(const cp_neural_settings *net, const cp_sample *one);
CP_API double cp_error_near(const cp_neural_settings *net, const double *weights, const cp_sample *one);
CP_API double cp_error_far(const cp_neural_settings *net, const double *weights, const cp_sample *one);

/* The test of new weights. */
CP_API bool cp_propose(const cp_neural_settings *net, cp_neural *own);
CP_API bool cp_judge(const cp_neural_settings *net, cp_neural *own, const cp_sample *one);
CP_API bool cp_better(const cp_neural *own);
/* Count how long the weights in use, with this error, lose against hold. */
CP_API void cp_weigh(cp_neural *own, double error, double change);

/* Normal equations of n weights: lower triangles, row by row. */
CP_API void cp_add_sample(double *matrix, double *right, const double *features, int32_t n, double target);
CP_API void cp_damp(const double *matrix, double *factor, int32_t n, double damping);
CP_API bool cp_factor_column(double *factor, int32_t n, int32_t column);
CP_API void cp_solve(const double *factor, const double *right, int32_t n, double *x);
CP_API double cp_trace(const double *matrix, int32_t n);

#endif
