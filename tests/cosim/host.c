/* A master in C for long runs of FMUs of FMI 2 whose order is known: reads and writes at every communication point, then
   a step of all FMUs. */
#include <stddef.h>

#include "fmi2FunctionTypes.h"

typedef struct {
    fmi2Component component;
    fmi2SetRealTYPE *set;
    fmi2GetRealTYPE *get;
    fmi2DoStepTYPE *step;
} host_fmu;

typedef struct {
    int fmu;
    int writes;
    fmi2ValueReference variable;
    int slot; /* of what is read or written */
    int late; /* written as it was some points ago */
} host_action;

typedef struct {
    const host_fmu *fmus;
    size_t n_fmus;
    const host_action *actions; /* at each point, in this order */
    size_t n_actions;
    const double *given; /* first slots at each point */
    size_t n_given;
    const int *late; /* points ago, at each point */
    double *values;      /* the slots */
    size_t n_values;
    double h; /* s */
} host;

static int exchange(const host *m, size_t n, double *rows)
{
    const size_t ago = (size_t)m->late[n] < n ? (size_t)m->late[n] : n;
    for (size_t i = 0; i < m->n_actions; i++) {
        const host_action *const a = &m->actions[i];
        const host_fmu *const fmu = &m->fmus[a->fmu];
        double *const old = &rows[(n - ago) * m->n_values + (size_t)a->slot];
        double *const value = a->late && ago > 0 ? old : &m->values[a->slot];
        const fmi2Status status = a->writes ? fmu->set(fmu->component, &a->variable, 1, value)
                                            : fmu->get(fmu->component, &a->variable, 1, value);
        if (status != fmi2OK) {
            return 1;
        }
    }
    return 0;
}

/* `steps` steps from time 0 on; `rows` takes all slots at each of steps + 1 points; returns the points that were reached */
size_t host_run(const host *m, size_t steps, double *rows);

size_t host_run(const host *m, size_t steps, double *rows)
{
    for (size_t n = 0; n <= steps; n++) {
        for (size_t i = 0; i < m->n_given; i++) {
            m->values[i] = m->given[n * m->n_given + i];
        }
        if (exchange(m, n, rows)) {
            return n;
        }
        for (size_t i = 0; i < m->n_values; i++) {
            rows[n * m->n_values + i] = m->values[i];
        }
        for (size_t i = 0; i < m->n_fmus && n < steps; i++) {
            if (m->fmus[i].step(m->fmus[i].component, (double)n * m->h, m->h, fmi2True) != fmi2OK) {
                return n + 1;
            }
        }
    }
    return steps + 1;
}
