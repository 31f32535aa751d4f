#include "harness/page/page.hpp"

#include <nlohmann/json.hpp>

#include "tests/analysis/profile/counted_kernels.hpp"
#include "tests/analysis/report/report_fixture.hpp"
#include "tests/analysis/timeline/made_timelines.hpp"
#include "tests/catch.hpp"

namespace page_data_test {

using namespace camber;
using namespace camber::report_test;

namespace {

using Json = nlohmann::ordered_json;

Json page_of(const Document& document) {
    return Json::parse(page_data(report_of({document})));
}

// A strong series of two points, the first of them with samples.
scaling::Analysis two_points() {
    scaling::Analysis analysis;
    analysis.series.workload = "life";
    analysis.series.variant = "life/halo/16x16";
    analysis.series.unit = scaling::Unit::sm;
    analysis.series.points.resize(2);
    analysis.series.points[0].samples_ns = {1, 2, 3};
    analysis.points.resize(2);
    analysis.points[0].p = 1;
    analysis.points[0].n = 3;
    analysis.points[0].median_ns = 2;
    analysis.points[1].p = 2;
    analysis.points[1].median_ns = 1.23456789;
    return analysis;
}

}  // namespace

TEST_CASE("numbers of the page are rounded by their digits", "[report]") {
    CHECK(rounded(123456789, 6) == 123457000);
    CHECK(rounded(0.00123456, 3) == 0.00123);
    CHECK(rounded(0, 6) == 0);
    const Json page =
        page_of(document("a.json", {timed_case("halo/16x16", "halo", 300.123456789, 1)}));
    CHECK(page["groups"][0]["cases"][0]["median"] == 300.123);
    CHECK(page["groups"][0]["cases"][0]["samples"][1] == 300.12);
    CHECK(page["files"][0]["environment"].dump().find("0123456789ab, with uncommitted changes") !=
          std::string::npos);
}

TEST_CASE("the page has predicted times where they are known", "[report]") {
    report::Report whole =
        report_of({document("a.json", {timed_case("halo/16x16", "halo", 100, 1)})});
    CHECK_FALSE(Json::parse(page_data(whole))["groups"][0]["cases"][0].contains("predicted"));
    whole.groups[0].rows[0].predicted = report::PredictedRow{90.123456, 72, 135, "L2", true};
    CHECK(Json::parse(page_data(whole))["groups"][0]["cases"][0]["predicted"] ==
          Json{90.123, 72, 135, "L2", true});
}

TEST_CASE("the page has the kernels of a launch of several, merged by name", "[report]") {
    CaseRecord one = timed_case("global/three_kernels/16x16", "global", 1000, 1);
    one.kernel_counters = profile_test::counted_kernels().kernel_counters;
    const Json page = page_of(document("a.json", {one}));
    const Json kernels = page["groups"][0]["cases"][0]["kernels"];
    CHECK(kernels[0] ==
          Json{{"name", "rain"}, {"share", 0.4}, {"dram", 3000}, {"counters", {Json{0, 192}}}});
    CHECK(page["quantities"][0] == "global_load_requests");
    CHECK(kernels[1]["counters"][0].size() == 4);
    CHECK(kernels[1]["counters"][0][3] == 0);
    CHECK(kernels[2]["counters"].empty());
}

TEST_CASE("the page has a scaling as results files have it, without samples", "[report]") {
    Document whole = document("a.json", {timed_case("halo/16x16", "halo", 100, 1)});
    whole.scaling = {two_points()};
    const Json scaling = page_of(whole)["scalings"].at(0);
    CHECK(scaling["file"] == 0);
    CHECK(scaling["unit"] == "sm");
    CHECK(scaling["points"][0]["p"] == 1);
    CHECK(scaling["points"][0]["n"] == 3);
    CHECK_FALSE(scaling["points"][0].contains("samples_ns"));
    CHECK(scaling["points"][1]["median_ns"] == 1.23457);
}

TEST_CASE("the page has timelines with the figures of their places", "[report][timeline]") {
    using timeline_test::span;
    Timeline made = timeline_test::two_places();
    made.residual_ns = 1234.5678;
    made.spans = {span(SpanKind::issue, 0, 0, 10, 1), span(SpanKind::kernel, 2, 20, 120, 1),
                  span(SpanKind::kernel, 5, 100, 220)};
    report::Report whole =
        report_of({document("a.json", {timed_case("halo/16x16", "halo", 100, 1)})});
    whole.timelines = {made};
    const Json page = Json::parse(page_data(whole));
    CHECK(page["span_names"] == Json{"issue", "kernel"});
    const Json timeline = page["timelines"].at(0);
    CHECK(timeline["name"] == "made");
    CHECK(timeline["residual"] == 1234.57);
    CHECK(timeline["places"][1]["kernel"] == 120);
    CHECK(timeline["places"][1]["busy"] == 0.6);
    CHECK(timeline["places"][0]["delay"] == 20);
    CHECK_FALSE(timeline["places"][1].contains("delay"));
    CHECK(timeline["lanes"].size() == 6);
    CHECK(timeline["spans"][1] == Json{static_cast<int>(SpanKind::kernel), 2, 1, 20, 100, 0, 1});
}

TEST_CASE("the page has what is said first, where it opens and the flat roof", "[report]") {
    CaseRecord one = timed_case("halo/16x16", "halo", 100, 1);
    Document whole = document("a.json", {one});
    whole.context.run->ceilings.launch_seconds = 50e-9;
    whole.context.run->ceilings.l1_bytes_per_second = 30e9;
    const Json page = page_of(whole);
    CHECK(page["lead"] == "1 case in 1 file, 1 data set, on GPU A.");
    CHECK(page["opening"] == 0);
    CHECK(page["findings"].size() <= 5);
    CHECK(page["levels"] == Json{"DRAM", "L2", "L1", "shared memory"});
    CHECK(page["groups"][0]["ceilings"] == Json{10000000000, nullptr, 30000000000, nullptr});
    CHECK(page["groups"][0]["flat_roof"] ==
          Json{{"name", "launches"}, {"rate", 2000000000}, {"estimate", false}});
}

TEST_CASE("programs read the data of the page with all fields", "[report]") {
    CaseRecord wrong = timed_case("halo/16x16", "halo", 200, 1);
    wrong.status = results::Status::failed;
    const Json data = Json::parse(report_data(
        report_of({document("a.json", {timed_case("global/16x16", "global", 100, 1), wrong})})));
    const Json cases = data["groups"][0]["cases"];
    CHECK(cases[0]["technique"] == "global");
    CHECK(cases[0]["status"] == "ok");
    CHECK(cases[0]["verification"] == "passed");
    CHECK(cases[0]["generations"] == 1);
    CHECK(cases[1]["status"] == "failed");
    CHECK(data["files"][0]["name"] == "a.json");
}

TEST_CASE("the page's data end no script element", "[report]") {
    const CaseRecord one = timed_case("</script><!--", "global", 1, 1);
    const std::string data = page_data(report_of({document("a.json", {one})}));
    CHECK(data.find('<') == std::string::npos);
    CHECK_THAT(data, contains("\\u003c/script>\\u003c!--"));
}

}  // namespace page_data_test
