#include "analysis/profile/figures.hpp"

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
    // Of those that are known: a chip without texture counters still has loads and stores. Absent
    // where none is.
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

}  // namespace camber::profile
