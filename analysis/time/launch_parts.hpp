// Parts of a launch's time, computed from counts, machine code and device ceilings.
#pragma once

#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "analysis/time/executed.hpp"
#include "analysis/time/kernel_time.hpp"

namespace camber {

// Overlap exponent: parts combine as (sum of part^n)^(1/n).
inline constexpr double usual_overlap = 3;
inline constexpr double early_overlap = 2.5;  // in the first waves
inline constexpr double early_fillings = 2;
// (sum of time^exponent)^(1/exponent). 1 adds the times; larger exponents overlap them.
double norm(std::initializer_list<double> times, double exponent);

class LaunchParts {
  public:
    // The arguments must outlive the object.
    LaunchParts(const KernelWork& work, const Machine& machine, const Executions& executed);

    // Parts in the order of TimeResource, without parts of zero time. See kernel_time.hpp.
    std::vector<TimePart> all() const;

    // For more waves than this, the partly filled last wave no longer matters.
    static constexpr double many_fillings = 4;
    // Number of waves of blocks.
    double fillings() const;

    // Stalls for memory beyond L2.
    struct MemoryWaits {
        double number = 0;  // consecutive stalls in one block slot
        double delay = 0;   // of each in seconds, see LoadedMemory
        double missed = 0;  // share of the reads that miss L2
    };
    MemoryWaits memory_waits() const;

  private:
    double places() const;
    double step_bytes() const;
    bool stays_in_l2() const;
    double missed_by_l2() const;
    double over_visits(const std::function<double(double bytes_since)>& of) const;
    bool shared_rows_leave_l2() const;
    double distinct_of_launch() const;
    double read_anew() const;
    bool uses(Term term) const { return machine_.settings.uses(term); }
    TimePart memory() const;
    TimePart l2() const;
    double l2_requests() const;
    TimePart l1() const;
    TimePart texture() const;
    double instructions_of(std::initializer_list<std::string_view> classes) const;
    TimePart issue() const;
    TimePart pipes() const;
    TimePart starts() const;
    double rounds() const;
    double beginning() const;
    double rounds_past_l1() const;
    double loads_past_l1() const;
    double pieces_of_warp(double past_l1) const;
    double latency_past_l1(double pieces) const;
    double pieces_at_once(double past_l1) const;
    double asks_memory(double past_l1) const;
    double first_latency(double past_l1) const;
    double distinct(const DistinctCounts& of) const;
    double share_from_memory() const;
    double last_arrives_later(double past_l1, double meetings) const;
    bool warps_meet() const;
    double cluster_waits() const;
    double busiest_share() const;
    double most_spread_fillings() const;
    double scheduled_amount(std::string_view name) const;
    double waits_past_l1() const;
    double scheduled_chain() const;
    double chain() const;
    double longer_at_edge() const;
    TimePart latency() const;
    TimePart launch() const;

    const KernelWork& work_;
    const Machine& machine_;
    const Executions& executed_;
    const AccessCounts& counts_;
    double warps_per_block_;
    double warps_;
    double busy_;  // share of the SMs that have a block
};

}  // namespace camber
