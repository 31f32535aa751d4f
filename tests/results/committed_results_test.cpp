// The measured results in the repository: they follow the schema, and the README quotes them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "analysis/time/hopeless.hpp"
#include "harness/cli/common/time_predictor.hpp"
#include "harness/model/prediction.hpp"
#include "harness/model/quantities.hpp"
#include "harness/results/document.hpp"
#include "tests/catch.hpp"
#include "tests/results/schema_check.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::committed_results_test {
namespace {

using results::CaseRecord;
using results::Document;

const std::filesystem::path source_dir = CAMBER_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    REQUIRE(file);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Files of `camber run`.
std::vector<std::filesystem::path> measured_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir / "results"))
        if (entry.path().extension() == ".json" &&
            text_of(entry.path()).find("\n  \"benchmarks\": [") != std::string::npos)
            files.push_back(entry.path());
    return files;
}

bool is_campaign(const std::filesystem::path& file) {
    return std::filesystem::exists(file.parent_path() / "campaign.json");
}

}  // namespace

TEST_CASE("committed results files follow the schema and hold verified cases only", "[results]") {
    int files = 0;
    for (const auto& path : measured_files()) {
        CAPTURE(path.string());
        ++files;
        CHECK(schema_violations(nlohmann::json::parse(text_of(path)),
                                source_dir / "results/schema/camber-results.schema.json")
                  .empty());
        const Document document = results::read_document(path);
        REQUIRE(document.run()->git);
        CHECK_FALSE(document.run()->git->dirty);
        for (const CaseRecord& record : document.cases) {
            CAPTURE(record.name);
            if (record.status == results::Status::skipped) continue;
            REQUIRE(record.verification);
            // A campaign tells what failed, without a time of it.
            if (record.status == results::Status::failed) {
                // Atomic additions in float, on flows of some 200 cells, differ from run to run by
                // more than a flow may.
                CHECK(path.filename().string().starts_with("table-sciara-fv3-1-float32"));
                CHECK(record.identity.technique.starts_with("atomics"));
                CHECK(is_campaign(path));
                CHECK_FALSE(record.samples);
                CHECK_FALSE(record.reason.empty());
                continue;
            }
            CHECK(record.verification->passed());
        }
    }
    CHECK(files >= 62);
}

// A row of the README has some of the cells of the committed ranking's row of the same rank.
TEST_CASE("the README's table quotes the committed ranking", "[results]") {
    std::map<int, std::string> ranking;
    std::istringstream file(text_of(source_dir / "results/h200/life.txt"));
    for (std::string line; std::getline(file, line);)
        if (const int rank = std::atoi(line.c_str()); rank > 0) ranking[rank] = line + " ";
    std::istringstream readme(text_of(source_dir / "README.md"));
    int quoted = 0;
    for (std::string line; std::getline(readme, line);) {
        const int rank = line.starts_with("| ") ? std::atoi(line.c_str() + 2) : 0;
        if (rank == 0) continue;
        CAPTURE(line);
        std::size_t place = 0;
        std::istringstream cells(line.substr(line.find('|', 2) + 1));
        for (std::string cell; std::getline(cells, cell, '|');) {
            std::erase(cell, '`');
            cell.erase(0, cell.find_first_not_of(' '));
            place = ranking[rank].find(cell, place);
            REQUIRE(place != std::string::npos);
        }
        ++quoted;
    }
    CHECK(quoted == 10);
}

// The 32-byte-sector rule of compute capability 5.x to 9.x predicts these for 2048 x 2048 cells of
// 4 bytes; the shared_tile rows were also measured once before, on another machine.
TEST_CASE("counters measured on the H200 equal the transaction rule's values", "[results]") {
    struct Expected {
        const char* variant;
        std::int64_t load_requests, load_sectors, store_requests, store_sectors;
    };
    const Expected expected[] = {
        {"life/shared_tile/16x16/align128", 491520, 1179648, 131072, 524288},
        {"life/shared_tile/64x4/align128", 393216, 983040, 131072, 524288},
        {"life/shared_tile/32x8/align128", 491520, 983040, 131072, 524288},
        {"life/shared_tile/16x16/unaligned", 491520, 1474560, 131072, 786432},
        {"life/shared_tile/64x4/unaligned", 393216, 1179648, 131072, 655360},
        {"life/shared_tile/32x8/unaligned", 491520, 1146880, 131072, 655360},
        {"life/two_element/16x16/align128", 327680, 884736, 131072, 524288},
        {"life/two_element/64x4/align128", 294912, 884736, 131072, 524288},
        {"life/halo/16x16/align128", 1179648, 6291456, 131072, 524288},
        {"life/halo/64x4/align128", 1179648, 5505024, 131072, 524288},
        {"life/halo/32x8/align128", 1179648, 5505024, 131072, 524288},
        {"life/halo/16x16/unaligned", 1179648, 6684672, 131072, 786432},
        {"life/two_generation/64x4/align128", 786432, 1572864, 131072, 524288},
        {"life/two_element_two_generation_linear/64x4/align128", 524288, 1310720, 131072, 524288},
        {"life/two_generation_linear_load/64x4/align128", 278528, 1572864, 131072, 524288},
        {"life/two_element_two_generation_linear_load/64x4/align128", 270336, 1441792, 131072,
         524288},
    };
    const Document document =
        results::read_document(source_dir / "results/h200/life-counters.json");
    for (const Expected& row : expected) {
        CAPTURE(row.variant);
        int found = 0;
        for (const CaseRecord& record : document.cases) {
            if (record.identity.variant != row.variant) continue;
            ++found;
            const auto value = [&](const std::string& what) {
                return record.counters.at("l1tex__t_" + what + ".sum");
            };
            CHECK(value("requests_pipe_lsu_mem_global_op_ld") == row.load_requests);
            CHECK(value("sectors_pipe_lsu_mem_global_op_ld") == row.load_sectors);
            CHECK(value("requests_pipe_lsu_mem_global_op_st") == row.store_requests);
            CHECK(value("sectors_pipe_lsu_mem_global_op_st") == row.store_sectors);
        }
        CHECK(found == 1);
    }
}

namespace {

// Calls check(document, case) for every case that was counted on a GPU.
template <class Check>
int for_each_counted_case(Check&& check) {
    int cases = 0;
    for (const auto& path : measured_files()) {
        const Document document = results::read_document(path);
        for (const CaseRecord& record : document.cases) {
            if (record.counters.empty()) continue;
            CAPTURE(path.string(), record.name);
            check(document, record);
            ++cases;
        }
    }
    return cases;
}

const Variant* variant_of(const CaseRecord& counted) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == counted.identity.variant &&
            info(variant.info.cell).name == counted.identity.cell &&
            variant.factories.contains(Backend::simt))
            return &variant;
    return nullptr;
}

// Whether what is touched follows the data, and so the generation at which it is counted: lava
// covers a part of the board, and only there is anything computed; particles lie where they are.
bool follows_data(const CaseRecord& counted) {
    const std::string& workload = counted.identity.workload;
    return workload == "sciara_fv2" || workload == "sciara_fv3" || workload == "magflow" ||
           workload == "sph";
}

// Techniques whose kernels the memory system limits, on Life.
constexpr const char* older_techniques[] = {"global",      "halo",       "shared_tile",
                                            "two_element", "row_stream", "packed"};

// Predicting takes a moment: of the workloads with hundreds of variants, the first of every
// technique and way of computing a generation is predicted again, of Life all. Not those whose
// atomics depend on the data.
bool is_looked_at(const CaseRecord& counted, std::set<std::string>& seen) {
    if (counted.model && counted.model->sampled()) return false;
    if (counted.identity.technique == "scatter" || follows_data(counted)) return false;
    if (counted.identity.technique.ends_with(".cu")) return false;  // not of this program
    if (counted.identity.workload == "life") return true;
    const std::string& variant = counted.identity.variant;
    const auto technique_end = variant.find('/', variant.find('/') + 1);
    return seen.insert(variant.substr(0, variant.find('/', technique_end + 1))).second;
}

// Predicts the case again. Its counts do not depend on the data, so that none is needed here.
Prediction prediction_of(const Document& document, const CaseRecord& counted) {
    const Variant* variant = variant_of(counted);
    REQUIRE(variant != nullptr);
    const Workload* workload = find_workload(counted.identity.workload);
    ParameterSet parameters(workload->facts().parameters);
    for (const auto& [name, values] : counted.identity.workload_parameters)
        parameters.set(name, values);
    parameters.set_rule(counted.identity.rule);
    const Problem problem{counted.identity.size, *counted.identity.boundary, variant->info.cell,
                          std::move(parameters)};
    return predict(*variant, problem, {workload, {.size = problem.size, .cell = problem.cell}},
                   parse_architecture(document.run()->gpu->compute_capability));
}

// Of its cases that are right, but for atomics that depend on the data.
double fastest_of(const Document& document) {
    double fastest = 0;
    for (const CaseRecord& record : document.cases)
        if (record.status == results::Status::ok && record.identity.technique != "scatter" &&
            (fastest == 0 || record.real_time_ns < fastest))
            fastest = record.real_time_ns;
    return fastest;
}

}  // namespace

TEST_CASE("models stored beside counters agree with them", "[results][model]") {
    for_each_counted_case([](const Document&, const CaseRecord& counted) {
        // A sample of the blocks gives an estimate: this kernel's atomics depend on the data.
        if (!counted.model || counted.model->sampled()) return;
        // kernel_counters_test.cpp looks at each kernel.
        if (follows_data(counted) && !counted.kernel_counters.empty()) return;
        const auto comparisons = compare_with_counters(counted.model->quantities, counted.counters);
        CHECK(comparisons.size() >= 4);
        if (follows_data(counted)) {
            // Nothing is left out; but loads that only some cells need the compiler may move to
            // where they are needed.
            for (const CounterComparison& comparison : comparisons) {
                CAPTURE(comparison.quantity, comparison.predicted, comparison.measured);
                CHECK(comparison.predicted > 0.98 * comparison.measured);
            }
            return;
        }
        CHECK(all_agree(comparisons));
        // Files say what the tolerance of their day made of it, which was a tenth at least.
        const bool within_ten_percent = std::ranges::all_of(
            comparisons, [](const auto& one) { return one.measured <= 1.10 * one.predicted; });
        CHECK((counted.model->agrees || !within_ten_percent));
    });
}

TEST_CASE("today's model agrees with the counters measured", "[results][model]") {
    std::set<std::string> seen;
    const int cases =
        for_each_counted_case([&](const Document& document, const CaseRecord& counted) {
            if (!is_looked_at(counted, seen)) return;
            const Prediction prediction = prediction_of(document, counted);
            CHECK(prediction.method == Method::extrapolated);
            const auto comparisons =
                compare_with_counters(quantities(prediction.counts()), counted.counters);
            // Files counted with the set `memory` alone have nothing of shared memory.
            const bool shared =
                counted.counters.contains("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
            CHECK(comparisons.size() == (shared ? 6 : 4));
            for (const CounterComparison& comparison : comparisons) {
                CAPTURE(comparison.quantity, comparison.predicted, comparison.measured);
                CHECK(comparison.agrees);
                // Of all kernels only those whose threads compute several neighbouring cells in one
                // generation let the compiler keep what they have read.
                const std::string& technique = counted.identity.technique;
                if (counted.identity.workload == "life" && technique != "two_generation" &&
                    technique != "two_generation_const")
                    CHECK(comparison.measured >= comparison.predicted);
            }
        });
    CHECK(cases >= 47);
}

TEST_CASE("no measured time is below the model's bounds", "[results][model]") {
    std::set<std::string> seen;
    const HardwareLimits limits =
        *hardware_limits(results::read_document(source_dir / "results/h200/ceilings.json"));
    for_each_counted_case([&](const Document& document, const CaseRecord& counted) {
        if (document.gpu() != "NVIDIA H200") return;
        if (!is_looked_at(counted, seen)) return;
        const double seconds = 1e-9 * counted.samples->statistics.median /
                               counted.samples->generations_per_sample *
                               *counted.identity.generations_per_launch;
        const auto largest = bounds_of(prediction_of(document, counted), limits).largest();
        REQUIRE(largest);
        CHECK(largest->seconds < seconds);
        // Nor is it so low that it says nothing, where the memory system has more to do than the
        // launch itself takes: a board of 1000x777 bytes keeps a GPU busy for under a microsecond.
        const bool older = std::ranges::find(older_techniques, counted.identity.technique) !=
                           std::end(older_techniques);
        if (older && counted.identity.workload == "life" && counted.cells() >= 2048 * 2048)
            CHECK(largest->seconds > 0.1 * seconds);
    });
}

// harness/cli/try/pruning.cpp leaves out what has three times the least bound, and, where times are
// predicted, it and `camber run --leave-out-hopeless` what is hopeless by those.
TEST_CASE("neither the fastest variant nor one near it is hopeless by the model",
          "[results][model][time]") {
    const HardwareLimits limits =
        *hardware_limits(results::read_document(source_dir / "results/h200/ceilings.json"));
    int hopeless = 0;
    int boards = 0;
    double least_ratio = 100;  // of a variant that is left out, to the fastest
    double shares = 0;         // of the time that all variants of a board take
    for (const char* const file :
         {"life", "blur", "dog", "extrema", "water_flow", "surface_water"}) {
        std::map<std::string, Prediction> predictions;  // the same for both cards
        for (const char* const card : {"h200", "h100"}) {
            CAPTURE(card, file);
            const Document document = results::read_document(source_dir / "results" / card /
                                                             (file + std::string(".json")));
            const TimePredictor times(device_of(document), parse_architecture("9.0"),
                                      {results::CodeTable::of(document)});
            std::vector<Outlook> outlooks;
            std::vector<double> measured_ns;
            double least = 0;
            double bound_of_fastest = 0;
            for (const CaseRecord& record : document.cases) {
                if (record.status != results::Status::ok || record.identity.technique == "scatter")
                    continue;
                const std::string& variant = record.identity.variant;
                if (!predictions.contains(variant))
                    predictions.emplace(variant, prediction_of(document, record));
                const Prediction& prediction = predictions.at(variant);
                REQUIRE(prediction.problem.size == record.identity.size);
                const auto time = times.time(prediction);
                if (const auto* predicted = std::get_if<PredictedTime>(&time)) {
                    outlooks.push_back(
                        outlook(variant, *predicted, *record.identity.generations_per_launch));
                    measured_ns.push_back(record.real_time_ns);
                }
                const auto bound = bounds_of(prediction, limits).largest();
                REQUIRE(bound);
                const double seconds = bound->seconds / *record.identity.generations_per_launch;
                if (least == 0 || seconds < least) least = seconds;
                if (record.real_time_ns == fastest_of(document)) bound_of_fastest = seconds;
            }
            CAPTURE(least, bound_of_fastest);
            CHECK(bound_of_fastest < 3 * least);
            const Outlook* const best = best_outlook(outlooks);
            REQUIRE(best);
            double all = 0;
            double left_out = 0;
            for (std::size_t i = 0; i < outlooks.size(); ++i) {
                all += measured_ns[i];
                if (!is_hopeless(outlooks[i], *best)) continue;
                CAPTURE(outlooks[i].variant);
                CHECK(measured_ns[i] > 1.10 * fastest_of(document));
                least_ratio = std::min(least_ratio, measured_ns[i] / fastest_of(document));
                left_out += measured_ns[i];
                ++hopeless;
            }
            ++boards;
            shares += left_out / all;
        }
    }
    CHECK(hopeless > 300);
    // As docs/metrics.md and analysis/time/hopeless.hpp say.
    CHECK(boards == 12);
    CHECK(least_ratio == Approx(1.55).margin(0.02));
    CHECK(shares / boards == Approx(0.35).margin(0.02));
}

TEST_CASE("what a model has exactly is what the counters read, in every campaign", "[results]") {
    int variants = 0;
    for (const auto& path : measured_files()) {
        if (!path.filename().string().ends_with("-counters.json") || !is_campaign(path)) continue;
        for (const CaseRecord& record : results::read_document(path).cases) {
            // kernel_counters_test.cpp looks at their kernels.
            if (!record.model || follows_data(record) || record.model->sampled() ||
                record.model->data_dependent.value())
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
    }
    CHECK(variants > 300);
}

}  // namespace camber::committed_results_test
