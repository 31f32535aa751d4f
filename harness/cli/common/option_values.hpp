// Option values (checks of the typed text, and parsers for durations, board sizes and CUDA devices), and
// help pages: options in groups, the common ones first. `--help` leaves out rare options, `--help-all`
// prints every option.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/machine/queue/devices.hpp"
#include "workloads/core/workload.hpp"

namespace CLI {
class App;
}

namespace camber {

// Checks of option values before conversion, because CLI11's own checks accept "nan" and numbers
// beyond 64 bits.

// For CLI::Option::check(): returns "" if the text is valid, otherwise the error.
using Check = std::function<std::string(const std::string& text)>;

// Rejects empty text, because an unset shell variable would pass for an option that was not given.
std::string not_empty(const std::string& text);
// Accepts a 64-bit integer.
std::string is_seed(const std::string& text);
// Accepts a number from `least` to `most`.
Check is_within(double least, double most);
// Accepts a file to write; "-" is rejected because it means standard output elsewhere.
std::string is_file_name(const std::string& text);

// Durations as users write them.

// Seconds of "90s", "20m", "1.5h" or a plain number of seconds. nullopt for any other text, and
// outside one second to a thousand hours.
std::optional<double> parse_duration(const std::string& text);

// For CLI::Option::check(): returns "" if parse_duration() accepts the text, otherwise the error.
std::string is_duration(const std::string& text);

// Board sizes as users write them.

// Parses COLUMNSxROWS. Throws Error(usage) for other text and for impossible board sizes.
Size parse_size(const std::string& text);

// Sizes in a list, each as COLUMNSxROWS: "64x64,256x256", or "64x64..512x512", in which columns and
// rows double from one size to the next. The list "" has the single entry "". Throws Error(usage)
// for invalid lists.
std::vector<std::string> sizes_in(const std::string& list);

// GPU of each member of a group.

// Parses NUMBER[,NUMBER...], each at least `least`. Throws Error(usage) that names the option.
std::vector<int> number_list(const std::string& text, const char* option, int least);

// Devices in `list`, the value of --devices, or the first `gpus` devices if it is empty. Throws
// Error(usage) if both differ in number.
std::vector<int> devices_of_places(int gpus, const std::string& list);

// Throws Error(unavailable) if there are too few devices, and Error(usage) for a device that does
// not exist. `named`: the devices were given by --devices.
void check_devices(const std::vector<int>& devices, bool named,
                   const std::vector<DeviceInfo>& known);

// Number of SMs of each device, from which the rows are divided between GPUs of different
// performance (Rustico 2012, section 6.6).
std::vector<int> multiprocessors_of(const std::vector<int>& devices,
                                    const std::vector<DeviceInfo>& known);

// Device of a rank that has index `local` among the ranks of its machine, counted from 0. Throws
// Error(unavailable) if no device is left for it.
int device_of_rank(int rank, int local, const std::string& list,
                   const std::vector<DeviceInfo>& known);

// GPU that a command measures.

// Returns the CUDA device with that index. Throws Error(usage) if the machine only has devices with
// other indices, and Error(unavailable) if it has none. `need` and `instead`: beginning and end of
// the error's sentence, around the reason.
DeviceInfo chosen_device(int index, const std::string& need, const std::string& instead);

// Options that a workload declares.

// Value of --workload on a command line that is not parsed yet; `usual` if it has none.
std::string named_workload(const std::vector<std::string>& command_line, std::string_view usual);

// Adds the options of `workload` to `command`, in a group of their own. Parsing stores the given
// values in `values`, and throws Error(usage) for values that the workload does not accept.
void add_workload_options(CLI::App& command, const Workload& workload, OptionValues& values);

// Throws Error(usage) if the workload lacks one of these options, or does not accept its value.
void check_workload_options(const Workload& workload, const OptionValues& values);

// Sentence for the first of `arguments` that is an option of other workloads than `workload`; ""
// if there is none, or if the workload is unknown.
std::string option_of_others(const std::vector<std::string>& arguments, std::string_view workload);

}  // namespace camber

namespace camber {

inline constexpr const char* problem_group = "Problem";
inline constexpr const char* variant_group = "Variants";
inline constexpr const char* measurement_group = "Measurement";
inline constexpr const char* devices_group = "Several GPUs";
inline constexpr const char* output_group = "Output";

// Assigns the options that are added to `command` next to a group, until it is destroyed. Rare
// options appear only with --help-all, which rare() adds to the command.
class OptionGroups {
  public:
    explicit OptionGroups(CLI::App& command)
        : command_(command), outer_(command.option_defaults()->get_group()) {}
    OptionGroups(const OptionGroups&) = delete;
    OptionGroups& operator=(const OptionGroups&) = delete;
    ~OptionGroups() { command_.option_defaults()->group(outer_); }

    void common(const std::string& group) { command_.option_defaults()->group(group); }
    void rare(const std::string& group);

  private:
    CLI::App& command_;
    std::string outer_;
};

// Sets this format for `app` and for commands that are added to it later.
void set_help_format(CLI::App& app);

}  // namespace camber
