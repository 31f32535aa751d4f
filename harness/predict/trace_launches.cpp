#include "harness/predict/trace_launches.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace camber {

namespace {

// Block after block. A cooperative launch is left out: its blocks end at every barrier of the grid.
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
    std::vector<std::int64_t> loads_;  // of the block's warps
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
                             {}});
        return choose_ ? choose_(launches_.size() - 1, launch) : BlockChoice{};
    }
    void add(simt::SiteId site, const WarpRequest& request, const simt::Index3& block,
             int warp) override {
        if (request.space == Space::global && request.operation == Operation::load)
            spread_.add(warp);
        accumulator_.add(static_cast<int>(site), request,
                         linear_index(launches_.back().grid, block));
    }
    void finish_launch() {
        if (!launches_.empty()) {
            TracedLaunch& launch = launches_.back();
            launch.spread = spread_.of_launch();
            if (choice().kind != BlockChoice::Kind::some) {
                launch.model = accumulator_.finish();
                launch.locality =
                    step_.add(accumulator_.distinct(), accumulator_.blocks(), launch.grid.x);
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
