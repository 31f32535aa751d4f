// Predictions on several concurrent threads.
#include "harness/measure/counting_pass.hpp"

#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::predictions_test {
namespace {

std::vector<const Variant*> some_variants(const std::vector<std::string>& workloads) {
    std::vector<const Variant*> found;
    std::set<std::pair<std::string, std::string>> techniques;
    for (const Variant& variant : registry().variants())
        if (variant.factories.contains(Backend::simt) &&
            std::ranges::find(workloads, variant.info.workload) != workloads.end() &&
            techniques.emplace(variant.info.workload, variant.info.technique.name).second)
            found.push_back(&variant);
    return found;
}

Problem problem_of(const Variant& variant) {
    return {{48, 40},
            Boundary::dead,
            variant.info.cell,
            ParameterSet(find_workload(variant.info.workload)->facts().parameters)};
}

Prediction predicted(const Variant& variant) {
    const Problem problem = problem_of(variant);
    return predict(variant, problem,
                   {find_workload(variant.info.workload),
                    {.size = problem.size, .cell = problem.cell},
                    nullptr},
                   parse_architecture("9.0"));
}

bool can_be_predicted(const Variant* variant) {
    return !reason_not_to_model(*variant, problem_of(*variant));
}

}  // namespace

TEST_CASE("predictions beside each other are those made one by one", "[model][run]") {
    std::vector<const Variant*> variants;
    for (const Variant* variant : some_variants({"life", "surface_water", "water_flow", "magflow"}))
        if (can_be_predicted(variant)) variants.push_back(variant);
    REQUIRE(variants.size() > 30);
    Predictions predictions(predicted);
    predictions.begin(variants, 8);
    for (const Variant* variant : variants) {
        CAPTURE(variant->info.name());
        const Prediction alone = predicted(*variant);
        const Prediction& beside = predictions.of(*variant);
        CHECK(beside.method == alone.method);
        CHECK(beside.data_dependent == alone.data_dependent);
        REQUIRE(beside.kernels.size() == alone.kernels.size());
        for (std::size_t i = 0; i < alone.kernels.size(); ++i) {
            CHECK(beside.kernels[i].kernel == alone.kernels[i].kernel);
            CHECK(beside.kernels[i].model == alone.kernels[i].model);
        }
    }
}

TEST_CASE("a variant is predicted once, and by whoever asks where no thread does", "[model][run]") {
    const auto variants = some_variants({"life"});
    std::mutex mutex;
    std::vector<const Variant*> asked;
    Predictions predictions([&](const Variant& variant) {
        const std::lock_guard lock(mutex);
        asked.push_back(&variant);
        Prediction prediction;
        prediction.variant = &variant;
        return prediction;
    });
    predictions.begin({variants[0], variants[1], variants[0]}, 0);
    CHECK(asked.empty());
    for (int i = 0; i < 2; ++i)
        for (std::size_t v = 0; v < 3; ++v)
            CHECK(predictions.of(*variants[v]).variant == variants[v]);
    CHECK(asked == std::vector{variants[0], variants[1], variants[2]});
    predictions.begin(variants, 3);
    for (const Variant* variant : variants) CHECK(predictions.of(*variant).variant == variant);
    CHECK(asked.size() == variants.size());
}

TEST_CASE("a prediction that fails beside others is tried again alone", "[model][run]") {
    const auto variants = some_variants({"life"});
    std::latch both{2};
    std::atomic<int> at_work{0};
    Predictions predictions([&](const Variant& variant) {
        if (&variant == variants[2]) throw std::runtime_error("always");
        if (++at_work <= 2) {
            both.arrive_and_wait();
            if (&variant == variants[0]) throw std::bad_alloc();
        }
        Prediction prediction;
        prediction.variant = &variant;
        return prediction;
    });
    predictions.begin({variants[0], variants[1]}, 2);
    CHECK(predictions.of(*variants[0]).variant == variants[0]);
    CHECK(predictions.of(*variants[1]).variant == variants[1]);
    CHECK(at_work == 3);
    CHECK_THROWS_WITH(predictions.of(*variants[2]), "always");
}

}  // namespace camber::predictions_test
