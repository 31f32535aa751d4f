// Findings of checks on several devices for exchanges with omissions, and no findings for the
// exchanges of the program.
#include <string>
#include <vector>

#include "harness/groups/pipeline.hpp"
#include "harness/groups/pipeline_partitions.hpp"
#include "harness/predict/check_variant.hpp"
#include "tests/catch.hpp"
#include "tests/harness/predict/found_text.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/harness/registry/toy_plans.hpp"
#include "tests/harness/registry/toy_state.hpp"
#include "tests/harness/registry/toy_steps.hpp"
#include "tests/variants/group_runs.hpp"
#include "tests/variants/lava_plans.hpp"
#include "variants/techniques/row_stream.hpp"

namespace camber::group_check_test {
namespace {

using namespace toy;

constexpr Size size{37, 29};
constexpr int generations = 4;

// A variant whose devices divide a board by `plans` and exchange by what `make` returns; on one
// device it uses `whole`.
Variant divided(const std::vector<StepPlan>& plans, const std::vector<StepPlan>& whole,
                const GroupChoice& choice, const GroupExchange::HaloMaker& make = make_exchange) {
    Variant variant = on_group(
        pipeline_variant("toy", ElementType::uint32, Backend::simt, "", whole.front(), whole),
        choice);
    variant.factories[Backend::simt] = [=](Queue& lead, const Problem& problem) {
        return divide<RowPartition>(std::make_unique<Group>(lead, choice.devices),
                                    GroupExchange(choice.exchange, make), problem, plans,
                                    choice.division);
    };
    return variant;
}

CheckResult check_toy(const GroupChoice& choice,
                      const GroupExchange::HaloMaker& make = make_exchange) {
    static std::vector<Variant> variants;  // results point to these variants
    variants.reserve(64);
    variants.push_back(divided(toy_plans(), toy_plans(), choice, make));
    return check_variant(variants.back(), {size}, initial_state(size), generations, 2);
}

}  // namespace

TEST_CASE("exchanges between places are clean", "[check][group]") {
    for (const Exchange& exchange : exchanges())
        for (const int depth : {1, 2}) {
            GroupChoice choice = group_runs::choice_of({3, 2, 3}, exchange);
            choice.division.halo_depth = depth;
            const CheckResult result = check_toy(choice);
            INFO(describe(result));
            CHECK(result.clean());
        }
}

TEST_CASE("variants on several places are clean", "[check][group]") {
    struct Checked {
        const char* variant;
        ElementType cell;
    };
    for (const auto& [name, cell] :
         {Checked{"life/halo/16x16/align128", ElementType::uint32},
          Checked{"life/halo/16x16/unaligned", ElementType::uint8},
          Checked{"life/row_stream/32x4/v4/r2/align128", ElementType::uint32},
          Checked{"surface_water/halo/four_kernels/16x16/align128", ElementType::float32},
          Checked{"magflow/halo/four_kernels/64x4/align128", ElementType::float32},
          Checked{"magflow/fused_minimum/three_kernels/64x4/align128", ElementType::float64},
          Checked{"sciara_fv2/halo/four_kernels/64x4/align128", ElementType::float64},
          Checked{"sciara_fv2/one_kernel/16x16", ElementType::float64},
          Checked{"sciara_fv3/halo/six_kernels/64x4/align128", ElementType::float32}}) {
        const Variant& whole = executor_variant(name, cell);
        const Workload& workload = *find_workload(whole.info.workload);
        const InitialConditions conditions{.size = size, .cell = cell, .seed = 3, .density = 0.5};
        const Problem problem{size, Boundary::dead, cell, workload.parameters_for(conditions)};
        for (const Exchange& exchange : exchanges()) {
            const Variant variant = on_group(whole, group_runs::choice_of({1, 2, 1}, exchange));
            const CheckResult result =
                check_variant(variant, problem, workload.initial(conditions), 3, 1);
            INFO(describe(result));
            CHECK(result.findings.empty());
            CHECK(result.skipped.empty() ==
                  !(exchange.overlap && std::string(name).find("one_kernel") != std::string::npos));
        }
    }
}

TEST_CASE("steps whose own kernels send rows are clean", "[check][group]") {
    constexpr Size wide{200, 60};
    const Variant variant =
        on_group(executor_variant("life/row_stream/32x4/v4/r2/align128", ElementType::uint32),
                 group_runs::choice_of({1, 2, 1}, {ExchangePath::kernel, true}));
    const State start = find_workload("life")->initial({.size = wide, .seed = 5});
    const CheckResult result = check_variant(variant, {wide}, start, 3, 1);
    INFO(describe(result));
    CHECK(result.clean());
}

namespace {

constexpr TechniqueInfo hasty_info{"hasty", "", "", Family::other};

// Reads the neighbors' rows without waiting; the executor's order still gives correct results.
template <class Rule, int N, int Rows>
__global__ void hasty_kernel(const Views<Rule> views, const Link<Rule> link) {
    LinkCounts none{};
    Link<Rule> early = link;
    early.counts = &none;
    const LinkedBlock block(early);
    early.counts = link.counts;
    stream_rows<N, Rows, Fit::overhang>(views, block.row());
    block.send(views);
}

// Result of a check if a kernel of the toy rule exchanges rows itself.
CheckResult check_kernel(LinkedKernel<Mix> kernel) {
    std::vector<StepPlan> plans;
    Catalogue<Mix>(plans).add(
        hasty_info, {.shape = {.block = {32, 4}, .region = {128, 8}, .halo = 2, .alignment = 128},
                     .kernel = {row_stream_kernel<Mix, 4, 2, Fit::overhang>},
                     .linked_kernel = {kernel}});
    constexpr Size wide{200, 60};
    const Variant variant =
        divided(plans, plans, group_runs::choice_of(3, {ExchangePath::kernel, true}));
    CheckResult result = check_variant(variant, {wide}, initial_state(wide), generations, 1);
    result.variant = nullptr;
    return result;
}

}  // namespace

TEST_CASE("a wait that is missing inside a kernel is found", "[check][group][mutants]") {
    const CheckResult right = check_kernel(linked_row_stream_kernel<Mix, 4, 2, Fit::overhang>);
    INFO(found(right, FindingKind::missing_wait));
    CHECK(right.findings.empty());
    const CheckResult hasty = check_kernel(hasty_kernel<Mix, 4, 2>);
    CHECK_THAT(found(hasty, FindingKind::missing_wait), contains("store by kernel ") &&
                                                            contains("load by kernel ") &&
                                                            contains("copy on device"));
    CHECK(found(hasty, FindingKind::wrong_result).empty());
}

TEST_CASE("rows that are never sent are stale, and named", "[check][group][mutants]") {
    for (const bool overlap : {false, true}) {
        const GroupChoice choice = group_runs::choice_of(3, {ExchangePath::copies, overlap});
        const CheckResult none = check_toy(choice, forgets<SendsNothing>);
        const std::string stale = found(none, FindingKind::stale_halo);
        INFO(describe(none));
        CHECK_THAT(stale, contains("after generation 1 device 0 has row 10 of field `cells` as "
                                   "device 1 had it after generation 0") &&
                              contains("device 2 has row 16 of field `cells` as device 1 had it"));
        CHECK_THAT(found(none, FindingKind::wrong_result),
                   contains("after generation 2 row ") &&
                       contains("of field `cells`, computed by device ") &&
                       contains(" on one device; "));
        const CheckResult up = check_toy(choice, forgets<SendsUpOnly>);
        CHECK_THAT(found(up, FindingKind::stale_halo),
                   contains("device 1 has row 7 of field `cells`") && !contains("device 0 has"));
    }
}

TEST_CASE("a wait that is forgotten is found in any order of the work", "[check][group][mutants]") {
    for (const bool overlap : {false, true})
        for (const ExchangePath path : {ExchangePath::copies, ExchangePath::stores}) {
            const GroupChoice choice = group_runs::choice_of(3, {path, overlap});
            CAPTURE(name(path), overlap);
            const CheckResult early = check_toy(choice, forgets<WaitsForNothing>);
            INFO(describe(early));
            CHECK_THAT(found(early, FindingKind::missing_wait),
                       contains("a transfer on the ") && contains("by kernel spread on the ") &&
                           contains("queue of device 0") &&
                           contains("of field `cells`, copy on device"));
            if (path == ExchangePath::stores) continue;  // its sender would wait forever
            // Rows that arrive while the previous ones are still being read.
            const CheckResult late = check_toy(choice, forgets<ReleasesAtOnce>);
            INFO(describe(late));
            CHECK_THAT(found(late, FindingKind::missing_wait),
                       contains("store by a transfer on the ") &&
                           contains("load by kernel spread on the "));
        }
}

namespace {

CheckResult check_lava(const std::vector<StepPlan>& plans,
                       const GroupExchange::HaloMaker& make = make_exchange) {
    const group_runs::Scene scene =
        group_runs::volcano("sciara_fv2", size, ElementType::float64, {});
    const Variant variant = divided(plans, lava_plans::four_kernels_of_sciara_fv2(),
                                    group_runs::choice_of(3, {ExchangePath::copies, true}), make);
    CheckResult result = check_variant(variant, scene.problem, scene.start, generations, 1);
    result.variant = nullptr;  // the variant's lifetime ends with this call
    return result;
}

CheckResult check_momentum(const GroupExchange::HaloMaker& make) {
    constexpr ElementType cell = ElementType::float64;
    const std::vector<StepPlan> plans = lava_plans::six_kernels_of_sciara_fv3();
    const group_runs::Scene scene = group_runs::volcano("sciara_fv3", size, cell, {});
    const Variant variant =
        divided(plans, plans, group_runs::choice_of(3, {ExchangePath::copies, true}), make);
    CheckResult result = check_variant(variant, scene.problem, scene.start, generations, 1);
    result.variant = nullptr;
    return result;
}

}  // namespace

TEST_CASE("a wait that another one hides is found all the same", "[check][group][mutants]") {
    // Every device waits for the minimum step of all devices, and has received its neighbors' rows
    // by then. But the kernel that computes the step reads these rows before that wait.
    CHECK(check_momentum(make_exchange).findings.empty());
    const CheckResult early = check_momentum(forgets<WaitsForNothing>);
    CHECK_THAT(found(early, FindingKind::missing_wait),
               contains("then load by kernel candidates on the "));
}

TEST_CASE("a field that is not sent is named", "[check][group][mutants]") {
    CHECK(check_lava(lava_plans::four_kernels_of_sciara_fv2()).findings.empty());
    const CheckResult result =
        check_lava(lava_plans::four_kernels_of_sciara_fv2(), forgets_field("temperature"));
    const std::string stale = found(result, FindingKind::stale_halo);
    CHECK_THAT(stale, contains("of field `temperature` as device") && !contains("`thickness`"));
}

TEST_CASE("a vent that emits twice is named", "[check][group][mutants]") {
    auto twice = lava_plans::four_kernels_of_sciara_fv2();
    twice.insert(twice.begin(), twice.front());
    // The summit's vent is in the middle row.
    const CheckResult result = check_lava(twice);
    CHECK_THAT(
        found(result, FindingKind::double_emission),
        contains("after generation 1 there is more lava than on one device, near the vent in "
                 "row ") &&
            contains(", owned by device "));
    CHECK_THAT(found(result, FindingKind::wrong_result), contains("of field `thickness`"));
}

}  // namespace camber::group_check_test
