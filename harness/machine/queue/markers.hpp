// NVTX ranges, by which profilers find one variant's samples: one domain `camber`, a range per
// case, inside it one per phase, and inside that, where a generation has several steps, one per
// step. Without the NVTX headers (CUDA Toolkit), or without a profiler attached, a range costs next
// to nothing and does nothing.
#pragma once

#include <cstdint>
#include <string>

#include "harness/machine/queue/span_log.hpp"

namespace camber {

// A variant's name in NVTX: dots for slashes, which separate nested ranges in profilers' filters.
std::string marker_name(const std::string& variant);

// Open from construction to destruction, on the calling thread; nested ranges close in reverse.
class MarkedRange {
  public:
    // `payload`: the number of a sample, or of a step's generation, counted from 0.
    explicit MarkedRange(const std::string& name, std::int64_t payload = 0);
    ~MarkedRange();
    MarkedRange(const MarkedRange&) = delete;
    MarkedRange& operator=(const MarkedRange&) = delete;

  private:
    SpanTimer span_;
};

// While it lives, ranges stand in a log too: on the host's lane of place 0. One at a time.
class MarkedRangesIn {
  public:
    explicit MarkedRangesIn(SpanLog& log);
    ~MarkedRangesIn();
    MarkedRangesIn(const MarkedRangesIn&) = delete;
    MarkedRangesIn& operator=(const MarkedRangesIn&) = delete;
};

}  // namespace camber
