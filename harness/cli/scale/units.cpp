#include "harness/cli/scale/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"
#include "harness/cli/scale/unit_list.hpp"
#include "harness/measure/scaling_points.hpp"

namespace camber {

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

}  // namespace camber
