#include "harness/model/trace_launches.hpp"

#include <utility>

namespace camber {

namespace {

class ModelRecorder final : public LaunchRecorder {
  public:
    ModelRecorder(simt::HostQueue& queue, RuleSet rules, const ChooseBlocks& choose)
        : LaunchRecorder(queue), rules_(rules), choose_(choose), accumulator_(rules) {}

    void end_block(const simt::Index3& block) override {
        LaunchRecorder::end_block(block);
        if (choice().kind != BlockChoice::Kind::some) return;
        launches_.back().sampled_blocks.push_back(accumulator_.finish());
        accumulator_ = LaunchAccumulator(rules_);
    }

    std::vector<TracedLaunch> take() {
        finish_launch();
        return std::exchange(launches_, {});
    }

  private:
    BlockChoice choose(const simt::Launch& launch) override {
        finish_launch();
        launches_.push_back({kernel_name(launch, queue().label()),
                             launch.grid,
                             launch.block,
                             launch.cluster,
                             launch.cooperative,
                             {},
                             {}});
        return choose_ ? choose_(launches_.size() - 1, launch) : BlockChoice{};
    }
    void add(simt::SiteId site, const WarpRequest& request, const simt::Index3& block,
             int) override {
        accumulator_.add(static_cast<int>(site), request,
                         linear_index(launches_.back().grid, block));
    }
    void finish_launch() {
        if (!launches_.empty() && choice().kind != BlockChoice::Kind::some)
            launches_.back().model = accumulator_.finish();
        accumulator_ = LaunchAccumulator(rules_);
    }

    RuleSet rules_;
    const ChooseBlocks& choose_;
    LaunchAccumulator accumulator_;
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
