#include "analysis/memory/bounds.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace camber {

namespace {

struct Words {
    std::string_view name, key, unit;
};

// In the order of Resource.
constexpr std::array<Words, 8> words{{
    {"DRAM", "dram", "bytes"},
    {"L2", "l2", "bytes"},
    {"L1", "l1", "bytes"},
    {"shared memory", "shared", "bytes"},
    {"issue slots", "issue", "instructions"},
    {"ALU pipe", "alu", "operations"},
    {"FP32 pipe", "fp32", "operations"},
    {"FP64 pipe", "fp64", "operations"},
}};

const Words& words_of(Resource resource) {
    return words.at(static_cast<std::size_t>(resource));
}

}  // namespace

std::string_view name(Resource resource) {
    return words_of(resource).name;
}

std::string_view key(Resource resource) {
    return words_of(resource).key;
}

std::string_view short_name(std::string_view key) {
    for (const Words& one : words)
        if (one.key == key) return one.name.substr(0, one.name.find(' '));
    return key;
}

std::string_view unit(Resource resource) {
    return words_of(resource).unit;
}

namespace {

bool has_no_cache(RuleSet rules) {
    return rules == RuleSet::cc10 || rules == RuleSet::cc12;
}

bool loads_bypass_l1(RuleSet rules) {
    return rules == RuleSet::cc20_uncached || rules == RuleSet::cc30;
}

std::int64_t global_bytes_moved(const AccessCounts& total) {
    return total.global_load.bytes_moved + total.global_store.bytes_moved +
           total.global_atomic.bytes_moved + total.bulk_load.bytes_moved;
}

// Bytes from L1 to registers: only the bytes that lanes requested of each sector.
std::int64_t useful_bytes(const AccessCounts& total) {
    std::int64_t bytes = 0;
    for (const TransferCounts* counts :
         {&total.global_load, &total.global_store, &total.global_atomic, &total.texture_load,
          &total.bulk_load, &total.local_load, &total.local_store})
        bytes += counts->useful_bytes;
    return bytes;
}

void check_positive(const char* name, bool positive) {
    if (!positive) {
        throw std::invalid_argument(std::string("ceiling ") + name +
                                    " is not positive; give the device's rate or leave it out");
    }
}

void check(const HardwareLimits& limits) {
    const auto positive = [](const auto& value) { return !value || *value > 0; };
    check_positive("dram_bytes_per_second", positive(limits.ceilings.dram()));
    check_positive("l2_bytes_per_second", positive(limits.ceilings.l2_bytes_per_second));
    check_positive("l1_bytes_per_second", positive(limits.ceilings.l1_bytes_per_second));
    check_positive("shared_bytes_per_second", positive(limits.ceilings.shared_bytes_per_second));
    check_positive("sm_count", positive(limits.sm_count));
    check_positive("sm_clock_hz", positive(limits.sm_clock_hz));
    check_positive("issues_per_cycle", positive(limits.issues_per_cycle));
}

}  // namespace

std::string_view Bound::limit() const {
    return resource == Resource::issue ? key(resource) : name(resource);
}

std::optional<Bound> Bounds::largest() const {
    const auto found = std::ranges::max_element(all, {}, &Bound::seconds);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

std::optional<HardwareLimits> hardware_limits(const results::Document& document) {
    const results::Run* run = document.run();
    if (!run || !run->gpu) return std::nullopt;
    HardwareLimits limits;
    if (document.ceilings) limits.ceilings = *document.ceilings;
    limits.ceilings.complete_from(run->ceilings);
    limits.sm_count = run->gpu->sm_count;
    limits.sm_clock_hz = run->gpu->sm_clock_hz;
    // An SM has four schedulers of one instruction per cycle from compute capability 5.0 on (CUDA C
    // Programming Guide). Older devices, for which only published figures exist, have fewer, so
    // that this remains an upper bound of the rate.
    limits.issues_per_cycle = 4;
    limits.warm_l2_bytes = run->gpu->l2_bytes;
    return limits;
}

Bounds time_bounds(const LaunchModel& launch, const HardwareLimits& limits) {
    check(limits);
    const Ceilings& ceilings = limits.ceilings;
    const std::optional<double> dram = ceilings.dram();
    const AccessCounts& total = launch.counts;
    const std::int64_t global = global_bytes_moved(total);
    const bool no_cache = has_no_cache(launch.rules);
    const int banks = bank_count(launch.rules);

    Bounds bounds;
    const auto add = [&](Resource resource, std::int64_t amount, double rate, std::string basis) {
        bounds.all.push_back({resource, static_cast<double>(amount) / rate, std::move(basis)});
    };
    // Share of the SMs that have a block.
    const double busy = limits.sm_count
                            ? std::min(1.0, static_cast<double>(launch.blocks) / *limits.sm_count)
                            : 1.0;
    const double working = busy > 0 ? busy : 1.0;

    const bool stays_in_l2 =
        limits.warm_l2_bytes && launch.distinct_sectors * sector_bytes <= *limits.warm_l2_bytes;
    if (dram && no_cache) {
        add(Resource::dram, global, *dram, "bytes moved (uncached) / DRAM bandwidth");
    } else if (dram && !stays_in_l2) {
        add(Resource::dram, launch.compulsory_bytes(), *dram,
            "distinct bytes per launch / DRAM bandwidth");
    }
    if (ceilings.l2_bytes_per_second && !no_cache) {
        const bool bypass = loads_bypass_l1(launch.rules);
        add(Resource::l2, bypass ? global : launch.block_bytes(), *ceilings.l2_bytes_per_second,
            bypass ? "bytes moved past L1 / L2 bandwidth"
                   : "distinct bytes per block / L2 bandwidth");
    }
    if (ceilings.l1_bytes_per_second && !no_cache) {
        add(Resource::l1, useful_bytes(total), *ceilings.l1_bytes_per_second * working,
            "bytes used by lanes / L1 bandwidth");
    }
    if (ceilings.shared_bytes_per_second) {
        const std::int64_t passes =
            total.shared_load.passes + total.shared_store.passes + total.shared_atomic.passes;
        add(Resource::shared, passes * banks * word_bytes,
            *ceilings.shared_bytes_per_second * working,
            "wavefronts * 128 bytes / shared-memory bandwidth");
    }
    if (limits.issues_per_cycle && limits.sm_clock_hz && limits.sm_count) {
        add(Resource::issue, total.instructions(),
            *limits.issues_per_cycle * *limits.sm_clock_hz * *limits.sm_count * working,
            "memory instructions / issue rate");
    }
    return bounds;
}

}  // namespace camber
