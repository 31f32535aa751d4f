// Accesses outside grids and tiles.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::bounds_test {
namespace {

constexpr int load_line = __LINE__ + 2;
__global__ void load_cell(const Grid<const int> from, const Grid<int> to, int row, int column) {
    const int value = from(row, column);
    if (threadIdx.x == 0) to(0, 0) = value;
}

constexpr int store_line = __LINE__ + 3;
__global__ void store_cell(const Grid<int> to, int row, int column) {
    if (blockIdx.y == 1 && threadIdx.x == 2 && threadIdx.y == 1)  //
        to(row, column) = 42;
}

std::string here(int line) {
    return "[bounds_test.cpp:" + std::to_string(line) + "]";
}

TEST_CASE("a load outside a grid names variant, thread, cell, field and line", "[simt][bounds]") {
    Board<int> board(6, 4, 0, 2), out(1, 1);
    simt::HostQueue queue(1);
    queue.set_label("life/toy/16x16");
    CHECK(fault_of([&] {
              launch(queue, "load_cell", line(2, 5), load_cell, board.view("terrain"), out.grid(),
                     4, -3);
          }) ==
          "life/toy/16x16 (load_cell): block (0,0) thread (0,0): accesses row 4, column -3 of "
          "field `terrain`, which has 4 rows, 6 columns and a halo of 2 " +
              here(load_line));
}

TEST_CASE("a store outside a grid names the thread that did it", "[simt][bounds]") {
    Board<int> board(6, 4, 0, 1);
    simt::HostQueue queue(1);
    CHECK(fault_of([&] {
              launch(queue, "store_cell", {{1, 3}, {4, 2}}, store_cell, board.grid("next"), 5, 0);
          }) ==
          "store_cell: block (0,1) thread (2,1): accesses row 5, column 0 of field `next`, "
          "which has 4 rows, 6 columns and a halo of 1 " +
              here(store_line));
    CHECK(board.cells == std::vector<int>(board.layout.elements(), 0));
}

TEST_CASE("the halo belongs to a grid up to its outermost cell", "[simt][bounds]") {
    simt::HostQueue queue(1);
    for (const int halo : {0, 1, 3}) {
        Board<int> board(6, 4, 0, halo);
        const auto fails = [&](int row, int column) {
            return fault_of([&] {
                       launch(queue, "store_cell", {{1, 2}, {4, 2}}, store_cell, board.grid(), row,
                              column);
                   }) != "";
        };
        CAPTURE(halo);
        for (const int row : {-halo, 0, 3, 3 + halo})
            for (const int column : {-halo, 0, 5, 5 + halo}) CHECK(!fails(row, column));
        for (const int row : {-halo - 1, 4 + halo}) CHECK(fails(row, 0));
        for (const int column : {-halo - 1, 6 + halo}) CHECK(fails(0, column));
        CHECK(fails(-1000000, 2000000000));
    }
}

TEST_CASE("a grid's cells are where the layout says", "[simt][bounds]") {
    Board<int> board(3, 2, 0, 1);
    simt::HostQueue queue(1);
    launch(queue, "store_cell", {{1, 2}, {4, 2}}, store_cell, board.grid(), -1, -1);
    CHECK(board.cells.front() == 42);
    launch(queue, "store_cell", {{1, 2}, {4, 2}}, store_cell, board.grid(), 2, 3);
    CHECK(board.cells.back() == 42);
    launch(queue, "store_cell", {{1, 2}, {4, 2}}, store_cell, board.grid(), 1, 2);
    CHECK(board.cells[board.layout.origin() + board.layout.pitch + 2] == 42);
}

constexpr int tile_line = __LINE__ + 3;
__global__ void touch_tile(int row, int column) {
    __shared__ Tile<float, 4, 7> tile;
    tile(row, column) = 1;
}

TEST_CASE("leaving a tile names the cell and the tile's size", "[simt][bounds]") {
    simt::HostQueue queue(1);
    queue.set_label("toy/tiled");
    const auto sentence = [&](int row, int column) {
        return fault_of([&] { launch(queue, "touch", {{1}, {1}}, touch_tile, row, column); });
    };
    CHECK(sentence(0, 0) == "");
    CHECK(sentence(3, 6) == "");
    CHECK(sentence(3, 7) ==
          "toy/tiled (touch): block (0,0) thread (0,0): accesses row 3, column 7 of a shared tile "
          "of 4 rows and 7 columns " +
              here(tile_line));
    CHECK_THAT(sentence(4, 0), contains("row 4, column 0"));
    CHECK_THAT(sentence(-1, 6), contains("row -1, column 6"));
    CHECK_THAT(sentence(0, -1), contains("row 0, column -1"));
}

TEST_CASE("a tile is checked when it is only read", "[simt][bounds]") {
    simt::HostQueue queue(1);
    Board<int> out(1, 1);
    void (*const kernel)(const Grid<int>) = [](const Grid<int> grid) {
        __shared__ Tile<int, 2, 2> tile;
        const auto& readable = tile;
        grid(0, 0) = readable(1, 2);
    };
    CHECK_THAT(fault_of([&] { launch(queue, "read", line(1, 1), kernel, out.grid()); }),
               contains("row 1, column 2 of a shared tile"));
}

// Every block from the seventh on leaves the board.
__global__ void overrun(const Grid<int> board) {
    __syncthreads();
    board(0, blockIdx.x) = 1;
}

// The same, but the seventh block is slow: with several CPU threads, a later one has faulted long
// before.
std::atomic<bool> later_block_ran = false;
__global__ void overrun_slowly(const Grid<int> board, bool company) {
    using namespace std::chrono_literals;
    if (blockIdx.x == 7 && threadIdx.x == 0 && company) {
        const auto deadline = std::chrono::steady_clock::now() + 10s;
        while (!later_block_ran && std::chrono::steady_clock::now() < deadline)
            std::this_thread::yield();
        std::this_thread::sleep_for(20ms);
    }
    __syncthreads();
    if (blockIdx.x > 7) later_block_ran = true;
    board(0, blockIdx.x) = 1;
}

TEST_CASE("the lowest faulting block is reported, on however many CPU threads", "[simt][bounds]") {
    Board<int> board(7, 1);
    for (const int cpu_threads : {1, 2, 5})
        for (int repetition = 0; repetition < 3; ++repetition) {
            simt::HostQueue queue(cpu_threads);
            later_block_ran = false;
            CHECK_THAT(fault_of([&] {
                           launch(queue, "overrun", line(40, 32), overrun_slowly, board.grid(),
                                  cpu_threads > 1);
                       }),
                       contains("block (7,0) thread (0,0)") && contains("column 7 "));
            CHECK(later_block_ran == (cpu_threads > 1));
        }
}

TEST_CASE("after a fault the queue runs the next kernel", "[simt][bounds]") {
    Board<int> board(7, 1), wide(40, 1);
    simt::HostQueue queue(2);
    for (int repetition = 0; repetition < 3; ++repetition) {
        CHECK(fault_of([&] { launch(queue, "overrun", line(40, 32), overrun, board.grid()); }) !=
              "");
        std::fill(wide.cells.begin(), wide.cells.end(), 0);
        launch(queue, "overrun", line(40, 32), overrun, wide.grid());
        CHECK(wide.cells == std::vector<int>(40, 1));
    }
}

TEST_CASE("a three-dimensional index is named in full", "[simt][bounds]") {
    Board<int> board(1, 1);
    simt::HostQueue queue(1);
    void (*const kernel)(const Grid<int>) = [](const Grid<int> grid) {
        if (blockIdx.z == 1 && threadIdx.z == 2) grid(9, 9) = 1;
    };
    CHECK_THAT(fault_of([&] {
                   launch(queue, "deep", {{1, 1, 2}, {2, 2, 3}}, kernel, board.grid());
               }),
               contains("block (0,0,1) thread (0,0,2)"));
}

}  // namespace
}  // namespace camber::bounds_test
