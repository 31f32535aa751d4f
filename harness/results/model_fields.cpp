// The keys of predictions, in cases and in the files of `camber model`
// (results/schema/camber-model.schema.json).
#include "harness/results/model_fields.hpp"
#include "harness/results/fields.hpp"
#include "harness/results/names.hpp"

namespace camber::results {

void fields(Writer& a, const ModelRecord& model) {
    a("arch", model.arch);
    a.may("rules", model.rules);
    a.may("method", model.method);
    a.may("data_dependent", model.data_dependent);
    for (const auto& [quantity, value] : model.quantities)
        a.json()[quantity] = whole_if_possible(value);
    a.may("agrees", model.agrees);
}

void fields(Reader& a, ModelRecord& model) {
    a("arch", model.arch);
    a.may("rules", model.rules);
    a.may("method", model.method);
    a.may("data_dependent", model.data_dependent);
    a.may("agrees", model.agrees);
    for (const auto& [key, value] : a.json().items())
        if (value.is_number() && key != "generations_per_launch")
            model.quantities[key] = value.get<double>();
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

// Files have a status where a variant was skipped.
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

// Predicted times of one generation. Derived when written, ignored when read.
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
    if constexpr (A::writes)  // what they are summed from stands before them
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
