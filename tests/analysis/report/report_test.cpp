#include "analysis/report/report.hpp"
#include "harness/record/merge.hpp"
#include "tests/analysis/profile/counted_kernels.hpp"
#include "tests/analysis/report/report_fixture.hpp"
#include "tests/catch.hpp"

namespace report_test {

using namespace camber;
using namespace camber::report;
using namespace camber::report_test;

TEST_CASE("a report ranks the cases of one file by their medians", "[report]") {
    const Report report = report_of({document(
        "folder/a.json",
        {timed_case("global/16x16", "global", 160, 1),
         with_status(timed_case("texture_2d/8x8", "texture_2d", 1, 1), Status::skipped, "no"),
         timed_case("packed/64x4", "packed", 100, 1.6)})});
    REQUIRE(report.groups.size() == 1);
    const Group& group = report.groups[0];
    CHECK(group.title() == "life, 10 x 10, uint32");
    CHECK(group.baseline == "global/16x16");
    CHECK(group.ceilings[0] == 10e9);
    CHECK_FALSE(group.ceilings[1]);
    REQUIRE(group.rows.size() == 3);
    CHECK(group.rows[0].variant == "packed/64x4");
    CHECK(group.rows[0].rank == 1);
    CHECK(group.rows[0].median_ns == 100.0);
    CHECK(group.rows[0].application_bytes_per_second == 8e9);
    CHECK(group.rows[1].rank == 2);
    CHECK(group.rows[2].rank == 0);
    CHECK(group.rows[2].reason == "no");
    CHECK(group.count(results::Status::skipped) == 1);
    CHECK(report.files[0].name == "a.json");
    REQUIRE(report.files[0].copy_curve.size() == 1);
    CHECK(report.files[0].copy_curve[0].bytes_per_second == 5e9);
}

TEST_CASE("a sample of several generations counts by the generation", "[report]") {
    CaseRecord one = timed_case("halo/16x16", "halo", 300, 1);
    one.samples->generations_per_sample = 3;
    const Report report = report_of({document("a.json", {one})});
    const Row& row = report.groups[0].rows[0];
    CHECK(row.median_ns == 100.0);
    CHECK(row.iqr_ns == Approx(1.0 / 3));
    CHECK(row.samples_ns == std::vector<double>{299.0 / 3, 100, 301.0 / 3});
}

TEST_CASE("runs of other radii are data sets of their own", "[report]") {
    const auto of = [](const char* workload, const char* rule, double sigma, double radius) {
        CaseRecord one = timed_case("halo/16x16", "halo", 300, 1);
        one.identity.workload = workload;
        one.identity.rule = rule;
        if (sigma != 0)
            one.identity.workload_parameters = {{"sigma", {sigma}}, {"radius", {radius}}};
        return one;
    };
    const Report report = report_of({document(
        "a.json", {of("gaussian", "", 1.5, 0), of("gaussian", "", 2, 5), of("gaussian", "", 2, 0),
                   of("gaussian", "", -1, 0), of("larger_than_life", "R7,B63..84,S62..107", 0, 0),
                   of("larger_than_life", "", 0, 0), of("life", "", 0, 0)})});
    std::vector<int> radii;
    for (const Group& group : report.groups) radii.push_back(group.radius);
    CHECK(radii == std::vector<int>{5, 6, 0, 7, 5, 0});
    CHECK(report.groups[0].rows.size() == 1);  // two runs of one variant yield one row, the median
    CHECK(report.groups[0].title() == "gaussian, 10 x 10, uint32, radius 5");
    CHECK(report.groups[4].title() == "larger_than_life, 10 x 10, uint32");
}

TEST_CASE("predicted times stand beside measured ones of the same board and device", "[report]") {
    Document models = document("models.json", {});
    const auto add = [&](const std::string& variant, double seconds, int generations) {
        results::ModelEntry& entry = models.models.emplace_back();
        entry.variant = variant;
        entry.size = {10, 10};
        entry.cell = "uint32";
        entry.generations_per_launch = generations;
        entry.time = results::TimeRecord{seconds, 0.8 * seconds, 1.5 * seconds, "L2", {}, {}};
    };
    add("life/halo/16x16", 90e-9, 1);
    add("life/two/16x16", 300e-9, 2);
    models.models.back().time->doubts = {"it is sampled"};
    models.models.emplace_back(models.models.front()).time.reset();
    models.cases.resize(3);  // as a reader of the file would
    const std::vector<CaseRecord> cases{timed_case("halo/16x16", "halo", 100, 1),
                                        timed_case("two/16x16", "two", 140, 1),
                                        timed_case("other/16x16", "other", 200, 1)};
    const Report report = report_of({document("a.json", cases), models});
    REQUIRE(report.groups.size() == 1);  // models form no data set of their own
    CHECK(report.files.size() == 2);
    const auto& rows = report.groups[0].rows;
    REQUIRE(rows[0].predicted);
    CHECK(rows[0].predicted->ns == Approx(90));
    CHECK(rows[0].predicted->low_ns == Approx(72));
    CHECK(rows[0].predicted->high_ns == Approx(135));
    CHECK(rows[0].predicted->binding == "L2");
    CHECK_FALSE(rows[0].predicted->uncertain);
    REQUIRE(rows[1].predicted);
    CHECK(rows[1].predicted->ns == Approx(150));
    CHECK(rows[1].predicted->uncertain);
    CHECK_FALSE(rows[2].predicted);
    const Report other = report_of({document("a.json", cases, "GPU B"), models});
    CHECK_FALSE(other.groups.at(0).rows[0].predicted);
    CHECK_FALSE(report_of({models}).groups.empty());
}

TEST_CASE("neither devices nor boards nor boundaries are ranked together", "[report]") {
    const CaseRecord plain = timed_case("halo/16x16", "halo", 100, 1);
    CaseRecord torus = plain;
    torus.identity.boundary = Boundary::torus;
    torus.name = "life/halo/16x16/10x10/uint32/cuda/torus";
    CaseRecord small = plain;
    small.identity.size.rows = 5;
    small.name = "life/halo/16x16/10x5/uint32/cuda";
    const Report report = report_of(
        {document("x/a.json", {small, plain, torus}), document("x/y/b.json", {plain}, "GPU B")});
    REQUIRE(report.groups.size() == 4);
    CHECK(report.devices == std::vector<std::string>{"GPU A", "GPU B"});
    CHECK(report.groups[0].title() == "life, 10 x 10, uint32");
    CHECK(report.groups[1].device == "GPU B");
    CHECK(report.groups[2].title() == "life, 10 x 10, uint32, torus");
    CHECK(report.groups[3].title() == "life, 10 x 5, uint32");
    CHECK(report.files[1].name == "y/b.json");
}

TEST_CASE("what several devices compute at once is held against the limits of all", "[report]") {
    CaseRecord two = timed_case("a, 2 places", "a", 50, 2);
    two.identity.group.emplace().kind = "gpus";
    two.identity.group->places = 2;
    CaseRecord emulated = timed_case("b, 2 places", "b", 70, 1);
    emulated.identity.group.emplace().kind = "emulated";
    emulated.identity.group->places = 2;
    Document measured = document("x.json", {timed_case("a", "a", 100, 1), two, emulated});
    measured.context.run->ceilings.copy_bytes_per_second = 10e9;
    measured.context.run->ceilings.l2_bytes_per_second = 30e9;
    const Report report = report_of({measured});
    REQUIRE(report.groups.size() == 2);
    const auto of = [&](const std::string& device) {
        return *std::ranges::find(report.groups, device, &Group::device);
    };
    CHECK(of("GPU A").rows.size() == 2);  // a single device, even if it represents two
    CHECK(of("GPU A").copy_bytes_per_second == 10e9);
    const Group both = of("2 x GPU A");
    CHECK(both.devices == 2);
    CHECK(both.rows.size() == 1);
    CHECK(both.copy_bytes_per_second == 20e9);
    CHECK(both.ceilings[1] == 60e9);
}

TEST_CASE("data sets are in the order of workload, board and device", "[report]") {
    const auto of = [](const char* workload, int columns) {
        CaseRecord record = timed_case("halo/16x16", "halo", 100, 1);
        record.identity.workload = workload;
        record.identity.size.columns = columns;
        return record;
    };
    const Report report =
        report_of({document("b.json", {of("life", 10), of("blur", 10), of("life", 20)}, "GPU B"),
                   document("a.json", {of("life", 10)}, "GPU A")});
    std::vector<std::string> order;
    for (const Group& group : report.groups) order.push_back(group.title() + ", " + group.device);
    CHECK(order ==
          std::vector<std::string>{"blur, 10 x 10, uint32, GPU B", "life, 20 x 10, uint32, GPU B",
                                   "life, 10 x 10, uint32, GPU A", "life, 10 x 10, uint32, GPU B"});
    CHECK(report.devices == std::vector<std::string>{"GPU A", "GPU B"});
}

TEST_CASE("cases on a part of the machine are not ranked", "[report]") {
    CaseRecord part = timed_case("halo/16x16", "halo", 100, 1);
    part.name = "life/halo/16x16/10x10/uint32/cuda/sm:8";
    part.identity.scaling = results::ScalingPlace{.units = 8, .unit_size = 8};
    const Report report =
        report_of({document("a.json", {part, timed_case("global/16x16", "global", 200, 1)})});
    REQUIRE(report.groups.size() == 1);
    REQUIRE(report.groups[0].rows.size() == 1);
    CHECK(report.groups[0].rows[0].variant == "global/16x16");
}

TEST_CASE("the newest of two files of the same is known", "[report]") {
    const CaseRecord one = timed_case("halo/16x16", "halo", 100, 1);
    const CaseRecord slower = timed_case("halo/16x16", "halo", 110, 1);
    const Report report =
        report_of({document("new.json", {slower}, "GPU A", "2026-02-01T00:00:00+0000"),
                   document("old.json", {one}, "GPU A", "2026-01-01T00:00:00+0000")});
    REQUIRE(report.groups.size() == 2);
    CHECK(report.groups[0].newest);
    CHECK(report.files[report.groups[0].file].name == "new.json");
    CHECK_FALSE(report.groups[1].newest);
    const auto sentences = summary(report);
    CHECK(std::ranges::count(sentences,
                             "life, 10 x 10, uint32 is also in old.json. The medians of 1 variant "
                             "in both files differ by at most +10.0 % (halo/16x16, from old.json "
                             "to new.json).") == 1);
}

TEST_CASE("the simt backend has no times, Google Benchmark no bandwidth", "[report]") {
    CaseRecord simt = timed_case("halo/16x16", "halo", 100, 1);
    simt.identity.backend = Backend::simt;
    Document google = results::parse_document(R"({"benchmarks": [
        {"name": "BM_a", "run_type": "iteration", "real_time": 2, "time_unit": "us"},
        {"name": "BM_a", "run_type": "iteration", "real_time": 4, "time_unit": "us"},
        {"name": "BM_b", "run_type": "iteration", "real_time": 1, "time_unit": "us"}]})",
                                              "g.json");
    merge_repetitions(google);
    const Report report = report_of({document("s.json", {simt}), google});
    REQUIRE(report.groups.size() == 2);
    CHECK_FALSE(report.groups[0].timed);
    CHECK(report.groups[0].rows[0].rank == 0);
    CHECK_FALSE(report.groups[0].rows[0].median_ns);
    CHECK(report.groups[0].rows[0].verification == Verification::Status::passed);
    const Group& group = report.groups[1];
    CHECK(group.title() == "Google Benchmark");
    CHECK(group.rows[0].variant == "BM_b");
    CHECK(group.rows[1].median_ns == 3000.0);
    CHECK_FALSE(group.rows[1].application_bytes_per_second);
}

TEST_CASE("a row has the kernels of a launch of several", "[report]") {
    CaseRecord one = timed_case("global/three_kernels/16x16", "global", 1000, 1);
    const auto kernels = [&] {
        return report_of({document("a.json", {one})}).groups.at(0).rows.at(0).kernels;
    };
    CHECK(kernels().empty());
    one.kernel_counters = profile_test::counted_kernels().kernel_counters;
    CHECK(kernels().size() == 3);
}

TEST_CASE("traffic comes from counters, else from the model", "[report]") {
    CaseRecord one = timed_case("shared_tile/16x16", "shared_tile", 100, 1);
    one.identity.generations_per_launch = 2;
    one.model.emplace().quantities = {{"compulsory_dram_bytes", 1600},
                                      {"block_distinct_bytes", 2400},
                                      {"shared_load_wavefronts", 30},
                                      {"shared_store_wavefronts", 20},
                                      {"global_load_requests", 7}};
    one.counters = {{"lts__t_sectors_op_read.sum", 100},
                    {"lts__t_sectors_op_write.sum", 50},
                    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 8}};
    const Report report = report_of({document("a.json", {one})});
    const Row& row = report.groups[0].rows[0];
    // Per cell and generation, for 100 cells and 2 generations.
    CHECK(row.traffic[0].bytes_per_cell == 8.0);
    CHECK(row.traffic[0].by_model);
    CHECK(row.traffic[1].bytes_per_cell == 24.0);  // 150 sectors of 32 bytes
    CHECK_FALSE(row.traffic[1].by_model);
    CHECK_FALSE(row.traffic[2].bytes_per_cell);
    CHECK(row.traffic[3].bytes_per_cell == 32.0);  // 50 wavefronts of 128 bytes
    CHECK(row.traffic[3].by_model);
    REQUIRE(row.counters.size() == 1);
    CHECK_FALSE(row.counters[0].agrees);
    CHECK(tally(report.groups).deviating == 1);
    CHECK(summary(report).back() ==
          "0 of 1 predicted counters match exactly, 0 are within the model's tolerance "
          "(shared-memory wavefronts), 1 deviate: life/shared_tile/16x16 (global_load_requests).");
}

TEST_CASE("without counters a case moves through DRAM what its steps must", "[report]") {
    CaseRecord one = timed_case("halo/16x16", "halo", 100, 1);
    one.identity.generations_per_launch = 2;
    const auto dram = [&] {
        return report_of({document("a.json", {one})}).groups[0].rows[0].traffic[0];
    };
    CHECK(dram().bytes_per_cell == Approx(4.0));  // 8 bytes for two generations
    CHECK(dram().by_model);
    one.derived->step_bytes_per_cell = 6;
    CHECK(dram().bytes_per_cell == Approx(6.0));
}

TEST_CASE("the summary names the best, what failed and what was skipped", "[report]") {
    const auto failing = [](const char* variant, Status status, const char* reason) {
        return with_status(timed_case(variant, "global", 1, 1), status, reason);
    };
    const Report report =
        report_of({document("a.json", {timed_case("global/16x16", "global", 160, 1),
                                       timed_case("packed/64x4", "packed", 100, 1.6),
                                       failing("big/1", Status::skipped, "too little memory"),
                                       failing("big/2", Status::skipped, "too little memory"),
                                       failing("bad", Status::failed, "wrong")})});
    const auto sentences = summary(report);
    REQUIRE(sentences.size() == 3);
    CHECK(
        sentences[0] ==
        "life, 10 x 10, uint32 on GPU A: packed/64x4 is the fastest of 2 timed variants: 8.0 GB/s "
        "application bandwidth (1.0 Gcell/s), 80.0 % of copy bandwidth, 1.60 times as fast as "
        "the baseline global/16x16.");
    CHECK(sentences[1] == "1 case failed: life/bad (wrong).");
    CHECK(sentences[2] == "2 cases skipped: life/big/1, life/big/2 (too little memory).");
}

TEST_CASE("samples are thinned to order statistics with both ends", "[report]") {
    CHECK(thinned({3, 1, 2}, 3) == std::vector<double>{1, 2, 3});
    std::vector<double> many;
    for (int k = 1000; k >= 0; --k) many.push_back(k);
    CHECK(thinned(many, 5) == std::vector<double>{0, 250, 500, 750, 1000});
}

TEST_CASE("a row has the family that its technique is said to have", "[report]") {
    const Report report = report_of({document(
        "a.json", {timed_case("halo/16x16", "halo", 100, 1), timed_case("x/16x16", "x", 200, 1)})});
    CHECK(report.groups[0].rows[0].family == Family::global_memory);
    CHECK(report.groups[0].rows[1].family == Family::other);
}

}  // namespace report_test
