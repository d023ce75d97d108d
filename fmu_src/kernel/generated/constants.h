/* Constants of the method, by where they are used. */
#ifndef CP_GENERATED_CONSTANTS_H
#define CP_GENERATED_CONSTANTS_H

/* step */
#define CP_TINY 1e-06 /* times this close are the same, macro steps */
#define CP_FARTHEST_STEP 9000000000000000.0 /* a time beyond is refused, macro steps */

/* grid */
#define CP_COUNTED 0.001 /* off a macro point that a host counts its steps to, macro steps */
#define CP_MOST_STEPS 1000000.0 /* in a macro step that can be counted, steps */
#define CP_RESOLVED 8.881784197001252e-16 /* of a time are the same: 4 * 2^-52, - */
#define CP_SINGLE 2.384185791015625e-07 /* the same of hosts that count time in single precision: 4 * 2^-24, - */
#define CP_UPPER 536870913.0 /* what tells the upper 24 bits of a number from the others: 2^29 + 1, - */

/* latency */
#define CP_FAR 1000000000.0 /* an age beyond any use, macro steps */
#define CP_FARTHEST_SLOT 9007199254740992.0 /* whole numbers are exact up to here, slots */
#define CP_SETTLING 32 /* that the mean of the usual lead spans, slots */
#define CP_SWAY 0.125 /* how far the usual lead goes before it counts, macro steps */
#define CP_WHOLE 0.05 /* a lead with stamps this little above a whole number has that k: clocks drift, macro steps */
#define CP_LEAST_STAMP (-1e+300) /* a smaller stamp is none, s */
#define CP_LEAST_LEAD (-3.0) /* of the estimate before the newest value: a smaller one is refused, macro steps */

/* follow */
#define CP_FOLLOW_FARTHEST 56.0 /* largest lag that is followed: estimates of 64 macro steps are kept, macro steps */
#define CP_FOLLOW_ENOUGH 256.0 /* before a lag is taken from them, answers */
#define CP_FOLLOW_LEAST 64.0 /* that are remembered at least, answers */
#define CP_FOLLOW_MEMORY 4096.0 /* that are remembered at most, answers */
#define CP_FOLLOW_DOUBT 1024.0 /* that are remembered at most while they are not plausible, answers */
#define CP_FOLLOW_SHARP 0.02 /* deviation over that expected, at which older answers fade, - */
#define CP_FOLLOW_GAIN_SPREAD 0.02 /* expected deviation of the gain from 1, - */
#define CP_FOLLOW_LEAST_GAIN 0.8 /* smaller ones are not followed, - */
#define CP_FOLLOW_MOST_GAIN 1.25 /* larger ones are not followed, - */
#define CP_FOLLOW_PLAUSIBLE 0.1 /* share of the variance of the estimate that may stay unexplained, - */
#define CP_FOLLOW_RATE 0.05 /* by which the lag changes in a macro step at most, macro steps */
#define CP_FOLLOW_GAIN_RATE 0.0005 /* by which the gain changes in a macro step at most, - */
#define CP_FOLLOW_LARGEST 1e+100 /* larger answers and estimates are not learnt from, signal unit */

/* phasor */
#define CP_PHASOR_RANGE 0.1 /* of the nominal frequency: it may be off by as much, - */
#define CP_PHASOR_INSIDE 0.099 /* of the nominal frequency: what is further off comes to the end, - */
#define CP_PHASOR_SLOW 0.001 /* in a macro step: a fundamental that turns by less is not followed, turns */
#define CP_PHASOR_HIGHEST 0.5 /* in a macro step: harmonics that may turn by more are left out, turns */
#define CP_PHASOR_LONG 0.5 /* memory of the phasors, periods */
#define CP_PHASOR_SHORT 0.3333333333333333 /* the same after a jump, periods */
#define CP_PHASOR_QUICK 1.0 /* after a jump with the short memory, periods */
#define CP_PHASOR_HOLD 2.0 /* after a jump in which the frequency stays, periods */
#define CP_PHASOR_SETTLED 10.0 /* before a jump can be told, periods */
#define CP_PHASOR_JUMP 6.0 /* usual errors that are a jump, - */
#define CP_PHASOR_LEAST 0.08 /* of the amplitude that an error must have to be one, - */
#define CP_PHASOR_USUAL 0.02 /* share of the newest error in the usual one, - */
#define CP_PHASOR_GROWTH 3.0 /* usual errors that count as one at most, - */
#define CP_PHASOR_RAMP 0.25 /* of a correction of the frequency that its ramp takes in a time constant, - */
#define CP_PHASOR_CALM 4.0 /* time constants of the frequency before its ramp is followed, - */
#define CP_PHASOR_SLOWEST 1.5 /* a latency below counts as much where the frequency is followed, periods */
#define CP_PHASOR_EASE 10.0 /* in which the estimate takes the place of the newest value, periods */
#define CP_PHASOR_CLIP 0.05 /* by which a value may turn the phase, as far as the frequency sees it, radians */
#define CP_PHASOR_FADE 0.5 /* memory of the powers of error and signal, periods */
#define CP_PHASOR_PLAUSIBLE 0.25 /* share of the signal's power that errors may have, - */
#define CP_PHASOR_FARTHEST 1000000.0 /* an angle beyond is none, radians */
#define CP_PHASOR_LARGEST 1e+100 /* larger values are not followed, signal unit */
#define CP_PI 3.141592653589793 /* half a turn, radians, - */
#define CP_QUARTER 1.5707963267341256 /* a quarter of a turn, radians, in 33 bits, - */
#define CP_QUARTER_REST 6.077100506506192e-11 /* what it lacks, - */

/* clock */
#define CP_BLOCK 256 /* whose fastest one tells the offset of the clock for one time, messages */
#define CP_LEAST_BLOCKS 3 /* from which a drift is worked out, blocks */
#define CP_LARGEST_DRIFT 0.001 /* no clock drifts more, - */
#define CP_LONGEST 32.0 /* lead beyond the fastest message that the estimate of a clock may ask for, macro steps */

/* history */
#define CP_MOST_COUNTED 1000000000 /* lost, late or reordered: counters end here, values */

/* restart */
#define CP_STRAYS 16 /* in succession that agree on another time and begin anew, messages */
#define CP_USUAL 32 /* whose transit times are usual, up to twice as many, messages */
#define CP_OUTSIDE 0.5 /* beyond usual transit times is unusual, macro steps */
#define CP_AGREE 8.0 /* more than usual that transit times differ by which agree, macro steps */
#define CP_DOUBT 8 /* weight of strays from which the sender may have begun anew, - */
#define CP_FAR_APART 64.0 /* between the transit times of the first two messages: the first was none, macro steps */

/* wrap */
#define CP_MOST_TURNS 4503599627370496.0 /* of a signal that wraps round: halves are exact up to here, periods */

/* quality */
#define CP_MEMORY 0.98 /* weight that a squared error keeps with each later one, - */
#define CP_WORST_SKILL (-1000.0) /* the skill ends here, - */
#define CP_NOISE 1e-09 /* share of a value that is tolerated as rounding, - */
#define CP_ENOUGH 20 /* judged before there is a grade, and before all members of a bank have a share, estimates */
#define CP_MANY 1000000 /* counters end here, - */
#define CP_CALM 50 /* tolerated in succession that end the first warning, twice as many the next, estimates */
#define CP_LONGEST_CALM 12800 /* that end a warning at most, estimates */

/* discontinuity */
#define CP_RELATIVE_FLOOR 1e-09 /* breaks by less than this share of the value are rounding, - */

/* residual */
#define CP_SHARPNESS 1.2 /* residual that flags, in sensitivities and usual residuals, - */
#define CP_SPREAD 1.4826 /* standard deviation over median of normal residuals, - */
#define CP_SHARE_OF_RANGE 0.004 /* residual that flags, in sensitivities and ranges of the signal, - */
#define CP_RANGE 32 /* that the range of the signal spans, slots */
#define CP_COMMON 6 /* of half the size among the last ones: so large a residual is no break but usual, residuals */
#define CP_LAST 3 /* out of which a new one must not have grown, residuals */
#define CP_GROWTH 6.0 /* times these: no mere growth, - */
#define CP_SHARE_IN_BANK 0.2 /* share of the range from which a bank heeds a jump, - */
#define CP_SHARE_IF_SURE 0.4 /* the same where it foresees well, - */
#define CP_CLEAR 10.0 /* usual residuals that a smaller break exceeds which a bank that foresees well heeds, - */
#define CP_REST 0.1 /* rate before a flag over rate at it from which a bank takes it for no start of a movement, - */
#define CP_MOVEMENT 1.5 /* rate after a flag over rate at it from which it was the start of a movement, - */
#define CP_LEAST_GAP 1.0 /* least time since the value before, macro steps */
#define CP_LEAST_FITS 12 /* before the first test, values */

/* smb */
#define CP_HALF_PI 1.5707963267948966 /* pi / 2, rad */
#define CP_SHARE_OF_LIMIT 0.85 /* gain that is worked out, over the largest stable one, - */

/* irregular */
#define CP_TICKS 65536 /* of time in a macro step, ticks */
#define CP_LARGEST_TOTAL 60.0 /* sizes of weights in step timing, in total: beyond it solved again with more noise, - */
#define CP_MORE_NOISE 1.5 /* times the noise before, at least, - */
#define CP_MOST_NOISE 0.03 /* more helps no more, - */
#define CP_TRIES 8 /* solutions for a pattern of ages at most,  */
#define CP_RUINOUS (-1.0) /* skill below which weights are too large for the loop, - */
#define CP_CAREFUL_TOTAL 15.0 /* sizes of weights in total after such a skill, - */
#define CP_LEAST_TOTAL 4.0 /* the same from the second time on, - */
#define CP_CAREFUL 256 /* until larger weights are tried again, four times as many each next time, macro steps */
#define CP_MOST_CAREFUL 16384 /* until then at most, macro steps */
#define CP_PAUSE 64 /* until the skill is that of the smaller weights, macro steps */
#define CP_ONSET 100.0 /* times the faded squared errors of zoh at such skills: larger weights are tried at once, - */
#define CP_QUIET_GROWTH 1.01 /* by which the least faded squared errors of zoh grow in a macro step, - */

/* model */
#define CP_WRONG 9.0 /* times the faded squared errors of zoh: a model with more, for long, is wrong, - */
#define CP_WRONG_SHARE 0.005 /* of the squared range, that such errors have at least, - */
#define CP_WRONG_UNSURPRISED 12.5 /* the same while the observer has the errors that it expects, - */
#define CP_PLANT_NEAR 3 /* so few are stepped anew each time, macro steps */
#define CP_PLANT_OLDER 5.0 /* of inputs that are known before the slot, so that they stay what they are, macro steps */
#define CP_EXPECTED 9.0 /* squared error of the observer over its variance: noise makes no larger one, - */
#define CP_SURPRISED 9.0 /* faded sum of what is beyond, of a model that may be wrong, - */
#define CP_DIVERGED 5000.0 /* the same of a loop that grows, - */
#define CP_DIVERGED_SHARE 0.5 /* times the faded squared errors of zoh that such a model has at least, - */
#define CP_WRONG_FOR 50 /* so wrong in succession that let it fall back, estimates */
#define CP_GROWS 2.0 /* times the largest of these sums before: it has grown, - */
#define CP_GROWS_APART 20 /* at least from one growth that counts to the next, estimates */
#define CP_GROWS_WITHIN 200 /* at most from one to the next, else they are counted anew, estimates */
#define CP_GROWS_FOR 4 /* growths in succession: the loop grows, - */
#define CP_GROWS_SHARE 0.1 /* times the faded squared errors of zoh that the model of such a loop has at least, - */
#define CP_RIGHT_FOR 200 /* better than zoh in succession that bring it back, estimates */
#define CP_GAP 2 /* without news that a model bears: after more its estimates tell of the gap, macro steps */
#define CP_RECOVERS 128 /* with news until they tell of the model again, macro steps */

/* noise */
#define CP_LEAST_NOISE 1e-06 /* noise of the first level, variance over the signal's, - */
#define CP_MORE_AT_LEVEL 4.0 /* times that of the level before, - */
#define CP_MEDIAN 0.4549364 /* of a squared normal number over its mean, - */
#define CP_CHANGE 8 /* over which the change of the signal is looked at, slots */
#define CP_CHANGE_SPAN 64 /* that the mean of its square spans, slots */
#define CP_SHARE_OF_CHANGE 5e-07 /* of that, the variance of the noise at the first level, - */
#define CP_OFF_LEVEL 3.0 /* times more or less than at a level: the next one holds, - */
#define CP_TOTAL_AT_LEVEL 3200.0 /* sizes of weights in total at the first level, half as much at the next, - */
#define CP_POOR 0.85 /* skill below which noise is assumed where latencies vary widely, - */
#define CP_POORER 0.7 /* skill below which it is more, - */
#define CP_POOR_LEVEL 4 /* level of that noise; the next one where the skill is poorer, - */
#define CP_WIDE 2.0 /* that a value is later than usual: latencies vary widely, macro steps */
#define CP_WIDE_SPAN 128 /* that they count as wide after it, macro steps */
#define CP_LEAST_RESIDUAL 8.0 /* standard deviations of the noise: a smaller residual is no break, - */
#define CP_LEAST_IN_SPECTRUM 10.0 /* the same of a spectrum, - */
#define CP_TOLERATED_NOISE 4.25 /* standard deviations of the noise in an error: three of two values, - */

/* auto */
#define CP_FAVOUR 10.0 /* factor on the share of irregular in event timing, - */
#define CP_FAVOUR_IN_STEPS 40.0 /* the same in step timing: a loop that holds bears the gain of the others less, - */
#define CP_BANK_MEMORY 0.98 /* weight that a squared error keeps with each later one, - */
#define CP_BANK_FLOOR 1e-12 /* squared errors below this share of the squared range are equal, - */
#define CP_BANK_KNOWN 100 /* judged before an error can be unusual, estimates */
#define CP_BANK_USUAL 500 /* that the mean squared error of zoh spans, estimates */
#define CP_BANK_SCALE 1.0 /* times this mean a squared error counts at most, - */
#define CP_BANK_LARGE 32.0 /* or times the usual one of the member itself, - */
#define CP_BANK_ONSET 100.0 /* times this mean, of a squared error of zoh: a signal that rested may move, - */
#define CP_BANK_MOVES 3 /* with such errors in succession: it moves, trust begins anew, estimates */
#define CP_BANK_SURE 0.04 /* share of the squared errors of zoh below which the best member foresees well, - */
#define CP_BANK_BENT 24 /* from a small break on in which eros3 runs alone, through it, slots */
#define CP_BANK_SETTLES 10 /* from then on, and k more, whose errors say nothing, slots */

/* adaptive */
#define CP_ADAPTIVE_MEMORY 0.997 /* weight that the sums keep with each later value, - */
#define CP_ADAPTIVE_RIDGE 1e-05 /* of their mean diagonal is added to it: it draws weights to those of zoh, - */
#define CP_ADAPTIVE_PIVOT 0.001 /* least pivot, in what is added, - */
#define CP_ADAPTIVE_LEAST 1e-290 /* a smaller pivot teaches nothing: 1 over it may be infinite, - */
#define CP_ADAPTIVE_MOVED 0.0001 /* a smaller change teaches nothing, ranges */
#define CP_ADAPTIVE_LARGEST 1e+100 /* a larger change is not learnt from, signal unit */
#define CP_ADAPTIVE_ENOUGH 44 /* learnt from before it has a share, values */
#define CP_ADAPTIVE_EVERY 4 /* learnt from until its weights are worked out anew, values */
#define CP_ADAPTIVE_GAP 10 /* taken in at most after a gap, slots */
#define CP_ADAPTIVE_KEEPS 0.7788007830714049 /* by the shortest average, exp(-1/4); the next its square root, - */
#define CP_DEEP_MEMORY 0.9995 /* weight that the sums of the second keep with each later value, - */
#define CP_DEEP_RIDGE 1e-08 /* of their mean diagonal is added to it, - */
#define CP_DEEP_REST 1e-12 /* of the squared range: sums below do not fade where a signal rests, - */
#define CP_DEEP_ENOUGH 96 /* learnt from before it has a share, values */
#define CP_DEEP_EVERY 16 /* learnt from until its weights are worked out anew, values */

/* guard */
#define CP_GUARD_RECENT 16 /* whose values may make the range grow, slots */
#define CP_GUARD_FADE 0.000244140625 /* share of the range of older values forgotten at each end in a step, - */
#define CP_GUARD_GROWN 0.75 /* range of older values over that of all below which the range grows, - */
#define CP_GUARD_YOUNG 0.05 /* the same below which the signal was at rest, - */
#define CP_GUARD_GROWTH 3.0 /* times its growth, or that squared over the range before, a range may go on to grow, - */
#define CP_GUARD_MOST 1.0 /* outside the values of late that a movement may go on to, ranges */
#define CP_GUARD_CHANGE 1.75 /* times the largest change of late, the most that an estimate may change, - */
#define CP_GUARD_STRETCH 1.2 /* times what the last values have in common, - */
#define CP_GUARD_START 6.9 /* second rate over first of a signal faster than the square of time, - */
#define CP_GUARD_BEND 0.6 /* by which power such a signal is faster than its square, about, - */
#define CP_GUARD_RUN 4 /* received in one direction that make a movement, values */
#define CP_GUARD_CHANGES 5 /* received in succession whose changes are looked at, values */
#define CP_GUARD_SHARE 0.01 /* of a member of the bank from which it matters, - */
#define CP_USUAL_GUARD 0.25 /* of `auto` where nothing is said, ranges */

/* energy */
#define CP_SPEED_MEMORY 0.98 /* weight that the mean square of the flow keeps with each macro step, - */
#define CP_RESPONSE_MEMORY 0.98 /* weight that the sums of the response keep with each macro step, - */
#define CP_REACH_MEMORY 0.999 /* share of its largest size and change that a signal keeps with each macro step, - */
#define CP_ENERGY_MEMORY 0.99 /* weight that created and transmitted energy keep with each macro step, - */
#define CP_ENERGY_ENOUGH 100 /* booked before there is a grade, macro steps */
#define CP_CREATED 0.01 /* share of the transmitted energy that is created, or lost, beyond rounding, - */
#define CP_TOLERATED 0.005 /* share of the transmitted energy that is not taken back, - */
#define CP_GIVES_WAY 3.0 /* times the response that counts in the budget of a bond of velocities, - */
#define CP_GOES_ON 2.0 /* times the last change of the conjugate that counts in the budget of a bond of velocities, - */
#define CP_STIFFER 1.2 /* times the response that counts where a displacement jumps and no stiffness is given, - */
#define CP_HIDDEN 0.4 /* of the bend of the effort times the way it met: what the books may not see, - */
#define CP_FADES 0.45 /* share of the alert within which the way ahead ceases to be plausible, - */
#define CP_ANSWERED 0.1 /* share of the largest size or change received from which on the response can be told, - */

/* reconstruction */
#define CP_FURTHEST 2.0 /* the estimate is continued no further, macro steps */

/* learning */
#define CP_LARGEST_WEIGHT 1000000.0 /* of a network, - */
#define CP_LARGEST_CHANGE 1000000000.0 /* a sample with a larger change is left out, ranges */
#define CP_IDLE 1e-09 /* a sample with less change tells nothing, ranges */
#define CP_FORGETTING 0.9 /* weight that the samples of a cycle keep in the next, - */
#define CP_OUTLIER 4.0 /* errors above so many usual ones are left out, - */
#define CP_TRACKING 1.05 /* factor by which the usual error follows, - */
#define CP_SMALLEST_SPREAD 1e-12 /* least usual error, ranges */
#define CP_ROUNDING 1e-12 /* share of the trace that damps the matrix at least, - */
#define CP_FORESEEN 0.5 /* share of a change that an error may have: the jump was foreseen, - */
#define CP_PATIENCE 250 /* of harm until the start returns, macro steps */
#define CP_HARM_MEMORY 0.999 /* weight that what is lost against hold keeps with each later value, - */
#define CP_HARM_SHARE 0.97 /* of what hold loses; weights that lose more are harmful, - */
#define CP_HARM_CREDIT 8.0 /* most that is won against hold ahead: a signal may change its character, - */
#define CP_HARM_DEBT 20.0 /* most that is lost, and is to be won back, - */
#define CP_HARM_PATIENCE 30 /* of harm until the newest value is given out, values */
#define CP_MADE_UP 3 /* that lose are made up for by one that wins, values */
#define CP_WIDTH 3.0 /* errors count like squares up to so many usual ones, beyond like lines, - */

#endif
