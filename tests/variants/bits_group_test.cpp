// Life in bits on several places: bit by bit what the reference computes.
#include <string>
#include <vector>

#include "harness/base/unsupported.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/exchange_ways.hpp"
#include "tests/variants/group_runs.hpp"

namespace camber::bits_group_test {
namespace {

using namespace group_runs;

// 320 columns are whole words, 333 are not.
Scene board(Size size, Boundary boundary, const std::string& rule = "B3/S23") {
    const Workload& workload = *find_workload("life");
    const InitialConditions conditions{
        .size = size, .cell = ElementType::bits, .seed = 5, .density = 0.4};
    ParameterSet parameters = workload.parameters_for(conditions);
    parameters.set_rule(rule);
    return {workload,
            {size, boundary, ElementType::bits, parameters},
            workload.initial(conditions),
            {"cells"}};
}

constexpr const char* kernels[] = {"packed/64x4/v4/r4/align128", "row_stream/64x4/v4/r2/align128",
                                   "halo/64x4/align128"};

}  // namespace

TEST_CASE("Life in bits on several places is Life on one", "[bits][group]") {
    for (const Scene& scene : {board({320, 37}, Boundary::dead), board({320, 37}, Boundary::torus),
                               board({333, 37}, Boundary::dead)}) {
        CAPTURE(scene.problem.size.columns, name(scene.problem.boundary));
        const Expected expected = expected_after(scene, {1, 2, 9});
        for (const char* kernel : kernels)
            for (const Exchange& exchange : exchanges())
                check_steps(kernel, scene, choice_of({2, 1, 3}, exchange), expected);
        for (const int places : {1, 2, 5, 7})
            check_steps(kernels[0], scene, choice_of(places, {ExchangePath::stores, true}),
                        expected);
        GroupChoice deep = choice_of({1, 2}, {ExchangePath::copies, true});
        deep.division.halo_depth = 3;
        check_steps(kernels[0], scene, deep, expected);
        GroupChoice whole = choice_of({1, 2}, {ExchangePath::everything, false});
        whole.division.allocation = Allocation::whole;
        check_steps(kernels[0], scene, whole, expected);
    }
}

TEST_CASE("any rule in bits works on several places", "[bits][group]") {
    const Scene scene = board({320, 29}, Boundary::torus, "B36/S23");
    const Expected expected = expected_after(scene, {6});
    CHECK_FALSE(scene.are_same(expected[0].second, board({320, 29}, Boundary::torus).after(6)));
    for (const char* kernel : kernels)
        check_steps(kernel, scene, choice_of(3, {ExchangePath::copies, true}), expected);
}

TEST_CASE("where Life in bits cannot be divided is said", "[bits][group]") {
    const auto refused = [](const Scene& scene, const GroupChoice& choice) {
        simt::HostQueue lead(1);
        const auto& factories =
            executor_variant(std::string("life/") + kernels[0], ElementType::bits).group_factories;
        REQUIRE(factories.contains(Backend::simt));
        try {
            factories.at(Backend::simt)(lead, scene.problem, choice);
        } catch (const Unsupported& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    GroupChoice choice = choice_of(2, {ExchangePath::copies, true});
    CHECK_THAT(refused(board({333, 37}, Boundary::torus), choice),
               contains("a torus of 333 columns of bits ends inside a group of 32"));
    choice.division.partition = Partition::columns;
    CHECK_THAT(refused(board({320, 37}, Boundary::dead), choice),
               contains("columns cannot be divided: a word has bits of several"));
    CHECK(executor_variant("life/bit_stream/32x1/s4/n8/r64/p4/align128", ElementType::bits)
              .undivided.find("whole board in one place") != std::string::npos);
}

}  // namespace camber::bits_group_test
