#include "harness/machine/simt/cooperative_run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/base/candidate_guard.hpp"

namespace camber::simt {

CooperativeRun::CooperativeRun(const Launch& launch, const std::function<void()>& kernel,
                               Recorder* recorder, SiteTable& sites, StackPool& stacks)
    : launch_(launch), kernel_(kernel), recorder_(recorder) {
    for (std::uint64_t block = 0; block < launch_.grid.count(); ++block) {
        runners_.push_back(
            std::make_unique<BlockRunner>(launch_, kernel_, recorder_, sites, stacks));
        runners_.back()->start(block_index(block, launch_.grid));
    }
}

CooperativeRun::~CooperativeRun() {
    // What their functions leave behind when they end in the middle.
    ThreadState ended;
    current = &ended;
    runners_.clear();
    current = nullptr;
}

bool CooperativeRun::advance() {
    const CandidateLaunch guarded(launch_.name);
    struct Release {
        ~Release() { current = nullptr; }
    } release;
    std::size_t returned = 0;
    bool is_kept = false;
    for (const auto& runner : runners_) {
        const BlockRunner::Progress progress = runner->advance();
        if (progress == BlockRunner::Progress::returned) ++returned;
        if (progress == BlockRunner::Progress::kept) is_kept = true;
    }
    if (is_kept) return false;
    if (returned == runners_.size()) return true;
    pass_barrier(runners_, "grid_barrier()");
    if (recorder_) recorder_->grid_barrier();
    return false;
}

bool CooperativeRun::may_advance() const {
    bool any_kept = false;
    for (const auto& runner : runners_) {
        if (!runner->is_kept()) continue;
        if (runner->may_go_on()) return true;
        any_kept = true;
    }
    return !any_kept;
}

}  // namespace camber::simt
