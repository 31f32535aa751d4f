#include "harness/results/model_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/model/site_rows.hpp"
#include "harness/results/profile_facts.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

// Counts as integers; shares stay what they are.
Json number(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

Json to_json(const SiteRow& row, const Prediction& prediction) {
    const CallSite& site = prediction.sites.at(static_cast<std::size_t>(row.site));
    Json json{{"site", row.number},  {"kernel", prediction.kernels.at(row.kernel).kernel},
              {"place", site.place}, {"path", site.path},
              {"kind", kind(row)},   {"requests", row.requests}};
    if (in_passes(row.space)) {
        json["wavefronts"] = row.passes;
        json["bank_conflicts"] = row.conflicts;
    } else {
        json["sectors"] = row.sectors;
    }
    json["bytes_moved"] = row.bytes_moved;
    json["bytes_used"] = row.bytes_used;
    json["efficiency"] = row.efficiency();
    json["share"] = row.share;
    return json;
}

template <class T>
std::optional<T> optional_at(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return std::nullopt;
    return found->get<T>();
}

}  // namespace

Json model_record(const Prediction& prediction, const std::vector<CounterComparison>& comparisons) {
    Json json{{"arch",
               fmt::format("{}.{}", prediction.architecture.major, prediction.architecture.minor)},
              {"rules", to_string(prediction.architecture.rules)},
              {"method", name(prediction.method)}};
    if (prediction.data_dependent) json["data_dependent"] = *prediction.data_dependent;
    for (const auto& [quantity, value] : figures(prediction)) json[quantity] = number(value);
    if (!comparisons.empty()) json["agrees"] = all_agree(comparisons);
    return json;
}

Json model_entry(const Prediction& prediction, const Workload& workload, const Bounds& bounds) {
    const VariantInfo& variant = prediction.variant->info;
    const Problem& problem = prediction.problem;
    Json json{{"variant", variant.name()},
              {"size", {{"columns", problem.size.columns}, {"rows", problem.size.rows}}},
              {"cell", info(problem.cell).name},
              {"boundary", name(problem.boundary)},
              {"generations_per_launch", variant.shape.generations}};
    json.update(model_record(prediction, {}));
    json["bytes_moved"] = bytes_moved(prediction);
    json["bytes_needed"] = number(bytes_needed(prediction, workload));
    json["sites"] = Json::array();
    for (const SiteRow& row : site_rows(prediction))
        json["sites"].push_back(to_json(row, prediction));
    json["bounds"] = Json::array();
    for (const Bound& bound : bounds.all)
        json["bounds"].push_back({{"resource", to_string(bound.resource)},
                                  {"seconds", bound.seconds},
                                  {"basis", bound.basis}});
    const auto largest = bounds.largest();
    json["largest_bound"] = largest ? Json(to_string(largest->resource)) : Json(nullptr);
    return json;
}

CeilingsOfDevice model_ceilings(const Json& document) {
    const Json& context = document.at("context").at("camber");
    const Json& gpu = context.at("gpu");
    Json figures = context.at("ceilings");
    if (document.contains("ceilings")) figures.update(document.at("ceilings"));
    const profile::Ceilings measured = profile_ceilings(figures);

    CeilingsOfDevice device;
    device.name = gpu.at("name").get<std::string>();
    device.compute_capability = gpu.at("compute_capability").get<std::string>();
    DeviceCeilings& ceilings = device.ceilings;
    for (const auto& rate : {measured.copy, measured.read, measured.write})
        if (rate)
            ceilings.dram_bytes_per_second =
                std::max(ceilings.dram_bytes_per_second.value_or(0), *rate);
    ceilings.l2_bytes_per_second = measured.l2;
    ceilings.l1_bytes_per_second = measured.l1;
    ceilings.shared_bytes_per_second = measured.shared;
    ceilings.sm_count = gpu.at("sm_count").get<int>();
    ceilings.sm_clock_hz = optional_at<double>(gpu, "sm_clock_hz");
    // An SM has four schedulers of one instruction per cycle from compute capability 5.0 on (CUDA C
    // Programming Guide); toolkits that this program is built with know no older device.
    ceilings.issues_per_cycle = 4;
    ceilings.warm_l2_bytes = optional_at<std::int64_t>(gpu, "l2_bytes");
    return device;
}

}  // namespace camber
