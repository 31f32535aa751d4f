// Reads the counters of several cases, with a stop in between.
#include "harness/measure/counting_pass.hpp"

#include <string>
#include <vector>

#include "harness/base/process.hpp"
#include "tests/catch.hpp"
#include "tests/harness/measure/counted_pipeline.hpp"

namespace camber::counting_pass_test {
namespace {

using namespace run_test;

// Requests a stop after `stop_after_launches` launches have been counted.
struct StoppingReader final : counters::CounterReader {
    StoppingReader(Launches& told, int stop_after_launches)
        : reader(told), left(stop_after_launches) {}
    ~StoppingReader() override { stop_after(1e6); }
    Counts measure(const std::function<void()>& restore,
                   const std::function<void()>& work) override {
        if (--left == 0) stop_after(0);
        return reader.measure(restore, work);
    }
    std::vector<Counts> measure_kernels(const std::function<void()>& restore,
                                        const std::function<void()>& work,
                                        std::size_t most) override {
        return reader.measure_kernels(restore, work, most);
    }
    Reader reader;
    int left;
};

// Cases that a pass over three cases reports.
std::vector<CaseResult> told_of(int stop_after_launches) {
    CountedPipeline pipeline;
    Variant variant = *pipeline.result.variant;
    variant.factories[Backend::cuda] = [](Queue& queue, const Problem&) {
        return std::make_unique<Launched>(static_cast<Device&>(queue));
    };
    pipeline.result.variant = &variant;
    pipeline.instruments.counters =
        std::make_unique<StoppingReader>(pipeline.launches, stop_after_launches);
    WallClock clock;
    CountingPass pass(pipeline.study, pipeline.device, pipeline.initial, pipeline.instruments,
                      clock);
    std::vector<CaseResult> told;
    for (const char* const name : {"a", "b", "c"}) {
        pipeline.result.record.name = name;
        pass.add(pipeline.result);
    }
    pass.run(
        {.counting = {}, .counted = [&](const CaseResult& result) { told.push_back(result); }});
    return told;
}

TEST_CASE("all cases are told of once they are counted and predicted", "[counters][run]") {
    const auto told = told_of(0);
    REQUIRE(told.size() == 3);
    for (const CaseResult& result : told) {
        CHECK_FALSE(result.record.counters.empty());
        CHECK_FALSE(result.record.kernel_counters.empty());
        CHECK(result.record.model);
    }
}

TEST_CASE("what was counted before a stop is told of", "[counters][run]") {
    const auto told = told_of(2);
    REQUIRE(told.size() == 2);
    CHECK(told[0].record.name == "a");
    CHECK(told[1].record.name == "b");
    for (const CaseResult& result : told) {
        CHECK_FALSE(result.record.counters.empty());
        CHECK_FALSE(result.record.model);
    }
}

}  // namespace
}  // namespace camber::counting_pass_test
