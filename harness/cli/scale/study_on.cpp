#include "harness/cli/scale/study_on.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string_view>

#include "harness/base/error.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/measure/reference_variants.hpp"
#include "harness/measure/scaling_points.hpp"
#include "workloads/core/parameter_start.hpp"

namespace camber {

namespace {

// The same problem with as many times the cells as there are units.
void grow(Study& study, const Units& units, int count) {
    const ParameterStart* const start = parameter_start(*study.workload);
    ParameterSet& parameters = study.problem.parameters;
    if (!start) {
        study.problem.size.rows = study.initial.size.rows =
            weak_rows(study.problem.size.rows, count, units.unit_size);
        return;
    }
    if (start->ends_itself(parameters))
        throw Error(ExitCode::usage,
                    fmt::format("--mode weak takes as many generations on every number of units, "
                                "and with these parameters workload {} ends the run itself: give "
                                "--generations instead",
                                study.workload->name()));
    if (count > units.unit_size && study.initial.input)
        throw Error(ExitCode::usage,
                    fmt::format("--mode weak needs more particles on more units, and {} has as "
                                "many as it has: leave out --input",
                                study.initial.input->string()));
    if (count > units.unit_size)
        parameters = start->grown(parameters, static_cast<double>(count) / units.unit_size);
    study.problem.size = study.initial.size = start->size_for(parameters);
}

}  // namespace

Study study_on(Study study, const Units& units, int count, scaling::Mode mode,
               const UnitSource& from) {
    study.place = {units.unit, count, units.unit_size, mode};
    if (units.unit == scaling::Unit::sm) {
        study.sms = count == from.device->sm_count ? 0 : count;
    } else if (units.unit == scaling::Unit::gpu) {
        study.device = from.gpus.front();
        // One GPU computes as it does without the others, unless that is another model.
        if (count > 1 || from.group.minimum == "lagged") {
            GroupOptions some = from.group;
            some.gpus = 0;
            some.devices =
                fmt::format("{}", fmt::join(from.gpus.begin(), from.gpus.begin() + count, ","));
            divide(study, some.choices(study.backend));
        }
    } else if (units.unit == scaling::Unit::thread) {
        study.composed = {std::make_shared<const Variant>(
            reference_variant(*study.workload, study.problem.cell, count))};
        study.variants = {study.composed.front().get()};
        study.cores.assign(from.cores.begin(), from.cores.begin() + count);
    }
    if (mode == scaling::Mode::weak) grow(study, units, count);
    return study;
}

}  // namespace camber
