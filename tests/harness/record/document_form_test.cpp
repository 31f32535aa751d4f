// Files of another form are refused with one sentence that contains the location.
#include "harness/record/document.hpp"
#include "tests/catch.hpp"

namespace camber::results::document_form_test {
namespace {

Document document(const std::string& ceilings, const std::string& scaling) {
    return parse_document(R"({"context": {"camber": {"schema_version": 1, "version": "1",
        "command": [], "compiler": "", "build_type": "", "host": "", "date": "",
        "ceilings": )" + ceilings +
                              R"(}}, "benchmarks": [], "scaling": )" + scaling + "}",
                          "a.json");
}

std::string scaling_with(const std::string& points) {
    return R"([{"workload": "life", "variant": "life/halo/16x16", "backend": "cuda",
        "machine": "", "unit": "sm", "unit_size": 8, "mode": "strong",
        "size": {"columns": 1, "rows": 1}, "points": )" +
           points + R"(, "fits": {},
        "bandwidth_saturated": false, "verdict": "no_trend", "reading": ""}])";
}

TEST_CASE("a ceiling's curve has points", "[results]") {
    CHECK(document("{}", "[]").scaling.empty());
    CHECK_THROWS_WITH(document(R"({"copy": [1, 2]})", "[]"),
                      contains("a.json does not have the form of a results file") &&
                          contains("/context/camber/ceilings/copy/0"));
}

TEST_CASE("a scaling has points with a p, or is refused", "[results]") {
    const std::string point = R"("units": 8, "n": 0, "median_ns": 1})";
    const Document read = document("{}", scaling_with(R"([{"p": 1, )" + point + "]"));
    REQUIRE(read.scaling.size() == 1);
    CHECK(read.scaling[0].points.at(0).p == 1);
    CHECK_THROWS_WITH(document("{}", scaling_with("[{" + point + "]")),
                      contains("a.json") && contains("/scaling/0/points/0") && contains("'p'"));
    CHECK_THROWS_WITH(document("{}", scaling_with("1")), contains("there is no list 'points'"));
    CHECK_THROWS_WITH(document("{}", R"("none")"), contains("it is no list"));
}

}  // namespace
}  // namespace camber::results::document_form_test
