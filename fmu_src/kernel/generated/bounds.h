/* The least and the most that a field has in a saved state; part of sound.c. */

static const double cp_limits[] = {
    0.0, 1.0, -CP_UNLIMITED, CP_UNLIMITED, -1.0, 9000000000000000.0, 9000000000000001.0, 64.0, 1.8014398509481984e+16,
    1000000000.0, 65.0, 3.0, 32.0, 8.0, 256.0, 16.0, 4.0, 1000000.0, 12800.0, 12.0, 13.0, -64.0, -2147483648.0,
    2147483647.0, 11.0, 16384.0, 20.0, 128.0, 44.0, 96.0, 1073741823.0, 0.8, 1.25, 2000000.0, -2000000.0, -2.0, 100.0,
    200.0, 250.0, 30.0,
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
    {offsetof(cp_state, switching.active), 1, CP_I32, 0, 20},
    {offsetof(cp_state, switching.selected_before), 1, CP_I32, 0, 20},
    {offsetof(cp_state, switching.brief), 1, CP_U8, 0, 1},
    {offsetof(cp_state, switching.starting), 1, CP_U8, 0, 1},
    {offsetof(cp_state, switching.anew), 1, CP_U8, 0, 1},
    {offsetof(cp_state, algorithm.shift), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.level), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.slope), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.held), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.passed), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.observed), 128, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.spent), 1, CP_F64, 2, 3},
    {offsetof(cp_state, algorithm.corrected), 1, CP_I64, 21, 8},
    {offsetof(cp_state, irregular.term_level), 120, CP_F64, 2, 3},
    {offsetof(cp_state, irregular.term_slope), 120, CP_F64, 2, 3},
    {offsetof(cp_state, irregular.scale), 1, CP_F64, 0, 3},
    {offsetof(cp_state, irregular.quiet), 1, CP_F64, 0, 3},
    {offsetof(cp_state, irregular.pattern), 156, CP_I32, 22, 23},
    {offsetof(cp_state, irregular.next_pattern), 1, CP_I32, 0, 24},
    {offsetof(cp_state, irregular.careful), 1, CP_I32, 0, 25},
    {offsetof(cp_state, irregular.patience), 1, CP_I32, 0, 25},
    {offsetof(cp_state, noise.told), 21, CP_F64, 0, 3},
    {offsetof(cp_state, noise.change), 1, CP_F64, 0, 3},
    {offsetof(cp_state, noise.scale), 1, CP_F64, 0, 3},
    {offsetof(cp_state, noise.newest), 1, CP_I64, 0, 8},
    {offsetof(cp_state, noise.next), 1, CP_I32, 0, 26},
    {offsetof(cp_state, noise.known), 1, CP_I32, 0, 7},
    {offsetof(cp_state, noise.level), 1, CP_I32, 0, 24},
    {offsetof(cp_state, noise.assumed), 1, CP_I32, 0, 24},
    {offsetof(cp_state, noise.wide), 1, CP_I32, 0, 27},
    {offsetof(cp_state, bank.loss), 8, CP_F64, 0, 3},
    {offsetof(cp_state, bank.weight), 8, CP_F64, 2, 3},
    {offsetof(cp_state, bank.estimated), 1024, CP_F64, 2, 3},
    {offsetof(cp_state, bank.low), 1, CP_F64, 2, 3},
    {offsetof(cp_state, bank.high), 1, CP_F64, 2, 3},
    {offsetof(cp_state, bank.usual), 1, CP_F64, 0, 3},
    {offsetof(cp_state, bank.bent), 1, CP_I64, 0, 8},
    {offsetof(cp_state, bank.compared), 1, CP_I32, 0, 17},
    {offsetof(cp_state, bank.moves), 1, CP_I32, 0, 11},
    {offsetof(cp_state, bank.sure), 1, CP_I32, 0, 1},
    {offsetof(cp_state, bank.leading), 1, CP_I32, 0, 20},
    {offsetof(cp_state, adaptive.sums), 120, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.right), 30, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.use), 30, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.average), 4, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.late), 4, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.share), 1, CP_F64, 2, 3},
    {offsetof(cp_state, adaptive.taken), 1, CP_I64, 0, 8},
    {offsetof(cp_state, adaptive.reach), 1, CP_I32, 4, 10},
    {offsetof(cp_state, adaptive.samples), 1, CP_I32, 0, 28},
    {offsetof(cp_state, adaptive.unused), 1, CP_I32, 0, 16},
    {offsetof(cp_state, deep.sums), 31, CP_F64, 2, 3},
    {offsetof(cp_state, deep.right), 62, CP_F64, 2, 3},
    {offsetof(cp_state, deep.use), 62, CP_F64, 2, 3},
    {offsetof(cp_state, deep.changes), 31, CP_F64, 2, 3},
    {offsetof(cp_state, deep.samples), 1, CP_I32, 0, 29},
    {offsetof(cp_state, deep.unused), 1, CP_I32, 0, 15},
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
    {offsetof(cp_state, log.events), 1, CP_I32, 0, 30},
    {offsetof(cp_state, log.told), 1, CP_I32, 0, 30},
    {offsetof(cp_state, debug.newest), 1, CP_F64, 2, 3},
    {offsetof(cp_state, debug.slot), 1, CP_I32, 0, 23},
    {offsetof(cp_state, debug.missing), 1, CP_I32, 4, 23},
    {offsetof(cp_state, debug.usable), 1, CP_I32, 0, 7},
#if !defined(CP_WITHOUT_ENERGY) || !defined(CP_WITHOUT_NEURAL)
    {offsetof(cp_state, follow.lag), 1, CP_F64, 2, 3},
    {offsetof(cp_state, follow.gain), 1, CP_F64, 31, 32},
    {offsetof(cp_state, follow.deviation), 1, CP_F64, 2, 3},
    {offsetof(cp_state, follow.power), 1, CP_F64, 0, 3},
    {offsetof(cp_state, follow.given), 64, CP_F64, 2, 3},
    {offsetof(cp_state, follow.answer), 2, CP_F64, 2, 3},
    {offsetof(cp_state, follow.sums), 10, CP_F64, 2, 3},
    {offsetof(cp_state, follow.step), 1, CP_I64, 0, 5},
    {offsetof(cp_state, follow.known), 1, CP_I32, 0, 7},
    {offsetof(cp_state, follow.followed), 1, CP_I32, 0, 1},
    {offsetof(cp_state, phasor.frequency), 1, CP_F64, 0, 33},
    {offsetof(cp_state, phasor.drift), 1, CP_F64, 34, 33},
    {offsetof(cp_state, phasor.ramp), 1, CP_F64, 34, 33},
    {offsetof(cp_state, phasor.earlier), 4, CP_F64, 0, 33},
    {offsetof(cp_state, phasor.real), 13, CP_F64, 2, 3},
    {offsetof(cp_state, phasor.imaginary), 13, CP_F64, 2, 3},
    {offsetof(cp_state, phasor.constant), 1, CP_F64, 2, 3},
    {offsetof(cp_state, phasor.amplitude), 1, CP_F64, 0, 3},
    {offsetof(cp_state, phasor.usual), 1, CP_F64, 0, 3},
    {offsetof(cp_state, phasor.errors), 1, CP_F64, 0, 3},
    {offsetof(cp_state, phasor.power), 1, CP_F64, 0, 3},
    {offsetof(cp_state, phasor.trust), 1, CP_F64, 0, 1},
    {offsetof(cp_state, phasor.slot), 1, CP_I64, 0, 8},
    {offsetof(cp_state, phasor.samples), 1, CP_I32, 0, 9},
    {offsetof(cp_state, phasor.held), 1, CP_I32, 0, 9},
    {offsetof(cp_state, phasor.followed), 1, CP_I32, 0, 1},
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
    {offsetof(cp_state, energy.judged), 1, CP_I64, 35, 5},
    {offsetof(cp_state, energy.step), 1, CP_I64, 4, 5},
    {offsetof(cp_state, energy.heard), 1, CP_I32, 0, 11},
    {offsetof(cp_state, energy.counted), 1, CP_I32, 0, 11},
    {offsetof(cp_state, energy.strays), 1, CP_I32, 0, 15},
    {offsetof(cp_state, energy.fallen), 1, CP_I32, 0, 15},
    {offsetof(cp_state, energy.graded), 1, CP_I32, 0, 36},
    {offsetof(cp_state, energy.limited), 1, CP_I32, 0, 1},
    {offsetof(cp_state, energy.grade), 1, CP_I32, 0, 11},
    {offsetof(cp_state, energy.far), 1, CP_I32, 0, 1},
    {offsetof(cp_state, plant.local), 512, CP_F64, 2, 3},
    {offsetof(cp_state, plant.outputs), 192, CP_F64, 2, 3},
    {offsetof(cp_state, plant.level), 256, CP_F64, 2, 3},
    {offsetof(cp_state, plant.change), 256, CP_F64, 2, 3},
    {offsetof(cp_state, plant.predicted), 512, CP_F64, 2, 3},
    {offsetof(cp_state, plant.corrected), 8, CP_F64, 2, 3},
    {offsetof(cp_state, plant.reached), 8, CP_F64, 2, 3},
    {offsetof(cp_state, plant.powers), 64, CP_F64, 2, 3},
    {offsetof(cp_state, plant.begins), 1, CP_F64, 2, 3},
    {offsetof(cp_state, plant.foreseen), 128, CP_F64, 2, 3},
    {offsetof(cp_state, plant.errors), 1, CP_F64, 0, 3},
    {offsetof(cp_state, plant.held), 1, CP_F64, 0, 3},
    {offsetof(cp_state, plant.surprise), 1, CP_F64, 0, 3},
    {offsetof(cp_state, plant.peak), 1, CP_F64, 0, 3},
    {offsetof(cp_state, plant.low), 1, CP_F64, 2, 3},
    {offsetof(cp_state, plant.high), 1, CP_F64, 2, 3},
    {offsetof(cp_state, plant.step), 1, CP_I64, 4, 5},
    {offsetof(cp_state, plant.at), 1, CP_I64, 0, 5},
    {offsetof(cp_state, plant.next), 1, CP_I64, 0, 8},
    {offsetof(cp_state, plant.origin), 1, CP_I64, 0, 8},
    {offsetof(cp_state, plant.known), 1, CP_I32, 0, 27},
    {offsetof(cp_state, plant.begun), 1, CP_I32, 0, 1},
    {offsetof(cp_state, plant.ahead), 1, CP_I32, 0, 7},
    {offsetof(cp_state, plant.power), 1, CP_I32, 0, 7},
    {offsetof(cp_state, plant.moved), 1, CP_I32, 0, 7},
    {offsetof(cp_state, plant.wrong), 1, CP_I32, 0, 1},
    {offsetof(cp_state, plant.doubt), 1, CP_I32, 0, 37},
    {offsetof(cp_state, plant.grown), 1, CP_I32, 0, 16},
    {offsetof(cp_state, plant.since), 1, CP_I32, 0, 37},
    {offsetof(cp_state, plant.recovers), 1, CP_I32, 0, 27},
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
    {offsetof(cp_state_with_neural, neural.poor), 1, CP_I32, 0, 38},
    {offsetof(cp_state_with_neural, neural.ranged), 1, CP_I32, 0, 1},
    {offsetof(cp_state_with_neural, neural.harmful), 1, CP_I32, 0, 39},
#endif
};

/* names of these fields in this order, after that of their record, which ends with a dot */
static const char cp_names[] =
    "input.\0" "y_valid\0"
    "burst_valid\0"
    "parameter.\0" "detection\0"
    "hold_after_flag\0"
    "bypass\0"
    "grid.\0" "anchor_time\0"
    "time\0"
    "target\0"
    "period\0"
    "near\0"
    "n\0"
    "due\0"
    "anchor\0"
    "here\0"
    "latency.\0" "seconds\0"
    "first_stamp\0"
    "newest_stamp\0"
    "fraction\0"
    "usual_lead\0"
    "slot\0"
    "steps\0"
    "usual_reach\0"
    "taken\0"
    "early\0"
    "clock.\0" "drift\0"
    "offset\0"
    "fastest\0"
    "transit\0"
    "jump\0"
    "low\0"
    "high\0"
    "stray_stamp\0"
    "stray_low\0"
    "stray_high\0"
    "round_trip\0"
    "block_time\0"
    "block_transit\0"
    "stray_step\0"
    "blocks\0"
    "block_count\0"
    "known\0"
    "guessed\0"
    "usual\0"
    "strays\0"
    "certain\0"
    "doubt\0"
    "history.\0" "past\0"
    "stamps\0"
    "newest\0"
    "origin\0"
    "news\0"
    "lost\0"
    "late\0"
    "reordered\0"
    "filled\0"
    "marked\0"
    "quality.\0" "error\0"
    "tolerance\0"
    "skill\0"
    "skill_zoh\0"
    "error_power\0"
    "hold_power\0"
    "wire_power\0"
    "worst\0"
    "exceeded\0"
    "lasted\0"
    "all_worst\0"
    "all_exceeded\0"
    "all_judged\0"
    "estimated\0"
    "held_then\0"
    "wire_mean\0"
    "wire_spread\0"
    "judged\0"
    "ok\0"
    "grade\0"
    "measured\0"
    "wire_count\0"
    "stopped\0"
    "calm\0"
    "patience\0"
    "warned\0"
    "judged_ok\0"
    "harmful\0"
    "judgeable\0"
    "horizon\0"
    "discontinuity.\0" "spectrum\0"
    "spectrum_before\0"
    "tested\0"
    "anchor_before\0"
    "detected\0"
    "flagged\0"
    "residual.\0" "miss\0"
    "break_rate\0"
    "fitted\0"
    "fitted_at\0"
    "residuals\0"
    "fits\0"
    "switching.\0" "anchor\0"
    "mode\0"
    "active\0"
    "selected_before\0"
    "brief\0"
    "starting\0"
    "anew\0"
    "algorithm.\0" "shift\0"
    "level\0"
    "slope\0"
    "held\0"
    "passed\0"
    "observed\0"
    "spent\0"
    "corrected\0"
    "irregular.\0" "term_level\0"
    "term_slope\0"
    "scale\0"
    "quiet\0"
    "pattern\0"
    "next_pattern\0"
    "careful\0"
    "patience\0"
    "noise.\0" "told\0"
    "change\0"
    "scale\0"
    "newest\0"
    "next\0"
    "known\0"
    "level\0"
    "assumed\0"
    "wide\0"
    "bank.\0" "loss\0"
    "weight\0"
    "estimated\0"
    "low\0"
    "high\0"
    "usual\0"
    "bent\0"
    "compared\0"
    "moves\0"
    "sure\0"
    "leading\0"
    "adaptive.\0" "sums\0"
    "right\0"
    "use\0"
    "average\0"
    "late\0"
    "share\0"
    "taken\0"
    "reach\0"
    "samples\0"
    "unused\0"
    "deep.\0" "sums\0"
    "right\0"
    "use\0"
    "changes\0"
    "samples\0"
    "unused\0"
    "guard.\0" "low\0"
    "high\0"
    "lowest\0"
    "highest\0"
    "acts\0"
    "reconstruction.\0" "y_hat\0"
    "unlimited\0"
    "given\0"
    "given_time\0"
    "ends\0"
    "limited\0"
    "log.\0" "events\0"
    "told\0"
    "debug.\0" "newest\0"
    "slot\0"
    "missing\0"
    "usable\0"
#if !defined(CP_WITHOUT_ENERGY) || !defined(CP_WITHOUT_NEURAL)
    "follow.\0" "lag\0"
    "gain\0"
    "deviation\0"
    "power\0"
    "given\0"
    "answer\0"
    "sums\0"
    "step\0"
    "known\0"
    "followed\0"
    "phasor.\0" "frequency\0"
    "drift\0"
    "ramp\0"
    "earlier\0"
    "real\0"
    "imaginary\0"
    "constant\0"
    "amplitude\0"
    "usual\0"
    "errors\0"
    "power\0"
    "trust\0"
    "slot\0"
    "samples\0"
    "held\0"
    "followed\0"
    "bond.\0" "give_back\0"
    "reversed\0"
    "stale\0"
    "energy.\0" "given\0"
    "residual\0"
    "own\0"
    "work\0"
    "taken\0"
    "passed\0"
    "left\0"
    "granted\0"
    "far_given\0"
    "far_passed\0"
    "far_time\0"
    "said\0"
    "claimed\0"
    "stray\0"
    "power\0"
    "correction\0"
    "time\0"
    "booked\0"
    "lasted\0"
    "conjugate\0"
    "start\0"
    "end\0"
    "points\0"
    "levels\0"
    "means\0"
    "impulse\0"
    "change\0"
    "above\0"
    "below\0"
    "response\0"
    "square\0"
    "size\0"
    "swing\0"
    "growth\0"
    "last\0"
    "reached\0"
    "true_value\0"
    "created\0"
    "transmitted\0"
    "before\0"
    "owed\0"
    "raw\0"
    "moved\0"
    "known\0"
    "worked\0"
    "judged\0"
    "step\0"
    "heard\0"
    "counted\0"
    "strays\0"
    "fallen\0"
    "graded\0"
    "limited\0"
    "grade\0"
    "far\0"
    "plant.\0" "local\0"
    "outputs\0"
    "level\0"
    "change\0"
    "predicted\0"
    "corrected\0"
    "reached\0"
    "powers\0"
    "begins\0"
    "foreseen\0"
    "errors\0"
    "held\0"
    "surprise\0"
    "peak\0"
    "low\0"
    "high\0"
    "step\0"
    "at\0"
    "next\0"
    "origin\0"
    "known\0"
    "begun\0"
    "ahead\0"
    "power\0"
    "moved\0"
    "wrong\0"
    "doubt\0"
    "grown\0"
    "since\0"
    "recovers\0"
    "told\0"
#endif
#ifndef CP_WITHOUT_NEURAL
    "neural.\0" "lowest\0"
    "highest\0"
    "spread\0"
    "power\0"
    "behind\0"
    "loss\0"
    "loss_far\0"
    "use\0"
    "candidate\0"
    "right\0"
    "matrix\0"
    "factor\0"
    "enabled\0"
    "safe\0"
    "phase\0"
    "accepted\0"
    "refused\0"
    "fallbacks\0"
    "collected\0"
    "column\0"
    "judged\0"
    "poor\0"
    "ranged\0"
    "harmful\0"
#endif
    "";
