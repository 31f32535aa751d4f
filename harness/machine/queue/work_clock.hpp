// What is known to be over where a piece of work begins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace camber {

// For each lane, of how many of its pieces of work it is known that they come before (a vector
// clock: Mattern 1988, "Virtual Time and Global States of Distributed Systems").
class WorkClock {
  public:
    std::uint32_t of(int lane) const {
        const auto i = static_cast<std::size_t>(lane);
        return i < pieces_.size() ? pieces_[i] : 0;
    }
    void count(int lane) {
        const auto i = static_cast<std::size_t>(lane);
        if (i >= pieces_.size()) pieces_.resize(i + 1);
        ++pieces_[i];
    }
    // Knows what the other one knows too.
    void take(const WorkClock& other) {
        if (other.pieces_.size() > pieces_.size()) pieces_.resize(other.pieces_.size());
        for (std::size_t i = 0; i < other.pieces_.size(); ++i)
            pieces_[i] = std::max(pieces_[i], other.pieces_[i]);
    }

  private:
    std::vector<std::uint32_t> pieces_;
};

}  // namespace camber
