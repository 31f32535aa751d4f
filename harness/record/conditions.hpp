// Under which conditions a case is measured.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace camber {

// What L2 holds when a timed launch begins: what the launch before left there, or nothing.
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
