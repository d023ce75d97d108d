/* A probe for importers. It numbers its steps, and from the numbers that come back, its own and those of its partner,
   it tells how late connections are, who steps first and whether outputs are read again after inputs were set. */
#include "model.h"

#include "probe.h"

enum { CP_ENOUGH = 8 /* steps before a result */ };

typedef enum { CP_HOST_UNKNOWN = 1, CP_READS_AGAIN, CP_JACOBI, CP_SEQUENTIAL } cp_host_kind;

typedef enum { CP_ORDER_UNKNOWN = 1, CP_TOGETHER, CP_PROBE_FIRST, CP_PARTNER_FIRST } cp_order;

typedef enum {
    CP_RUNNING = 1,
    CP_DISCONNECTED,
    CP_ALONE,
    CP_NO_SIGNAL,
    CP_NO_FEEDTHROUGH,
    CP_IS_CHANGED,
    CP_VARYING,
    CP_COMPLETE
} cp_result;

typedef struct {
    double back, through, signal;
    double delay_seconds, delay_steps, delay_min, delay_max;
    double host_lead_receiver, host_lead_sender, host_lead_feedthrough;
    double step_size, step_min, step_max, macro_step;
    double time;
    double begun[CP_NOTES];                   /* when the newest steps began, by number, s */
    int64_t n;                                /* steps so far */
    cp_line sender, receiver, round_trip;     /* partner to probe, probe to partner, both by its feedthrough */
    int32_t measured, complete, changed, exchange_steps;
    int32_t host, order, result, has_partner;
    uint32_t told, spare;
} cp_state;

#include "variables.h"

/* events: results in words from CP_DISCONNECTED to CP_VARYING, then hosts, with the two orders of the sequential one */
enum {
    CP_TELL_HOST = CP_VARYING - CP_DISCONNECTED + 1,
    CP_TELL_PARTNER_FIRST = CP_TELL_HOST + CP_SEQUENTIAL - CP_READS_AGAIN + 1,
    CP_TELL_LEADS
};

static const cp_event cp_probe_events[] = {
    {CP_WARNING, "model", "nothing came back on `back`: connect it with `plain` of the partner"},
    {CP_OK, "model", "delay.steps is the delay of this connection alone; what the host does takes the partner"},
    {CP_WARNING, "model", "nothing came to `in` of the partner: connect it with `signal`"},
    {CP_WARNING, "model", "nothing came to `through`: connect it with `feedthrough` of the partner"},
    {CP_WARNING, "model", "values are interpolated or extrapolated on their way: switch that off and measure again"},
    {CP_WARNING, "model", "delays vary: give all FMUs one communication step, or set latency = { mode = \"stamps\" }"},
    {CP_OK, "model", "outputs are read again after inputs are set: [interface] host = \"reads_again\""},
    {CP_OK, "model", "outputs with direct feedthrough come one step older: [interface] host = \"jacobi\""},
    {CP_OK, "model", "the probe steps before its partner: [interface] host = \"sequential\""},
    {CP_OK, "model", "the partner steps before the probe: [interface] host = \"sequential\""},
    {CP_WARNING, "model",
     "connections add steps of their own: latency = { host_lead = .. } is host_lead.receiver + host_lead.sender, and "
     "+ host_lead.feedthrough for signals that an output of their receiver depends on directly"},
};

static bool cp_begin_at(void *memory, const void *binding, double t0, cp_reason *why)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t0;
    (void)why;
    s->signal = cp_code(0);
    s->host = CP_HOST_UNKNOWN;
    s->order = CP_ORDER_UNKNOWN;
    s->result = CP_RUNNING;
    return true;
}

static void cp_measure_step(cp_state *s, const cp_step *step)
{
    s->begun[s->n % CP_NOTES] = step->t;
    s->step_size = step->h;
    s->step_min = s->n == 0 || step->h < s->step_min ? step->h : s->step_min;
    s->step_max = s->n == 0 || step->h > s->step_max ? step->h : s->step_max;
}

/* What the partner noted in its message; it is a number below CP_NOTES. */
static void cp_take_note(cp_state *s, int64_t note)
{
    if (note != CP_NOTHING) {
        cp_note(&s->receiver, note != CP_CHANGED, s->n, s->n - (note - CP_DELAY_NOTE));
    }
}

/* `back` has the number of a step of the partner, in a message, or one of our own. */
static void cp_hear_back(cp_state *s)
{
    int64_t sent = 0;
    if (!cp_is_news(&s->sender, s->back)) {
        return;
    }
    const bool is_message = s->back < 0.0;
    const bool whole_number = -s->back < 1e15;
    const double whole = is_message && whole_number ? (double)(int64_t)(-s->back / CP_NOTES) : s->back;
    const bool understood = whole_number && cp_decode(whole, &sent);
    cp_note(&s->sender, understood, s->n, sent);
    if (is_message && understood) {
        s->has_partner = 1;
        cp_take_note(s, (int64_t)(-s->back - CP_NOTES * whole + 0.5));
    }
}

static void cp_hear_through(cp_state *s)
{
    int64_t sent = 0;
    if (cp_is_news(&s->round_trip, s->through)) {
        const bool understood = cp_decode(s->through, &sent);
        cp_note(&s->round_trip, understood, s->n, sent);
    }
}

/* Steps to seconds, by when the steps began. */
static double cp_seconds(const cp_state *s, double steps)
{
    const double now = s->begun[s->n % CP_NOTES];
    return steps < 0.0 ? steps * s->step_size : now - s->begun[(s->n - (int64_t)steps) % CP_NOTES];
}

static void cp_show_delay(cp_state *s)
{
    if (s->sender.age > 0 || s->sender.good == 0) {
        return;
    }
    s->delay_steps = s->sender.delay;
    s->delay_seconds = cp_seconds(s, s->delay_steps);
    s->delay_min = s->measured == 0 || s->delay_seconds < s->delay_min ? s->delay_seconds : s->delay_min;
    s->delay_max = s->measured == 0 || s->delay_seconds > s->delay_max ? s->delay_seconds : s->delay_max;
    s->measured = 1;
    s->exchange_steps = (int32_t)s->sender.gap;
}

/* Do delays, or the steps between two values, vary? */
static bool cp_varies(const cp_line *line)
{
    return line->uneven > 0 || (line->good > 0 && line->min < line->max);
}

static cp_result cp_judge(const cp_state *s)
{
    const bool varies = cp_varies(&s->sender) || cp_varies(&s->receiver) || cp_varies(&s->round_trip);
    return s->n + 1 < CP_ENOUGH      ? CP_RUNNING
           : s->changed != 0         ? CP_IS_CHANGED
           : varies                  ? CP_VARYING
           : s->measured == 0        ? CP_DISCONNECTED
           : s->has_partner == 0     ? CP_ALONE
           : s->receiver.good == 0   ? CP_NO_SIGNAL
           : s->round_trip.good == 0 ? CP_NO_FEEDTHROUGH
                                     : CP_COMPLETE;
}

/* Delays in macro steps; without one said, a macro step is the period of the exchange. */
static double cp_macro_steps(const cp_state *s, double steps)
{
    return s->macro_step > 0.0 ? steps * s->step_size / s->macro_step : steps / (double)s->sender.gap;
}

/* What outputs with direct feedthrough take beyond both connections, communication steps. */
static double cp_feedthrough_delay(const cp_state *s)
{
    return s->round_trip.delay - s->receiver.delay - s->sender.delay;
}

static void cp_name_host(cp_state *s)
{
    const double in = s->receiver.delay;
    const double out = s->sender.delay;
    const double more = cp_feedthrough_delay(s);
    s->host = more <= 0.0 ? CP_READS_AGAIN : in < 0.0 || out < 0.0 ? CP_SEQUENTIAL : CP_JACOBI;
    s->order = in < 0.0 ? CP_PROBE_FIRST : out < 0.0 ? CP_PARTNER_FIRST : CP_TOGETHER;
    s->host_lead_receiver = cp_macro_steps(s, in);
    s->host_lead_sender = cp_macro_steps(s, out);
    s->host_lead_feedthrough = cp_macro_steps(s, more);
}

/* Are delays other than those that the name of the host tells? */
static bool cp_adds_more(const cp_state *s)
{
    const double period = (double)s->sender.gap;
    const double early = s->host == CP_SEQUENTIAL ? -1.0 : 0.0;
    const double first = s->order == CP_PROBE_FIRST ? s->receiver.delay : s->sender.delay;
    const double second = s->order == CP_PROBE_FIRST ? s->sender.delay : s->receiver.delay;
    const double more = s->host == CP_READS_AGAIN ? 0.0 : period;
    return first != early || second != 0.0 || cp_feedthrough_delay(s) != more;
}

static uint32_t cp_words(const cp_state *s)
{
    if (s->result != CP_COMPLETE) {
        return s->result == CP_RUNNING ? 0 : UINT32_C(1) << (s->result - CP_DISCONNECTED);
    }
    const int host = s->order == CP_PARTNER_FIRST ? CP_TELL_PARTNER_FIRST : CP_TELL_HOST + s->host - CP_READS_AGAIN;
    return UINT32_C(1) << host | (cp_adds_more(s) ? UINT32_C(1) << CP_TELL_LEADS : 0);
}

static void cp_conclude(cp_state *s)
{
    s->changed = cp_is_changed(&s->sender) || cp_is_changed(&s->receiver) || cp_is_changed(&s->round_trip);
    s->result = (int32_t)cp_judge(s);
    s->complete = s->result == CP_COMPLETE;
    s->host = CP_HOST_UNKNOWN;
    s->order = CP_ORDER_UNKNOWN;
    s->host_lead_receiver = s->host_lead_sender = s->host_lead_feedthrough = 0.0;
    if (s->complete != 0) {
        cp_name_host(s);
    }
}

/* What a state from a file needs besides values in their ranges. */
static bool cp_can_go_on(const void *memory, const void *binding, bool running, cp_reason *why)
{
    const cp_state *const s = (const cp_state *)memory;
    (void)binding;
    (void)running;
    *why = (cp_reason){"its number of steps, or what it knows of its connections, is none"};
    bool right = cp_is_count(s->n) && cp_is_line(&s->sender, s->n) && cp_is_line(&s->receiver, s->n) &&
                 cp_is_line(&s->round_trip, s->n) && s->host >= 0 && s->host <= CP_SEQUENTIAL && s->order >= 0 &&
                 s->order <= CP_PARTNER_FIRST && s->result >= 0 && s->result <= CP_COMPLETE &&
                 (s->measured == 0 || s->measured == 1) && (s->complete == 0 || s->complete == 1) &&
                 (s->changed == 0 || s->changed == 1) && (s->has_partner == 0 || s->has_partner == 1);
    for (int i = 0; i < CP_NOTES; i++) {
        right = right && cp_finite(s->begun[i]);
    }
    return right;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    cp_measure_step(s, step);
    cp_hear_back(s);
    cp_hear_through(s);
    cp_show_delay(s);
    cp_conclude(s);
    const uint32_t words = cp_words(s);
    step->events = words != s->told ? words : 0;
    s->told = words;
    s->n++;
    s->signal = cp_code(s->n);
    return CP_OK;
}

static const cp_model cp_this_model = {
    .name = "probe",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_probe_events,
    .n_events = sizeof cp_probe_events / sizeof *cp_probe_events,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .sound = cp_can_go_on,
    .finish = cp_begin_at,
    .step = cp_move,
};
