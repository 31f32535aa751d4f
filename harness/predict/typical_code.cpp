#include "harness/predict/typical_code.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "analysis/time/occupancy.hpp"
#include "harness/base/text_counts.hpp"

namespace camber {
namespace {

constexpr int typical_registers = 32;

// Classes of instructions that access memory.
constexpr std::array<std::string_view, 8> accesses{"global_loads",  "global_stores", "shared_loads",
                                                   "shared_stores", "local_loads",   "local_stores",
                                                   "texture",       "atomics"};

bool is_access(std::string_view name) {
    return std::ranges::find(accesses, name) != accesses.end();
}

// In the order of `accesses`, of all warps.
std::array<std::int64_t, accesses.size()> counted(const AccessCounts& counts) {
    return {counts.global_load.instructions,
            counts.global_store.instructions,
            counts.shared_load.instructions,
            counts.shared_store.instructions,
            counts.local_load.instructions,
            counts.local_store.instructions,
            counts.texture_load.instructions,
            counts.global_atomic.instructions + counts.shared_atomic.instructions};
}

}  // namespace

std::map<std::string, double> instructions_per_access(
    const std::vector<results::CodeTable>& tables) {
    std::map<std::string, double> sums;
    double all = 0;
    for (const results::CodeTable& table : tables)
        table.for_each_kernel([&](const results::Kernel& kernel) {
            for (const auto& [name, count] : kernel.instructions)
                (is_access(name) ? all : sums[name]) += static_cast<double>(count);
        });
    sums.erase(std::string(text_counts::skippable));
    for (auto& [name, sum] : sums) sum /= std::max(all, 1.0);
    return sums;
}

std::vector<results::Kernel> typical_code(const Prediction& prediction,
                                          const std::map<std::string, double>& per_access) {
    std::vector<results::Kernel> kernels;
    for (const KernelPrediction& launch : prediction.kernels) {
        results::Kernel& kernel = kernels.emplace_back();
        kernel.name = launch.kernel;
        kernel.registers = typical_registers;
        kernel.occupancy = occupancy({static_cast<int>(launch.block.count()), typical_registers,
                                      prediction.variant->info.shape.shared_bytes},
                                     prediction.architecture)
                               .value_or(1);
        const double warps = std::ceil(static_cast<double>(launch.block.count()) / 32) *
                             static_cast<double>(launch.grid.count());
        const auto of_warps = counted(launch.model.counts);
        double all = 0;
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            const double of_a_warp = std::ceil(static_cast<double>(of_warps[i]) / warps);
            kernel.instructions[std::string(accesses[i])] = std::llround(of_a_warp);
            all += of_a_warp;
        }
        for (const auto& [name, count] : per_access)
            kernel.instructions[name] = std::llround(count * all);
    }
    return kernels;
}

}  // namespace camber
