/* The states of the prototype that sends y, as the algorithm `model` has them: an observer on its late values.

       e = y_j - C x_j - D u_j,    x_j <- x_j + K e,    x_{j+1} = Phi x_j + G0 u_j + G1 (u_{j+1} - u_j)

   u is what the prototype was given in slot j, as its message tells (echo), else what went from here at that time
   (twin); of a message that is missing those on both sides tell it. Slots whose outputs have not all come are passed
   without a correction. A value that comes late is taken at its slot, and what followed is worked out again:
   predictions are kept for all slots of the history. Where the prototype is given a new estimate at each communication
   step of a macro step, u is a line to the next slot, half such a step late. Where the host reads outputs before it
   sets inputs, D in the error acts on the u of the step before. */
#include "../stages.h"

static size_t cp_local_at(int64_t n)
{
    return (size_t)((uint64_t)n % CP_INPUTS);
}

/* Keep the signals that go from here at this macro point; over steps that the host left out they stay. */
CP_API void cp_observer_keep(const cp_coupling_settings *c, cp_state *s)
{
    const int64_t n = s->grid.n;
    const int64_t missed = s->plant.known > 0 ? n - s->plant.step : CP_INPUTS;
    const int64_t gap = missed < CP_INPUTS ? missed : CP_INPUTS;
    for (int32_t i = 0; i < c->plant.inputs; i++) {
        double *const local = &s->plant.local[(size_t)i * CP_INPUTS];
        const double last = s->plant.known > 0 ? local[cp_local_at(s->plant.step)] : 0.0;
        for (int64_t at = n - gap + 1; at < n; at++) {
            local[cp_local_at(at)] = last;
        }
        local[cp_local_at(n)] = cp_bounded(s->plant.u[i], last);
    }
    if (s->plant.known == 0) {
        s->plant.known = 1;
    } else {
        s->plant.known = s->plant.known + gap < CP_INPUTS ? (int32_t)(s->plant.known + gap) : CP_INPUTS;
    }
    s->plant.step = n;
}

/* The signals that go from here, `at` macro steps after the present macro point. Between macro points they are taken
   for linear, and so after the newest one that is known. */
CP_API void cp_observer_present(const cp_coupling_settings *c, const cp_state *s, double at, double *u)
{
    double back = (double)(s->plant.step - s->grid.n) - at;
    int64_t whole = back > 0.0 ? (int64_t)back : 0;
    const int64_t most = s->plant.known > 2 ? s->plant.known - 2 : 0;
    if (whole > most) {
        whole = most;
        back = (double)most + 1.0;
    }
    const double part = back - (double)whole;
    for (int32_t i = 0; i < c->plant.inputs; i++) {
        const double *const local = &s->plant.local[(size_t)i * CP_INPUTS];
        const double value = local[cp_local_at(s->plant.step - whole)];
        const double rise = s->plant.known > 1 ? local[cp_local_at(s->plant.step - whole - 1)] - value : 0.0;
        u[i] = cp_bounded(value + part * rise, value);
    }
}

/* when a slot was sent, in macro steps after the present macro point */
CP_API double cp_observer_place(const cp_coupling_settings *c, const cp_state *s, int64_t slot)
{
    const double age = ((double)s->latency.steps - s->latency.fraction) - cp_latency_added_lead(c, s);
    return (double)(slot - (s->history.newest - s->latency.early)) - age;
}

static double cp_dot(const double *row, const double *values, int32_t n)
{
    double total = 0.0;
    for (int32_t i = 0; i < n; i++) {
        total = total + row[i] * values[i];
    }
    return total;
}

/* the states a macro step later; the inputs are `u`, and `change` over the step */
CP_API void cp_plant_move(const cp_plant *plant, const double *x, const double *u, const double *change, double *later)
{
    for (int32_t i = 0; i < plant->states; i++) {
        const double given = cp_dot(&plant->level[i * plant->inputs], u, plant->inputs) +
                             cp_dot(&plant->change[i * plant->inputs], change, plant->inputs);
        later[i] = cp_bounded(cp_dot(&plant->phi[i * plant->states], x, plant->states) + given, 0.0);
    }
}

/* an output with the states `x` and the inputs `u` */
CP_API double cp_plant_output(const cp_plant *plant, int32_t which, const double *x, const double *u)
{
    return cp_dot(&plant->of_states[which * plant->states], x, plant->states) +
           cp_dot(&plant->through[which * plant->inputs], u, plant->inputs);
}

/* What messages tell that the prototype was given in `slot`, and its change. Of a slot whose message is missing the
   lines of those on both sides tell it, each by how near it is, where the prototype does not come to rest by itself;
   false where none tells it. */
static bool cp_observer_message_inputs(const cp_coupling_settings *c, const cp_state *s, int64_t slot, double *u,
                                       double *change)
{
    const int64_t before = cp_oldest_slot(s) - 1;
    const int64_t after = s->history.newest + 1;
    const int64_t older = slot > before ? cp_told_from(s, slot, -1, before) : before;
    const int64_t newer = older > before ? cp_told_from(s, slot, 1, after) : after;
    if (newer == after || (newer > older && c->plant.echo != CP_BETWEEN)) {
        return false;
    }
    const double since = (double)(slot - older);
    const double until = (double)(newer - slot);
    const double part = newer > older ? since / (double)(newer - older) : 0.0;
    for (int32_t i = 0; i < c->plant.inputs; i++) {
        const double *const level = &s->plant.level[(size_t)i * CP_SLOTS];
        const double *const rise = &s->plant.change[(size_t)i * CP_SLOTS];
        const double from = rise[cp_slot_at(older)];
        const double to = rise[cp_slot_at(newer)];
        const double line = level[cp_slot_at(older)] + since * from;
        u[i] = cp_bounded(line + part * ((level[cp_slot_at(newer)] - until * to) - line), level[cp_slot_at(older)]);
        change[i] = cp_bounded(from + part * (to - from), from);
    }
    return true;
}

/* what the prototype was given in `slot`, and its change in the macro step that began there */
static void cp_observer_inputs_at(const cp_coupling_settings *c, const cp_state *s, int64_t slot, double *u,
                                  double *change)
{
    const bool told = cp_observer_message_inputs(c, s, slot, u, change);
    const double when = cp_observer_place(c, s, slot);
    double there[CP_PLANT_INPUTS];
    double unused[CP_PLANT_INPUTS];
    if (told && !(c->plant.micro_step < 1.0 && cp_observer_message_inputs(c, s, slot + 1, there, unused))) {
        return;
    }
    if (!told) {
        cp_observer_present(c, s, when, u);
        cp_observer_present(c, s, when + 1.0, there);
    }
    for (int32_t i = 0; i < c->plant.inputs; i++) {
        change[i] = cp_bounded(there[i] - u[i], 0.0);
    }
}

static double cp_observer_value(const cp_coupling_settings *c, const cp_state *s, int32_t which, int64_t slot)
{
    if (which == c->plant.own) {
        return s->history.past[s->history.newest - slot];
    }
    return s->plant.outputs[(size_t)(which - (which > c->plant.own)) * CP_SLOTS + cp_slot_at(slot)];
}

/* the states at `slot` once its values count; returns the error on y before, 0 without values */
CP_API double cp_observer_correct(const cp_coupling_settings *c, const cp_state *s, int64_t slot, double *x)
{
    const cp_plant *const plant = &c->plant;
    const size_t at = cp_slot_at(slot);
    for (int32_t i = 0; i < plant->states; i++) {
        x[i] = s->plant.predicted[(size_t)i * CP_SLOTS + at];
    }
    const bool whole = plant->outputs == 1 || (s->plant.told[at] & CP_COMPANIONS_TOLD) != 0;
    if (s->history.marked[s->history.newest - slot] || !whole) {
        return 0.0;
    }
    double u[CP_PLANT_INPUTS];
    double change[CP_PLANT_INPUTS];
    double errors[CP_COMPANIONS + 1];
    cp_observer_inputs_at(c, s, slot - plant->stale, u, change);
    for (int32_t i = 0; plant->stale && i < plant->inputs; i++) {
        u[i] = u[i] + (1.0 - plant->micro_step) * change[i];
    }
    for (int32_t i = 0; i < plant->outputs; i++) {
        errors[i] = cp_observer_value(c, s, i, slot) - cp_plant_output(plant, i, x, u);
    }
    for (int32_t i = 0; i < plant->states; i++) {
        x[i] = cp_bounded(x[i] + cp_dot(&plant->gain[i * plant->outputs], errors, plant->outputs), x[i]);
    }
    return errors[plant->own];
}

/* Begin at rest: the states that leave the outputs of `slot` as they are. */
static void cp_observer_begin(const cp_coupling_settings *c, cp_state *s, int64_t slot)
{
    const int32_t p = c->plant.outputs;
    double known[CP_COMPANIONS + 1 + CP_PLANT_INPUTS];
    double change[CP_PLANT_INPUTS];
    for (int32_t i = 0; i < p; i++) {
        known[i] = cp_observer_value(c, s, i, slot);
    }
    cp_observer_inputs_at(c, s, slot - c->plant.stale, known + p, change);
    for (int32_t i = 0; i < c->plant.states; i++) {
        const double *const row = &c->plant.start[i * (p + c->plant.inputs)];
        s->plant.predicted[(size_t)i * CP_SLOTS + cp_slot_at(slot)] =
            cp_bounded(cp_dot(row, known, p + c->plant.inputs), 0.0);
    }
    s->plant.begun = 1;
    s->plant.next = slot;
    s->plant.origin = s->history.origin;
}

/* Follow the prototype to the newest slot. */
CP_API void cp_observe(const cp_coupling_settings *c, cp_state *s)
{
    if (!c->plant.late) {
        cp_observer_keep(c, s);
    }
    if (!s->history.filled) {
        return;
    }
    const int64_t newest = s->history.newest;
    const int64_t oldest = cp_oldest_slot(s);
    if (!s->plant.begun || s->plant.origin != s->history.origin || s->plant.next < oldest || s->plant.next > newest) {
        cp_observer_begin(c, s, oldest);
    }
    while (s->plant.next < newest) {
        double x[CP_PLANT_STATES];
        double later[CP_PLANT_STATES];
        double u[CP_PLANT_INPUTS];
        double change[CP_PLANT_INPUTS];
        const double error = cp_observer_correct(c, s, s->plant.next, x);
        const double excess = error * error / c->plant.variance - CP_EXPECTED;
        s->plant.surprise = cp_bounded(CP_MEMORY * s->plant.surprise + (excess > 0.0 ? excess : 0.0), CP_UNLIMITED);
        cp_observer_inputs_at(c, s, s->plant.next, u, change);
        for (int32_t i = 0; c->plant.micro_step < 1.0 && i < c->plant.inputs; i++) {
            u[i] = u[i] - 0.5 * c->plant.micro_step * change[i];
        }
        cp_plant_move(&c->plant, x, u, change, later);
        s->plant.next++;
        for (int32_t i = 0; i < c->plant.states; i++) {
            s->plant.predicted[(size_t)i * CP_SLOTS + cp_slot_at(s->plant.next)] = later[i];
        }
    }
}
