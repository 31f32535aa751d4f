#include "analysis/profile/figures.hpp"

#include <initializer_list>
#include <string>

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
    of.dram_read_bytes = counters["dram__bytes_read.sum"];
    of.dram_write_bytes = counters["dram__bytes_write.sum"];
    const Value l2_reads = counters["lts__t_sectors_op_read.sum"];
    const Value l2_writes = counters["lts__t_sectors_op_write.sum"];
    if (l2_reads && l2_writes) of.l2_bytes = sector_bytes * (*l2_reads + *l2_writes);
    if (counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]) {
        of.l1_requests = counters.sum({"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                       "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                                       "l1tex__t_requests_pipe_tex_mem_texture.sum"});
        of.l1_sectors = counters.sum({"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                      "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                      "l1tex__t_sectors_pipe_tex_mem_texture.sum"});
    }
    of.shared_wavefronts = counters.sum({"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                         "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"});
    of.bank_conflicts = counters.sum({"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                                      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"});
    of.warp_instructions = counters["smsp__inst_executed.sum"];
    of.thread_instructions = counters["smsp__thread_inst_executed.sum"];
    of.fp32_instructions = counters.sum({"sm__sass_thread_inst_executed_op_ffma_pred_on.sum",
                                         "sm__sass_thread_inst_executed_op_fadd_pred_on.sum",
                                         "sm__sass_thread_inst_executed_op_fmul_pred_on.sum"});
    of.fp64_instructions = counters.sum({"sm__sass_thread_inst_executed_op_dfma_pred_on.sum",
                                         "sm__sass_thread_inst_executed_op_dadd_pred_on.sum",
                                         "sm__sass_thread_inst_executed_op_dmul_pred_on.sum"});
    of.spill_instructions = counters.sum(
        {"sm__sass_inst_executed_op_local_ld.sum", "sm__sass_inst_executed_op_local_st.sum"});
    return of;
}

Ratios ratios(const Facts& facts) {
    const Counters counters(facts);
    const Amounts of = amounts(facts);
    const auto per_request = [&](const std::string& kind) {
        return over(counters["l1tex__t_sectors_pipe_" + kind + ".sum"],
                    counters["l1tex__t_requests_pipe_" + kind + ".sum"]);
    };
    Ratios ratio;
    ratio.load_sectors_per_request = per_request("lsu_mem_global_op_ld");
    ratio.store_sectors_per_request = per_request("lsu_mem_global_op_st");
    ratio.texture_sectors_per_request = per_request("tex_mem_texture");
    const std::string use = "smsp__sass_average_data_bytes_per_sector_mem_global_op_";
    ratio.load_sector_use = counters.share(use + "ld.pct");
    ratio.store_sector_use = counters.share(use + "st.pct");
    ratio.l1_hits = counters.share("l1tex__t_sector_hit_rate.pct");
    ratio.l2_hits = counters.share("lts__t_sector_hit_rate.pct");
    ratio.conflict_share = over(of.bank_conflicts, of.shared_wavefronts);
    ratio.threads_per_instruction =
        counters["smsp__average_thread_inst_executed_per_inst_executed.ratio"];
    if (!ratio.threads_per_instruction)
        ratio.threads_per_instruction = over(of.thread_instructions, of.warp_instructions);
    ratio.achieved_occupancy = counters.share("sm__warps_active.avg.pct_of_peak_sustained_active");
    ratio.instructions_per_cell =
        over(of.thread_instructions, facts.cells * facts.generations_per_launch);
    ratio.dram_over_application =
        over(of.dram_bytes(), facts.application_bytes * facts.generations_per_launch);
    return ratio;
}

}  // namespace camber::profile
