// Counters of single kernels compared with the model's predictions, for data-dependent workloads
// (lava and particles).
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "analysis/memory/compare_counters.hpp"
#include "harness/record/document.hpp"
#include "tests/catch.hpp"

namespace camber::kernel_counters_test {
namespace {

// Kernels that compute sines and cosines in double: CUDA's library reads the coefficients of each
// by three global loads of 16 bytes (library_loads_ptx_test.sh), which do not appear in the source
// and therefore not in traces.
constexpr double loads_of_coefficients = 3;
bool reads_coefficients(const results::Identity& counted, const std::string& kernel) {
    constexpr const char* kernels[] = {"outflows",   "transport",     "scatter",
                                       "candidates", "fused_minimum", "outflow"};
    return counted.cell == "float64" && std::ranges::find(kernels, kernel) != std::end(kernels);
}

// Cells with lava are appended to a list in arbitrary order. Their distribution over warps, and
// therefore the number of requests, varies from run to run.
bool appends_to_list(const results::Identity& counted, const std::string& kernel) {
    return counted.technique.ends_with("active_list") &&
           (kernel == "exchange" || kernel == "update" || kernel == "scatter");
}

// Range of a counter as a share of the prediction.
struct Limits {
    double least = 1;
    double most = 1;
};

// The number of blocks of a persistent kernel equals the number of resident blocks: 16 on the
// executor (a single SM), and 182 for these particles on an H200. It scales the shared-memory
// reductions and the reads while waiting. The counter has read one wavefront more.
Limits limits_of_staying(const std::string& quantity) {
    if (quantity.starts_with("shared_")) return {1, 1.001 * 182 / 16};
    if (quantity == "global_load_requests") return {0.75, 1.28};
    return {quantity.starts_with("global_load") ? 0.75 : 0.999, 1.01};
}

Limits limits_of(const results::Identity& counted, const std::string& kernel,
                 const std::string& quantity) {
    if (counted.technique == "neighbour_list_one_launch" && kernel == "iterations")
        return limits_of_staying(quantity);
    // The compiler splits the loop over all other particles at the particle itself. Each lane
    // begins the second loop after its own index, so that a warp reads 32 particles at once instead
    // of one.
    if (counted.technique == "all_pairs" && quantity == "global_load_sectors") return {1, 16};
    if (quantity.starts_with("shared_")) {
        // The compiler moves loads that only some cells need into branches; for pairs of particles
        // these are more than half. The wavefront counter includes cycles lost to other accesses.
        return {counted.workload == "sph" ? 0.40 : 0.75, 1.10};
    }
    if (quantity.starts_with("global_load")) {
        if (reads_coefficients(counted, kernel)) return {1, 4};
        // Lanes that exit a loop early may load together with the remaining lanes or separately.
        return {0.75, counted.workload == "sph" ? 1.01 : 1.001};
    }
    if (appends_to_list(counted, kernel)) return {0.75, 1.6};
    if (counted.workload == "sph" && kernel == "neighbours") return {0.97, 1.02};
    return {1, 1};
}

struct Agreement {
    int kernels = 0;
    int exact = 0;
    int library_kernels = 0;  // kernels that read coefficients
};

Agreement compare(const std::filesystem::path& path) {
    Agreement agreement;
    for (const auto& record : results::read_document(path).cases) {
        const results::Identity& counted = record.identity;
        for (const auto& kernel : record.kernel_counters) {
            const std::string& name = kernel.name;
            CAPTURE(path.string(), counted.variant, name);
            if (!kernel.model) {
                CHECK((name == "library" || name == "fill"));  // CUB's, and the queue's
                continue;
            }
            REQUIRE_FALSE(kernel.model->sampled());
            const auto comparisons =
                compare_with_counters(kernel.model->quantities, kernel.counters);
            CHECK(comparisons.size() == 6);
            ++agreement.kernels;
            agreement.exact += kernel.model->agrees.value();
            for (const CounterComparison& comparison : comparisons) {
                CAPTURE(comparison.quantity, comparison.predicted, comparison.measured);
                const Limits limits = limits_of(counted, name, comparison.quantity);
                CHECK(comparison.measured >= limits.least * comparison.predicted);
                CHECK(comparison.measured <= limits.most * comparison.predicted);
                if (reads_coefficients(counted, name) &&
                    comparison.quantity == "global_load_requests") {
                    const double more = comparison.measured - comparison.predicted;
                    CHECK(more >= 0);
                    CHECK(std::fmod(more, loads_of_coefficients) == 0);
                    agreement.library_kernels += more > 0;
                }
            }
        }
    }
    return agreement;
}

const std::filesystem::path campaign = std::filesystem::path(CAMBER_SOURCE_DIR) / "results/h200";

}  // namespace

TEST_CASE("kernels of lava models move what the model says", "[results][model]") {
    Agreement all;
    for (const char* workload : {"magflow", "sciara_fv2", "sciara_fv3"}) {
        const Agreement one = compare(campaign / (std::string(workload) + "-counters.json"));
        all.kernels += one.kernels;
        all.exact += one.exact;
        all.library_kernels += one.library_kernels;
    }
    CHECK(all.kernels == 259);
    CHECK(all.exact == 160);
    CHECK(all.library_kernels == 37);
}

TEST_CASE("kernels of particles move what the model says", "[results][model]") {
    const Agreement all = compare(campaign / "sph-counters.json");
    CHECK(all.kernels == 291);
    CHECK(all.exact == 204);
}

}  // namespace camber::kernel_counters_test
