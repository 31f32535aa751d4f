#include "harness/measure/device_code.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/machine/sass/kernel_code.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/measure/identity.hpp"
#include "workloads/core/parameter_start.hpp"

namespace camber {

namespace {

constexpr std::int64_t most_cells = 1 << 22;  // of the study's own board: some milliseconds

std::optional<Size> board_for(const Prediction& prediction) {
    if (prediction.small_board) return prediction.small_board;
    const Size own = prediction.problem.size;
    return own.cells() <= most_cells ? std::optional(own) : std::nullopt;
}

std::vector<KernelFacts> facts_of(const Study& study, Queue& queue, const Variant& variant,
                                  Size board) {
    Problem problem = study.problem;
    InitialConditions conditions = study.initial;
    if (board != problem.size) {
        problem.size = conditions.size = board;
        conditions.input.reset();  // may not fit, and kernels do not depend on the data
        conditions.input_at.reset();
        conditions.tiles = {1, 1};
    }
    queue.set_label(variant.info.name());
    const auto execution = variant.factories.at(study.backend)(queue, problem);
    execution->upload(start_of(*study.workload, conditions, problem.parameters));
    execution->advance(variant.info.shape.generations);
    queue.synchronize();
    return queue.take_kernel_facts();
}

// Nothing where a kernel's instructions are unknown.
std::vector<results::Kernel> kernels_of(const std::vector<KernelFacts>& facts, KernelCode& code) {
    std::vector<results::Kernel> kernels;
    for (const KernelFacts& one : facts) {
        const InstructionMix* const mix = code.find(one.symbol, one.address);
        if (!mix) return {};
        kernels.push_back(recorded(one, true));
        record(*mix, kernels.back());
    }
    return kernels;
}

}  // namespace

results::CodeTable code_on_device(const Study& study, const DeviceInfo& device,
                                  const std::map<const Variant*, Prediction>& predictions) {
    results::CodeTable table;
    table.arch = fmt::format("{}.{}", device.major, device.minor);
    const auto queue = open_queue(study);
    std::vector<std::pair<const Variant*, std::vector<KernelFacts>>> launched;
    for (const auto& [variant, prediction] : predictions) {
        check_stop();
        const auto board = board_for(prediction);
        if (!board) continue;
        try {
            launched.emplace_back(variant, facts_of(study, *queue, *variant, *board));
        } catch (const Error&) {
            queue->take_kernel_facts();  // it is measured, which tells what is wrong
        }
    }
    KernelCode code(device.major, device.minor, CacheFolder::of_user());
    for (const auto& [variant, facts] : launched)
        for (const KernelFacts& one : facts) code.find(one.symbol, one.address);
    code.load();
    for (const auto& [variant, facts] : launched)
        if (auto kernels = kernels_of(facts, code); !kernels.empty())
            table.add(variant->info.name(), std::string(info(study.problem.cell).name),
                      study.problem.boundary, std::move(kernels));
    return table;
}

}  // namespace camber
