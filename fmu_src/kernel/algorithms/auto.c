/* The bank of the algorithm `auto`: several algorithms side by side, blended by how well they did.

   Each member has its own ladder after a jump. With L_i the faded sum of its squared errors, known k steps late, member
   i gets a share in proportion to ((L_min + eps) / (L_i + eps))^4, eps = 1e-12 times the squared range of the signal.
   Until a first error is known ZOH has the whole, until 20 are known it shares with FOH; among equals `irregular` is
   favoured, in step timing more; with the guard not where it does worse than ZOH. The guard acts on what is
   blended, not on what is judged: a member that it keeps near the signal would look better than it is.

   Two members learn the signal (`adaptive`). They have shares where they do better than the best of the others: where
   one of those is exact nearly right is not enough.

   Errors are clipped, so that a jump, which no member foresees, does not decide for long. Through a small break, such
   as the kink that a hit makes in a position, EROS3 runs alone where the bank foresees well, and errors made until its
   values lie behind it say nothing. A signal that rested while its noise was learnt and begins to move is another one:
   errors begin anew, those of zoh tell it, three in succession. */
#include "../stages.h"

#include <string.h>

/* the first member that learns; those behind it too */
enum { CP_ADAPTIVE = CP_BANK - 2, CP_AT_DEPTH = CP_BANK - 1 };

/* the last two are its own */
static const int32_t cp_bank_members[CP_BANK] = {CP_MEMBERS, CP_AUTO, CP_AUTO};

/* Forget all errors. */
CP_API void cp_bank_start(cp_state *s)
{
    for (int i = 0; i < CP_BANK; i++) {
        s->bank.loss[i] = 0.0;
    }
    s->bank.compared = s->bank.sure = 0;
    s->bank.bent = 0;
    s->bank.moves = 0;
    s->bank.usual = 0.0;
    cp_adaptive_start(s);
}

/* Slots since a small break that is still the last one: kinks, and what they do in a loop; -1: none. */
static int64_t cp_bank_since(const cp_state *s)
{
    return s->bank.bent > 0 && s->bank.bent == s->switching.anchor ? s->history.newest - s->bank.bent : -1;
}

/* Does EROS3 run through a break? In a loop no other makes up for the impulse that it missed. */
static bool cp_bank_passes(const cp_state *s)
{
    const int64_t since = cp_bank_since(s);
    return since >= 0 && since < CP_BANK_BENT && s->bank.sure;
}

/* most that a squared error of member i counts */
static double cp_bank_most(const cp_state *s, size_t i)
{
    const double usual = CP_BANK_SCALE * s->bank.usual;
    const double own = CP_BANK_LARGE * (1.0 - CP_BANK_MEMORY) * s->bank.loss[i];
    if (s->bank.compared <= CP_BANK_KNOWN) {
        return CP_UNLIMITED;
    }
    return usual > own ? usual : own;
}

/* Begin anew where a signal moves that rested while its noise was learnt, by errors of zoh in succession. */
static void cp_bank_heed_onset(cp_state *s, double hold)
{
    const bool learnt = s->bank.compared > CP_BANK_KNOWN && s->adaptive.samples == CP_ADAPTIVE_ENOUGH;
    s->bank.moves = learnt && hold * hold > CP_BANK_ONSET * s->bank.usual ? s->bank.moves + 1 : 0;
    if (s->bank.moves == CP_BANK_MOVES) {
        cp_adaptive_forget(s);
        memset(s->bank.loss, 0, sizeof s->bank.loss);
        s->bank.usual = 0.0;
        s->bank.compared = CP_ENOUGH;
        s->bank.moves = 0;
    }
}

/* Take in the errors of the estimates at ring place `at`, whose true value, in the slot `position`, is now known. */
CP_API void cp_bank_learn(cp_state *s, size_t at, double value, double position)
{
    const double hold = s->bank.estimated[at] - value;
    if (s->bank.compared == 0) {
        s->bank.low = s->bank.high = value;
    }
    s->bank.low = value < s->bank.low ? value : s->bank.low;
    s->bank.high = value > s->bank.high ? value : s->bank.high;
    if (cp_bank_since(s) >= 0 && position < (double)(s->bank.bent + s->latency.steps + CP_BANK_SETTLES)) {
        return;
    }
    cp_bank_heed_onset(s, hold);
    const int32_t known = s->bank.compared < CP_BANK_USUAL ? s->bank.compared + 1 : CP_BANK_USUAL;
    s->bank.usual = cp_bounded(s->bank.usual + (hold * hold - s->bank.usual) / known, CP_UNLIMITED);
    for (size_t i = 0; i < CP_BANK; i++) {
        const double error = s->bank.estimated[i * CP_RING + at] - value;
        const double most = cp_bank_most(s, i);
        const double counts = error * error < most ? error * error : most;
        s->bank.loss[i] = cp_bounded(CP_BANK_MEMORY * s->bank.loss[i] + counts, CP_UNLIMITED);
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

/* last member that may have a share: ZOH before any error is known, then FOH too, then all */
static int cp_bank_last_heard(const cp_state *s)
{
    if (s->bank.compared < CP_ENOUGH) {
        return s->bank.compared == 0 ? 0 : 1;
    }
    return CP_BANK - 1;
}

static void cp_bank_weigh(const cp_coupling_settings *c, cp_state *s)
{
    const bool passes = cp_bank_passes(s);
    bool offered[CP_BANK];
    double best = s->bank.loss[0];
    double others = best;
    for (int i = 0; i < CP_BANK; i++) {
        others = i <= CP_ADAPTIVE ? best : others;
        const bool ready = i < CP_ADAPTIVE || (s->bank.loss[i] < others && cp_adaptive_is_ready(s, i == CP_AT_DEPTH));
        offered[i] = ready && (i >= CP_ADAPTIVE || cp_is_offered(c, cp_bank_members[i]));
        best = offered[i] && s->bank.loss[i] < best ? s->bank.loss[i] : best;
    }
    const double width = s->bank.high - s->bank.low;
    const double floor = cp_bounded(CP_BANK_FLOOR * width * width, CP_UNLIMITED);
    double total = 0.0;
    int lead = 0;
    for (int i = 0; i < CP_BANK; i++) {
        const double share = cp_bank_favour(c, s, i) * cp_bank_share(s->bank.loss[i] + floor, best + floor);
        const bool heard = passes ? cp_bank_members[i] == CP_EROS3 : offered[i] && i <= cp_bank_last_heard(s);
        s->bank.weight[i] = heard ? share : 0.0;
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
    s->bank.sure = s->bank.compared > CP_BANK_KNOWN && best < CP_BANK_SURE * s->bank.loss[0];
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
    const bool through = cp_bank_members[i] == CP_EROS3 && cp_bank_passes(s);
    const int64_t first = through ? s->history.origin : s->switching.anchor;
    const int64_t usable = s->history.newest - s->latency.early - first + 1;
    const int32_t need = i >= CP_ADAPTIVE ? CP_NEVER : member->needed(c, s);
    if (usable >= need && need <= CP_SLOTS - s->latency.early) {
        return member;
    }
    return cp_row_of(usable <= 1 || (s->discontinuity.flagged && s->parameter.hold_after_flag) ? CP_ZOH : CP_FOH);
}

/* line at the macro point, shift 0 */
static cp_shifted_line cp_bank_member(const cp_coupling_settings *c, cp_state *s, size_t i)
{
    const bool deep = i == CP_AT_DEPTH;
    const bool adapts = i >= CP_ADAPTIVE && cp_adaptive_is_ready(s, deep);
    const cp_shifted_line line = adapts ? cp_adaptive_line(s, deep) : cp_bank_runs(c, s, i)->line(c, s);
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
    const bool news = cp_adaptive_take(c, s);
    cp_bank_weigh(c, s);
    for (size_t i = 0; i < CP_BANK; i++) {
        cp_shifted_line line = cp_bank_member(c, s, i);
        s->bank.estimated[i * CP_RING + at] = cp_bounded(line.level + line.slope * ahead, line.level);
        if (s->bank.weight[i] > 0.0) {
            line = cp_guard_line(s, line, s->bank.weight[i]);
            blended.level = blended.level + s->bank.weight[i] * line.level;
            blended.slope = blended.slope + s->bank.weight[i] * line.slope;
        }
    }
    s->adaptive.share = s->bank.weight[CP_ADAPTIVE] + s->bank.weight[CP_AT_DEPTH];
    if (news) {
        cp_adaptive_learn(s);
    }
    return blended;
}

CP_API cp_shifted_line cp_auto_share(const cp_coupling_settings *c, const cp_state *s)
{
    cp_shifted_line total = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < CP_BANK; i++) {
        if (s->bank.weight[i] > 0.0) {
            const cp_shifted_line share =
                i >= CP_ADAPTIVE ? cp_adaptive_share(s, i == CP_AT_DEPTH) : cp_bank_runs(c, s, i)->share(c, s);
            total.level = total.level + s->bank.weight[i] * (share.level - share.slope * share.shift);
            total.slope = total.slope + s->bank.weight[i] * share.slope;
        }
    }
    return total;
}
