/* The kernel as a shared library for the tests. */
#include "kernel.c"

size_t cp_test_settings_size(void);
size_t cp_test_state_size(void);

size_t cp_test_settings_size(void)
{
    return sizeof(cp_coupling_settings);
}

size_t cp_test_state_size(void)
{
    return sizeof(cp_state);
}

typedef struct {
    double size;   /* of a communication step, s */
    int64_t steps; /* to make */
    int64_t parts; /* communication steps in `macros` macro steps; 0: what time says, to a thousandth */
    int64_t macros;
} cp_test_host;

double cp_test_nearness(double time, double size, double period);
int64_t cp_test_grid(cp_state *s, double start, const cp_test_host *host);
int64_t cp_test_steps(const cp_coupling_settings *c, cp_state *s, double start, const cp_test_host *host);

double cp_test_nearness(double time, double size, double period)
{
    return cp_nearness(time, size, period);
}

static bool cp_test_is_wrong(const cp_test_host *host, int64_t i, int64_t n, double passed)
{
    if (host->parts > 0) {
        return n != i * host->macros / host->parts;
    }
    return !(passed - (double)n > -1e-3 && passed - (double)n < 1.0 + 1e-3);
}

/* Communication points of a host that adds up its time at which the macro step is wrong; the grid alone. */
int64_t cp_test_grid(cp_state *s, double start, const cp_test_host *host)
{
    int64_t wrong = 0;
    double t = start;
    for (int64_t i = 1; i <= host->steps; i++) {
        s->grid.near = cp_nearness(t + host->size, host->size, s->grid.period);
        t += host->size;
        s->grid.time = t;
        cp_arrive(s);
        wrong += cp_test_is_wrong(host, i, s->grid.here, (t - start) / s->grid.period);
    }
    return wrong;
}

/* The same with whole steps; -1 if one is refused. Also wrong: not k, or a macro step that does not end in its end. */
int64_t cp_test_steps(const cp_coupling_settings *c, cp_state *s, double start, const cp_test_host *host)
{
    cp_reason why;
    int64_t wrong = 0;
    double t = start;
    for (int64_t i = 0; i < host->steps; i++) {
        s->input.y = (double)(i % 1000);
        if (!cp_coupling_step(c, s, t, host->size, &why)) {
            return -1;
        }
        const bool ends = host->parts == 1 && cp_theta(s, t + host->size) != 1.0;
        const bool late = s->latency.steps != s->parameter.constant_steps || ends;
        wrong += late || cp_test_is_wrong(host, i, s->grid.n, (t - start) / s->grid.period);
        t += host->size;
    }
    return wrong;
}
