/* The members of `auto` that learn the signal while it runs: ridge regression with forgetting.

   Foreseen is the change since the newest value. The first weighs what 11 values before it and 4 exponential averages
   (factors exp(-1/4), exp(-1/8), exp(-1/16), exp(-1/32)) differ by from it. With x such differences `reach` + 1 slots
   ago, and d the change that followed, the weights w minimise the sum of 0.997^age (d - w' x)^2 / |x, d|^2 plus a
   ridge, 1e-5 of the mean diagonal of the sum of x x': where nothing can be foreseen they shrink to 0, which is zoh.
   Over their size all values teach alike, those of a quiet signal too. A second row of weights stands for the change a
   macro step later.

   The second, `deep`, weighs the last 31 changes, with 0.9995, each as it is. Their sums of products differ from those
   a value earlier by one product each: those of a change with the ones before it, by distance, and the changes
   themselves tell all others.

   The sums are those of one reach, the usual one; where the lead is another, the line through both ends goes on. */
#include "../stages.h"

#include <math.h>
#include <string.h>

enum { CP_LAGS = CP_ADAPTED - CP_AVERAGES, CP_DEEP_SUMS = CP_DEEP * (CP_DEEP + 1) / 2 };

/* what the averages keep: exp(-1/4), and of each the square root */
static const double cp_adaptive_keeps[CP_AVERAGES] = {CP_ADAPTIVE_KEEPS, 0.8824969025845955, 0.9394130628134758,
                                                      0.9692332344763441};

/* Forget what was learnt, but no values. */
CP_API void cp_adaptive_forget(cp_state *s)
{
    memset(s->adaptive.sums, 0, sizeof s->adaptive.sums);
    memset(s->adaptive.right, 0, sizeof s->adaptive.right);
    memset(&s->deep, 0, sizeof s->deep);
    s->adaptive.samples = s->adaptive.unused = 0;
}

/* Forget everything. */
CP_API void cp_adaptive_start(cp_state *s)
{
    memset(&s->adaptive, 0, sizeof s->adaptive);
    memset(&s->deep, 0, sizeof s->deep);
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

/* Are `lags` values before that of `back` slots ago in the history, and on this side of the last jump? */
static bool cp_adaptive_sees(const cp_state *s, int32_t back, int32_t lags)
{
    return back + lags + CP_ADAPTIVE_GAP < CP_SLOTS && s->history.newest - back - lags >= s->switching.anchor;
}

static void cp_adaptive_average(cp_state *s, double *averages, int32_t place)
{
    const double value = s->history.past[place];
    const bool first = s->history.newest - place <= s->switching.anchor;
    for (int i = 0; i < CP_AVERAGES; i++) {
        averages[i] = first ? value : cp_bounded(value + cp_adaptive_keeps[i] * (averages[i] - value), value);
    }
}

/* Add the change of `back` slots ago, with those that followed, to the sums; jumps and rest teach nothing. */
static void cp_deep_take(cp_state *s, int32_t back)
{
    const int64_t jump = s->switching.anchor - (s->history.newest - back);
    if (back + 1 >= CP_SLOTS || (jump >= 0 && jump <= s->adaptive.reach + 1)) {
        return;
    }
    const double *const past = s->history.past;
    double *const changes = s->deep.changes;
    const double now = past[back] - past[back + 1];
    const double near = past[back - s->adaptive.reach] - past[back];
    const double far = past[back - s->adaptive.reach - 1] - past[back];
    const double most = cp_larger(fabs(now), cp_larger(fabs(near), fabs(far)));
    const double width = s->bank.high - s->bank.low;
    if (!(most < CP_ADAPTIVE_LARGEST) || (most == 0.0 && s->deep.sums[0] <= CP_DEEP_REST * (width * width))) {
        return;
    }
    memmove(changes + 1, changes, (CP_DEEP - 1) * sizeof *changes);
    changes[0] = now;
    for (int i = 0; i < CP_DEEP; i++) {
        s->deep.sums[i] = CP_DEEP_MEMORY * s->deep.sums[i] + now * changes[i];
        s->deep.right[i] = CP_DEEP_MEMORY * s->deep.right[i] + near * changes[i];
        s->deep.right[CP_DEEP + i] = CP_DEEP_MEMORY * s->deep.right[CP_DEEP + i] + far * changes[i];
    }
    s->deep.samples = s->deep.samples < CP_DEEP_ENOUGH ? s->deep.samples + 1 : CP_DEEP_ENOUGH;
    s->deep.unused = s->deep.unused < CP_DEEP_EVERY ? s->deep.unused + 1 : CP_DEEP_EVERY;
}

/* Take the values that are new into averages and sums; true if there are any. */
CP_API bool cp_adaptive_take(const cp_coupling_settings *c, cp_state *s)
{
    cp_adaptive_fit(c, s);
    const int64_t since = s->history.newest - s->adaptive.taken;
    int32_t place = since < CP_ADAPTIVE_GAP ? (int32_t)since : CP_ADAPTIVE_GAP;
    for (; place > 0; place--) {
        const int32_t before = place + s->adaptive.reach;
        cp_adaptive_average(s, s->adaptive.average, place - 1);
        cp_adaptive_average(s, s->adaptive.late, before < CP_SLOTS ? before : CP_SLOTS - 1);
        cp_deep_take(s, before);
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

/* Take equation k out of the `n` - 1 - k below it: a column of L, and D^-1 on the diagonal. */
static void cp_adaptive_eliminate(double *factor, double *near, int32_t n, int32_t k, double least)
{
    double below[CP_DEEP];
    double *const far = near + n;
    double *const top = &factor[k * (k + 3) / 2];
    const double inverse = *top = 1.0 / (*top > least ? *top : least);
    for (int32_t i = k + 1; i < n; i++) {
        double *const row = &factor[i * (i + 1) / 2];
        const double share = row[k] * inverse;
        below[i] = row[k];
        row[k] = share;
        for (int32_t j = k + 1; j <= i; j++) {
            row[j] = row[j] - share * below[j];
        }
        near[i] = near[i] - share * near[k];
        far[i] = far[i] - share * far[k];
    }
}

/* Solve for both rows of `n` weights by L D L'; `factor` has the sums, `near` their right sides. */
static void cp_adaptive_solve(double *factor, double *near, int32_t n, double ridge)
{
    double *const far = near + n;
    for (int32_t i = 0; i < n; i++) {
        factor[i * (i + 3) / 2] = factor[i * (i + 3) / 2] + ridge;
    }
    for (int32_t k = 0; k < n; k++) {
        cp_adaptive_eliminate(factor, near, n, k, CP_ADAPTIVE_PIVOT * ridge);
    }
    for (int32_t i = 0; i < n; i++) {
        near[i] = near[i] * factor[i * (i + 3) / 2];
        far[i] = far[i] * factor[i * (i + 3) / 2];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        const double *const row = &factor[i * (i + 1) / 2];
        const double last = near[i] = cp_bounded(near[i], 0.0);
        const double next = far[i] = cp_bounded(far[i], 0.0);
        for (int32_t k = 0; k < i; k++) {
            near[k] = near[k] - row[k] * last;
            far[k] = far[k] - row[k] * next;
        }
    }
}

/* Work out weights from sums; those of a change and another lie on a diagonal with those a value earlier. */
CP_APART void cp_deep_solve(cp_state *s)
{
    double factor[CP_DEEP_SUMS];
    const double *const changes = s->deep.changes;
    double trace = s->deep.sums[0];
    factor[0] = trace;
    for (int32_t i = 1, at = 1; i < CP_DEEP; i++) {
        factor[at++] = s->deep.sums[i];
        for (int32_t j = 1; j <= i; j++, at++) {
            factor[at] = (factor[at - i - 1] - changes[i - 1] * changes[j - 1]) * (1.0 / CP_DEEP_MEMORY);
        }
        trace = trace + factor[at - 1];
    }
    const double ridge = CP_DEEP_RIDGE * trace / (double)CP_DEEP;
    s->deep.unused = 0;
    if (ridge * CP_ADAPTIVE_PIVOT > CP_ADAPTIVE_LEAST) {
        memcpy(s->deep.use, s->deep.right, sizeof s->deep.use);
        cp_adaptive_solve(factor, s->deep.use, CP_DEEP, ridge);
    }
}

/* Take a sample, over its size, into the sums; their trace. */
static double cp_adaptive_add(cp_state *s, const double *x, const double *change, double weight)
{
    double trace = 0.0;
    for (int i = 0, at = 0; i < CP_ADAPTED; i++) {
        const double part = weight * x[i];
        for (int j = 0; j <= i; j++, at++) {
            s->adaptive.sums[at] = CP_ADAPTIVE_MEMORY * s->adaptive.sums[at] + part * x[j];
        }
        trace = trace + s->adaptive.sums[at - 1];
        for (int end = 0; end < 2; end++) {
            double *const right = &s->adaptive.right[end * CP_ADAPTED + i];
            *right = CP_ADAPTIVE_MEMORY * *right + part * change[end];
        }
    }
    return trace;
}

/* Learn from the newest value what followed on the values `reach` + 1 slots ago. */
CP_APART void cp_adaptive_teach(cp_state *s)
{
    const int32_t back = s->adaptive.reach + 1;
    if (!cp_adaptive_sees(s, back, CP_LAGS)) {
        return;
    }
    const double *const past = s->history.past;
    double x[CP_ADAPTED];
    const double change[2] = {past[1] - past[back], past[0] - past[back]};
    const double largest = cp_adaptive_values(s, back, s->adaptive.late, x);
    const double moved = cp_larger(largest, cp_larger(fabs(change[0]), fabs(change[1])));
    const double least = CP_ADAPTIVE_MOVED * (s->bank.high - s->bank.low);
    double size = least * least + (change[0] * change[0] + change[1] * change[1]);
    for (int i = 0; i < CP_ADAPTED; i++) {
        size = size + x[i] * x[i];
    }
    if (!(moved > least && moved < CP_ADAPTIVE_LARGEST && size > CP_ADAPTIVE_LEAST)) {
        return;
    }
    const double ridge = CP_ADAPTIVE_RIDGE * cp_adaptive_add(s, x, change, 1.0 / size) / (double)CP_ADAPTED;
    s->adaptive.samples = s->adaptive.samples < CP_ADAPTIVE_ENOUGH ? s->adaptive.samples + 1 : CP_ADAPTIVE_ENOUGH;
    s->adaptive.unused++;
    if (s->adaptive.unused == CP_ADAPTIVE_EVERY) {
        s->adaptive.unused = 0;
        if (ridge * CP_ADAPTIVE_PIVOT > CP_ADAPTIVE_LEAST) {
            double factor[CP_ADAPTED_SUMS];
            memcpy(factor, s->adaptive.sums, sizeof factor);
            memcpy(s->adaptive.use, s->adaptive.right, sizeof s->adaptive.use);
            cp_adaptive_solve(factor, s->adaptive.use, CP_ADAPTED, ridge);
        }
    }
}

/* Learn from values that are new; the sums have them where it can be told what they teach. */
CP_API void cp_adaptive_learn(cp_state *s)
{
    cp_adaptive_teach(s);
    if (s->deep.unused == CP_DEEP_EVERY) {
        cp_deep_solve(s);
    }
}

/* Has the first, or the one that looks far back, learnt enough, and are there values for its weights? */
CP_API bool cp_adaptive_is_ready(const cp_state *s, bool deep)
{
    const bool known = deep ? s->deep.samples == CP_DEEP_ENOUGH : s->adaptive.samples == CP_ADAPTIVE_ENOUGH;
    return known && s->latency.early == 0 && cp_adaptive_sees(s, 0, deep ? (int32_t)CP_DEEP : (int32_t)CP_LAGS);
}

CP_API cp_shifted_line cp_adaptive_line(const cp_state *s, bool deep)
{
    double x[CP_DEEP];
    double near = 0.0;
    double far = 0.0;
    const double *const past = s->history.past;
    const double *const use = deep ? s->deep.use : s->adaptive.use;
    const int32_t n = deep ? CP_DEEP : CP_ADAPTED;
    cp_adaptive_values(s, 0, s->adaptive.average, x);
    for (int32_t i = 0; i < n; i++) {
        x[i] = deep ? past[i] - past[i + 1] : x[i];
        near = near + use[i] * x[i];
        far = far + use[n + i] * x[i];
    }
    const double shift = s->adaptive.reach - (s->latency.steps - s->latency.fraction);
    return (cp_shifted_line){past[0] + near, far - near, shift};
}

/* share of the newest value in the line; the weights are older than it */
CP_API cp_shifted_line cp_adaptive_share(const cp_state *s, bool deep)
{
    cp_shifted_line share = cp_adaptive_line(s, deep);
    share.level = 1.0;
    share.slope = 0.0;
    if (deep) {
        share.level = 1.0 + s->deep.use[0];
        share.slope = s->deep.use[CP_DEEP] - s->deep.use[0];
    }
    for (int i = 0; i < CP_ADAPTED && !deep; i++) {
        const double part = i < CP_LAGS ? 1.0 : cp_adaptive_keeps[i - CP_LAGS];
        share.level = share.level - part * s->adaptive.use[i];
        share.slope = share.slope + part * (s->adaptive.use[i] - s->adaptive.use[CP_ADAPTED + i]);
    }
    return share;
}
