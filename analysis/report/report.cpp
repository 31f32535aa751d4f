#include "analysis/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/published/radius.hpp"
#include "harness/base/error.hpp"
#include "harness/record/conditions.hpp"
#include "harness/record/context.hpp"

namespace camber::report {

// Device name: the GPU's for the cuda backend and if no backend is recorded, else the processor's;
// "unknown" if the context has neither.
std::string device_of(const results::Context& context, std::optional<Backend> backend);

// Label and value of the recorded properties: GPU, driver, clocks, compiler, commit, date and so
// on.
std::vector<std::pair<std::string, std::string>> environment_of(const results::Context& context);

// Sets `predicted` of the timed rows for whose variant and board a document's models contain a
// time.
void set_predicted(Report& report, const std::vector<results::Document>& documents);

namespace {

using results::known;

class Listing {
  public:
    void add(const char* label, const std::string& value) {
        if (!value.empty()) lines_.emplace_back(label, value);
    }
    void add(const char* label, const std::optional<std::string>& value) {
        if (value) add(label, *value);
    }
    template <class Number>
    void add(const char* label, const std::optional<Number>& value, double factor, const char* unit,
             int digits) {
        if (value)
            add(label,
                fmt::format("{:.{}f} {}", static_cast<double>(*value) * factor, digits, unit));
    }
    std::vector<std::pair<std::string, std::string>> lines() { return std::move(lines_); }

  private:
    std::vector<std::pair<std::string, std::string>> lines_;
};

void add_gpu(Listing& listing, const results::Gpu& gpu) {
    listing.add("GPU", gpu.name);
    listing.add("compute capability", gpu.compute_capability);
    listing.add("SMs", std::to_string(gpu.sm_count));
    listing.add("SM clock", gpu.sm_clock_hz, 1e-6, "MHz", 0);
    listing.add("memory clock", gpu.memory_clock_hz, 1e-6, "MHz", 0);
    listing.add("GPU memory", gpu.memory_bytes, 1.0 / (1 << 30), "GiB", 1);
    listing.add("L2", gpu.l2_bytes, 1.0 / (1 << 20), "MiB", 0);
    if (gpu.ecc) listing.add("ECC", std::string(*gpu.ecc ? "yes" : "no"));
    listing.add("GPU UUID", known(gpu.uuid));
}

std::string driver_of(const results::Run& run) {
    const std::string version = known(run.driver_version).value_or("");
    if (!run.driver || run.driver->empty()) return version;
    return version.empty() ? "CUDA " + *run.driver
                           : fmt::format("{} (CUDA {})", version, *run.driver);
}

std::string commit_of(const results::Commit& git) {
    return git.commit.substr(0, 12) + (git.dirty ? ", with uncommitted changes" : "");
}

}  // namespace

std::string device_of(const results::Context& context, std::optional<Backend> backend) {
    if (const auto& run = context.run) {
        if (backend.value_or(Backend::cuda) == Backend::cuda && run->gpu && !run->gpu->name.empty())
            return run->gpu->name;
        if (run->cpu && run->cpu->model && !run->cpu->model->empty()) return *run->cpu->model;
    }
    return context.host_name.empty() ? "unknown" : context.host_name;
}

std::vector<std::pair<std::string, std::string>> environment_of(const results::Context& context) {
    const results::Run run = context.run.value_or(results::Run());
    const results::OperatingSystem os = run.os.value_or(results::OperatingSystem());
    Listing listing;
    if (run.gpu) add_gpu(listing, *run.gpu);
    listing.add("driver", driver_of(run));
    listing.add("CUDA runtime", run.runtime);
    listing.add("copy bandwidth", run.ceilings.copy_bytes_per_second, 1e-9, "GB/s", 1);
    listing.add("compiler", run.compiler);
    listing.add("flags", run.flags);
    listing.add("build", run.build_type);
    if (run.git) listing.add("commit", commit_of(*run.git));
    listing.add("camber", run.version);
    listing.add("date", context.date);
    if (run.cpu) listing.add("processor", run.cpu->model);
    listing.add("system", os.distribution);
    listing.add("kernel", os.kernel);
    listing.add("host", context.host_name);
    listing.add("command", fmt::format("{}", fmt::join(run.command, " ")));
    return listing.lines();
}

namespace {

using results::Document;
using results::ModelEntry;

// Variant, board, cell, rule, boundary and device.
using ModelKey = std::tuple<std::string, std::int64_t, std::int64_t, std::string, std::string,
                            std::string, std::string>;

ModelKey model_key(const ModelEntry& entry, const std::string& device) {
    return {entry.variant, entry.size.columns, entry.size.rows,
            entry.cell,    entry.rule,         std::string(name(entry.boundary)),
            device};
}

PredictedRow predicted_row(const ModelEntry& entry) {
    const results::TimeRecord& time = *entry.time;
    const double ns = 1e9 / entry.generations_per_launch;
    return {time.predicted_seconds * ns, time.low_seconds * ns, time.high_seconds * ns,
            time.binding, !time.doubts.empty()};
}

}  // namespace

void set_predicted(Report& report, const std::vector<Document>& documents) {
    std::map<ModelKey, PredictedRow> times;
    for (const Document& document : documents)
        for (const ModelEntry& entry : document.models)
            if (entry.time) times[model_key(entry, document.gpu())] = predicted_row(entry);
    if (times.empty()) return;
    for (Group& group : report.groups) {
        // Groups of models have no backend.
        if ((group.backend != "cuda" && !group.backend.empty()) || group.devices != 1) continue;
        // The radius is a workload parameter, and models do not record their parameters.
        if (group.workload == "gaussian") continue;
        for (Row& row : group.rows) {
            if (row.status != results::Status::ok) continue;
            const auto found =
                times.find({group.workload + "/" + row.variant, group.columns, group.rows_of_board,
                            group.cell, group.rule, group.boundary, group.device});
            if (found != times.end()) row.predicted = found->second;
        }
    }
}

namespace {

using results::CaseRecord;
using results::Document;
using results::Status;

// Length of the longest common prefix of all paths that ends in a slash.
std::size_t shared_folders(const std::vector<Document>& documents) {
    const std::string& first = documents.front().source;
    std::size_t length = first.rfind('/') + 1;
    for (const Document& document : documents)
        while (length > 0 && document.source.compare(0, length, first, 0, length) != 0)
            length = length < 2 ? 0 : first.rfind('/', length - 2) + 1;
    return length;
}

File file_of(const Document& document, std::size_t shared) {
    File file;
    file.name = document.source.substr(shared);
    file.environment = environment_of(document.context);
    file.device = device_of(document.context, Backend::cuda);
    file.date = document.context.date;
    if (const results::Run* run = document.run()) file.copy_curve = run->ceilings.copy;
    return file;
}

// Properties that cases of one file must share to be ranked together.
using Key = std::tuple<std::string, std::string, std::int64_t, std::int64_t, std::string,
                       std::string, std::string, std::string, int>;

int devices_of(const CaseRecord& record) {
    return record.identity.group ? record.identity.group->devices_at_work() : 1;
}

Key key_of(const CaseRecord& record, const std::string& device) {
    const results::Identity& of = record.identity;
    const int devices = devices_of(record);
    return {devices > 1 ? fmt::format("{} x {}", devices, device) : device,
            of.workload,
            of.size.columns,
            of.size.rows,
            of.cell,
            of.rule,
            std::string(of.boundary ? name(*of.boundary) : ""),
            std::string(of.backend ? name(*of.backend) : ""),
            radius_of(of)};
}

Key key_of(const Group& group) {
    return {group.device, group.workload, group.columns, group.rows_of_board, group.cell,
            group.rule,   group.boundary, group.backend, group.radius};
}

Group group_of(const Key& key, int devices, int file, const results::Run* run) {
    Group group;
    group.file = file;
    group.devices = devices;
    std::tie(group.device, group.workload, group.columns, group.rows_of_board, group.cell,
             group.rule, group.boundary, group.backend, group.radius) = key;
    group.timed = group.backend != "simt";
    if (!run) return group;
    group.activity = run->activity;
    const Ceilings& ceilings = run->ceilings;
    group.copy_bytes_per_second = ceilings.copy_bytes_per_second;
    group.ceilings = {ceilings.copy_bytes_per_second, ceilings.l2_bytes_per_second,
                      ceilings.l1_bytes_per_second, ceilings.shared_bytes_per_second};
    if (group.copy_bytes_per_second) *group.copy_bytes_per_second *= devices;
    for (Value& ceiling : group.ceilings)
        if (ceiling) *ceiling *= devices;
    return group;
}

// If a variant has several rows, selects the one with the median time.
std::vector<Row> one_per_variant(std::vector<Row> rows) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<Row>> repetitions;
    for (Row& row : rows) {
        auto& same = repetitions[row.variant];
        if (same.empty()) order.push_back(row.variant);
        same.push_back(std::move(row));
    }
    std::vector<Row> middle;
    for (const std::string& variant : order) {
        auto& same = repetitions[variant];
        std::ranges::stable_sort(same, {}, &Row::median_ns);
        middle.push_back(std::move(same[same.size() / 2]));
    }
    return middle;
}

void rank(Group& group) {
    group.rows = one_per_variant(std::move(group.rows));
    const auto ranked = [&](const Row& row) { return group.timed && row.median_ns.has_value(); };
    const auto rest = std::ranges::stable_partition(group.rows, ranked);
    std::ranges::stable_sort(group.rows.begin(), rest.begin(), {}, &Row::median_ns);
    int position = 0;
    for (auto row = group.rows.begin(); row != rest.begin(); ++row) {
        row->rank = ++position;
        if (row->speedup == 1.0) group.baseline = row->variant;
    }
}

std::vector<Group> groups_of(const Document& document, int file, const FamilyOf& family_of) {
    std::vector<Group> groups;
    std::map<Key, std::size_t> place;
    std::vector<std::vector<const CaseRecord*>> records;  // by group
    const auto overlaps = overlap::overlaps(document.cases);
    for (const CaseRecord& record : document.cases) {
        // Scaling cases use part of the machine and appear in the scaling curves only.
        if (record.identity.scaling) continue;
        const Key key = key_of(record, device_of(document.context, record.identity.backend));
        const auto [found, is_new] = place.try_emplace(key, groups.size());
        if (is_new) {
            groups.push_back(group_of(key, devices_of(record), file, document.run()));
            records.emplace_back();
        }
        records[found->second].push_back(&record);
        Row& row = groups[found->second].rows.emplace_back(row_of(record, document.run()));
        row.family = family_of(row.technique);
        for (const auto& [pass, overlap] : overlaps)
            if (pass == &record) row.overlap = overlap;
    }
    for (std::size_t k = 0; k < groups.size(); ++k) {
        rank(groups[k]);
        if (document.run() && groups[k].timed)
            groups[k].flat_roof = flat_roof(*document.run(), records[k]);
    }
    return groups;
}

void mark_newest(Report& report) {
    std::map<Key, Group*> newest;
    for (Group& group : report.groups) {
        Group*& last = newest[key_of(group)];
        if (last && report.files[last->file].date > report.files[group.file].date) {
            group.newest = false;
            continue;
        }
        if (last) last->newest = false;
        last = &group;
    }
}

bool has_measurements(const Document& document) {
    return document.models.empty() && !document.cases.empty();
}

bool has_predicted_times(const Document& document) {
    return std::ranges::any_of(
        document.models, [](const results::ModelEntry& entry) { return entry.time.has_value(); });
}

}  // namespace

std::string Group::title() const {
    if (workload.empty()) return "Google Benchmark";
    std::string text = fmt::format("{}, {} x {}, {}", workload, columns, rows_of_board, cell);
    if (!rule.empty()) text += ", " + rule;
    if (workload == "gaussian") text += fmt::format(", radius {}", radius);
    if (boundary == "torus") text += ", torus";
    if (!backend.empty() && backend != "cuda") text += ", " + backend;
    return text;
}

std::size_t Group::count(Status status) const {
    return static_cast<std::size_t>(std::ranges::count(rows, status, &Row::status));
}

Report build_report(const std::vector<Document>& documents, const FamilyOf& family_of) {
    Report report;
    if (documents.empty()) return report;
    const std::size_t shared = shared_folders(documents);
    const bool any_measured = std::ranges::any_of(documents, has_measurements);
    for (const Document& document : documents) {
        const int file = static_cast<int>(report.files.size());
        report.files.push_back(file_of(document, shared));
        if (any_measured && has_predicted_times(document))
            continue;  // shown together with the other files
        std::ranges::move(groups_of(document, file, family_of), std::back_inserter(report.groups));
        for (const scaling::Analysis& analysis : document.scaling)
            report.scalings.push_back({file, analysis});
    }
    set_predicted(report, documents);
    mark_newest(report);
    std::ranges::stable_sort(report.groups, {}, [](const Group& group) {
        return std::tuple(group.workload.empty(), group.workload,
                          -group.columns * group.rows_of_board, group.cell != "uint32", group.cell,
                          group.boundary, group.device, !group.newest);
    });
    for (const Group& group : report.groups)
        if (std::ranges::find(report.devices, group.device) == report.devices.end())
            report.devices.push_back(group.device);
    std::ranges::sort(report.devices);
    return report;
}

}  // namespace camber::report
