// Option values: checks of the typed text, and parsers for durations, board sizes and CUDA devices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/machine/queue/devices.hpp"

namespace camber {

// What is typed for an option, checked before it is converted: CLI11's own checks let "nan" pass,
// and numbers beyond 64 bits.

// For CLI::Option::check(): "" where the text is good, or else what is wrong with it.
using Check = std::function<std::string(const std::string& text)>;

// An unset shell variable must not pass for an option that was not given.
std::string not_empty(const std::string& text);
// A whole number of 64 bits.
std::string is_seed(const std::string& text);
// A number from `least` to `most`.
Check is_within(double least, double most);
// A file to write; "-" is none, because it means standard output elsewhere.
std::string is_file_name(const std::string& text);

// Lengths of time as people type them.

// Seconds of "90s", "20m", "1.5h" or a bare number of seconds. Nothing for any other text, and
// outside one second to a thousand hours.
std::optional<double> parse_duration(const std::string& text);

// For CLI::Option::check(): "" where parse_duration() takes the text, or else what is wrong.
std::string is_duration(const std::string& text);

// Sizes of boards as they are typed.

// Two whole numbers around `separator`, and nothing else; false for anything else.
bool parse_pair(std::string_view text, char separator, std::int64_t& first, std::int64_t& second);

// COLUMNSxROWS. Throws Error(usage) for anything else, and for what no board can have.
Size parse_size(const std::string& text);

// The sizes of a list, each as COLUMNSxROWS: "64x64,256x256", or "64x64..512x512", where columns
// and rows double from one size to the next; one of "" for "". Throws Error(usage) for other lists.
std::vector<std::string> sizes_in(const std::string& list);

// Which GPU each place of a group has.

// NUMBER[,NUMBER...], each from `least` on. Throws Error(usage) that names the option.
std::vector<int> number_list(const std::string& text, const char* option, int least);

// As --devices says, or else the first `gpus`. Throws Error(usage) where the two differ.
std::vector<int> devices_of_places(int gpus, const std::string& list);

// Throws Error(unavailable) where there are fewer than that, and Error(usage) for one that does not
// exist. `named`: by --devices.
void check_devices(const std::vector<int>& devices, bool named,
                   const std::vector<DeviceInfo>& known);

// How many multiprocessors each has: shares of the rows by what GPUs of several kinds can do
// (Rustico 2012, section 6.6).
std::vector<int> multiprocessors_of(const std::vector<int>& devices,
                                    const std::vector<DeviceInfo>& known);

// That of a rank, which is number `local` of its machine, counted from 0. Throws Error(unavailable)
// where none is left for it.
int device_of_rank(int rank, int local, const std::string& list,
                   const std::vector<DeviceInfo>& known);

// The GPU that a command measures.

// The CUDA device of that index. Throws Error(usage) where the machine has others only, and
// Error(unavailable) where it has none: `need` and `instead` are the sentence's ends, around why
// there is none.
DeviceInfo chosen_device(int index, const std::string& need, const std::string& instead);

}  // namespace camber
