#include "harness/record/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/record/fields.hpp"

namespace camber::results {

namespace {

// ---- reading
CaseRecord case_of(const ModelEntry& entry) {
    CaseRecord record;
    Identity& identity = record.identity;
    identity.variant = entry.case_name.empty() ? entry.variant : entry.case_name;
    identity.workload = entry.variant.substr(0, entry.variant.find('/'));
    identity.size = entry.size;
    identity.cell = entry.cell;
    identity.rule = entry.rule;
    identity.boundary = entry.boundary;
    identity.generations_per_launch = entry.generations_per_launch;
    record.name = fmt::format("{}/{}x{}/{}/{}", identity.variant, entry.size.columns,
                              entry.size.rows, entry.cell, name(entry.boundary));
    record.reason = entry.reason;
    if (!entry.reason.empty()) {
        record.status = Status::skipped;
        return record;
    }
    record.model = entry.model;
    if (entry.time) record.model->quantities["predicted_seconds"] = entry.time->predicted_seconds;
    return record;
}

// Calls take(element) for every element of the list, and adds the element's location to errors.
template <class Take>
void each(const Json& json, const char* key, const Take& take) {
    const auto list = json.find(key);
    if (list == json.end()) return;
    if (!list->is_array()) throw FormError(fmt::format("/{}", key), "it is no list");
    for (std::size_t k = 0; k < list->size(); ++k) try {
            take((*list)[k]);
        } catch (const FormError& error) {
            throw error.within(fmt::format("/{}/{}", key, k));
        }
}

// Reads an element of benchmarks[].
void take_benchmark(const Json& element, Document& document) {
    const auto type = element.is_object() ? element.find("run_type") : element.end();
    if (element.is_object() && type != element.end() && *type == "aggregate")
        from_json(element, document.aggregates.emplace_back());
    else
        from_json(element, document.cases.emplace_back());
}

Document document_in(const Json& json) {
    if (!json.is_object()) throw FormError("", "it is no JSON object");
    if (!json.contains("benchmarks") && !json.contains("models") && !json.contains("ceilings"))
        throw FormError("", "there is no list 'benchmarks'");
    Document document;
    if (const auto context = json.find("context"); context != json.end()) {
        // The context of a baseline contains only its author.
        const auto run = context->is_object() ? context->find("camber") : context->end();
        const bool named_only = context->is_object() && run != context->end() && run->is_object() &&
                                run->contains("written_by");
        try {
            if (!named_only) from_json(*context, document.context);
        } catch (const FormError& error) {
            throw error.within("/context");
        }
    }
    each(json, "benchmarks", [&](const Json& element) { take_benchmark(element, document); });
    each(json, "models", [&](const Json& element) {
        from_json(element, document.models.emplace_back());
        document.cases.push_back(case_of(document.models.back()));
    });
    each(json, "scaling",
         [&](const Json& element) { from_json(element, document.scaling.emplace_back()); });
    if (const auto ceilings = json.find("ceilings"); ceilings != json.end()) try {
            from_json(*ceilings, document.ceilings.emplace());
        } catch (const FormError& error) {
            throw error.within("/ceilings");
        }
    if (const auto campaign = json.find("campaign"); campaign != json.end()) try {
            from_json(*campaign, document.campaign.emplace());
        } catch (const FormError& error) {
            throw error.within("/campaign");
        }
    return document;
}

// ---- writing
bool is_finite(const Json& value) {
    if (value.is_number_float()) return std::isfinite(value.get<double>());
    return !value.is_structured() || std::ranges::all_of(value, is_finite);
}

// Throws std::logic_error with the location of a number that JSON cannot express.
void require_finite(const Json& value, const Json::json_pointer& pointer) {
    if (is_finite(value)) return;
    if (value.is_structured())
        for (const auto& [key, child] : value.items()) require_finite(child, pointer / key);
    else
        throw std::logic_error(
            fmt::format("the value at {} of the results is {}, which JSON cannot express",
                        pointer.to_string(), value.get<double>()));
}

bool is_plain(const std::string& text) {
    return std::ranges::all_of(
        text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

// Like dump(), which initializes half a kilobyte at each call.
void append_value(std::string& text, const Json& value) {
    if (const auto* string = value.get_ptr<const Json::string_t*>(); string && is_plain(*string)) {
        text += '"';
        text += *string;
        text += '"';
    } else if (const auto* whole = value.get_ptr<const Json::number_integer_t*>();
               whole && !value.is_number_unsigned()) {
        text += std::to_string(*whole);
    } else {
        // Replaces invalid UTF-8, which external strings (paths, host names) may contain and JSON
        // may not.
        text += value.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
}

// Returns {"rows": 3, "columns": 4} for a short object of plain values; else "".
std::string short_object(const Json& object) {
    constexpr std::size_t longest = 100;
    std::string text = "{";
    for (const auto& [key, child] : object.items()) {
        if (child.is_structured()) return "";
        if (text.size() > 1) text += ", ";
        append_value(text, Json(key));
        text += ": ";
        append_value(text, child);
        if (text.size() >= longest) return "";
    }
    return text + "}";
}

// Like dump(2), but an array of plain values, or a short object of them, takes one line, as readers
// need not see a thousand lines of samples.
void append_pretty(std::string& text, const Json& value, std::size_t indent) {
    const auto is_structured = [](const Json& child) { return child.is_structured(); };
    if (value.empty() || !value.is_structured() ||
        (value.is_array() && std::none_of(value.begin(), value.end(), is_structured))) {
        append_value(text, value);
        return;
    }
    if (value.is_object())
        if (const std::string line = short_object(value); !line.empty()) {
            text += line;
            return;
        }
    text += value.is_array() ? '[' : '{';
    bool first = true;
    for (const auto& [key, child] : value.items()) {
        text += std::exchange(first, false) ? "\n" : ",\n";
        text.append(indent + 2, ' ');
        if (value.is_object()) {
            append_value(text, Json(key));
            text += ": ";
        }
        append_pretty(text, child, indent + 2);
    }
    text += '\n';
    text.append(indent, ' ');
    text += value.is_array() ? ']' : '}';
}

template <class T>
Json list_of(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(to_json(value));
    return list;
}

Json whole(const Document& document) {
    Json json{{"context", to_json(document.context)}};
    if (document.ceilings) json["ceilings"] = to_json(*document.ceilings);
    if (!document.models.empty()) {
        json["models"] = list_of(document.models);
    } else if (!document.ceilings) {
        Json& benchmarks = json["benchmarks"] = list_of(document.cases);
        for (const Aggregate& aggregate : document.aggregates)
            benchmarks.push_back(to_json(aggregate));
    }
    if (document.campaign) json["campaign"] = to_json(*document.campaign);
    if (!document.scaling.empty()) json["scaling"] = list_of(document.scaling);
    return json;
}

}  // namespace

const CaseRecord* Document::find(std::string_view name) const {
    const auto found = std::ranges::find(cases, name, &CaseRecord::name);
    return found != cases.end() ? &*found : nullptr;
}

Document parse_document(std::string_view text, const std::string& source) {
    try {
        Document document = document_in(parse_json(text));
        document.source = source;
        return document;
    } catch (const SyntaxError& error) {
        throw Error(ExitCode::usage, fmt::format("{} {}", source, error.what()));
    } catch (const FormError& error) {
        if (error.place().empty())
            throw Error(ExitCode::usage,
                        fmt::format("{} is no results file: {}; give a file that `camber run "
                                    "--out` or Google Benchmark's --benchmark_out wrote",
                                    source, error.what()));
        throw Error(ExitCode::usage,
                    fmt::format("{} does not have the form of a results file at {}: {}", source,
                                error.place(), error.what()));
    }
}

Document read_document(const std::filesystem::path& path) {
    return parse_document(read_file(path, "results file", "a file of results"), path.string());
}

std::string to_text(const Document& document) {
    return to_text(whole(document));
}

std::string to_text(const Json& json) {
    require_finite(json, Json::json_pointer());
    std::string text;
    append_pretty(text, json, 0);
    text += '\n';
    return text;
}

std::string to_baseline_text(const std::vector<ModelEntry>& models) {
    std::string text =
        "{\"context\": {\"camber\": {\"written_by\": \"camber model --baseline FILE\"}},\n"
        "\"models\": [";
    const char* separator = "\n";
    for (const ModelEntry& entry : models) {
        // nlohmann::json sorts the keys, unlike ordered JSON.
        text += separator + nlohmann::json(to_json(entry)).dump();
        separator = ",\n";
    }
    return text + "\n]}\n";
}

std::vector<ProcessTimes> times_by_process(const CaseRecord& record) {
    std::vector<ProcessTimes> times;
    if (!record.samples) return times;
    const Samples& samples = *record.samples;
    std::size_t next = 0;
    const auto take = [&](int process, std::size_t count) {
        auto into = std::ranges::find(times, process, &ProcessTimes::process);
        if (into == times.end()) into = times.insert(into, {process, {}, {}});
        count = std::min(count, samples.ns.size() - next);
        for (std::size_t k = 0; k < count; ++k, ++next)
            into->samples_ns.push_back(samples.ns[next] / samples.generations_per_sample);
        into->visits.push_back(count);
    };
    for (const Visit& visit : samples.visits)
        take(visit.process, static_cast<std::size_t>(visit.n));
    if (next < samples.ns.size()) take(0, samples.ns.size());
    return times;
}

std::vector<double> times_of(const CaseRecord& record) {
    std::vector<double> all;
    for (const ProcessTimes& process : times_by_process(record))
        all.insert(all.end(), process.samples_ns.begin(), process.samples_ns.end());
    return all;
}

namespace {

constexpr int writing_share = 50;

}  // namespace

ResultsFile::ResultsFile(std::filesystem::path path, Existing existing)
    : keeps_(existing == Existing::kept) {
    file_.emplace(path, "results file");
    document_.source = path.string();
    set_rescue(document_.source, "");
}

void ResultsFile::start_from(Document document) {
    document.source = document_.source;
    document_ = std::move(document);
}

ResultsFile::~ResultsFile() {
    try {
        if (!stored_) store(document_);
    } catch (const std::exception&) {
        // The file keeps its last stored state.
    }
    if (file_) set_rescue("", "");
}

void ResultsFile::rescue(const std::function<void(Document& document)>& edit) const {
    if (!file_ || !is_guarded()) return;
    Document edited = document_;
    edit(edited);
    set_rescue(document_.source, to_text(edited));
}

void ResultsFile::store(const Document& document) {
    const auto start = Clock::now();
    const std::string text = file_ ? to_text(document) : "";
    if (std::exchange(keeps_, false) && file_) kept_ = file_->set_aside();
    if (file_) file_->replace(text);
    stored_ = true;
    const auto end = Clock::now();
    next_ = end + (end - start) * writing_share;
}

void ResultsFile::amend(const std::function<void(Document& document)>& edit) {
    Document edited = document_;
    edit(edited);
    store(edited);
    if (file_) set_rescue(document_.source, "");
    document_ = std::move(edited);
}

void ResultsFile::amend_in_time(const std::function<void(Document& document)>& edit) {
    if (Clock::now() >= next_) return amend(edit);
    Document edited = document_;
    edit(edited);
    document_ = std::move(edited);
    stored_ = false;
    if (file_) set_rescue(document_.source, "");
}

}  // namespace camber::results
