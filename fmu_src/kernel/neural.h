/* Records of the algorithm `network`; part of couplant.h. */
#ifndef CP_NEURAL_H
#define CP_NEURAL_H

#include <stdint.h>

enum {
    CP_MOST_WEIGHTS = 64, /* of a neural network */
    CP_MOST_SECOND = 4,   /* neurons in the second layer of a neural network */
    CP_TRIANGLE = CP_MOST_WEIGHTS * (CP_MOST_WEIGHTS + 1) / 2
};

/* values of the enumeration learning.state */
enum { CP_COLLECTING = 1, CP_TRAINING, CP_JUDGING };

/* Shape of the algorithm `network` and the linear algorithm that it came from. */
typedef struct {
    int32_t size;   /* number of weights of all layers; 0: no neural network */
    int32_t steps;  /* latency for which it holds, macro steps */
    int32_t inputs; /* differences to the newest value, m - 1 */
    int32_t first;  /* linear neurons */
    int32_t second; /* neurons with leaky ReLU */
    int32_t origin; /* algorithm that it came from */
    double leak;    /* slope of the leaky ReLU for negative values, - */
    const double *slopes; /* A of that algorithm, newest first, m of them, - */
} cp_neural_settings;

/* What FMUs with a neural network have behind their state, see couplant_runtime/learning/fields.py. Sums are over the
   running range. */
typedef struct {
    double prior;    /* expected change of a weight, - */
    double gain_max; /* largest gain, as a multiple of that of the start, - */
    double lowest;   /* running range, signal unit */
    double highest;
    double spread;   /* median of the errors, - */
    double power;    /* sum of the squared errors of the start, - */
    double loss[3];  /* of candidate, weights in use, hold, - */
    double loss_far[3];                /* at the other end of the macro step, - */
    double base[CP_MOST_WEIGHTS];      /* parameters network.weights[i], - */
    double use[CP_MOST_WEIGHTS];       /* weights in use, - */
    double candidate[CP_MOST_WEIGHTS]; /* weights under test; while training the right-hand side, - */
    double right[CP_MOST_WEIGHTS];     /* normal equations: right-hand side, - */
    double matrix[CP_TRIANGLE];        /* and matrix, - */
    double factor[CP_TRIANGLE];        /* its Cholesky factor in the making, - */
    int32_t enabled;
    int32_t cycle_steps; /* macro steps */
    int32_t judge_steps; /* macro steps */
    int32_t phase;       /* collecting, training, judging */
    int32_t accepted;
    int32_t refused;
    int32_t fallbacks;
    int32_t collected; /* samples in this cycle */
    int32_t column;    /* of the factor, next */
    int32_t judged;    /* samples in this test */
    int32_t poor;      /* macro steps with a skill below zero in succession */
    int32_t ranged;    /* the running range has begun */
    int32_t safe;      /* new weights are taken only after a test */
    int32_t spare;
} cp_neural;

#endif
