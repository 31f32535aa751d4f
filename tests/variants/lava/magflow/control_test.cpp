// Kernels of MAGFLOW outside of its stencil on the executor: a known history for every way to find
// the step length and the vents' rates, and the accuracy of compensated sums over the steps.
#include <cmath>
#include <map>
#include <string>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::control_test {
namespace {

const Variant& variant_named(const std::string& name) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == name && variant.info.cell == ElementType::float32 &&
            variant.factories.contains(Backend::simt))
            return variant;
    throw std::logic_error("no variant " + name);
}

// State of the valley after some steps of a variant.
class ValleyRun {
  public:
    ValleyRun(const std::string& name, const ParameterSet& set)
        : problem_{{64, 64}, Boundary::dead, ElementType::float32, set},
          state_(
              magflow::initial_state(magflow::valley(), ElementType::float32, magflow::capacity)),
          execution_(variant_named(name).factories.at(Backend::simt)(queue_, problem_)) {
        execution_->upload(state_);
    }
    const State& after(int steps) {
        execution_->poison(Poison::first);
        execution_->advance(steps - done_);
        done_ = steps;
        execution_->download(state_);
        return state_;
    }

  private:
    simt::HostQueue queue_{1};
    Problem problem_;
    State state_;
    std::unique_ptr<Execution> execution_;
    int done_ = 0;
};

std::uint64_t checksum(const HostField& field) {
    Checksum sum;
    for (const std::byte byte : field.bytes()) sum.add(static_cast<std::uint8_t>(byte));
    return sum.value();
}

const char* const same_bits[] = {
    "magflow/library_minimum/four_kernels/64x4/align128",
    "magflow/read_back/four_kernels/64x3/align128",
    "magflow/two_pass_minimum/four_kernels/64x3/align128",
    "magflow/vent_gpu/four_kernels/64x4/align128",
    "magflow/vent_table/three_kernels/64x3/align128",
    "magflow/vent_cpu/three_kernels/64x4/align128",
    "magflow/tile_gather/four_kernels/16x16/align128",
    "magflow/tile_gather/four_kernels/64x3/align128",
    "magflow/published/8x8/align128",
    "magflow/published/1x64/align128",
    "magflow/published/192x1/align128",
    "magflow/published/64x3/l1/align128",
    "magflow/published/64x4/shared/align128",
};

}  // namespace

TEST_CASE("other minima, vents and staging keep the history of lava in a valley", "[magflow]") {
    // Checksums of the thickness in single precision, sums of the flux compensated.
    const std::map<int, std::uint64_t> history{{1, 0x8a3d6d8af157dc25},
                                               {2, 0x6986258c42f364a4},
                                               {10, 0x698e63f87ca3d291},
                                               {100, 0x9b965f6e2f235241}};
    for (const char* name : same_bits) {
        CAPTURE(name);
        CHECK(variant_named(name).info.arithmetic == Arithmetic::canonical);
        ValleyRun run(name, magflow::etna());
        for (const auto& [step, sum] : history) {
            CAPTURE(step);
            CHECK(checksum(run.after(step).field("thickness")) == sum);
        }
    }
}

TEST_CASE("compensated sums over the steps lose less lava than plain ones", "[magflow]") {
    CHECK(variant_named("magflow/kahan_update/four_kernels/64x4/align128").info.arithmetic ==
          Arithmetic::reordered);
    // Volume of lava minus the volume that the vent emitted, m^3: 30 m^3/s in cells of 100 m^2.
    const auto error = [](const char* name, int steps) {
        ValleyRun run(name, magflow::etna());
        const State& state = run.after(steps);
        const double volume = 100 * (magflow::total(state.field("thickness")) +
                                     magflow::total(state.field("solidified")));
        return std::abs(volume - 30 * magflow::time_of(state));
    };
    const double plain = error("magflow/halo/four_kernels/64x4/align128", 300);
    const double kahan = error("magflow/kahan_update/four_kernels/64x4/align128", 300);
    CAPTURE(plain, kahan);
    CHECK(kahan < plain / 2);
}

TEST_CASE("variants of MAGFLOW say how often the host waits for the device", "[magflow]") {
    const auto waits = [](const char* name) {
        for (const Parameter& parameter : variant_named(name).info.parameters)
            if (parameter.name == "host_waits") return std::get<std::int64_t>(parameter.value);
        return std::int64_t{0};
    };
    CHECK(waits("magflow/read_back/four_kernels/64x4/align128") == 1);
    CHECK(waits("magflow/vent_cpu/three_kernels/64x4/align128") == 2);
    CHECK(waits("magflow/library_minimum/four_kernels/64x4/align128") == 0);
    CHECK(waits("magflow/vent_table/three_kernels/64x4/align128") == 0);
}

TEST_CASE("a variant whose host waits is left out where launches are replayed", "[magflow]") {
    Study study;
    study.workload = find_workload("magflow");
    const Size size{20, 10};
    study.problem = {size, Boundary::dead, ElementType::float32,
                     ParameterSet(study.workload->facts().parameters)};
    study.initial = {.size = size, .cell = ElementType::float32, .seed = 8, .density = 0.2};
    study.backend = Backend::simt;
    study.time = false;
    study.cpu_threads = 1;
    CaseRunner runner(study);
    constexpr Conditions graph{CacheState::hot, Submission::graph};
    for (const char* name :
         {"magflow/published/64x3/align128", "magflow/read_back/four_kernels/64x4/align128",
          "magflow/vent_cpu/three_kernels/64x4/align128"}) {
        CAPTURE(name);
        const Variant& variant = variant_named(name);
        const CaseResult replayed = runner.run({&variant, graph});
        CHECK(replayed.record.status == results::Status::skipped);
        CHECK_FALSE(replayed.record.verification);
        CHECK_THAT(replayed.record.reason, contains("its host takes part between launches"));
        CHECK(runner.run(variant).record.status == results::Status::ok);
    }
    const Variant& other = variant_named("magflow/library_minimum/four_kernels/64x4/align128");
    CHECK(runner.run({&other, graph}).record.status == results::Status::ok);
}

TEST_CASE("what minima without atomic operations ask of the memory follows from small boards",
          "[magflow]") {
    const Workload& workload = *find_workload("magflow");
    const Size size{650, 310};
    const Problem problem{size, Boundary::dead, ElementType::float32,
                          ParameterSet(workload.facts().parameters)};
    const InitialData initial{
        &workload,
        {.size = size, .cell = ElementType::float32, .seed = 5, .density = 0.3},
        nullptr};
    const Architecture architecture = parse_architecture("sm_90");
    for (const char* name : {"magflow/two_pass_minimum/four_kernels/64x3/align128",
                             "magflow/library_minimum/four_kernels/64x4/align128"}) {
        CAPTURE(name);
        const Variant& variant = variant_named(name);
        const Prediction quick = predict(variant, problem, initial, architecture);
        const Prediction full =
            predict(variant, problem, initial, architecture, {.may_extrapolate = false});
        CHECK(quick.data_dependent == false);
        CHECK(full.method == Method::simulated);
        REQUIRE(quick.kernels.size() == full.kernels.size());
        for (std::size_t k = 0; k < full.kernels.size(); ++k) {
            CAPTURE(full.kernels[k].kernel);
            CHECK(quick.kernels[k].model.counts == full.kernels[k].model.counts);
        }
    }
}

TEST_CASE("the host refuses a step of no length", "[magflow]") {
    // The share is 0 in single precision: no lava may flow in a step.
    const ParameterSet set = magflow::changed(magflow::etna(), {{"step_share", 1e-60}});
    ValleyRun run("magflow/read_back/four_kernels/64x4/align128", set);
    CHECK_THROWS_WITH(run.after(3), contains("step 1 of magflow would last 0.0"));
}

}  // namespace camber::control_test
