/* FMI 3.0: functions for what these FMUs do not have. No reference is fine, any other call is refused and logged. */

static fmi3Status cp_absent(fmi3Instance instance, const char *what, size_t n)
{
    cp_instance *const self = cp_admit(instance, &cp_order3[CP_F3_ABSENT]);
    if (self == NULL) {
        return fmi3Error;
    }
    return n == 0 ? fmi3OK : cp_status3(cp_log(self, CP_ERROR, CP_LOG_CALL, "this FMU has no %s", what));
}

FMI3_Export fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                      fmi3Boolean visible, fmi3Boolean on,
                                                      fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    (void)name;
    (void)token;
    (void)resources;
    (void)visible;
    (void)on;
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
    (void)update;
    (void)lock;
    (void)unlock;
    return fmi3InstantiateModelExchange(name, token, resources, visible, on, environment, log);
}

FMI3_Export fmi3Status fmi3GetFloat32(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                      fmi3Float32 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type Float32", n + n_values);
}

FMI3_Export fmi3Status fmi3GetInt8(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                   fmi3Int8 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type Int8", n + n_values);
}

FMI3_Export fmi3Status fmi3GetUInt8(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    fmi3UInt8 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type UInt8", n + n_values);
}

FMI3_Export fmi3Status fmi3GetInt16(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    fmi3Int16 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type Int16", n + n_values);
}

FMI3_Export fmi3Status fmi3GetUInt16(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     fmi3UInt16 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type UInt16", n + n_values);
}

FMI3_Export fmi3Status fmi3GetUInt32(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     fmi3UInt32 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type UInt32", n + n_values);
}

FMI3_Export fmi3Status fmi3GetUInt64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     fmi3UInt64 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type UInt64", n + n_values);
}

FMI3_Export fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     fmi3String values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type String", n + n_values);
}

FMI3_Export fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     size_t sizes[], fmi3Binary values[], size_t n_values)
{
    (void)references;
    (void)sizes;
    (void)values;
    return cp_absent(instance, "variable of type Binary", n + n_values);
}

FMI3_Export fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    fmi3Clock values[])
{
    (void)references;
    (void)values;
    return cp_absent(instance, "clock", n);
}

FMI3_Export fmi3Status fmi3SetFloat32(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                      const fmi3Float32 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type Float32", n + n_values);
}

FMI3_Export fmi3Status fmi3SetInt8(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                   const fmi3Int8 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type Int8", n + n_values);
}

FMI3_Export fmi3Status fmi3SetUInt8(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    const fmi3UInt8 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type UInt8", n + n_values);
}

FMI3_Export fmi3Status fmi3SetInt16(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    const fmi3Int16 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type Int16", n + n_values);
}

FMI3_Export fmi3Status fmi3SetUInt16(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     const fmi3UInt16 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type UInt16", n + n_values);
}

FMI3_Export fmi3Status fmi3SetUInt32(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     const fmi3UInt32 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type UInt32", n + n_values);
}

FMI3_Export fmi3Status fmi3SetUInt64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     const fmi3UInt64 values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type UInt64", n + n_values);
}

FMI3_Export fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     const fmi3String values[], size_t n_values)
{
    (void)references;
    (void)values;
    return cp_absent(instance, "variable of type String", n + n_values);
}

FMI3_Export fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     const size_t sizes[], const fmi3Binary values[], size_t n_values)
{
    (void)references;
    (void)sizes;
    (void)values;
    return cp_absent(instance, "variable of type Binary", n + n_values);
}

FMI3_Export fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    const fmi3Clock values[])
{
    (void)references;
    (void)values;
    return cp_absent(instance, "clock", n);
}

FMI3_Export fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference reference,
                                                           size_t *n)
{
    (void)reference;
    (void)n;
    return cp_absent(instance, "dependencies of array elements", 1);
}

FMI3_Export fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                                   size_t elements_of_dependent[], fmi3ValueReference independents[],
                                                   size_t elements_of_independents[], fmi3DependencyKind kinds[],
                                                   size_t n)
{
    (void)dependent;
    (void)elements_of_dependent;
    (void)independents;
    (void)elements_of_independents;
    (void)kinds;
    (void)n;
    return cp_absent(instance, "dependencies of array elements", 1);
}

FMI3_Export fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                                size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns,
                                                const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                                size_t n_sensitivity)
{
    (void)unknowns;
    (void)n_unknowns;
    (void)knowns;
    (void)n_knowns;
    (void)seed;
    (void)n_seed;
    (void)sensitivity;
    (void)n_sensitivity;
    return cp_absent(instance, "adjoint derivatives", 1);
}

FMI3_Export fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance)
{
    return cp_absent(instance, "structural parameters", 1);
}

FMI3_Export fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance)
{
    return cp_absent(instance, "structural parameters", 1);
}

FMI3_Export fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                              fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{
    (void)references;
    (void)intervals;
    (void)qualifiers;
    return cp_absent(instance, "clock", n);
}

FMI3_Export fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                               fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                               fmi3IntervalQualifier qualifiers[])
{
    (void)references;
    (void)counters;
    (void)resolutions;
    (void)qualifiers;
    return cp_absent(instance, "clock", n);
}

FMI3_Export fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                           fmi3Float64 shifts[])
{
    (void)references;
    (void)shifts;
    return cp_absent(instance, "clock", n);
}

FMI3_Export fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                            fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{
    (void)references;
    (void)counters;
    (void)resolutions;
    return cp_absent(instance, "clock", n);
}

FMI3_Export fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                              const fmi3Float64 intervals[])
{
    (void)references;
    (void)intervals;
    return cp_absent(instance, "clock", n);
}

FMI3_Export fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                               const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)references;
    (void)counters;
    (void)resolutions;
    return cp_absent(instance, "clock", n);
}

FMI3_Export fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                           const fmi3Float64 shifts[])
{
    (void)references;
    (void)shifts;
    return cp_absent(instance, "clock", n);
}

FMI3_Export fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                            const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)references;
    (void)counters;
    (void)resolutions;
    return cp_absent(instance, "clock", n);
}

FMI3_Export fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time)
{
    (void)clock;
    (void)time;
    return cp_absent(instance, "model partitions", 1);
}

FMI3_Export fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance)
{
    return cp_absent(instance, "Model Exchange", 1);
}

FMI3_Export fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean no_set_prior, fmi3Boolean *event,
                                                   fmi3Boolean *terminate)
{
    (void)no_set_prior;
    (void)event;
    (void)terminate;
    return cp_absent(instance, "Model Exchange", 1);
}

FMI3_Export fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time)
{
    (void)time;
    return cp_absent(instance, "Model Exchange", 1);
}

FMI3_Export fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 states[], size_t n)
{
    (void)states;
    (void)n;
    return cp_absent(instance, "Model Exchange", 1);
}

FMI3_Export fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[], size_t n)
{
    (void)derivatives;
    (void)n;
    return cp_absent(instance, "Model Exchange", 1);
}

FMI3_Export fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 indicators[], size_t n)
{
    (void)indicators;
    (void)n;
    return cp_absent(instance, "Model Exchange", 1);
}

FMI3_Export fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 states[], size_t n)
{
    (void)states;
    (void)n;
    return cp_absent(instance, "Model Exchange", 1);
}

FMI3_Export fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[], size_t n)
{
    (void)nominals;
    (void)n;
    return cp_absent(instance, "Model Exchange", 1);
}

FMI3_Export fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *n)
{
    (void)n;
    return cp_absent(instance, "Model Exchange", 1);
}

FMI3_Export fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *n)
{
    (void)n;
    return cp_absent(instance, "Model Exchange", 1);
}
