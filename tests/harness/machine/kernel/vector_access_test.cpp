// Loads and stores of CUDA's short vectors.
#include <numeric>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::vector_access_test {
namespace {

struct Sizes final : simt::Recorder {
    std::vector<std::uint32_t> seen;
    void record(const simt::Access& access) override { seen.push_back(access.size); }
};

__global__ void swap_halves(const Grid<const float4> from, const Grid<float2> to) {
    const float4 four = from(0, threadIdx.x);
    to(0, 2 * threadIdx.x) = make_float2(four.z, four.w);
    to(0, 2 * threadIdx.x + 1) = make_float2(four.x, four.y);
}

// Memory with a queue's alignment, sufficient for every vector.
struct Floats {
    explicit Floats(Queue& queue, int count) : memory(queue, count * sizeof(float)), count(count) {
        std::iota(begin(), begin() + count, 0.0f);
    }
    float* begin() const { return static_cast<float*>(memory.get()); }
    template <class T>
    Layout layout() const {
        return Layout::make(count * 4 / int(sizeof(T)), 1, 0, 0, sizeof(T));
    }
    Memory memory;
    int count;
};

TEST_CASE("vectors are loaded and stored whole", "[simt][vectors]") {
    simt::HostQueue queue(1);
    const Floats from(queue, 64), to(queue, 64);
    Sizes sizes;
    queue.executor().set_recorder(&sizes);
    launch(queue, "swap_halves", line(1, 16), swap_halves,
           Grid<const float4>(reinterpret_cast<const float4*>(from.begin()), from.layout<float4>(),
                              "from"),
           Grid<float2>(reinterpret_cast<float2*>(to.begin()), to.layout<float2>(), "to"));
    for (int i = 0; i < 64; ++i) REQUIRE(to.begin()[i] == i / 4 * 4 + (i + 2) % 4);
    REQUIRE(sizes.seen.size() == 48);
    CHECK(sizes.seen[0] == 16);
    CHECK(sizes.seen[1] == 8);
}

constexpr int load_line = __LINE__ + 2;
__global__ void load_pair(const Grid<const float2> from, const Grid<float2> to) {
    const float2 pair = from(0, threadIdx.x);
    to(0, threadIdx.x) = pair;
}

TEST_CASE("a vector at an odd element is a fault, as on the device", "[simt][vectors]") {
    simt::HostQueue queue(1);
    queue.set_label("toy/pairs");
    const Floats from(queue, 64), to(queue, 64);
    const auto sentence = fault_of([&] {
        launch(
            queue, "load_pair", line(1, 8), load_pair,
            Grid<const float2>(reinterpret_cast<const float2*>(from.begin() + 1),
                               Layout::make(8, 1, 0, 0, 8), "pairs"),
            Grid<float2>(reinterpret_cast<float2*>(to.begin()), Layout::make(8, 1, 0, 0, 8), "to"));
    });
    CHECK(sentence ==
          "toy/pairs (load_pair): block (0,0) thread (0,0): accesses 8 bytes of field `pairs` at "
          "an address that is 4 bytes past a multiple of 8 [vector_access_test.cpp:" +
              std::to_string(load_line) + "]");
}

TEST_CASE("vectors have the device's size and alignment", "[simt][vectors]") {
    static_assert(sizeof(float2) == 8 && alignof(float2) == 8);
    static_assert(sizeof(uint2) == 8 && alignof(uint2) == 8);
    static_assert(sizeof(float4) == 16 && alignof(float4) == 16);
    static_assert(sizeof(uint4) == 16 && alignof(uint4) == 16);
    static_assert(sizeof(double2) == 16 && alignof(double2) == 16);
    static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4);
    SUCCEED();
}

}  // namespace
}  // namespace camber::vector_access_test
