// The keys of `camber profile --json`.
#include "harness/cli/profile/json.hpp"

#include <string>

#include "harness/record/fields.hpp"

namespace camber {

namespace {

using results::Json;

template <class T>
void put(Json& object, const char* key, const std::optional<T>& value) {
    if (value) object[key] = *value;
}

Json facts_json(const profile::Facts& facts) {
    Json json{{"time_per_generation_seconds", facts.time.median},
              {"ci95_seconds", {facts.time.low, facts.time.high}},
              {"samples", facts.time.samples},
              {"cells", facts.cells},
              {"application_bytes", facts.application_bytes},
              {"generations_per_launch", facts.generations_per_launch}};
    const results::Gpu& gpu = facts.gpu;
    const Ceilings& of = facts.ceilings;
    Json& device = json["device"] = {{"name", gpu.name}, {"sm_count", gpu.sm_count}};
    put(device, "sm_clock_hz", facts.sm_clock_hz);
    put(device, "l2_bytes", std::optional<double>(gpu.l2_bytes));
    Json& ceilings = json["ceilings"] = Json::object();
    put(ceilings, "copy_bytes_per_second", of.dram_copy());
    put(ceilings, "read_bytes_per_second", of.dram_read());
    put(ceilings, "write_bytes_per_second", of.dram_write());
    put(ceilings, "l2_bytes_per_second", of.l2_bytes_per_second);
    put(ceilings, "l1_bytes_per_second", of.l1_bytes_per_second);
    put(ceilings, "shared_bytes_per_second", of.shared_bytes_per_second);
    put(ceilings, "fp32_flops_per_second", of.fp32_flops_per_second);
    put(ceilings, "fp64_flops_per_second", of.fp64_flops_per_second);
    put(ceilings, "lop3_operations_per_second", of.lop3_operations_per_second);
    put(ceilings, "launch_seconds", of.launch_seconds);
    if (facts.kernel) {
        Json& kernel = json["kernel"] = {{"name", facts.kernel->name},
                                         {"threads_per_block", facts.kernel->threads_per_block()},
                                         {"blocks", facts.kernel->blocks()}};
        put(kernel, "registers", facts.kernel->registers);
        put(kernel, "static_shared_bytes", facts.kernel->static_shared_bytes);
        put(kernel, "dynamic_shared_bytes", facts.kernel->dynamic_shared_bytes);
        put(kernel, "local_bytes", facts.kernel->local_bytes);
        put(kernel, "occupancy", facts.kernel->occupancy);
        if (!facts.kernel->instructions.empty())
            kernel["instructions"] = facts.kernel->instructions;
    }
    if (!facts.counters.empty()) json["counters"] = facts.counters;
    for (const profile::KernelTraffic& of : facts.kernel_traffic) {
        Json& kernel = json["kernel_counters"].emplace_back();
        kernel = {{"name", of.name}, {"launches", of.launches}};
        put(kernel, "share_of_time", of.share);
        put(kernel, "dram_bytes", of.dram_bytes);
        kernel["counters"] = of.counters;
        if (!of.comparisons.empty() && !of.estimate) kernel["agrees"] = all_agree(of.comparisons);
    }
    return json;
}

Json figures_json(const profile::Ratios& ratio) {
    Json json = Json::object();
    put(json, "load_sectors_per_request", ratio.load_sectors_per_request);
    put(json, "store_sectors_per_request", ratio.store_sectors_per_request);
    put(json, "texture_sectors_per_request", ratio.texture_sectors_per_request);
    put(json, "load_sector_use", ratio.load_sector_use);
    put(json, "store_sector_use", ratio.store_sector_use);
    put(json, "l1_hits", ratio.l1_hits);
    put(json, "l2_hits", ratio.l2_hits);
    put(json, "bank_conflict_share", ratio.conflict_share);
    put(json, "threads_per_instruction", ratio.threads_per_instruction);
    put(json, "achieved_occupancy", ratio.achieved_occupancy);
    put(json, "instructions_per_cell", ratio.instructions_per_cell);
    put(json, "dram_over_application", ratio.dram_over_application);
    return json;
}

Json profile_json(const profile::Facts& facts, const profile::Diagnosis& diagnosis) {
    Json json{{"variant", facts.variant},
              {"facts", facts_json(facts)},
              {"figures", figures_json(diagnosis.ratios)},
              {"resources", Json::array()},
              {"limit", key(diagnosis.limit)}};
    for (const profile::Utilisation& use : diagnosis.utilisations) {
        const std::string unit = std::string(camber::unit(use.resource)) + "_per_second";
        json["resources"].push_back({{"resource", key(use.resource)},
                                     {unit, use.rate},
                                     {"ceiling_" + unit, use.ceiling},
                                     {"share", use.share()},
                                     {"estimate", use.estimate}});
    }
    if (diagnosis.resource) json["resource"] = key(*diagnosis.resource);
    json["verdict"] = diagnosis.verdict;
    json["paragraph"] = diagnosis.paragraph;
    json["rule"] = profile::rule;
    return json;
}

}  // namespace

std::string profiles_text(const results::Context& context, const std::vector<ProfiledCase>& cases) {
    Json json{{"context", to_json(context)}, {"profiles", Json::array()}};
    for (const ProfiledCase& one : cases)
        json["profiles"].push_back(profile_json(one.facts, one.diagnosis));
    if (cases.size() == 2) json["comparison"] = profile::compare(cases[0].facts, cases[1].facts);
    return results::to_text(json);
}

}  // namespace camber
