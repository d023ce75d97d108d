/* The code of the algorithms and their table, by number; part of algorithms/rows.c. */
#include "../algorithms/zoh.c"
#include "../algorithms/foh.c"
#include "../algorithms/smb.c"
#include "../algorithms/eros3.c"
#include "../algorithms/eros4.c"
#include "../algorithms/linear.c"
#include "../algorithms/irregular.c"
#include "../algorithms/auto.c"
#ifndef CP_WITHOUT_NEURAL
#include "../algorithms/neural.c"
#endif

static const cp_algorithm_row cp_algorithm_rows[] = {
    [CP_ZOH] = {cp_zoh_needed, cp_zoh_line, cp_zoh_share, "zoh", CP_NEEDS_NOTHING, 0},
    [CP_FOH] = {cp_foh_needed, cp_foh_line, cp_foh_share, "foh", CP_NEEDS_NOTHING, 0},
    [CP_SMB] = {cp_smb_needed, cp_smb_line, cp_smb_share, "smb", CP_NEEDS_NOTHING, CP_CARRIES_STATE},
    [CP_EROS3] = {cp_eros3_needed, cp_eros3_line, cp_eros3_share, "eros3", CP_NEEDS_NOTHING, 0},
    [CP_EROS4] = {cp_eros4_needed, cp_eros4_line, cp_eros4_share, "eros4", CP_NEEDS_NOTHING, 0},
    [CP_LINEAR] = {cp_linear_needed, cp_linear_line, cp_linear_share, "linear", CP_NEEDS_WEIGHTS, 0},
    [CP_IRREGULAR] = {cp_irregular_needed, cp_irregular_line, cp_irregular_share, "irregular", CP_NEEDS_SPECTRUM, 0},
    [CP_AUTO] = {cp_auto_needed, cp_auto_line, cp_auto_share, "auto", CP_NEEDS_SPECTRUM, CP_BLENDS},
#ifndef CP_WITHOUT_NEURAL
    [CP_NETWORK] = {
        cp_neural_needed, cp_neural_line, cp_neural_share, "network", CP_NEEDS_NEURAL, CP_LEARNS | CP_AS_ORIGIN,
    },
#else
    [CP_NETWORK] = {NULL, NULL, NULL, "network", CP_NEEDS_NEURAL, CP_LEARNS | CP_AS_ORIGIN},
#endif
};
