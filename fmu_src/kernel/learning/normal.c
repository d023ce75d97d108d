/* Least squares with a prior: sums over samples, then a factorisation in pieces of bounded work.

   Symmetric matrices are stored as their lower triangle, row by row. */
#include "learning.h"

#include <math.h>

CP_API void cp_add_sample(double *matrix, double *right, const double *features, int32_t n, double target)
{
    double *place = matrix;
    for (int32_t row = 0; row < n; row++) {
        const double left = features[row];
        right[row] = right[row] + left * target;
        for (int32_t column = 0; column <= row; column++) {
            place[column] = place[column] + left * features[column];
        }
        place += row + 1;
    }
}

CP_API void cp_damp(const double *matrix, double *factor, int32_t n, double damping)
{
    int32_t place = 0;
    for (int32_t row = 0; row < n; row++) {
        for (int32_t column = 0; column <= row; column++) {
            factor[place + column] = matrix[place + column];
        }
        place = place + row + 1;
        factor[place - 1] = factor[place - 1] + damping;
    }
}

CP_API bool cp_factor_column(double *factor, int32_t n, int32_t column)
{
    double *const top = factor + column * (column + 1) / 2;
    double pivot = top[column];
    for (int32_t i = 0; i < column; i++) {
        pivot = pivot - top[i] * top[i];
    }
    if (!(pivot > 0.0)) {
        return false;
    }
    const double root = sqrt(pivot);
    top[column] = root;
    for (int32_t row = column + 1; row < n; row++) {
        double *const place = factor + row * (row + 1) / 2;
        double value = place[column];
        for (int32_t i = 0; i < column; i++) {
            value = value - place[i] * top[i];
        }
        place[column] = value / root;
    }
    return true;
}

CP_API void cp_solve(const double *factor, const double *right, int32_t n, double *x)
{
    for (int32_t row = 0; row < n; row++) {
        const double *const place = factor + row * (row + 1) / 2;
        double value = right[row];
        for (int32_t i = 0; i < row; i++) {
            value = value - place[i] * x[i];
        }
        x[row] = value / place[row];
    }
    for (int32_t row = n - 1; row >= 0; row--) {
        double value = x[row];
        for (int32_t i = row + 1; i < n; i++) {
            value = value - factor[i * (i + 1) / 2 + row] * x[i];
        }
        x[row] = value / factor[row * (row + 1) / 2 + row];
    }
}

CP_API double cp_trace(const double *matrix, int32_t n)
{
    double total = 0.0;
    for (int32_t row = 0; row < n; row++) {
        total = total + matrix[row * (row + 1) / 2 + row];
    }
    return total;
}
