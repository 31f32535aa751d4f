// Host half of CUPTI's profiler: metrics of a chip, the passes that they need, and error sentences
// with cause and remedy. Neither a GPU nor a driver is needed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.hpp"

namespace camber::counters {

// Errors if CUPTI provides neither counters nor kernel times, as a sentence with cause and remedy

// `result`: a CUptiResult. `action`: the attempted operation, e.g. "enabling the counters";
// `explanation`: CUPTI's own message, used for codes without a sentence of ours.
Error counter_error(int result, std::string_view action, std::string_view explanation = "");

// Host half of CUPTI's profiler: the metrics of a chip and the number of passes that they need. It
// needs neither GPU nor driver. All functions here throw Error(unavailable) if CUPTI is missing.
using Bytes = std::vector<std::uint8_t>;

// Reason why counters cannot be planned on this machine; "" if they can.
std::string why_no_cupti();

// CUPTI's names ("GH100") of the chips that the Range Profiler supports, oldest first.
std::vector<std::string> supported_chips();

// Metrics of one chip. A metric's name is a base name with a suffix: smsp__inst_executed.sum,
// l1tex__t_sector_hit_rate.pct.
class ChipMetrics {
  public:
    // Throws Error(usage), with similar names, for a chip that CUPTI does not know.
    explicit ChipMetrics(const std::string& chip);
    ~ChipMetrics();
    ChipMetrics(const ChipMetrics&) = delete;
    ChipMetrics& operator=(const ChipMetrics&) = delete;

    const std::string& chip() const { return chip_; }
    const std::vector<std::string>& base_names() const { return base_names_; }  // sorted
    // ".sum", ".avg.per_second", ...; empty for an unknown base name.
    std::vector<std::string> suffixes(const std::string& base_name) const;
    bool has(const std::string& metric) const;
    // Explains why the chip does not have a metric, with similar names: a clause without a full
    // stop.
    std::string why_not(const std::string& metric) const;

  private:
    struct Host;
    std::string chip_;
    std::unique_ptr<Host> host_;
    std::map<std::string, int> types_;  // base name -> CUpti_MetricType
    std::vector<std::string> base_names_;
};

// A selection of metrics, scheduled for a chip.
class MetricPlan {
  public:
    // Throws Error(usage) for a metric that the chip does not have; CUPTI itself does not report
    // which name is bad. `availability`: CUPTI's counter availability image of the device, if any.
    MetricPlan(const ChipMetrics& chip, const std::vector<std::string>& metrics,
               std::span<const std::uint8_t> availability = {});
    ~MetricPlan();
    MetricPlan(const MetricPlan&) = delete;
    MetricPlan& operator=(const MetricPlan&) = delete;

    const std::vector<std::string>& metrics() const { return metrics_; }
    const Bytes& config_image() const { return config_image_; }
    std::size_t passes() const { return passes_; }
    // Values of one range in a decoded counter data image. A metric whose value is NaN, for
    // instance a ratio of two zeros, is omitted.
    std::map<std::string, double> evaluate(std::span<const std::uint8_t> counter_data,
                                           std::size_t range = 0) const;

  private:
    struct Host;
    std::vector<std::string> metrics_;
    std::unique_ptr<Host> host_;
    Bytes config_image_;
    std::size_t passes_ = 0;
};

}  // namespace camber::counters
