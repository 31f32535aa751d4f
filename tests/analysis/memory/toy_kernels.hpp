// Memory instructions of published kernels, written as address formulas: no kernel runs.
#pragma once

#include <cstdint>

#include "analysis/memory/launch_model.hpp"
#include "tests/analysis/memory/request_patterns.hpp"

namespace camber {

// A board of 4-byte cells in global memory.
struct ToyBoard {
    std::int64_t columns, rows;
    std::int64_t pitch;   // cells
    std::int64_t origin;  // of cell (0, 0), in cells

    std::int64_t at(std::int64_t row, std::int64_t column) const {
        return 4 * (origin + row * pitch + column);
    }
};

// Emits the instructions of one block's warps: calls lane(tx, ty) for each thread; a negative
// result means that the thread is inactive.
class ToyBlock {
  public:
    ToyBlock(LaunchAccumulator& accumulator, std::int64_t block, int width, int height)
        : accumulator_(accumulator), block_(block), width_(width), height_(height) {}

    template <class Lane>
    void emit(int site, Lane&& lane, Operation operation = Operation::load,
              Space space = Space::global, std::uint32_t size = 4) {
        for (int warp = 0; warp < width_ * height_ / warp_lanes; ++warp) {
            WarpRequest request{.space = space, .operation = operation, .size = size};
            for (int l = 0; l < warp_lanes; ++l) {
                const int thread = warp * warp_lanes + l;
                const std::int64_t address = lane(thread % width_, thread / width_);
                if (address < 0) continue;
                request.active |= 1u << l;
                request.address[l] = address;
            }
            accumulator_.add(site, request, block_);
        }
    }

  private:
    LaunchAccumulator& accumulator_;
    std::int64_t block_;
    int width_, height_;
};

template <class Block>
LaunchModel model_launch(RuleSet rules, const ToyBoard& board, int width, int height,
                         Block&& kernel) {
    LaunchAccumulator accumulator(rules);
    std::int64_t number = 0;
    for (std::int64_t y = 0; y < board.rows; y += height) {
        for (std::int64_t x = 0; x < board.columns; x += width) {
            ToyBlock block(accumulator, number++, width, height);
            kernel(block, x, y);
        }
    }
    return accumulator.finish();
}

inline constexpr std::int64_t idle = -1;

// Game of Life, a tile with conventional loading of its halo (Balasalle 2011, section 4.1). The
// output is stored `output` bytes after the input. Cells beyond the board are not computed; cells
// more than one cell beyond it are not loaded.
inline LaunchModel life_tile(RuleSet rules, const ToyBoard& board, int width, int height,
                             std::int64_t output) {
    return model_launch(
        rules, board, width, height, [&](ToyBlock& block, std::int64_t x, std::int64_t y) {
            const auto inside = [&](std::int64_t column, std::int64_t row) {
                return column < board.columns && row < board.rows;
            };
            const auto input = [&](std::int64_t column, std::int64_t row) {
                return column <= board.columns && row <= board.rows ? board.at(row, column) : idle;
            };
            const auto tile = [&](int column, int row) {
                return 4 * (column + 1 + std::int64_t{width + 2} * (row + 1));
            };
            block.emit(0, [&](int tx, int ty) { return input(x + tx, y + ty); });
            block.emit(1, [&](int tx, int ty) { return ty == 0 ? input(x + tx, y - 1) : idle; });
            block.emit(2,
                       [&](int tx, int ty) { return ty == 0 ? input(x + tx, y + height) : idle; });
            block.emit(3, [&](int tx, int ty) { return tx == 0 ? input(x - 1, y + ty) : idle; });
            block.emit(4,
                       [&](int tx, int ty) { return tx == 0 ? input(x + width, y + ty) : idle; });
            for (int corner = 0; corner < 4; ++corner) {
                block.emit(5 + corner, [&](int tx, int ty) {
                    return tx + ty == 0 ? input(corner % 2 ? x + width : x - 1,
                                                corner / 2 ? y + height : y - 1)
                                        : idle;
                });
            }
            block.emit(
                9, [&](int tx, int ty) { return tile(tx, ty); }, Operation::store, Space::shared);
            for (int n = 0; n < 9; ++n) {
                block.emit(
                    10 + n, [&](int tx, int ty) { return tile(tx + n % 3 - 1, ty + n / 3 - 1); },
                    Operation::load, Space::shared);
            }
            block.emit(
                19,
                [&](int tx, int ty) {
                    return inside(x + tx, y + ty) ? output + board.at(y + ty, x + tx) : idle;
                },
                Operation::store);
        });
}

// The same with nine loads from global memory.
inline LaunchModel life_halo(RuleSet rules, const ToyBoard& board, int width, int height,
                             std::int64_t output) {
    return model_launch(
        rules, board, width, height, [&](ToyBlock& block, std::int64_t x, std::int64_t y) {
            for (int n = 0; n < 9; ++n) {
                block.emit(n, [&](int tx, int ty) {
                    return board.at(y + ty + n / 3 - 1, x + tx + n % 3 - 1);
                });
            }
            block.emit(
                9, [&](int tx, int ty) { return output + board.at(y + ty, x + tx); },
                Operation::store);
        });
}

// Water flow (Topa and Mlocek 2013): `aligned` loads of the own cell from arrays other than the
// neighbor array, which is read with its four neighbors or through a shared tile.
inline LaunchModel water_flow(RuleSet rules, const ToyBoard& board, int aligned, bool shared) {
    // Large enough that the halo rows of one array do not overlap other arrays.
    constexpr std::int64_t array = std::int64_t{1} << 24;
    return model_launch(rules, board, 16, 16, [&](ToyBlock& block, std::int64_t x, std::int64_t y) {
        const auto from = [&](std::int64_t row, std::int64_t column) {
            return array + board.at(row, column);
        };
        block.emit(0, [&](int tx, int ty) { return from(y + ty, x + tx); });
        for (int a = 0; a < aligned; ++a) {
            block.emit(1 + a,
                       [&](int tx, int ty) { return (a + 2) * array + board.at(y + ty, x + tx); });
        }
        if (shared) {
            block.emit(
                6, [&](int tx, int ty) { return ty < 2 ? from(y - 1 + 17 * ty, x + tx) : idle; });
            block.emit(7, [&](int tx, int ty) {
                return ty == 2 || ty == 3 ? from(y + tx, x - 1 + 17 * (ty & 1)) : idle;
            });
        } else {
            block.emit(6, [&](int tx, int ty) { return from(y + ty - 1, x + tx); });
            block.emit(7, [&](int tx, int ty) { return from(y + ty, x + tx - 1); });
            block.emit(8, [&](int tx, int ty) { return from(y + ty, x + tx + 1); });
            block.emit(9, [&](int tx, int ty) { return from(y + ty + 1, x + tx); });
        }
        block.emit(
            10, [&](int tx, int ty) { return 8 * array + board.at(y + ty, x + tx); },
            Operation::store);
    });
}

}  // namespace camber
