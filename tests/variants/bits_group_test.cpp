// Life in bits on several devices: bit-equal to the reference.
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/exchange_ways.hpp"
#include "tests/variants/group_runs.hpp"
#include "variants/techniques/row_stream.hpp"
#include "workloads/life/bits.hpp"

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

TEST_CASE("kernels send Life in bits themselves", "[bits][group]") {
    for (const Scene& scene : {board({320, 37}, Boundary::dead), board({333, 37}, Boundary::dead),
                               board({333, 41}, Boundary::dead, "B36/S23")}) {
        CAPTURE(scene.problem.size.columns, scene.problem.parameters.rule());
        const Expected expected = expected_after(scene, {1, 2, 9});
        for (const ExchangePath path : {ExchangePath::kernel, ExchangePath::persistent})
            for (const char* kernel :
                 {"row_stream/64x4/v4/r2/align128", "row_stream/32x4/v4/r2/align128"}) {
                check_steps(kernel, scene, choice_of({2, 1, 3}, {path, true}), expected);
                for (const int places : {1, 2, 5})
                    check_steps(kernel, scene, choice_of(places, {path, true}), expected);
            }
    }
}

namespace {

// Faulty kernel that does not clear the bits beyond the board's edge in a row's last word.
__global__ void keeps_bits_beyond(const Views<LifeBits<1>> views, const Link<LifeBits<1>> link) {
    const LinkedBlock block(link);
    stream_rows<4, 2, Fit::overhang>(views, block.row());
    block.send(views);
}
__global__ void clears_bits_beyond(const Views<LifeBits<1>> views, const Link<LifeBits<1>> link) {
    const LinkedBlock block(link);
    stream_rows<4, 2, Fit::overhang>(views, block.row(), blockIdx.x);
    block.send(views);
}

bool is_right(LinkedKernel<LifeBits<1>> kernel, int columns) {
    const Scene scene = board({columns, 37}, Boundary::dead);
    std::vector<StepPlan> plans;
    Catalogue<LifeBits<1>>(plans).add(
        RowStream::info,
        {.shape = {.block = {32, 4}, .region = {128, 8}, .halo = 1, .alignment = 128},
         .kernel = {row_stream_kernel<LifeBits<1>, 4, 2, Fit::overhang>},
         .linked_kernel = {kernel}});
    simt::HostQueue lead(1);
    const GroupChoice choice = choice_of(3, {ExchangePath::kernel, true});
    const auto pipeline =
        divide<RowPartition>(std::make_unique<Group>(lead, choice.devices), choice.exchange,
                             scene.problem, plans, choice.division);
    pipeline->upload(scene.start);
    pipeline->advance(9);
    State state = scene.start;
    pipeline->download(state);
    return scene.are_same(state, scene.after(9));
}

}  // namespace

TEST_CASE("bits that are sent although they are no cells are found out", "[bits][group][mutants]") {
    CHECK(is_right(clears_bits_beyond, 333));
    CHECK_FALSE(is_right(keeps_bits_beyond, 333));
    CHECK(is_right(keeps_bits_beyond, 320));
}

TEST_CASE("Life in bits may be stored transposed", "[bits][group][transposed]") {
    for (const Size size : {Size{37, 320}, Size{50, 333}}) {
        const Scene scene = board(size, Boundary::dead);
        const Expected expected = expected_after(scene, {1, 2, 9});
        for (const char* kernel : kernels)
            for (const ExchangePath path : {ExchangePath::copies, ExchangePath::staged}) {
                GroupChoice choice = choice_of({2, 1, 3}, {path, true});
                choice.division.partition = Partition::transposed;
                check_steps(kernel, scene, choice, expected);
            }
        GroupChoice linked = choice_of({2, 1, 3}, {ExchangePath::kernel, true});
        linked.division.partition = Partition::transposed;
        check_steps("row_stream/64x4/v4/r2/align128", scene, linked, expected);
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
