#include "analysis/profile/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <string>

#include "harness/record/metric_names.hpp"

namespace camber::profile {

namespace {

using Value = std::optional<double>;

class Counters {
  public:
    explicit Counters(const Facts& facts) : values_(facts.counters) {}

    Value operator[](const std::string& metric) const {
        const auto found = values_.find(metric);
        return found == values_.end() ? std::nullopt : Value(found->second);
    }
    // Sum of the available metrics, since a chip without texture counters still has loads and
    // stores. Absent if none is available.
    Value sum(std::initializer_list<const char*> metrics) const {
        Value total;
        for (const char* metric : metrics)
            if (const Value value = (*this)[metric]) total = total.value_or(0) + *value;
        return total;
    }
    Value share(const std::string& percentage) const {
        const Value value = (*this)[percentage];
        return value ? Value(*value / 100) : std::nullopt;
    }

  private:
    const std::map<std::string, double>& values_;
};

Value over(const Value& amount, const Value& by) {
    if (!amount || !by || *by <= 0) return std::nullopt;
    return *amount / *by;
}

}  // namespace

Value Amounts::dram_bytes() const {
    if (!dram_read_bytes || !dram_write_bytes) return std::nullopt;
    return *dram_read_bytes + *dram_write_bytes;
}

Amounts amounts(const Facts& facts) {
    const Counters counters(facts);
    Amounts of;
    of.dram_read_bytes = counters[metric::dram_read_bytes];
    of.dram_write_bytes = counters[metric::dram_write_bytes];
    const Value l2_reads = counters[metric::l2_read_sectors];
    const Value l2_writes = counters[metric::l2_write_sectors];
    if (l2_reads && l2_writes) of.l2_bytes = sector_bytes * (*l2_reads + *l2_writes);
    if (counters[metric::global_load_sectors]) {
        of.l1_requests = counters.sum({metric::global_load_requests, metric::global_store_requests,
                                       metric::texture_requests});
        of.l1_sectors = counters.sum(
            {metric::global_load_sectors, metric::global_store_sectors, metric::texture_sectors});
    }
    of.shared_wavefronts =
        counters.sum({metric::shared_load_wavefronts, metric::shared_store_wavefronts});
    of.bank_conflicts =
        counters.sum({metric::shared_load_conflicts, metric::shared_store_conflicts});
    of.warp_instructions = counters[metric::warp_instructions];
    of.thread_instructions = counters[metric::thread_instructions];
    of.fp32_instructions = counters.sum({metric::fp32_fma, metric::fp32_add, metric::fp32_mul});
    of.fp64_instructions = counters.sum({metric::fp64_fma, metric::fp64_add, metric::fp64_mul});
    of.spill_instructions = counters.sum({metric::local_loads, metric::local_stores});
    return of;
}

Ratios ratios(const Facts& facts) {
    const Counters counters(facts);
    const Amounts of = amounts(facts);
    Ratios ratio;
    ratio.load_sectors_per_request =
        over(counters[metric::global_load_sectors], counters[metric::global_load_requests]);
    ratio.store_sectors_per_request =
        over(counters[metric::global_store_sectors], counters[metric::global_store_requests]);
    ratio.texture_sectors_per_request =
        over(counters[metric::texture_sectors], counters[metric::texture_requests]);
    ratio.load_sector_use = counters.share(metric::load_sector_use);
    ratio.store_sector_use = counters.share(metric::store_sector_use);
    ratio.l1_hits = counters.share(metric::l1_hits);
    ratio.l2_hits = counters.share(metric::l2_hits);
    ratio.conflict_share = over(of.bank_conflicts, of.shared_wavefronts);
    ratio.threads_per_instruction = counters[metric::threads_per_instruction];
    if (!ratio.threads_per_instruction)
        ratio.threads_per_instruction = over(of.thread_instructions, of.warp_instructions);
    ratio.achieved_occupancy = counters.share(metric::occupancy);
    ratio.instructions_per_cell =
        over(of.thread_instructions, facts.cells * facts.generations_per_launch);
    ratio.dram_over_application =
        over(of.dram_bytes(), facts.application_bytes * facts.generations_per_launch);
    return ratio;
}

namespace {

constexpr double schedulers_per_sm = 4;

// Share of the kernel's instructions that the ALU pipe executes (see NVIDIA's Nsight Compute
// documentation, "Pipelines"); multiply-adds use the FMA pipe.
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
    // Ceilings are per device, and so must the rates be.
    const double seconds = facts.seconds_per_launch() * facts.devices;
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
    const auto list = utilisations(facts_of(run, record));
    if (list.empty() || std::ranges::any_of(list, is_impossible)) return std::nullopt;
    return list.front();
}

std::string decimal(double number, int digits) {
    std::array<char, 400> text{};  // the longest double has 309 digits before the decimal point
    std::snprintf(text.data(), text.size(), "%.*f", digits, number);
    return text.data();
}

std::string quantity(double amount) {
    constexpr const char* units[] = {"", " k", " M", " G", " T", " P"};
    std::size_t unit = 0;
    double scaled = amount;
    // 999.9995 and above would be printed as 1000.000.
    while (std::abs(scaled) >= 999.9995 && unit + 1 < std::size(units)) {
        scaled /= 1000;
        ++unit;
    }
    const bool whole = unit == 0 && scaled == std::floor(scaled);
    return decimal(scaled, whole ? 0 : 3) + units[unit];
}

}  // namespace camber::profile
