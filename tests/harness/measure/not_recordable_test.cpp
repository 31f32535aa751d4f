// Variants whose host code takes part between launches are skipped if launches are recorded.
#include "harness/machine/queue/queue.hpp"

#include <memory>

#include "harness/cli/common/messages.hpp"
#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::not_recordable_test {
namespace {

// Throws the error of a queue that is read while it records.
class ReadsBack final : public Execution {
  public:
    void upload(const State&) override {}
    void download(State&) override {}
    void poison(Poison) override {}
    void advance(int) override { throw NotRecordable(); }
};

}  // namespace

TEST_CASE("what cannot be recorded is skipped with the reason, not failed", "[verification]") {
    Study study;
    study.workload = find_workload("life");
    study.problem = {{8, 8}, Boundary::dead, ElementType::uint32};
    study.initial = {.size = study.problem.size};
    study.backend = Backend::simt;
    study.time = false;
    Variant variant;
    variant.info.workload = "life";
    variant.info.technique.name = "reads_back";
    variant.factories[Backend::simt] = [](Queue&, const Problem&) {
        return std::make_unique<ReadsBack>();
    };
    study.sentence = sentence;
    CaseRunner runner(study);
    const CaseResult result = runner.run(variant);
    CHECK(result.record.status == results::Status::skipped);
    CHECK_FALSE(result.record.verification);
    CHECK_THAT(result.record.reason, contains("run it without --graph"));
}

}  // namespace camber::not_recordable_test
