#include "analysis/memory/resource.hpp"

#include <array>

namespace camber {

namespace {

struct Words {
    std::string_view name, key, unit;
};

// In the order of Resource.
constexpr std::array<Words, 8> words{{
    {"DRAM", "dram", "bytes"},
    {"L2", "l2", "bytes"},
    {"L1", "l1", "bytes"},
    {"shared memory", "shared", "bytes"},
    {"issue slots", "issue", "instructions"},
    {"ALU pipe", "alu", "operations"},
    {"FP32 pipe", "fp32", "operations"},
    {"FP64 pipe", "fp64", "operations"},
}};

const Words& words_of(Resource resource) {
    return words.at(static_cast<std::size_t>(resource));
}

}  // namespace

std::string_view name(Resource resource) {
    return words_of(resource).name;
}

std::string_view key(Resource resource) {
    return words_of(resource).key;
}

std::string_view short_name(std::string_view key) {
    for (const Words& one : words)
        if (one.key == key) return one.name.substr(0, one.name.find(' '));
    return key;
}

std::string_view unit(Resource resource) {
    return words_of(resource).unit;
}

}  // namespace camber
