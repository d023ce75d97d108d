/* Model of the prototype that sends y: from its states at the newest value on, stepped with what went from here.

       z <- Phi z + G0 u_j + G1 (u_{j+1} - u_j),    j = n - k .. n - 1;    y_hat = C z + D u_n, a step more: the slope

   What the receiver sends is known here without any delay, so the latency costs only what nobody can know: what excites
   the prototype besides. `observer` has the states. A model that is far worse than ZOH for long, or whose loop grows,
   is wrong: what it falls back to runs in its place, and the model beside it, until that is right again. */
#include "../stages.h"

#include <string.h>

/* a value for each state and one more */
CP_API int32_t cp_model_needed(const cp_coupling_settings *c, const cp_state *s)
{
    (void)s;
    return c->plant.states > 0 ? c->plant.states + 1 : CP_NEVER;
}

/* Keep the estimate to see how right it was; none where a gap in the news is what it tells of, or nothing is late:
   then holding makes no error at all. */
static void cp_model_foresee(const cp_coupling_settings *c, cp_state *s, double estimate)
{
    const int64_t missing = s->grid.n - s->history.news;
    if (missing > CP_GAP) {
        s->plant.recovers = CP_RECOVERS;
    } else if (missing == 0 && s->plant.recovers > 0) {
        s->plant.recovers--;
    }
    const size_t at = cp_ring(s->grid.n + (c->event ? 0 : 1));
    const bool late = s->latency.steps > 0 || !c->event;
    s->plant.foreseen[at] = missing == 0 && s->plant.recovers == 0 && late ? estimate : CP_NO_STAMP;
}

CP_API cp_shifted_line cp_model_line(const cp_coupling_settings *c, cp_state *s)
{
    const cp_plant *const plant = &c->plant;
    const int64_t slot = s->history.newest - s->latency.early;
    const double when = cp_observer_place(c, s, slot);
    double states[2][CP_PLANT_STATES];
    double inputs[2][CP_PLANT_INPUTS];
    double change[CP_PLANT_INPUTS];
    double levels[2] = {0.0, 0.0};
    cp_observer_correct(c, s, slot, states[0]);
    cp_observer_present(c, s, when, inputs[0]);
    for (int32_t ahead = 0;; ahead++) {
        const double *const x = states[ahead & 1];
        const double *const here = inputs[ahead & 1];
        double *const there = inputs[(ahead + 1) & 1];
        if (ahead >= s->latency.steps) {
            levels[ahead - s->latency.steps] = cp_plant_output(plant, plant->own, x, here);
        }
        if (ahead > s->latency.steps) {
            break;
        }
        cp_observer_present(c, s, when + (double)(ahead + 1), there);
        for (int32_t i = 0; i < plant->inputs; i++) {
            change[i] = there[i] - here[i];
        }
        cp_plant_move(plant, x, here, change, states[(ahead + 1) & 1]);
    }
    const double slope = levels[1] - levels[0];
    const double ahead = (c->event ? 0.0 : 1.0) - s->latency.fraction;
    cp_model_foresee(c, s, cp_bounded(levels[0] + slope * ahead, 0.0));
    return (cp_shifted_line){levels[0], slope, s->latency.fraction};
}

/* Do the observer's errors grow on and on? A loop may, though its model foresees well. */
static bool cp_model_grows(cp_state *s)
{
    s->plant.since = s->plant.since < CP_GROWS_WITHIN ? s->plant.since + 1 : CP_GROWS_WITHIN;
    if (s->plant.since == CP_GROWS_WITHIN) {
        s->plant.grown = 0;
    }
    if (s->plant.surprise > CP_SURPRISED && s->plant.surprise > CP_GROWS * s->plant.peak) {
        s->plant.peak = s->plant.surprise;
        if (s->plant.since >= CP_GROWS_APART) {
            s->plant.grown = s->plant.grown < CP_GROWS_FOR ? s->plant.grown + 1 : CP_GROWS_FOR;
            s->plant.since = 0;
        }
    }
    return s->plant.grown == CP_GROWS_FOR && s->plant.errors > CP_GROWS_SHARE * s->plant.held;
}

/* Tell by the error of the estimate at ring place `at`, whose true value is now known, if the model is wrong. */
CP_API void cp_model_judge(cp_state *s, size_t at, double value)
{
    if (!(s->plant.foreseen[at] >= CP_LEAST_STAMP)) {
        return;
    }
    const bool first = !(s->plant.held > 0.0);
    s->plant.low = first || value < s->plant.low ? value : s->plant.low;
    s->plant.high = first || value > s->plant.high ? value : s->plant.high;
    const double error = s->plant.foreseen[at] - value;
    const double of_hold = s->quality.held_then[at] - value;
    const double width = s->plant.high - s->plant.low;
    const double ours = cp_bounded(CP_MEMORY * s->plant.errors + error * error, CP_UNLIMITED);
    const double other = cp_bounded(CP_MEMORY * s->plant.held + of_hold * of_hold, CP_UNLIMITED);
    const bool surprised = s->plant.surprise > CP_SURPRISED;
    const double share = surprised ? CP_WRONG_SHARE : CP_WRONG_UNSURPRISED;
    const bool far = ours > CP_WRONG * other && ours > share * (width * width);
    const bool diverges = s->plant.surprise > CP_DIVERGED && ours > CP_DIVERGED_SHARE * other;
    const bool doubt = s->plant.wrong ? ours < other && !surprised : far || diverges;
    s->plant.errors = ours;
    s->plant.held = other;
    s->plant.doubt = doubt ? s->plant.doubt + 1 : 0;
    const bool grows = !s->plant.wrong && cp_model_grows(s);
    if (grows || s->plant.doubt >= (s->plant.wrong ? CP_RIGHT_FOR : CP_WRONG_FOR)) {
        s->plant.peak = 0.0;
        s->plant.doubt = s->plant.grown = s->plant.since = 0;
        s->plant.wrong = !s->plant.wrong;
        memset(s->quality.judgeable, 0, sizeof s->quality.judgeable);
        cp_bank_start(s);
        cp_tell_once(s, CP_WRONG_MODEL);
    }
}

/* a correction by the newest value, stepped likewise */
CP_API cp_shifted_line cp_model_share(const cp_coupling_settings *c, const cp_state *s)
{
    const cp_plant *const plant = &c->plant;
    const double none[CP_PLANT_INPUTS] = {0.0};
    double x[CP_PLANT_STATES];
    double later[CP_PLANT_STATES];
    double levels[2] = {0.0, 0.0};
    for (int32_t i = 0; i < plant->states; i++) {
        x[i] = plant->gain[i * plant->outputs + plant->own];
    }
    for (int32_t ahead = 0; ahead < s->latency.steps + 2; ahead++) {
        if (ahead >= s->latency.steps) {
            levels[ahead - s->latency.steps] = cp_plant_output(plant, plant->own, x, none);
        }
        cp_plant_move(plant, x, none, none, later);
        memcpy(x, later, sizeof x);
    }
    return (cp_shifted_line){levels[0], levels[1] - levels[0], s->latency.fraction};
}
