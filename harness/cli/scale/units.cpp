#include "harness/cli/scale/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <string_view>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

std::vector<int> usual_sm_counts(int smallest, int step, int all) {
    std::set<int> counts;
    int jump = step;
    for (int count = smallest; count < all; count += jump) {
        counts.insert(count);
        if (count >= 4 * smallest) jump = 2 * step;
    }
    counts.insert(all);
    return {counts.begin(), counts.end()};
}

std::vector<int> usual_thread_counts(int cores) {
    std::set<int> counts;
    for (int count = 1; count < cores; count = std::max(count + 1, count + count / 2))
        counts.insert(count);
    counts.insert(cores);
    return {counts.begin(), counts.end()};
}

int weak_rows(int rows, int units, int unit_size) {
    return static_cast<int>(std::lround(static_cast<double>(rows) * units / unit_size));
}

std::vector<int> parse_unit_list(std::string_view text, int most) {
    std::set<int> counts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        int count = 0;
        const auto [stop, error] = std::from_chars(text.data() + start, text.data() + end, count);
        if (error != std::errc() || stop != text.data() + end || count < 1 || count > most)
            throw Error(ExitCode::usage,
                        fmt::format("--units {} is no list of numbers from 1 to {}: write for "
                                    "example --units 1,2,4",
                                    text, most));
        counts.insert(count);
        start = end + 1;
    }
    return {counts.begin(), counts.end()};
}

Units sms_of(const std::string& asked, const DeviceInfo& device) {
    const SmGranularity granularity = sm_granularity(device.index);
    Units units{scaling::Unit::sm, granularity.smallest, {}};
    units.counts = asked.empty()
                       ? usual_sm_counts(granularity.smallest, granularity.step, device.sm_count)
                       : parse_unit_list(asked, device.sm_count);
    for (const int count : units.counts)
        if (count != device.sm_count &&
            (count < granularity.smallest || count % granularity.step != 0))
            throw Error(ExitCode::usage,
                        fmt::format("{} cannot be divided into a partition of {} SMs: "
                                    "give multiples of {} from {} on, or all {}",
                                    device.name, count, granularity.step, granularity.smallest,
                                    device.sm_count));
    return units;
}

Units threads_of(const std::string& asked, int cores) {
    return {scaling::Unit::thread, 1,
            asked.empty() ? usual_thread_counts(cores) : parse_unit_list(asked, cores)};
}

void require_reference(const RunOptions& options) {
    const std::string name = "reference/threads";
    std::vector<std::string> others = options.compositions;
    std::ranges::copy_if(options.variants, std::back_inserter(others), [&](const auto& glob) {
        return !matches_glob(glob, name) && !matches_glob(glob, options.workload + "/" + name);
    });
    if (!others.empty())
        throw Error(ExitCode::usage,
                    fmt::format("--over threads scales {}, the plain reference, and cannot scale "
                                "'{}': leave it out, or scale it with --over sms",
                                name, others.front()));
}

std::vector<int> gpus_of(const GroupOptions& group, const std::vector<DeviceInfo>& devices) {
    if (devices.size() < 2)
        throw Error(ExitCode::unavailable,
                    fmt::format("scaling over GPUs needs at least two, and this machine shows {}: "
                                "--over sms divides one",
                                devices.size()));
    GroupOptions all = group;
    if (all.devices.empty() && all.gpus == 0) all.gpus = static_cast<int>(devices.size());
    const std::vector<GroupChoice> choices = all.choices(Backend::cuda);
    if (choices.size() != 1)
        throw Error(ExitCode::usage,
                    fmt::format("a series has one exchange, and {} are given: measure them one "
                                "after another",
                                choices.size()));
    const std::vector<int>& chosen = choices.front().devices;
    if (std::set<int>(chosen.begin(), chosen.end()).size() < chosen.size())
        throw Error(ExitCode::usage,
                    fmt::format("--devices {} names a GPU twice, and its times would be no "
                                "speedup: name each once",
                                group.devices));
    return chosen;
}

Units rank_units(const std::string& asked, int here) {
    constexpr int most = 1 << 20;
    Units units{scaling::Unit::rank, 1,
                asked.empty() ? usual_thread_counts(here) : parse_unit_list(asked, most)};
    if (asked.empty() && units.counts.size() < 2)
        throw Error(ExitCode::usage,
                    "this machine has a GPU or core for one rank only: give --units, as "
                    "--units 1,2, and a --launcher that starts them");
    check_series(units, "ranks");
    return units;
}

void check_series(const Units& units, const std::string& over) {
    if (units.counts.size() >= 2 && units.counts.front() == units.unit_size) return;
    throw Error(ExitCode::usage,
                fmt::format("--units {} is no scaling series: it needs {} and at least one larger "
                            "number of {}",
                            fmt::join(units.counts, ","), units.unit_size, over));
}

Units gpu_units(const std::string& asked, int gpus) {
    Units units{scaling::Unit::gpu, 1, {}};
    if (!asked.empty()) {
        units.counts = parse_unit_list(asked, gpus);
    } else {
        units.counts.resize(static_cast<std::size_t>(gpus));
        std::iota(units.counts.begin(), units.counts.end(), 1);
    }
    return units;
}

namespace {

// Multiplies the number of cells by the number of units.
void grow(Study& study, const Units& units, int count) {
    const ParameterStart* const start = study.workload->capabilities().parameter_start;
    ParameterSet& parameters = study.problem.parameters;
    if (!start) {
        study.problem.size.rows = study.initial.size.rows =
            weak_rows(study.problem.size.rows, count, units.unit_size);
        return;
    }
    const SelfEnding* const own = study.workload->capabilities().self_ending;
    if (own && own->ends_itself(parameters))
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
        choose_slices(study, from.group);
        // A single GPU runs the undivided variant, unless the group computes another model.
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
