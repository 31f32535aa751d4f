// When is a case sampled enough? Rules are asked after every sample, or after every few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace camber {

class StoppingRule {
  public:
    virtual ~StoppingRule() = default;

    // `samples` are all samples of one case so far, in order; `elapsed_seconds` is the time spent
    // on them. Empty while sampling must go on, otherwise the reason it stopped: "converged",
    // "time budget", "sample limit".
    virtual std::optional<std::string> verdict(std::span<const double> samples,
                                               double elapsed_seconds) = 0;
};

struct ConfidenceParameters {
    double relative_half_width = 0.005;  // of the 95 % interval, as a share of the median
    std::size_t minimum_samples = 6;     // fewer span no 95 % interval of a median: 1 - 2 / 2^6
    std::size_t maximum_samples = 1000;
    double budget_seconds = 1.0;
    std::uint64_t seed = 0;  // the same as for summarize(), so that both see one interval
};

// Stops as "converged" when the 95 % bootstrap interval of the median is narrow enough. At the time
// budget and at the sample limit it looks a last time, and says "converged" if that is so. The
// budget holds even below the minimum of samples, but one sample is always taken.
//
// The rule judges the spread only: a drift slower than the spread goes unnoticed. And because it
// stops when the interval happens to be narrow, the interval of what it collected covers the true
// median in 90 to 94 % of the cases (normal samples), not 95 %.
class ConfidenceRule : public StoppingRule {
  public:
    // Throws std::invalid_argument for a width or budget that is not positive, for a minimum of 0
    // and for a maximum below the minimum.
    explicit ConfidenceRule(const ConfidenceParameters& parameters = {});

    // One object may serve several cases in turn: a list no longer than the last one starts anew.
    std::optional<std::string> verdict(std::span<const double> samples,
                                       double elapsed_seconds) override;

  private:
    bool converged(std::span<const double> samples) const;

    ConfidenceParameters parameters_;
    std::size_t last_checked_ = 0;  // number of samples at the last look at the interval
};

}  // namespace camber
