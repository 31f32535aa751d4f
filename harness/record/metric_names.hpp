// Names of measured quantities, which are keys of result files: hardware counters by their GH100
// names, and counts from a kernel's SASS.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace camber::metric {

// Hardware counters by their GH100 names, which are the keys of result files.
inline constexpr const char* duration = "gpu__time_duration.sum";  // ns
inline constexpr const char* sm_cycles = "sm__cycles_elapsed.max";

inline constexpr const char* dram_read_bytes = "dram__bytes_read.sum";
inline constexpr const char* dram_write_bytes = "dram__bytes_write.sum";
inline constexpr const char* dram_throughput = "dram__throughput.avg.pct_of_peak_sustained_elapsed";

inline constexpr const char* l2_read_sectors = "lts__t_sectors_op_read.sum";
inline constexpr const char* l2_write_sectors = "lts__t_sectors_op_write.sum";
inline constexpr const char* l2_hits = "lts__t_sector_hit_rate.pct";

inline constexpr const char* l1_hits = "l1tex__t_sector_hit_rate.pct";
inline constexpr const char* global_load_requests =
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
inline constexpr const char* global_load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
inline constexpr const char* global_store_requests =
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
inline constexpr const char* global_store_sectors =
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
inline constexpr const char* texture_requests = "l1tex__t_requests_pipe_tex_mem_texture.sum";
inline constexpr const char* texture_sectors = "l1tex__t_sectors_pipe_tex_mem_texture.sum";
inline constexpr const char* load_sector_use =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
inline constexpr const char* store_sector_use =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct";
inline constexpr const char* local_loads = "sm__sass_inst_executed_op_local_ld.sum";  // spills
inline constexpr const char* local_stores = "sm__sass_inst_executed_op_local_st.sum";

inline constexpr const char* shared_load_wavefronts =
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
inline constexpr const char* shared_store_wavefronts =
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
inline constexpr const char* shared_load_conflicts =
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
inline constexpr const char* shared_store_conflicts =
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
inline constexpr const char* asynchronous_copies =  // from compute capability 8.0
    "sm__sass_inst_executed_op_ldgsts.sum";
inline constexpr const char* bulk_copies = "sm__sass_inst_executed_op_tma.sum";  // from 9.0
inline constexpr const char* distributed_shared =  // other blocks' shared memory, from 9.0
    "sm__sass_inst_executed_op_dshared.sum";

inline constexpr const char* warp_instructions = "smsp__inst_executed.sum";
inline constexpr const char* thread_instructions = "smsp__thread_inst_executed.sum";
inline constexpr const char* threads_per_instruction =  // divergence: 32 is none
    "smsp__average_thread_inst_executed_per_inst_executed.ratio";
inline constexpr const char* occupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
inline constexpr const char* fp32_fma = "sm__sass_thread_inst_executed_op_ffma_pred_on.sum";
inline constexpr const char* fp32_add = "sm__sass_thread_inst_executed_op_fadd_pred_on.sum";
inline constexpr const char* fp32_mul = "sm__sass_thread_inst_executed_op_fmul_pred_on.sum";
inline constexpr const char* fp64_fma = "sm__sass_thread_inst_executed_op_dfma_pred_on.sum";
inline constexpr const char* fp64_add = "sm__sass_thread_inst_executed_op_dadd_pred_on.sum";
inline constexpr const char* fp64_mul = "sm__sass_thread_inst_executed_op_dmul_pred_on.sum";

}  // namespace camber::metric

namespace camber::text_counts {

// Keys of figures from a kernel's machine code besides instruction classes.
inline constexpr std::string_view total = "total";
inline constexpr std::string_view skippable = "skippable";
inline constexpr std::string_view rounds = "rounds";  // 1 in a loop without accesses

// For a single warp (harness/machine/sass/instructions.hpp).
inline constexpr std::string_view cycles = "cycles";
inline constexpr std::string_view memory_waits = "memory_waits";
inline constexpr std::string_view memory_covered = "memory_covered";
inline constexpr std::string_view brief_waits = "brief_waits";
inline constexpr std::string_view brief_covered = "brief_covered";

// Covered cycles of memory waits if each lasts 1000 cycles: only in older files.
inline constexpr std::string_view long_covered = "long_covered";

inline constexpr std::array schedule{cycles,      memory_waits,  memory_covered,
                                     brief_waits, brief_covered, long_covered};

constexpr bool is_of_schedule(std::string_view name) {
    return std::ranges::find(schedule, name) != schedule.end();
}
constexpr bool is_class(std::string_view name) {
    return name != total && name != skippable && name != rounds && !is_of_schedule(name);
}

}  // namespace camber::text_counts
