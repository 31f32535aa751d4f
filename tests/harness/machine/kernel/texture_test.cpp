// Texture<T> on the executor: fetched values, within the board and outside.
#include "harness/machine/kernel/texture.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::texture_test {
namespace {

template <class T, TextureShape shape>
__global__ void fetch(const Texture<T, shape> texture, const Grid<T> out, int drow, int dcol) {
    const T value = texture(threadIdx.y + drow, threadIdx.x + dcol);
    out(threadIdx.y, threadIdx.x) = value;
}

template <class T, TextureShape shape>
std::vector<T> fetched(simt::HostQueue& queue, Board<T>& board, Addressing addressing, int drow,
                       int dcol) {
    const TextureBinding<T, shape> binding(queue, board.cells.data(), board.layout, "height",
                                           addressing);
    Board<T> out(board.layout.columns, board.layout.rows);
    launch(queue, "fetch", {{1}, {unsigned(board.layout.columns), unsigned(board.layout.rows)}},
           fetch<T, shape>, binding.texture(), out.grid(), drow, dcol);
    return out.cells;
}

TEST_CASE("a texture fetches row and column", "[simt][texture]") {
    simt::HostQueue queue(1);
    Board<float> board(3, 2);
    std::iota(board.cells.begin(), board.cells.end(), 1.0f);
    CHECK(fetched<float, TextureShape::pitched>(queue, board, Addressing::border, 0, 0) ==
          board.cells);
    CHECK(fetched<float, TextureShape::linear>(queue, board, Addressing::border, 0, 0) ==
          board.cells);
}

TEST_CASE("outside the board a pitched texture has 0 or the nearest cell", "[simt][texture]") {
    simt::HostQueue queue(1);
    Board<int> board(3, 2);
    std::iota(board.cells.begin(), board.cells.end(), 1);
    const auto fetch = [&](Addressing addressing, int drow, int dcol) {
        return fetched<int, TextureShape::pitched>(queue, board, addressing, drow, dcol);
    };
    CHECK(fetch(Addressing::border, -1, 1) == std::vector{0, 0, 0, 2, 3, 0});
    CHECK(fetch(Addressing::clamp, -1, 1) == std::vector{2, 3, 3, 2, 3, 3});
    CHECK(fetch(Addressing::clamp, 9, -9) == std::vector{4, 4, 4, 4, 4, 4});
}

TEST_CASE("outside the board a linear texture is a fault", "[simt][texture]") {
    simt::HostQueue queue(1);
    Board<int> board(3, 2);
    CHECK_THAT(fault_of([&] {
                   fetched<int, TextureShape::linear>(queue, board, Addressing::clamp, 0, 1);
               }),
               contains("row 0, column 3 of field `height`") && contains("[texture_test.cpp:"));
}

TEST_CASE("a field with a halo makes no texture", "[simt][texture]") {
    simt::HostQueue queue(1);
    Board<int> board(3, 2, 0, 1);
    CHECK_THROWS_WITH((TextureBinding<int>(queue, board.cells.data(), board.layout, "height")),
                      contains("height has a halo of 1"));
}

struct Fetches final : simt::Recorder {
    std::vector<simt::Access> seen;
    void record(const simt::Access& access) override {
        if (access.space == Space::texture) seen.push_back(access);
    }
};

TEST_CASE("fetches are recorded as texture loads, those of the border not", "[simt][texture]") {
    simt::HostQueue queue(1);
    Fetches fetches;
    queue.executor().set_recorder(&fetches);
    Board<std::uint8_t> board(4, 1);
    fetched<std::uint8_t, TextureShape::pitched>(queue, board, Addressing::border, 0, 1);
    REQUIRE(fetches.seen.size() == 3);
    for (int i = 0; i < 3; ++i) {
        CHECK(fetches.seen[i].address == &board.cells[i + 1]);
        CHECK(fetches.seen[i].operation == Operation::load);
        CHECK(fetches.seen[i].size == 1);
    }
}

}  // namespace
}  // namespace camber::texture_test
