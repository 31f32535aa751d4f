#include "harness/predict/launch_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/time/executed.hpp"
#include "analysis/time/kernel_time.hpp"
#include "analysis/time/machine.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

constexpr int typical_registers = 32;

// Instruction classes that access memory.
constexpr std::array<std::string_view, 8> accesses{"global_loads",  "global_stores", "shared_loads",
                                                   "shared_stores", "local_loads",   "local_stores",
                                                   "texture",       "atomics"};

bool is_memory_class(std::string_view name) {
    return std::ranges::find(accesses, name) != accesses.end();
}

// Instruction counts of all warps, in the order of `accesses`.
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
                (is_memory_class(name) ? all : sums[name]) += static_cast<double>(count);
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

namespace {

// Machine code of kernel number `place` of the launch. A results file lists kernels by first
// launch, and the halo refresh of a torus is launched before the first generation, so kernels are
// matched by name. Kernels of equal name match in order, and the last one serves all repeated
// launches. If the name is missing and both lists are equally long, kernels match by index. nullptr
// if neither matches.
const results::Kernel* code_of(std::size_t place, const std::vector<KernelPrediction>& kernels,
                               const std::vector<results::Kernel>& code) {
    const std::string& name = kernels[place].kernel;
    auto earlier =
        std::count_if(kernels.begin(), kernels.begin() + static_cast<std::ptrdiff_t>(place),
                      [&](const KernelPrediction& kernel) { return kernel.kernel == name; });
    const results::Kernel* last = nullptr;
    for (const results::Kernel& one : code) {
        if (one.name != name) continue;
        last = &one;
        if (earlier-- == 0) break;
    }
    if (last || code.size() != kernels.size()) return last;
    return &code[place];
}

// Executed share of the kernel's shared-memory loads, see copies_executed().
double copies_of(const KernelPrediction& kernel, const std::vector<CallSite>& sites) {
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, int> places;
    std::vector<SiteExecutions> loads;
    for (const SiteCounts& each : kernel.model.sites) {
        const auto executed = static_cast<double>(each.counts.shared_load.instructions);
        if (executed == 0) continue;
        const CallSite& site = sites[static_cast<std::size_t>(each.site)];
        const auto number = places.try_emplace({site.file, site.line, site.column},
                                               static_cast<int>(places.size()));
        loads.push_back({number.first->second, executed});
    }
    return copies_executed(loads);
}

// Distinct bytes of a sampled launch are unknown.
KernelWork work_of(const KernelPrediction& kernel, const results::Kernel& code,
                   const Prediction& prediction) {
    KernelWork work;
    work.copies = copies_of(kernel, prediction.sites);
    work.counts = kernel.model;
    work.blocks = static_cast<double>(kernel.grid.count());
    work.threads_per_block = static_cast<int>(kernel.block.count());
    work.distinct_known = !kernel.low;
    work.linear_textures = prediction.variant->info.technique.name == "texture_1d";
    work.code = code;
    work.spread = kernel.spread;
    work.pieces_of_block = kernel.locality.pieces_of_block;
    if (const auto reads = static_cast<double>(kernel.model.reads.block_sectors); reads > 0)
        work.read_beside = static_cast<double>(kernel.locality.read_beside) / reads;
    return work;
}

// Sets the reuse distances in L2. Data that a launch touches was last touched by another launch of
// the step or of the previous step. The reuse distance is on average half the bytes of both
// launches plus all bytes of the launches in between, but never more than the bytes of the whole
// step.
void see_each_other(std::vector<KernelWork>& works, const std::vector<KernelPrediction>& kernels) {
    if (std::ranges::any_of(kernels, [](const auto& kernel) { return kernel.low.has_value(); }))
        return;
    const auto bytes_of = [](const KernelWork& work) {
        return static_cast<double>(work.counts.distinct_sectors) * sector_bytes;
    };
    double of_step = 0;
    for (std::size_t i = 0; i < works.size(); ++i)
        of_step =
            std::max(of_step, static_cast<double>(kernels[i].locality.of_step) * sector_bytes);
    for (std::size_t i = 0; i < works.size(); ++i) {
        works[i].step_bytes = of_step;
        double between = 0;
        const auto& before = kernels[i].locality.touched_before;
        const double all = bytes_of(works[i]);
        for (std::size_t ago = 1; ago <= std::min(before.size(), i); ++ago) {
            const double own = bytes_of(works[i - ago]);
            const double meanwhile = (all + own) / 2 + between;
            const double share = static_cast<double>(before[ago - 1]) * sector_bytes / all;
            if (share > 0) works[i].revisits.push_back({share, std::min(of_step, meanwhile)});
            between += own;
        }
    }
}

}  // namespace

std::variant<std::vector<KernelWork>, std::string> works_of(
    const Prediction& prediction, const std::vector<results::Kernel>* code) {
    if (prediction.kernels.empty()) return "it launches no kernel";
    if (code == nullptr) return "its machine code is unavailable";
    std::vector<KernelWork> works;
    for (std::size_t i = 0; i < prediction.kernels.size(); ++i) {
        const results::Kernel* const own = code_of(i, prediction.kernels, *code);
        if (!own)
            return fmt::format("the machine code of its kernel {} is unavailable",
                               prediction.kernels[i].kernel);
        works.push_back(work_of(prediction.kernels[i], *own, prediction));
    }
    see_each_other(works, prediction.kernels);
    return works;
}

std::variant<PredictedTime, std::string> time_of(
    const Prediction& prediction, const std::vector<results::Kernel>* code, const Machine& machine,
    const std::function<double(const std::string&)>& share) {
    const auto works = works_of(prediction, code);
    if (const auto* reason = std::get_if<std::string>(&works)) return *reason;
    std::vector<PredictedTime> all;
    double launches = 0;
    for (std::size_t i = 0; i < prediction.kernels.size(); ++i) {
        const KernelPrediction& kernel = prediction.kernels[i];
        const double of_all = share ? share(kernel.kernel) : 1;
        all.push_back(
            scaled(kernel_time(std::get<std::vector<KernelWork>>(works)[i], machine), of_all));
        launches += of_all;
        for (const simt::LibraryCall& call : kernel.after) {
            all.push_back(
                scaled(library_time({static_cast<double>(call.read_bytes),
                                     static_cast<double>(call.written_bytes), call.kernels},
                                    machine),
                       of_all));
            launches += of_all * call.kernels;
        }
    }
    return sum(all, machine, launches);
}

results::TimeRecord time_record(const PredictedTime& time) {
    results::TimeRecord record;
    record.predicted_seconds = time.seconds;
    record.low_seconds = time.low;
    record.high_seconds = time.high;
    record.binding = name(time.binding().resource);
    record.doubts = time.doubts;
    for (const TimePart& part : time.parts)
        record.parts.push_back({std::string(name(part.resource)), part.seconds, part.basis});
    return record;
}

}  // namespace camber
