// Boards and golden numbers that the tests of the image workloads share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tests/catch.hpp"
#include "workloads/core/workload.hpp"

namespace camber::image_test {

struct Golden {
    Size size;
    double sum;  // in double, to 9 decimals
    std::uint64_t checksum;
};

inline void check(const FinalState& final, const Golden& golden) {
    CHECK(final.amount == Approx(golden.sum).epsilon(0).margin(6e-10));
    CHECK(final.checksum == golden.checksum);
}

inline State random_board(const Workload& workload, Size size, std::uint64_t seed = 1,
                          ElementType cell = ElementType::float32) {
    return workload.initial({.size = size, .cell = cell, .seed = seed});
}

inline GenerationContext context_of(const Workload& workload, Boundary boundary = Boundary::dead,
                                    int threads = 1) {
    return {boundary, ParameterSet(workload.facts().parameters), 0, threads};
}

inline bool same_bytes(const State& a, const State& b) {
    return std::ranges::equal(a.fields, b.fields, [](const HostField& x, const HostField& y) {
        return x.name() == y.name() && std::ranges::equal(x.bytes(), y.bytes());
    });
}

inline std::vector<float> floats(const State& state, std::string_view field) {
    const auto cells = state.field(field).cells<float>();
    return {cells.begin(), cells.end()};
}

// Sizes with and without interior cells, with whole and partial vectors.
inline const std::vector<Size>& odd_sizes() {
    static const std::vector<Size> sizes{{1, 1},  {1, 7},  {7, 1},   {2, 2},  {2, 5},
                                         {3, 1},  {3, 3},  {4, 9},   {17, 5}, {18, 4},
                                         {19, 6}, {33, 2}, {131, 77}};
    return sizes;
}

}  // namespace camber::image_test
