#include <string>
#include <vector>

#include "analysis/timeline/quantities.hpp"
#include "tests/analysis/timeline/made_timelines.hpp"
#include "tests/catch.hpp"

namespace quantities_test {

using namespace camber;
using namespace camber::timeline;
using namespace camber::timeline_test;

TEST_CASE("kernels of two queues that overlap count once", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::kernel, 1, 0, 100), span(SpanKind::kernel, 2, 50, 200),
                  span(SpanKind::kernel, 4, 300, 400)};
    const Quantities found = quantities_of(made);
    CHECK(found.length_ns == 400);
    REQUIRE(found.places.size() == 2);
    CHECK(found.places[0].place == "cuda:0");
    CHECK(found.places[0].kernels == 2);
    CHECK(found.places[0].kernel_ns == 200);
    CHECK(found.places[0].busy_share == 0.5);
    CHECK(found.places[1].kernel_ns == 100);
    CHECK(found.imbalance == 200 / 150.0);
}

TEST_CASE("a copy is exposed while no kernel of its own place runs", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::kernel, 2, 0, 100), span(SpanKind::peer, 1, 80, 130),
                  // A kernel of another device does not hide it.
                  span(SpanKind::kernel, 5, 0, 500), span(SpanKind::download, 1, 120, 150),
                  span(SpanKind::upload, 4, 100, 200)};
    const Quantities found = quantities_of(made);
    CHECK(found.places[0].copy_ns == 70);
    CHECK(found.places[0].exposed_copy_ns == 50);
    CHECK(found.places[1].copy_ns == 100);
    CHECK(found.places[1].exposed_copy_ns == 0);
}

TEST_CASE("gaps lie between the kernels of a place, where nothing of it runs", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::upload, 1, 0, 10),    span(SpanKind::kernel, 2, 40, 100),
                  span(SpanKind::kernel, 2, 120, 200), span(SpanKind::copy, 1, 210, 230),
                  span(SpanKind::kernel, 2, 300, 310), span(SpanKind::download, 1, 400, 500)};
    const PlaceQuantities found = quantities_of(made).places[0];
    CHECK(found.gaps == 3);
    CHECK(found.gap_ns == 20 + 10 + 70);
    CHECK(found.longest_gap_ns == 70);
}

TEST_CASE("waits at barriers and of the host are no work", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::kernel, 2, 0, 100), span(SpanKind::barrier, 1, 100, 130),
                  span(SpanKind::barrier, 2, 110, 150), span(SpanKind::wait, 0, 20, 160),
                  span(SpanKind::kernel, 2, 150, 200)};
    const PlaceQuantities found = quantities_of(made).places[0];
    CHECK(found.barrier_wait_ns == 50);
    CHECK(found.host_wait_ns == 140);
    CHECK(found.kernel_ns == 150);
    CHECK(found.busy_share == 0.75);
}

TEST_CASE("work is led back to the host's call by its correlation", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::issue, 0, 0, 4, 1), span(SpanKind::issue, 0, 5, 9, 2),
                  span(SpanKind::kernel, 2, 7, 50, 1), span(SpanKind::kernel, 2, 60, 90, 2),
                  span(SpanKind::kernel, 2, 95, 99, 3)};
    CHECK(quantities_of(made).places[0].issue_to_start_ns == (7 + 55) / 2.0);
}

TEST_CASE("no work at all gives no shares", "[timeline]") {
    const Quantities found = quantities_of(two_places());
    CHECK(found.length_ns == 0);
    CHECK(found.places[0].busy_share == 0);
    CHECK_FALSE(found.places[0].issue_to_start_ns);
    CHECK_FALSE(found.imbalance);
    CHECK_FALSE(clock_residual_ns(two_places()));
}

TEST_CASE("calls and waits bound how far clocks can be off", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::issue, 0, 0, 4, 1), span(SpanKind::kernel, 1, 3, 50, 1),
                  span(SpanKind::issue, 0, 5, 9, 2), span(SpanKind::kernel, 2, 60, 90, 2),
                  // The wait belongs to the lane that ends just before it, not to the other one.
                  span(SpanKind::wait, 0, 10, 58, 3), span(SpanKind::wait, 0, 59, 96, 4),
                  // Operations issued later do not count.
                  span(SpanKind::issue, 0, 60, 61, 5), span(SpanKind::kernel, 1, 100, 300, 5)};
    CHECK(clock_residual_ns(made) == 6.0);  // 3 after the call; 96 - 90 up to the end of the wait

    SECTION("a kernel that starts before its call shows a clock that is off") {
        made.spans.push_back(span(SpanKind::issue, 0, 400, 401, 6));
        made.spans.push_back(span(SpanKind::kernel, 1, 380, 390, 6));
        CHECK(clock_residual_ns(made) == 20.0);
    }
    SECTION("a place without waits cannot be told") {
        made.spans.push_back(span(SpanKind::issue, 3, 400, 401, 6));
        made.spans.push_back(span(SpanKind::kernel, 4, 410, 420, 6));
        CHECK_FALSE(clock_residual_ns(made));
    }
}

}  // namespace quantities_test

namespace camber::overlap_test {

// Passes with transfers compared with their single operations.

namespace {

using results::CaseRecord;

CaseRecord record(const std::string& variant, double ns,
                  std::vector<std::pair<std::string, results::Scalar>> parameters) {
    CaseRecord record;
    record.identity.workload = "transfer_overlap";
    record.identity.variant = "transfer_overlap/" + variant;
    record.identity.parameters = std::move(parameters);
    record.identity.backend = Backend::cuda;
    record.identity.workload_parameters["repeats"] = {640};
    record.real_time_ns = ns;
    return record;
}

CaseRecord pass(const std::string& memory, int streams, const std::string& direction, double ns) {
    return record(
        "breadth_first/" + memory, ns,
        {{"host_memory", memory}, {"streams", std::int64_t{streams}}, {"direction", direction}});
}

std::vector<CaseRecord> pieces() {
    std::vector<CaseRecord> all{record("alone/kernel", 1000, {{"piece", std::string("kernel")}})};
    for (const auto& [memory, up, down] :
         {std::tuple<std::string, double, double>("pinned", 1200, 1400),
          {"pageable", 5000, 7000}}) {
        all.push_back(record("alone/upload/" + memory, up,
                             {{"piece", std::string("upload")}, {"host_memory", memory}}));
        all.push_back(record("alone/download/" + memory, down,
                             {{"piece", std::string("download")}, {"host_memory", memory}}));
    }
    return all;
}

}  // namespace

TEST_CASE("a pass is expected to take its longest piece and a share of the others", "[overlap]") {
    std::vector<CaseRecord> cases = pieces();
    cases.push_back(pass("pinned", 4, "all", 2000));
    cases.push_back(pass("pinned", 2, "upload_kernel", 1700));
    cases.push_back(pass("pageable", 1, "kernel_download", 8000));
    const auto found = overlap::overlaps(cases);
    REQUIRE(found.size() == 3);

    const overlap::Overlap& all = found[0].second;
    CHECK(found[0].first == &cases[5]);
    CHECK(all.pieces == 3600);
    CHECK(all.longest == 1400);
    CHECK(all.expected() == 1400 + 2200 / 4.0);
    CHECK(all.share_of_pieces() == Approx(2000 / 3600.0));
    CHECK(all.exposed_transfers() == 1000);

    CHECK(found[1].second.pieces == 2200);
    CHECK(found[1].second.expected() == 1200 + 500);
    CHECK(found[2].second.pieces == 8000);
    CHECK(found[2].second.expected() == 8000);
}

TEST_CASE("a pass is compared with pieces of the same conditions only", "[overlap]") {
    std::vector<CaseRecord> cases = pieces();
    cases.push_back(pass("pinned", 4, "all", 2000));
    const auto differs = [&](auto change) {
        std::vector<CaseRecord> changed = cases;
        change(changed.back());
        return overlap::overlaps(changed).empty();
    };
    CHECK_FALSE(differs([](CaseRecord&) {}));
    CHECK(differs([](CaseRecord& r) { r.identity.size = {64, 64}; }));
    CHECK(differs([](CaseRecord& r) { r.identity.workload_parameters["repeats"] = {160}; }));
    CHECK(differs([](CaseRecord& r) { r.identity.submission = Submission::graph; }));
    CHECK(differs([](CaseRecord& r) { r.identity.device = 1; }));
    CHECK(differs([](CaseRecord& r) { r.identity.backend = Backend::simt; }));
    CHECK(differs([](CaseRecord& r) { r.status = results::Status::failed; }));
    cases.erase(cases.begin());  // without the kernel's own time
    CHECK(overlap::overlaps(cases).empty());
}

}  // namespace camber::overlap_test
