/* A network: a value set at a communication point is sent there and arrives after a latency, or never. */
#include "model.h"

#include "logarithm.h"
#include "floor.h"
#include "random.h"

enum { CP_QUEUE = 256, CP_VALUES = 8, CP_CARRIED = 11 };

enum { CP_CONSTANT = 1, CP_UNIFORM, CP_ERLANG, CP_REPLAY };

/* what one end of a power bond tells the other one */
typedef struct {
    double given;  /* J */
    double passed; /* J */
    double time;   /* s */
} cp_booking;

typedef struct {
    double arrival;          /* s */
    double sent;             /* s */
    double echo;             /* s */
    cp_booking energy;        /* its time by the sender's clock */
    double value[CP_VALUES]; /* newest first, n of them */
    double stamp[CP_VALUES]; /* by the sender's clock, s */
    double carried[CP_CARRIED];
    double number; /* messages sent before it, lost ones included */
    int64_t n;
} cp_message;

typedef struct {
    double value, echo;
    double energy_given, energy_passed, energy_time;
    double energy_far_given, energy_far_passed, energy_far_time;
    double received[CP_VALUES], stamp[CP_VALUES];
    double carried[CP_CARRIED], brought[CP_VALUES * CP_CARRIED];
    double echoed, newest, time;
    double latency_seconds, latency_jitter, loss, loss_run, clock_offset, clock_drift, sample_time, received_start;
    int32_t valid[CP_VALUES];
    int32_t latency_mode, latency_jitter_steps, latency_order, reordering, batch, burst, seed;
    int32_t n_pending, overflowed;
    int32_t losing; /* the message before was lost */
    double start;      /* t_0, s */
    double counted;    /* time of a sample, from which the others are counted, s */
    double first;      /* its index */
    double here;       /* index of the last sample up to now */
    double next;       /* index of the next sample to send */
    double n_sent;     /* messages so far, lost ones included */
    double last_at;    /* latest arrival so far, s */
    double past[CP_QUEUE][CP_CARRIED]; /* what was carried by the messages sent last, by their number modulo CP_QUEUE */
    cp_message last;              /* the one sent last, lost or not */
    cp_message pending[CP_QUEUE]; /* in the order of sending */
} cp_state;

#include "variables.h"

/* measured latencies, s */
typedef struct {
    const double *latencies;
    size_t n;
} cp_replay;

enum { CP_OVERFLOWED = 1 };

static const cp_event cp_network_events[] = {
    {CP_WARNING, "model", "more values are on their way than fit; the oldest are lost"},
};

static bool cp_bind_replay(void *binding, const cp_settings *settings, cp_reason *why)
{
    cp_replay *const replay = (cp_replay *)binding;
    *why = (cp_reason){"settings.txt: a measured latency is not 0 s or more"};
    replay->latencies = cp_settings_list(settings, "latencies", &replay->n);
    for (size_t i = 0; i < replay->n; i++) {
        if (!(replay->latencies[i] >= 0.0 && replay->latencies[i] <= CP_UNLIMITED)) {
            return false;
        }
    }
    return true;
}

static void cp_before_all(cp_state *s)
{
    for (int i = 0; i < CP_VALUES; i++) {
        s->received[i] = s->received_start;
        s->stamp[i] = -CP_UNLIMITED;
        s->valid[i] = 0;
    }
    s->echoed = s->newest = s->energy_far_time = -CP_UNLIMITED;
    s->energy_far_given = s->energy_far_passed = 0.0;
    memset(s->brought, 0, sizeof s->brought);
}

static bool cp_start(void *memory, const void *binding, double t0, cp_reason *why)
{
    cp_state *const s = (cp_state *)memory;
    *why = (cp_reason){"sample_time is shorter than what the start time allows: time has no finer steps there"};
    if (s->sample_time > 0.0 && s->sample_time < cp_same_time(t0, 0.0)) {
        return false;
    }
    *why = (cp_reason){"batch is more than 1, but sample_time is 0: a batch leaves when its last value is sent"};
    if (s->batch > 1 && !(s->sample_time > 0.0)) {
        return false;
    }
    *why = (cp_reason){"loss is too large for loss_run: allowed up to loss_run / (1 + loss_run)"};
    if (s->loss_run > 0.0 && !(s->loss * (1.0 + s->loss_run) <= s->loss_run)) {
        return false;
    }
    *why = (cp_reason){"latency.mode is replay, but this FMU was built without measured latencies"};
    cp_before_all(s);
    s->start = s->counted = t0;
    s->losing = 0;
    s->last_at = -CP_UNLIMITED;
    return s->latency_mode != CP_REPLAY || ((const cp_replay *)binding)->n > 0;
}

/* draws for a message, or for a batch, by its number: stream 0 decides on loss, the others on latency, so that neither
   moves the other */
static double cp_draw(const cp_state *s, uint64_t number, int stream)
{
    return cp_uniform((uint64_t)s->seed, number, (uint64_t)stream);
}

/* A batch has the latency of its last message, whose time is so many samples away. */
static double cp_latency(const cp_state *s, const cp_replay *replay)
{
    const uint64_t n = (uint64_t)s->n_sent;
    const uint64_t size = (uint64_t)s->batch;
    const uint64_t batch = n / size;
    double latency = s->latency_seconds;
    if (s->latency_mode == CP_UNIFORM) {
        const int steps = (int)(cp_draw(s, batch, 2) * (s->latency_jitter_steps + 1));
        latency += cp_draw(s, batch, 1) * s->latency_jitter + steps * s->sample_time;
    } else if (s->latency_mode == CP_ERLANG) {
        double sum = 0.0;
        for (int i = 0; i < s->latency_order; i++) {
            sum -= cp_log_of(cp_draw(s, batch, 3 + i));
        }
        latency += sum * s->latency_jitter / s->latency_order;
    } else if (s->latency_mode == CP_REPLAY) {
        latency = replay->latencies[(batch * size + size - 1) % replay->n];
    }
    return latency + (double)(size - 1 - n % size) * s->sample_time;
}

/* Losses by themselves, or in runs of `loss_run` on the mean: a chain of two states (Gilbert 1960). */
static bool cp_loses(cp_state *s)
{
    const double drawn = cp_draw(s, (uint64_t)s->n_sent, 0);
    double chance = s->loss;
    if (s->loss_run > 0.0 && s->n_sent > 0.0) {
        chance = s->losing ? 1.0 - 1.0 / s->loss_run : s->loss / (s->loss_run * (1.0 - s->loss));
    }
    s->losing = drawn < chance;
    return s->losing != 0;
}

static void cp_drop_oldest(cp_state *s)
{
    memmove(s->pending, s->pending + 1, (CP_QUEUE - 1) * sizeof *s->pending);
    s->n_pending--;
}

/* the time `t` by the sender's clock, s */
static double cp_told(const cp_state *s, double t)
{
    return t + s->clock_offset + s->clock_drift * (t - s->start);
}

/* what the end of a bond tells now; a time that is none stays so */
static cp_booking cp_booked(const cp_state *s)
{
    const double told = s->energy_time > -CP_UNLIMITED ? cp_told(s, s->energy_time) : s->energy_time;
    return (cp_booking){s->energy_given, s->energy_passed, cp_finite(told) ? told : s->energy_time};
}

/* a message with the value of now and those before it, whether or not the messages that carried them were lost */
static cp_message cp_compose(const cp_state *s, double t)
{
    cp_message message = {.sent = t, .echo = s->echo, .energy = cp_booked(s), .value = {s->value}, .n = 1};
    message.stamp[0] = cp_told(s, t);
    message.number = s->n_sent;
    memcpy(message.carried, s->carried, sizeof message.carried);
    for (; message.n < s->burst && message.n <= s->last.n; message.n++) {
        message.value[message.n] = s->last.value[message.n - 1];
        message.stamp[message.n] = s->last.stamp[message.n - 1];
    }
    return message;
}

/* send the value of now if now is a sample; returns event bits */
static uint32_t cp_send(cp_state *s, const cp_replay *replay, double t)
{
    uint32_t events = 0;
    if (s->sample_time > 0.0 && s->here < s->next) {
        return 0;
    }
    s->next = s->here + 1.0;
    const double latency = cp_latency(s, replay);
    double arrival = t + latency;
    const bool lost = cp_loses(s) || latency >= CP_UNLIMITED; /* as a list of latencies says it */
    s->last = cp_compose(s, t);
    memcpy(s->past[(uint64_t)s->n_sent % CP_QUEUE], s->carried, sizeof s->carried);
    s->n_sent += 1.0;
    if (lost) {
        return 0;
    }
    arrival = s->reordering == 0 && arrival < s->last_at ? s->last_at : arrival;
    s->last_at = arrival > s->last_at ? arrival : s->last_at;
    if (s->n_pending == CP_QUEUE) {
        cp_drop_oldest(s);
        events = s->overflowed == 0 ? CP_OVERFLOWED : 0;
        s->overflowed = 1;
    }
    s->pending[s->n_pending] = s->last;
    s->pending[s->n_pending++].arrival = arrival;
    return events;
}

/* what was carried along with the repeated value `i`, as far as it is still known: nothing for one sent long ago */
static void cp_bring(cp_state *s, const cp_message *message, int i)
{
    const double number = message->number - (double)i;
    for (int j = 0; j < CP_CARRIED; j++) {
        const double known = s->past[(uint64_t)number % CP_QUEUE][j];
        s->brought[i * CP_CARRIED + j] = number >= s->n_sent - CP_QUEUE ? known : -CP_UNLIMITED;
    }
}

static void cp_give(cp_state *s, const cp_message *message)
{
    for (int i = 1; i < CP_VALUES && i < message->n; i++) {
        cp_bring(s, message, i);
    }
    for (int i = 0; i < CP_VALUES; i++) {
        s->valid[i] = i < message->n;
        s->received[i] = i < message->n ? message->value[i] : s->received[i];
        s->stamp[i] = i < message->n ? message->stamp[i] : s->stamp[i];
    }
    s->echoed = message->echo;
    memcpy(s->brought, message->carried, sizeof message->carried);
    s->energy_far_given = message->energy.given;
    s->energy_far_passed = message->energy.passed;
    s->energy_far_time = message->energy.time;
    s->newest = message->sent > s->newest ? message->sent : s->newest;
}

/* take what has arrived by t from the queue; of several the one sent last is given out */
static void cp_receive(cp_state *s, double t)
{
    int32_t kept = 0;
    cp_message given = {.n = 0};
    for (int32_t i = 0; i < s->n_pending; i++) {
        if (s->pending[i].arrival > t) {
            s->pending[kept++] = s->pending[i];
        } else if (given.n == 0 || s->pending[i].sent >= given.sent) {
            given = s->pending[i];
        }
    }
    memset(s->pending + kept, 0, (size_t)(s->n_pending - kept) * sizeof *s->pending);
    s->n_pending = kept;
    if (given.n > 0) {
        cp_give(s, &given);
    }
}

static double cp_same(const cp_state *s, double t, double h)
{
    return cp_same_time(t, s->sample_time > 0.0 ? s->sample_time : h);
}

/* Count the samples up to `t`, where a step of `h` ends; one too far off is counted from anew. */
static void cp_count_samples(cp_state *s, double t, double h)
{
    if (!(s->sample_time > 0.0)) {
        return;
    }
    const double near = cp_nearness(t, h, s->sample_time);
    const double same = cp_same_time(t, s->sample_time);
    const double keep = 0.5 * (same < near ? same : near);
    const double since = t - s->counted;
    const double passed = since / s->sample_time;
    const double sample = cp_floor(passed + 0.5);
    const double off = since - sample * s->sample_time;
    const bool on_sample = off >= -near && off <= near;
    const double here = s->first + (on_sample ? sample : cp_floor(passed));
    if (on_sample && sample > 0.0 && !(off >= -keep && off <= keep)) {
        s->counted = t;
        s->first = here;
    }
    s->here = here > s->here ? here : s->here;
}

/* when the next value is sent or arrives, s */
static double cp_next(const void *memory, const void *binding)
{
    const cp_state *const s = (const cp_state *)memory;
    const double now = s->time + cp_same(s, s->time, 0.0);
    const double sample = s->counted + (s->here + 1.0 - s->first) * s->sample_time;
    double next = s->sample_time > 0.0 ? (sample > now ? sample : now) : CP_UNLIMITED;
    (void)binding;
    for (int32_t i = 0; i < s->n_pending; i++) {
        next = s->pending[i].arrival > now && s->pending[i].arrival < next ? s->pending[i].arrival : next;
    }
    return next;
}

static cp_status cp_transport(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const double end = step->t + step->h;
    const bool was_valid = s->valid[0] != 0;
    step->events = cp_send(s, (const cp_replay *)binding, step->t);
    memset(s->valid, 0, sizeof s->valid);
    cp_receive(s, end + cp_same(s, end, step->h));
    cp_count_samples(s, end, step->h);
    step->event_needed = s->valid[0] != 0 || was_valid || s->sample_time == 0.0 || s->here >= s->next;
    return CP_OK;
}

/* the value of now shows at once where it has no way to go */
static void cp_show(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    if (!running) {
        cp_before_all(s);
        return;
    }
    (void)cp_send(s, (const cp_replay *)binding, t);
    cp_receive(s, t + cp_same(s, t, 0.0));
}

static bool cp_is_message(const cp_message *message)
{
    return cp_finite(message->arrival) && cp_finite(message->sent) && message->n >= 0 && message->n <= CP_VALUES &&
           message->number >= (double)message->n - 1.0 && message->number <= 9e15;
}

static bool cp_is_index(double sample)
{
    return sample >= 0.0 && sample <= 9e15;
}

/* What a state from a file needs besides values in their ranges. */
static bool cp_can_go_on(const void *memory, const void *binding, bool running, cp_reason *why)
{
    const cp_state *const s = (const cp_state *)memory;
    *why = (cp_reason){"its messages, samples or counters are none"};
    bool right = s->n_pending >= 0 && s->n_pending <= CP_QUEUE && (s->overflowed == 0 || s->overflowed == 1) &&
                 (s->losing == 0 || s->losing == 1) &&
                 cp_finite(s->start) && cp_finite(s->counted) && cp_finite(s->last_at) && cp_is_index(s->first) &&
                 cp_is_index(s->here) && cp_is_index(s->next) && cp_is_index(s->n_sent) && cp_is_message(&s->last) &&
                 (!running || s->counted <= s->time);
    for (int i = 0; i < CP_QUEUE; i++) {
        right = right && cp_is_message(&s->pending[i]);
    }
    for (int i = 0; i < CP_VALUES; i++) {
        right = right && (s->valid[i] == 0 || s->valid[i] == 1);
    }
    return right && (!running || s->latency_mode != CP_REPLAY || ((const cp_replay *)binding)->n > 0);
}

static double cp_period(const void *memory)
{
    return ((const cp_state *)memory)->sample_time;
}

static const cp_model cp_this_model = {
    .name = "network",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_network_events,
    .n_events = 1,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .binding_size = sizeof(cp_replay),
    .bind = cp_bind_replay,
    .sound = cp_can_go_on,
    .finish = cp_start,
    .step = cp_transport,
    .refresh = cp_show,
    .period = cp_period,
    .next_event = cp_next,
};
