// A case as an element of a result file: omitted fields, and fields that are always written.
#include <limits>
#include <stdexcept>
#include <string>

#include "harness/record/case_record.hpp"
#include "harness/record/document.hpp"
#include "harness/record/fields.hpp"
#include "tests/catch.hpp"

namespace camber::results::case_record_test {

namespace {

Json camber_of(const CaseRecord& record) {
    return to_json(record)["camber"];
}

CaseRecord with_kernels(int count) {
    CaseRecord record;
    for (int i = 0; i < count; ++i)
        record.kernels.emplace_back().name = "kernel " + std::to_string(i);
    return record;
}

TEST_CASE("an unknown share of the copy is null, and absent where there are no steps' bytes",
          "[record]") {
    CaseRecord record;
    Derived& derived = record.derived.emplace();
    derived.step_bytes_per_cell = 64;
    const Json unmeasured = camber_of(record)["derived"];
    CHECK(unmeasured["step_bytes_per_cell"] == 64);
    CHECK(unmeasured["step_share_of_copy"].is_null());
    CHECK(unmeasured["share_of_copy"].is_null());
    CHECK(unmeasured["speedup_vs_baseline"].is_null());
    derived.step_bytes_per_cell.reset();
    const Json unknown = camber_of(record)["derived"];
    CHECK_FALSE(unknown.contains("step_bytes_per_cell"));
    CHECK_FALSE(unknown.contains("step_share_of_copy"));
}

TEST_CASE("a record has all kernels where there are several", "[record]") {
    const Json one = camber_of(with_kernels(1));
    CHECK(one["kernel"]["name"] == "kernel 0");
    CHECK_FALSE(one.contains("kernels"));
    const Json three = camber_of(with_kernels(3));
    CHECK(three["kernel"]["name"] == "kernel 0");
    REQUIRE(three["kernels"].size() == 3);
    CHECK(three["kernels"][0] == three["kernel"]);
    CHECK(three["kernels"][2]["name"] == "kernel 2");
}

TEST_CASE("a record has the counters of single kernels where there are several", "[record]") {
    CaseRecord pipeline = with_kernels(2);
    pipeline.counters = {{"x", 3}};
    pipeline.kernel_counters = {{"kernel 0", "a", {{"x", 1}}, {}}};
    CHECK_FALSE(camber_of(pipeline).contains("kernel_counters"));
    pipeline.kernel_counters.push_back({"kernel 1", "b", {{"x", 2}}, {}});
    const Json record = camber_of(pipeline);
    REQUIRE(record["kernel_counters"].size() == 2);
    CHECK(record["kernel_counters"][1] ==
          Json{{"name", "kernel 1"}, {"symbol", "b"}, {"counters", {{"x", 2.0}}}});
}

TEST_CASE("a final mass is a number, a population a whole one", "[record]") {
    CaseRecord record;
    CHECK_FALSE(camber_of(record).contains("final"));
    record.final = {"mass", 3, 4};
    CHECK(camber_of(record)["final"]["checksum"] == "0x0000000000000004");
    CHECK(camber_of(record)["final"]["mass"] == 3);
    CHECK(camber_of(record)["final"]["mass"].is_number_float());
    record.final->quantity = "population";
    CHECK(camber_of(record)["final"]["population"].is_number_integer());
}

TEST_CASE("a failed case says so to Google Benchmark's tools too", "[record]") {
    CaseRecord record;
    CHECK_FALSE(to_json(record).contains("error_occurred"));
    record.status = Status::failed;
    record.reason = "1 of 777 cells differ";
    CHECK(to_json(record)["error_occurred"] == true);
    CHECK(to_json(record)["error_message"] == "1 of 777 cells differ");
    CHECK(camber_of(record)["status"] == "failed");
    CHECK(camber_of(record)["reason"] == "1 of 777 cells differ");
}

TEST_CASE("counts of a model are whole where they are, however large", "[record]") {
    CaseRecord record;
    record.model.emplace().quantities = {{"sectors", 3e15}, {"share", 0.5}, {"huge", 1e300}};
    const Json model = camber_of(record)["model"];
    CHECK(model["sectors"].is_number_integer());
    CHECK(model["sectors"] == 3'000'000'000'000'000);
    CHECK(model["share"] == 0.5);
    CHECK(model["huge"] == 1e300);
    record.model->quantities["share"] = std::numeric_limits<double>::quiet_NaN();
    Document document;
    document.cases.push_back(record);
    CHECK_THROWS_WITH(to_text(document), contains("/benchmarks/0/camber/model/share"));
}

}  // namespace
}  // namespace camber::results::case_record_test
