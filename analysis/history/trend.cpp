#include "analysis/history/trend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <span>
#include <utility>

#include "harness/base/statistics.hpp"

namespace camber::history {

namespace {

using comparison::QuantityFamily;
using results::CaseRecord;
using results::Document;
using results::Run;
using results::Status;

// Copy of the document's facts about machine and build, which decide what can be compared.
Document context_of(const Document& document) {
    Document context;
    context.source = document.source;
    context.context = document.context;
    return context;
}

std::string driver_of(const Run& run) {
    return results::known(run.driver_version).value_or(run.driver.value_or(""));
}

// Appends "driver 550.54 -> 580.65" for each property that differs.
void append_differences(const Run& before, const Run& now, const std::string& commit,
                        std::vector<std::string>& sentences) {
    const auto compare = [&](const char* what, const std::string& a, const std::string& b) {
        if (a != b && !a.empty() && !b.empty())
            sentences.push_back(fmt::format("{}: {} {} -> {}", commit, what, a, b));
    };
    compare("driver", driver_of(before), driver_of(now));
    compare("CUDA", before.runtime.value_or(""), now.runtime.value_or(""));
    compare("compiler", before.compiler, now.compiler);
    compare("compiler flags", before.flags.value_or(""), now.flags.value_or(""));
    compare("build type", before.build_type, now.build_type);
}

TimePoint point_of(const comparison::Timing& timing, std::size_t commit) {
    TimePoint point;
    point.commit = commit;
    point.ns = comparison::typical_time(timing.series);
    point.processes = timing.series.processes.size();
    const std::vector<double> medians = timing.series.process_medians();
    if (medians.size() > 1) {
        point.low_ns = *std::ranges::min_element(medians);
        point.high_ns = *std::ranges::max_element(medians);
    } else {
        point.low_ns = quantile(timing.series.processes.front(), 0.25);
        point.high_ns = quantile(timing.series.processes.front(), 0.75);
    }
    return point;
}

// Median of times[first] ... times[last - 1].
double level(const std::vector<double>& times, std::size_t first, std::size_t last) {
    return median(std::span(times).subspan(first, last - first));
}

double effect(double before, double after) {
    return std::max(before, after) / std::min(before, after) - 1;
}

}  // namespace

std::string Commit::text() const {
    return hash.substr(0, 12) + (dirty ? " (dirty)" : "");
}

std::string utc_text(std::int64_t seconds) {
    const std::time_t time = seconds;
    std::tm parts{};
    gmtime_r(&time, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

std::optional<std::int64_t> seconds_of(const std::string& text) {
    std::tm parts{};
    const char* const rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (!rest) return std::nullopt;
    int hours = 0, minutes = 0;
    char sign = '+';
    const std::string zone = rest;
    if (zone != "Z" && std::sscanf(rest, "%c%2d:%2d", &sign, &hours, &minutes) != 3 &&
        std::sscanf(rest, "%c%2d%2d", &sign, &hours, &minutes) != 3)
        return std::nullopt;
    if (sign != '+' && sign != '-') return std::nullopt;
    const int offset = (hours * 60 + minutes) * 60;
    return static_cast<std::int64_t>(timegm(&parts)) - (sign == '-' ? -offset : offset);
}

std::vector<TimeChange> time_changes(const std::vector<double>& times, double threshold) {
    if (times.size() < 2 * min_segment) return {};
    const auto [lowest, highest] = std::ranges::minmax_element(times);
    if (effect(*lowest, *highest) <= threshold) return {};
    std::vector<double> logarithms;
    for (const double time : times) logarithms.push_back(std::log(time));
    std::vector<TimeChange> changes;
    for (const ChangePoint& point : change_points(logarithms))
        changes.push_back({point.at, 0, 0, point.p});
    // Removes the smallest effect until all that remain exceed the threshold.
    while (!changes.empty()) {
        for (std::size_t k = 0; k < changes.size(); ++k) {
            const std::size_t first = k == 0 ? 0 : changes[k - 1].commit;
            const std::size_t last = k + 1 == changes.size() ? times.size() : changes[k + 1].commit;
            changes[k].before_ns = level(times, first, changes[k].commit);
            changes[k].after_ns = level(times, changes[k].commit, last);
        }
        const auto smallest = std::ranges::min_element(changes, {}, [](const TimeChange& change) {
            return effect(change.before_ns, change.after_ns);
        });
        if (effect(smallest->before_ns, smallest->after_ns) > threshold) break;
        changes.erase(smallest);
    }
    return changes;
}

TrendBuilder::TrendBuilder(Machine machine, double threshold) : threshold_(threshold) {
    trend_.machine = std::move(machine);
}

void TrendBuilder::add(const Commit& commit, const std::vector<Document>& documents) {
    trend_.commits.push_back(commit);
    // By case, the last document that contains it.
    std::map<std::string, std::size_t> last;
    for (std::size_t k = 0; k < documents.size(); ++k) {
        for (const CaseRecord& record : documents[k].cases) last[record.name] = k;
        if (const Run* run = documents[k].run()) {
            if (run_) append_differences(*run_, *run, commit.text(), trend_.environment);
            run_ = *run;
        }
    }
    for (std::size_t k = 0; k < documents.size(); ++k) {
        const Document context = context_of(documents[k]);
        for (const CaseRecord& record : documents[k].cases)
            if (last.at(record.name) == k) add_case(record, context);
    }
}

void TrendBuilder::add_case(const CaseRecord& record, const Document& context) {
    const std::size_t commit = trend_.commits.size() - 1;
    const auto [place, is_new] = places_.try_emplace(record.name, trend_.cases.size());
    if (is_new) trend_.cases.push_back({record.name, record.identity.workload, {}, {}, {}, {}, {}});
    CaseTrend& trend = trend_.cases[place->second];
    if (record.status == Status::failed)
        trend.failures.emplace_back(commit, record.reason.empty() ? "failed" : record.reason);
    if (record.status != Status::ok) return;

    for (const QuantityFamily family : comparison::quantity_families)
        for (const auto& [quantity, value] : comparison::quantities_of(family, record)) {
            auto series = std::ranges::find_if(trend.quantities, [&](const QuantityTrend& one) {
                return one.family == family && one.quantity == quantity;
            });
            if (series == trend.quantities.end())
                series = trend.quantities.insert(series, {family, quantity, {}, false});
            series->values.resize(commit);
            series->values.emplace_back(value);
        }
    if (const auto before = previous_.find(record.name); before != previous_.end())
        for (const comparison::Change& change :
             comparison::compare_quantities(
                 before->second.record, record,
                 comparison::same_compiler(before->second.context, context))
                 .changes)
            trend.changes.push_back({commit, change});
    if (const auto timing = comparison::timing_of(record))
        trend.times.push_back(point_of(*timing, commit));
    previous_.insert_or_assign(record.name, Previous{record, context});
}

MachineTrend TrendBuilder::finish() {
    for (CaseTrend& trend : trend_.cases) {
        for (QuantityTrend& series : trend.quantities) {
            series.values.resize(trend_.commits.size());
            std::optional<double> first;
            for (const auto& value : series.values) {
                if (value && !first) first = value;
                series.varies = series.varies || (value && *value != *first);
            }
        }
        std::vector<double> times;
        for (const TimePoint& point : trend.times) times.push_back(point.ns);
        trend.time_changes = time_changes(times, threshold_);
        for (TimeChange& change : trend.time_changes)
            change.commit = trend.times[change.commit].commit;
    }
    return std::move(trend_);
}

namespace {

bool are_one_case(const results::ModelEntry& a, const results::ModelEntry& b) {
    return a.variant == b.variant && a.case_name == b.case_name && a.size == b.size &&
           a.cell == b.cell && a.rule == b.rule && a.boundary == b.boundary;
}

}  // namespace

Document merged(std::vector<Document> documents, const std::string& source) {
    Document whole = std::move(documents.back());
    documents.pop_back();
    whole.source = source;
    while (!documents.empty()) {
        for (CaseRecord& record : documents.back().cases)
            if (!whole.find(record.name)) whole.cases.push_back(std::move(record));
        for (results::ModelEntry& model : documents.back().models)
            if (std::ranges::none_of(whole.models, [&](const results::ModelEntry& newer) {
                    return are_one_case(newer, model);
                }))
                whole.models.push_back(std::move(model));
        documents.pop_back();
    }
    return whole;
}

namespace {

bool measured_alike(const CaseRecord& a, const CaseRecord& b) {
    const results::Identity& one = a.identity;
    const results::Identity& other = b.identity;
    return one.backend == other.backend && one.seed == other.seed &&
           one.generations == other.generations && one.rule == other.rule &&
           one.workload_parameters == other.workload_parameters;
}

// Replaces the record's samples by those of all `records`, each process under its own number, and
// adds their device states. Records are from new to old, and the first is `record` itself.
void pool(CaseRecord& record, const std::vector<const CaseRecord*>& records) {
    results::Samples samples = *record.samples;
    samples.ns.clear();
    samples.visits.clear();
    int process = 0;
    for (const CaseRecord* one : records)
        for (const results::ProcessTimes& times : results::times_by_process(*one)) {
            for (const double ns : times.samples_ns)
                samples.ns.push_back(ns * samples.generations_per_sample);
            samples.visits.push_back(
                {process++, 0, static_cast<std::int64_t>(times.samples_ns.size()), ""});
        }
    std::optional<results::DeviceStates> states = record.device_state;
    for (const CaseRecord* one : records) {
        if (one == records.front() || !one->device_state || !states) continue;
        std::ranges::copy(one->device_state->during, std::back_inserter(states->during));
    }
    record.samples = std::move(samples);
    record.device_state = std::move(states);
}

// The records from the last change point of their times on. `records`: from new to old.
void drop_before_change(std::vector<const CaseRecord*>& records, double threshold) {
    std::vector<double> times;
    for (const CaseRecord* record : records)
        times.insert(times.begin(),
                     comparison::typical_time(comparison::timing_of(*record)->series));
    if (const auto changes = time_changes(times, threshold); !changes.empty())
        records.resize(times.size() - changes.back().commit);
}

}  // namespace

Document gate_base(const std::vector<Document>& earlier, const Document& judged, double threshold) {
    Document base = earlier.front();
    for (std::size_t k = 1; k < earlier.size(); ++k)
        for (const CaseRecord& record : earlier[k].cases)
            if (judged.find(record.name) && !base.find(record.name)) base.cases.push_back(record);
    for (CaseRecord& record : base.cases) {
        if (!comparison::timing_of(record)) continue;
        std::vector<const CaseRecord*> records;
        for (const Document& document : earlier)
            if (const CaseRecord* one = document.find(record.name);
                one && one->status == Status::ok && measured_alike(*one, record) &&
                comparison::timing_of(*one))
                records.push_back(one);
        if (records.size() < 2) continue;
        drop_before_change(records, threshold);
        pool(record, records);
    }
    return base;
}

}  // namespace camber::history
