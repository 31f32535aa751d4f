#include "analysis/scaling/results_series.hpp"

#include "harness/base/error.hpp"
#include "tests/catch.hpp"

using namespace camber;
using namespace camber::scaling;
using Json = nlohmann::ordered_json;

namespace {

Json element(const char* variant, int units, double sample, const char* mode = "strong") {
    return {{"name", std::string(variant) + "/sm:" + std::to_string(units)},
            {"camber",
             {{"workload", "life"},
              {"variant", variant},
              {"backend", "cuda"},
              {"cell", "uint32"},
              {"status", "ok"},
              {"generations", 16},
              {"size", {{"columns", 64}, {"rows", 32}}},
              {"generations_per_sample", 2},
              {"samples_ns", {sample, sample, sample}},
              {"derived", {{"share_of_copy", 0.5}}},
              {"scaling", {{"unit", "sm"}, {"units", units}, {"unit_size", 8}, {"mode", mode}}}}}};
}

results::ResultSet set_of(std::vector<Json> elements) {
    return results::parse_results({{"context", {{"camber", {{"gpu", {{"name", "A GPU"}}}}}}},
                                   {"benchmarks", std::move(elements)}},
                                  "scaling.json");
}

}  // namespace

TEST_CASE("cases on stated units form one series per variant", "[scaling]") {
    const auto all =
        series_of_results(set_of({element("life/a", 8, 2000), element("life/b", 8, 1),
                                  element("life/a", 16, 1000), element("life/b", 16, 2)}));
    REQUIRE(all.size() == 2);
    const Series& a = all[0];
    CHECK(a.variant == "life/a");
    CHECK(a.machine == "A GPU");
    CHECK(a.unit == Unit::sm);
    CHECK(a.unit_size == 8);
    CHECK(a.columns == 64);
    REQUIRE(a.points.size() == 2);
    CHECK(p_of(a, a.points[1]) == 2);
    CHECK(median_of(a.points[0]) == 1000);  // per generation
    CHECK(a.points[1].share_of_copy == 0.5);
}

TEST_CASE("a file without units is no scaling series", "[scaling]") {
    Json plain = element("life/a", 8, 1);
    plain["camber"].erase("scaling");
    CHECK_THROWS_WITH(series_of_results(set_of({plain})), contains("camber scale"));
    // The same p twice is no series either.
    CHECK_THROWS_AS(series_of_results(set_of({element("life/a", 8, 1), element("life/a", 8, 1)})),
                    Error);
}
