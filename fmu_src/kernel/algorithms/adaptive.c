/* The member of `auto` that learns the signal while it runs: ridge regression with forgetting.

   Foreseen is the change since the newest value, from what 7 values before it and 4 exponential averages (factors
   exp(-1/4), exp(-1/8), exp(-1/16), exp(-1/32)) differ by from it. With x such differences `reach` + 1 slots ago, and
   d the change that followed, the weights w minimise the sum of 0.997^age (d - w' x)^2 plus a ridge, a thousandth of
   the mean diagonal of the sum of x x': where nothing can be foreseen they shrink to 0, which is zoh. A second row of
   weights stands for the change a macro step later.

   The sums are those of one reach, the usual one; where the lead is another, the line through both ends goes on. */
#include "../stages.h"

#include <math.h>
#include <string.h>

enum { CP_LAGS = CP_ADAPTED - CP_AVERAGES };

/* what the averages keep: exp(-1/4), and of each the square root */
static const double cp_adaptive_keeps[CP_AVERAGES] = {CP_ADAPTIVE_KEEPS, 0.8824969025845955, 0.9394130628134758,
                                                      0.9692332344763441};

/* Forget everything. */
CP_API void cp_adaptive_start(cp_state *s)
{
    memset(&s->adaptive, 0, sizeof s->adaptive);
    s->adaptive.reach = -1;
}

/* Begin anew where nothing is known that fits to the history or to the usual lead. */
static void cp_adaptive_fit(const cp_coupling_settings *c, cp_state *s)
{
    const int32_t usual = s->latency.usual_reach - (c->event ? 0 : 1);
    const int32_t reach = usual > 0 ? usual : 0;
    if (reach == s->adaptive.reach && s->adaptive.taken <= s->history.newest) {
        return;
    }
    cp_adaptive_start(s);
    s->adaptive.reach = reach;
    s->adaptive.taken = s->history.newest;
    for (int i = 0; i < CP_AVERAGES; i++) {
        s->adaptive.average[i] = s->adaptive.late[i] = s->history.past[0];
    }
}

/* Are the values of the learnt reach, `back` slots ago, in the history and on this side of the last jump? */
static bool cp_adaptive_sees(const cp_state *s, int32_t back)
{
    return back + CP_LAGS + CP_ADAPTIVE_GAP < CP_SLOTS && s->history.newest - back - CP_LAGS >= s->switching.anchor;
}

static void cp_adaptive_average(cp_state *s, double *averages, int32_t place)
{
    const double value = s->history.past[place];
    const bool first = s->history.newest - place <= s->switching.anchor;
    for (int i = 0; i < CP_AVERAGES; i++) {
        averages[i] = first ? value : cp_bounded(value + cp_adaptive_keeps[i] * (averages[i] - value), value);
    }
}

/* Take the values that are new into the averages; true if there are any. */
CP_API bool cp_adaptive_take(const cp_coupling_settings *c, cp_state *s)
{
    cp_adaptive_fit(c, s);
    const int64_t since = s->history.newest - s->adaptive.taken;
    int32_t place = since < CP_ADAPTIVE_GAP ? (int32_t)since : CP_ADAPTIVE_GAP;
    for (; place > 0; place--) {
        const int32_t before = place + s->adaptive.reach;
        cp_adaptive_average(s, s->adaptive.average, place - 1);
        cp_adaptive_average(s, s->adaptive.late, before < CP_SLOTS ? before : CP_SLOTS - 1);
    }
    s->adaptive.taken = s->history.newest;
    return since > 0;
}

/* what is weighed, as it was `back` slots ago; the largest of it */
static double cp_adaptive_values(const cp_state *s, int32_t back, const double *averages, double *x)
{
    const double *const past = &s->history.past[back];
    double largest = 0.0;
    for (int i = 0; i < CP_ADAPTED; i++) {
        x[i] = (i < CP_LAGS ? past[i + 1] : averages[i - CP_LAGS]) - past[0];
        largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
    }
    return largest;
}

/* Solve for both rows of weights by L D L'; a row of L, and D^-1 on the diagonal, of what stays of the sums. */
static void cp_adaptive_solve(cp_state *s, double ridge)
{
    double rest[CP_ADAPTED_SUMS];
    double factor[CP_ADAPTED_SUMS];
    const double least = CP_ADAPTIVE_PIVOT * ridge;
    double *const near = s->adaptive.use;
    double *const far = near + CP_ADAPTED;
    memcpy(rest, s->adaptive.sums, sizeof rest);
    memcpy(near, s->adaptive.right, sizeof s->adaptive.use);
    for (int i = 0; i < CP_ADAPTED; i++) {
        double *const own = &rest[i * (i + 1) / 2];
        double *const row = &factor[i * (i + 1) / 2];
        for (int j = 0; j < i; j++) {
            own[j] = cp_less(own[j], row, &rest[j * (j + 1) / 2], j);
            row[j] = own[j] * factor[j * (j + 3) / 2];
            near[i] = near[i] - row[j] * near[j];
            far[i] = far[i] - row[j] * far[j];
        }
        const double pivot = cp_less(own[i] + ridge, row, own, i);
        row[i] = 1.0 / (pivot > least ? pivot : least);
    }
    for (int i = 0; i < CP_ADAPTED; i++) {
        near[i] = near[i] * factor[i * (i + 3) / 2];
        far[i] = far[i] * factor[i * (i + 3) / 2];
    }
    for (int i = CP_ADAPTED - 1; i >= 0; i--) {
        const double *const row = &factor[i * (i + 1) / 2];
        const double last = near[i] = cp_bounded(near[i], 0.0);
        const double next = far[i] = cp_bounded(far[i], 0.0);
        for (int k = 0; k < i; k++) {
            near[k] = near[k] - row[k] * last;
            far[k] = far[k] - row[k] * next;
        }
    }
}

/* Learn from the newest value what followed on the values `reach` + 1 slots ago. */
CP_API void cp_adaptive_learn(cp_state *s)
{
    const int32_t back = s->adaptive.reach + 1;
    if (!cp_adaptive_sees(s, back)) {
        return;
    }
    const double *const past = s->history.past;
    double x[CP_ADAPTED];
    const double change[2] = {past[1] - past[back], past[0] - past[back]};
    const double largest = cp_adaptive_values(s, back, s->adaptive.late, x);
    const double most = fabs(change[0]) > fabs(change[1]) ? fabs(change[0]) : fabs(change[1]);
    const double moved = most > largest ? most : largest;
    if (!(moved > CP_ADAPTIVE_MOVED * (s->bank.high - s->bank.low) && moved < CP_ADAPTIVE_LARGEST)) {
        return;
    }
    double trace = 0.0;
    for (int i = 0, at = 0; i < CP_ADAPTED; i++) {
        for (int j = 0; j <= i; j++, at++) {
            s->adaptive.sums[at] = CP_ADAPTIVE_MEMORY * s->adaptive.sums[at] + x[i] * x[j];
        }
        trace = trace + s->adaptive.sums[at - 1];
        for (int end = 0; end < 2; end++) {
            double *const right = &s->adaptive.right[end * CP_ADAPTED + i];
            *right = CP_ADAPTIVE_MEMORY * *right + x[i] * change[end];
        }
    }
    s->adaptive.samples = s->adaptive.samples < CP_ADAPTIVE_ENOUGH ? s->adaptive.samples + 1 : CP_ADAPTIVE_ENOUGH;
    const double ridge = CP_ADAPTIVE_RIDGE * trace / CP_ADAPTED;
    if (ridge * CP_ADAPTIVE_PIVOT > CP_ADAPTIVE_LEAST) {
        cp_adaptive_solve(s, ridge);
    }
}

/* Has it learnt enough, and are there values for its weights? */
CP_API bool cp_adaptive_is_ready(const cp_state *s)
{
    return s->adaptive.samples == CP_ADAPTIVE_ENOUGH && s->latency.early == 0 && cp_adaptive_sees(s, 0);
}

CP_API cp_shifted_line cp_adaptive_line(const cp_state *s)
{
    double x[CP_ADAPTED];
    double near = 0.0;
    double far = 0.0;
    cp_adaptive_values(s, 0, s->adaptive.average, x);
    for (int i = 0; i < CP_ADAPTED; i++) {
        near = near + s->adaptive.use[i] * x[i];
        far = far + s->adaptive.use[CP_ADAPTED + i] * x[i];
    }
    const double shift = s->adaptive.reach - (s->latency.steps - s->latency.fraction);
    return (cp_shifted_line){s->history.past[0] + near, far - near, shift};
}

/* share of the newest value in the line; the weights are older than it */
CP_API cp_shifted_line cp_adaptive_share(const cp_state *s)
{
    cp_shifted_line share = cp_adaptive_line(s);
    share.level = 1.0;
    share.slope = 0.0;
    for (int i = 0; i < CP_ADAPTED; i++) {
        const double part = i < CP_LAGS ? 1.0 : cp_adaptive_keeps[i - CP_LAGS];
        share.level = share.level - part * s->adaptive.use[i];
        share.slope = share.slope + part * (s->adaptive.use[i] - s->adaptive.use[CP_ADAPTED + i]);
    }
    return share;
}
