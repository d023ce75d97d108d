/* exp(A h) z for the small systems of the prototypes, with + - * / only. */
#ifndef CP_EXPONENTIAL_H
#define CP_EXPONENTIAL_H

#include <stddef.h>

enum { CP_DIM = 6, CP_DEGREE = 14 }; /* the Taylor polynomial is exact to 2e-17 for |A h| <= 1/2 */

typedef struct {
    double a[CP_DIM][CP_DIM];
} cp_matrix;

/* largest sum of absolute values of a row */
static double cp_norm(const cp_matrix *m)
{
    double largest = 0.0;
    for (size_t i = 0; i < CP_DIM; i++) {
        double row = 0.0;
        for (size_t j = 0; j < CP_DIM; j++) {
            row += m->a[i][j] < 0.0 ? -m->a[i][j] : m->a[i][j];
        }
        largest = row > largest ? row : largest;
    }
    return largest;
}

static cp_matrix cp_matrix_product(const cp_matrix *p, const cp_matrix *q)
{
    cp_matrix r;
    for (size_t i = 0; i < CP_DIM; i++) {
        for (size_t j = 0; j < CP_DIM; j++) {
            r.a[i][j] = 0.0;
            for (size_t k = 0; k < CP_DIM; k++) {
                r.a[i][j] += p->a[i][k] * q->a[k][j];
            }
        }
    }
    return r;
}

static void cp_apply(const cp_matrix *m, double z[CP_DIM])
{
    double r[CP_DIM];
    for (size_t i = 0; i < CP_DIM; i++) {
        r[i] = 0.0;
        for (size_t j = 0; j < CP_DIM; j++) {
            r[i] += m->a[i][j] * z[j];
        }
    }
    for (size_t i = 0; i < CP_DIM; i++) {
        z[i] = r[i];
    }
}

/* The entries of a matrix that are not 0, row by row. */
typedef struct {
    double value[CP_DIM * CP_DIM];
    unsigned char column[CP_DIM * CP_DIM];
    size_t end[CP_DIM]; /* of each row */
} cp_entries;

static cp_entries cp_entries_of(const cp_matrix *m)
{
    cp_entries found;
    size_t n = 0;
    for (size_t i = 0; i < CP_DIM; i++) {
        for (size_t j = 0; j < CP_DIM; j++) {
            if (m->a[i][j] != 0.0) {
                found.value[n] = m->a[i][j];
                found.column[n++] = (unsigned char)j;
            }
        }
        found.end[i] = n;
    }
    return found;
}

/* z + A h (z + A h/2 (z + ..)); most of A is 0, and what is multiplied with 0 changes no digit of a sum */
static void cp_taylor(const cp_entries *entries, double h, double z[CP_DIM])
{
    double y[CP_DIM] = {0.0};
    for (int degree = CP_DEGREE; degree >= 0; degree--) {
        double next[CP_DIM];
        const double share = h / (degree + 1);
        size_t k = 0;
        for (size_t i = 0; i < CP_DIM; i++) {
            double sum = 0.0;
            for (; k < entries->end[i]; k++) {
                sum += entries->value[k] * y[entries->column[k]];
            }
            next[i] = z[i] + sum * share;
        }
        for (size_t i = 0; i < CP_DIM; i++) {
            y[i] = next[i];
        }
    }
    for (size_t i = 0; i < CP_DIM; i++) {
        z[i] = y[i];
    }
}

/* exp(A h / 2^s), column by column, squared s times */
static void cp_squared(const cp_matrix *m, double h, int squarings, double z[CP_DIM])
{
    cp_matrix e;
    const cp_entries entries = cp_entries_of(m);
    for (int i = 0; i < squarings; i++) {
        h *= 0.5;
    }
    for (size_t j = 0; j < CP_DIM; j++) {
        double column[CP_DIM] = {0.0};
        column[j] = 1.0;
        cp_taylor(&entries, h, column);
        for (size_t i = 0; i < CP_DIM; i++) {
            e.a[i][j] = column[i];
        }
    }
    for (; squarings > 0; squarings--) {
        e = cp_matrix_product(&e, &e);
    }
    cp_apply(&e, z);
}

/* z becomes exp(A h) z, for h >= 0 */
static void cp_propagate(const cp_matrix *m, double h, double z[CP_DIM])
{
    int squarings = 0;
    for (double size = cp_norm(m) * h; size > 0.5 && squarings < 2000; size *= 0.5) {
        squarings++;
    }
    if (squarings == 0) {
        const cp_entries entries = cp_entries_of(m);
        cp_taylor(&entries, h, z);
    } else {
        cp_squared(m, h, squarings, z);
    }
}

#endif
