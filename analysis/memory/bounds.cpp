#include "analysis/memory/bounds.hpp"

#include <algorithm>
#include <stdexcept>

namespace camber {
namespace {

bool has_no_cache(RuleSet rules) {
    return rules == RuleSet::cc10 || rules == RuleSet::cc12;
}

bool loads_bypass_l1(RuleSet rules) {
    return rules == RuleSet::cc20_uncached || rules == RuleSet::cc30;
}

std::int64_t global_bytes_moved(const AccessCounts& total) {
    return total.global_load.bytes_moved + total.global_store.bytes_moved +
           total.global_atomic.bytes_moved;
}

// What crosses from L1 to the registers: of a sector, only the bytes that lanes asked for.
std::int64_t useful_bytes(const AccessCounts& total) {
    std::int64_t bytes = 0;
    for (const TransferCounts* counts :
         {&total.global_load, &total.global_store, &total.global_atomic, &total.texture_load,
          &total.local_load, &total.local_store})
        bytes += counts->useful_bytes;
    return bytes;
}

void check_positive(const char* name, bool positive) {
    if (!positive) {
        throw std::invalid_argument(std::string("ceiling ") + name +
                                    " is not positive; give the device's rate or leave it out");
    }
}

void check(const DeviceCeilings& ceilings) {
    const auto positive = [](const auto& value) { return !value || *value > 0; };
    check_positive("dram_bytes_per_second", positive(ceilings.dram_bytes_per_second));
    check_positive("l2_bytes_per_second", positive(ceilings.l2_bytes_per_second));
    check_positive("l1_bytes_per_second", positive(ceilings.l1_bytes_per_second));
    check_positive("shared_bytes_per_second", positive(ceilings.shared_bytes_per_second));
    check_positive("sm_count", positive(ceilings.sm_count));
    check_positive("sm_clock_hz", positive(ceilings.sm_clock_hz));
    check_positive("issues_per_cycle", positive(ceilings.issues_per_cycle));
}

}  // namespace

std::string_view Bound::limit() const {
    return resource == Resource::issue ? key(resource) : name(resource);
}

std::optional<Bound> Bounds::largest() const {
    const auto found = std::ranges::max_element(all, {}, &Bound::seconds);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

Bounds time_bounds(const LaunchModel& launch, const DeviceCeilings& ceilings) {
    check(ceilings);
    const AccessCounts& total = launch.counts;
    const std::int64_t global = global_bytes_moved(total);
    const bool no_cache = has_no_cache(launch.rules);
    const int banks = bank_count(launch.rules);

    Bounds bounds;
    const auto add = [&](Resource resource, std::int64_t amount, double rate, std::string basis) {
        bounds.all.push_back({resource, static_cast<double>(amount) / rate, std::move(basis)});
    };
    // The share of the SMs that have a block at all.
    const double busy = ceilings.sm_count
                            ? std::min(1.0, static_cast<double>(launch.blocks) / *ceilings.sm_count)
                            : 1.0;
    const double working = busy > 0 ? busy : 1.0;

    const bool stays_in_l2 =
        ceilings.warm_l2_bytes && launch.distinct_sectors * sector_bytes <= *ceilings.warm_l2_bytes;
    if (ceilings.dram_bytes_per_second && no_cache) {
        add(Resource::dram, global, *ceilings.dram_bytes_per_second,
            "bytes moved, without a cache / DRAM bandwidth");
    } else if (ceilings.dram_bytes_per_second && !stays_in_l2) {
        add(Resource::dram, launch.compulsory_bytes(), *ceilings.dram_bytes_per_second,
            "distinct bytes of the launch / DRAM bandwidth");
    }
    if (ceilings.l2_bytes_per_second && !no_cache) {
        const bool bypass = loads_bypass_l1(launch.rules);
        add(Resource::l2, bypass ? global : launch.block_bytes(), *ceilings.l2_bytes_per_second,
            bypass ? "bytes moved past L1 / L2 bandwidth"
                   : "distinct bytes of each block / L2 bandwidth");
    }
    if (ceilings.l1_bytes_per_second && !no_cache) {
        add(Resource::l1, useful_bytes(total), *ceilings.l1_bytes_per_second * working,
            "bytes that lanes use / L1 bandwidth");
    }
    if (ceilings.shared_bytes_per_second) {
        const std::int64_t passes =
            total.shared_load.passes + total.shared_store.passes + total.shared_atomic.passes;
        add(Resource::shared, passes * banks * word_bytes,
            *ceilings.shared_bytes_per_second * working,
            "passes over all banks / shared-memory bandwidth");
    }
    if (ceilings.issues_per_cycle && ceilings.sm_clock_hz && ceilings.sm_count) {
        add(Resource::issue, total.instructions(),
            *ceilings.issues_per_cycle * *ceilings.sm_clock_hz * *ceilings.sm_count * working,
            "memory instructions / issue rate");
    }
    return bounds;
}

}  // namespace camber
