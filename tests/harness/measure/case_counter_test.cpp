// Counters per kernel: their assignment to kernels, and launches for which it is impossible.
#include "harness/measure/counting_pass.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/counters/cupti_host.hpp"
#include "harness/record/fields.hpp"
#include "tests/catch.hpp"
#include "tests/harness/measure/counted_pipeline.hpp"
#include "tests/results/schema_check.hpp"

namespace camber::case_counter_test {
namespace {

using namespace run_test;

std::vector<std::string> names(const CaseResult& result) {
    std::vector<std::string> names;
    for (const results::KernelCounters& kernel : result.record.kernel_counters)
        names.push_back(kernel.name);
    return names;
}

// Comparison of a kernel's counters with its prediction.
std::vector<CounterComparison> comparisons(const results::KernelCounters& kernel) {
    if (!kernel.model) return {};
    return compare_with_counters(kernel.model->quantities, kernel.counters);
}

TEST_CASE("counters of single kernels stand in order of launch, beside their predictions",
          "[counters][run]") {
    CountedPipeline pipeline;
    pipeline.launches.counted[4]["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] += 1;
    const CaseResult& result = pipeline.count();
    REQUIRE(names(result) ==
            std::vector<std::string>{"rain", "fill", "infiltration", "library", "flow"});
    CHECK(pipeline.instruments.failures.empty());
    const auto& kernels = result.record.kernel_counters;
    for (std::size_t i = 0; i < 5; ++i) CHECK(kernels[i].counters == pipeline.launches.counted[i]);
    // Only the variant's own kernels are predicted.
    CHECK(kernels[0].model);
    CHECK_FALSE(kernels[1].model);
    REQUIRE(kernels[2].model);
    CHECK_FALSE(kernels[3].model);
    REQUIRE(kernels[4].model);

    CHECK(comparisons(kernels[1]).empty());
    const auto infiltration = comparisons(kernels[2]);
    REQUIRE(infiltration.size() == 4);
    CHECK(infiltration[0].quantity == "global_load_requests");
    CHECK(infiltration[0].predicted == 192);
    CHECK(all_agree(comparisons(kernels[0])));
    CHECK(all_agree(infiltration));
    CHECK(kernels[2].model->agrees == true);
    // The counter reads one request too many.
    const auto flow = comparisons(kernels[4]);
    CHECK_FALSE(flow[0].agrees);
    CHECK(flow[1].agrees);
    CHECK(kernels[4].model->agrees == false);
}

TEST_CASE("kernels are counted from the initial state in every pass", "[counters][run]") {
    CountedPipeline pipeline;
    pipeline.count();
    // One launch for the counters of the whole launch, one for the names, and two passes for single
    // kernels.
    CHECK(pipeline.device.done == "uauauaua");
    CHECK(static_cast<Reader&>(*pipeline.instruments.counters).room == 5);
    CountedPipeline cold;
    cold.result.conditions.cache = CacheState::cold;
    cold.count();
    CHECK(cold.device.done == "ueaueaueauea");
}

TEST_CASE("variants without textures are read by the counters without them", "[counters][run]") {
    CountedPipeline pipeline;
    Launches without = pipeline.launches;
    without.counted[0].clear();
    pipeline.instruments.counters_without_textures = std::make_unique<Reader>(without);
    const Variant global = *pipeline.result.variant;
    Variant texture = global;
    texture.info.technique.family = Family::texture_or_constant;
    Variant unknown = global;
    unknown.info.technique.family = Family::other;
    for (const Variant* variant : {&global, &std::as_const(texture), &std::as_const(unknown)}) {
        pipeline.result.variant = variant;
        pipeline.result.record.kernel_counters.clear();
        pipeline.count();
        REQUIRE(pipeline.result.record.kernel_counters.size() == 5);
        CHECK(pipeline.result.record.kernel_counters[0].counters.empty() == (variant == &global));
    }
    CHECK(without.counters_asked == 1);
    CHECK(pipeline.launches.counters_asked == 2);
}

TEST_CASE("a kernel that is launched twice is counted twice", "[counters][run]") {
    CountedPipeline pipeline;
    pipeline.launches.symbols = {"rain_kernel", "rain_kernel"};
    pipeline.launches.counted = {counts(1, 2, 3, 4), counts(5, 6, 7, 8)};
    const CaseResult& result = pipeline.count();
    REQUIRE(names(result) == std::vector<std::string>{"rain", "rain"});
    CHECK(result.record.kernel_counters[0].counters == counts(1, 2, 3, 4));
    CHECK(result.record.kernel_counters[1].counters == counts(5, 6, 7, 8));
    // The kernels differ from the model's, so none of them is matched.
    CHECK_FALSE(result.record.kernel_counters[0].model);
    CHECK(describe_failures(pipeline.instruments.failures) ==
          std::vector<std::string>{
              "going on without the prediction of the kernels of "
              "surface_water/global/three_kernels/16x16: it launches rain, rain, where the model "
              "has rain, infiltration, flow"});
    CHECK(result.record.model);
}

TEST_CASE("the counters of a single kernel are those of its launch", "[counters][run]") {
    CountedPipeline pipeline;
    pipeline.launches.symbols = {"flow_kernel"};
    pipeline.launches.counted = {counts(1, 2, 3, 4)};
    const CaseResult& result = pipeline.count();
    CHECK(pipeline.launches.counters_asked == 0);
    REQUIRE(names(result) == std::vector<std::string>{"flow"});
    CHECK(result.record.kernel_counters[0].counters == result.record.counters);
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
    CHECK(result.record.kernel_counters.empty());
    CHECK_FALSE(result.record.counters.empty());
    CHECK(result.record.model);
    CHECK(pipeline.instruments.failures == std::map<std::string, std::string>{{what, why}});
    // The clock is tried again for the next variant.
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
        CHECK(result.record.kernel_counters.empty());
        CHECK_FALSE(result.record.counters.empty());
        CHECK(result.record.model);
    }
    CHECK(pipeline.launches.clock_asked == clock_asked);
    CHECK(pipeline.launches.counters_asked == counters_asked);
    CHECK(describe_failures(pipeline.instruments.failures) == std::vector<std::string>{sentence});
}

TEST_CASE("counters of single kernels go through a results file and come back",
          "[counters][results]") {
    CountedPipeline pipeline;
    pipeline.launches.counted[4]["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] += 1;
    const results::Json kernels =
        results::to_json(pipeline.count().record)["camber"]["kernel_counters"];
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

    const auto back = results::parse_document(document.dump(), "again").cases[0].kernel_counters;
    REQUIRE(back.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(back[i].counters == pipeline.launches.counted[i]);
        CHECK(comparisons(back[i]).size() ==
              comparisons(pipeline.result.record.kernel_counters[i]).size());
    }
    CHECK(all_agree(comparisons(back[2])));
    CHECK_FALSE(all_agree(comparisons(back[4])));
}

TEST_CASE("kernels that are nobody's own are called by what is known of them", "[counters][run]") {
    std::vector<results::Kernel> own(1);
    own[0].name = "flux";
    own[0].symbol = "_Z4fluxv";
    CHECK(name_of_kernel("_Z4fluxv", own) == "flux");
    CHECK(name_of_kernel(CountedPipeline::minimum, own) == "library");
    CHECK(name_of_kernel(CountedPipeline::fill, own) == "fill");
    CHECK(name_of_kernel("_Z5otherv", own) == "_Z5otherv");
}

}  // namespace
}  // namespace camber::case_counter_test
