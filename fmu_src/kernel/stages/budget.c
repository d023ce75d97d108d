/* Take created energy back, and keep the estimate within the budget of energy.

   Take back: the effort gets a damper against U, the energy created less the work of the corrections K up to the newest
   time that both ends know, and all of K, beyond a share of what is transmitted,

       c = -nu U v / (dT (v^2 + mean v^2)/2),  |c| <= cap |estimate|,  c = 0 where U <= 0

   Budget: T starts at B at both ends, every step takes its energy from it. What exceeds B is passed on, and added to
   the far end's T as far as it fits. An estimate is scaled down until its energy a v dT + r a^2 fits into T, at the end
   of a displacement the position waits and catches up. So the energy created stays within two budgets, whatever
   latency, loss, order and algorithm: T_e + T_f = 2 B - E_e - E_f - (under way) - (dropped), hence
   G = E_e + E_f <= 2 B - T_e - T_f <= 2 B + (what a single step overdraws): an end that is overdrawn gives out only
   what brings energy back. The response r is the energy that a step costs because the receiver gives way, from the rms
   change of the conjugate over the rms of what made it. Of what the far end says it has passed on only what two
   messages in succession say is added, so that no single wild one adds anything. */
#include "../../base/grid.h"
#include "../stages.h"

#include <math.h>

/* the flow at the macro point, as power into the receiver of the effort counts it; from displacements by the backward
   difference of second order, which takes the two last efforts for equal; `rate` is 1/(2 dT) */
static double cp_budget_speed(const cp_state *s, double rate)
{
    const double *const points = s->energy.points;
    if (s->bond.conjugate_is != CP_CONJUGATE_DISPLACEMENT) {
        return cp_bond_sign(s) * points[0];
    }
    const double way = cp_bond_sign(s) * (3.0 * points[0] - 4.0 * points[1] + points[2]);
    return cp_bounded((way + s->energy.response * (s->energy.means[0] - s->energy.means[1])) * rate, 0.0);
}

/* the effort of a damper that takes out the share `take_back` of the energy owed, at `most` that size */
static double cp_budget_correction(const cp_state *s, double speed, double most)
{
    const bool alone = s->bond.source == CP_SOURCE_OWN;
    const double all = (alone ? s->energy.own : s->energy.owed) + s->energy.work;
    const double tolerated = CP_TOLERATED * s->energy.transmitted;
    const double owed = all - cp_between(all, -tolerated, tolerated);
    const double damped = s->grid.period * (0.5 * (speed * speed + s->energy.square));
    if (!(damped > 0.0 && (owed > 0.0 || s->bond.give_back))) {
        return 0.0;
    }
    return cp_between(cp_bounded(-s->bond.take_back * owed * speed / damped, 0.0), -most, most);
}

static bool cp_budget_coarse(const cp_state *s)
{
    return s->bond.conjugate_is != CP_CONJUGATE_DISPLACEMENT;
}

/* The largest q in 0 .. 1 whose energy `square` q^2 + `linear` q fits into the budget less what is `due`, which adds
   nothing to a whole budget, for that is passed on; where none does, because the budget is overdrawn, the one that
   brings back most. What velocities of stiff shafts do in a step is foreseen less well: the response, and what the
   conjugate has changed by, count more for the given `size`. */
static double cp_budget_share(cp_state *s, double square, double linear, double due, double size)
{
    double left = s->energy.left - due;
    left = left < s->bond.budget ? left : s->bond.budget;
    if (cp_budget_coarse(s)) {
        square = CP_GIVES_WAY * square;
        linear = linear + CP_GOES_ON * fabs(size * (s->energy.points[0] - s->energy.points[1]));
    }
    if (square + linear <= left) {
        return 1.0;
    }
    s->energy.limited = 1;
    cp_tell_once(s, CP_OVERDRAWN);
    const double root = sqrt(cp_larger(linear * linear + 4.0 * square * left, 0.0));
    const double share = linear > 0.0 ? 2.0 * left / (linear + root) : (root - linear) / (2.0 * square);
    return cp_between(cp_bounded(share, linear > 0.0 ? 0.0 : 1.0), 0.0, 1.0);
}

/* the effort with its correction and within the budget; `part` of a macro step is over where it takes effect */
static cp_line cp_budget_effort(const cp_coupling_settings *c, cp_state *s, cp_line line, double part)
{
    const double period = s->grid.period;
    const double force = s->energy.start[0];
    const double rate = 0.5 / period;
    const double here = cp_budget_speed(s, rate);
    const double then = c->event ? here : here + 4.0 * s->energy.response * force * part * rate;
    double mean = line.level + 0.5 * (1.0 - part) * line.slope;
    s->energy.square =
        cp_bounded(CP_SPEED_MEMORY * s->energy.square + (1.0 - CP_SPEED_MEMORY) * (then * then), CP_UNLIMITED);
    if (s->bond.take_back > 0.0) {
        s->energy.correction = cp_budget_correction(s, then, s->bond.cap * fabs(mean));
        line.level = line.level + s->energy.correction;
        mean = mean + s->energy.correction;
    }
    if (!(s->bond.budget > 0.0)) {
        return line;
    }
    const double due =
        c->event ? 0.0 : force * here * period * part + s->energy.response * force * force * (part * part);
    const double share = cp_budget_share(s, s->energy.response * mean * mean, mean * then * period, due, mean * period);
    return (cp_line){line.level * share, line.slope * share};
}

/* The largest share of what is `wanted`, after the `way` that is under way, that fits into the budget. The effort that
   it will meet counts as it was, as it goes on, and as it gives way: the worst. Where displacements are wanted, what
   they have moved by is no part of how the effort goes on, and the part `along` the step meets it half a step later. */
static double cp_budget_fitting_share(cp_state *s, double wanted, double along, double way)
{
    const double twice = 2.0 * s->energy.response;
    const double effort = cp_bond_sign(s) * s->energy.points[0];
    const double change = effort - cp_bond_sign(s) * s->energy.points[1];
    const double due = s->energy.response * way * way - effort * way;
    const double then = effort - twice * way;
    double linear = cp_larger(-effort * wanted, -(effort + change) * wanted);
    linear = cp_larger(linear, -then * wanted);
    if (s->bond.end == CP_BOND_DISPLACEMENT) {
        const double *const levels = s->energy.levels + (s->bond.stale ? 1 : 0);
        const double free = change + twice * (levels[0] - levels[1]);
        linear = cp_larger(linear, -((then + free) * wanted + 0.5 * free * along));
    }
    return cp_budget_share(s, s->energy.response * wanted * wanted, linear, cp_larger(due, 0.0), wanted);
}

/* The flow within the budget. A displacement jumps to where its line begins: that has to fit too, for what the line
   brings back comes later. */
static cp_line cp_budget_flow(const cp_coupling_settings *c, cp_state *s, cp_line line, double part)
{
    const double period = s->grid.period;
    const double along = (1.0 - part) * line.slope;
    if (s->bond.end != CP_BOND_DISPLACEMENT) {
        const double way = (c->event ? s->energy.means[0] : s->energy.start[0] * part) * period;
        const double share = cp_budget_fitting_share(s, (line.level + 0.5 * along) * period, 0.0, way);
        return (cp_line){line.level * share, line.slope * share};
    }
    const double reached = s->energy.reached;
    const double held = s->bond.stale ? s->energy.levels[0] - s->energy.levels[1] : 0.0;
    const double way = c->event ? reached - s->energy.last : held;
    const double jump = cp_budget_fitting_share(s, line.level - reached, 0.0, way);
    const double whole = cp_budget_fitting_share(s, line.level + along - reached, along, way);
    const double share = jump < whole ? jump : whole;
    return (cp_line){reached + share * (line.level - reached), line.slope * share};
}

/* The part of the budget below which an estimate of this mean must be plausible, J: the alert, more where a step is
   foreseen less well, and at least what an effort costs if its receiver turns round within the step. */
static double cp_budget_enough(const cp_state *s, double mean)
{
    const double *const points = s->energy.points;
    const double alert = s->bond.alert;
    const bool effort = s->bond.end == CP_BOND_EFFORT;
    if (cp_budget_coarse(s)) {
        const double size = effort ? mean : mean * s->grid.period;
        const double passing =
            CP_GIVES_WAY * s->energy.response * size * size + fabs(points[0] * mean) * s->grid.period;
        return alert * (s->bond.budget + passing);
    }
    const double worst = fabs(mean) * (fabs(points[0] - points[1]) + s->energy.response * fabs(mean));
    return alert * cp_larger(effort ? worst : 0.0, s->bond.budget);
}

/* Keep size and change of an estimate to multiples of the largest ones received. The way to it counts as a ramp, the
   less the more of the budget is used up. */
static cp_line cp_budget_plausible(const cp_state *s, cp_line line)
{
    const double size = s->bond.peak * s->energy.size;
    const double ahead = s->latency.steps + 1;
    const double rate = s->bond.rate * s->energy.swing;
    const double pace = s->energy.swing + 0.5 * ahead * s->energy.growth;
    const double way = fabs(s->history.past[s->latency.early]) + ahead * (pace < rate ? pace : rate);
    const double alert = s->bond.alert * s->bond.budget;
    const double room = CP_FADES * alert;
    const double ramp = room > 0.0 ? cp_larger(1.0 - (alert - s->energy.left) / room, 0.0) : 0.0;
    const double most = size + ramp * cp_larger(way - size, 0.0);
    const double level = cp_between(line.level, -most, most);
    return (cp_line){cp_between(level, s->energy.last - rate, s->energy.last + rate),
                     cp_between(line.slope, -rate, rate)};
}

/* where in the macro step the estimate takes effect: at its start, in step timing where the communication step ends */
static double cp_budget_part(const cp_coupling_settings *c, const cp_state *s)
{
    if (c->event) {
        return 0.0;
    }
    const double length = s->grid.target - cp_point_time(s, s->grid.n);
    return length < s->grid.period ? cp_bounded(length / s->grid.period, 0.0) : 1.0;
}

/* Change the line that is given out. */
CP_API void cp_budget(const cp_coupling_settings *c, cp_state *s)
{
    const double part = cp_budget_part(c, s);
    const double half = 0.5 * (1.0 - part);
    const double slope = s->algorithm.slope;
    const cp_line wanted = {s->algorithm.level + slope * (part - s->algorithm.shift), slope};
    const bool displacement = s->bond.end == CP_BOND_DISPLACEMENT;
    const double raw = displacement ? wanted.level : cp_bounded(wanted.level + half * slope, wanted.level);
    cp_line line = wanted;
    s->energy.raw[cp_ring(c->event ? s->grid.n : s->grid.n + 1)] = raw;
    if (s->bond.budget > 0.0 && s->energy.left < cp_budget_enough(s, raw)) {
        line = cp_budget_plausible(s, line);
        s->energy.limited = line.level != wanted.level || line.slope != wanted.slope;
    }
    const double before = line.level + half * line.slope;
    if (s->bond.end == CP_BOND_EFFORT) {
        line = cp_budget_effort(c, s, line, part);
    } else if (s->bond.budget > 0.0) {
        line = cp_budget_flow(c, s, line, part);
    }
    s->energy.change[0] = cp_bounded(line.level + half * line.slope - before, 0.0);
    if (!(line.level == wanted.level && line.slope == wanted.slope)) {
        s->algorithm.level = cp_bounded(line.level - line.slope * (part - s->algorithm.shift), s->energy.reached);
        s->algorithm.slope = cp_bounded(line.slope, 0.0);
    }
    s->energy.last = cp_bounded(line.level, 0.0);
    s->energy.reached = cp_bounded(line.level + 2.0 * half * line.slope, 0.0);
}
