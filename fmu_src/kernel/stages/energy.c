/* Stage 7: what the estimate does to the energy of its power bond.

   `bond.c` books E, the energy given out at this end. The coupling has created G = E + E_far. At this end alone its own
   share is known k steps late, from the errors of the estimates. `budget.c` acts on both. */
#include "../../base/grid.h"
#include "../stages.h"

#include <math.h>

CP_API void cp_energy_start(cp_state *s)
{
    s->energy.step = -1;
    s->energy.judged = -2;
    s->energy.time = s->energy.booked = s->grid.time;
}

/* Take the true value at macro step `n` into the share of the created energy that this end's estimates made. */
CP_API void cp_energy_judge(const cp_coupling_settings *c, cp_state *s, int64_t n, double value)
{
    if (!cp_bonded(c, s)) {
        return;
    }
    if (s->energy.judged == n - 1) {
        const double moved = s->energy.moved[cp_ring(n - 1)];
        const double before = s->energy.raw[cp_ring(n - 1)];
        double made = moved * (before - 0.5 * (s->energy.true_value + value));
        if (s->bond.end == CP_BOND_DISPLACEMENT) {
            made = -moved * ((s->energy.raw[cp_ring(n)] - before) - (value - s->energy.true_value));
        }
        s->energy.own = cp_bounded(s->energy.own + made, s->energy.own);
    }
    s->energy.judged = n;
    s->energy.true_value = value;
}

/* what an estimate held over the last macro step is multiplied by to give its energy */
static double cp_energy_factor(const cp_state *s)
{
    const double *const points = s->energy.points;
    const bool effort = s->bond.end == CP_BOND_EFFORT;
    if (effort && s->bond.conjugate_is == CP_CONJUGATE_DISPLACEMENT) {
        return cp_bounded(cp_bond_sign(s) * (points[0] - points[1]), 0.0);
    }
    const double mean = cp_bond_sign(s) * 0.5 * (points[0] + points[1]);
    if (s->bond.end == CP_BOND_DISPLACEMENT) {
        return cp_bounded(mean, 0.0);
    }
    return cp_bounded((effort ? mean : -mean) * s->grid.period, 0.0);
}

/* Take in the conjugate of a macro point, if it is known. */
static void cp_energy_point(cp_state *s)
{
    double *const points = s->energy.points;
    const double newest = s->energy.conjugate[0];
    if (s->energy.heard == 0) {
        return;
    }
    points[2] = s->energy.counted == 0 ? newest : points[1];
    points[1] = s->energy.counted == 0 ? newest : points[0];
    points[0] = newest;
    s->energy.counted = s->energy.counted < 3 ? s->energy.counted + 1 : 3;
}

/* Take in a macro point: the conjugate, what has been given out, and the largest sizes received. */
static void cp_energy_follow(const cp_coupling_settings *c, cp_state *s)
{
    const int64_t n = s->grid.n;
    if (n != s->energy.step + 1) {
        s->energy.counted = 0;
    }
    s->energy.step = n;
    cp_energy_point(s);
    s->energy.levels[2] = s->energy.levels[1];
    s->energy.levels[1] = s->energy.levels[0];
    s->energy.levels[0] = s->energy.start[0];
    s->energy.means[1] = s->energy.means[0];
    s->energy.means[0] = cp_bounded(s->energy.impulse / s->grid.period, 0.0);
    s->energy.impulse = 0.0;
    const int64_t step = cp_bond_late(c, s) ? n - 2 : n - 1;
    s->energy.moved[cp_ring(step)] = s->energy.counted >= 2 ? cp_energy_factor(s) : 0.0;
    const double *const past = &s->history.past[s->latency.early];
    s->energy.size = cp_larger(fabs(past[0]), CP_REACH_MEMORY * s->energy.size);
    if (s->history.newest - s->latency.early > s->history.origin) {
        const double before = s->energy.swing;
        s->energy.swing = cp_larger(cp_bounded(fabs(past[0] - past[1]), 0.0), CP_REACH_MEMORY * before);
        s->energy.growth = cp_larger(s->energy.swing - before, 0.0);
    }
}

/* Follow how much the receiver gives way: the rms change of the conjugate over that of what made it. At the end of the
   flow the budget pays for what a bend of the effort may hide, where a stiffness is given. */
static void cp_energy_respond(const cp_coupling_settings *c, cp_state *s)
{
    const double *const points = s->energy.points;
    const double *const means = s->energy.means;
    const double period = s->grid.period;
    double half = 0.5;
    double change = points[0] - points[1];
    double cause = (cp_bond_late(c, s) ? means[1] : means[0]) * period;
    double least = CP_ANSWERED * s->energy.size * period;
    if (s->energy.counted < 3) {
        return;
    }
    if (s->bond.end == CP_BOND_EFFORT) {
        half = 0.5 * period;
        cause = means[0];
        least = CP_ANSWERED * s->energy.size;
        if (s->bond.conjugate_is == CP_CONJUGATE_DISPLACEMENT) {
            change = (points[0] - 2.0 * points[1] + points[2]) / period;
            cause = 0.5 * (means[0] + means[1]);
        }
    } else if (s->bond.end == CP_BOND_DISPLACEMENT) {
        const double *const seen = &s->energy.levels[s->bond.stale ? 1 : 0];
        half = 0.5 * CP_STIFFER;
        cause = seen[0] - seen[1];
        least = CP_ANSWERED * s->energy.swing;
    }
    if (s->bond.end != CP_BOND_EFFORT && s->bond.stiffness > 0.0) {
        const double bend = points[0] - 2.0 * points[1] + points[2];
        s->energy.left = cp_bounded(s->energy.left - CP_HIDDEN * fabs(bend * cause), s->energy.left);
    }
    s->energy.above = cp_bounded(CP_RESPONSE_MEMORY * s->energy.above + change * change, CP_UNLIMITED);
    s->energy.below = cp_bounded(CP_RESPONSE_MEMORY * s->energy.below + cause * cause, CP_UNLIMITED);
    const double below = cp_larger(s->energy.below, cp_bounded(least * least, 0.0));
    const double ratio = below > 0.0 ? half * sqrt(s->energy.above / below) : 0.0;
    s->energy.response = cp_bounded(ratio, 0.0);
    if (s->bond.end != CP_BOND_EFFORT && s->bond.stiffness > 0.0) {
        s->energy.response = half * s->bond.stiffness;
    }
}

/* Add what the far end has passed on to the budget, as far as it fits and two messages in succession say so; a far end
   that has begun anew starts from less, and from nothing that is added here. */
static void cp_energy_credit(cp_state *s)
{
    const double sure = s->bond.far_passed < s->energy.said ? s->bond.far_passed : s->energy.said;
    s->energy.said = s->bond.far_passed;
    s->energy.fallen = sure < s->energy.far_passed ? s->energy.fallen + 1 : 0;
    if (sure > s->energy.far_passed && s->bond.budget > 0.0) {
        const double room = s->energy.left + (sure - s->energy.far_passed);
        s->energy.left = room < s->bond.budget ? room : s->bond.budget;
    }
    if (sure > s->energy.far_passed || s->energy.fallen >= CP_STRAYS) {
        s->energy.far_passed = sure;
        s->energy.fallen = 0;
    }
}

/* whether a message is news: newer than the last one, or of a far end that has begun anew, as many that advance from an
   older time say */
static bool cp_energy_is_news(cp_state *s)
{
    const double stamp = s->bond.far_time;
    if (!(stamp > CP_NO_STAMP) || !s->energy.far || stamp > s->energy.far_time) {
        s->energy.strays = 0;
        return true;
    }
    if (stamp == s->energy.far_time || (s->energy.strays > 0 && stamp == s->energy.stray)) {
        return false;
    }
    s->energy.strays = s->energy.strays > 0 && stamp > s->energy.stray ? s->energy.strays + 1 : 1;
    s->energy.stray = stamp;
    if (s->energy.strays < CP_STRAYS) {
        return false;
    }
    s->energy.said = s->energy.far_passed = s->bond.far_passed;
    s->energy.strays = 0;
    return true;
}

/* Take in the energy that the far end has given out; what is owed is what two messages in succession say. */
static void cp_energy_compare(cp_state *s, size_t at)
{
    s->energy.residual = cp_bounded(s->energy.known[at] + s->energy.far_given, s->energy.residual);
    const double claimed = cp_bounded(s->energy.residual - s->energy.worked[at], s->energy.claimed);
    s->energy.owed = fabs(claimed) < fabs(s->energy.claimed) ? claimed : s->energy.claimed;
    s->energy.claimed = claimed;
}

/* Take in the far end's message; inputs that nobody has set are none. */
static void cp_energy_receive(cp_state *s)
{
    const double stamp = s->bond.far_time;
    const bool stamped = stamp > CP_NO_STAMP;
    if (!s->energy.far && !stamped && s->bond.far_given == 0.0 && s->bond.far_passed == 0.0) {
        return;
    }
    if (!cp_finite(s->bond.far_given) || !cp_finite(s->bond.far_passed) || !cp_finite(stamp) ||
        !cp_energy_is_news(s)) {
        return;
    }
    s->energy.far = 1;
    s->energy.far_time = stamp;
    s->energy.far_given = s->bond.far_given;
    cp_energy_credit(s);
    double behind = (double)s->parameter.constant_steps;
    if (stamped) {
        behind = (cp_point_time(s, s->grid.n) - (stamp + s->clock.offset)) / s->grid.period;
    }
    if (behind > -0.5 && behind < (double)CP_RING - 1.5) {
        cp_energy_compare(s, cp_ring(s->grid.n - (int64_t)(behind + 0.5)));
    }
}

/* Keep the books of this macro point and pass on what exceeds the budget. */
static void cp_energy_settle(const cp_coupling_settings *c, cp_state *s)
{
    const double budget = s->bond.budget;
    const size_t at = cp_ring(cp_bond_late(c, s) ? s->grid.n - 1 : s->grid.n);
    s->energy.known[at] = s->energy.given;
    s->energy.worked[at] = s->energy.work;
    s->energy.taken = -s->energy.work;
    const double left = cp_bounded(s->energy.left + (budget - s->energy.granted), s->energy.left);
    s->energy.left = budget > 0.0 ? left : 0.0;
    s->energy.granted = budget;
    if (s->energy.left > budget) {
        s->energy.passed = cp_bounded(s->energy.passed + (s->energy.left - budget), s->energy.passed);
        s->energy.left = budget;
    }
}

/* whether the coupling creates energy, as far as that is known */
CP_API bool cp_energy_creates(const cp_coupling_settings *c, const cp_state *s)
{
    return cp_bonded(c, s) && s->energy.grade == CP_ENERGY_CREATES;
}

static void cp_energy_grade(cp_state *s)
{
    const double now = s->energy.far ? s->energy.residual : s->energy.own;
    const double most = s->energy.transmitted;
    const double made = cp_between(now - s->energy.before, -most, most);
    s->energy.created = cp_bounded(CP_ENERGY_MEMORY * s->energy.created + made, 0.0);
    s->energy.transmitted = CP_ENERGY_MEMORY * s->energy.transmitted;
    s->energy.before = now;
    if (s->energy.graded < CP_ENERGY_ENOUGH) {
        s->energy.graded++;
        return;
    }
    const double limit = CP_CREATED * s->energy.transmitted;
    s->energy.grade = CP_ENERGY_NEUTRAL;
    if (s->energy.created > limit) {
        s->energy.grade = CP_ENERGY_CREATES;
        cp_tell_once(s, CP_CREATES_ENERGY);
    } else if (s->energy.created < -limit) {
        s->energy.grade = CP_ENERGY_LOSES;
        if (s->parameter.action == CP_QUALITY_WARN) { /* a warning is told each time it begins */
            s->log.told &= ~CP_CREATES_ENERGY;
        }
    }
}

CP_API void cp_energy(const cp_coupling_settings *c, cp_state *s)
{
    if (!cp_bonded(c, s)) {
        return;
    }
    cp_energy_follow(c, s);
    cp_energy_respond(c, s);
    cp_energy_settle(c, s);
    cp_energy_receive(s);
    cp_energy_grade(s);
    s->energy.correction = 0.0;
    s->energy.limited = 0;
    const bool safe = s->switching.mode == CP_LOST && s->parameter.on_loss == CP_LOSS_SAFE;
    if (s->parameter.bypass || safe || !s->history.filled) {
        s->energy.last = s->energy.reached = s->algorithm.level;
        s->energy.change[0] = 0.0;
        return;
    }
    cp_budget(c, s);
}
