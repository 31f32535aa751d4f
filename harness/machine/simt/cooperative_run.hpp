// A cooperative launch under way: its blocks take turns on one CPU thread, each until all its
// threads wait at a grid barrier, or for a count that a block of another launch has to raise.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "harness/machine/simt/block_runner.hpp"

namespace camber::simt {

class CooperativeRun {
  public:
    CooperativeRun(const Launch& launch, const std::function<void()>& kernel, Recorder* recorder,
                   SiteTable& sites, StackPool& stacks);
    // Ends threads that have not returned.
    ~CooperativeRun();
    CooperativeRun(const CooperativeRun&) = delete;
    CooperativeRun& operator=(const CooperativeRun&) = delete;

    // Runs the blocks to the next grid barrier, as far as no count keeps them; whether all have
    // returned. Throws what the first faulting thread threw.
    bool advance();
    // Whether some block could go on. Those at a grid barrier can once no count keeps the others.
    bool may_advance() const;

  private:
    Launch launch_;
    std::function<void()> kernel_;
    Recorder* recorder_;
    std::vector<std::unique_ptr<BlockRunner>> runners_;
};

}  // namespace camber::simt
