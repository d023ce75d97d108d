/* The noise of a signal, as `irregular` has to assume it.

   With weights w_i = 1 / prod_j (t_i - t_j) the six newest values give their fifth difference, in which a smooth signal
   leaves next to nothing; (sum w_i y_i)^2 / sum w_i^2 then is a sample of the variance of the noise. The median of the
   last 21 of them counts, so that jumps do not, over the mean square of the change over eight slots: `irregular` thinks
   of a signal that changes as its band says. Where `signal.noise` is given it is the least: a loop may make more of it.

   Levels of noise are a factor of 4 apart, and one holds until the noise is 3 times more or less than its own. */
#include "../stages.h"

static double cp_noise_sample(const cp_state *s, const int32_t *slots)
{
    double apart[CP_ROUGH];
    double behind[CP_ROUGH + 1];
    for (int i = 0; i < CP_ROUGH; i++) {
        apart[i] = 1.0;
        for (int j = 0; j < i; j++) {
            const double time = s->history.stamps[slots[j]] - s->history.stamps[slots[i]];
            apart[i] = apart[i] * -time;
            apart[j] = apart[j] * time;
        }
    }
    behind[CP_ROUGH] = 1.0;
    for (int i = CP_ROUGH - 1; i >= 0; i--) {
        behind[i] = behind[i + 1] * apart[i];
    }
    double before = 1.0;
    double sum = 0.0;
    double square = 0.0;
    for (int i = 0; i < CP_ROUGH; i++) {
        const double weight = before * behind[i + 1]; /* the product of all over that of i */
        before = before * apart[i];
        sum = sum + weight * (s->history.past[slots[i]] - s->history.past[slots[0]]);
        square = square + weight * weight;
    }
    return square > 0.0 ? cp_bounded(sum * sum / square, 0.0) : 0.0;
}

/* Is the noise that is given above `limit`, or are more than half of the samples? */
static bool cp_noise_exceeds(const cp_state *s, double limit)
{
    const int32_t known = s->noise.known < CP_RESIDUALS ? s->noise.known : CP_RESIDUALS;
    int32_t above = 0;
    for (int32_t i = 0; i < known; i++) {
        above += s->noise.told[i] > limit;
    }
    return 2 * above > known || CP_MEDIAN * s->parameter.noise * s->parameter.noise > limit;
}

/* Take in the newest values, in `slots`; at once as many levels up as the noise has, one down. */
static void cp_noise_follow(cp_state *s, const int32_t *slots)
{
    const double change = s->history.past[0] - s->history.past[CP_CHANGE];
    s->noise.newest = s->history.newest;
    s->noise.known = s->noise.known < CP_CHANGE_SPAN ? s->noise.known + 1 : CP_CHANGE_SPAN;
    s->noise.told[s->noise.next] = cp_noise_sample(s, slots);
    s->noise.next = s->noise.next + 1 < CP_RESIDUALS ? s->noise.next + 1 : 0;
    s->noise.change = cp_bounded(s->noise.change + (change * change - s->noise.change) / s->noise.known, CP_UNLIMITED);
    double limit = CP_MEDIAN * CP_SHARE_OF_CHANGE * s->noise.change;
    for (int32_t i = 0; i < s->noise.level; i++) {
        limit = CP_MORE_AT_LEVEL * limit;
    }
    if (s->noise.level > 0 && !cp_noise_exceeds(s, limit / CP_OFF_LEVEL)) {
        s->noise.level = s->noise.level - 1;
        return;
    }
    while (s->noise.level < CP_NOISE_LEVELS - 1 && cp_noise_exceeds(s, CP_OFF_LEVEL * limit)) {
        limit = CP_MORE_AT_LEVEL * limit;
        s->noise.level = s->noise.level + 1;
    }
}

/* Let the errors so far, those of other weights, count no more. */
CP_API void cp_noise_judge_anew(cp_state *s)
{
    s->quality.error_power = s->quality.hold_power = s->quality.wire_power = 0.0;
    s->quality.measured = 0;
}

/* Does the signal move far more, or less, than where the faded squared errors of zoh were `scale`? */
CP_API bool cp_noise_is_elsewhere(const cp_state *s, double scale)
{
    const double power = s->quality.hold_power;
    return s->quality.measured >= CP_ENOUGH && (power > CP_ONSET * scale || CP_ONSET * power < scale);
}

/* Are weights doubted? Not by errors of another scene: those of the weights that doubt chooses would keep it up. */
static bool cp_noise_doubts(cp_state *s)
{
    if (!(s->noise.wide > 0 && s->parameter.selected == CP_IRREGULAR && s->quality.measured >= CP_ENOUGH &&
          s->quality.skill_zoh < CP_POOR)) {
        s->noise.scale = s->quality.measured >= CP_ENOUGH ? 0.0 : s->noise.scale;
        return false;
    }
    if (s->noise.scale > 0.0 && cp_noise_is_elsewhere(s, s->noise.scale)) {
        cp_noise_judge_anew(s);
        s->noise.scale = 0.0;
        return false;
    }
    s->noise.scale = s->noise.scale > 0.0 ? s->noise.scale : s->quality.hold_power;
    return true;
}

/* Settle the noise to assume at `count` values in `slots`; is the newest unusually `late`? Where that has been so and
   the errors are not small, a loop bears larger weights least. */
CP_API void cp_noise_assume(cp_state *s, const int32_t *slots, int32_t count, bool late)
{
    if (count >= CP_ROUGH && (s->noise.known == 0 || s->noise.newest != s->history.newest)) {
        cp_noise_follow(s, slots);
    }
    s->noise.wide = late ? CP_WIDE_SPAN : s->noise.wide - (s->noise.wide > 0);
    s->noise.assumed = s->noise.level;
    if (cp_noise_doubts(s)) {
        const int32_t poor = CP_POOR_LEVEL + (s->quality.skill_zoh < CP_POORER);
        s->noise.assumed = s->noise.level > poor ? s->noise.level : poor;
    }
}
