// What the model would leave out as hopeless, beside what was measured of it.
#include <algorithm>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "analysis/time/hopeless.hpp"
#include "harness/cli/common/time_predictor.hpp"
#include "harness/model/quantities.hpp"
#include "tests/catch.hpp"
#include "tests/results/committed_predictions.hpp"

namespace camber::committed_hopeless_test {

using namespace committed;

namespace {

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
    CHECK(least_ratio == Approx(2.24).margin(0.02));
    CHECK(shares / boards == Approx(0.57).margin(0.02));
}

}  // namespace camber::committed_hopeless_test
