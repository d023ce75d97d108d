/* Two source FMUs in one program: their functions carry the model identifiers ONE and TWO as prefixes.

       linked TOKEN_ONE TOKEN_TWO < Y_IN_BITS

   Prints y_hat of both after each step of 0.01 s. No file is read: the settings are compiled in. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2FunctionTypes.h"
#include "fmi3FunctionTypes.h"

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define ONE_(name) JOIN(ONE, name)
#define TWO_(name) JOIN(TWO, name)

extern fmi2InstantiateTYPE ONE_(_fmi2Instantiate);
extern fmi2SetupExperimentTYPE ONE_(_fmi2SetupExperiment);
extern fmi2EnterInitializationModeTYPE ONE_(_fmi2EnterInitializationMode);
extern fmi2ExitInitializationModeTYPE ONE_(_fmi2ExitInitializationMode);
extern fmi2SetRealTYPE ONE_(_fmi2SetReal);
extern fmi2GetRealTYPE ONE_(_fmi2GetReal);
extern fmi2DoStepTYPE ONE_(_fmi2DoStep);
extern fmi2FreeInstanceTYPE ONE_(_fmi2FreeInstance);

extern fmi3InstantiateCoSimulationTYPE TWO_(_fmi3InstantiateCoSimulation);
extern fmi3EnterInitializationModeTYPE TWO_(_fmi3EnterInitializationMode);
extern fmi3ExitInitializationModeTYPE TWO_(_fmi3ExitInitializationMode);
extern fmi3SetFloat64TYPE TWO_(_fmi3SetFloat64);
extern fmi3GetFloat64TYPE TWO_(_fmi3GetFloat64);
extern fmi3DoStepTYPE TWO_(_fmi3DoStep);
extern fmi3FreeInstanceTYPE TWO_(_fmi3FreeInstance);

static const unsigned y = 1;
static const unsigned y_hat = 4;

static void show(double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    (void)printf("%016" PRIx64 "\n", bits);
}

static void step_one(fmi2Component c, double t, double value)
{
    double estimate = 0.0;
    if (ONE_(_fmi2SetReal)(c, &y, 1, &value) != fmi2OK || ONE_(_fmi2DoStep)(c, t, 0.01, fmi2True) != fmi2OK ||
        ONE_(_fmi2GetReal)(c, &y_hat, 1, &estimate) != fmi2OK) {
        abort();
    }
    show(estimate);
}

static void step_two(fmi3Instance c, double t, double value)
{
    bool flags[3] = {false};
    double estimate = 0.0;
    if (TWO_(_fmi3SetFloat64)(c, &y, 1, &value, 1) != fmi3OK ||
        TWO_(_fmi3DoStep)(c, t, 0.01, true, &flags[0], &flags[1], &flags[2], &estimate) != fmi3OK ||
        TWO_(_fmi3GetFloat64)(c, &y_hat, 1, &estimate, 1) != fmi3OK) {
        abort();
    }
    show(estimate);
}

int main(int argc, char **argv)
{
    static const fmi2CallbackFunctions callbacks = {NULL, calloc, free, NULL, NULL};
    uint64_t bits = 0;
    double value = 0.0;
    if (argc != 3) {
        return 2;
    }
    const fmi2Component one = ONE_(_fmi2Instantiate)("one", fmi2CoSimulation, argv[1], NULL, &callbacks, 0, 0);
    const fmi3Instance two = TWO_(_fmi3InstantiateCoSimulation)("two", argv[2], NULL, false, false, false, false,
                                                                NULL, 0, NULL, NULL, NULL);
    if (one == NULL || two == NULL || ONE_(_fmi2SetupExperiment)(one, 0, 0.0, 0.0, 0, 0.0) != fmi2OK ||
        ONE_(_fmi2EnterInitializationMode)(one) != fmi2OK || ONE_(_fmi2ExitInitializationMode)(one) != fmi2OK ||
        TWO_(_fmi3EnterInitializationMode)(two, false, 0.0, 0.0, false, 0.0) != fmi3OK ||
        TWO_(_fmi3ExitInitializationMode)(two) != fmi3OK) {
        return 3;
    }
    for (int n = 0; scanf("%" SCNx64, &bits) == 1; n++) {
        memcpy(&value, &bits, sizeof value);
        step_one(one, 0.01 * n, value);
        step_two(two, 0.01 * n, value);
    }
    ONE_(_fmi2FreeInstance)(one);
    TWO_(_fmi3FreeInstance)(two);
    return 0;
}
