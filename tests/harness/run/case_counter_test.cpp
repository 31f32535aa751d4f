// Counters kernel by kernel: which kernel they are of, and what becomes of a launch where that
// cannot be told.
#include "harness/run/case_counter.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/profile/kernel_traffic.hpp"
#include "harness/counters/counter_error.hpp"
#include "harness/run/kernel_counters_record.hpp"
#include "tests/catch.hpp"
#include "tests/harness/run/counted_pipeline.hpp"
#include "tests/results/schema_check.hpp"

namespace camber {
namespace {

using namespace run_test;

std::vector<std::string> names(const CaseResult& result) {
    std::vector<std::string> names;
    for (const KernelCounters& kernel : result.kernel_counters) names.push_back(kernel.name);
    return names;
}

TEST_CASE("counters of single kernels stand in order of launch, beside their predictions",
          "[counters][run]") {
    CountedPipeline pipeline;
    pipeline.launches.counted[4]["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] += 1;
    const CaseResult& result = pipeline.count();
    REQUIRE(names(result) ==
            std::vector<std::string>{"rain", "fill", "infiltration", "library", "flow"});
    CHECK(pipeline.instruments.failures.empty());
    for (std::size_t i = 0; i < 5; ++i)
        CHECK(result.kernel_counters[i].counters == pipeline.launches.counted[i]);
    CHECK(result.kernel_counters[0].predicted == 0u);
    CHECK_FALSE(result.kernel_counters[1].predicted);
    CHECK(result.kernel_counters[2].predicted == 1u);
    CHECK_FALSE(result.kernel_counters[3].predicted);
    CHECK(result.kernel_counters[4].predicted == 2u);
    CHECK(result.kernel_counters[1].comparisons.empty());

    REQUIRE(result.kernel_counters[2].comparisons.size() == 4);
    CHECK(result.kernel_counters[2].comparisons[0].quantity == "global_load_requests");
    CHECK(result.kernel_counters[2].comparisons[0].predicted == 192);
    CHECK(all_agree(result.kernel_counters[0].comparisons));
    CHECK(all_agree(result.kernel_counters[2].comparisons));
    // One request too many.
    CHECK_FALSE(result.kernel_counters[4].comparisons[0].agrees);
    CHECK(result.kernel_counters[4].comparisons[1].agrees);
}

TEST_CASE("kernels are counted from the initial state in every pass", "[counters][run]") {
    CountedPipeline pipeline;
    pipeline.count();
    // The launch as a whole, the names, two passes.
    CHECK(pipeline.device.done == "uauauaua");
    CHECK(static_cast<Reader&>(*pipeline.instruments.counters).room == 5);
    CountedPipeline cold;
    cold.result.conditions.cache = CacheState::cold;
    cold.count();
    CHECK(cold.device.done == "ueaueaueauea");
}

TEST_CASE("a kernel that is launched twice is counted twice", "[counters][run]") {
    CountedPipeline pipeline;
    pipeline.launches.symbols = {"rain_kernel", "rain_kernel"};
    pipeline.launches.counted = {counts(1, 2, 3, 4), counts(5, 6, 7, 8)};
    const CaseResult& result = pipeline.count();
    REQUIRE(names(result) == std::vector<std::string>{"rain", "rain"});
    CHECK(result.kernel_counters[0].counters == counts(1, 2, 3, 4));
    CHECK(result.kernel_counters[1].counters == counts(5, 6, 7, 8));
    // They are not the kernels of the model, and none is taken for one of them.
    CHECK_FALSE(result.kernel_counters[0].predicted);
    CHECK(describe_failures(pipeline.instruments.failures) ==
          std::vector<std::string>{
              "going on without the prediction of the kernels of "
              "surface_water/global/three_kernels/16x16: it launches rain, rain, where the model "
              "has rain, infiltration, flow"});
    CHECK(result.model);
}

TEST_CASE("the counters of a single kernel are those of its launch", "[counters][run]") {
    CountedPipeline pipeline;
    pipeline.launches.symbols = {"flow_kernel"};
    pipeline.launches.counted = {counts(1, 2, 3, 4)};
    const CaseResult& result = pipeline.count();
    CHECK(pipeline.launches.counters_asked == 0);
    REQUIRE(names(result) == std::vector<std::string>{"flow"});
    CHECK(result.kernel_counters[0].counters == result.counters);
}

TEST_CASE("a launch whose kernels cannot be told apart is counted as a whole", "[counters][run]") {
    CountedPipeline pipeline;
    std::string what = "counters of the kernels of surface_water/global/three_kernels/16x16";
    std::string why;
    SECTION("the counters see other kernels than the clock") {
        pipeline.launches.counted.pop_back();
        why = "the counters saw 4 kernels, and the kernel clock 5";
    }
    SECTION("there are more than there is room for") {
        pipeline.launches.symbols.assign(513, "rain_kernel");
        why = "a launch of it has 513 kernels, and at most 512 are told apart";
    }
    const CaseResult& result = pipeline.count();
    CHECK(result.kernel_counters.empty());
    CHECK_FALSE(result.counters.empty());
    CHECK(result.model);
    CHECK(pipeline.instruments.failures == std::map<std::string, std::string>{{what, why}});
    // The next variant may be another matter.
    pipeline.count();
    CHECK(pipeline.launches.clock_asked == 2);
}

TEST_CASE(
    "without an instrument for single kernels the launch is counted, and the reason told once",
    "[counters][run]") {
    CountedPipeline pipeline;
    int clock_asked = 1;
    int counters_asked = 0;
    std::string sentence = "going on without counters of single kernels: ";
    SECTION("the clock is refused") {
        pipeline.launches.clock_error = 39;
        sentence += counters::counter_error(39, "timing").what();
    }
    SECTION("the counters are refused") {
        pipeline.launches.counter_error = 35;
        counters_asked = 1;
        sentence += counters::counter_error(35, "counting").what();
    }
    SECTION("there is no clock") {
        pipeline.instruments.kernel_clock.reset();
        clock_asked = 0;
        sentence += "no kernel clock tells which ones they are";
    }
    SECTION("the clock has been put away") {
        pipeline.instruments.kernel_clock.reset();
        pipeline.instruments.failures["kernel times"] = "held";
        clock_asked = 0;
        sentence = "going on without counters of single kernels and kernel times: held";
    }
    for (int visit = 0; visit < 2; ++visit) {
        const CaseResult& result = pipeline.count();
        CHECK(result.kernel_counters.empty());
        CHECK_FALSE(result.counters.empty());
        CHECK(result.model);
    }
    CHECK(pipeline.launches.clock_asked == clock_asked);
    CHECK(pipeline.launches.counters_asked == counters_asked);
    CHECK(describe_failures(pipeline.instruments.failures) == std::vector<std::string>{sentence});
}

TEST_CASE("counters of single kernels go through a results file and come back",
          "[counters][results]") {
    CountedPipeline pipeline;
    pipeline.launches.counted[4]["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] += 1;
    const nlohmann::ordered_json kernels = kernel_counters_record(pipeline.count());
    REQUIRE(kernels.size() == 5);
    CHECK(kernels[0]["name"] == "rain");
    CHECK(kernels[0]["symbol"] == "rain_kernel");
    CHECK(kernels[0]["model"]["launches"] == 1);
    CHECK(kernels[0]["model"]["global_store_sectors"] == 384);
    CHECK(kernels[0]["model"]["agrees"] == true);
    CHECK_FALSE(kernels[1].contains("model"));
    CHECK(kernels[4]["model"]["agrees"] == false);

    const std::filesystem::path root = CAMBER_SOURCE_DIR;
    std::ifstream file(root / "tests/results/valid_document.json");
    auto document = nlohmann::json::parse(file);
    document["benchmarks"][0]["camber"]["kernel_counters"] = kernels;
    CHECK(schema_violations(document, root / "results/schema/camber-results.schema.json").empty());

    const auto traffic =
        profile::kernel_traffic(nlohmann::ordered_json{{"kernel_counters", kernels}});
    REQUIRE(traffic.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(traffic[i].counters == pipeline.launches.counted[i]);
        CHECK(traffic[i].comparisons.size() ==
              pipeline.result.kernel_counters[i].comparisons.size());
    }
    CHECK(all_agree(traffic[2].comparisons));
    CHECK_FALSE(all_agree(traffic[4].comparisons));
}

TEST_CASE("kernels that are nobody's own are called by what is known of them", "[counters][run]") {
    std::vector<KernelFacts> own(1);
    own[0].name = "flux";
    own[0].symbol = "_Z4fluxv";
    CHECK(name_of_kernel("_Z4fluxv", own) == "flux");
    CHECK(name_of_kernel(CountedPipeline::minimum, own) == "library");
    CHECK(name_of_kernel(CountedPipeline::fill, own) == "fill");
    CHECK(name_of_kernel("_Z5otherv", own) == "_Z5otherv");
}

}  // namespace
}  // namespace camber
