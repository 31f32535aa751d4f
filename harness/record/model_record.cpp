#include "harness/record/model_record.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "harness/record/fields.hpp"

namespace camber::results {

// JSON keys of predictions, in cases and in the files of `camber model`
// (results/schema/camber-model.schema.json).
void fields(Writer& a, const ModelRecord& model) {
    a("arch", model.arch);
    a.may("rules", model.rules);
    a.may("method", model.method);
    a.may("data_dependent", model.data_dependent);
    for (const auto& [quantity, value] : model.quantities)
        a.json()[quantity] = whole_if_possible(value);
    a.may("agrees", model.agrees);
}

namespace {

// Other keys in the same object as a model's quantities, in a case or in an entry of a model file.
constexpr std::string_view other_keys[] = {"arch",
                                           "rules",
                                           "method",
                                           "data_dependent",
                                           "agrees",
                                           "variant",
                                           "size",
                                           "cell",
                                           "rule",
                                           "boundary",
                                           "generations_per_launch",
                                           "status",
                                           "reason",
                                           "sites",
                                           "bounds",
                                           "largest_bound",
                                           "time",
                                           "case",
                                           "per_generation"};

// Counts that every prediction has, even if they are 0.
constexpr const char* required_counts[] = {"launches",
                                           "global_load_requests",
                                           "global_load_sectors",
                                           "global_load_bytes_moved",
                                           "global_load_bytes_used",
                                           "global_store_requests",
                                           "global_store_sectors",
                                           "global_store_bytes_moved",
                                           "global_store_bytes_used",
                                           "shared_load_wavefronts",
                                           "shared_load_bank_conflicts",
                                           "shared_store_wavefronts",
                                           "shared_store_bank_conflicts",
                                           "block_distinct_bytes"};
// Quantities that exist only for launches whose blocks were all inspected.
constexpr const char* unsampled_quantities[] = {"compulsory_dram_bytes", "non_redundant_share"};
constexpr std::string_view share = "non_redundant_share";
constexpr std::string_view bytes_needed = "bytes_needed";  // can be fractional for one-bit cells

double quantity(const std::string& key, const Json& json) {
    double value = 0;
    if (key == share || key == bytes_needed) {
        read(json, value);
        require_no_negative(json);
        if (key == share && value > 1) throw FormError("", shown(json) + " is not a share up to 1");
        return value;
    }
    // Largest range in which doubles represent all integers.
    constexpr std::uint64_t most = std::uint64_t{1} << 53;
    std::uint64_t count = 0;
    read(json, count);
    if (count > most) throw FormError("", shown(json) + " is too large for a count");
    return static_cast<double>(count);
}

}  // namespace

// Unknown keys that are not counts are refused: an unread quantity would not be compared.
void fields(Reader& a, ModelRecord& model) {
    a("arch", model.arch);
    a.may("rules", model.rules);
    a.may("method", model.method);
    a.may("data_dependent", model.data_dependent);
    a.may("agrees", model.agrees);
    for (const auto& [key, value] : a.json().items()) {
        if (std::ranges::find(other_keys, key) != std::end(other_keys)) continue;
        try {
            model.quantities[key] = quantity(key, value);
        } catch (const FormError& error) {
            throw error.within("/" + key);
        }
    }
    for (const char* key : required_counts) a.require(key);
    if (!model.sampled() && model.quantities.at("launches") > 0)
        for (const char* key : unsampled_quantities) a.require(key);
}

template <class A>
void fields(A& a, Of<A, SiteRecord>& site) {
    a("site", site.site);
    a("kernel", site.kernel);
    a("place", site.place);
    a("path", site.path);
    a("kind", site.kind);
    a("requests", site.requests);
    a.may("wavefronts", site.wavefronts);
    a.may("bank_conflicts", site.bank_conflicts);
    a.may("sectors", site.sectors);
    a("bytes_moved", site.bytes_moved);
    a("bytes_used", site.bytes_used);
    a("efficiency", site.efficiency);
    a("share", site.share);
}

template <class A>
void fields(A& a, Of<A, BoundRecord>& bound) {
    a("resource", bound.resource);
    a("seconds", bound.seconds);
    a("basis", bound.basis);
}

// Files have a status only if a variant was skipped.
bool is_skipped(Writer& a, const ModelEntry& entry) {
    if (entry.reason.empty()) return false;
    a("status", Status::skipped);
    return true;
}

bool is_skipped(Reader& a, const ModelEntry&) {
    std::optional<Status> status;
    a.may("status", status);
    return status == Status::skipped;
}

template <class A>
void fields(A& a, Of<A, TimeRecord>& time) {
    a("predicted_seconds", time.predicted_seconds);
    a("low_seconds", time.low_seconds);
    a("high_seconds", time.high_seconds);
    a("binding", time.binding);
    a.some("doubts", time.doubts);
    a("parts", time.parts);
}

// Predicted times per generation. Derived when written, ignored when read.
struct PredictedPerGeneration {
    double predicted_ns = 0, low_ns = 0, high_ns = 0;
};
void fields(Writer& a, const PredictedPerGeneration& time) {
    a("predicted_ns", time.predicted_ns);
    a("low_ns", time.low_ns);
    a("high_ns", time.high_ns);
}

PredictedPerGeneration per_generation(const TimeRecord& time, int generations_per_launch) {
    const double ns = 1e9 / generations_per_launch;
    return {time.predicted_seconds * ns, time.low_seconds * ns, time.high_seconds * ns};
}

template <class A>
void fields(A& a, Of<A, ModelEntry>& entry) {
    a("variant", entry.variant);
    a.some("case", entry.case_name);
    a("size", entry.size);
    a("cell", entry.cell);
    a.some("rule", entry.rule);
    a("boundary", entry.boundary);
    a("generations_per_launch", entry.generations_per_launch);
    if (is_skipped(a, entry)) {
        a("reason", entry.reason);
        return;
    }
    fields(a, entry.model);
    if constexpr (!A::writes)
        for (const char* sum : {"bytes_moved", "bytes_needed"}) a.require(sum);
    if constexpr (A::writes)  // the values from which they are summed come first
        for (const char* sum : {"bytes_moved", "bytes_needed"})
            if (const auto found = entry.model.quantities.find(sum);
                found != entry.model.quantities.end()) {
                a.json().erase(sum);
                a.json()[sum] = whole_if_possible(found->second);
            }
    a.may("sites", entry.sites);
    a.may("bounds", entry.bounds);
    if (entry.bounds) a.null("largest_bound", entry.largest_bound);
    a.may("time", entry.time);
    if constexpr (A::writes)
        if (entry.time && entry.generations_per_launch > 0)
            a("per_generation", per_generation(*entry.time, entry.generations_per_launch));
}

Json to_json(const ModelEntry& entry) {
    return written(entry);
}
void from_json(const Json& json, ModelEntry& entry) {
    read(json, entry);
}

}  // namespace camber::results
