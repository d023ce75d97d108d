/* Sizes of lists, and the numbers of enumerations and events. */
#ifndef CP_GENERATED_NUMBERS_H
#define CP_GENERATED_NUMBERS_H

enum {
    CP_SLOTS = 64, /* values in the history, macro steps of the sender */
    CP_RING = 128, /* estimates kept for judging, macro steps */
    CP_TAPS = 64, /* weights of an algorithm at most */
    CP_MAX_STEPS = 64, /* largest latency that is made up for, macro steps */
    CP_HORIZONS = 66, /* horizons of the tolerance, 0 .. 65 macro steps */
    CP_WINDOW = 8, /* values that the spectral detector looks at */
    CP_BINS = 4, /* frequencies of the spectral detector */
    CP_BURST = 7, /* earlier values that a message repeats at most */
    CP_MAX_BURST = 8, /* values in a message at most */
    CP_BLOCKS = 8, /* full blocks of messages that tell the drift of a clock */
    CP_FIT = 6, /* values that the residual detector fits */
    CP_RESIDUALS = 21, /* residuals of which it takes the median */
    CP_TERMS = 10, /* values that `irregular` uses at most */
    CP_ROUGH = 6, /* values whose fifth difference tells the noise */
    CP_NOISE_LEVELS = 12, /* sizes of noise that `irregular` knows */
    CP_PATTERN = 13, /* numbers in a pattern of ages: lead, number, usual reach, noise and ages of the values */
    CP_PATTERNS = 12, /* patterns of ages whose weights are kept */
    CP_MAX_DEGREE = 3, /* degree of the polynomials that `irregular` continues exactly, at most */
    CP_CELLS = 4, /* knots of the autocorrelation in a macro step */
    CP_REACH = 32, /* slots that `irregular` looks at */
    CP_KNOTS = 393, /* knots of the autocorrelation: CELLS (HORIZONS + REACH) + 1 */
    CP_BANK = 8, /* members of `auto`: the algorithms that it blends, and the two that adapt themselves */
    CP_ADAPTED = 15, /* values that the first of these weighs */
    CP_ADAPTED_SUMS = 120, /* sums of their products: lower triangle */
    CP_ADAPTED_WEIGHTS = 30, /* their weights: up to the macro point, and up to the next */
    CP_AVERAGES = 4, /* exponential averages among them */
    CP_DEEP = 31, /* changes in succession that the second weighs */
    CP_DEEP_WEIGHTS = 62, /* their weights: up to the macro point, and up to the next */
    CP_MOST_WEIGHTS = 64, /* weights of a neural network at most */
    CP_MOST_SECOND = 4, /* neurons in its second layer at most */
    CP_TRIANGLE = 2080, /* numbers in the lower triangle of a matrix of MOST_WEIGHTS rows */
    CP_PARAMETERS = 5, /* parameters of an identified model */
    CP_COVARIANCE = 15, /* numbers in the lower triangle of their covariance */
    CP_SUMS = 10, /* sums of products of 1, slope, value and answer: lower triangle */
    CP_PHASORS = 13, /* odd harmonics that `phasor` follows at most, the fundamental among them */
    CP_RATES = 4, /* frequencies of late that `phasor` remembers */
    CP_INPUTS = 128, /* inputs of the prototype that sends y, kept for a model, macro steps */
    CP_PLANT_STATES = 8, /* states of the prototype that sends y, with those of what excites it, at most */
    CP_PLANT_POWERS = 64, /* numbers in a power of Phi */
    CP_PLANT_INPUTS = 4, /* signals that go to it, at most */
    CP_COMPANIONS = 3, /* signals that it sends besides y, at most */
    CP_EARLIER_INPUTS = 6, /* of these inputs with all values that a message repeats, at most */
    CP_EARLIER_COMPANIONS = 3, /* of these outputs likewise */
    CP_ALGORITHMS = 14, /* numbers of algorithms, none included */
    CP_PLAIN_VARIABLES = 220, /* in rows of all, up to the last of these */
    CP_ENERGY_VARIABLES = 293, /* in rows of all, up to the last of these */
    CP_NEURAL_VARIABLES = 431 /* in rows of all, up to the last of these */
};

enum {
    CP_NONE = 0, CP_ZOH = 1, CP_FOH = 2, CP_SMB = 3, CP_EROS3 = 4, CP_EROS4 = 5, CP_LINEAR = 6, CP_IRREGULAR = 7,
    CP_AUTO = 8, CP_NEURAL = 9, CP_MODEL = 12, CP_PHASOR = 13,
}; /* Algorithm */
enum { CP_CONSTANT = 1, CP_STAMPS = 2, CP_RESEQUENCED = 3, CP_ROUND_TRIP = 4 }; /* LatencyMode */
enum { CP_CLOCK_COMMON = 1, CP_CLOCK_FREE = 2 }; /* Clock */
enum { CP_FOLLOW_OFF = 1, CP_FOLLOW_LAG = 2, CP_FOLLOW_LAG_AND_GAIN = 3 }; /* Follow */
enum { CP_FREQUENCY_OFF = 1, CP_FREQUENCY_FREQUENCY = 2 }; /* Frequency */
enum { CP_DETECT_SPECTRAL = 1, CP_DETECT_RESIDUAL = 2 }; /* Detector */
enum { CP_RECONSTRUCT_LINEAR = 1, CP_RECONSTRUCT_HOLD = 2 }; /* Reconstruction */
enum { CP_LOSS_HOLD = 1, CP_LOSS_SAFE = 2 }; /* OnLoss */
enum { CP_QUALITY_IGNORE = 1, CP_QUALITY_WARN = 2, CP_QUALITY_STOP = 3, CP_QUALITY_HOLD = 4 }; /* QualityAction */
enum { CP_UNKNOWN = 0, CP_HARMFUL = 1, CP_NEUTRAL = 2, CP_USEFUL = 3, CP_GOOD = 4 }; /* Grade */
enum { CP_COLLECTING = 1, CP_TRAINING = 2, CP_JUDGING = 3 }; /* LearningState */
enum { CP_BOND_NONE = 0, CP_BOND_EFFORT = 1, CP_BOND_DISPLACEMENT = 2, CP_BOND_VELOCITY = 3 }; /* BondEnd */
enum { CP_CONJUGATE_DISPLACEMENT = 1, CP_CONJUGATE_VELOCITY = 2 }; /* Conjugate */
enum { CP_SOURCE_OWN = 1, CP_SOURCE_BOND = 2 }; /* EnergySource */
enum { CP_ENERGY_UNKNOWN = 0, CP_ENERGY_CREATES = 1, CP_ENERGY_NEUTRAL = 2, CP_ENERGY_LOSES = 3 }; /* EnergyGrade */
enum { CP_STARTING = 1, CP_RUNNING = 2, CP_HOLDING = 3, CP_LOST = 4 }; /* State */

/* events */
enum {
    CP_BAD_VALUE = 1 << 0,
    CP_BAD_STAMP = 1 << 1,
    CP_FUTURE_STAMP = 1 << 2,
    CP_OLD_STAMP = 1 << 3,
    CP_LATE_HOST = 1 << 4,
    CP_LONG_STEP = 1 << 5,
    CP_TOO_LATE = 1 << 6,
    CP_DISCONTINUITY = 1 << 7,
    CP_BEGAN_HOLDING = 1 << 8,
    CP_BECAME_LOST = 1 << 9,
    CP_RECOVERED = 1 << 10,
    CP_BAD_QUALITY = 1 << 11,
    CP_QUALITY_ENDS = 1 << 12,
    CP_LIMITED = 1 << 13,
    CP_RELATIVE_CLOCK = 1 << 14,
    CP_IS_HARMFUL = 1 << 15,
    CP_LEARNT = 1 << 16,
    CP_NOT_LEARNT = 1 << 17,
    CP_FELL_BACK = 1 << 18,
    CP_SERVER_GONE = 1 << 19,
    CP_SERVER_WRONG = 1 << 20,
    CP_GOOD_QUALITY = 1 << 21,
    CP_QUALITY_TOTAL = 1 << 22,
    CP_BEGAN_ANEW = 1 << 23,
    CP_NEVER_VALID = 1 << 24,
    CP_NEVER_STAMPED = 1 << 25,
    CP_BAD_CONJUGATE = 1 << 26,
    CP_CREATES_ENERGY = 1 << 27,
    CP_OVERDRAWN = 1 << 28,
    CP_WRONG_MODEL = 1 << 29
};

#endif
