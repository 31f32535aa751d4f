// Backend, arithmetic, cache state, submission and technique family of a measurement, as values
// that result files name, and the device state at that time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// Descriptions of a technique

// Main difference between a technique and cell-by-cell reads of global memory. Charts of dozens of
// techniques have one color per family.
enum class Family {
    global_memory,
    shared_memory,
    texture_or_constant,
    several_cells,        // per thread
    register_streaming,   // rows or columns that pass through registers
    several_generations,  // per launch
    other,                // techniques that are not part of camber
};
inline constexpr std::array families{
    Family::global_memory, Family::shared_memory,      Family::texture_or_constant,
    Family::several_cells, Family::register_streaming, Family::several_generations,
    Family::other};
std::string_view name(Family family);  // "global memory"

// Consists of literals, which have static lifetime.
struct TechniqueInfo {
    std::string_view name;
    std::string_view summary;  // one line: the memory access pattern
    std::string_view source;   // author year, section
    // Family of its most advanced idea: a tile that computes two generations belongs to
    // several_generations.
    Family family = Family::other;
};

// Conditions of a measurement, as values that result files name: backend, arithmetic, cache and
// submission, and the state of the device at that time.
enum class Backend { cuda, simt, cpu };

std::string_view name(Backend backend);
Backend backend_named(std::string_view name);  // throws Error(usage) for an unknown name

// Relation of a variant's arithmetic to that of the reference.
enum class Arithmetic {
    canonical,  // the same operations in the same order
    reordered,  // other operations, or another order, the same in every run
    unordered,  // sums in arrival order of the threads: runs differ in the last digits
    rounded,    // rounded to fewer digits than the state has, the same in every run
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

// Content of L2 when a timed launch begins: data of the previous launch, or nothing.
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

// Suffix of the variant's name: ", cold, graph"; "" under the usual conditions.
std::string suffix(const Conditions& conditions);

}  // namespace camber
