// The executor detects passes whose streams do not wait, and passes that omit a piece of work.
#include <memory>

#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "variants/transfer/transfer_overlap/execution.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::missing_waits_test {
namespace {

using transfer_overlap::HostMemory;
using transfer_overlap::Issue;
using transfer_overlap::Pass;
using transfer_overlap::PassExecution;

struct NoFork final : PassExecution {
    using PassExecution::PassExecution;
    void fork() override {}
};
struct NoJoin final : PassExecution {
    using PassExecution::PassExecution;
    void join() override {}
};

// Declares transfers in every pass, but performs them only in the first pass after an upload.
class ForgetfulExecution final : public Execution {
  public:
    ForgetfulExecution(Queue& queue, const Problem& problem, const Pass& pass, bool forgets)
        : queue_(queue), pass_(queue, problem, pass), forgets_(forgets) {}
    void upload(const State& initial) override { pass_.upload(initial); }
    void download(State& result) override { pass_.download(result); }
    void poison(Poison poison) override { pass_.poison(poison); }
    void advance(int generations) override {
        pass_.advance(generations);
        queue_.synchronize();
        // Destroys the results of the last transfers.
        if (forgets_) pass_.poison(Poison::first);
    }

  private:
    Queue& queue_;
    PassExecution pass_;
    bool forgets_;
};

results::Status status_of(const ExecutionFactory& factory) {
    Study study;
    study.workload = find_workload("transfer_overlap");
    const Size size{37, 11};
    study.problem = {size, Boundary::dead, ElementType::float32,
                     ParameterSet(study.workload->facts().parameters)};
    study.initial = {.size = size, .cell = ElementType::float32, .seed = 3};
    study.backend = Backend::simt;
    study.time = false;
    study.cpu_threads = 1;
    study.generations = 6;
    Variant variant;
    variant.info.workload = "transfer_overlap";
    variant.info.cell = ElementType::float32;
    variant.info.technique = {"planted", "", ""};
    variant.factories[Backend::simt] = factory;
    return CaseRunner(study).run(variant).record.status;
}

template <class E>
results::Status status_of(Issue issue, int streams) {
    return status_of([=](Queue& queue, const Problem& problem) {
        return std::make_unique<E>(queue, problem,
                                   Pass{.issue = issue,
                                        .streams = streams,
                                        .uploads = true,
                                        .computes = true,
                                        .downloads = true});
    });
}

}  // namespace

TEST_CASE("a pass whose streams do not wait is found wrong", "[transfer_overlap][queues]") {
    for (const Issue issue : {Issue::breadth_first, Issue::depth_first})
        for (const int streams : {1, 2, 4}) {
            CAPTURE(streams);
            CHECK(status_of<PassExecution>(issue, streams) == results::Status::ok);
            CHECK(status_of<NoFork>(issue, streams) == results::Status::failed);
            CHECK(status_of<NoJoin>(issue, streams) == results::Status::failed);
        }
}

TEST_CASE("a transfer that was not made is found, alone as well", "[transfer_overlap]") {
    const auto status = [](Pass pass, bool forgets) {
        return status_of([=](Queue& queue, const Problem& problem) {
            return std::make_unique<ForgetfulExecution>(queue, problem, pass, forgets);
        });
    };
    for (const HostMemory memory : {HostMemory::pinned, HostMemory::pageable})
        for (const Pass& pass :
             {Pass{.memory = memory, .uploads = true}, Pass{.memory = memory, .downloads = true},
              Pass{.memory = memory, .computes = true, .downloads = true}}) {
            CHECK(status(pass, false) == results::Status::ok);
            CHECK(status(pass, true) == results::Status::failed);
        }
}

}  // namespace camber::missing_waits_test
