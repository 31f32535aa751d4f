#include "harness/record/ceilings.hpp"

#include <algorithm>

namespace camber {

namespace {

std::optional<double> end_of(const CeilingCurve& curve) {
    if (curve.empty()) return std::nullopt;
    return curve.back().bytes_per_second;
}

}  // namespace

std::optional<double> Ceilings::dram_copy() const {
    return copy_bytes_per_second ? copy_bytes_per_second : end_of(copy);
}

std::optional<double> Ceilings::dram_read() const {
    return end_of(read);
}

std::optional<double> Ceilings::dram_write() const {
    return end_of(write);
}

std::optional<double> Ceilings::dram() const {
    return std::max({dram_copy(), dram_read(), dram_write()});
}

void Ceilings::complete_from(const Ceilings& other) {
    for (const auto rate : {&Ceilings::copy_bytes_per_second,
                            &Ceilings::pin_bytes_per_second,
                            &Ceilings::descending_bytes_per_second,
                            &Ceilings::reads_by_1_block_bytes_per_second,
                            &Ceilings::reads_by_4_blocks_bytes_per_second,
                            &Ceilings::copies_by_1_block_bytes_per_second,
                            &Ceilings::copies_by_4_blocks_bytes_per_second,
                            &Ceilings::copies_in_32_pieces_bytes_per_second,
                            &Ceilings::l2_bytes_per_second,
                            &Ceilings::shared_bytes_per_second,
                            &Ceilings::l1_bytes_per_second,
                            &Ceilings::fp32_flops_per_second,
                            &Ceilings::fp64_flops_per_second,
                            &Ceilings::int32_adds_per_second,
                            &Ceilings::lop3_operations_per_second,
                            &Ceilings::launch_seconds,
                            &Ceilings::graph_node_seconds,
                            &Ceilings::stream_gap_seconds,
                            &Ceilings::shared_latency_seconds,
                            &Ceilings::l1_latency_seconds,
                            &Ceilings::l2_latency_seconds,
                            &Ceilings::dram_latency_seconds,
                            &Ceilings::l2_last_of_8_seconds,
                            &Ceilings::dram_last_of_8_seconds,
                            &Ceilings::l2_first_latency_seconds,
                            &Ceilings::l2_first_last_of_8_seconds,
                            &Ceilings::l2_row_latency_seconds,
                            &Ceilings::dram_row_latency_seconds,
                            &Ceilings::arithmetic_latency_seconds,
                            &Ceilings::cluster_barrier_seconds,
                            &Ceilings::distributed_latency_seconds,
                            &Ceilings::block_turnover_seconds,
                            &Ceilings::l1_requests_per_second,
                            &Ceilings::l2_requests_per_second,
                            &Ceilings::l2_stores_per_second,
                            &Ceilings::constant_loads_per_second,
                            &Ceilings::texels_per_second,
                            &Ceilings::linear_texels_per_second,
                            &Ceilings::shared_atomics_per_second,
                            &Ceilings::global_atomics_per_second})
        if (!(this->*rate)) this->*rate = other.*rate;
    if (!measured) measured = other.measured;
    for (const auto curve : {&Ceilings::copy, &Ceilings::read, &Ceilings::write, &Ceilings::triad})
        if ((this->*curve).empty()) this->*curve = other.*curve;
}

}  // namespace camber
