// A pass with transfers beside its pieces alone.
#include <string>
#include <vector>

#include "analysis/overlap/overlap.hpp"
#include "tests/catch.hpp"

namespace camber::overlap_test {
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
    cases.erase(cases.begin());  // no kernel alone
    CHECK(overlap::overlaps(cases).empty());
}

}  // namespace camber::overlap_test
