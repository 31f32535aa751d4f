// Findings of checks on several devices that divide a board otherwise than by rows, or that use
// lagged steps.
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

namespace camber::partition_check_test {
namespace {

using namespace toy;

constexpr Size size{37, 29};

// Three devices that divide the board by columns, with exchanges created by `make`.
CheckResult check_columns(Partition partition, const GroupExchange::HaloMaker& make,
                          bool overlap = false) {
    const auto plans = spread_and_blend("halo/16x16/unaligned");
    GroupChoice choice = group_runs::choice_of(3, {ExchangePath::copies, overlap});
    choice.division.partition = partition;
    Variant variant = on_group(
        pipeline_variant("toy", ElementType::uint32, Backend::simt, "", plans.front(), plans),
        choice);
    variant.factories[Backend::simt] = [&](Queue& lead,
                                           const Problem& problem) -> std::unique_ptr<Execution> {
        auto group = std::make_unique<Group>(lead, choice.devices);
        if (partition == Partition::columns)
            return divide<ColumnPartition>(std::move(group), GroupExchange(choice.exchange, make),
                                           problem, plans, choice.division);
        return divide<TransposedPartition>(std::move(group), GroupExchange(choice.exchange, make),
                                           problem, plans, choice.division);
    };
    CheckResult result = check_variant(variant, {size}, initial_state(size), 4, 2);
    INFO(describe(result));
    CHECK(result.skipped.empty());
    result.variant = nullptr;  // the variant's lifetime ends with this call
    return result;
}

}  // namespace

TEST_CASE("places that have columns are clean", "[check][group][columns][transposed]") {
    CHECK(check_columns(Partition::columns, make_exchange).clean());
    for (const bool overlap : {false, true})
        CHECK(check_columns(Partition::transposed, make_exchange, overlap).clean());
}

TEST_CASE("columns that are never sent are stale, and named",
          "[check][group][columns][transposed][mutants]") {
    for (const Partition partition : {Partition::columns, Partition::transposed}) {
        CAPTURE(name(partition));
        const CheckResult none = check_columns(partition, forgets<SendsNothing>);
        const std::string stale = found(none, FindingKind::stale_halo);
        const char* const how =
            partition == Partition::columns ? "that differs from device 1" : "as device 1 had it";
        CHECK_THAT(stale, contains(std::string("after generation 1 device 0 has column 12 of "
                                               "field `cells` ") +
                                   how) &&
                              contains("device 2 has column 22 of field `cells`"));
        const std::string wrong = found(none, FindingKind::wrong_result);
        CHECK_THAT(wrong, contains("after generation 2 row 0, column ") &&
                              contains("of field `cells`, computed by device ") &&
                              contains(" on one device; "));
        const CheckResult up = check_columns(partition, forgets<SendsUpOnly>);
        CHECK_THAT(found(up, FindingKind::stale_halo),
                   contains("device 1 has column 9 of field `cells`") && !contains("device 0 has"));
    }
}

TEST_CASE("a wait for columns that is forgotten is found",
          "[check][group][columns][transposed][mutants]") {
    for (const Partition partition : {Partition::columns, Partition::transposed}) {
        CAPTURE(name(partition));
        const CheckResult early = check_columns(partition, forgets<WaitsForNothing>);
        CHECK_THAT(found(early, FindingKind::missing_wait),
                   contains("a transfer on the ") && contains("by kernel spread on the ") &&
                       contains("of field `cells`, copy on device "));
    }
}

TEST_CASE("steps that lag are compared with those that lag on one place",
          "[check][group][lagged]") {
    const group_runs::Scene scene = group_runs::volcano("magflow", size, ElementType::float32, {});
    Exchange exchange{ExchangePath::stores, true};
    exchange.minimum = Minimum::lagged;
    const Variant variant =
        on_group(executor_variant("magflow/halo/four_kernels/64x4/align128", ElementType::float32),
                 group_runs::choice_of({1, 2, 1}, exchange));
    const CheckResult result = check_variant(variant, scene.problem, scene.start, 4, 1);
    INFO(describe(result));
    CHECK(result.clean());
}

}  // namespace camber::partition_check_test
