#include "harness/predict/trace_launches.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

#include "harness/machine/simt/executor.hpp"

namespace camber {

void WarpRequests::begin_launch(const simt::Launch& launch, const simt::SiteTable&) {
    cluster_ = launch.cluster;
    is_clustered_ = cluster_.count() > 1;
    block_warps_ = (launch.block.count() + warp_lanes - 1) / warp_lanes;
    warps_.resize(cluster_.count() * block_warps_);
    for (Warp& warp : warps_) clear(warp);  // requests of a block that faulted
}

void WarpRequests::clear(Warp& warp) {
    warp.keys.clear();
    warp.requests.clear();
    warp.others.clear();
    warp.last = 0;
    for (const std::size_t place : warp.touched) warp.by_occurrence[place].clear();
    warp.touched.clear();
}

std::uint32_t& WarpRequests::indexed(Warp& warp, const Key& key) {
    const std::size_t place = 3 * (key.visit >> 32) + (key.kind >> 8 & 0xff);
    const auto occurrence = static_cast<std::uint32_t>(key.visit);
    if (place >= warp.by_occurrence.size()) warp.by_occurrence.resize(std::bit_ceil(place + 1));
    auto& requests = warp.by_occurrence[place];
    if (occurrence >= requests.size()) {
        if (requests.empty()) warp.touched.push_back(place);
        requests.resize(occurrence + std::size_t{1}, none);
    }
    return requests[occurrence];
}

WarpRequest& WarpRequests::find_request(Warp& warp, const simt::Access& access, const Key& key) {
    const auto added = static_cast<std::uint32_t>(warp.keys.size());
    // No visit of a lane repeats an earlier one, but the lanes of a bulk copy are not its own.
    const std::uint32_t lane = access.space == Space::bulk ? none : access.thread % warp_lanes;
    if (added == 0) warp.creator = lane;
    if (warp.creator != lane || lane == none) {
        warp.creator = none;
        while (warp.others.size() < added) {
            std::uint32_t& first = indexed(warp, warp.keys[warp.others.size()]);
            const std::uint32_t before =
                std::exchange(first, static_cast<std::uint32_t>(warp.others.size()));
            warp.others.push_back(before);
        }
        for (std::uint32_t i = indexed(warp, key); i != none; i = warp.others[i])
            if (warp.keys[i] == key) return warp.requests[warp.last = i];
    }
    warp.last = added;
    warp.keys.push_back(key);
    WarpRequest& request = warp.requests.emplace_back();
    request.space = access.space;
    request.operation = access.operation;
    request.size = access.size;
    return request;
}

void WarpRequests::end_block(const simt::Index3& block) {
    for (warp_ = 0; warp_ < static_cast<int>(block_warps_); ++warp_) {
        Warp& warp = warps_[first_warp(block) + static_cast<std::size_t>(warp_)];
        for (std::size_t i = 0; i < warp.keys.size(); ++i) {
            warp.requests[i].warp = static_cast<std::uint32_t>(warp_);
            consumer_(static_cast<simt::SiteId>(warp.keys[i].visit >> 32), warp.requests[i], block);
        }
        clear(warp);
    }
}

std::int64_t linear_index(const simt::Extent3& grid, const simt::Index3& block) {
    return block.x + std::int64_t{grid.x} * (block.y + std::int64_t{grid.y} * block.z);
}

LaunchRecorder::LaunchRecorder(simt::HostQueue& queue) : queue_(queue) {
    queue_.executor().set_recorder(this);
}

LaunchRecorder::~LaunchRecorder() {
    queue_.executor().set_recorder(nullptr);
    queue_.executor().set_block_filter({});
}

void LaunchRecorder::begin_launch(const simt::Launch& launch, const simt::SiteTable& sites) {
    choice_ = choose(launch);
    if (choice_.kind == BlockChoice::Kind::all)
        queue_.executor().set_block_filter({});
    else  // for `none` the list is empty
        queue_.executor().set_block_filter(
            [this](std::uint64_t block) {
                return std::ranges::binary_search(choice_.blocks, static_cast<std::int64_t>(block));
            },
            choice_.others_run);
    requests_.begin_launch(launch, sites);
}

namespace {

// Loads of each warp, block by block. Cooperative launches are excluded because their blocks end at
// every grid barrier.
class LoadsOfWarps {
  public:
    void begin_launch(const simt::Launch& launch) {
        *this = {};
        whole_ = !launch.cooperative;
        loads_.assign((launch.block.count() + 31) / 32, 0);
    }
    void add(int warp) { ++loads_[static_cast<std::size_t>(warp)]; }
    void end_block() {
        const std::int64_t longest = std::ranges::max(loads_);
        longest_ = std::max(longest_, longest);
        sum_of_longest_ += longest;
        sum_ += std::accumulate(loads_.begin(), loads_.end(), std::int64_t{0});
        ++blocks_;
        std::ranges::fill(loads_, 0);
    }
    LoadSpread of_launch() const {
        if (!whole_ || sum_ == 0) return {};
        const auto blocks = static_cast<double>(blocks_);
        const double mean = static_cast<double>(sum_) / blocks / static_cast<double>(loads_.size());
        return {static_cast<double>(sum_of_longest_) / blocks / mean,
                static_cast<double>(longest_) / mean};
    }

  private:
    std::vector<std::int64_t> loads_;  // loads per warp of the current block
    std::int64_t sum_ = 0;
    std::int64_t longest_ = 0;
    std::int64_t sum_of_longest_ = 0;
    std::int64_t blocks_ = 0;
    bool whole_ = false;
};

class ModelRecorder final : public LaunchRecorder {
  public:
    ModelRecorder(simt::HostQueue& queue, RuleSet rules, const ChooseBlocks& choose)
        : LaunchRecorder(queue), rules_(rules), choose_(choose), accumulator_(rules) {}

    void record(const simt::Access& access) override {
        if (!is_shared(access.space) && access.space != Space::constant) {
            const std::int64_t pitch =
                access.field ? std::int64_t{access.field->layout.pitch} * access.field->element_size
                             : 1;
            if (pitch != last_pitch_ || choice().kind == BlockChoice::Kind::some)
                note_rows(access, pitch);
        }
        LaunchRecorder::record(access);
    }
    void end_block(const simt::Index3& block) override {
        LaunchRecorder::end_block(block);
        spread_.end_block();
        if (choice().kind != BlockChoice::Kind::some) return;
        TracedLaunch& launch = launches_.back();
        launch.sampled_blocks.push_back(accumulator_.finish());
        launch.locality.pieces_of_block +=
            static_cast<double>(accumulator_.distinct().read_pieces());
        accumulator_ = LaunchAccumulator(rules_);
    }

    void library(const simt::LibraryCall& call) override {
        if (!launches_.empty()) launches_.back().after.push_back(call);
    }

    std::vector<TracedLaunch> take() {
        finish_launch();
        return std::exchange(launches_, {});
    }

  private:
    BlockChoice choose(const simt::Launch& launch) override {
        finish_launch();
        spread_.begin_launch(launch);
        launches_.push_back({kernel_name(launch, queue().label()),
                             launch.grid,
                             launch.block,
                             launch.cluster,
                             launch.cooperative,
                             {},
                             {},
                             {},
                             {},
                             {},
                             0,
                             0,
                             {}});
        last_pitch_ = 0;
        rows_.clear();
        return choose_ ? choose_(launches_.size() - 1, launch) : BlockChoice{};
    }
    // Not inlined, so that record() saves no registers.
    [[gnu::noinline]] void note_rows(const simt::Access& access, std::int64_t pitch) {
        const simt::Field* const field = access.field;
        TracedLaunch& launch = launches_.back();
        if (pitch != last_pitch_) {
            last_pitch_ = pitch;
            launch.row_bytes = std::gcd(launch.row_bytes, pitch);
        }
        if (choice().kind != BlockChoice::Kind::some || !launch.sampled_blocks.empty() || !field)
            return;
        const std::int64_t offset = static_cast<const std::byte*>(access.address) -
                                    static_cast<const std::byte*>(field->origin);
        const std::int64_t into = offset + std::int64_t{field->layout.halo} * field->element_size;
        const std::int64_t row = (into - (into < 0 ? pitch - 1 : 0)) / pitch;
        const auto [rows, added] = rows_.try_emplace(field->origin, row, row);
        auto& [first, last] = rows->second;
        first = std::min(first, row);
        last = std::max(last, row);
        launch.row_span = std::max(launch.row_span, last - first + 1);
    }
    void add(simt::SiteId site, const WarpRequest& request, const simt::Index3& block,
             int warp) override {
        if (request.space == Space::global && request.operation == Operation::load)
            spread_.add(warp);
        const auto& inserted = choice().inserted;
        accumulator_.add(static_cast<int>(site), request,
                         linear_index(launches_.back().grid, block),
                         inserted ? inserted->part_of(block) : 0);
    }
    void finish_launch() {
        if (!launches_.empty()) {
            TracedLaunch& launch = launches_.back();
            launch.spread = spread_.of_launch();
            if (choice().kind != BlockChoice::Kind::some) {
                step_.add(accumulator_.distinct());
                for (int board = choice().inserted ? 0 : whole_grid; board <= whole_grid; ++board) {
                    launch.model = accumulator_.finish(board);
                    launch.locality = step_.last(accumulator_.distinct(), launch.model.blocks,
                                                 launch.grid.x, board);
                    if (board < whole_grid)
                        launch.smaller.push_back({launch.model, launch.locality});
                }
            } else if (!launch.sampled_blocks.empty()) {
                launch.locality.pieces_of_block /=
                    static_cast<double>(launch.sampled_blocks.size());
            }
        }
        accumulator_ = LaunchAccumulator(rules_);
    }

    RuleSet rules_;
    const ChooseBlocks& choose_;
    LaunchAccumulator accumulator_;
    LoadsOfWarps spread_;
    StepSectors step_;
    std::vector<TracedLaunch> launches_;
    std::int64_t last_pitch_ = 0;  // bytes
    // First and last row that a block has accessed, by the field's origin.
    std::map<const void*, std::pair<std::int64_t, std::int64_t>> rows_;
};

}  // namespace

std::string kernel_name(const simt::Launch& launch, const std::string& label) {
    const std::string before = label + " (";
    if (!launch.name.starts_with(before)) return launch.name;
    return launch.name.substr(before.size(), launch.name.size() - before.size() - 1);
}

std::vector<TracedLaunch> trace_launches(simt::HostQueue& queue, const Variant& variant,
                                         const Problem& problem, const State& initial,
                                         RuleSet rules, const ChooseBlocks& choose) {
    return record_first_launch<ModelRecorder>(queue, variant, problem, initial, rules, choose);
}

}  // namespace camber
