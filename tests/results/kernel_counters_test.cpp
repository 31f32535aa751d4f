// Counters of the single kernels of models whose accesses follow the data, lava and particles,
// beside the model's prediction of each kernel.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "analysis/memory/compare_counters.hpp"
#include "harness/record/document.hpp"
#include "tests/catch.hpp"

namespace camber::kernel_counters_test {
namespace {

// Kernels that take sines and cosines. In double, CUDA's library reads the coefficients of each by
// three global loads of 16 bytes (library_loads_ptx_test.sh), which no source has that a model
// could trace.
constexpr double loads_of_coefficients = 3;
bool reads_coefficients(const results::Identity& counted, const std::string& kernel) {
    constexpr const char* kernels[] = {"outflows",   "transport",     "scatter",
                                       "candidates", "fused_minimum", "outflow"};
    return counted.cell == "float64" && std::ranges::find(kernels, kernel) != std::end(kernels);
}

// Cells that lava reaches are appended to a list in any order: which of them share a warp, and so
// its requests, is another with every run.
bool appends_to_list(const results::Identity& counted, const std::string& kernel) {
    return counted.technique.ends_with("active_list") &&
           (kernel == "exchange" || kernel == "update" || kernel == "scatter");
}

// Shares of the prediction between which a counter may lie.
struct Limits {
    double least = 1;
    double most = 1;
};

// A kernel that stays has as many blocks as are resident: 16 on the executor, which is as if it
// were one multiprocessor, and 182 for these particles on an H200. As many sum up in shared memory,
// and read what they wait for.
Limits limits_of_staying(const std::string& quantity) {
    if (quantity.starts_with("shared_")) return {1, 182.0 / 16};
    if (quantity == "global_load_requests") return {0.75, 1.28};
    return {quantity.starts_with("global_load") ? 0.75 : 0.999, 1.01};
}

Limits limits_of(const results::Identity& counted, const std::string& kernel,
                 const std::string& quantity) {
    if (counted.technique == "neighbour_list_one_launch" && kernel == "iterations")
        return limits_of_staying(quantity);
    // The compiler divides the loop over all others at the particle itself. Each lane begins the
    // second loop behind its own, so that a warp reads 32 particles there, and not one.
    if (counted.technique == "all_pairs" && quantity == "global_load_sectors") return {1, 16};
    if (quantity.starts_with("shared_")) {
        // Loads that only some cells need the compiler moves to where they are needed, of pairs of
        // particles more than half; and the counter of wavefronts has cycles in it that were lost
        // to other accesses.
        return {counted.workload == "sph" ? 0.40 : 0.75, 1.10};
    }
    if (quantity.starts_with("global_load")) {
        if (reads_coefficients(counted, kernel)) return {1, 4};
        // Lanes that leave a loop early load with those still in it, or apart.
        return {0.75, counted.workload == "sph" ? 1.01 : 1.001};
    }
    if (appends_to_list(counted, kernel)) return {0.75, 1.6};
    if (counted.workload == "sph" && kernel == "neighbours") return {0.97, 1.02};
    return {1, 1};
}

struct Agreement {
    int kernels = 0;
    int exact = 0;
    int library_kernels = 0;  // that read coefficients
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
    CHECK(all.kernels == 283);
    CHECK(all.exact == 196);
}

}  // namespace camber::kernel_counters_test
