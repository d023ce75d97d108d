/* Spectral least squares on values of any age: the estimate is right where the ages are irregular.

   With the values' times t_i and the time t of the estimate, all counted in macro steps from the newest value, the
   weights h minimise h' (R + noise I) h - 2 h' r with R_ij = r(t_i - t_j), r_i = r(t - t_i), where r is the
   autocorrelation of a signal with the given band, subject to sum h_i t_i^p = t^p for p = 0 .. degree (RESEARCH 3).

   Times are whole numbers of ticks, CP_TICKS of them a macro step, so that equal patterns of ages are recognised. */
#include "../stages.h"

#include <math.h>

enum { CP_ROWS = CP_MAX_DEGREE + 1, CP_SIDES = CP_ROWS + 2 };

/* One system of equations: `count` values, `rows` powers that are continued exactly. Its right sides are solved side by
   side: the powers of the times of the values, then r to the macro point and to the next one. */
typedef struct {
    const cp_spectrum *known;
    const int32_t *ages;
    int32_t count;
    int32_t rows;
    double factor[CP_TERMS][CP_TERMS]; /* Cholesky factor of R + noise I, reciprocal diagonal */
    double right[CP_TERMS][CP_SIDES];
    double solved[CP_TERMS][CP_SIDES]; /* (R + noise I)^-1 times `right` */
    double schur[CP_ROWS][CP_ROWS];    /* Cholesky factor of V' (R + noise I)^-1 V, reciprocal diagonal */
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

static void cp_irregular_fill(cp_normal *e)
{
    for (int32_t i = 0; i < e->count; i++) {
        for (int32_t j = 0; j < i; j++) {
            e->factor[i][j] = cp_irregular_covariance(e->known, e->ages[i] - e->ages[j]);
        }
        e->factor[i][i] = cp_irregular_covariance(e->known, 0) + e->known->noise;
    }
}

/* lower triangle L of R + noise I = L L', column by column, so that what is independent stands side by side */
static void cp_irregular_factor(cp_normal *e)
{
    const double least = 0.5 * e->known->noise;
    cp_irregular_fill(e);
    for (int32_t k = 0; k < e->count; k++) {
        const double pivot = e->factor[k][k] > least ? e->factor[k][k] : least;
        e->factor[k][k] = 1.0 / sqrt(pivot);
        for (int32_t i = k + 1; i < e->count; i++) {
            e->factor[i][k] = e->factor[i][k] * e->factor[k][k];
        }
        for (int32_t i = k + 1; i < e->count; i++) {
            for (int32_t j = k + 1; j <= i; j++) {
                e->factor[i][j] = e->factor[i][j] - e->factor[i][k] * e->factor[j][k];
            }
        }
    }
}

/* row i of all right sides less `factor` times row k */
static void cp_irregular_reduce(double x[][CP_SIDES], int32_t i, int32_t k, double factor)
{
    for (int side = 0; side < CP_SIDES; side++) {
        x[i][side] = x[i][side] - factor * x[k][side];
    }
}

static void cp_irregular_scale(double *row, double factor)
{
    for (int side = 0; side < CP_SIDES; side++) {
        row[side] = row[side] * factor;
    }
}

/* `solved` with L L' solved = right */
static void cp_irregular_solve(cp_normal *e)
{
    for (int32_t i = 0; i < e->count; i++) {
        for (int side = 0; side < CP_SIDES; side++) {
            e->solved[i][side] = e->right[i][side];
        }
        for (int32_t k = 0; k < i; k++) {
            cp_irregular_reduce(e->solved, i, k, e->factor[i][k]);
        }
        cp_irregular_scale(e->solved[i], e->factor[i][i]);
    }
    for (int32_t i = e->count - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < e->count; k++) {
            cp_irregular_reduce(e->solved, i, k, e->factor[k][i]);
        }
        cp_irregular_scale(e->solved[i], e->factor[i][i]);
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

/* product of one right side and one solution */
static double cp_irregular_dot(const cp_normal *e, int32_t right, int32_t solved)
{
    double total = 0.0;
    for (int32_t i = 0; i < e->count; i++) {
        total = total + e->right[i][right] * e->solved[i][solved];
    }
    return total;
}

static void cp_irregular_schur(cp_normal *e)
{
    for (int32_t i = 0; i < e->rows; i++) {
        for (int32_t j = 0; j <= i; j++) {
            double total = cp_irregular_dot(e, i, j);
            for (int32_t k = 0; k < j; k++) {
                total = total - e->schur[i][k] * e->schur[j][k];
            }
            const double pivot = total > 1e-30 ? total : 1e-30;
            e->schur[i][j] = i == j ? 1.0 / sqrt(pivot) : total * e->schur[j][j];
        }
    }
}

/* Solve the small system in place. */
static void cp_irregular_small(const cp_normal *e, double *x)
{
    for (int32_t i = 0; i < e->rows; i++) {
        for (int32_t k = 0; k < i; k++) {
            x[i] = x[i] - e->schur[i][k] * x[k];
        }
        x[i] = x[i] * e->schur[i][i];
    }
    for (int32_t i = e->rows - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < e->rows; k++) {
            x[i] = x[i] - e->schur[k][i] * x[k];
        }
        x[i] = x[i] * e->schur[i][i];
    }
}

/* weights of the estimate `ahead` ticks after the newest value, from the solution for that right side */
static void cp_irregular_predictor(const cp_normal *e, int32_t ahead, int32_t side, double *weights)
{
    double share[CP_ROWS] = {0.0};
    const double at = cp_irregular_scaled(e, ahead);
    for (int32_t row = 0; row < e->rows; row++) {
        share[row] = cp_irregular_power(at, row) - cp_irregular_dot(e, row, side);
    }
    cp_irregular_small(e, share);
    for (int32_t i = 0; i < e->count; i++) {
        weights[i] = e->solved[i][side];
        for (int32_t row = 0; row < e->rows; row++) {
            weights[i] = weights[i] + share[row] * e->solved[i][row];
        }
    }
}

/* a degree needs twice as many values, so that noise is damped */
static int32_t cp_irregular_rows(int32_t count, int32_t degree)
{
    const int32_t allowed = (count - 1) / 2;
    return (degree < allowed ? degree : allowed) + 1;
}

static void cp_irregular_right(cp_normal *e, int32_t lead)
{
    for (int32_t i = 0; i < e->count; i++) {
        const double time = -cp_irregular_scaled(e, e->ages[i]);
        for (int32_t row = 0; row < e->rows; row++) {
            e->right[i][row] = cp_irregular_power(time, row);
        }
        e->right[i][CP_ROWS] = cp_irregular_covariance(e->known, lead + e->ages[i]);
        e->right[i][CP_ROWS + 1] = cp_irregular_covariance(e->known, lead + CP_TICKS + e->ages[i]);
    }
}

CP_API void cp_irregular_weights(const cp_spectrum *known, const int32_t *ages, int32_t count, int32_t lead,
                                 double *level, double *slope)
{
    cp_normal e = {.known = known, .ages = ages, .count = count, .rows = cp_irregular_rows(count, known->degree)};
    cp_irregular_factor(&e);
    cp_irregular_right(&e, lead);
    cp_irregular_solve(&e);
    cp_irregular_schur(&e);
    cp_irregular_predictor(&e, lead, CP_ROWS, level);
    cp_irregular_predictor(&e, lead + CP_TICKS, CP_ROWS + 1, slope);
    for (int32_t i = 0; i < count; i++) {
        slope[i] = slope[i] - level[i];
    }
}
