#include "analysis/report/report.hpp"
#include "harness/record/metric_names.hpp"
#include "tests/analysis/report/report_fixture.hpp"
#include "tests/catch.hpp"

namespace findings_test {

using namespace camber;
using namespace camber::report;
using namespace camber::report_test;

namespace {

CaseRecord spread_over(CaseRecord record, double share) {
    record.samples->ns = {1, 2, 3, 4};
    record.samples->statistics.iqr = share * record.samples->statistics.median;
    return record;
}

CaseRecord of_blur(CaseRecord record) {
    record.identity.workload = "blur";
    record.identity.variant = "blur/" + record.identity.variant.substr(5);
    return record;
}

}  // namespace

TEST_CASE("a report opens on the data set with the most variants", "[report]") {
    const CaseRecord halo = timed_case("halo/16x16", "halo", 100, 1);
    const CaseRecord global = timed_case("global/16x16", "global", 200, 1);
    const Report report =
        report_of({document("a.json", {of_blur(halo)}), document("b.json", {halo, global})});
    CHECK(opening_group(report) == 1);
    CHECK(opening_group(Report{}) == 0);

    // On a tie the newest file is used.
    const Report twice =
        report_of({document("old.json", {halo}, "GPU A", "2026-01-01T00:00:00+0000"),
                   document("new.json", {halo}, "GPU A", "2026-02-01T00:00:00+0000")});
    CHECK(twice.files[twice.groups[opening_group(twice)].file].name == "new.json");
}

TEST_CASE("a report says five things first", "[report]") {
    CaseRecord packed = spread_over(timed_case("packed/64x4", "packed", 100, 1.6), 0.01);
    packed.counters = {{metric::dram_read_bytes, 400}, {metric::dram_write_bytes, 400}};
    const Report report = report_of(
        {document("a.json",
                  {spread_over(timed_case("global/16x16", "global", 160, 1), 0.02), packed,
                   with_status(timed_case("big", "big", 1, 1), Status::skipped, "no memory")}),
         document("b.json", {of_blur(spread_over(timed_case("halo/8x8", "halo", 50, 3), 0.25)),
                             of_blur(timed_case("global/16x16", "global", 150, 1))})});
    CHECK(lead(report) == "5 cases in 2 files, 2 data sets, on GPU A.");
    const auto sentences = findings(report);
    REQUIRE(sentences.size() == 5);
    CHECK(sentences[0] ==
          "packed/64x4 is the fastest of 3 variants of life, 10 x 10, uint32: 8.0 GB/s application "
          "bandwidth, 80.0 % of copy bandwidth.");
    CHECK(sentences[1] == "Limited by DRAM: 80.0 % of its ceiling.");
    CHECK(sentences[2] ==
          "blur, 10 x 10, uint32 has the largest gain over its baseline: halo/8x8 is 3.00 times as "
          "fast as global/16x16.");
    CHECK(sentences[3] ==
          "Noisiest: halo/8x8 of blur, 10 x 10, uint32 (IQR 25.0 % of the median). The IQR exceeds "
          "5 % in 1 of 3 timed cases.");
    CHECK(sentences[4] ==
          "5 of 5 cases verified: 500 cells equal the reference within the stated tolerance. 0 "
          "failed, 1 skipped.");
}

TEST_CASE("what the files do not tell is no finding", "[report]") {
    CaseRecord simt = timed_case("halo/16x16", "halo", 100, 1);
    simt.identity.backend = Backend::simt;
    const auto sentences = findings(report_of({document("a.json", {simt})}));
    REQUIRE(sentences.size() == 1);
    CHECK_THAT(sentences[0], contains("1 of 1 case verified"));
    CHECK(findings(Report{}).empty());
    simt.verification.reset();
    CHECK(findings(report_of({document("a.json", {simt})})) ==
          std::vector<std::string>{"No case was verified."});
    // Without counters the limit is unknown.
    const auto uncounted =
        findings(report_of({document("a.json", {timed_case("halo/16x16", "halo", 100, 1)})}));
    CHECK_THAT(uncounted.at(1), contains("Limiting resource unknown"));
}

TEST_CASE("a share of copy bandwidth above 100 % has its reason beside it", "[report]") {
    // Four generations per launch: 320 % of the copy bandwidth by the bytes of every generation, 80
    // % by those of a launch.
    CaseRecord stream = timed_case("register_stream/n4", "register_stream", 25, 4);
    stream.identity.generations_per_launch = 4;
    Document file = document("a.json", {stream, timed_case("global/16x16", "global", 100, 1)});
    file.context.run->gpu->l2_bytes = 100;  // less than the 800 bytes of a generation
    const auto sentences = findings(report_of({file}));
    CHECK(sentences.at(0) ==
          "register_stream/n4 is the fastest of 2 variants of life, 10 x 10, uint32: 32.0 GB/s "
          "application bandwidth, 320.0 % of copy bandwidth (4 generations per launch).");
    CHECK(sentences.at(1) ==
          "Probably limited by DRAM: 80.0 % of its ceiling, estimated without counters.");
    CHECK(sentences.at(2) == "register_stream/n4 is 4.00 times as fast as global/16x16.");
}

TEST_CASE("a single case is compared with nothing", "[report]") {
    CaseRecord only = spread_over(timed_case("halo/16x16", "halo", 100, 1), 0.02);
    const auto sentences = findings(report_of({document("a.json", {only})}));
    REQUIRE(sentences.size() == 4);
    CHECK(sentences[0] ==
          "halo/16x16 of life, 10 x 10, uint32: 8.0 GB/s application bandwidth, 80.0 % of copy "
          "bandwidth.");
    CHECK(sentences[2] == "IQR of halo/16x16: 2.0 % of the median.");
}

TEST_CASE("the words of a limit are no sentence's end", "[report]") {
    CaseRecord brief = timed_case("halo/16x16", "halo", 100, 1);
    brief.counters = {{metric::dram_read_bytes, 200}, {metric::dram_write_bytes, 200}};
    Document file = document("a.json", {brief, timed_case("global/16x16", "global", 160, 1)});
    file.context.run->ceilings.launch_seconds = 50e-9;
    CHECK(
        findings(report_of({file})).at(1) ==
        "Limited by launches (too short). The busiest resource is DRAM, at 40.0 % of its ceiling.");
}

TEST_CASE("a report of scaling series alone speaks of no case", "[report]") {
    Document file = document("a.json", {});
    file.scaling.resize(2);
    const Report report = report_of({file});
    CHECK(lead(report) == "2 scaling series in 1 file.");
    CHECK(findings(report).empty());
    CHECK(summary(report).empty());
}

}  // namespace findings_test
