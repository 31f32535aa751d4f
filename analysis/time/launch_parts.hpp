// Parts of a launch's time, computed from counts, machine code and device ceilings.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "analysis/time/executed.hpp"
#include "analysis/time/kernel_time.hpp"

namespace camber {

// End of the interval for an unknown property of a launch.
enum class End : std::uint8_t { low, usual, high };

struct Unknowns {
    End text = End::usual;    // how much of it is executed
    End caches = End::usual;  // what is read again has left them: nothing, some, all
    End waits = End::usual;   // how long a warp waits for its loads
};

// Exponent of a sum of times that overlap, as far as they usually do.
inline constexpr double usual_overlap = 3;
inline constexpr double early_overlap = 2.5;  // of the first fillings of all places
inline constexpr double early_fillings = 2;
// 1: times one after another; more: they overlap.
double norm(std::initializer_list<double> times, double exponent);

class LaunchParts {
  public:
    // All are kept.
    LaunchParts(const KernelWork& work, const Machine& machine, const Executions& executed);

    // In the order of TimeResource, without those that take nothing. See kernel_time.hpp.
    std::vector<TimePart> at(const Unknowns& unknowns) const;

    // Beyond them the last filling, only partly filled, no longer matters.
    static constexpr double many_fillings = 4;
    // Times that all places for blocks are filled.
    double fillings() const;

    // For memory beyond L2.
    struct MemoryWaits {
        double number = 0;  // of a place's blocks, one after another
        double delay = 0;   // of each, see LoadedMemory: seconds
        double missed = 0;  // share of what is read that L2 lacks
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
    struct Cache {
        bool takes_stores = false;
        std::function<double(double bytes)> left;  // share of what is read again after so many
    };
    double l1_capacity() const;
    double read_anew(const Cache& cache, double blocks_at_work, End end) const;
    TimePart memory(End end) const;
    double sectors_past_l1(End end) const;
    TimePart l2(End end) const;
    double l2_requests(double sectors_read) const;
    TimePart l1() const;
    TimePart texture() const;
    double times_executed(End end) const;
    double instructions_of(std::initializer_list<std::string_view> classes, End text) const;
    TimePart issue(End text) const;
    TimePart pipes(End text) const;
    double fetches(End text) const;
    double fetched(const Executions::Piece& piece) const;
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
    double trips_to_others() const;
    double barriers(double executed) const;
    double busiest_share() const;
    double most_spread_fillings() const;
    double scheduled_amount(std::string_view name, const Unknowns& unknowns) const;
    double waits_past_l1(const Unknowns& unknowns) const;
    double memory_covered(double each, const Unknowns& unknowns) const;
    double scheduled_chain(const Unknowns& unknowns) const;
    double chain(const Unknowns& unknowns) const;
    double longer_at_edge() const;
    TimePart latency(const Unknowns& unknowns) const;
    TimePart launch() const;

    const KernelWork& work_;
    const Machine& machine_;
    const Executions& executed_;
    const AccessCounts& counts_;
    double warps_per_block_;
    double warps_;
    double sms_;   // SMs, as many as have blocks where all places are filled
    double busy_;  // share of all that have a block
};

}  // namespace camber
