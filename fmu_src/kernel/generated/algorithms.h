/* The algorithms: ROW(number, functions, name, needs, is), NEURAL_ROW, PLANT_ROW, PHASOR_ROW so too
   for those that FMUs may be compiled without, NO_ROW(number) for those without a twin in C. */
#ifndef CP_GENERATED_ALGORITHMS_H
#define CP_GENERATED_ALGORITHMS_H

#define CP_ALGORITHM_ROWS(ROW, NEURAL_ROW, PLANT_ROW, PHASOR_ROW, NO_ROW) \
    ROW(ZOH, zoh, "zoh", NOTHING, 0) \
    ROW(FOH, foh, "foh", NOTHING, 0) \
    ROW(SMB, smb, "smb", NOTHING, CP_CARRIES_STATE) \
    ROW(EROS3, eros3, "eros3", NOTHING, 0) \
    ROW(EROS4, eros4, "eros4", NOTHING, 0) \
    ROW(LINEAR, linear, "linear", WEIGHTS, 0) \
    ROW(IRREGULAR, irregular, "irregular", SPECTRUM, 0) \
    ROW(AUTO, auto, "auto", SPECTRUM, CP_BLENDS) \
    NEURAL_ROW(NEURAL, neural, "network", NEURAL, CP_LEARNS | CP_AS_ORIGIN) \
    NO_ROW(10) \
    NO_ROW(11) \
    PLANT_ROW(MODEL, model, "model", PLANT, 0) \
    PHASOR_ROW(PHASOR, phasor, "phasor", PHASOR, 0)

/* what `auto` blends */
#define CP_MEMBERS CP_ZOH, CP_FOH, CP_EROS3, CP_EROS4, CP_IRREGULAR, CP_LINEAR

#endif
