// Units of a scaling series (SMs, CPU threads, GPUs): the counts to measure, and the study on a
// given count.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/scaling/series.hpp"
#include "harness/cli/common/group_options.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// The numbers of units at which a scaling series is measured.

// For multiprocessors: multiples of the smallest partition, dense at first, then sparser, and all
// of the device, which need not be a multiple. Ascending, `smallest` first.
std::vector<int> usual_sm_counts(int smallest, int step, int all);

// Of CPU threads: all numbers up to 4, then half as many again, and `cores`.
std::vector<int> usual_thread_counts(int cores);

// The rows of a weak series' board on `units` units, where one unit of `unit_size` has `rows`.
int weak_rows(int rows, int units, int unit_size);

// The numbers of units of a series, as --units gives them.

// "8,16,32" as numbers, ascending, each once. Throws Error(usage) for anything else, and for
// numbers outside of 1 to `most`.
std::vector<int> parse_unit_list(std::string_view text, int most);

// What a scaling series counts on this machine, and on how many of it it runs.

// What p counts, and the values of p.
struct Units {
    scaling::Unit unit = scaling::Unit::sm;
    int unit_size = 1;
    std::vector<int> counts;
};

// `asked`: as --units has them, or "" for the usual ones. Throw Error where this machine cannot.
Units sms_of(const std::string& asked, const DeviceInfo& device);
Units threads_of(const std::string& asked, int cores);
Units gpu_units(const std::string& asked, int gpus);
// `here`: how many ranks this machine has something for; further ones may be on other hosts.
Units rank_units(const std::string& asked, int here);
// Throws Error(usage) where they are no series of what `over` says.
void check_series(const Units& units, const std::string& over);

// The devices that a series goes through, in its order.
std::vector<int> gpus_of(const GroupOptions& group, const std::vector<DeviceInfo>& devices);

// Only the reference divides its work among CPU threads. Anything else that is asked for is not
// measured under its name: throws Error(usage).
void require_reference(const RunOptions& options);

// One point of a scaling series: the study on so many units.

// What the units are taken from.
struct UnitSource {
    std::optional<DeviceInfo> device;  // that multiprocessors are of
    std::vector<int> cores;            // of the CPU
    GroupOptions group;                // how GPUs share a board
    std::vector<int> gpus;             // in the order in which they join
};

// In a weak series the board grows in rows as the units do; particles grow in number. Throws
// Error(usage) where they cannot, and what GroupOptions::choices() throws.
Study study_on(Study study, const Units& units, int count, scaling::Mode mode,
               const UnitSource& from);

}  // namespace camber
