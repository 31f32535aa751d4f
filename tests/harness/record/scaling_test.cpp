// Scaling analysis in a results document: valid, complete, and without undefined values.
#include <filesystem>
#include <fstream>
#include <string>

#include "analysis/scaling/analysis.hpp"
#include "harness/record/document.hpp"
#include "tests/analysis/scaling/published_series.hpp"
#include "tests/catch.hpp"
#include "tests/results/schema_check.hpp"

namespace scaling_fields_test {

// Root of the source tree; set by the build, and otherwise the working directory.
#ifndef CAMBER_SOURCE_DIR
    #define CAMBER_SOURCE_DIR "."
#endif

using namespace camber;
using namespace camber::scaling;

namespace {

const std::filesystem::path root = CAMBER_SOURCE_DIR;

// Returns the analysis as written, and checks that it is unchanged after reading and writing it
// again.
nlohmann::json scaling_json(const Analysis& analysis) {
    results::Document document;
    document.scaling = {analysis};
    const std::string text = results::to_text(document);
    CHECK(results::to_text(results::parse_document(text, "scaling.json")) == text);
    return nlohmann::json::parse(text)["scaling"][0];
}

// Validates a complete results document with this series against the schema.
std::string violations(const nlohmann::json& scaling) {
    std::ifstream file(root / "tests/results/valid_document.json");
    nlohmann::json document = nlohmann::json::parse(file);
    document["scaling"] = nlohmann::json::array({scaling});
    std::string text;
    for (const std::string& line :
         schema_violations(document, root / "results/schema/camber-results.schema.json"))
        text += line + "\n";
    return text;
}

}  // namespace

TEST_CASE("a strong series in a results document", "[scaling]") {
    Series series = gpu_series(table_6_1);
    series.predicted_serial_share = 0.11;
    series.points[5].share_of_copy = 0.5;
    series.points[5].places = {1500.0, 2500.0, 1.25};
    const auto json = scaling_json(analyse(series));
    CHECK(violations(json).empty());
    CHECK(json["unit"] == "gpu");
    CHECK(json["points"].size() == 6);
    CHECK(json["points"][0]["karp_flatt"].is_null());
    CHECK(json["points"][5]["karp_flatt"].get<double>() == Approx(0.1756).margin(5.1e-5));
    CHECK(json["points"][5]["share_of_copy"] == 0.5);
    CHECK(json["points"][5]["exposed_transfer_ns"] == 1500.0);
    CHECK(json["points"][5]["barrier_wait_ns"] == 2500.0);
    CHECK(json["points"][5]["imbalance"] == 1.25);
    CHECK_FALSE(json["points"][4].contains("imbalance"));
    CHECK(json["fits"]["three_term"]["d_max"] == 6);
    CHECK(json["fits"]["three_term"]["fastest_p_extrapolated"] == true);
    CHECK(json["fits"]["amdahl"]["a"].get<double>() == Approx(0.142416).margin(5.1e-7));
    CHECK(json["fits"]["karp_flatt_line"]["c"].get<double>() == Approx(0.023875).margin(5.1e-7));
    CHECK(json["fits"]["weighted_karp_flatt_line"]["weights"] == "sigma");
    CHECK(json["verdict"] == "per_unit_cost");
}

TEST_CASE("a series of two points, with samples, and without any error", "[scaling]") {
    Series series = gpu_series(Times{100, 55});
    series.assumed_relative_error.reset();
    series.points[1].median_ns.reset();
    series.points[1].samples_ns = {55e9};
    series.notes = {"one sample"};
    const auto json = scaling_json(analyse(series));
    CHECK(violations(json).empty());
    CHECK(json["points"][1]["n"] == 1);
    CHECK(json["points"][1]["sigma_ns"].is_null());
    CHECK_FALSE(json["fits"].contains("three_term"));
    CHECK(json["verdict"] == "no_trend");
}

TEST_CASE("a weak series, and one with an effective p", "[scaling]") {
    Series series = gpu_series(Times{100, 110, 120});
    series.mode = Mode::weak;
    series.points[1].effective_p = 1.5;
    const auto json = scaling_json(analyse(series));
    CHECK(violations(json).empty());
    CHECK(json["points"][1]["p"] == 1.5);
    CHECK(json["points"][1]["p_is_effective"] == true);
    CHECK_FALSE(json["points"][2].contains("karp_flatt"));
    CHECK(json["gustafson"]["serial_share"].get<double>() > 0);
}

TEST_CASE("the schema sees a defect of a scaling series", "[scaling]") {
    const auto good = scaling_json(analyse(gpu_series(table_6_1)));
    auto bad = good;
    bad["unit"] = "cuda_core";
    CHECK_FALSE(violations(bad).empty());
    bad = good;
    bad.erase("fits");
    CHECK_FALSE(violations(bad).empty());
    bad = good;
    bad["points"][1]["karp_flat"] = 0.1;
    CHECK_FALSE(violations(bad).empty());
    bad = good;
    bad["mode"] = "weak";  // without Gustafson's share
    CHECK_FALSE(violations(bad).empty());
}

}  // namespace scaling_fields_test
