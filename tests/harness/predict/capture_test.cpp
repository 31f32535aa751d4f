#include "harness/predict/capture.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::capture_test {
namespace {

const Variant& life(const std::string& name) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == "life/" + name && variant.info.cell == ElementType::uint32 &&
            variant.factories.contains(Backend::simt))
            return variant;
    throw std::logic_error("no variant " + name);
}

const Problem problem{{100, 60}, Boundary::dead, ElementType::uint32};

State board() {
    return find_workload("life")->initial({.size = problem.size});
}

}  // namespace

TEST_CASE("the requests of a block have its warps and addresses inside the field", "[model]") {
    const auto block = capture_block(life("halo/16x16/align128"), problem, board(), 0,
                                     [](const simt::Extent3& grid) {
                                         CHECK(grid.x == 7);
                                         CHECK(grid.y == 4);
                                         return simt::Index3{2, 1, 0};
                                     });
    CHECK(block.block == simt::Index3{2, 1, 0});
    // Nine loads and one store for each of eight warps.
    REQUIRE(block.requests.size() == 80);
    // 100 cells and a halo in 128-byte aligned rows: 32 elements before the first cell, pitch 128.
    const std::int64_t first_cell = 4 * (31 + 1 + 128);
    for (const CapturedRequest& captured : block.requests) {
        CHECK(captured.field == "cells");
        CHECK(captured.row_bytes == 4 * 128);
        CHECK(captured.request.active == ~0u);
        if (captured.request.operation != Operation::store) continue;
        // A warp covers two rows of 16 cells.
        CHECK(captured.request.address[0] ==
              first_cell + 4 * ((16 + 2 * captured.warp) * 128 + 2 * 16));
        CHECK(captured.request.address[16] == captured.request.address[0] + 4 * 128);
    }
}

TEST_CASE("a line that loads several fields names each", "[model]") {
    const auto variant = std::ranges::find_if(registry().variants(), [](const Variant& one) {
        return one.info.name() == "extrema/packed/64x4/v4/align128" &&
               one.factories.contains(Backend::simt);
    });
    REQUIRE(variant != registry().variants().end());
    const Problem images{{512, 8}, Boundary::dead, ElementType::float32};
    const State state =
        find_workload("extrema")->initial({.size = images.size, .cell = images.cell});
    const auto block = capture_block(*variant, images, state, 0, [](const simt::Extent3&) {
        return simt::Index3{1, 1, 0};
    });
    std::map<std::string, int> packs;
    for (const CapturedRequest& captured : block.requests) {
        if (captured.request.operation != Operation::load) continue;
        CHECK(captured.row_bytes == 4 * (512 + 32));
        packs[captured.field] += captured.request.size == 16;
    }
    // Three rows of each layer in each of eight warps.
    CHECK(packs == std::map<std::string, int>{{"above", 24}, {"below", 24}, {"middle", 24}});
}

TEST_CASE("a typical request comes from wherever the site occurs", "[model]") {
    // The store of a 2-column strip: only the leftmost lanes are on the board.
    const Problem narrow{{2, 40}, Boundary::dead, ElementType::uint32};
    const State state = find_workload("life")->initial({.size = narrow.size});
    const auto all =
        capture_block(life("halo/16x16/align128"), narrow, state, 0, [](const simt::Extent3&) {
            return simt::Index3{0, 0, 0};
        });
    REQUIRE_FALSE(all.requests.empty());
    const std::string key = all.requests.back().site_key;
    const auto typical = typical_request(life("halo/16x16/align128"), narrow, state, 0, key,
                                         Operation::store, RuleSet::cc50);
    REQUIRE(typical);
    CHECK(typical->request.active == 0x00030003);
    CHECK_FALSE(typical_request(life("halo/16x16/align128"), narrow, state, 0, "nowhere:1:1",
                                Operation::store, RuleSet::cc50));
}

TEST_CASE("characteristic blocks lie inside of every grid, the interior one first", "[model]") {
    const auto blocks = characteristic_blocks({7, 4, 1});
    CHECK(blocks.size() == 9);
    CHECK(blocks.front() == simt::Index3{3, 2, 0});
    CHECK(characteristic_blocks({1, 1, 1}) == std::vector<simt::Index3>{{0, 0, 0}});
}

}  // namespace camber::capture_test
