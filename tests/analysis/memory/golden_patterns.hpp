// Patterns P01 to P24 of a warp's accesses to global memory, with the results of the rules of the
// CUDA C Programming Guide for each.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace camber {

struct GoldenPattern {
    const char* id;
    std::function<std::int64_t(int)> address;
    std::uint32_t size;
    std::array<int, 3> cc10;  // 32-, 64-, 128-byte transactions
    std::array<int, 3> cc12;
    int cc12_bytes;
    std::array<int, 2> cc20;  // requests, lines
    int sectors_cc30;         // also 2.x without L1
    std::array<int, 3> cc50;  // requests, lines, sectors
    std::uint32_t active = ~0u;
};

inline const std::vector<GoldenPattern>& golden_patterns() {
    static const std::vector<GoldenPattern> patterns = {
        // clang-format off
        {"P01", [](int l) { return 4 * l; }, 4, {0, 2, 0}, {0, 2, 0}, 128, {1, 1}, 4, {1, 1, 4}},
        {"P02", [](int l) { return 4 * (l + 1); }, 4, {32, 0, 0}, {1, 1, 1}, 224, {1, 2}, 5, {1, 2, 5}},
        {"P03", [](int l) { return 4 * (l + 8); }, 4, {32, 0, 0}, {2, 0, 1}, 192, {1, 2}, 4, {1, 2, 4}},
        {"P04", [](int l) { return 4 * (l + 16); }, 4, {0, 2, 0}, {0, 2, 0}, 128, {1, 2}, 4, {1, 2, 4}},
        {"P05", [](int l) { return 4 * (l + 63); }, 4, {32, 0, 0}, {1, 1, 1}, 224, {1, 2}, 5, {1, 2, 5}},
        {"P06", [](int l) { return 8 * l; }, 4, {32, 0, 0}, {0, 0, 2}, 256, {1, 2}, 8, {1, 2, 8}},
        {"P07", [](int l) { return 4 * (31 - l); }, 4, {32, 0, 0}, {0, 2, 0}, 128, {1, 1}, 4, {1, 1, 4}},
        {"P08", [](int l) { return 4 * (l ^ 1); }, 4, {32, 0, 0}, {0, 2, 0}, 128, {1, 1}, 4, {1, 1, 4}},
        {"P09", [](int) { return 0; }, 4, {32, 0, 0}, {2, 0, 0}, 64, {1, 1}, 1, {1, 1, 1}},
        {"P10", [](int l) { return 8 * l; }, 8, {0, 0, 2}, {0, 0, 2}, 256, {2, 2}, 8, {1, 2, 8}},
        {"P11", [](int l) { return 8 * (l + 1); }, 8, {32, 0, 0}, {2, 0, 2}, 320, {2, 4}, 10, {1, 3, 9}},
        {"P12", [](int l) { return 16 * l; }, 16, {0, 0, 4}, {0, 0, 4}, 512, {4, 4}, 16, {1, 4, 16}},
        {"P13", [](int l) { return 16 * (l + 1); }, 16, {32, 0, 0}, {2, 0, 4}, 576, {4, 8}, 20, {1, 5, 17}},
        {"P14", [](int l) { return 4 * l; }, 4, {0, 1, 0}, {0, 1, 0}, 64, {1, 1}, 2, {1, 1, 2}, 0x0000ffff},
        {"P15", [](int l) { return 4 * l; }, 4, {0, 2, 0}, {0, 2, 0}, 128, {1, 1}, 4, {1, 1, 4}, 0xaaaaaaaa},
        {"P16", [](int l) { return 2048 * l; }, 4, {32, 0, 0}, {32, 0, 0}, 1024, {1, 32}, 32, {1, 32, 32}},
        {"P17", [](int l) { return 128 * l; }, 4, {32, 0, 0}, {32, 0, 0}, 1024, {1, 32}, 32, {1, 32, 32}},
        {"P18", [](int l) { return 4 * (l % 16 + 2112 * (l / 16)); }, 4, {0, 2, 0}, {0, 2, 0}, 128, {1, 2}, 4, {1, 2, 4}},
        {"P19", [](int l) { return l; }, 1, {32, 0, 0}, {2, 0, 0}, 64, {1, 1}, 1, {1, 1, 1}},
        {"P20", [](int l) { return 2 * l; }, 2, {32, 0, 0}, {2, 0, 0}, 64, {1, 1}, 2, {1, 1, 2}},
        {"P21", [](int) { return 60; }, 4, {1, 0, 0}, {1, 0, 0}, 32, {1, 1}, 1, {1, 1, 1}, 1},
        {"P22", [](int l) { return 12 * l; }, 4, {32, 0, 0}, {0, 2, 2}, 384, {1, 3}, 12, {1, 3, 12}},
        {"P23", [](int) { return 0; }, 8, {32, 0, 0}, {2, 0, 0}, 64, {2, 2}, 2, {1, 1, 1}},
        {"P24", [](int l) { return 16 * l; }, 8, {32, 0, 0}, {0, 0, 4}, 512, {2, 4}, 16, {1, 4, 16}},
        // clang-format on
    };
    return patterns;
}

}  // namespace camber
