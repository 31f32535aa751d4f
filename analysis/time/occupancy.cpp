#include "analysis/time/occupancy.hpp"

#include <algorithm>

namespace camber {
namespace {

constexpr int lanes_of_warp = 32;
constexpr int registers_per_sm = 64 * 1024;
constexpr int registers_at_once = 256;  // what a warp gets of them is a multiple
constexpr int warps_at_once = 4;        // of an SM that registers have room for

struct SmLimits {
    int version;  // 10 * major + minor
    int warps;
    int blocks;
    int shared_kilobytes;
};
constexpr SmLimits all_limits[] = {
    {50, 64, 32, 64},   {52, 64, 32, 96},   {53, 64, 32, 64},   {60, 64, 32, 64},
    {61, 64, 32, 96},   {62, 64, 32, 64},   {70, 64, 32, 96},   {72, 64, 32, 96},
    {75, 32, 16, 64},   {80, 64, 32, 164},  {86, 48, 16, 100},  {87, 48, 16, 164},
    {89, 48, 24, 100},  {90, 64, 32, 228},  {100, 64, 32, 228}, {103, 64, 32, 228},
    {110, 48, 24, 228}, {120, 48, 24, 100}, {121, 48, 24, 100}};

int in_steps(int amount, int step) {
    return (amount + step - 1) / step * step;
}

}  // namespace

std::optional<double> occupancy(const BlockNeeds& block, const Architecture& architecture) {
    const int version = 10 * architecture.major + architecture.minor;
    const auto* const limits = std::ranges::find(all_limits, version, &SmLimits::version);
    if (limits == std::end(all_limits) || block.threads <= 0) return std::nullopt;
    const int warps = (block.threads + lanes_of_warp - 1) / lanes_of_warp;
    int blocks = std::min(limits->blocks, limits->warps / warps);
    if (block.registers > 0) {
        const int of_warp = in_steps(block.registers * lanes_of_warp, registers_at_once);
        const int room = registers_per_sm / of_warp / warps_at_once * warps_at_once;
        blocks = std::min(blocks, room / warps);
    }
    // From 8.0 on a block has 1 KB that is the system's.
    const int own = version >= 80 ? 1024 : 0;
    const int shared =
        in_steps(static_cast<int>(block.shared_bytes) + own, version >= 80 ? 128 : 256);
    if (shared > 0) blocks = std::min(blocks, limits->shared_kilobytes * 1024 / shared);
    return static_cast<double>(blocks * warps) / limits->warps;
}

}  // namespace camber
