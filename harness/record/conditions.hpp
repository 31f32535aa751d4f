// Conditions of a measurement, as values that results files name: backend, arithmetic, cache and
// submission, and the state of the device beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

enum class Backend { cuda, simt, cpu };

std::string_view name(Backend backend);
Backend backend_named(std::string_view name);  // throws Error(usage) for an unknown name

// Relation of a variant's arithmetic to that of the reference.
enum class Arithmetic {
    canonical,  // the same operations in the same order
    reordered,  // other operations, or another order, the same in every run
    unordered,  // sums in the order in which threads happen to come: runs differ in last digits
    rounded,    // of numbers with fewer digits than the state has, the same in every run
};

std::string_view name(Arithmetic arithmetic);

// Clocks, power, temperature and throttling of a device at one moment. Absent: the driver or the
// device does not report it.
struct DeviceState {
    std::optional<std::int64_t> sm_clock_hz;
    std::optional<std::int64_t> memory_clock_hz;
    std::optional<double> power_watts;  // of the whole board; an average on most devices
    std::optional<double> temperature_celsius;
    // Reasons for clocks below the maximum ("software power cap"). Empty: clocks are at maximum.
    std::optional<std::vector<std::string>> throttle_reasons;
};

// Content of L2 when a timed launch begins: data of the launch before, or nothing.
enum class CacheState : std::uint8_t { hot, cold };

// How launches reach the device: one by one, or replayed as a CUDA graph.
enum class Submission : std::uint8_t { stream, graph };

std::string_view name(CacheState state);
std::string_view name(Submission submission);

struct Conditions {
    CacheState cache = CacheState::hot;
    Submission submission = Submission::stream;
    friend bool operator==(const Conditions&, const Conditions&) = default;
};

// ", cold, graph": what a variant's name is followed by; "" under the usual conditions.
std::string suffix(const Conditions& conditions);

}  // namespace camber
