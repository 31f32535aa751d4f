// Compares warp requests of the Life techniques with hardware counters: 2048 x 2048 4-byte cells,
// one launch. Sectors are counted independently here, as distinct 32-byte segments of a request.
#include <algorithm>
#include <string>
#include <vector>

#include "harness/measure/case_runner.hpp"
#include "harness/predict/trace_launches.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/life/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::life_requests_test {
namespace {

struct Traffic {
    std::int64_t load_requests = 0;
    std::int64_t load_sectors = 0;
    std::int64_t store_requests = 0;
    std::int64_t store_sectors = 0;
    friend bool operator==(const Traffic&, const Traffic&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Traffic& traffic) {
        return out << traffic.load_requests << " load requests, " << traffic.load_sectors
                   << " load sectors, " << traffic.store_requests << " store requests, "
                   << traffic.store_sectors << " store sectors";
    }
};

int sectors_of(const WarpRequest& request) {
    std::int64_t segments[warp_lanes];
    int count = 0;
    for (int lane = 0; lane < warp_lanes; ++lane)
        if (request.is_active(lane)) segments[count++] = request.address[lane] / 32;
    std::sort(segments, segments + count);
    return static_cast<int>(std::unique(segments, segments + count) - segments);
}

class TrafficCount {
  public:
    explicit TrafficCount(simt::HostQueue& queue) : queue_(queue) {
        queue.executor().set_recorder(&recorder_);
    }
    ~TrafficCount() { queue_.executor().set_recorder(nullptr); }
    Traffic traffic;

  private:
    void add(const WarpRequest& request) {
        if (request.space != Space::global) return;
        const bool load = request.operation == Operation::load;
        (load ? traffic.load_requests : traffic.store_requests) += 1;
        (load ? traffic.load_sectors : traffic.store_sectors) += sectors_of(request);
    }
    simt::HostQueue& queue_;
    WarpRequests recorder_{
        [this](simt::SiteId, const WarpRequest& request, const simt::Index3&) { add(request); }};
};

const Variant& life(const std::string& name) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == "life/" + name && variant.info.cell == ElementType::uint32)
            return variant;
    throw std::logic_error("no variant " + name);
}

State random_board(Size size) {
    return find_workload("life")->initial({.size = size, .seed = 4});
}

// Traffic of one launch on a board of `size`.
Traffic traffic_of(const std::string& name, Size size) {
    simt::HostQueue queue(1);
    const Variant& variant = life(name);
    const auto execution =
        variant.factories.at(Backend::simt)(queue, {size, Boundary::dead, ElementType::uint32});
    execution->upload(random_board(size));
    TrafficCount count(queue);
    execution->advance(variant.info.shape.generations);
    return count.traffic;
}

constexpr Size board{2048, 2048};
constexpr Size strip{2048, 16};

// Rows of the aligned arrays repeat: a strip of 16 rows has one 128th of the board's traffic.
Traffic times(const Traffic& strip_traffic, std::int64_t n) {
    return {n * strip_traffic.load_requests, n * strip_traffic.load_sectors,
            n * strip_traffic.store_requests, n * strip_traffic.store_sectors};
}

}  // namespace

TEST_CASE("aligned techniques make the requests that an H200 counts", "[trace]") {
    // Requests and sectors of shared_tile 16x16 and 64x4, and loads of 32x8: hardware counters of
    // an H200. All other values: an independent program for the same rule.
    const std::pair<const char*, Traffic> expected[] = {
        {"shared_tile/16x16/align128", {491520, 1179648, 131072, 524288}},
        {"shared_tile/64x4/align128", {393216, 983040, 131072, 524288}},
        {"shared_tile/32x8/align128", {491520, 983040, 131072, 524288}},
        {"two_element/16x16/align128", {327680, 884736, 131072, 524288}},
        {"two_element/64x4/align128", {294912, 884736, 131072, 524288}},
        {"halo/16x16/align128", {1179648, 6291456, 131072, 524288}},
        {"halo/64x4/align128", {1179648, 5505024, 131072, 524288}},
        {"halo/32x8/align128", {1179648, 5505024, 131072, 524288}},
        {"two_generation/64x4/align128", {786432, 1572864, 131072, 524288}},
        {"two_generation_const/64x4/align128", {786432, 1572864, 131072, 524288}},
        {"two_generation_linear/64x4/align128", {786432, 1572864, 131072, 524288}},
        {"two_element_two_generation_linear/64x4/align128", {524288, 1310720, 131072, 524288}},
        {"two_generation_linear_load/64x4/align128", {278528, 1572864, 131072, 524288}},
        {"two_element_two_generation_linear_load/64x4/align128", {270336, 1441792, 131072, 524288}},
    };
    for (const auto& [name, traffic] : expected) {
        CAPTURE(name);
        CHECK(times(traffic_of(name, strip), board.rows / strip.rows) == traffic);
    }
}

namespace {

// One launch of a kernel in the published layout without alignment: pitch 2082, cell (0,0) at
// element (2048 + 64) + 33.
template <class KernelPointer>
Traffic unaligned_traffic(KernelPointer kernel, Region region, Region block) {
    using Rule = Life<std::uint32_t>;
    const Layout layout{board.columns, board.rows, 1, 4, 62, 2082};
    REQUIRE(layout.origin() == 2048 + 64 + 33);
    simt::HostQueue queue(1);
    const Memory from(queue, layout.elements() * 4), to(queue, layout.elements() * 4);
    const std::uint32_t dead = 0;
    queue.fill(from.get(), layout.elements(), std::as_bytes(std::span(&dead, 1)));
    Views<Rule> views;
    views.inputs.first = {static_cast<const std::uint32_t*>(from.get()), layout, "cells"};
    views.outputs.first = {static_cast<std::uint32_t*>(to.get()), layout, "cells"};
    views.columns = board.columns;
    views.rows = board.rows;
    // Row addresses modulo 128 bytes repeat after 16 rows, column addresses from tile to tile.
    const unsigned tiles = board.columns / region.columns;
    queue.executor().set_block_filter([&](std::uint64_t linear) {
        return linear / tiles * region.rows < 16 && linear % tiles * region.columns < 128;
    });
    TrafficCount count(queue);
    launch(queue, "unaligned",
           {{tiles, unsigned(board.rows / region.rows)},
            {unsigned(block.columns), unsigned(block.rows)}},
           kernel, views);
    return times(count.traffic, board.rows / 16 * (board.columns / 128));
}

}  // namespace

TEST_CASE("unaligned techniques make the requests that an H200 counts", "[trace]") {
    using Rule = Life<std::uint32_t>;
    // 16x16: hardware counters of an H200; all others: an independent program for the same rule.
    CHECK(unaligned_traffic(shared_tile_kernel<Rule, 16, 16, 1, Fit::exact>, {16, 16}, {16, 16}) ==
          Traffic{491520, 1474560, 131072, 786432});
    CHECK(unaligned_traffic(shared_tile_kernel<Rule, 64, 4, 1, Fit::exact>, {64, 4}, {64, 4}) ==
          Traffic{393216, 1179648, 131072, 655360});
    CHECK(unaligned_traffic(shared_tile_kernel<Rule, 32, 8, 1, Fit::exact>, {32, 8}, {32, 8}) ==
          Traffic{491520, 1146880, 131072, 655360});
    CHECK(unaligned_traffic(halo_kernel<Rule>, {16, 16}, {16, 16}) ==
          Traffic{1179648, 6684672, 131072, 786432});
}

// Properties of all techniques, on boards that their blocks divide and on others: each cell is
// stored once, and requests contain the lanes of one warp.
TEST_CASE("traced Life techniques store every cell once", "[trace]") {
    for (const Size size : {Size{384, 48}, Size{67, 19}})
        for (const Variant& variant : registry().variants()) {
            if (variant.info.workload != "life" || variant.info.cell != ElementType::uint32 ||
                !variant.factories.contains(Backend::simt))
                continue;
            CAPTURE(variant.info.name(), size.columns);
            simt::HostQueue queue(1);
            const auto execution = variant.factories.at(Backend::simt)(
                queue, {size, Boundary::dead, ElementType::uint32});
            execution->upload(random_board(size));
            std::vector<std::int64_t> stored;
            bool empty = false;
            WarpRequests recorder(
                [&](simt::SiteId, const WarpRequest& request, const simt::Index3&) {
                    empty = empty || request.active == 0;
                    if (request.space != Space::global || request.operation != Operation::store)
                        return;
                    for (int lane = 0; lane < warp_lanes; ++lane)
                        for (std::uint32_t byte = 0; request.is_active(lane) && byte < request.size;
                             byte += 4)
                            stored.push_back(request.address[lane] + byte);
                });
            queue.executor().set_recorder(&recorder);
            execution->advance(variant.info.shape.generations);
            CHECK_FALSE(empty);
            CHECK(stored.size() == static_cast<std::size_t>(size.cells()));
            std::ranges::sort(stored);
            CHECK(std::ranges::adjacent_find(stored) == stored.end());
        }
}

}  // namespace camber::life_requests_test
