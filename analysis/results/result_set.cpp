#include "analysis/results/result_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "harness/base/error.hpp"

namespace camber::results {

namespace {

using Json = nlohmann::ordered_json;

double nanoseconds_per(const std::string& unit) {
    if (unit == "ns") return 1;
    if (unit == "us") return 1e3;
    if (unit == "ms") return 1e6;
    if (unit == "s") return 1e9;
    throw Error(ExitCode::usage, fmt::format("time unit '{}' is not one of ns, us, ms, s", unit));
}

Status status_of(const std::string& text) {
    if (text == "ok") return Status::ok;
    if (text == "skipped") return Status::skipped;
    if (text == "failed") return Status::failed;
    throw Error(ExitCode::usage,
                fmt::format("status '{}' is not one of ok, skipped, failed", text));
}

ProcessTimes& times_of(std::vector<ProcessTimes>& times, int process) {
    const auto found = std::ranges::find(times, process, &ProcessTimes::process);
    if (found != times.end()) return *found;
    return times.emplace_back(ProcessTimes{process, {}, {}});
}

// samples_ns holds the samples of one visit after the other.
std::vector<ProcessTimes> camber_times(const Json& camber) {
    std::vector<ProcessTimes> times;
    const auto samples = camber.find("samples_ns");
    if (samples == camber.end()) return times;
    const double generations = camber.at("generations_per_sample").get<double>();
    auto next = samples->begin();
    const auto take = [&](int process, std::size_t count) {
        ProcessTimes& into = times_of(times, process);
        std::size_t taken = 0;
        for (; taken < count && next != samples->end(); ++taken, ++next)
            into.samples_ns.push_back(next->get<double>() / generations);
        into.visits.push_back(taken);
    };
    if (const auto visits = camber.find("visits"); visits != camber.end())
        for (const Json& visit : *visits)
            take(visit.at("process").get<int>(), visit.at("n").get<std::size_t>());
    if (next != samples->end()) take(0, samples->size());
    return times;
}

Case camber_case(const Json& element) {
    Case read;
    read.name = element.value("run_name", element.at("name").get<std::string>());
    read.camber = element.at("camber");
    read.status = status_of(read.camber.at("status").get<std::string>());
    read.reason = read.text("reason");
    read.times = camber_times(read.camber);
    return read;
}

// Repetitions of one case are one case with the samples of all.
void add_camber(std::vector<Case>& cases, Case read) {
    const auto found = std::ranges::find(cases, read.name, &Case::name);
    if (found == cases.end()) {
        cases.push_back(std::move(read));
        return;
    }
    if (found->status == Status::ok && read.status != Status::ok) {
        *found = std::move(read);
        return;
    }
    for (const ProcessTimes& times : read.times) {
        ProcessTimes& into = times_of(found->times, times.process);
        into.samples_ns.insert(into.samples_ns.end(), times.samples_ns.begin(),
                               times.samples_ns.end());
        into.visits.insert(into.visits.end(), times.visits.begin(), times.visits.end());
    }
}

// One repetition of Google Benchmark is one sample; its aggregates (mean, median...) are not read.
void add_google_benchmark(std::vector<Case>& cases, const Json& element) {
    if (element.value("run_type", "iteration") != "iteration") return;
    const auto name = element.value("run_name", element.at("name").get<std::string>());
    auto found = std::ranges::find(cases, name, &Case::name);
    if (found == cases.end()) {
        found = cases.emplace(cases.end());
        found->name = name;
    }
    if (element.value("error_occurred", false)) {
        found->status = Status::failed;
        found->reason = element.value("error_message", "");
        return;
    }
    ProcessTimes& times = times_of(found->times, 0);
    times.samples_ns.push_back(element.at("real_time").get<double>() *
                               nanoseconds_per(element.value("time_unit", "ns")));
    times.visits = {times.samples_ns.size()};
}

// The fields of a model that say what was modelled; all others are counts, or about them.
constexpr const char* model_subjects[] = {"variant", "size", "cell", "boundary",
                                          "generations_per_launch"};

Case model_case(const Json& element) {
    const Json& size = element.at("size");
    Case read;
    read.name = fmt::format("{}/{}x{}/{}/{}", element.at("variant").get<std::string>(),
                            size.at("columns").get<int>(), size.at("rows").get<int>(),
                            element.at("cell").get<std::string>(),
                            element.at("boundary").get<std::string>());
    Json model = element;
    for (const char* subject : model_subjects) {
        read.camber[subject] = element.at(subject);
        model.erase(subject);
    }
    const auto variant = read.text("variant");
    read.camber["workload"] = variant.substr(0, variant.find('/'));
    for (const char* detail : {"sites", "bounds", "largest_bound"}) model.erase(detail);
    read.camber["model"] = std::move(model);
    return read;
}

const Json* at_pointer(const Json& json, std::string_view pointer) {
    const Json::json_pointer place{std::string(pointer)};
    return json.is_object() && json.contains(place) ? &json.at(place) : nullptr;
}

}  // namespace

std::vector<double> Case::samples() const {
    std::vector<double> all;
    for (const ProcessTimes& process : times)
        all.insert(all.end(), process.samples_ns.begin(), process.samples_ns.end());
    return all;
}

std::string Case::text(const char* key) const {
    const auto found = camber.is_object() ? camber.find(key) : camber.end();
    return found != camber.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<double> Case::number(std::string_view pointer) const {
    const Json* found = at_pointer(camber, pointer);
    if (!found || !found->is_number()) return std::nullopt;
    return found->get<double>();
}

std::map<std::string, double> Case::numbers(std::string_view pointer) const {
    std::map<std::string, double> all;
    if (const Json* found = at_pointer(camber, pointer); found && found->is_object())
        for (const auto& [name, value] : found->items())
            if (value.is_number()) all[name] = value.get<double>();
    return all;
}

const Case* ResultSet::find(std::string_view name) const {
    const auto found = std::ranges::find(cases, name, &Case::name);
    return found != cases.end() ? &*found : nullptr;
}

ResultSet parse_results(const Json& document, const std::string& source) {
    ResultSet set;
    set.source = source;
    const bool models = document.is_object() && document.contains("models");
    const char* const list = models ? "models" : "benchmarks";
    if (!document.is_object() || !document.contains(list) || !document[list].is_array())
        throw Error(ExitCode::usage,
                    fmt::format("{} has no list 'benchmarks': give a results file that `camber run "
                                "--out` or Google Benchmark's --benchmark_out wrote",
                                source));
    if (document.contains("context")) set.context = document["context"];
    if (document.contains("scaling")) set.scaling = document["scaling"];
    set.by_camber = set.context.is_object() && set.context.contains("camber");
    const Json& elements = document[list];
    for (std::size_t k = 0; k < elements.size(); ++k) try {
            if (models)
                set.cases.push_back(model_case(elements[k]));
            else if (elements[k].contains("camber"))
                add_camber(set.cases, camber_case(elements[k]));
            else
                add_google_benchmark(set.cases, elements[k]);
        } catch (const std::exception& error) {
            throw Error(ExitCode::usage,
                        fmt::format("{} does not have the form of a results file at "
                                    "/{}/{}: {}",
                                    source, list, k, error.what()));
        }
    return set;
}

Json read_document(const std::filesystem::path& path) {
    std::ifstream file(path);
    if (!file)
        throw Error(ExitCode::usage,
                    fmt::format("cannot read the results file {}: check the path", path.string()));
    try {
        return Json::parse(file);
    } catch (const Json::parse_error& error) {
        throw Error(
            ExitCode::usage,
            fmt::format("{} is not a JSON document (byte {}): a run that was cut off leaves "
                        "a whole file, so it may have been truncated by a copy",
                        path.string(), error.byte));
    }
}

ResultSet read_results(const std::filesystem::path& path) {
    return parse_results(read_document(path), path.string());
}

}  // namespace camber::results
