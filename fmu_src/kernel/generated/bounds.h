/* The least and the most that a field has in a saved state; part of sound.c. */

static const double cp_limits[] = {
    0.0, 1.0, -CP_UNLIMITED, CP_UNLIMITED, -1.0, 9000000000000000.0, 9000000000000001.0, 64.0, 1.8014398509481984e+16,
    1000000000.0, 65.0, 3.0, 32.0, 8.0, 256.0, 16.0, 4.0, 1000000.0, 12800.0, 12.0, -64.0, -2147483648.0, 2147483647.0,
    11.0, 16384.0, 20.0, 128.0, 44.0, 268435455.0, 0.8, 1.25, -2.0, 100.0, 200.0, 250.0,
};

static const cp_bound cp_bounds[] = {
    {offsetof(cp_state, input.y_valid), 1, CP_I32, 0, 1},
    {offsetof(cp_state, input.burst_valid), 7, CP_I32, 0, 1},
    {offsetof(cp_state, parameter.detection), 1, CP_I32, 0, 1},
    {offsetof(cp_state, parameter.hold_after_flag), 1, CP_I32, 0, 1},
    {offsetof(cp_state, parameter.bypass), 1, CP_I32, 0, 1},
    {offsetof(cp_state, grid.anchor_time), 1, CP_F64, 2, 3},
    {offsetof(cp_state, grid.time), 1, CP_F64, 2, 3},
    {offsetof(cp_state, grid.target), 1, CP_F64, 2, 3},
    {offsetof(cp_state, grid.period), 1, CP_F64, 0, 3},
    {offsetof(cp_state, grid.near), 1, CP_F64, 0, 3},
    {offsetof(cp_state, grid.n), 1, CP_I64, 4, 5},
    {offsetof(cp_state, grid.due), 1, CP_I64, 0, 6},
    {offsetof(cp_state, grid.anchor), 1, CP_I64, 0, 5},
    {offsetof(cp_state, grid.here), 1, CP_I64, 0, 5},
    {offsetof(cp_state, latency.seconds), 1, CP_F64, 2, 3},
    {offsetof(cp_state, latency.first_stamp), 1, CP_F64, 2, 3},
    {offsetof(cp_state, latency.newest_stamp), 1, CP_F64, 2, 3},
    {offsetof(cp_state, latency.fraction), 1, CP_F64, 4, 7},
    {offsetof(cp_state, latency.usual_lead), 1, CP_F64, 0, 7},
    {offsetof(cp_state, latency.slot), 1, CP_I64, 0, 8},
    {offsetof(cp_state, latency.steps), 1, CP_I32, 0, 9},
    {offsetof(cp_state, latency.usual_reach), 1, CP_I32, 0, 10},
    {offsetof(cp_state, latency.taken), 1, CP_I32, 0, 11},
    {offsetof(cp_state, latency.early), 1, CP_I32, 0, 12},
    {offsetof(cp_state, clock.drift), 1, CP_F64, 2, 3},
    {offsetof(cp_state, clock.offset), 1, CP_F64, 2, 3},
    {offsetof(cp_state, clock.fastest), 1, CP_F64, 2, 3},
    {offsetof(cp_state, clock.transit), 1, CP_F64, 2, 3},
    {offsetof(cp_state, clock.jump), 1, CP_F64, 2, 3},
    {offsetof(cp_state, clock.low), 2, CP_F64, 2, 3},
    {offsetof(cp_state, clock.high), 2, CP_F64, 2, 3},
    {offsetof(cp_state, clock.stray_stamp), 1, CP_F64, 2, 3},
    {offsetof(cp_state, clock.stray_low), 1, CP_F64, 2, 3},
    {offsetof(cp_state, clock.stray_high), 1, CP_F64, 2, 3},
    {offsetof(cp_state, clock.round_trip), 1, CP_F64, 2, 3},
    {offsetof(cp_state, clock.block_time), 9, CP_F64, 2, 3},
    {offsetof(cp_state, clock.block_transit), 9, CP_F64, 2, 3},
    {offsetof(cp_state, clock.stray_step), 1, CP_I64, 0, 6},
    {offsetof(cp_state, clock.blocks), 1, CP_I32, 0, 13},
    {offsetof(cp_state, clock.block_count), 1, CP_I32, 0, 14},
    {offsetof(cp_state, clock.known), 1, CP_I32, 0, 15},
    {offsetof(cp_state, clock.guessed), 1, CP_I32, 0, 1},
    {offsetof(cp_state, clock.usual), 1, CP_I32, 0, 12},
    {offsetof(cp_state, clock.strays), 1, CP_I32, 0, 15},
    {offsetof(cp_state, clock.certain), 1, CP_I32, 0, 15},
    {offsetof(cp_state, clock.doubt), 1, CP_I32, 0, 13},
    {offsetof(cp_state, history.past), 64, CP_F64, 2, 3},
    {offsetof(cp_state, history.stamps), 64, CP_F64, 2, 3},
    {offsetof(cp_state, history.newest), 1, CP_I64, 0, 8},
    {offsetof(cp_state, history.origin), 1, CP_I64, 0, 8},
    {offsetof(cp_state, history.news), 1, CP_I64, 0, 6},
    {offsetof(cp_state, history.lost), 1, CP_I32, 0, 9},
    {offsetof(cp_state, history.late), 1, CP_I32, 0, 9},
    {offsetof(cp_state, history.reordered), 1, CP_I32, 0, 9},
    {offsetof(cp_state, history.filled), 1, CP_U8, 0, 1},
    {offsetof(cp_state, history.marked), 64, CP_U8, 0, 1},
    {offsetof(cp_state, quality.error), 1, CP_F64, 2, 3},
    {offsetof(cp_state, quality.tolerance), 1, CP_F64, 2, 3},
    {offsetof(cp_state, quality.skill), 1, CP_F64, 2, 3},
    {offsetof(cp_state, quality.skill_zoh), 1, CP_F64, 2, 3},
    {offsetof(cp_state, quality.error_power), 1, CP_F64, 0, 3},
    {offsetof(cp_state, quality.hold_power), 1, CP_F64, 0, 3},
    {offsetof(cp_state, quality.wire_power), 1, CP_F64, 0, 3},
    {offsetof(cp_state, quality.worst), 1, CP_F64, 2, 3},
    {offsetof(cp_state, quality.exceeded), 1, CP_F64, 2, 3},
    {offsetof(cp_state, quality.lasted), 1, CP_F64, 2, 3},
    {offsetof(cp_state, quality.all_worst), 1, CP_F64, 2, 3},
    {offsetof(cp_state, quality.all_exceeded), 1, CP_F64, 2, 3},
    {offsetof(cp_state, quality.all_judged), 1, CP_F64, 2, 3},
    {offsetof(cp_state, quality.estimated), 128, CP_F64, 2, 3},
    {offsetof(cp_state, quality.held_then), 128, CP_F64, 2, 3},
    {offsetof(cp_state, quality.wire_mean), 128, CP_F64, 2, 3},
    {offsetof(cp_state, quality.wire_spread), 128, CP_F64, 0, 3},
    {offsetof(cp_state, quality.judged), 1, CP_I64, 0, 6},
    {offsetof(cp_state, quality.ok), 1, CP_I32, 0, 1},
    {offsetof(cp_state, quality.grade), 1, CP_I32, 0, 16},
    {offsetof(cp_state, quality.measured), 1, CP_I32, 0, 17},
    {offsetof(cp_state, quality.wire_count), 1, CP_I32, 0, 17},
    {offsetof(cp_state, quality.stopped), 1, CP_I32, 0, 1},
    {offsetof(cp_state, quality.calm), 1, CP_I32, 0, 17},
    {offsetof(cp_state, quality.patience), 1, CP_I32, 0, 18},
    {offsetof(cp_state, quality.warned), 1, CP_U8, 0, 1},
    {offsetof(cp_state, quality.judged_ok), 1, CP_U8, 0, 1},
    {offsetof(cp_state, quality.harmful), 1, CP_U8, 0, 1},
    {offsetof(cp_state, quality.judgeable), 128, CP_U8, 0, 1},
    {offsetof(cp_state, quality.horizon), 128, CP_U8, 0, 10},
    {offsetof(cp_state, discontinuity.spectrum), 1, CP_F64, 2, 3},
    {offsetof(cp_state, discontinuity.spectrum_before), 1, CP_F64, 2, 3},
    {offsetof(cp_state, discontinuity.tested), 1, CP_I64, 0, 8},
    {offsetof(cp_state, discontinuity.anchor_before), 1, CP_I64, 0, 8},
    {offsetof(cp_state, discontinuity.detected), 1, CP_I32, 0, 1},
    {offsetof(cp_state, discontinuity.flagged), 1, CP_U8, 0, 1},
    {offsetof(cp_state, residual.miss), 1, CP_F64, 2, 3},
    {offsetof(cp_state, residual.break_rate), 1, CP_F64, 2, 3},
    {offsetof(cp_state, residual.fitted), 6, CP_F64, 2, 3},
    {offsetof(cp_state, residual.fitted_at), 6, CP_F64, 2, 3},
    {offsetof(cp_state, residual.residuals), 21, CP_F64, 2, 3},
    {offsetof(cp_state, residual.fits), 1, CP_I32, 0, 19},
    {offsetof(cp_state, switching.anchor), 1, CP_I64, 0, 8},
    {offsetof(cp_state, switching.mode), 1, CP_I32, 1, 16},
    {offsetof(cp_state, switching.active), 1, CP_I32, 0, 19},
    {offsetof(cp_state, switching.selected_before), 1, CP_I32, 0, 19},
    {offsetof(cp_state, switching.starting), 1, CP_U8, 0, 1},
    {offsetof(cp_state, switching.anew), 1, CP_U8, 0, 1},
    {offsetof(cp_state, algorithm.shift), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.level), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.slope), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.held), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.passed), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.observed), 128, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.spent), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.corrected), 1, CP_I64, 20, 8},
    {offsetof(cp_state, irregular.term_level), 120, CP_F64, 2, 3},
    {offsetof(cp_state, irregular.term_slope), 120, CP_F64, 2, 3},
    {offsetof(cp_state, irregular.pattern), 156, CP_I32, 21, 22},
    {offsetof(cp_state, irregular.next_pattern), 1, CP_I32, 0, 23},
    {offsetof(cp_state, irregular.careful), 1, CP_I32, 0, 24},
    {offsetof(cp_state, irregular.patience), 1, CP_I32, 0, 24},
    {offsetof(cp_state, noise.told), 21, CP_F64, 0, 3},
    {offsetof(cp_state, noise.change), 1, CP_F64, 0, 3},
    {offsetof(cp_state, noise.newest), 1, CP_I64, 0, 8},
    {offsetof(cp_state, noise.next), 1, CP_I32, 0, 25},
    {offsetof(cp_state, noise.known), 1, CP_I32, 0, 7},
    {offsetof(cp_state, noise.level), 1, CP_I32, 0, 13},
    {offsetof(cp_state, noise.assumed), 1, CP_I32, 0, 13},
    {offsetof(cp_state, noise.wide), 1, CP_I32, 0, 26},
    {offsetof(cp_state, bank.loss), 7, CP_F64, 0, 3},
    {offsetof(cp_state, bank.weight), 7, CP_F64, 2, 3},
    {offsetof(cp_state, bank.estimated), 896, CP_F64, 2, 3},
    {offsetof(cp_state, bank.low), 1, CP_F64, 2, 3},
    {offsetof(cp_state, bank.high), 1, CP_F64, 2, 3},
    {offsetof(cp_state, bank.usual), 1, CP_F64, 0, 3},
    {offsetof(cp_state, bank.bent), 1, CP_I64, 0, 8},
    {offsetof(cp_state, bank.compared), 1, CP_I32, 0, 17},
    {offsetof(cp_state, bank.moves), 1, CP_I32, 0, 11},
    {offsetof(cp_state, bank.sure), 1, CP_I32, 0, 1},
    {offsetof(cp_state, bank.leading), 1, CP_I32, 0, 19},
    {offsetof(cp_state, adaptive.sums), 66, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.right), 22, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.use), 22, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.average), 4, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.late), 4, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.share), 1, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.taken), 1, CP_I64, 0, 8},
    {offsetof(cp_state, adaptive.reach), 1, CP_I32, 4, 10},
    {offsetof(cp_state, adaptive.samples), 1, CP_I32, 0, 27},
    {offsetof(cp_state, guard.low), 1, CP_F64, 2, 3},
    {offsetof(cp_state, guard.high), 1, CP_F64, 2, 3},
    {offsetof(cp_state, guard.lowest), 1, CP_F64, 2, 3},
    {offsetof(cp_state, guard.highest), 1, CP_F64, 2, 3},
    {offsetof(cp_state, guard.acts), 1, CP_I32, 0, 1},
    {offsetof(cp_state, reconstruction.y_hat), 1, CP_F64, 2, 3},
    {offsetof(cp_state, reconstruction.unlimited), 1, CP_F64, 2, 3},
    {offsetof(cp_state, reconstruction.given), 1, CP_F64, 2, 3},
    {offsetof(cp_state, reconstruction.given_time), 1, CP_F64, 2, 3},
    {offsetof(cp_state, reconstruction.ends), 1, CP_F64, 2, 3},
    {offsetof(cp_state, reconstruction.limited), 1, CP_I32, 0, 1},
    {offsetof(cp_state, log.events), 1, CP_I32, 0, 28},
    {offsetof(cp_state, log.told), 1, CP_I32, 0, 28},
    {offsetof(cp_state, debug.newest), 1, CP_F64, 2, 3},
    {offsetof(cp_state, debug.slot), 1, CP_I32, 0, 22},
    {offsetof(cp_state, debug.missing), 1, CP_I32, 4, 22},
    {offsetof(cp_state, debug.usable), 1, CP_I32, 0, 7},
#if !defined(CP_WITHOUT_ENERGY) || !defined(CP_WITHOUT_NEURAL)
    {offsetof(cp_state, follow.lag), 1, CP_F64, 2, 3},
    {offsetof(cp_state, follow.gain), 1, CP_F64, 29, 30},
    {offsetof(cp_state, follow.deviation), 1, CP_F64, 2, 3},
    {offsetof(cp_state, follow.power), 1, CP_F64, 0, 3},
    {offsetof(cp_state, follow.given), 64, CP_F64, 2, 3},
    {offsetof(cp_state, follow.answer), 2, CP_F64, 2, 3},
    {offsetof(cp_state, follow.sums), 10, CP_F64, 2, 3},
    {offsetof(cp_state, follow.step), 1, CP_I64, 0, 5},
    {offsetof(cp_state, follow.known), 1, CP_I32, 0, 7},
    {offsetof(cp_state, follow.followed), 1, CP_I32, 0, 1},
    {offsetof(cp_state, bond.give_back), 1, CP_I32, 0, 1},
    {offsetof(cp_state, bond.reversed), 1, CP_I32, 0, 1},
    {offsetof(cp_state, bond.stale), 1, CP_I32, 0, 1},
    {offsetof(cp_state, energy.given), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.residual), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.own), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.work), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.taken), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.passed), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.left), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.granted), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.far_given), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.far_passed), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.far_time), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.said), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.claimed), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.stray), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.power), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.correction), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.time), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.booked), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.lasted), 2, CP_F64, 2, 3},
    {offsetof(cp_state, energy.conjugate), 2, CP_F64, 2, 3},
    {offsetof(cp_state, energy.start), 2, CP_F64, 2, 3},
    {offsetof(cp_state, energy.end), 2, CP_F64, 2, 3},
    {offsetof(cp_state, energy.points), 3, CP_F64, 2, 3},
    {offsetof(cp_state, energy.levels), 3, CP_F64, 2, 3},
    {offsetof(cp_state, energy.means), 2, CP_F64, 2, 3},
    {offsetof(cp_state, energy.impulse), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.change), 2, CP_F64, 2, 3},
    {offsetof(cp_state, energy.above), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.below), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.response), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.square), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.size), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.swing), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.growth), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.last), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.reached), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.true_value), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.created), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.transmitted), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.before), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.owed), 1, CP_F64, 2, 3},
    {offsetof(cp_state, energy.raw), 128, CP_F64, 2, 3},
    {offsetof(cp_state, energy.moved), 128, CP_F64, 2, 3},
    {offsetof(cp_state, energy.known), 128, CP_F64, 2, 3},
    {offsetof(cp_state, energy.worked), 128, CP_F64, 2, 3},
    {offsetof(cp_state, energy.judged), 1, CP_I64, 31, 5},
    {offsetof(cp_state, energy.step), 1, CP_I64, 4, 5},
    {offsetof(cp_state, energy.heard), 1, CP_I32, 0, 11},
    {offsetof(cp_state, energy.counted), 1, CP_I32, 0, 11},
    {offsetof(cp_state, energy.strays), 1, CP_I32, 0, 15},
    {offsetof(cp_state, energy.fallen), 1, CP_I32, 0, 15},
    {offsetof(cp_state, energy.graded), 1, CP_I32, 0, 32},
    {offsetof(cp_state, energy.limited), 1, CP_I32, 0, 1},
    {offsetof(cp_state, energy.grade), 1, CP_I32, 0, 11},
    {offsetof(cp_state, energy.far), 1, CP_I32, 0, 1},
    {offsetof(cp_state, plant.local), 512, CP_F64, 2, 3},
    {offsetof(cp_state, plant.outputs), 192, CP_F64, 2, 3},
    {offsetof(cp_state, plant.level), 256, CP_F64, 2, 3},
    {offsetof(cp_state, plant.change), 256, CP_F64, 2, 3},
    {offsetof(cp_state, plant.predicted), 512, CP_F64, 2, 3},
    {offsetof(cp_state, plant.foreseen), 128, CP_F64, 2, 3},
    {offsetof(cp_state, plant.errors), 1, CP_F64, 0, 3},
    {offsetof(cp_state, plant.held), 1, CP_F64, 0, 3},
    {offsetof(cp_state, plant.surprise), 1, CP_F64, 0, 3},
    {offsetof(cp_state, plant.low), 1, CP_F64, 2, 3},
    {offsetof(cp_state, plant.high), 1, CP_F64, 2, 3},
    {offsetof(cp_state, plant.step), 1, CP_I64, 4, 5},
    {offsetof(cp_state, plant.next), 1, CP_I64, 0, 8},
    {offsetof(cp_state, plant.origin), 1, CP_I64, 0, 8},
    {offsetof(cp_state, plant.known), 1, CP_I32, 0, 26},
    {offsetof(cp_state, plant.begun), 1, CP_I32, 0, 1},
    {offsetof(cp_state, plant.wrong), 1, CP_I32, 0, 1},
    {offsetof(cp_state, plant.doubt), 1, CP_I32, 0, 33},
    {offsetof(cp_state, plant.recovers), 1, CP_I32, 0, 26},
    {offsetof(cp_state, plant.told), 64, CP_U8, 0, 11},
#endif
#ifndef CP_WITHOUT_NEURAL
    {offsetof(cp_state_with_neural, neural.lowest), 1, CP_F64, 2, 3},
    {offsetof(cp_state_with_neural, neural.highest), 1, CP_F64, 2, 3},
    {offsetof(cp_state_with_neural, neural.spread), 1, CP_F64, 0, 3},
    {offsetof(cp_state_with_neural, neural.power), 1, CP_F64, 0, 3},
    {offsetof(cp_state_with_neural, neural.behind), 1, CP_F64, 2, 3},
    {offsetof(cp_state_with_neural, neural.loss), 3, CP_F64, 2, 3},
    {offsetof(cp_state_with_neural, neural.loss_far), 3, CP_F64, 2, 3},
    {offsetof(cp_state_with_neural, neural.use), 64, CP_F64, 2, 3},
    {offsetof(cp_state_with_neural, neural.candidate), 64, CP_F64, 2, 3},
    {offsetof(cp_state_with_neural, neural.right), 64, CP_F64, 2, 3},
    {offsetof(cp_state_with_neural, neural.matrix), 2080, CP_F64, 2, 3},
    {offsetof(cp_state_with_neural, neural.factor), 2080, CP_F64, 2, 3},
    {offsetof(cp_state_with_neural, neural.enabled), 1, CP_I32, 0, 1},
    {offsetof(cp_state_with_neural, neural.safe), 1, CP_I32, 0, 1},
    {offsetof(cp_state_with_neural, neural.phase), 1, CP_I32, 0, 11},
    {offsetof(cp_state_with_neural, neural.accepted), 1, CP_I32, 0, 9},
    {offsetof(cp_state_with_neural, neural.refused), 1, CP_I32, 0, 9},
    {offsetof(cp_state_with_neural, neural.fallbacks), 1, CP_I32, 0, 9},
    {offsetof(cp_state_with_neural, neural.collected), 1, CP_I32, 0, 17},
    {offsetof(cp_state_with_neural, neural.column), 1, CP_I32, 0, 7},
    {offsetof(cp_state_with_neural, neural.judged), 1, CP_I32, 0, 17},
    {offsetof(cp_state_with_neural, neural.poor), 1, CP_I32, 0, 34},
    {offsetof(cp_state_with_neural, neural.ranged), 1, CP_I32, 0, 1},
    {offsetof(cp_state_with_neural, neural.harmful), 1, CP_I32, 0, 34},
#endif
};

/* names of these fields, in the same order */
static const char cp_names[] =
    "input.y_valid\0"
    "input.burst_valid\0"
    "parameter.detection\0"
    "parameter.hold_after_flag\0"
    "parameter.bypass\0"
    "grid.anchor_time\0"
    "grid.time\0"
    "grid.target\0"
    "grid.period\0"
    "grid.near\0"
    "grid.n\0"
    "grid.due\0"
    "grid.anchor\0"
    "grid.here\0"
    "latency.seconds\0"
    "latency.first_stamp\0"
    "latency.newest_stamp\0"
    "latency.fraction\0"
    "latency.usual_lead\0"
    "latency.slot\0"
    "latency.steps\0"
    "latency.usual_reach\0"
    "latency.taken\0"
    "latency.early\0"
    "clock.drift\0"
    "clock.offset\0"
    "clock.fastest\0"
    "clock.transit\0"
    "clock.jump\0"
    "clock.low\0"
    "clock.high\0"
    "clock.stray_stamp\0"
    "clock.stray_low\0"
    "clock.stray_high\0"
    "clock.round_trip\0"
    "clock.block_time\0"
    "clock.block_transit\0"
    "clock.stray_step\0"
    "clock.blocks\0"
    "clock.block_count\0"
    "clock.known\0"
    "clock.guessed\0"
    "clock.usual\0"
    "clock.strays\0"
    "clock.certain\0"
    "clock.doubt\0"
    "history.past\0"
    "history.stamps\0"
    "history.newest\0"
    "history.origin\0"
    "history.news\0"
    "history.lost\0"
    "history.late\0"
    "history.reordered\0"
    "history.filled\0"
    "history.marked\0"
    "quality.error\0"
    "quality.tolerance\0"
    "quality.skill\0"
    "quality.skill_zoh\0"
    "quality.error_power\0"
    "quality.hold_power\0"
    "quality.wire_power\0"
    "quality.worst\0"
    "quality.exceeded\0"
    "quality.lasted\0"
    "quality.all_worst\0"
    "quality.all_exceeded\0"
    "quality.all_judged\0"
    "quality.estimated\0"
    "quality.held_then\0"
    "quality.wire_mean\0"
    "quality.wire_spread\0"
    "quality.judged\0"
    "quality.ok\0"
    "quality.grade\0"
    "quality.measured\0"
    "quality.wire_count\0"
    "quality.stopped\0"
    "quality.calm\0"
    "quality.patience\0"
    "quality.warned\0"
    "quality.judged_ok\0"
    "quality.harmful\0"
    "quality.judgeable\0"
    "quality.horizon\0"
    "discontinuity.spectrum\0"
    "discontinuity.spectrum_before\0"
    "discontinuity.tested\0"
    "discontinuity.anchor_before\0"
    "discontinuity.detected\0"
    "discontinuity.flagged\0"
    "residual.miss\0"
    "residual.break_rate\0"
    "residual.fitted\0"
    "residual.fitted_at\0"
    "residual.residuals\0"
    "residual.fits\0"
    "switching.anchor\0"
    "switching.mode\0"
    "switching.active\0"
    "switching.selected_before\0"
    "switching.starting\0"
    "switching.anew\0"
    "algorithm.shift\0"
    "algorithm.level\0"
    "algorithm.slope\0"
    "algorithm.held\0"
    "algorithm.passed\0"
    "algorithm.observed\0"
    "algorithm.spent\0"
    "algorithm.corrected\0"
    "irregular.term_level\0"
    "irregular.term_slope\0"
    "irregular.pattern\0"
    "irregular.next_pattern\0"
    "irregular.careful\0"
    "irregular.patience\0"
    "noise.told\0"
    "noise.change\0"
    "noise.newest\0"
    "noise.next\0"
    "noise.known\0"
    "noise.level\0"
    "noise.assumed\0"
    "noise.wide\0"
    "bank.loss\0"
    "bank.weight\0"
    "bank.estimated\0"
    "bank.low\0"
    "bank.high\0"
    "bank.usual\0"
    "bank.bent\0"
    "bank.compared\0"
    "bank.moves\0"
    "bank.sure\0"
    "bank.leading\0"
    "adaptive.sums\0"
    "adaptive.right\0"
    "adaptive.use\0"
    "adaptive.average\0"
    "adaptive.late\0"
    "adaptive.share\0"
    "adaptive.taken\0"
    "adaptive.reach\0"
    "adaptive.samples\0"
    "guard.low\0"
    "guard.high\0"
    "guard.lowest\0"
    "guard.highest\0"
    "guard.acts\0"
    "reconstruction.y_hat\0"
    "reconstruction.unlimited\0"
    "reconstruction.given\0"
    "reconstruction.given_time\0"
    "reconstruction.ends\0"
    "reconstruction.limited\0"
    "log.events\0"
    "log.told\0"
    "debug.newest\0"
    "debug.slot\0"
    "debug.missing\0"
    "debug.usable\0"
#if !defined(CP_WITHOUT_ENERGY) || !defined(CP_WITHOUT_NEURAL)
    "follow.lag\0"
    "follow.gain\0"
    "follow.deviation\0"
    "follow.power\0"
    "follow.given\0"
    "follow.answer\0"
    "follow.sums\0"
    "follow.step\0"
    "follow.known\0"
    "follow.followed\0"
    "bond.give_back\0"
    "bond.reversed\0"
    "bond.stale\0"
    "energy.given\0"
    "energy.residual\0"
    "energy.own\0"
    "energy.work\0"
    "energy.taken\0"
    "energy.passed\0"
    "energy.left\0"
    "energy.granted\0"
    "energy.far_given\0"
    "energy.far_passed\0"
    "energy.far_time\0"
    "energy.said\0"
    "energy.claimed\0"
    "energy.stray\0"
    "energy.power\0"
    "energy.correction\0"
    "energy.time\0"
    "energy.booked\0"
    "energy.lasted\0"
    "energy.conjugate\0"
    "energy.start\0"
    "energy.end\0"
    "energy.points\0"
    "energy.levels\0"
    "energy.means\0"
    "energy.impulse\0"
    "energy.change\0"
    "energy.above\0"
    "energy.below\0"
    "energy.response\0"
    "energy.square\0"
    "energy.size\0"
    "energy.swing\0"
    "energy.growth\0"
    "energy.last\0"
    "energy.reached\0"
    "energy.true_value\0"
    "energy.created\0"
    "energy.transmitted\0"
    "energy.before\0"
    "energy.owed\0"
    "energy.raw\0"
    "energy.moved\0"
    "energy.known\0"
    "energy.worked\0"
    "energy.judged\0"
    "energy.step\0"
    "energy.heard\0"
    "energy.counted\0"
    "energy.strays\0"
    "energy.fallen\0"
    "energy.graded\0"
    "energy.limited\0"
    "energy.grade\0"
    "energy.far\0"
    "plant.local\0"
    "plant.outputs\0"
    "plant.level\0"
    "plant.change\0"
    "plant.predicted\0"
    "plant.foreseen\0"
    "plant.errors\0"
    "plant.held\0"
    "plant.surprise\0"
    "plant.low\0"
    "plant.high\0"
    "plant.step\0"
    "plant.next\0"
    "plant.origin\0"
    "plant.known\0"
    "plant.begun\0"
    "plant.wrong\0"
    "plant.doubt\0"
    "plant.recovers\0"
    "plant.told\0"
#endif
#ifndef CP_WITHOUT_NEURAL
    "neural.lowest\0"
    "neural.highest\0"
    "neural.spread\0"
    "neural.power\0"
    "neural.behind\0"
    "neural.loss\0"
    "neural.loss_far\0"
    "neural.use\0"
    "neural.candidate\0"
    "neural.right\0"
    "neural.matrix\0"
    "neural.factor\0"
    "neural.enabled\0"
    "neural.safe\0"
    "neural.phase\0"
    "neural.accepted\0"
    "neural.refused\0"
    "neural.fallbacks\0"
    "neural.collected\0"
    "neural.column\0"
    "neural.judged\0"
    "neural.poor\0"
    "neural.ranged\0"
    "neural.harmful\0"
#endif
    "";
