/* Book the energy that leaves the network at one end of a power bond, at every communication point.

   What is given out over a step of length h is a line; m is its mean, d its change, in step timing it is held. At the
   end that receives the effort, with the displacement x or the velocity v that it sends,

       W = m (x' - x) + d m r (h/dT)^2 / 6        W = (m (v + v')/2 + d (v' - v)/12) h

   where the last terms are what a change within the step adds; r is the `response` of the receiver. At the end that
   receives the flow, with the effort e that it sends, and a displacement that moves by d over a step and jumps by j at
   its end, or a velocity,

       W = -(e + e')/2 (d + j)                    W = -((e + e')/2 m + d (e' - e)/12) h

   The effort before a jump is not seen; where `energy.stiffness` is known it is e' + stiffness j, and rise and jump are
   booked each with the mean of the efforts at its ends; the budget pays for the dearer of both, for a contact may be
   open. The energies are those at the ports: no delay is assumed. */
#include "../stages.h"

#include <math.h>

CP_API bool cp_bond_late(const cp_coupling_settings *c, const cp_state *s)
{
    return c->event && s->bond.end != CP_BOND_EFFORT;
}

static void cp_bond_shift(double *list, double newest)
{
    list[1] = list[0];
    list[0] = newest;
}

static void cp_bond_give(cp_state *s, double start, double end)
{
    cp_bond_shift(s->energy.start, start);
    cp_bond_shift(s->energy.end, end);
    s->energy.change[1] = s->energy.change[0];
}

static void cp_bond_hear(cp_state *s)
{
    if (!cp_finite(s->bond.conjugate)) {
        cp_tell_once(s, CP_BAD_CONJUGATE);
        s->energy.heard = s->energy.counted = 0;
        return;
    }
    cp_bond_shift(s->energy.conjugate, s->bond.conjugate);
    s->energy.heard = s->energy.heard < 3 ? s->energy.heard + 1 : 3;
}

/* energy of a displacement given out, with the efforts `latest` and `old`, J; the budget pays for what it would be more
   were the contact open */
static double cp_bond_displacement_energy(const cp_coupling_settings *c, cp_state *s, double latest, double old)
{
    const double stiffness = s->bond.stiffness;
    double rise = s->energy.end[1] - s->energy.start[1];
    double jump = s->energy.start[0] - s->energy.end[1];
    if (!c->event) {
        rise = 0.0;
        jump = s->reconstruction.given - s->energy.start[0];
    }
    if (stiffness > 0.0) {
        const double then = s->bond.stale ? latest : latest + stiffness * jump;
        const double after = then - stiffness * jump;
        const double closed = -(0.5 * (old + then) * rise + 0.5 * (then + after) * jump);
        if (!s->bond.stale) {
            const double more = -0.5 * (old + latest) * (rise + jump) - closed;
            s->energy.left = cp_bounded(s->energy.left - cp_larger(more, 0.0), s->energy.left);
        }
        return closed;
    }
    if (s->bond.stale && !c->event) {
        jump = s->energy.start[0] - s->energy.start[1];
    }
    return -0.5 * (old + latest) * (rise + jump);
}

/* energy of an effort given out, J; what the corrections had of it is booked as their work */
static double cp_bond_effort(const cp_coupling_settings *c, cp_state *s, double latest, double old, double h)
{
    const double mean = 0.5 * (s->energy.start[0] + s->energy.end[0]);
    const double rise = s->energy.end[0] - s->energy.start[0];
    double moved = 0.5 * (old + latest) * h;
    double within = rise * (latest - old) * h / 12.0;
    if (s->bond.conjugate_is == CP_CONJUGATE_DISPLACEMENT) {
        moved = latest - old;
        within = 0.0;
        if (c->event) {
            const double part = h / s->grid.period;
            within = rise * mean * s->energy.response * part * part / 6.0;
        }
    }
    s->energy.work = cp_bounded(s->energy.work + s->energy.change[1] * moved, s->energy.work);
    return mean * moved + within;
}

/* energy of the step that is booked; 0 where its conjugate is not known at both ends, J */
static double cp_bond_energy(const cp_coupling_settings *c, cp_state *s)
{
    if (s->energy.heard < 2) {
        return 0.0;
    }
    const double sign = cp_bond_sign(s);
    const double latest = sign * s->energy.conjugate[0];
    const double old = sign * s->energy.conjugate[1];
    if (s->bond.end == CP_BOND_DISPLACEMENT) {
        return cp_bounded(cp_bond_displacement_energy(c, s, latest, old), 0.0);
    }
    const int at = cp_bond_late(c, s) ? 1 : 0;
    const double h = s->energy.lasted[at];
    if (s->bond.end == CP_BOND_EFFORT) {
        return cp_bounded(cp_bond_effort(c, s, latest, old, h), 0.0);
    }
    const double mean = 0.5 * (s->energy.start[at] + s->energy.end[at]);
    const double rise = s->energy.end[at] - s->energy.start[at];
    return cp_bounded(-(0.5 * (old + latest) * mean + rise * (latest - old) / 12.0) * h, 0.0);
}

/* Book the step that ends at this communication point, or where the conjugate is late the step before it. */
CP_API void cp_book(const cp_coupling_settings *c, cp_state *s)
{
    if (!cp_bonded(c, s) || (s->energy.heard > 0 && !(s->grid.time > s->energy.time))) {
        return;
    }
    cp_bond_shift(s->energy.lasted, s->grid.time - s->energy.time);
    s->energy.booked = cp_bond_late(c, s) ? s->energy.time : s->grid.time;
    s->energy.time = s->grid.time;
    if (!cp_bond_late(c, s)) {
        cp_bond_hear(s);
    }
    const double energy = cp_bond_energy(c, s);
    const double lasted = s->energy.lasted[0];
    s->energy.given = cp_bounded(s->energy.given + energy, s->energy.given);
    s->energy.left = cp_bounded(s->energy.left - energy, s->energy.left);
    s->energy.transmitted = cp_bounded(s->energy.transmitted + fabs(energy), s->energy.transmitted);
    s->energy.power = lasted > 0.0 ? cp_bounded(energy / lasted, 0.0) : 0.0;
    const double mean = 0.5 * (s->energy.start[0] + s->energy.end[0]);
    s->energy.impulse = cp_bounded(s->energy.impulse + mean * lasted, s->energy.impulse);
    if (!c->event) {
        cp_bond_give(s, s->reconstruction.given, s->reconstruction.given);
    }
}

/* Keep what is given out over the step that begins, and a conjugate that came late. */
CP_API void cp_note(const cp_coupling_settings *c, cp_state *s)
{
    if (!cp_bonded(c, s) || !c->event) {
        return;
    }
    cp_bond_give(s, s->reconstruction.given, s->reconstruction.ends);
    if (cp_bond_late(c, s)) {
        cp_bond_hear(s);
    }
}
