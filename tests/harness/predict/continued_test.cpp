// Extrapolated counts equal those of the target board, for kernels of all workloads.
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "tests/harness/predict/continued.hpp"

namespace camber::continued_test {
namespace {

using namespace continued;

// Number of variants whose predictions are extrapolated; each of them is checked. `one_of_each`:
// one variant per technique, form and cell type.
int checked(bool one_of_each) {
    int number = 0;
    std::set<std::tuple<std::string, std::string, std::string, ElementType>> seen;
    for (const Variant& variant : registry().variants()) {
        const VariantInfo& info = variant.info;
        if (!variant.factories.contains(Backend::simt) || info.regions.empty()) continue;
        if (one_of_each &&
            !seen.emplace(info.workload, info.technique.name, info.form, info.cell).second)
            continue;
        const Workload& workload = *find_workload(info.workload);
        // Most variants are extrapolated to the first board, which is simulated in less time.
        for (const Size size : {Size{231, 170}, Size{333, 290}}) {
            const Problem problem{size, Boundary::dead, info.cell,
                                  ParameterSet(workload.facts().parameters)};
            if (reason_not_to_model(variant, problem)) continue;
            std::optional<bool> data_dependent;
            const bool extrapolated = extrapolates(variant, problem, h200, &data_dependent);
            number += extrapolated;
            if (extrapolated || data_dependent == true) break;
        }
    }
    return number;
}

}  // namespace

TEST_CASE("kernels of each technique follow from small boards", "[model][slow]") {
    CHECK(checked(true) > 250);
}

TEST_CASE("kernels of every variant follow from small boards", "[.continued]") {
    CHECK(checked(false) > 600);
}

}  // namespace camber::continued_test
