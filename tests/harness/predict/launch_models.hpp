// Launch models of a queue, computed from its trace.
#pragma once

#include <functional>
#include <map>

#include "analysis/memory/launch_model.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/trace_launches.hpp"

namespace camber {

// During its lifetime, adds up all launches on `queue` under the given rule sets.
class LaunchModels {
  public:
    using Watch = std::function<void(const WarpRequest&)>;

    // `watch` also receives every request.
    LaunchModels(simt::HostQueue& queue, std::initializer_list<RuleSet> rule_sets, Watch watch = {})
        : queue_(queue), watch_(std::move(watch)) {
        for (const RuleSet rules : rule_sets) accumulators_.emplace(rules, rules);
        queue.executor().set_recorder(&recorder_);
    }
    ~LaunchModels() { queue_.executor().set_recorder(nullptr); }
    LaunchModels(const LaunchModels&) = delete;
    LaunchModels& operator=(const LaunchModels&) = delete;

    LaunchModel under(RuleSet rules) const { return accumulators_.at(rules).finish(); }

  private:
    void add(simt::SiteId site, const WarpRequest& request, const simt::Index3& block) {
        const std::int64_t number = std::int64_t{block.y} << 32 | block.x;
        for (auto& [rules, accumulator] : accumulators_)
            accumulator.add(static_cast<int>(site), request, number);
        if (watch_) watch_(request);
    }

    simt::HostQueue& queue_;
    Watch watch_;
    std::map<RuleSet, LaunchAccumulator> accumulators_;
    WarpRequests recorder_{[this](simt::SiteId site, const WarpRequest& request,
                                  const simt::Index3& block) { add(site, request, block); }};
};

}  // namespace camber
