/* The one file to compile: runs on a grid of communication points. */
#include "engine.h"

#include <math.h>

#include "actions.c"
#include "fmu.c"
#include "side.c"
#ifdef CP_NO_STARTUP
#include "../fmi/startup.c"
#endif

static void record(const double *values, const int32_t *places, size_t n, double *row)
{
    for (size_t i = 0; i < n; i++) {
        row[i] = values[places[i]];
    }
}

static bool is_bounded(const engine_run *run)
{
    for (size_t i = 0; i < run->n_bounded; i++) {
        if (!(fabs(run->shown[run->bounded[i]]) <= run->bound)) {
            return false;
        }
    }
    return true;
}

static void record_point(engine_run *run)
{
    record(run->shown, run->watched, run->n_watched, run->watched_rows + run->n_rows++ * run->n_watched);
}

static bool record_step(engine_run *run, double t)
{
    if (!engine_do(&run->log, t, run->h, run->h, &run->failure)) {
        return false;
    }
    double *const row = run->logged_rows + run->n_logs++ * run->n_logged;
    for (size_t i = 0; i < run->n_logged; i++) {
        row[i] = run->logged[i];
    }
    return true;
}

/* Run macro steps `first` up to `end`, or until a signal leaves its bound; not 0: one failed. */
int32_t engine_run_steps(engine_run *run, size_t first, size_t end)
{
    const double h = run->h;
    for (size_t n = first; n < end && !run->diverged; n++) {
        const double t_n = run->start + (double)n * run->macro_step;
        for (size_t i = 0; i < run->micro_steps && !run->diverged; i++) {
            const double t = t_n + (double)i * h;
            const bool recorded = i == 0 || run->fine;
            if (!engine_do(&run->point, t, h, h, &run->failure)) {
                return 1;
            }
            if (recorded) {
                record_point(run);
            }
            if (!engine_do(&run->step, t, h, h, &run->failure) || (recorded && !record_step(run, t))) {
                return 1;
            }
            run->diverged = !is_bounded(run);
        }
    }
    return 0;
}

/* Exchange and record at the end `t`. */
int32_t engine_run_last(engine_run *run, double t)
{
    if (!engine_do(&run->point, t, 0.0, run->h, &run->failure)) {
        return 1;
    }
    record_point(run);
    return 0;
}

static double larger(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
}

static void set_course(engine_relaxation *run)
{
    const double half = run->h / 2.0;
    for (size_t i = 0; i < run->n_course; i++) {
        const int32_t link = run->inputs[i];
        run->course[i] = run->sloped[i] ? run->guess[link] : run->begin[link] + run->guess[link] * half;
    }
}

/* Note what was reached; return how far it is from where the slopes lead. */
static double compare(engine_relaxation *run)
{
    double change = 0.0;
    for (size_t i = 0; i < run->n; i++) {
        const double reached = run->values[run->sources[i]];
        const double begin = run->begin[i];
        run->slopes[i] = (reached - begin) / run->h;
        run->largest[i] = larger(run->largest[i], fabs(reached));
        change = larger(change, fabs(reached - begin - run->guess[i] * run->h) / run->largest[i]);
    }
    return change;
}

static bool try_step(engine_relaxation *run, double t, double *change)
{
    engine_failure *const failure = &run->failure;
    set_course(run);
    if (!engine_do(&run->write, t, run->h, run->h, failure) || !engine_do(&run->step, t, run->h, run->h, failure)
        || !engine_do(&run->point, t + run->h, 0.0, run->h, failure)) {
        return false;
    }
    *change = compare(run);
    return true;
}

static bool relax(engine_relaxation *run, double t)
{
    for (size_t i = 0; i < run->n; i++) {
        run->begin[i] = run->values[run->sources[i]];
        run->guess[i] = 2.0 * run->slopes[i] - run->before[i];
        run->before[i] = run->slopes[i];
    }
    if (run->restorable && !engine_do(&run->save, t, run->h, run->h, &run->failure)) {
        return false;
    }
    for (int repeat = 0; repeat < run->most; repeat++) {
        double change = 0.0;
        if (repeat > 0 && !engine_do(&run->restore, t, run->h, run->h, &run->failure)) {
            return false;
        }
        if (!try_step(run, t, &change)) {
            return false;
        }
        if (change <= run->settled || !run->restorable) {
            break;
        }
        for (size_t i = 0; i < run->n; i++) {
            run->guess[i] = run->slopes[i];
        }
    }
    return true;
}

/* Run macro steps `first` up to `end`, watched values of macro point n + 1 in row n + 1; not 0: one failed. */
int32_t engine_relax_steps(engine_relaxation *run, size_t first, size_t end)
{
    for (size_t n = first; n < end; n++) {
        const double t_n = run->start + (double)n * run->macro_step;
        for (size_t i = 0; i < run->micro_steps; i++) {
            if (!relax(run, t_n + (double)i * run->h)) {
                return 1;
            }
        }
        record(run->values, run->watched, run->n_watched, run->rows + (n + 1) * run->n_watched);
    }
    return 0;
}

/* Tell the sizes of all structures: whoever mirrors them can see that he has them right. */
void engine_sizes(size_t sizes[9])
{
    const size_t all[9] = {sizeof(engine_fmu),     sizeof(engine_group), sizeof(engine_action),
                           sizeof(engine_failure), sizeof(engine_run),   sizeof(engine_relaxation),
                           sizeof(engine_put),     sizeof(engine_side),  sizeof(engine_channel)};
    for (size_t i = 0; i < 9; i++) {
        sizes[i] = all[i];
    }
}
