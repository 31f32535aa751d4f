#include "harness/predict/capture.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/memory/global_rules.hpp"
#include "analysis/memory/shared_rules.hpp"
#include "harness/machine/queue/memory_observer.hpp"
#include "harness/predict/trace_launches.hpp"

namespace camber {

namespace {

std::int64_t address_of(const void* memory) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory));
}

// Start addresses of the queue's allocations.
class Allocations final : public MemoryObserver {
  public:
    void allocated(const void* memory, std::size_t) override { begins_[address_of(memory)]; }
    void released(const void* memory) noexcept override { begins_.erase(address_of(memory)); }
    void written(const void*, std::size_t, Rectangle) override {}
    void poisoned(const ByteArea&) override {}
    void copied(const void*, const void*, std::size_t) override {}

    // Start of the allocation that contains `inside`.
    std::int64_t begin_of(std::int64_t inside) const {
        const auto after = begins_.upper_bound(inside);
        return after == begins_.begin() ? 0 : std::prev(after)->first;
    }

  private:
    std::map<std::int64_t, int> begins_;
};

class BlockCapture final : public LaunchRecorder {
  public:
    BlockCapture(simt::HostQueue& queue, const Allocations& allocations, std::size_t kernel,
                 const ChooseBlock& choose)
        : LaunchRecorder(queue), allocations_(allocations), kernel_(kernel), choose_(choose) {}

    // A cooperative launch runs all its blocks; only the captured block is recorded.
    void record(const simt::Access& access) override {
        if (access.block != captured_.block) return;
        if (access.field != nullptr) {
            if (access.space == Space::constant) constant_ = address_of(access.field->origin);
            auto& field = fields_[place_of(access.site, access.space, address_of(access.address))];
            field.first = access.field->name;
            field.second = std::int64_t{access.field->layout.pitch} * access.field->element_size;
        }
        LaunchRecorder::record(access);
    }
    void end_block(const simt::Index3& block) override {
        if (block == captured_.block) LaunchRecorder::end_block(block);
    }

    CapturedBlock take() { return std::move(captured_); }

  private:
    // Start of a field's memory. One call site may access several fields. Constant memory is a
    // single allocation, so the call site identifies its field.
    using Place = std::pair<std::int64_t, simt::SiteId>;

    Place place_of(simt::SiteId site, Space space, std::int64_t address) const {
        if (space == Space::constant) return {constant_, site};
        return {allocations_.begin_of(address), simt::no_site};
    }

    BlockChoice choose(const simt::Launch& launch) override {
        if (launches_++ != kernel_) return {BlockChoice::Kind::none, {}};
        captured_.block = choose_(launch.grid);
        return {BlockChoice::Kind::some, {linear_index(launch.grid, captured_.block)}};
    }
    void add(simt::SiteId site, const WarpRequest& request, const simt::Index3&,
             int warp) override {
        CapturedRequest captured{site_key(queue().executor().sites(), site), warp, request, {}, 0};
        if (!is_shared(request.space)) {
            const Place place =
                place_of(site, request.space, request.address[std::countr_zero(request.active)]);
            for (int lane = 0; lane < warp_lanes; ++lane)
                if (request.is_active(lane)) captured.request.address[lane] -= place.first;
            std::tie(captured.field, captured.row_bytes) = fields_[place];
        }
        captured_.requests.push_back(std::move(captured));
    }

    const Allocations& allocations_;
    std::size_t kernel_;
    const ChooseBlock& choose_;
    std::size_t launches_ = 0;
    std::int64_t constant_ = 0;                                     // start of constant memory
    std::map<Place, std::pair<std::string, std::int64_t>> fields_;  // field name, bytes per row
    CapturedBlock captured_;
};

}  // namespace

CapturedBlock capture_block(const Variant& variant, const Problem& problem, const State& initial,
                            std::size_t kernel, const ChooseBlock& choose) {
    Allocations allocations;  // must outlive the memory that it observes
    simt::HostQueue queue(1);
    queue.set_observer(&allocations);
    return record_first_launch<BlockCapture>(queue, variant, problem, initial, allocations, kernel,
                                             choose);
}

std::vector<simt::Index3> characteristic_blocks(const simt::Extent3& grid) {
    const unsigned right = grid.x - 1;
    const unsigned below = grid.y - 1;
    std::vector<simt::Index3> blocks;
    for (const simt::Index3& block : {simt::Index3{grid.x / 2, grid.y / 2, grid.z / 2},
                                      {0, grid.y / 2, 0},
                                      {right, grid.y / 2, 0},
                                      {grid.x / 2, 0, 0},
                                      {grid.x / 2, below, 0},
                                      {0, 0, 0},
                                      {right, 0, 0},
                                      {0, below, 0},
                                      {right, below, 0}})
        if (std::ranges::find(blocks, block) == blocks.end()) blocks.push_back(block);
    return blocks;
}

std::optional<CapturedRequest> typical_request(const Variant& variant, const Problem& problem,
                                               const State& initial, std::size_t kernel,
                                               const std::string& key, Operation operation,
                                               RuleSet rules) {
    const auto cost = [&](const WarpRequest& request) {
        if (request.space == Space::constant) return std::int64_t{0};
        return is_shared(request.space) ? count_passes(request, rules).passes
                                        : count_transactions(request, rules).bytes_moved;
    };
    std::optional<CapturedRequest> typical;
    std::size_t candidates = 1;
    for (std::size_t i = 0; i < candidates && !typical; ++i) {
        const CapturedBlock block =
            capture_block(variant, problem, initial, kernel, [&](const simt::Extent3& grid) {
                const auto blocks = characteristic_blocks(grid);
                candidates = blocks.size();
                return blocks[i];
            });
        for (const CapturedRequest& request : block.requests)
            if (request.site_key == key && request.request.operation == operation &&
                (!typical || cost(request.request) > cost(typical->request)))
                typical = request;
    }
    return typical;
}

}  // namespace camber
