// Bencher Metric Format, and the list of github-action-benchmark.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "analysis/compare/comparison.hpp"
#include "analysis/report/report.hpp"
#include "harness/base/error.hpp"
#include "harness/base/statistics.hpp"
#include "harness/record/archive.hpp"

namespace camber::report {

namespace {

using comparison::QuantityFamily;
using results::CaseRecord;
using results::Json;

// Quantities of the model that a tracking service receives: the others follow from them, and every
// one is a chart and an alarm there.
constexpr std::string_view tracked[] = {"global_load_requests",
                                        "global_load_sectors",
                                        "global_store_requests",
                                        "global_store_sectors",
                                        "shared_load_wavefronts",
                                        "shared_store_wavefronts",
                                        "shared_load_bank_conflicts",
                                        "shared_store_bank_conflicts",
                                        "bytes_moved",
                                        "launches"};

struct Quantity {
    std::string name;
    std::string unit;
    double value = 0;
};

// Last word of the quantity's name: "sectors" of "global_load_sectors".
std::string unit_of(const std::string& quantity) {
    if (quantity.find("bytes") != std::string::npos) return "bytes";
    if (quantity.ends_with("bank_conflicts")) return "conflicts";
    return quantity.substr(quantity.find_last_of("_ ") + 1);
}

std::vector<Quantity> quantities(const CaseRecord& record) {
    std::vector<Quantity> all;
    for (const QuantityFamily family :
         {QuantityFamily::model, QuantityFamily::registers, QuantityFamily::memory})
        for (const auto& [quantity, value] : comparison::quantities_of(family, record))
            if (family != QuantityFamily::model ||
                std::ranges::find(tracked, quantity) != std::end(tracked))
                all.push_back({quantity, unit_of(quantity), value});
    return all;
}

// Calls take(record) once for each case that has a value, in the order of the files. A case of
// several files is that of the last one.
void each_case(const std::vector<results::Document>& documents,
               const std::function<void(const CaseRecord&)>& take) {
    std::set<std::string> taken;
    std::vector<const CaseRecord*> cases;
    for (auto document = documents.rbegin(); document != documents.rend(); ++document)
        for (auto record = document->cases.rbegin(); record != document->cases.rend(); ++record)
            if (record->status == results::Status::ok && taken.insert(record->name).second)
                cases.push_back(&*record);
    bool any = false;
    for (auto record = cases.rbegin(); record != cases.rend(); ++record) {
        if (!comparison::timing_of(**record) && quantities(**record).empty()) continue;
        any = true;
        take(**record);
    }
    if (!any)
        throw Error(ExitCode::usage,
                    "no case of the files has a time or a deterministic quantity to track: give "
                    "files of camber run on a GPU, or of camber model");
}

struct Latency {
    double ns = 0, low_ns = 0, high_ns = 0;
    std::size_t samples = 0;
};

std::optional<Latency> latency_of(const CaseRecord& record) {
    if (!comparison::timing_of(record)) return std::nullopt;
    const std::vector<double> samples = results::times_of(record);
    const SampleStatistics statistics = summarize(samples, 1);
    return Latency{statistics.median, statistics.ci95_low, statistics.ci95_high, samples.size()};
}

// Name of a measure as Bencher's slugs are written: at most 64 lower-case letters, digits and
// single hyphens.
std::string slug(const std::string& name) {
    constexpr std::size_t longest = 64;
    std::string text;
    for (const char c : name) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter))
            text += static_cast<char>(std::tolower(letter));
        else if (!text.empty() && text.back() != '-')
            text += '-';
    }
    text.resize(std::min(text.size(), longest));
    while (text.ends_with('-')) text.pop_back();
    return text;
}

}  // namespace

std::string to_bencher(const std::vector<results::Document>& documents) {
    Json all = Json::object();
    each_case(documents, [&](const CaseRecord& record) {
        Json& measures = all[record.name] = Json::object();
        if (const auto time = latency_of(record))
            measures["latency"] = {
                {"value", time->ns}, {"lower_value", time->low_ns}, {"upper_value", time->high_ns}};
        for (const Quantity& quantity : quantities(record))
            measures[slug(quantity.name)] = {{"value", results::whole_if_possible(quantity.value)}};
    });
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_github_action_benchmark(const std::vector<results::Document>& documents) {
    Json all = Json::array();
    each_case(documents, [&](const CaseRecord& record) {
        if (const auto time = latency_of(record))
            all.push_back({{"name", record.name},
                           {"unit", "ns/generation"},
                           {"value", time->ns},
                           {"range", fmt::format("± {:.4g}", (time->high_ns - time->low_ns) / 2)},
                           {"extra", fmt::format("{} samples, 95 % interval {:.6g} ... {:.6g} ns",
                                                 time->samples, time->low_ns, time->high_ns)}});
        for (const Quantity& quantity : quantities(record))
            all.push_back({{"name", fmt::format("{}: {}", record.name, quantity.name)},
                           {"unit", quantity.unit},
                           {"value", results::whole_if_possible(quantity.value)}});
    });
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace camber::report
