#include "harness/predict/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

#include "analysis/time/copies.hpp"
#include "analysis/time/library_time.hpp"

namespace camber {
namespace {

// Kernels of a results file stand in the order of their first launch, and the refresh of a torus's
// halo is launched before the first generation already: the code is found by name, where kernels of
// one name stand in the same order, the last for all that are launched again, or else by place.
// nullptr where neither tells.
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

// Of the kernel's loads from shared memory.
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

// Distinct bytes of a sampled launch are not known.
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
    work.cluster_blocks = static_cast<int>(kernel.cluster.count());
    return work;
}

// What a launch touches has lain in L2 since another launch of the step, or of the step before,
// touched it last: between the two lie half of what either moves, on average, and all that those
// in between do, but never more than the step has.
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
