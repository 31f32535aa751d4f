// Records the memory instructions of what a variant launches first.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "harness/base/stop_signal.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/warp_requests.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

// Which blocks of a launch to run and record: all, none, or those of an ascending list. A
// cooperative launch, whose blocks wait for each other, runs whole or not at all.
struct BlockChoice {
    enum class Kind { all, none, some } kind = Kind::all;
    std::vector<std::int64_t> blocks;  // of `some`: linear indices, x fastest
    // Whether the others run too, unrecorded: later launches may read what they write.
    bool others_run = false;
};

std::int64_t linear_index(const simt::Extent3& grid, const simt::Index3& block);

// The recorder of the queue's executor for as long as it lives. Throws Stopped between blocks where
// work is to end.
class LaunchRecorder : public simt::Recorder {
  public:
    explicit LaunchRecorder(simt::HostQueue& queue);
    ~LaunchRecorder() override;
    LaunchRecorder(const LaunchRecorder&) = delete;
    LaunchRecorder& operator=(const LaunchRecorder&) = delete;

    void begin_launch(const simt::Launch& launch, const simt::SiteTable& sites) final;
    void record(const simt::Access& access) override { requests_.record(access); }
    void end_block(const simt::Index3& block) override {
        check_stop();
        requests_.end_block(block);
    }

  protected:
    // Asked before each launch.
    virtual BlockChoice choose(const simt::Launch& launch) = 0;
    // Given the requests of each block that has ended; `warp` counts in the block.
    virtual void add(simt::SiteId site, const WarpRequest& request, const simt::Index3& block,
                     int warp) = 0;

    simt::HostQueue& queue() const { return queue_; }
    const BlockChoice& choice() const { return choice_; }

  private:
    simt::HostQueue& queue_;
    BlockChoice choice_;
    WarpRequests requests_{
        [this](simt::SiteId site, const WarpRequest& request, const simt::Index3& block) {
            add(site, request, block, requests_.warp());
        }};
};

// Runs the first launch of `variant`, that is generations_per_launch generations with all their
// kernels, on `initial`, and returns what a recorder R(queue, arguments...) has of it. Throws what
// the executor throws.
template <class R, class... Arguments>
auto record_first_launch(simt::HostQueue& queue, const Variant& variant, const Problem& problem,
                         const State& initial, Arguments&&... arguments) {
    queue.set_label(variant.info.name());
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    execution->upload(initial);
    R recorder(queue, std::forward<Arguments>(arguments)...);
    execution->advance(variant.info.shape.generations);
    queue.synchronize();
    return recorder.take();
}

}  // namespace camber
