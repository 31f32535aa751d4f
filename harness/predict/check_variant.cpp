#include "harness/predict/check_variant.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/unsupported.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/access_checker.hpp"
#include "harness/predict/group_checker.hpp"
#include "harness/predict/order_checker.hpp"

namespace camber {

namespace {

// What is found where nothing is poisoned and the host waits for nothing until the end: what a wait
// between would hide.
std::vector<Finding> check_order(const Variant& variant, const Problem& problem,
                                 const State& initial, int generations, int examples) {
    OrderChecker checker(examples);
    simt::HostQueue queue(1);
    queue.set_label(variant.info.name());
    queue.set_observer(&checker);
    queue.executor().set_recorder(&checker);
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    execution->upload(initial);
    PlaceMemory memory(*execution->divided(), initial, variant.info.group->division.partition);
    checker.begin(memory);
    execution->advance(generations);
    queue.synchronize();
    checker.end();
    return checker.findings();
}

}  // namespace

CheckResult check_variant(const Variant& variant, const Problem& problem, const State& initial,
                          int generations, int examples) {
    const CandidatePurpose purpose("check it for races");
    CheckResult result;
    result.variant = &variant;
    result.size = problem.size;
    std::vector<Finding> of_group;
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
        simt::HostQueue other(1);
        std::unique_ptr<Execution> whole;
        std::optional<GroupChecker> group;
        if (execution->divided()) {
            other.set_label(variant.info.name());
            whole = variant.whole.at(Backend::simt)(other, problem);
            whole->upload(initial);
            group.emplace(*execution, *whole, initial, variant.info.group->division.partition);
        }
        const int step = variant.info.shape.generations;
        for (int done = 0; done < generations; done += step) {
            execution->poison(Poison::first);
            execution->advance(step);
            queue.synchronize();
            if (!group) {
                checker.check_outputs(fmt::format("after generation {}", done + step));
                continue;
            }
            whole->advance(step);
            other.synchronize();
            group->compare(done + step);
        }
        if (group) {
            of_group = group->findings();
            const auto order = check_order(variant, problem, initial, generations, examples);
            of_group.insert(of_group.end(), order.begin(), order.end());
        }
    } catch (const Unsupported& reason) {
        result.skipped = reason.what();
        return result;
    } catch (const simt::KernelFault& fault) {
        checker.add(fault);
    }
    result.findings = checker.findings();
    result.findings.insert(result.findings.end(), of_group.begin(), of_group.end());
    return result;
}

std::size_t check_memory_needed(const Problem& problem) {
    // Two buffers of every field, each with its shadow (see AccessChecker).
    return static_cast<std::size_t>(problem.size.cells()) *
           static_cast<std::size_t>(info(problem.cell).size) * 2 * 32;
}

}  // namespace camber
