"""Mass 2 as a HELICS federate of its own: needs the package helics, nothing of couplant.

It takes part in place of the component mass_2 of scenario.toml:

    couplant helics scenario.toml --elsewhere mass_2 --set 'algorithms=["eros3"]' --set 'timing=["step"]' \
        --set network.latency_steps=0
    python helics_mass_2.py 127.0.0.1 23404 25.0
"""

import sys

import helics as h

STEP, PARTS = 0.02, 20  # macro step, s; steps of the integrator in it


def accelerated(x2, v2, x1, v1):
    """Return the acceleration of mass 2 [m/s2]: a spring to the wall, one to mass 1."""
    return -120.0 * x2 - 0.02 * v2 + 20.0 * x1 + 0.01 * v1


def stepped(x2, v2, x1, v1):
    """Return position and speed of mass 2 a macro step later; mass 1 moves on with its speed."""
    dt = STEP / PARTS
    for _ in range(PARTS):
        half = v2 + 0.5 * dt * accelerated(x2, v2, x1, v1)
        x2 += dt * half
        x1 += dt * v1
        v2 = half + 0.5 * dt * accelerated(x2, half, x1, v1)
    return x2, v2


def federate(host, port):
    """Return a federate of the broker at an address."""
    info = h.helicsCreateFederateInfo()
    h.helicsFederateInfoSetCoreTypeFromString(info, "zmq")
    where = f"--broker_address=tcp://{host} --brokerport={port}"
    h.helicsFederateInfoSetCoreInitString(info, f"--federates=1 {where} --tick=1s --loglevel=no_print")
    h.helicsFederateInfoSetFlagOption(info, h.HELICS_FLAG_UNINTERRUPTIBLE, True)
    h.helicsFederateInfoSetFlagOption(info, h.HELICS_FLAG_TERMINATE_ON_ERROR, True)
    return h.helicsCreateValueFederate("mass_2", info)


def main(host, port, duration):
    """Take part for a `duration` [s]."""
    fed = federate(host, port)
    f = h.helicsFederateRegisterGlobalPublication(fed, "f", h.HELICS_DATA_TYPE_VECTOR, "")
    x1, v1 = (h.helicsFederateRegisterSubscription(fed, name, "") for name in ("x1", "v1"))
    h.helicsFederateEnterExecutingMode(fed)
    here, there = (0.0, 0.0), (0.0, 0.0)
    steps = round(duration / STEP)
    for n in range(steps):
        t = n * STEP
        if n:
            h.helicsFederateRequestTime(fed, t)
            there = tuple(h.helicsInputGetVector(key)[1] for key in (x1, v1))  # a message is stamp, value
        force = 2.0 * (here[0] - there[0]) + 0.001 * (here[1] - there[1])
        h.helicsPublicationPublishVector(f, [t, force])
        print(repr([t, force, *there]))
        here = stepped(*here, *there)
    h.helicsFederateRequestTime(fed, steps * STEP)
    h.helicsFederateDisconnect(fed)
    h.helicsCloseLibrary()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
