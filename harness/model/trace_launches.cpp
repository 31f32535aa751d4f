#include "harness/model/trace_launches.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/model/warp_requests.hpp"
#include "harness/simt/host_queue.hpp"

namespace camber {

namespace {

class ModelRecorder final : public simt::Recorder {
  public:
    ModelRecorder(simt::HostQueue& queue, RuleSet rules, const ChooseBlocks& choose)
        : queue_(queue), rules_(rules), choose_(choose), accumulator_(rules) {
        queue_.executor().set_recorder(this);
    }
    ~ModelRecorder() override {
        queue_.executor().set_recorder(nullptr);
        queue_.executor().set_block_filter({});
    }

    void begin_launch(const simt::Launch& launch, const simt::SiteTable& sites) override {
        finish_launch();
        launches_.push_back({kernel_name(launch, queue_.label()),
                             launch.grid,
                             launch.block,
                             launch.cooperative,
                             {},
                             {}});
        choice_ = choose_ ? choose_(launches_.size() - 1, launch) : BlockChoice{};
        switch (choice_.kind) {
            case BlockChoice::Kind::all:
                queue_.executor().set_block_filter({});
                break;
            case BlockChoice::Kind::none:
                queue_.executor().set_block_filter([](std::uint64_t) { return false; });
                break;
            case BlockChoice::Kind::some:
                queue_.executor().set_block_filter([this](std::uint64_t block) {
                    return std::ranges::binary_search(choice_.blocks,
                                                      static_cast<std::int64_t>(block));
                });
        }
        requests_.begin_launch(launch, sites);
    }
    void record(const simt::Access& access) override { requests_.record(access); }
    void end_block(const simt::Index3& block) override {
        requests_.end_block(block);
        if (choice_.kind != BlockChoice::Kind::some) return;
        launches_.back().sampled_blocks.push_back(accumulator_.finish());
        accumulator_ = LaunchAccumulator(rules_);
    }

    std::vector<TracedLaunch> take() {
        finish_launch();
        return std::exchange(launches_, {});
    }

  private:
    void add(simt::SiteId site, const WarpRequest& request, const simt::Index3& block) {
        const simt::Extent3& grid = launches_.back().grid;
        const std::int64_t linear =
            block.x + std::int64_t{grid.x} * (block.y + std::int64_t{grid.y} * block.z);
        accumulator_.add(static_cast<int>(site), request, linear);
    }
    void finish_launch() {
        if (!launches_.empty() && choice_.kind != BlockChoice::Kind::some)
            launches_.back().model = accumulator_.finish();
        accumulator_ = LaunchAccumulator(rules_);
    }

    simt::HostQueue& queue_;
    RuleSet rules_;
    const ChooseBlocks& choose_;
    BlockChoice choice_;
    LaunchAccumulator accumulator_;
    std::vector<TracedLaunch> launches_;
    WarpRequests requests_{[this](simt::SiteId site, const WarpRequest& request,
                                  const simt::Index3& block) { add(site, request, block); }};
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
    queue.set_label(variant.info.name());
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    execution->upload(initial);
    ModelRecorder recorder(queue, rules, choose);
    execution->advance(variant.info.shape.generations);
    return recorder.take();
}

}  // namespace camber
