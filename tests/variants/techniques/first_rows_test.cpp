// Cells that each thread of first_rows loads, as published for blocks of 16x16 (Topa and Mlocek
// 2013, section 3), and the bank conflicts of its stores.
#include <algorithm>
#include <string>
#include <vector>

#include "analysis/memory/shared_rules.hpp"
#include "harness/predict/capture.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::first_rows_test {
namespace {

// Requests of the first kernel, best_levels, which stages the level, in block (1,1) of 3x3.
std::vector<CapturedRequest> requests_of(int width) {
    const std::string name =
        "water_flow/first_rows/two_kernels/16x16/w" + std::to_string(width) + "/align128";
    const auto variant = std::ranges::find_if(registry().variants(), [&](const Variant& variant) {
        return variant.info.name() == name && variant.factories.contains(Backend::simt);
    });
    REQUIRE(variant != registry().variants().end());
    const Problem problem{{48, 48}, Boundary::dead, ElementType::float32};
    const State initial =
        find_workload("water_flow")->initial({.size = problem.size, .cell = ElementType::float32});
    return capture_block(*variant, problem, initial, 0,
                         [](const simt::Extent3& grid) {
                             CHECK(grid.x == 3);
                             CHECK(grid.y == 3);
                             return simt::Index3{1, 1, 0};
                         })
        .requests;
}

// Requests of one warp, space and operation, in program order.
std::vector<CapturedRequest> select(const std::vector<CapturedRequest>& requests, int warp,
                                    Space space, Operation operation) {
    std::vector<CapturedRequest> selected;
    std::ranges::copy_if(requests, std::back_inserter(selected),
                         [&](const CapturedRequest& captured) {
                             return captured.warp == warp && captured.request.space == space &&
                                    captured.request.operation == operation;
                         });
    return selected;
}

std::int64_t passes(const WarpRequest& request, RuleSet rules) {
    return count_passes(request, rules).passes;
}

}  // namespace

TEST_CASE("the first four rows of threads load the edges of a block", "[first_rows]") {
    for (const int width : {18, 19}) {
        CAPTURE(width);
        const auto requests = requests_of(width);
        const auto own = select(requests, 0, Space::global, Operation::load).at(0);
        const std::int64_t row_bytes = own.row_bytes;
        CHECK(own.field == "level");
        // Address of the block's first cell; all others are relative to it.
        const std::int64_t first = own.request.address[0];
        for (int warp = 0; warp < 8; ++warp) {
            CAPTURE(warp);
            const auto stores = select(requests, warp, Space::shared, Operation::store);
            const auto loads = select(requests, warp, Space::global, Operation::load);
            REQUIRE(stores.size() == (warp < 2 ? 2 : 1));
            REQUIRE(loads.size() == stores.size() + 1);  // the terrain, last
            for (int lane = 0; lane < warp_lanes; ++lane) {
                const int x = lane % 16;
                const int y = 2 * warp + lane / 16;
                CHECK(stores[0].request.address[lane] == 4 * ((y + 1) * width + x + 1));
                CHECK(loads[0].request.address[lane] == first + y * row_bytes + 4 * x);
                if (warp == 0) {  // threads of rows 0 and 1: the row above, the row below
                    const int row = 17 * y;
                    CHECK(stores[1].request.address[lane] == 4 * (row * width + x + 1));
                    CHECK(loads[1].request.address[lane] == first + (row - 1) * row_bytes + 4 * x);
                }
                if (warp == 1) {  // of rows 2 and 3: the column on the left, that on the right
                    const int column = 17 * (y % 2);
                    CHECK(stores[1].request.address[lane] == 4 * ((x + 1) * width + column));
                    CHECK(loads[1].request.address[lane] ==
                          first + x * row_bytes + 4 * (column - 1));
                }
            }
            for (const CapturedRequest& store : stores) CHECK(store.request.active == ~0u);
            CHECK(loads.back().field == "terrain");
        }
    }
}

TEST_CASE("what a tile's width costs the banks", "[first_rows]") {
    const auto at_18 = requests_of(18);
    const auto at_19 = requests_of(19);
    const auto edge_columns = [](const auto& requests) {
        return select(requests, 1, Space::shared, Operation::store).at(1).request;
    };
    // With 16 banks, an odd width is free of conflicts (two passes are two half-warps). With 32
    // banks, where a warp stores both columns at once, the opposite is true.
    CHECK(passes(edge_columns(at_18), RuleSet::cc10) == 4);
    CHECK(passes(edge_columns(at_18), RuleSet::cc12) == 4);
    CHECK(passes(edge_columns(at_18), RuleSet::cc20) == 1);
    CHECK(passes(edge_columns(at_18), RuleSet::cc30) == 1);
    CHECK(passes(edge_columns(at_18), RuleSet::cc50) == 1);
    CHECK(passes(edge_columns(at_19), RuleSet::cc10) == 2);
    CHECK(passes(edge_columns(at_19), RuleSet::cc12) == 2);
    CHECK(passes(edge_columns(at_19), RuleSet::cc20) == 2);
    CHECK(passes(edge_columns(at_19), RuleSet::cc30) == 2);
    CHECK(passes(edge_columns(at_19), RuleSet::cc50) == 2);
    // Reads of cells: two rows of 16, at any of the five neighbor positions.
    for (const int width : {18, 19}) {
        const auto& requests = width == 18 ? at_18 : at_19;
        for (int warp = 0; warp < 8; ++warp) {
            const auto reads = select(requests, warp, Space::shared, Operation::load);
            REQUIRE(reads.size() == 5);
            for (const CapturedRequest& read : reads) {
                CHECK(passes(read.request, RuleSet::cc12) == 2);
                CHECK(passes(read.request, RuleSet::cc20) == 2);
                CHECK(passes(read.request, RuleSet::cc50) == 2);
                // Compute capability 3.x serves two words of a bank at once if they are in one
                // 256-byte segment, as those of the first two rows are.
                if (warp == 0 && read.request.address[0] == 4 * (width + 1))
                    CHECK(passes(read.request, RuleSet::cc30) == 1);
            }
        }
    }
}

}  // namespace camber::first_rows_test
