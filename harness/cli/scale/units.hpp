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

// Numbers of units at which a scaling series is measured.

// Numbers of SMs: multiples of the smallest partition, dense at first, then sparser, and finally
// the whole device, which need not be a multiple. Ascending, `smallest` first.
std::vector<int> usual_sm_counts(int smallest, int step, int all);

// Numbers of CPU threads: all up to 4, then increasing by half, and `cores`.
std::vector<int> usual_thread_counts(int cores);

// Rows of a weak series' board on `units` units, if one unit of `unit_size` has `rows` rows.
int weak_rows(int rows, int units, int unit_size);

// Numbers of units given by --units.

// Parses "8,16,32" into distinct numbers in ascending order. Throws Error(usage) for invalid text
// and for numbers outside of 1 to `most`.
std::vector<int> parse_unit_list(std::string_view text, int most);

// Units of a scaling series on this machine.

// Kind of unit, and the values of p.
struct Units {
    scaling::Unit unit = scaling::Unit::sm;
    int unit_size = 1;
    std::vector<int> counts;
};

// `asked`: value of --units, or "" for the default numbers. Both functions throw Error if this
// machine cannot measure them.
Units sms_of(const std::string& asked, const DeviceInfo& device);
Units threads_of(const std::string& asked, int cores);
Units gpu_units(const std::string& asked, int gpus);
// `here`: number of ranks for which this machine has a device; further ranks may be on other hosts.
Units rank_units(const std::string& asked, int here);
// Throws Error(usage) unless the numbers are a series of the units that `over` names.
void check_series(const Units& units, const std::string& over);

// Devices of a series, in the order in which they are added.
std::vector<int> gpus_of(const GroupOptions& group, const std::vector<DeviceInfo>& devices);

// Throws Error(usage) for other variants, because only the reference divides its work among CPU
// threads.
void require_reference(const RunOptions& options);

// Study of one point of a scaling series.

// Devices that provide the units.
struct UnitSource {
    std::optional<DeviceInfo> device;  // device whose SMs are counted
    std::vector<int> cores;            // CPU cores
    GroupOptions group;                // division of a board among GPUs
    std::vector<int> gpus;             // in the order in which they are added
};

// Study on `count` units. In a weak series, the number of rows or of particles grows with the
// number of units. Throws Error(usage) if they cannot grow, and every error of
// GroupOptions::choices().
Study study_on(Study study, const Units& units, int count, scaling::Mode mode,
               const UnitSource& from);

}  // namespace camber
