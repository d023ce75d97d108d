"""Sizes of lists, and the numbers of enumerations."""

SLOTS = 64  # values in the history, macro steps of the sender
RING = 128  # estimates kept for judging, macro steps
TAPS = 64  # weights of an algorithm at most
MAX_STEPS = 64  # largest latency that is made up for, macro steps
HORIZONS = 66  # horizons of the tolerance, 0 .. 65 macro steps
WINDOW = 8  # values that the spectral detector looks at
BINS = 4  # frequencies of the spectral detector
BURST = 7  # earlier values that a message repeats at most
MAX_BURST = 8  # values in a message at most
BLOCKS = 8  # full blocks of messages that tell the drift of a clock
FIT = 6  # values that the residual detector fits
RESIDUALS = 21  # residuals of which it takes the median
TERMS = 10  # values that `irregular` uses at most
ROUGH = 6  # values whose fifth difference tells the noise
NOISE_LEVELS = 12  # sizes of noise that `irregular` knows
PATTERN = 13  # numbers in a pattern of ages: lead, number, usual reach, noise and ages of the values
PATTERNS = 12  # patterns of ages whose weights are kept
MAX_DEGREE = 3  # degree of the polynomials that `irregular` continues exactly, at most
CELLS = 4  # knots of the autocorrelation in a macro step
REACH = 32  # slots that `irregular` looks at
KNOTS = 393  # knots of the autocorrelation: CELLS (HORIZONS + REACH) + 1
BANK = 8  # members of `auto`: the algorithms that it blends, and the two that adapt themselves
ADAPTED = 15  # values that the first of these weighs
ADAPTED_SUMS = 120  # sums of their products: lower triangle
ADAPTED_WEIGHTS = 30  # their weights: up to the macro point, and up to the next
AVERAGES = 4  # exponential averages among them
DEEP = 31  # changes in succession that the second weighs
DEEP_WEIGHTS = 62  # their weights: up to the macro point, and up to the next
MOST_WEIGHTS = 64  # weights of a neural network at most
MOST_SECOND = 4  # neurons in its second layer at most
TRIANGLE = 2080  # numbers in the lower triangle of a matrix of MOST_WEIGHTS rows
PARAMETERS = 5  # parameters of an identified model
COVARIANCE = 15  # numbers in the lower triangle of their covariance
SUMS = 10  # sums of products of 1, slope, value and answer: lower triangle
PHASORS = 13  # odd harmonics that `phasor` follows at most, the fundamental among them
RATES = 4  # frequencies of late that `phasor` remembers
INPUTS = 128  # inputs of the prototype that sends y, kept for a model, macro steps
PLANT_STATES = 8  # states of the prototype that sends y, with those of what excites it, at most
PLANT_POWERS = 64  # numbers in a power of Phi
PLANT_INPUTS = 4  # signals that go to it, at most
COMPANIONS = 3  # signals that it sends besides y, at most
EARLIER_INPUTS = 6  # of these inputs with all values that a message repeats, at most
EARLIER_COMPANIONS = 3  # of these outputs likewise

# LatencyMode
CONSTANT = 1
STAMPS = 2
RESEQUENCED = 3
ROUND_TRIP = 4

# Clock
CLOCK_COMMON = 1
CLOCK_FREE = 2

# Follow
FOLLOW_OFF = 1
FOLLOW_LAG = 2
FOLLOW_LAG_AND_GAIN = 3

# Frequency
FREQUENCY_OFF = 1
FREQUENCY_FREQUENCY = 2

# Detector
DETECT_SPECTRAL = 1
DETECT_RESIDUAL = 2

# Reconstruction
RECONSTRUCT_LINEAR = 1
RECONSTRUCT_HOLD = 2

# OnLoss
LOSS_HOLD = 1
LOSS_SAFE = 2

# QualityAction
QUALITY_IGNORE = 1
QUALITY_WARN = 2
QUALITY_STOP = 3
QUALITY_HOLD = 4

# Grade
UNKNOWN = 0
HARMFUL = 1
NEUTRAL = 2
USEFUL = 3
GOOD = 4

# LearningState
COLLECTING = 1
TRAINING = 2
JUDGING = 3

# BondEnd
BOND_NONE = 0
BOND_EFFORT = 1
BOND_DISPLACEMENT = 2
BOND_VELOCITY = 3

# Conjugate
CONJUGATE_DISPLACEMENT = 1
CONJUGATE_VELOCITY = 2

# EnergySource
SOURCE_OWN = 1
SOURCE_BOND = 2

# EnergyGrade
ENERGY_UNKNOWN = 0
ENERGY_CREATES = 1
ENERGY_NEUTRAL = 2
ENERGY_LOSES = 3

# State
STARTING = 1
RUNNING = 2
HOLDING = 3
LOST = 4

ENUMERATIONS: dict[str, dict[str, int]] = {
    "Algorithm": {
        "zoh": 1, "foh": 2, "smb": 3, "eros3": 4, "eros4": 5, "linear": 6, "irregular": 7, "auto": 8, "network": 9,
        "model": 12, "phasor": 13,
    },
    "ActiveAlgorithm": {
        "none": 0, "zoh": 1, "foh": 2, "smb": 3, "eros3": 4, "eros4": 5, "linear": 6, "irregular": 7, "auto": 8,
        "network": 9, "model": 12, "phasor": 13,
    },
    "LatencyMode": {"constant": 1, "stamps": 2, "resequenced": 3, "round_trip": 4},
    "Clock": {"common": 1, "free": 2},
    "Follow": {"off": 1, "lag": 2, "lag_and_gain": 3},
    "Frequency": {"off": 1, "frequency": 2},
    "Detector": {"spectral": 1, "residual": 2},
    "Reconstruction": {"linear": 1, "hold": 2},
    "OnLoss": {"hold": 1, "safe": 2},
    "QualityAction": {"ignore": 1, "warn": 2, "stop": 3, "hold": 4},
    "Grade": {"unknown": 0, "harmful": 1, "neutral": 2, "useful": 3, "good": 4},
    "LearningState": {"collecting": 1, "training": 2, "judging": 3},
    "BondEnd": {"none": 0, "effort": 1, "displacement": 2, "velocity": 3},
    "Conjugate": {"displacement": 1, "velocity": 2},
    "EnergySource": {"own": 1, "bond": 2},
    "EnergyGrade": {"unknown": 0, "creates": 1, "neutral": 2, "loses": 3},
    "State": {"starting": 1, "running": 2, "holding": 3, "lost": 4},
}
