/* Spectral least squares on values of any age: the estimate is right where the ages are irregular.

   With the values' times t_i and the time t of the estimate, all counted in macro steps from the newest value, the
   weights h minimise h' (R + noise I) h - 2 h' r with R_ij = r(t_i - t_j), r_i = r(t - t_i), where r is the
   autocorrelation of a signal with the given band, subject to sum h_i t_i^p = t^p for p = 0 .. degree (RESEARCH 3).

   Times are whole numbers of ticks, CP_TICKS of them a macro step, so that equal patterns of ages are recognised. */
#include "../stages.h"

#include <math.h>

enum { CP_ROWS = CP_MAX_DEGREE + 1 };

/* one system of equations: `count` values, `rows` powers that are continued exactly */
typedef struct {
    const cp_spectrum *known;
    const int32_t *ages;
    int32_t count;
    int32_t rows;
    double factor[CP_TERMS][CP_TERMS]; /* Cholesky factor of R + noise I, reciprocal diagonal */
    double powers[CP_ROWS][CP_TERMS];  /* of the times of the values */
    double solved[CP_ROWS][CP_TERMS];  /* (R + noise I)^-1 times each power of the times */
    double schur[CP_TERMS][CP_TERMS];  /* likewise of V' (R + noise I)^-1 V */
} cp_normal;

/* r at a distance of `ticks`, a cubic between the knots of the table; beyond its end the last value */
static double cp_irregular_covariance(const cp_spectrum *known, int32_t ticks)
{
    const int32_t distance = ticks < 0 ? -ticks : ticks;
    const int32_t width = CP_TICKS / CP_CELLS;
    const int32_t cell = distance / width;
    if (cell >= CP_KNOTS - 1) {
        return known->correlation[CP_KNOTS - 1];
    }
    const double x = (double)(distance - cell * width) / (double)width;
    const double left = known->correlation[cell];
    const double step = known->correlation[cell + 1] - left;
    const double start = known->gradient[cell] * 0.25 - step;
    const double end = step - known->gradient[cell + 1] * 0.25;
    return left + x * (step + (1.0 - x) * (start + x * (end - start)));
}

/* lower triangle L of R + noise I = L L' */
static void cp_irregular_factor(cp_normal *e)
{
    const double noise = e->known->noise;
    for (int32_t i = 0; i < e->count; i++) {
        for (int32_t j = 0; j <= i; j++) {
            double total = cp_irregular_covariance(e->known, e->ages[i] - e->ages[j]);
            if (i == j) {
                total = total + noise;
            }
            for (int32_t k = 0; k < j; k++) {
                total = total - e->factor[i][k] * e->factor[j][k];
            }
            const double pivot = total > 0.5 * noise ? total : 0.5 * noise;
            e->factor[i][j] = i == j ? 1.0 / sqrt(pivot) : total * e->factor[j][j];
        }
    }
}

/* x with L L' x = right, from L with the reciprocals of its diagonal */
static void cp_irregular_solve(double lower[][CP_TERMS], const double *right, int32_t count, double *x)
{
    for (int32_t i = 0; i < count; i++) {
        double total = right[i];
        for (int32_t k = 0; k < i; k++) {
            total = total - lower[i][k] * x[k];
        }
        x[i] = total * lower[i][i];
    }
    for (int32_t i = count - 1; i >= 0; i--) {
        double total = x[i];
        for (int32_t k = i + 1; k < count; k++) {
            total = total - lower[k][i] * x[k];
        }
        x[i] = total * lower[i][i];
    }
}

/* a time in units of the span of the values, so that powers stay near 1 */
static double cp_irregular_scaled(const cp_normal *e, int32_t ticks)
{
    const int32_t span = e->ages[e->count - 1];
    return (double)ticks / (double)(span > 0 ? span : CP_TICKS);
}

static double cp_irregular_power(double x, int32_t exponent)
{
    double value = 1.0;
    for (int32_t i = 0; i < exponent; i++) {
        value = value * x;
    }
    return value;
}

static double cp_irregular_dot(const double *left, const double *right, int32_t count)
{
    double total = 0.0;
    for (int32_t i = 0; i < count; i++) {
        total = total + left[i] * right[i];
    }
    return total;
}

static void cp_irregular_powers(const cp_normal *e, int32_t exponent, double *powers)
{
    for (int32_t i = 0; i < e->count; i++) {
        powers[i] = cp_irregular_power(-cp_irregular_scaled(e, e->ages[i]), exponent);
    }
}

static void cp_irregular_schur(cp_normal *e)
{
    for (int32_t i = 0; i < e->rows; i++) {
        for (int32_t j = 0; j <= i; j++) {
            double total = cp_irregular_dot(e->powers[i], e->solved[j], e->count);
            for (int32_t k = 0; k < j; k++) {
                total = total - e->schur[i][k] * e->schur[j][k];
            }
            const double pivot = total > 1e-30 ? total : 1e-30;
            e->schur[i][j] = i == j ? 1.0 / sqrt(pivot) : total * e->schur[j][j];
        }
    }
}

/* weights of the estimate `ahead` ticks after the newest value */
static void cp_irregular_predictor(cp_normal *e, int32_t ahead, double *weights)
{
    double right[CP_TERMS];
    double missing[CP_ROWS] = {0.0};
    double share[CP_ROWS];
    for (int32_t i = 0; i < e->count; i++) {
        right[i] = cp_irregular_covariance(e->known, ahead + e->ages[i]);
    }
    cp_irregular_solve(e->factor, right, e->count, weights);
    const double at = cp_irregular_scaled(e, ahead);
    for (int32_t row = 0; row < e->rows; row++) {
        missing[row] = cp_irregular_power(at, row) - cp_irregular_dot(e->powers[row], weights, e->count);
    }
    cp_irregular_solve(e->schur, missing, e->rows, share);
    for (int32_t row = 0; row < e->rows; row++) {
        for (int32_t i = 0; i < e->count; i++) {
            weights[i] = weights[i] + share[row] * e->solved[row][i];
        }
    }
}

/* a degree needs twice as many values, so that noise is damped */
static int32_t cp_irregular_rows(int32_t count, int32_t degree)
{
    const int32_t allowed = (count - 1) / 2;
    return (degree < allowed ? degree : allowed) + 1;
}

CP_API void cp_irregular_weights(const cp_spectrum *known, const int32_t *ages, int32_t count, int32_t lead,
                                 double *level, double *slope)
{
    cp_normal e = {.known = known, .ages = ages, .count = count, .rows = cp_irregular_rows(count, known->degree)};
    cp_irregular_factor(&e);
    for (int32_t row = 0; row < e.rows; row++) {
        cp_irregular_powers(&e, row, e.powers[row]);
        cp_irregular_solve(e.factor, e.powers[row], count, e.solved[row]);
    }
    cp_irregular_schur(&e);
    cp_irregular_predictor(&e, lead, level);
    cp_irregular_predictor(&e, lead + CP_TICKS, slope);
    for (int32_t i = 0; i < count; i++) {
        slope[i] = slope[i] - level[i];
    }
}
