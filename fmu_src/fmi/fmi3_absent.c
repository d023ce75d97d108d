/* FMI 3.0: functions for what these FMUs do not have. No reference is fine, any other call is refused and logged. */

static fmi3Status cp_absent(fmi3Instance instance, const char *what, size_t n)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_ABSENT]);
    if (self == NULL) {
        return fmi3Error;
    }
    return n == 0 ? fmi3OK : cp_status3(cp_log(self, CP_ERROR, CP_LOG_CALL, "this FMU has no %s", what));
}

#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" /* what is absent looks at none of them */
#endif

FMI3_Export fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                      fmi3Boolean visible, fmi3Boolean on,
                                                      fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    if (log != NULL) {
        log(environment, fmi3Error, CP_LOG_CALL, "this FMU is for co-simulation only");
    }
    return NULL;
}

FMI3_Export fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean on,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)
{
    return fmi3InstantiateModelExchange(name, token, resources, visible, on, environment, log);
}

/* A function of the standard that refuses what it is asked for, so many of them. */
#define CP_ABSENT(function, parameters, what, asked) \
    FMI3_Export fmi3Status function parameters       \
    {                                                \
        return cp_absent(instance, what, asked);     \
    }

#define CP_NO_CLOCK(function, ...) CP_ABSENT(function, (CP_REFERENCES, __VA_ARGS__), "clock", n)
#define CP_NO_EXCHANGE(function, ...) CP_ABSENT(function, (fmi3Instance instance, __VA_ARGS__), "Model Exchange", 1)
#define CP_NO_VALUES(type)                                                                                            \
    CP_ABSENT(fmi3Get##type, (CP_REFERENCES, fmi3##type values[], size_t m), "variable of type " #type, n + m)        \
    CP_ABSENT(fmi3Set##type, (CP_REFERENCES, const fmi3##type values[], size_t m), "variable of type " #type, n + m)

CP_NO_VALUES(Float32)
CP_NO_VALUES(Int8)
CP_NO_VALUES(UInt8)
CP_NO_VALUES(Int16)
CP_NO_VALUES(UInt16)
CP_NO_VALUES(UInt32)
CP_NO_VALUES(UInt64)
CP_NO_VALUES(String)
CP_ABSENT(fmi3GetBinary, (CP_REFERENCES, size_t sizes[], fmi3Binary values[], size_t m), "variable of type Binary",
          n + m)
CP_ABSENT(fmi3SetBinary, (CP_REFERENCES, const size_t sizes[], const fmi3Binary values[], size_t m),
          "variable of type Binary", n + m)

CP_NO_CLOCK(fmi3GetClock, fmi3Clock values[])
CP_NO_CLOCK(fmi3SetClock, const fmi3Clock values[])
CP_NO_CLOCK(fmi3GetIntervalDecimal, fmi3Float64 intervals[], fmi3IntervalQualifier kinds[])
CP_NO_CLOCK(fmi3GetIntervalFraction, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier kinds[])
CP_NO_CLOCK(fmi3GetShiftDecimal, fmi3Float64 shifts[])
CP_NO_CLOCK(fmi3GetShiftFraction, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
CP_NO_CLOCK(fmi3SetIntervalDecimal, const fmi3Float64 intervals[])
CP_NO_CLOCK(fmi3SetIntervalFraction, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
CP_NO_CLOCK(fmi3SetShiftDecimal, const fmi3Float64 shifts[])
CP_NO_CLOCK(fmi3SetShiftFraction, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
CP_ABSENT(fmi3ActivateModelPartition, (fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time),
          "model partitions", 1)

CP_ABSENT(fmi3GetNumberOfVariableDependencies, (fmi3Instance instance, fmi3ValueReference reference, size_t *n),
          "dependencies of array elements", 1)
CP_ABSENT(fmi3GetVariableDependencies,
          (fmi3Instance instance, fmi3ValueReference dependent, size_t elements[], fmi3ValueReference independents[],
           size_t elements_of_independents[], fmi3DependencyKind kinds[], size_t n),
          "dependencies of array elements", 1)
CP_ABSENT(fmi3GetAdjointDerivative,
          (CP_REFERENCES, const fmi3ValueReference knowns[], size_t n_knowns, const fmi3Float64 seed[], size_t n_seed,
           fmi3Float64 sensitivity[], size_t n_sensitivity),
          "adjoint derivatives", 1)
CP_ABSENT(fmi3EnterConfigurationMode, (fmi3Instance instance), "structural parameters", 1)
CP_ABSENT(fmi3ExitConfigurationMode, (fmi3Instance instance), "structural parameters", 1)

CP_ABSENT(fmi3EnterContinuousTimeMode, (fmi3Instance instance), "Model Exchange", 1)
CP_NO_EXCHANGE(fmi3CompletedIntegratorStep, fmi3Boolean no_set_prior, fmi3Boolean *event, fmi3Boolean *terminate)
CP_NO_EXCHANGE(fmi3SetTime, fmi3Float64 time)
CP_NO_EXCHANGE(fmi3SetContinuousStates, const fmi3Float64 states[], size_t n)
CP_NO_EXCHANGE(fmi3GetContinuousStateDerivatives, fmi3Float64 derivatives[], size_t n)
CP_NO_EXCHANGE(fmi3GetEventIndicators, fmi3Float64 indicators[], size_t n)
CP_NO_EXCHANGE(fmi3GetContinuousStates, fmi3Float64 states[], size_t n)
CP_NO_EXCHANGE(fmi3GetNominalsOfContinuousStates, fmi3Float64 nominals[], size_t n)
CP_NO_EXCHANGE(fmi3GetNumberOfEventIndicators, size_t *n)
CP_NO_EXCHANGE(fmi3GetNumberOfContinuousStates, size_t *n)

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
