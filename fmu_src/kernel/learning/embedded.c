/* Learning inside the step: a bounded piece of work a macro step, no thread, no server, the same bits everywhere.

   Around the weights of the start the network is linear in its weights, y = g0(x) + f(x)' d with f the gradient there.
   The change d minimises the squared error over the samples plus |d|^2 / prior^2 times their mean squared error before;
   samples with an error above four times its median are left out. A cycle collects samples, then factorises one column
   a step, then tests the new weights on the values that follow. */
#include "learning.h"

#include <math.h>
#include <string.h>

CP_API void cp_neural_start(cp_neural *own)
{
    memcpy(own->use, own->base, sizeof own->use);
    own->phase = CP_COLLECTING;
}

static void cp_forget(cp_neural *own)
{
    own->power = 0.0;
    memset(own->right, 0, sizeof own->right);
    memset(own->matrix, 0, sizeof own->matrix);
    own->collected = 0;
    own->poor = 0;
    own->phase = CP_COLLECTING;
    own->ranged = 0;
}

static void cp_widen(cp_neural *own, double y)
{
    if (!own->ranged) {
        own->lowest = own->highest = y;
        own->ranged = 1;
    }
    if (y < own->lowest) {
        own->lowest = y;
    }
    if (y > own->highest) {
        own->highest = y;
    }
}

static bool cp_has_changed(const cp_neural *own)
{
    for (size_t i = 0; i < CP_MOST_WEIGHTS; i++) {
        if (own->use[i] != own->base[i]) {
            return true;
        }
    }
    return false;
}

/* Return to the weights of the start when the skill stays below zero. */
static void cp_watch(cp_state *s, cp_neural *own)
{
    own->poor = s->quality.skill_zoh < 0.0 && cp_has_changed(own) ? own->poor + 1 : 0;
    if (own->poor >= CP_PATIENCE) {
        memcpy(own->use, own->base, sizeof own->use);
        own->fallbacks++;
        cp_forget(own);
        s->log.events |= CP_FELL_BACK;
    }
}

/* Follow the median of the errors. */
static void cp_track(cp_neural *own, double error)
{
    if (own->spread == 0.0) {
        own->spread = error;
    }
    own->spread = error > own->spread ? own->spread * CP_TRACKING : own->spread / CP_TRACKING;
    if (own->spread < CP_SMALLEST_SPREAD) {
        own->spread = CP_SMALLEST_SPREAD;
    }
}

static void cp_collect(const cp_neural_settings *net, cp_neural *own, const cp_sample *one, double error)
{
    double gradient[CP_MOST_WEIGHTS];
    if (own->collected < own->cycle_steps) {
        own->collected++;
    }
    if (error > CP_OUTLIER * own->spread) {
        return;
    }
    const double before = cp_error_near(net, own->base, one);
    cp_neural_gradient(net, own->base, one->near, gradient);
    cp_add_sample(own->matrix, own->right, gradient, net->size, before);
    own->power = own->power + before * before;
}

static void cp_end_cycle(cp_state *s, cp_neural *own, bool taken)
{
    if (taken) {
        memcpy(own->use, own->candidate, sizeof own->use);
        own->accepted++;
    } else {
        own->refused++;
    }
    own->phase = CP_COLLECTING;
    s->log.events |= taken ? CP_LEARNT : CP_NOT_LEARNT;
}

static void cp_begin(const cp_neural_settings *net, cp_neural *own)
{
    const int32_t n = net->size;
    const double damping = own->power / (own->prior * own->prior) + CP_ROUNDING * cp_trace(own->matrix, n);
    cp_damp(own->matrix, own->factor, n, damping);
    memcpy(own->candidate, own->right, sizeof own->candidate);
    for (int32_t i = 0; i < n * (n + 1) / 2; i++) {
        own->matrix[i] = CP_FORGETTING * own->matrix[i];
    }
    for (int32_t i = 0; i < n; i++) {
        own->right[i] = CP_FORGETTING * own->right[i];
    }
    own->power = CP_FORGETTING * own->power;
    own->collected = 0;
    own->column = 0;
    own->phase = CP_TRAINING;
}

/* Factorise one column, or finish. */
static void cp_train(const cp_neural_settings *net, cp_state *s, cp_neural *own)
{
    double change[CP_MOST_WEIGHTS];
    if (own->column < net->size) {
        if (!cp_factor_column(own->factor, net->size, own->column)) {
            cp_end_cycle(s, own, false);
        }
        own->column++;
        return;
    }
    cp_solve(own->factor, own->candidate, net->size, change);
    for (int32_t i = 0; i < net->size; i++) {
        own->candidate[i] = own->base[i] + change[i];
    }
    if (!cp_propose(net, own)) {
        cp_end_cycle(s, own, false);
    } else if (!own->safe) {
        cp_end_cycle(s, own, true);
    }
}

static void cp_work(const cp_neural_settings *net, cp_state *s, cp_neural *own, const cp_sample *one)
{
    if (own->phase == CP_JUDGING) {
        if (cp_judge(net, own, one)) {
            cp_end_cycle(s, own, cp_better(own));
        }
    } else if (own->phase == CP_TRAINING) {
        cp_train(net, s, own);
    } else if (own->collected >= own->cycle_steps && own->power > 0.0) {
        cp_begin(net, own);
    }
}

CP_API void cp_learn(const cp_coupling_settings *c, cp_state *s)
{
    cp_neural *const own = cp_neural_of(s);
    cp_sample one;
    if (s->discontinuity.detected || (s->switching.starting && s->history.newest == s->history.origin)) {
        cp_forget(own);
    }
    if (s->latency.taken != CP_NEWEST) {
        return;
    }
    cp_widen(own, s->history.past[0]);
    cp_watch(s, own);
    const int32_t needed = cp_sample_slots(&c->neural);
    const double span = cp_neural_span(own);
    const int64_t behind = s->history.newest - s->switching.anchor + 1;
    if (behind < needed || needed > CP_SLOTS || !(span > 0.0) || !cp_finite(span)) {
        return;
    }
    cp_take_sample(c, s->history.past, span, &one);
    const double error = cp_error_near(&c->neural, own->use, &one);
    if (!cp_usable_sample(&c->neural, &one) || (fabs(one.change) <= CP_IDLE && fabs(error) <= CP_IDLE)) {
        return;
    }
    cp_track(own, fabs(error));
    cp_weigh(own, error, one.change);
    if (!own->enabled) {
        return;
    }
    cp_work(&c->neural, s, own, &one);
    cp_collect(&c->neural, own, &one, fabs(error));
}

/* Is the newest value given out, because the weights in use have lost against it for long? */
CP_API bool cp_is_harmful(const cp_coupling_settings *c, const cp_state *s)
{
    return c->neural.size > 0 && s->parameter.selected == CP_NEURAL && cp_neural_in(s)->harmful >= CP_HARM_PATIENCE;
}

/* A network that predicts a jump needs no detector there (Baumann 2024, 5.3.2); it is judged while the newest value is
   given out in its place, too. */
CP_API bool cp_foreseen(const cp_coupling_settings *c, const cp_state *s)
{
    const double change = fabs(s->history.past[0] - s->history.past[1]);
    const bool ran = c->neural.size > 0 && (s->switching.active == CP_NEURAL || cp_is_harmful(c, s));
    return ran && s->quality.error <= CP_FORESEEN * change;
}
