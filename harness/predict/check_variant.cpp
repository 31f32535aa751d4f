#include "harness/predict/check_variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/groups/group.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/access_checker.hpp"
#include "harness/predict/group_checker.hpp"
#include "harness/predict/order_checker.hpp"

namespace camber {

std::string_view describe(FindingKind kind) {
    switch (kind) {
        case FindingKind::shared_race:
            return "race in shared memory";
        case FindingKind::global_race:
            return "race in global memory within a block";
        case FindingKind::block_race:
            return "race in global memory between blocks";
        case FindingKind::copy_race:
            return "race with a bulk copy";
        case FindingKind::cluster:
            return "access to shared memory of a block that may not be running";
        case FindingKind::bulk_copy:
            return "bulk copy that no thread waits for";
        case FindingKind::unwritten_shared:
            return "read of uninitialized shared memory";
        case FindingKind::unwritten_global:
            return "read of uninitialized global memory";
        case FindingKind::unwritten_output:
            return "output that no kernel wrote";
        case FindingKind::out_of_bounds:
            return "access out of bounds";
        case FindingKind::misaligned:
            return "misaligned access";
        case FindingKind::barrier:
            return "divergence at a barrier";
        case FindingKind::missing_wait:
            return "missing synchronization between queues";
        case FindingKind::stale_halo:
            return "stale halo";
        case FindingKind::double_emission:
            return "lava emitted more than once";
        case FindingKind::wrong_result:
            return "wrong result";
        case FindingKind::launch:
            return "invalid launch configuration";
    }
    return "";
}

namespace {

// Checks the order of queued work without poison and without host synchronization until the end,
// because a synchronization in between would hide a missing wait.
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
    AccessChecker checker(examples);  // must outlive the memory that it observes
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
    // Two buffers for every field, each with its shadow (see AccessChecker).
    return static_cast<std::size_t>(problem.size.cells()) *
           static_cast<std::size_t>(info(problem.cell).size) * 2 * 32;
}

namespace {

std::string name_of(const VariantInfo& info) {
    if (!info.group) return info.name();
    const results::GroupRecord group = results::recorded(*info.group, false);
    return fmt::format("{}, {} {}, {}", info.name(), group.places,
                       group.places == 1 ? "device" : "devices", group.exchange_words());
}

}  // namespace

std::string describe(const CheckResult& result) {
    std::string text = fmt::format("{} on {}x{}:", name_of(result.variant->info),
                                   result.size.columns, result.size.rows);
    if (!result.skipped.empty())
        return text + (result.variant->info.group ? " skipped: " : " skipped, it ") +
               result.skipped + "\n";
    if (result.findings.empty()) return text + " clean\n";
    text += "\n";
    for (const Finding& finding : result.findings) {
        if (!finding.sentence.empty()) {
            text += fmt::format("  {}: {}\n", describe(finding.kind), finding.sentence);
            continue;
        }
        text += fmt::format("  {}, {} {}: {}\n", describe(finding.kind), finding.count,
                            finding.count == 1 ? "time" : "times", finding.sites);
        if (!finding.paths.empty()) text += fmt::format("    called through {}\n", finding.paths);
        for (const FindingExample& example : finding.examples)
            text += fmt::format("    {}: {}\n", example.threads, example.address);
    }
    return text;
}

std::string summarize(const std::vector<CheckResult>& results) {
    const auto count = [&](auto&& what) { return std::ranges::count_if(results, what); };
    const auto skipped = count([](const CheckResult& r) { return !r.skipped.empty(); });
    const auto clean = count([](const CheckResult& r) { return r.clean(); });
    const auto checked = static_cast<std::ptrdiff_t>(results.size()) - skipped;
    return fmt::format("{} checked, {} clean, {} with findings, {} skipped\n", checked, clean,
                       checked - clean, skipped);
}

}  // namespace camber
