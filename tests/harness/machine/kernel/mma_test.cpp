// Products of small matrices by a warp, and byte instructions for kernels with one-byte cells.
#include "harness/machine/kernel/mma.hpp"

#include <vector>

#include "harness/machine/simt/vector_types.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::mma_test {
namespace {

constexpr int m = 16, n = 8, k = 32;

// Each lane loads and stores the elements that the fragment layout assigns to it.
__global__ void multiply(const Grid<const std::uint8_t> a, const Grid<const std::uint8_t> b,
                         const Grid<std::uint32_t> sums) {
    const int group = threadIdx.x / 4;
    const int place = threadIdx.x % 4;
    std::uint32_t own_a[4] = {}, own_b[2] = {}, own_sums[4] = {};
    for (int i = 0; i < 4; ++i)
        for (int byte = 0; byte < 4; ++byte)
            own_a[i] |= std::uint32_t{a(group + 8 * (i % 2), 16 * (i / 2) + 4 * place + byte)}
                        << 8 * byte;
    for (int i = 0; i < 2; ++i)
        for (int byte = 0; byte < 4; ++byte)
            own_b[i] |= std::uint32_t{b(16 * i + 4 * place + byte, group)} << 8 * byte;
    for (int i = 0; i < 4; ++i) own_sums[i] = sums(group + 8 * (i / 2), 2 * place + i % 2);
    multiply_add(own_sums, own_a, own_b);
    for (int i = 0; i < 4; ++i) sums(group + 8 * (i / 2), 2 * place + i % 2) = own_sums[i];
}

TEST_CASE("a warp's product is that of the matrices", "[simt][warp]") {
    Board<std::uint8_t> a(k, m);
    Board<std::uint8_t> b(n, k);
    Board<std::uint32_t> sums(n, m);
    std::uint64_t i = 0;
    for (auto* cells : {&a.cells, &b.cells})
        for (std::uint8_t& cell : *cells) cell = static_cast<std::uint8_t>(mix(7, i++));
    for (std::uint32_t& sum : sums.cells) sum = static_cast<std::uint32_t>(mix(7, i++));
    std::vector<std::uint32_t> expected(sums.cells.begin(), sums.cells.end());
    for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column)
            for (int inner = 0; inner < k; ++inner)
                expected[row * n + column] +=
                    std::uint32_t{a.cells[row * k + inner]} * b.cells[inner * n + column];
    simt::HostQueue queue(1);
    launch(queue, "multiply", line(1, 32), multiply, a.view(), b.view(), sums.grid());
    CHECK(std::vector<std::uint32_t>(sums.cells.begin(), sums.cells.end()) == expected);
}

TEST_CASE("bytes of words are chosen and multiplied as on the device", "[simt]") {
    CHECK(__byte_perm(0x33221100u, 0x77665544u, 0x3210) == 0x33221100u);
    CHECK(__byte_perm(0x33221100u, 0x77665544u, 0x7531) == 0x77553311u);
    CHECK(__byte_perm(0x33221100u, 0x77665544u, 0x6543) == 0x66554433u);
    CHECK(__dp4a(0x01020304u, 0x01010101u, 5u) == 15u);
    CHECK(__dp4a(0xff000002u, 0xff000003u, 0u) == 255u * 255 + 6);
}

}  // namespace
}  // namespace camber::mma_test
