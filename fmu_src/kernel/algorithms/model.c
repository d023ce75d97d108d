/* Model of the prototype that sends y: from its states at the newest value on, stepped with what went from here.

       z <- Phi z + G0 u_j + G1 (u_{j+1} - u_j),    j = n - k .. n - 1;    y_hat = C z + D u_n, a step more: the slope

   As long as the latency stays the states of the present move on by one step, and by Phi^k times the error at the slot.
   What the receiver sends is known here without any delay, so the latency costs only what nobody can know: what excites
   the prototype besides. `observer` has the states. A model that is far worse than ZOH for long, or whose loop grows,
   is wrong: what it falls back to runs in its place, and the model beside it, until that is right again. */
#include "../stages.h"

#include <string.h>

CP_FAST_FROM_HERE

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

/* Move the states on from `i` macro steps after `when`, the inputs `u` too: to those at the end. */
static void cp_model_move(const cp_coupling_settings *c, const cp_state *s, double when, int32_t i, double *u,
                          double *x)
{
    double later[CP_PLANT_STATES] = {0.0};
    double there[CP_PLANT_INPUTS] = {0.0};
    double change[CP_PLANT_INPUTS];
    cp_observer_present(c, s, when + (double)(i + 1), there);
    for (int32_t j = 0; j < c->plant.inputs; j++) {
        change[j] = there[j] - u[j];
    }
    cp_plant_move(&c->plant, x, u, change, later);
    memcpy(x, later, sizeof later);
    memcpy(u, there, sizeof there);
}

/* Take the next power of Phi, one a step: so none has much to do. */
static void cp_model_raise(const cp_plant *plant, cp_state *s)
{
    const double none[CP_PLANT_INPUTS] = {0.0};
    const int32_t n = plant->states;
    const bool first = s->plant.power == 0 || s->plant.power >= s->plant.ahead;
    s->plant.power = first ? 1 : s->plant.power + 1;
    for (int32_t i = 0; i < n; i++) {
        double *const column = &s->plant.powers[i * CP_PLANT_STATES];
        double x[CP_PLANT_STATES];
        for (int32_t j = 0; j < n; j++) {
            x[j] = !first ? column[j] : i == j ? 1.0 : 0.0;
        }
        cp_plant_move(plant, x, none, none, column);
    }
}

/* The states `ahead` steps after the slot, from those that the last step had one before, as far as what was foreseen of
   the slot, `x`, was wrong. */
static void cp_model_go_on(const cp_coupling_settings *c, cp_state *s, double when, double *u, const double *x)
{
    double *const reached = s->plant.reached;
    double *const wrong = s->plant.corrected;
    cp_observer_present(c, s, when - 1.0, u);
    cp_model_move(c, s, when, -1, u, wrong);
    cp_observer_present(c, s, when + (double)(s->plant.ahead - 1), u);
    cp_model_move(c, s, when, s->plant.ahead - 1, u, reached);
    for (int32_t i = 0; i < c->plant.states; i++) {
        const double off = x[i] - wrong[i];
        const double *const column = &s->plant.powers[i * CP_PLANT_STATES];
        for (int32_t j = 0; j < c->plant.states; j++) {
            reached[j] = cp_bounded(reached[j] + column[j] * off, reached[j]);
        }
    }
    s->plant.moved++;
}

/* The states `ahead` steps after the slot, where they are `x`, in their place; and the inputs there.

   At a constant latency this costs the same at any: rounding errors of what goes on from step to step grow as the
   states do, so after `ahead` steps all is worked out from the slot on. */
static void cp_model_reach(const cp_coupling_settings *c, cp_state *s, double when, int32_t ahead, double *u, double *x)
{
    const bool same = s->grid.n == s->plant.at + 1 && when == s->plant.begins && ahead == s->plant.ahead;
    s->plant.at = s->grid.n;
    s->plant.begins = when;
    s->plant.ahead = ahead;
    if (same && ahead > CP_PLANT_NEAR && s->plant.power != ahead) {
        cp_model_raise(&c->plant, s);
    } else if (same && ahead > CP_PLANT_NEAR && s->plant.moved < ahead) {
        cp_model_go_on(c, s, when, u, x);
        memcpy(s->plant.corrected, x, sizeof s->plant.corrected);
        memcpy(x, s->plant.reached, sizeof s->plant.reached);
        return;
    }
    s->plant.moved = 0;
    memcpy(s->plant.corrected, x, sizeof s->plant.corrected);
    cp_observer_present(c, s, when, u);
    for (int32_t i = 0; i < ahead; i++) {
        cp_model_move(c, s, when, i, u, x);
    }
    memcpy(s->plant.reached, x, sizeof s->plant.reached);
}

/* How many macro steps after the slot all that went from here is known, if what the first of them needs is. */
static int32_t cp_model_count_known(const cp_state *s, double when)
{
    const double known = (double)(s->plant.step - s->grid.n) - when;
    if (!(known >= 0.0 && known + CP_PLANT_OLDER <= (double)s->plant.known)) {
        return 0;
    }
    return known < (double)s->latency.steps ? (int32_t)known : s->latency.steps;
}

CP_API cp_shifted_line cp_model_line(const cp_coupling_settings *c, cp_state *s)
{
    const cp_plant *const plant = &c->plant;
    const int64_t slot = s->history.newest - s->latency.early;
    const double when = cp_observer_place(c, s, slot);
    const int32_t known = cp_model_count_known(s, when);
    double x[CP_PLANT_STATES] = {0.0};
    double u[CP_PLANT_INPUTS] = {0.0};
    cp_observer_correct(c, s, slot, x);
    cp_model_reach(c, s, when, known, u, x);
    for (int32_t i = known; i < s->latency.steps; i++) {
        cp_model_move(c, s, when, i, u, x);
    }
    const double level = cp_plant_output(plant, plant->own, x, u);
    cp_model_move(c, s, when, s->latency.steps, u, x);
    const double slope = cp_plant_output(plant, plant->own, x, u) - level;
    const double ahead = (c->event ? 0.0 : 1.0) - s->latency.fraction;
    cp_model_foresee(c, s, cp_bounded(level + slope * ahead, 0.0));
    return (cp_shifted_line){level, slope, s->latency.fraction};
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

CP_SMALL_FROM_HERE
