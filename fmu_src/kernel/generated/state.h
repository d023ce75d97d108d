/* All run-time state of one coupling FMU, parameters included: one record for each stage and for what stages
   share, without padding. NaN is in inputs only, as one bit pattern. Records of a feature come last: FMUs
   without it do without them. */
#ifndef CP_GENERATED_STATE_H
#define CP_GENERATED_STATE_H

#include <stdint.h>

#include "numbers.h"

typedef struct {
    struct { /* inputs that the host sets in every step */
        double y; /* newest value received, signal unit */
        double y_time; /* its send time in the receiver's time, s */
        double y_echo; /* send time of the receiver's message that the sender had last, s */
        double burst[CP_BURST]; /* earlier values that the message repeats, signal unit */
        double burst_time[CP_BURST]; /* their send times, s */
        int32_t y_valid; /* there is something new on y */
        int32_t burst_valid[CP_BURST]; /* there is such an earlier value */
    } input;
    struct { /* parameters of the FMU, fixed and tunable */
        double macro_step; /* dT; 0: the first step, s */
        double latency_offset; /* time that no stamp shows, s */
        double latency_minimum; /* of the fastest message, s */
        double host_lead; /* what the importer adds between sender and receiver, macro steps */
        double hold_lead; /* what the receiver adds by holding its input, macro steps */
        double signal_period; /* of a signal that wraps round; 0: none, signal unit */
        double floor; /* smaller breaks are no discontinuities, signal unit */
        double safe_value; /* output when the signal is lost, signal unit */
        double observer_gain; /* lambda of smb; 0: worked out, 1/s */
        double noise; /* standard deviation of the measurement noise; 0: not known, signal unit */
        double sensitivity; /* beta of the detectors, - */
        double zeta; /* tolerance: weight of the curvature; -1: table, s */
        double delta; /* tolerance: share of the horizon; -1: table, - */
        double output_min; /* lower limit of y_hat, signal unit */
        double output_max; /* upper limit of y_hat, signal unit */
        double rate_max; /* largest rate of y_hat, signal unit per s */
        double guard; /* of the last values that an estimate may lie outside; 0: any, ranges */
        double a[CP_TAPS]; /* weights algorithm.a[i] of the level, newest first, - */
        double slopes[CP_TAPS]; /* weights algorithm.A[i] of the slope, newest first, - */
        int32_t latency_mode; /* where the latency comes from, LatencyMode */
        int32_t latency_clock; /* of the send stamps, Clock */
        int32_t constant_steps; /* latency in constant mode, macro steps */
        int32_t coast_steps; /* without news, bridged, macro steps */
        int32_t lost_steps; /* without news until lost, macro steps */
        int32_t reconstruction; /* between macro steps, Reconstruction */
        int32_t on_loss; /* when the signal is lost, OnLoss */
        int32_t selected; /* that is to run, Algorithm */
        int32_t action; /* on a bad estimate, QualityAction */
        int32_t detection; /* detect discontinuities and switch */
        int32_t detector; /* test for discontinuities, Detector */
        int32_t hold_after_flag; /* hold instead of extrapolating after a flag */
        int32_t bypass; /* y_hat = y, everything else keeps running */
        uint8_t filler[4];
    } parameter;
    struct { /* time, and the macro steps in it */
        double anchor_time; /* of the macro point that others are counted from, s */
        double time; /* end of the last step, s */
        double target; /* time that the outputs are valid for, s */
        double period; /* dT in use; 0: not yet known, s */
        double near; /* so close to a macro point a communication point is on it, s */
        int64_t n; /* present macro step, -1 before the first, macro steps */
        int64_t due; /* macro step that an incoming value counts for, macro steps */
        int64_t anchor; /* macro step of the point that others are counted from, macro steps */
        int64_t here; /* macro step that the present time belongs to, macro steps */
    } grid;
    struct { /* stage 1: how late the newest value is */
        double seconds; /* latency that is made up for, s */
        double first_stamp; /* send time of slot 0, s */
        double newest_stamp; /* send time of the newest value, s */
        double fraction; /* f = k - lead / dT, - */
        double usual_lead; /* of values as they arrive, mean, macro steps */
        int64_t slot; /* where the incoming value belongs, slots */
        int32_t steps; /* k, macro steps */
        int32_t usual_reach; /* from the newest value to what is estimated, usually, settled, macro steps */
        int32_t taken; /* what the incoming value is: nothing, newest, late */
        int32_t early; /* by which the estimate keeps back behind the newest, slots */
    } latency;
    struct { /* the sender's clock, where it is not the receiver's */
        double drift; /* gain of the sender's clock on the receiver's, - */
        double offset; /* added to a stamp gives the receiver's time, s */
        double fastest; /* transit time of the fastest message as of now, s */
        double transit; /* of the newest message, s */
        double jump; /* by which stamps jumped when the sender began anew last, s */
        double low[2]; /* smallest transit time of messages taken, of the present ones and those before, s */
        double high[2]; /* the largest, s */
        double stray_stamp; /* newest stamp of those that do not go on from the ones before, s */
        double stray_low; /* their smallest transit time, s */
        double stray_high; /* the largest, s */
        double round_trip; /* smallest; 0: none yet, s */
        double block_time[CP_BLOCKS + 1]; /* of the lowest transit time of each block, the present one last, s */
        double block_transit[CP_BLOCKS + 1]; /* lowest transit time, s */
        int64_t stray_step; /* of the one counted last, macro steps */
        int32_t blocks; /* that are full, - */
        int32_t block_count; /* messages in the present block, - */
        int32_t known; /* taken since the sender began, up to STRAYS, messages */
        int32_t guessed; /* no good stamp told how late the fastest is, by a common clock */
        int32_t usual; /* whose transit times are the present ones, messages */
        int32_t strays; /* in succession that do not go on from the ones before, messages */
        int32_t certain; /* of these that cannot have been here before, messages */
        int32_t doubt; /* weight of these, up to DOUBT, - */
    } clock;
    struct { /* stage 2: values by the sender's macro step */
        double past[CP_SLOTS]; /* values, newest first, signal unit */
        double stamps[CP_SLOTS]; /* their send times since the first, macro steps */
        int64_t newest; /* slot of the newest value on the sender's grid, slots */
        int64_t origin; /* slot of the first value, slots */
        int64_t news; /* macro step of the last news, macro steps */
        int32_t lost; /* of the sender's macro steps so far that have not come, values */
        int32_t late; /* that came later than their turn, values */
        int32_t reordered; /* that came after a newer one, values */
        uint8_t filled; /* there is a value */
        uint8_t marked[CP_SLOTS]; /* slot is filled by interpolation */
        uint8_t filler[3];
    } history;
    struct { /* stage 3: estimates kept until their true values arrive, and how good they were */
        double error; /* of the estimate judged last, signal unit */
        double tolerance; /* of that estimate, signal unit */
        double skill; /* 1 perfect, 0 as good as no FMU, - */
        double skill_zoh; /* 1 perfect, 0 as good as ZOH: what stages decide by, - */
        double error_power; /* faded sum of squared errors, signal unit squared */
        double hold_power; /* the same for ZOH, signal unit squared */
        double wire_power; /* the same for the values as they came, signal unit squared */
        double worst; /* largest error since a warning began, signal unit */
        double exceeded; /* estimates that exceeded their tolerance since then, - */
        double lasted; /* estimates judged from the first of these to the last, - */
        double all_worst; /* largest error of those in this run that exceeded their tolerance, signal unit */
        double all_exceeded; /* their number, - */
        double all_judged; /* estimates judged in this run while quality.action = warn, - */
        double estimated[CP_RING]; /* unlimited estimate for t_n, by n modulo RING, signal unit */
        double held_then[CP_RING]; /* what ZOH would have given, signal unit */
        double wire_mean[CP_RING]; /* mean of the values as they came after t_n-1 up to t_n, signal unit */
        double wire_spread[CP_RING]; /* their variance, signal unit squared */
        int64_t judged; /* macro step whose estimate is judged next, macro steps */
        int32_t ok; /* the error is tolerated and the output is not held */
        int32_t grade; /* worth of the algorithm, Grade */
        int32_t measured; /* estimates judged, up to a million, - */
        int32_t wire_count; /* communication points since the last macro point, up to a million, - */
        int32_t stopped; /* quality.action = stop ends the run */
        int32_t calm; /* tolerated in succession since a warning began, estimates */
        int32_t patience; /* tolerated in succession that end it, estimates */
        uint8_t warned; /* a warning has begun and not ended */
        uint8_t judged_ok; /* the estimate judged last is tolerated */
        uint8_t harmful; /* estimates are worse than ZOH or create energy */
        uint8_t judgeable[CP_RING]; /* by n modulo RING */
        uint8_t horizon[CP_RING]; /* kappa, macro steps */
        uint8_t filler[1];
    } quality;
    struct { /* stage 4: whether the newest value breaks with the past */
        double spectrum; /* with the newest value, signal unit */
        double spectrum_before; /* one slot earlier, signal unit */
        int64_t tested; /* slot that the detector looked at last, slots */
        int64_t anchor_before; /* anchor before the last flag, slots */
        int32_t detected; /* the newest value breaks with the past */
        uint8_t flagged; /* the selected algorithm has not run since the last flag */
        uint8_t filler[3];
    } discontinuity;
    struct { /* the residual detector */
        double miss; /* residual of the value tested last, signal unit */
        double break_rate; /* residual by time of a flag one value ago; else 0, signal unit per macro step */
        double fitted[CP_FIT]; /* values received last, moved by jumps, newest first, signal unit */
        double fitted_at[CP_FIT]; /* their send times, macro steps */
        double residuals[CP_RESIDUALS]; /* sizes, newest first, signal unit */
        int32_t fits; /* values that it has taken, as far as that matters, - */
        uint8_t filler[4];
    } residual;
    struct { /* stage 5: the algorithm that may run */
        int64_t anchor; /* slot of the first value, of the last flag or of a change of algorithm, slots */
        int32_t mode; /* starting, running, holding, lost, State */
        int32_t active; /* that makes the estimate, Algorithm */
        int32_t selected_before; /* that was selected in the last macro step, Algorithm */
        uint8_t brief; /* the hold is no longer than what is bridged: the history goes on behind it */
        uint8_t starting; /* the selected algorithm has not run since the start */
        uint8_t anew; /* nor since the sender began anew */
        uint8_t filler[1];
    } switching;
    struct { /* stage 6: the estimate, level + slope (theta - shift) */
        double shift; /* of the line, - */
        double level; /* at the macro point, signal unit */
        double slope; /* change of the estimate, signal unit per macro step */
        double held; /* what a held output shows, signal unit */
        double passed; /* y before the history has a value, signal unit */
        double observed[CP_RING]; /* estimate at theta = 0 for the observer, by n modulo RING, signal unit */
        double spent; /* gain with which the observer has subtracted it, - */
        int64_t corrected; /* slot whose error the observer has subtracted last, slots */
    } algorithm;
    struct { /* weights of `irregular` by pattern of ages */
        double term_level[CP_PATTERNS * CP_TERMS]; /* of the level, newest value first, - */
        double term_slope[CP_PATTERNS * CP_TERMS]; /* of the slope, - */
        double scale; /* largest faded sum of squared errors of zoh at ruinous skills, signal unit squared */
        double quiet; /* the least of late, which grows, signal unit squared */
        int32_t pattern[CP_PATTERNS * CP_PATTERN]; /* lead, number, usual reach, noise and ages of the values, ticks */
        int32_t next_pattern; /* place that the next new pattern takes, - */
        int32_t careful; /* until larger weights are tried again, macro steps */
        int32_t patience; /* that this takes; less by one with each macro step of larger weights, macro steps */
        uint8_t filler[4];
    } irregular;
    struct { /* the noise of the signal, as its values tell it */
        double told[CP_RESIDUALS]; /* variance of the noise by fifth differences of values, signal unit squared */
        double change; /* mean square of the change over CHANGE slots, signal unit squared */
        double scale; /* faded squared errors of zoh where doubts of weights began; 0: none, signal unit squared */
        int64_t newest; /* newest value that these know, slots */
        int32_t next; /* place that the next variance takes, - */
        int32_t known; /* that these know, as far as that matters, slots */
        int32_t level; /* of the noise that they tell, 0: none, - */
        int32_t assumed; /* level of the noise in force, - */
        int32_t wide; /* that latencies still count as wide, macro steps */
        uint8_t filler[4];
    } noise;
    struct { /* the members of `auto` */
        double loss[CP_BANK]; /* faded sum of squared errors, signal unit squared */
        double weight[CP_BANK]; /* share in the estimate, - */
        double estimated[CP_BANK * CP_RING]; /* estimate for t_n, by member, then n modulo RING, signal unit */
        double low; /* smallest value seen, signal unit */
        double high; /* largest value seen, signal unit */
        double usual; /* mean squared error of zoh, signal unit squared */
        int64_t bent; /* slot of the last small break; 0: a large one came after it, slots */
        int32_t compared; /* estimates judged, up to a million, - */
        int32_t moves; /* in succession by which a signal that rested moves, estimates */
        int32_t sure; /* the best member foresees well */
        int32_t leading; /* with the largest share, Algorithm */
    } bank;
    struct { /* the member of `auto` that learns the signal: a linear prediction by recursive least squares */
        double sums[CP_ADAPTED_SUMS]; /* faded, of products of what is weighed: lower triangle, signal unit squared */
        double right[CP_ADAPTED_WEIGHTS]; /* with the changes to be foreseen, to both points, signal unit squared */
        double use[CP_ADAPTED_WEIGHTS]; /* weights of the change up to the macro point, and up to the next, - */
        double average[CP_AVERAGES]; /* exponential averages of the values, signal unit */
        double late[CP_AVERAGES]; /* the same `reach` + 1 slots ago, signal unit */
        double share; /* in the estimate, - */
        int64_t taken; /* newest slot that the averages have, slots */
        int32_t reach; /* from the newest value to the macro point, of what is learnt, macro steps */
        int32_t samples; /* learnt from, as far as that matters, values */
        int32_t unused; /* learnt from since the weights were worked out, values */
        uint8_t filler[4];
    } adaptive;
    struct { /* the member of `auto` that looks far back: the same with more values, each as it is */
        double sums[CP_DEEP]; /* faded, of products of a change with those before it, by lag, signal unit squared */
        double right[CP_DEEP_WEIGHTS]; /* with the changes to be foreseen, to both points, signal unit squared */
        double use[CP_DEEP_WEIGHTS]; /* weights of the change up to the macro point, and up to the next, - */
        double changes[CP_DEEP]; /* from value to value, newest first, `reach` + 1 slots ago, signal unit */
        int32_t samples; /* learnt from, as far as that matters, values */
        int32_t unused; /* learnt from since the weights were worked out, values */
    } deep;
    struct { /* how far estimates may lie outside the last values */
        double low; /* least estimate, signal unit */
        double high; /* largest estimate, signal unit */
        double lowest; /* value of those that are remembered, signal unit */
        double highest; /* value of those that are remembered, signal unit */
        int32_t acts; /* the estimate is kept within */
        uint8_t filler[4];
    } guard;
    struct { /* stage 8: what is given out */
        double y_hat; /* estimate for the target time, signal unit */
        double unlimited; /* estimate before the limits, signal unit */
        double given; /* what was given out last, signal unit */
        double given_time; /* when, s */
        double ends; /* what is given out where the step ends, signal unit */
        int32_t limited; /* the output is kept within its limits */
        uint8_t filler[4];
    } reconstruction;
    struct { /* events of a step, for the log */
        int32_t events; /* of this step, bits */
        int32_t told; /* that are told once only and have been told, bits */
    } log;
    struct { /* outputs of FMUs built with debug */
        double newest; /* newest value in the history, signal unit */
        int32_t slot; /* its slot, slots */
        int32_t missing; /* without news, macro steps */
        int32_t usable; /* since the start or the last flag, slots */
        uint8_t filler[4];
    } debug;
    struct { /* the lag of the receiver, learnt from its answer */
        double applied; /* what the receiver really does with the estimate, signal unit */
        double offset_min; /* least lag that is followed, s */
        double offset_max; /* largest lag that is followed, s */
        double lag; /* offset in force, s */
        double gain; /* amplitude of the answer over that of the estimate, - */
        double deviation; /* standard deviation of the lag, s */
        double power; /* variance of what lag and gain leave unexplained, signal unit squared */
        double given[CP_SLOTS]; /* what was given out for t_n, by n modulo SLOTS, signal unit */
        double answer[2]; /* of the receiver at the last macro points, newest first, signal unit */
        double sums[CP_SUMS]; /* of products of 1, slope, value, answer, lower triangle, - */
        int64_t step; /* newest macro step that was followed, macro steps */
        int32_t mode; /* what is learnt from the answer, Follow */
        int32_t known; /* in succession with an answer, macro steps */
        int32_t followed; /* the answer is plausible: lag and gain are learnt from it */
        uint8_t filler[4];
    } follow;
    struct { /* a periodic signal: its constant part, its fundamental and odd harmonics as complex amplitudes */
        double nominal; /* frequency that the fundamental has nearly, Hz */
        double settling; /* time constant with which the frequency is followed, latencies */
        double frequency; /* of the fundamental, Hz */
        double drift; /* by which the next value moves it, Hz */
        double ramp; /* by which it changes in a macro step, Hz */
        double earlier[CP_RATES]; /* what it was at the values before, newest first, Hz */
        double real[CP_PHASORS]; /* real parts at the newest value, fundamental first, signal unit */
        double imaginary[CP_PHASORS]; /* imaginary parts, signal unit */
        double constant; /* part that does not turn, signal unit */
        double amplitude; /* of the fundamental, signal unit */
        double usual; /* usual size of the errors of a value, signal unit */
        double errors; /* faded square of these errors, signal unit squared */
        double power; /* faded square of the signal without its constant part, signal unit squared */
        double trust; /* share of the estimate in what is given out; the rest is the newest value, - */
        int64_t slot; /* of the value taken last, slots */
        int32_t harmonics; /* order of the highest harmonic, - */
        int32_t follow; /* what is followed, Frequency */
        int32_t samples; /* taken in succession, as far as that matters, values */
        int32_t held; /* for which the frequency still stays, after a jump, values */
        int32_t followed; /* the signal is periodic: it is foreseen */
        uint8_t filler[4];
    } phasor;
    struct { /* inputs and parameters of the end of a power bond */
        double conjugate; /* present value of the signal of the bond that goes the other way, unit of the partner */
        double far_given; /* energy that the far end has given out, J */
        double far_passed; /* budget that the far end has passed on, J */
        double far_time; /* until when the far end has booked, s */
        double take_back; /* nu: share of created energy taken out in a macro step, - */
        double cap; /* largest correction as a share of the estimate, - */
        double budget; /* B: energy given out beyond what came back; 0: no guard, J */
        double alert; /* share of the budget below which estimates must be plausible, - */
        double peak; /* plausible size as a multiple of the largest one received, - */
        double rate; /* plausible change as a multiple of the largest one received, - */
        double stiffness; /* by which the effort falls at once; 0: unknown, effort per flow */
        int32_t give_back; /* energy that was lost is given back too */
        int32_t end; /* what y is in its power bond, BondEnd */
        int32_t conjugate_is; /* what the flow of the bond is, Conjugate */
        int32_t source; /* energy that is taken back, EnergySource */
        int32_t reversed; /* effort times flow is power out of the receiver of the effort */
        int32_t stale; /* the host reads outputs before it sets inputs */
    } bond;
    struct { /* stage 7: the end of a power bond, what was given out and what the estimate may still do */
        double given; /* E: energy that has left the network here, J */
        double residual; /* energy that the coupling has created, as far as both ends are known, J */
        double own; /* share of it that the estimates of this end have made, J */
        double work; /* K: energy that the corrections have given out, J */
        double taken; /* energy that the corrections have taken out, J */
        double passed; /* S: budget passed on to the far end, J */
        double left; /* T: what is left of the budget, J */
        double granted; /* B: budget that has been granted, J */
        double far_given; /* energy that the far end has given out, newest, J */
        double far_passed; /* R: budget that the far end has passed on, as two messages say, J */
        double far_time; /* until when the far end has booked, s */
        double said; /* budget that the far end has passed on, newest, J */
        double claimed; /* energy owed according to the newest message, J */
        double stray; /* time of the newest message that was older than the one before, s */
        double power; /* energy given out per time in the step booked last, W */
        double correction; /* added to the estimate, signal unit */
        double time; /* newest communication point, s */
        double booked; /* until when everything is booked, s */
        double lasted[2]; /* length of the steps that ended last, newest first, s */
        double conjugate[2]; /* at communication points, newest first, unit of the partner */
        double start[2]; /* what is given out from communication points on, newest first, signal unit */
        double end[2]; /* what it has become where the step ends, signal unit */
        double points[3]; /* conjugate at macro points, newest first, unit of the partner */
        double levels[3]; /* what is given out at macro points, newest first, signal unit */
        double means[2]; /* mean of what was given out in macro steps, newest first, signal unit */
        double impulse; /* given out since the last macro point, signal unit s */
        double change[2]; /* what this stage has added: next, in force, signal unit */
        double above; /* faded sum of the squared responses, - */
        double below; /* faded sum of the squares of what made them, - */
        double response; /* energy of a step in which the conjugate gives way, per square of what is given, - */
        double square; /* mean square of the flow, - */
        double size; /* largest size received, signal unit */
        double swing; /* largest change received per macro step, signal unit */
        double growth; /* by which that has grown in the last macro step, signal unit */
        double last; /* start of the line given out last, signal unit */
        double reached; /* end of the line given out last, signal unit */
        double true_value; /* newest true value at a macro point, signal unit */
        double created; /* faded sum of the energy created, J */
        double transmitted; /* faded sum of the sizes of the energy given out, J */
        double before; /* energy created until the last macro point, J */
        double owed; /* energy created less the work of corrections, until the far end's newest message, J */
        double raw[CP_RING]; /* estimate before this stage, by n modulo RING, signal unit */
        double moved[CP_RING]; /* conjugate that it acted on, by n modulo RING, - */
        double known[CP_RING]; /* energy given out until t_n, J */
        double worked[CP_RING]; /* work of the corrections until t_n, J */
        int64_t judged; /* macro step of the newest true value, macro steps */
        int64_t step; /* newest macro step that was followed, macro steps */
        int32_t heard; /* communication points in succession with a finite conjugate, up to 3 */
        int32_t counted; /* macro points in succession, up to 3, macro steps */
        int32_t strays; /* in succession that were older, messages */
        int32_t fallen; /* in succession with less passed on than before, messages */
        int32_t graded; /* booked, as far as that matters, macro steps */
        int32_t limited; /* the estimate is kept within the budget */
        int32_t grade; /* what the coupling does to energy, EnergyGrade */
        int32_t far; /* there has been a message of the far end */
    } energy;
    struct { /* the prototype that sends y: what it is given, and its states as the algorithm `model` has them */
        double u[CP_PLANT_INPUTS]; /* signals that go from here to the prototype, at present, unit of u */
        double companion[CP_COMPANIONS]; /* what it sent with y, its unit */
        double given[CP_PLANT_INPUTS]; /* what it was given when it sent y, as its message says, unit of u */
        double given_slope[CP_PLANT_INPUTS]; /* slope of that from then on, unit of u per s */
        double earlier_companion[CP_EARLIER_COMPANIONS]; /* what it sent with repeated values, its unit */
        double earlier_given[CP_EARLIER_INPUTS]; /* what it was given when it sent these, unit of u */
        double earlier_slope[CP_EARLIER_INPUTS]; /* slopes of that, unit of u per s */
        double local[CP_PLANT_INPUTS * CP_INPUTS]; /* signals from here at t_n, by signal, n modulo INPUTS, unit of u */
        double outputs[CP_COMPANIONS * CP_SLOTS]; /* what was sent with y, by signal, slot modulo SLOTS, its unit */
        double level[CP_PLANT_INPUTS * CP_SLOTS]; /* what it was given, by signal, slot modulo SLOTS, unit of u */
        double change[CP_PLANT_INPUTS * CP_SLOTS]; /* change of that from then on, unit of u per step */
        double predicted[CP_PLANT_STATES * CP_SLOTS]; /* states before values count, by state, slot modulo SLOTS, - */
        double corrected[CP_PLANT_STATES]; /* states at the slot that the last estimate came from, - */
        double reached[CP_PLANT_STATES]; /* states `ahead` macro steps later, - */
        double powers[CP_PLANT_POWERS]; /* a power of Phi, column by column, - */
        double begins; /* when that slot was sent, after the macro point, macro steps */
        double foreseen[CP_RING]; /* what the model estimates for t_n, by n modulo RING, signal unit */
        double errors; /* faded sum of its squared errors, signal unit squared */
        double held; /* the same for ZOH, signal unit squared */
        double surprise; /* faded squared errors of the observer on y over their variance, beyond noise, - */
        double peak; /* the largest of these sums that counts as a growth, - */
        double low; /* smallest value judged by, signal unit */
        double high; /* largest value judged by, signal unit */
        int64_t step; /* newest macro step whose signals are kept, macro steps */
        int64_t at; /* macro step of the last estimate, macro steps */
        int64_t next; /* newest slot with such states, slots */
        int64_t origin; /* origin of the history that they come from, slots */
        int32_t known; /* kept in succession, macro steps */
        int32_t begun; /* there are such states */
        int32_t ahead; /* from the slot to the last inputs that are known, macro steps */
        int32_t power; /* of Phi that there is, - */
        int32_t moved; /* that states were moved on, macro steps */
        int32_t wrong; /* the model is wrong: its fallback runs */
        int32_t doubt; /* in succession that speak against that, estimates */
        int32_t grown; /* growths in succession, - */
        int32_t since; /* since the last one, estimates */
        int32_t recovers; /* with news until estimates tell of the model again, macro steps */
        uint8_t told[CP_SLOTS]; /* what messages told, by slot modulo SLOTS: 1 companions, 2 given, - */
    } plant;
} cp_state;

/* weights, sums and counters of a neural network; sums are over the running range */
typedef struct {
    double prior; /* expected change of a weight, - */
    double gain_max; /* largest gain, as a multiple of that of the start, - */
    double lowest; /* end of the running range, signal unit */
    double highest; /* end of the running range, signal unit */
    double spread; /* median of the errors, - */
    double power; /* sum of the squared errors of the start, - */
    double behind; /* faded sum of what the weights in use lose more than hold, - */
    double loss[3]; /* of candidate, weights in use, hold, - */
    double loss_far[3]; /* at the other end of the macro step, - */
    double base[CP_MOST_WEIGHTS]; /* parameters network.weights[i], - */
    double use[CP_MOST_WEIGHTS]; /* weights in use, - */
    double candidate[CP_MOST_WEIGHTS]; /* weights under test; while training the right-hand side, - */
    double right[CP_MOST_WEIGHTS]; /* normal equations: right-hand side, - */
    double matrix[CP_TRIANGLE]; /* and matrix, lower triangle, - */
    double factor[CP_TRIANGLE]; /* its Cholesky factor in the making, - */
    int32_t enabled; /* learn while running */
    int32_t safe; /* new weights are taken only after a test */
    int32_t cycle_steps; /* of a learning cycle, macro steps */
    int32_t judge_steps; /* of a test of new weights, macro steps */
    int32_t phase; /* collecting, training, judging, LearningState */
    int32_t accepted; /* new weights that were taken, - */
    int32_t refused; /* new weights that were not taken, - */
    int32_t fallbacks; /* returns to the weights of the start, - */
    int32_t collected; /* samples in this cycle, - */
    int32_t column; /* of the factor, next, - */
    int32_t judged; /* samples in this test, - */
    int32_t poor; /* with a skill below zero in succession, macro steps */
    int32_t ranged; /* the running range has begun */
    int32_t harmful; /* up to now at which the weights in use lose against hold, values */
} cp_neural;

/* The state of an FMU with it; its first member is what functions take. */
typedef struct {
    cp_state state;
    cp_neural neural;
} cp_state_with_neural;

enum { CP_PLAIN_STATE_BYTES = 23176, CP_STATE_BYTES = 44808, CP_STATE_WITH_NEURAL_BYTES = 80296 };

#endif
