// Water-flow kernels on the executor compared with the serial reference in double.
#include <cmath>
#include <string>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/access_checker.hpp"
#include "tests/catch.hpp"
#include "variants/water/water_flow/execution.hpp"
#include "workloads/water/water_flow/reference.hpp"

namespace camber::water_flow::water_flow_test {
namespace {

template <class T>
struct Named {
    const char* name;
    WaterFlowTechnique<T> technique;
};

template <class T>
std::vector<Named<T>> techniques() {
    return {{"global", water_flow_global<T>()},
            {"shared, width 19", water_flow_shared<T, published_buffer_width>()},
            {"shared, width 18", water_flow_shared<T, narrow_buffer_width>()}};
}

// Field in double after 0, 1, ... steps, and the exchange with sources until then.
struct Truth {
    explicit Truth(Size size)
        : state(water_flow::random_state<double>(size)),
          initial_water(water_flow::water<double>(state)) {}
    void advance() {
        const water_flow::Exchange exchange = water_flow::step<double>(state);
        gained += exchange.added - exchange.drained;
    }
    State state;
    double initial_water;
    double gained = 0;
};

// Largest difference from the truth in units of 1 + |level|.
template <class T>
double worst_level(const State& state, const Truth& truth) {
    const auto level = state.field("level").cells<T>();
    const auto expected = truth.state.field("level").template cells<double>();
    double worst = 0;
    for (std::size_t i = 0; i < level.size(); ++i) {
        const double difference =
            std::abs(static_cast<double>(level[i]) - expected[i]) / (1 + std::abs(expected[i]));
        if (!(difference <= worst)) worst = difference;  // a NaN is the worst
    }
    return worst;
}

template <class T>
void compare(Size size, std::initializer_list<int> instants, double tolerance) {
    simt::HostQueue queue(1);
    for (const auto& [name, technique] : techniques<T>()) {
        Truth truth(size);
        WaterFlowExecution<T> execution(queue, size, technique);
        State state = water_flow::random_state<T>(size);
        execution.upload(state);
        int t = 0;
        for (const int instant : instants) {
            execution.advance(instant - t);
            for (; t < instant; ++t) truth.advance();
            execution.download(state);
            CAPTURE(name, size.columns, size.rows, t);
            CHECK(worst_level<T>(state, truth) <= tolerance);
            const double balance =
                water_flow::water<T>(state) - (truth.initial_water + truth.gained);
            CHECK(std::abs(balance) <= 1e-6 * truth.initial_water);
        }
    }
}

}  // namespace

TEST_CASE("water-flow kernels follow the double reference for 100 steps", "[water_flow]") {
    compare<float>({64, 64}, {1, 10, 100}, 1e-5);
    compare<double>({64, 64}, {1, 10}, 1e-14);
}

TEST_CASE("water-flow kernels run on fields of any size", "[water_flow]") {
    for (const Size size : {Size{1, 1}, Size{3, 3}, Size{5, 40}, Size{16, 16}, Size{17, 15},
                            Size{32, 9}, Size{67, 35}}) {
        compare<float>(size, {1, 2, 10}, 1e-5);
        compare<double>(size, {10}, 1e-13);
    }
}

TEST_CASE("water-flow kernels are clean", "[water_flow][check]") {
    for (const Size size : {Size{48, 32}, Size{37, 21}})
        for (const auto& [name, technique] : techniques<float>()) {
            CAPTURE(name, size.columns);
            AccessChecker checker(2);
            simt::HostQueue queue(1);
            queue.set_observer(&checker);
            queue.executor().set_recorder(&checker);
            WaterFlowExecution<float> execution(queue, size, technique);
            execution.upload(water_flow::random_state<float>(size));
            execution.advance(1);
            execution.poison(Poison::first);
            execution.advance(1);
            for (const Finding& finding : checker.findings())
                FAIL_CHECK(describe(finding.kind) << " " << finding.sites);
        }
}

TEST_CASE("a distribution without best levels is found", "[water_flow][check]") {
    AccessChecker checker(1);
    simt::HostQueue queue(1);
    queue.set_observer(&checker);
    queue.executor().set_recorder(&checker);
    constexpr Size size{20, 16};
    WaterFlowExecution<float> execution(queue, size, water_flow_global<float>());
    execution.upload(water_flow::random_state<float>(size));
    execution.distribute();
    std::int64_t reads = 0;
    for (const Finding& finding : checker.findings()) {
        CHECK(finding.kind == FindingKind::unwritten_global);
        reads += static_cast<std::int64_t>(finding.count);
    }
    // Five best levels per cell, except those in the halo.
    CHECK(reads == 5 * size.cells() - 2 * (size.columns + size.rows));
}

}  // namespace camber::water_flow::water_flow_test
