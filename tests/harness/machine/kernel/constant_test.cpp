// Fields in constant memory on the executor.
#include "harness/machine/kernel/constant.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::constant_test {
namespace {

struct Accesses final : simt::Recorder {
    std::vector<simt::Access> seen;
    void record(const simt::Access& access) override {
        if (access.space == Space::constant) seen.push_back(access);
    }
};

template <class T>
__global__ void fetch(const ConstantGrid<T> constant, const Grid<T> out, int drow, int dcol) {
    out(threadIdx.y, threadIdx.x) = constant(threadIdx.y + drow, threadIdx.x + dcol);
}

// Uploads `values` to byte `offset` of constant memory.
template <class T>
void put(Queue& queue, std::size_t offset, const std::vector<T>& values) {
    queue.copy(constant_address<T>() + offset, values.data(), values.size() * sizeof(T));
}

constexpr LaunchShape three_by_two{{1}, {3, 2}};

TEST_CASE("constant memory holds fields side by side, row by row", "[simt][constant]") {
    simt::HostQueue queue(1);
    const std::vector<float> first{1, 2, 3, 4, 5, 6}, second{7, 8, 9, 10, 11, 12};
    put(queue, 0, first);
    put(queue, 32, second);
    Board<float> out(3, 2);
    launch(queue, "fetch", three_by_two, fetch<float>, ConstantGrid<float>(0, 3, 2, "first"),
           out.grid(), 0, 0);
    CHECK(out.cells == first);
    launch(queue, "fetch", three_by_two, fetch<float>, ConstantGrid<float>(32, 3, 2, "second"),
           out.grid(), 0, 0);
    CHECK(out.cells == second);
}

TEST_CASE("loads of constant memory are recorded as such", "[simt][constant]") {
    simt::HostQueue queue(1);
    put(queue, constant_capacity - 6, std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6});
    Accesses accesses;
    queue.executor().set_recorder(&accesses);
    Board<std::uint8_t> out(3, 2);
    launch(queue, "fetch", three_by_two, fetch<std::uint8_t>,
           ConstantGrid<std::uint8_t>(constant_capacity - 6, 3, 2, "last"), out.grid(), 0, 0);
    CHECK(out.cells == std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6});
    REQUIRE(accesses.seen.size() == 6);
    for (int i = 0; i < 6; ++i) {
        CHECK(accesses.seen[i].address == constant_address<int>() + constant_capacity - 6 + i);
        CHECK(accesses.seen[i].size == 1);
        CHECK(accesses.seen[i].operation == Operation::load);
    }
}

TEST_CASE("a field in constant memory has no halo", "[simt][constant]") {
    simt::HostQueue queue(1);
    Board<float> out(3, 2);
    const auto fault = [&](int drow, int dcol) {
        return fault_of([&] {
            launch(queue, "fetch", three_by_two, fetch<float>,
                   ConstantGrid<float>(0, 3, 2, "terrain"), out.grid(), drow, dcol);
        });
    };
    CHECK_THAT(fault(0, 1),
               contains("row 0, column 3 of field `terrain`") && contains("[constant_test.cpp:"));
    CHECK_THAT(fault(0, -1), contains("row 0, column -1"));
    CHECK_THAT(fault(1, 0), contains("row 2, column 0"));
    CHECK_THAT(fault(-1, 0), contains("row -1, column 0"));
}

TEST_CASE("a field at an offset that its elements do not divide is a fault", "[simt][constant]") {
    simt::HostQueue queue(1);
    Board<float> out(3, 2);
    CHECK_THAT(fault_of([&] {
                   launch(queue, "fetch", three_by_two, fetch<float>,
                          ConstantGrid<float>(2, 3, 2, "odd"), out.grid(), 0, 0);
               }),
               contains("accesses 4 bytes of field `odd` at an address that is 2 bytes past a "
                        "multiple of 4"));
}

}  // namespace
}  // namespace camber::constant_test
