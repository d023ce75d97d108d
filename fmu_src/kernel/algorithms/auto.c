/* The bank of the algorithm `auto`: several algorithms side by side, blended by how well they did.

   Each member has its own ladder after a jump. With L_i the faded sum of its squared errors, known k steps late, member
   i gets a share in proportion to ((L_min + eps) / (L_i + eps))^4, eps = 1e-12 times the squared range of the signal.
   Until a first error is known ZOH has the whole, until 20 are known it shares with FOH; among equals `irregular` is
   favoured, in step timing more; with the guard not where it does worse than ZOH. The guard acts on what is
   blended, not on what is judged: a member that it keeps near the signal would look better than it is. */
#include "../stages.h"

static const int32_t cp_bank_members[CP_BANK] = {CP_MEMBERS};

/* Forget all errors. */
CP_API void cp_bank_start(cp_state *s)
{
    for (int i = 0; i < CP_BANK; i++) {
        s->bank.loss[i] = 0.0;
    }
    s->bank.compared = 0;
}

/* Take in the errors of the estimates at ring place `at`, whose true value is now known. */
CP_API void cp_bank_learn(cp_state *s, size_t at, double value)
{
    if (s->bank.compared == 0) {
        s->bank.low = s->bank.high = value;
    }
    s->bank.low = value < s->bank.low ? value : s->bank.low;
    s->bank.high = value > s->bank.high ? value : s->bank.high;
    for (size_t i = 0; i < CP_BANK; i++) {
        const double error = s->bank.estimated[i * CP_RING + at] - value;
        s->bank.loss[i] = cp_bounded(CP_BANK_MEMORY * s->bank.loss[i] + error * error, CP_UNLIMITED);
    }
    s->bank.compared = s->bank.compared < CP_MANY ? s->bank.compared + 1 : CP_MANY;
}

static double cp_bank_share(double loss, double best)
{
    const double ratio = loss > best ? best / loss : 1.0;
    const double square = ratio * ratio;
    return square * square;
}

static double cp_bank_favour(const cp_coupling_settings *c, const cp_state *s, int i)
{
    const bool harms = s->parameter.guard > 0.0 && s->bank.loss[i] > s->bank.loss[0];
    if (cp_bank_members[i] != CP_IRREGULAR || harms) {
        return 1.0;
    }
    return c->event ? CP_FAVOUR : CP_FAVOUR_IN_STEPS;
}

static double cp_bank_best(const cp_coupling_settings *c, const cp_state *s)
{
    double best = s->bank.loss[0];
    for (int i = 1; i < CP_BANK; i++) {
        if (s->bank.loss[i] < best && cp_is_offered(c, cp_bank_members[i])) {
            best = s->bank.loss[i];
        }
    }
    return best;
}

/* last member that may have a share: ZOH before any error is known, then FOH too, then all */
static int cp_bank_heard(const cp_state *s)
{
    if (s->bank.compared < CP_ENOUGH) {
        return s->bank.compared == 0 ? 0 : 1;
    }
    return CP_BANK - 1;
}

static void cp_bank_weigh(const cp_coupling_settings *c, cp_state *s)
{
    const double best = cp_bank_best(c, s);
    const double width = s->bank.high - s->bank.low;
    const double floor = cp_bounded(CP_BANK_FLOOR * width * width, CP_UNLIMITED);
    double total = 0.0;
    int lead = 0;
    for (int i = 0; i < CP_BANK; i++) {
        const double share = cp_bank_favour(c, s, i) * cp_bank_share(s->bank.loss[i] + floor, best + floor);
        s->bank.weight[i] = cp_is_offered(c, cp_bank_members[i]) ? share : 0.0;
        if (i > cp_bank_heard(s)) {
            s->bank.weight[i] = 0.0;
        }
        total = total + s->bank.weight[i];
    }
    if (!(total > 0.0)) {
        s->bank.weight[0] = total = 1.0;
    }
    for (int i = 0; i < CP_BANK; i++) {
        s->bank.weight[i] = s->bank.weight[i] / total;
        lead = s->bank.weight[i] > s->bank.weight[lead] ? i : lead;
    }
    s->bank.leading = cp_bank_members[lead];
}

CP_API int32_t cp_auto_needed(const cp_coupling_settings *c, const cp_state *s)
{
    (void)c;
    (void)s;
    return 1;
}

/* member number i, or its stand-in on the ladder */
static const cp_algorithm_row *cp_bank_runs(const cp_coupling_settings *c, const cp_state *s, size_t i)
{
    const cp_algorithm_row *const member = cp_row_of(cp_bank_members[i]);
    const int64_t usable = s->history.newest - s->latency.early - s->switching.anchor + 1;
    const int32_t need = member->needed(c, s);
    if (usable >= need && need <= CP_SLOTS - s->latency.early) {
        return member;
    }
    return cp_row_of(usable <= 1 || (s->discontinuity.flagged && s->parameter.hold_after_flag) ? CP_ZOH : CP_FOH);
}

/* line at the macro point, shift 0 */
static cp_shifted_line cp_bank_member(const cp_coupling_settings *c, cp_state *s, size_t i)
{
    const cp_shifted_line line = cp_bank_runs(c, s, i)->line(c, s);
    const double here = line.level - line.slope * line.shift;
    if (cp_finite(here) && cp_finite(line.slope)) {
        return (cp_shifted_line){here, line.slope, 0.0};
    }
    return (cp_shifted_line){s->history.past[s->latency.early], 0.0, 0.0};
}

/* Blend the estimates of all members, guarded, and keep them for judging as they are. */
CP_API cp_shifted_line cp_auto_line(const cp_coupling_settings *c, cp_state *s)
{
    const double ahead = c->event ? 0.0 : 1.0;
    const size_t at = cp_ring(s->grid.n + (c->event ? 0 : 1));
    cp_shifted_line blended = {0.0, 0.0, 0.0};
    cp_bank_weigh(c, s);
    for (size_t i = 0; i < CP_BANK; i++) {
        cp_shifted_line line = cp_bank_member(c, s, i);
        s->bank.estimated[i * CP_RING + at] = cp_bounded(line.level + line.slope * ahead, line.level);
        if (s->bank.weight[i] > 0.0) {
            line = cp_guarded(s, line, s->bank.weight[i]);
            blended.level = blended.level + s->bank.weight[i] * line.level;
            blended.slope = blended.slope + s->bank.weight[i] * line.slope;
        }
    }
    return blended;
}

CP_API cp_shifted_line cp_auto_share(const cp_coupling_settings *c, const cp_state *s)
{
    cp_shifted_line total = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < CP_BANK; i++) {
        if (s->bank.weight[i] > 0.0) {
            const cp_shifted_line share = cp_bank_runs(c, s, i)->share(c, s);
            total.level = total.level + s->bank.weight[i] * (share.level - share.slope * share.shift);
            total.slope = total.slope + s->bank.weight[i] * share.slope;
        }
    }
    return total;
}
