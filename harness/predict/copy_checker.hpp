// Who may touch what bulk copies write into a block's shared memory.
//
// A copy's bytes are there for a thread that has waited for the phase of the barrier that counts
// it, and for those that a barrier of the block, or a __syncwarp() of the whole warp, orders after
// such a thread. Other blocks of a cluster are not told apart from those that may not.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "harness/machine/simt/recorder.hpp"
#include "harness/predict/shadow.hpp"

namespace camber {

class CopyChecker {
  public:
    void begin_launch() { blocks_.clear(); }
    void end_block(std::uint32_t block) { blocks_.erase(block); }

    // `block`: any number of its own. `mark`: the event's thread.
    // The copy's bytes belong to it from here on.
    void begin(std::uint32_t block, const simt::CopyEvent& event, const Mark& mark);
    void awaited(std::uint32_t block, const simt::CopyEvent& event);
    // Who wrote the bytes, by a copy that is not there yet for the thread of `mark`.
    std::optional<Mark> hidden(std::uint32_t block, std::uint32_t offset, std::uint32_t size,
                               const Mark& mark) const;

  private:
    static constexpr std::uint32_t never = ~std::uint32_t{0};

    struct Copy {
        std::uint32_t copy_barrier;
        std::uint64_t phase;
        std::uint32_t begin;  // of its bytes
        std::uint32_t end;
        Mark writer;
        std::vector<std::uint32_t> threads;  // that have waited
        std::uint32_t barrier = never;       // the least that one of them had passed
        std::array<std::uint32_t, 32> warp_sync{};

        bool is_there_for(const Mark& mark) const;
    };

    std::map<std::uint32_t, std::vector<Copy>> blocks_;
};

}  // namespace camber
