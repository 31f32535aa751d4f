#include "harness/check/check_variant.hpp"

#include "harness/check/access_checker.hpp"
#include "harness/simt/host_queue.hpp"

namespace camber {

CheckResult check_variant(const Variant& variant, const Problem& problem, const State& initial,
                          int generations, int examples) {
    CheckResult result;
    result.variant = &variant;
    result.size = problem.size;
    AccessChecker checker(examples);  // outlives the memory that it observes
    simt::HostQueue queue(1);
    if (auto reason =
            reason_to_skip(variant, problem, generations, queue.limits(), Backend::simt)) {
        result.skipped = std::move(*reason);
        return result;
    }
    queue.set_label(variant.info.name());
    queue.set_observer(&checker);
    queue.executor().set_recorder(&checker);
    try {
        const auto execution = variant.factories.at(Backend::simt)(queue, problem);
        execution->upload(initial);
        const int step = variant.info.shape.generations;
        for (int done = 0; done < generations; done += step) {
            execution->poison();
            execution->advance(step);
        }
        queue.synchronize();
    } catch (const simt::KernelFault& fault) {
        checker.add(fault);
    }
    result.findings = checker.findings();
    return result;
}

std::size_t check_memory_needed(const Problem& problem) {
    // Two buffers of every field, each with its shadow (see AccessChecker).
    return static_cast<std::size_t>(problem.size.cells()) *
           static_cast<std::size_t>(info(problem.cell).size) * 2 * 32;
}

}  // namespace camber
