// Compares the model with the counters and times of the committed results.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "harness/predict/prediction_record.hpp"
#include "tests/catch.hpp"
#include "tests/results/committed_files.hpp"
#include "tests/results/committed_predictions.hpp"

namespace camber::committed_models_test {

using namespace committed;

namespace {

// Techniques whose kernels are memory-bound for Life.
constexpr const char* older_techniques[] = {"global",      "halo",       "shared_tile",
                                            "two_element", "row_stream", "packed"};

// Variants of other commits that no longer exist: copies that ended within lines, strips at the
// right edge with tests for it, tensor_cores that loaded cells twice, and those of
// results/code/dominated.md. All other counted variants must exist.
bool has_left(const Document& document, const std::string& variant) {
    if (variant.starts_with("extrema_stack/stack_slide/sliding/") &&
        variant.ends_with("/k4/align128"))
        return true;
    if (was_removed(variant)) return true;
    const std::string& commit = document.run()->git->commit;
    const bool of_campaigns =
        commit.starts_with("3cfe7c080937") || commit.starts_with("f84bca9eb9c2");
    if (variant.starts_with("larger_than_life/tensor_cores/"))
        return of_campaigns || commit.starts_with("5a42e8136b73");
    return variant.starts_with("larger_than_life/column_sums/") && of_campaigns;
}

// Limits the time of the test: for workloads with hundreds of variants, it predicts only the first
// variant of each technique and way of computing a generation; for Life all. Excludes variants with
// data-dependent atomics.
bool is_looked_at(const Document& document, const CaseRecord& counted,
                  std::set<std::string>& seen) {
    if (counted.model && counted.model->sampled()) return false;
    if (counted.identity.technique == "scatter" || follows_data(counted)) return false;
    // Kernels of users' files and of captured launches are no part of this program.
    const std::string& technique = counted.identity.technique;
    if (technique.find(".cu") != std::string::npos || technique == "original") return false;
    if (counted.identity.workload == "life") return true;
    const std::string& variant = counted.identity.variant;
    if (has_left(document, variant)) return false;
    const auto technique_end = variant.find('/', variant.find('/') + 1);
    return seen.insert(variant.substr(0, variant.find('/', technique_end + 1))).second;
}

// Predicts each problem of a variant once, for all GPUs that counted it.
class Predictions {
  public:
    const Prediction& of(const Document& document, const CaseRecord& counted) {
        const results::Identity& identity = counted.identity;
        const Key key{identity.variant,
                      identity.cell,
                      identity.rule,
                      {identity.size.columns, identity.size.rows},
                      *identity.boundary,
                      {identity.workload_parameters.begin(), identity.workload_parameters.end()},
                      document.run()->gpu->compute_capability};
        const auto found = known_.find(key);
        return found != known_.end()
                   ? found->second
                   : known_.emplace(key, prediction_of(document, counted)).first->second;
    }

  private:
    using Key = std::tuple<std::string, std::string, std::string, std::pair<int, int>, Boundary,
                           std::map<std::string, std::vector<double>>, std::string>;
    std::map<Key, Prediction> known_;
};

// Loads from tables outside of the fields, which the model does not include: every block of
// one_kernel/rounded copies 5 rows of 128 doubles, 32 of them per warp request. There is one block
// for each tile of 10 x 6 cells, because the lava is everywhere.
double loads_of_tables(const CaseRecord& counted, const std::string& quantity) {
    const results::Identity& identity = counted.identity;
    if (identity.variant != "sciara_fv2/one_kernel/rounded/16x12/n2") return 0;
    const double blocks =
        std::ceil(identity.size.columns / 10.0) * std::ceil(identity.size.rows / 6.0);
    constexpr double requests = 5 * 128 / 32;
    constexpr double sectors_per_request = 8;
    if (quantity == "global_load_requests") return blocks * requests;
    if (quantity == "global_load_sectors") return blocks * requests * sectors_per_request;
    return 0;
}

void check_counters(const Prediction& prediction, const CaseRecord& counted) {
    CHECK(prediction.method != Method::sampled);
    const auto comparisons =
        compare_with_counters(quantities(prediction.counts()), counted.counters);
    // Files counted with the set `memory` alone have no shared-memory counters.
    const bool shared =
        counted.counters.contains("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
    CHECK(comparisons.size() == (shared ? 6 : 4));
    for (const CounterComparison& comparison : comparisons) {
        CAPTURE(comparison.quantity, comparison.predicted, comparison.measured);
        CHECK(comparison.agrees);
        // Only if threads compute several neighboring cells in one generation can the compiler keep
        // loaded values in registers.
        const std::string& technique = counted.identity.technique;
        if (counted.identity.workload == "life" && technique != "two_generation" &&
            technique != "two_generation_const")
            CHECK(comparison.measured >= comparison.predicted);
    }
}

// No measured time is below the bound.
void check_bound(const Prediction& prediction, const CaseRecord& counted,
                 const HardwareLimits& limits) {
    const double seconds = 1e-9 * counted.samples->statistics.median /
                           counted.samples->generations_per_sample *
                           *counted.identity.generations_per_launch;
    const auto largest = bounds_of(prediction, limits).largest();
    REQUIRE(largest);
    CHECK(largest->seconds < seconds);
    // The bound is useful, too, if the memory traffic takes longer than the launch itself: a board
    // of 1000x777 bytes occupies a GPU for less than a microsecond.
    const bool older = std::ranges::find(older_techniques, counted.identity.technique) !=
                       std::end(older_techniques);
    if (older && counted.identity.workload == "life" && counted.cells() >= 2048 * 2048)
        CHECK(largest->seconds > 0.1 * seconds);
}

}  // namespace

TEST_CASE("models stored beside counters agree with them", "[results][model]") {
    for_each_counted_case([](const Document&, const CaseRecord& counted) {
        // Models from sampled blocks are estimates: this kernel's atomics are data-dependent.
        if (!counted.model || counted.model->sampled()) return;
        // kernel_counters_test.cpp checks each kernel.
        if (follows_data(counted) && !counted.kernel_counters.empty()) return;
        const auto comparisons = compare_with_counters(counted.model->quantities, counted.counters);
        CHECK(comparisons.size() >= 4);
        if (follows_data(counted)) {
            // No quantity is missing; but the compiler may move loads that only some cells need
            // into branches.
            for (const CounterComparison& comparison : comparisons) {
                CAPTURE(comparison.quantity, comparison.predicted, comparison.measured);
                const double tables = loads_of_tables(counted, comparison.quantity);
                CHECK(comparison.predicted + tables > 0.98 * comparison.measured);
                if (tables > 0) CHECK(comparison.predicted + tables < 1.02 * comparison.measured);
            }
            return;
        }
        CHECK(all_agree(comparisons));
        // Files contain the verdict by the tolerance of their time, which was at least a tenth.
        const bool within_ten_percent = std::ranges::all_of(
            comparisons, [](const auto& one) { return one.measured <= 1.10 * one.predicted; });
        CHECK((counted.model->agrees || !within_ten_percent));
    });
}

// One test for both, because they use the same predictions.
TEST_CASE("today's model agrees with the counters, and its bounds with the times",
          "[results][model][slow]") {
    std::set<std::string> counted_before;
    std::set<std::string> timed_before;
    Predictions predictions;
    const HardwareLimits limits =
        *hardware_limits(results::read_document(source_dir / "results/h200/ceilings.json"));
    const int cases =
        for_each_counted_case([&](const Document& document, const CaseRecord& counted) {
            if (is_looked_at(document, counted, counted_before))
                check_counters(predictions.of(document, counted), counted);
            if (document.gpu() == "NVIDIA H200" && is_looked_at(document, counted, timed_before))
                check_bound(predictions.of(document, counted), counted, limits);
        });
    CHECK(cases >= 47);
}

TEST_CASE("what a model has exactly is what the counters read, in every campaign", "[results]") {
    int variants = 0;
    for_each_counted_file([&](const std::filesystem::path& path, const Document& document) {
        if (!plain_name(path).ends_with("-counters.json") || !is_campaign(path)) return;
        for (const CaseRecord& record : document.cases) {
            // kernel_counters_test.cpp checks their kernels.
            if (!record.model || follows_data(record) || record.model->sampled() ||
                record.model->data_dependent.value_or(true))
                continue;
            const auto comparisons =
                compare_with_counters(record.model->quantities, record.counters);
            CHECK(comparisons.size() >= 4);
            for (const CounterComparison& one : comparisons) {
                CAPTURE(path.string(), record.name, one.quantity, one.predicted, one.measured);
                CHECK(one.agrees);
            }
            ++variants;
        }
    });
    CHECK(variants > 300);
}

}  // namespace camber::committed_models_test
