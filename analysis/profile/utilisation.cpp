#include "analysis/profile/utilisation.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/profile/figures.hpp"

namespace camber::profile {

namespace {

constexpr double schedulers_per_sm = 4;

// The share of the kernel's instructions that the ALU pipe executes (see NVIDIA's Nsight Compute
// documentation, "Pipelines"); multiply-adds go to the FMA pipe.
std::optional<double> alu_share(const Facts& facts) {
    if (!facts.kernel) return std::nullopt;
    const auto& mix = facts.kernel->instructions;
    const auto total = mix.find("total");
    if (total == mix.end() || total->second <= 0) return std::nullopt;
    double count = 0;
    for (const char* kind : {"integer", "logic", "shifts", "predicates"})
        if (const auto found = mix.find(kind); found != mix.end())
            count += static_cast<double>(found->second);
    return count / static_cast<double>(total->second);
}

}  // namespace

std::optional<double> dram_ceiling(const Ceilings& ceilings, double read_bytes,
                                   double write_bytes) {
    const double bytes = read_bytes + write_bytes;
    const auto copy = ceilings.dram_copy();
    const auto read = ceilings.dram_read();
    const auto write = ceilings.dram_write();
    if (!copy || !read || !write || bytes <= 0) return copy;
    const double writes = write_bytes / bytes;
    return writes <= 0.5 ? std::lerp(*read, *copy, 2 * writes)
                         : std::lerp(*copy, *write, 2 * writes - 1);
}

std::vector<Utilisation> utilisations(const Facts& facts) {
    const Amounts of = amounts(facts);
    const Ceilings& ceilings = facts.ceilings;
    const double seconds = facts.seconds_per_launch();
    std::vector<Utilisation> list;
    const auto add = [&](Resource resource, const std::optional<double>& amount,
                         const std::optional<double>& ceiling, bool estimate = false) {
        if (amount && ceiling && *amount > 0 && *ceiling > 0 && seconds > 0)
            list.push_back({resource, *amount / seconds, *ceiling, estimate});
    };
    const auto times = [](const std::optional<double>& amount, double factor) {
        return amount ? std::optional(*amount * factor) : std::nullopt;
    };

    if (of.dram_bytes())
        add(Resource::dram, of.dram_bytes(),
            dram_ceiling(ceilings, *of.dram_read_bytes, *of.dram_write_bytes));
    add(Resource::l2, of.l2_bytes, ceilings.l2_bytes_per_second);
    if (of.l1_sectors && of.l1_requests)
        add(Resource::l1,
            std::max(*of.l1_sectors * sector_bytes, *of.l1_requests * wavefront_bytes),
            ceilings.l1_bytes_per_second);
    add(Resource::shared, times(of.shared_wavefronts, wavefront_bytes),
        ceilings.shared_bytes_per_second);
    add(Resource::issue, of.warp_instructions,
        times(facts.sm_clock_hz, facts.gpu.sm_count * schedulers_per_sm));
    if (const auto share = alu_share(facts))
        add(Resource::alu, times(of.warp_instructions, warp_threads * *share),
            ceilings.lop3_operations_per_second, true);
    add(Resource::fp32, times(of.fp32_instructions, 2), ceilings.fp32_flops_per_second);
    add(Resource::fp64, times(of.fp64_instructions, 2), ceilings.fp64_flops_per_second);
    std::ranges::stable_sort(list, std::ranges::greater{}, &Utilisation::share);
    return list;
}

bool is_impossible(const Utilisation& use) {
    return !use.estimate && use.share() > impossible_share;
}

std::optional<Utilisation> binding_limit(const results::Run& run,
                                         const results::CaseRecord& record) {
    if (record.identity.backend != Backend::cuda || record.counters.empty() || !run.gpu ||
        !record.samples || !record.derived)
        return std::nullopt;
    auto list = utilisations(facts_of(run, record));
    // The limits are those of one device.
    if (record.identity.group)
        for (Utilisation& use : list) use.rate /= record.identity.group->devices_at_work();
    if (list.empty() || std::ranges::any_of(list, is_impossible)) return std::nullopt;
    return list.front();
}

}  // namespace camber::profile
