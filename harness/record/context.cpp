#include "harness/record/context.hpp"

#include <array>

#include "harness/record/document.hpp"
#include "harness/record/fields.hpp"

namespace camber::results {

// JSON keys of a document's context (results/schema/camber-results.schema.json).
template <class A>
void fields(A& a, Of<A, CpuCache>& cache) {
    a("type", cache.type);
    a("level", cache.level);
    a("size", cache.size);
    a("num_sharing", cache.num_sharing);
}

template <class A>
void fields(A& a, Of<A, Gpu>& gpu) {
    a("name", gpu.name);
    a("index", gpu.index);
    a("compute_capability", gpu.compute_capability);
    a("sm_count", gpu.sm_count);
    a.null("l2_bytes", gpu.l2_bytes);
    a.null("memory_bytes", gpu.memory_bytes);
    a.null("memory_clock_hz", gpu.memory_clock_hz);
    a.null("sm_clock_hz", gpu.sm_clock_hz);
    a.null("ecc", gpu.ecc);
    a.told("mig", gpu.mig);
    a.told("pci_bus_id", gpu.pci_bus_id);
    a.told("uuid", gpu.uuid);
}

template <class A>
void fields(A& a, Of<A, Processor>& cpu) {
    a.null("model", cpu.model);
    a.null("logical_cpus", cpu.logical_cpus);
    a.null("physical_cores", cpu.physical_cores);
    a.null("numa_nodes", cpu.numa_nodes);
    a.null("governor", cpu.governor);
}

template <class A>
void fields(A& a, Of<A, OperatingSystem>& os) {
    a.null("kernel", os.kernel);
    a.null("distribution", os.distribution);
}

template <class A>
void fields(A& a, Of<A, Commit>& git) {
    a("commit", git.commit);
    a("dirty", git.dirty);
}

template <class A>
void fields(A& a, Of<A, Sampling>& sampling) {
    a("order_seed", sampling.order_seed);
    a("rounds", sampling.rounds);
    a("processes", sampling.processes);
    a("seconds_per_sample", sampling.seconds_per_sample);
    a("event_pair_seconds", sampling.event_pair_seconds);
    a("relative_half_width", sampling.relative_half_width);
    a("budget_seconds", sampling.budget_seconds);
    a("maximum_samples", sampling.maximum_samples);
}

template <class A>
void fields(A& a, Of<A, CeilingCurvePoint>& point) {
    a("working_set_bytes", point.working_set_bytes);
    a("bytes_per_second", point.bytes_per_second);
}

template <class A>
void fields(A& a, Of<A, Ceilings>& ceilings) {
    a.may("copy_bytes_per_second", ceilings.copy_bytes_per_second);
    a.may("pin_bytes_per_second", ceilings.pin_bytes_per_second);
    a.some("copy", ceilings.copy);
    a.some("read", ceilings.read);
    a.some("write", ceilings.write);
    a.some("triad", ceilings.triad);
    a.may("descending_bytes_per_second", ceilings.descending_bytes_per_second);
    a.may("reads_by_1_block_bytes_per_second", ceilings.reads_by_1_block_bytes_per_second);
    a.may("reads_by_4_blocks_bytes_per_second", ceilings.reads_by_4_blocks_bytes_per_second);
    a.may("copies_by_1_block_bytes_per_second", ceilings.copies_by_1_block_bytes_per_second);
    a.may("copies_by_4_blocks_bytes_per_second", ceilings.copies_by_4_blocks_bytes_per_second);
    a.may("copies_in_32_pieces_bytes_per_second", ceilings.copies_in_32_pieces_bytes_per_second);
    a.may("l2_bytes_per_second", ceilings.l2_bytes_per_second);
    a.may("shared_bytes_per_second", ceilings.shared_bytes_per_second);
    a.may("l1_bytes_per_second", ceilings.l1_bytes_per_second);
    a.may("fp32_flops_per_second", ceilings.fp32_flops_per_second);
    a.may("fp64_flops_per_second", ceilings.fp64_flops_per_second);
    a.may("int32_adds_per_second", ceilings.int32_adds_per_second);
    a.may("lop3_operations_per_second", ceilings.lop3_operations_per_second);
    a.may("launch_seconds", ceilings.launch_seconds);
    a.may("graph_node_seconds", ceilings.graph_node_seconds);
    a.may("stream_gap_seconds", ceilings.stream_gap_seconds);
    a.may("shared_latency_seconds", ceilings.shared_latency_seconds);
    a.may("l1_latency_seconds", ceilings.l1_latency_seconds);
    a.may("l2_latency_seconds", ceilings.l2_latency_seconds);
    a.may("dram_latency_seconds", ceilings.dram_latency_seconds);
    a.may("l2_last_of_8_seconds", ceilings.l2_last_of_8_seconds);
    a.may("dram_last_of_8_seconds", ceilings.dram_last_of_8_seconds);
    a.may("l2_first_latency_seconds", ceilings.l2_first_latency_seconds);
    a.may("l2_first_last_of_8_seconds", ceilings.l2_first_last_of_8_seconds);
    a.may("l2_row_latency_seconds", ceilings.l2_row_latency_seconds);
    a.may("dram_row_latency_seconds", ceilings.dram_row_latency_seconds);
    a.may("arithmetic_latency_seconds", ceilings.arithmetic_latency_seconds);
    a.may("cluster_barrier_seconds", ceilings.cluster_barrier_seconds);
    a.may("distributed_latency_seconds", ceilings.distributed_latency_seconds);
    a.may("block_turnover_seconds", ceilings.block_turnover_seconds);
    a.may("l1_requests_per_second", ceilings.l1_requests_per_second);
    a.may("l2_requests_per_second", ceilings.l2_requests_per_second);
    a.may("l2_stores_per_second", ceilings.l2_stores_per_second);
    a.may("constant_loads_per_second", ceilings.constant_loads_per_second);
    a.may("texels_per_second", ceilings.texels_per_second);
    a.may("linear_texels_per_second", ceilings.linear_texels_per_second);
    a.may("shared_atomics_per_second", ceilings.shared_atomics_per_second);
    a.may("global_atomics_per_second", ceilings.global_atomics_per_second);
    a.may("measured", ceilings.measured);
}

template <class A>
void fields(A& a, Of<A, WallTime>& time) {
    a("total", time.total);
    a("opening", time.opening);
    a("initial_state", time.initial_state);
    a("reference", time.reference);
    a("limits", time.limits);
    a("verification", time.verification);
    a("samples", time.samples);
    a("kernel_times", time.kernel_times);
    a("counters", time.counters);
    a("static_facts", time.static_facts);
    a("results_file", time.results_file);
    a("other", time.other);
}

// Entries of a row are named by the workload.
void fields(Writer& a, const AccountRow& row) {
    a("generation", row.generation);
    for (const auto& [entry, change] : row.changes) a(entry.c_str(), change);
    a(row.quantity.c_str(), row.amount);
    a("unaccounted", row.unaccounted);
}

void fields(Reader& a, AccountRow& row) {
    a("generation", row.generation);
    a.any_sign()("unaccounted", row.unaccounted);
    for (const auto& [key, value] : a.json().items()) {
        if (key == "generation" || key == "unaccounted") continue;
        double amount = 0;
        a.any_sign()(key.c_str(), amount);
        if (is_final_quantity(key)) {
            row.quantity = key;
            row.amount = amount;
        } else {
            row.changes.emplace_back(key, amount);
        }
    }
}

template <class A>
void fields(A& a, Of<A, Activity>& row) {
    a("generation", row.generation);
    a("active", row.active);
    a("boxes", row.boxes);
    a("list", row.list);
}

template <class A>
void fields(A& a, Of<A, Incomplete>& incomplete) {
    a("cases", incomplete.cases);
    a("of_cases", incomplete.of_cases);
    a("visits", incomplete.visits);
    a("of_visits", incomplete.of_visits);
}

template <class A>
void fields(A& a, Of<A, Run>& run) {
    a("schema_version", run.schema_version);
    a("version", run.version);
    a("command", run.command);
    a.null("gpu", run.gpu);
    a.null("driver", run.driver);
    a.told("driver_version", run.driver_version);
    a.null("runtime", run.runtime);
    a("compiler", run.compiler);
    a.null("flags", run.flags);
    a("build_type", run.build_type);
    a("host", run.host);
    a.may("cpu", run.cpu);
    a.may("os", run.os);
    a.told("memory_bytes", run.memory_bytes);
    a.null("git", run.git);
    a("date", run.date);
    a.may("incomplete", run.incomplete);
    a("ceilings", run.ceilings);
    a.may("sampling", run.sampling);
    a.some("account", run.account);
    a.some("activity", run.activity);
    a.may("wall_seconds", run.wall);
}

// In files of other programs, all keys are optional.
template <class A>
void fields(A& a, Of<A, Context>& context) {
    a.usual("date", context.date);
    a.usual("host_name", context.host_name);
    a.usual("executable", context.executable);
    a.usual("num_cpus", context.num_cpus);
    a.usual("mhz_per_cpu", context.mhz_per_cpu);
    a.may("cpu_scaling_enabled", context.cpu_scaling_enabled);
    a.usual("caches", context.caches);
    a.usual("load_avg", context.load_avg);
    a.usual("library_build_type", context.library_build_type);
    a.may("camber", context.run);
}

Json to_json(const Context& context) {
    return written(context);
}
Json to_json(const Ceilings& ceilings) {
    return written(ceilings);
}
void from_json(const Json& json, Context& context) {
    read(json, context);
}
void from_json(const Json& json, Ceilings& ceilings) {
    read(json, ceilings);
}

// JSON keys of campaign.json (results/schema/camber-results.schema.json).
std::string_view name(PartStatus status) {
    switch (status) {
        case PartStatus::not_started:
            return "not started";
        case PartStatus::incomplete:
            return "incomplete";
        case PartStatus::whole:
            return "whole";
        case PartStatus::failed:
            return "failed";
        case PartStatus::left_out:
            return "left out";
    }
    return "";
}

template <>
struct Names<PartStatus> {
    using E = PartStatus;
    static constexpr std::array all{E::not_started, E::incomplete, E::whole, E::failed,
                                    E::left_out};
    static std::string_view text(E status) { return name(status); }
};

template <class A>
void fields(A& a, Of<A, CampaignPart>& part) {
    a("name", part.name);
    a("command", part.command);
    a("purpose", part.purpose);
    a("status", part.status);
    a("reason", part.reason);
    a("seconds", part.seconds);
    a("cases", part.cases);
    a("wrong", part.wrong);
    a.may("hopeless", part.hopeless);
}

template <class A>
void fields(A& a, Of<A, Campaign>& campaign) {
    a("backend", campaign.backend);
    a("quick", campaign.quick);
    a.may("most_gpus", campaign.most_gpus);
    a.may("at_once", campaign.at_once);
    a("data", campaign.data);
    a("seconds", campaign.seconds);
    a("parts", campaign.parts);
}

Json to_json(const Campaign& campaign) {
    return written(campaign);
}
void from_json(const Json& json, Campaign& campaign) {
    read(json, campaign);
}

}  // namespace camber::results
