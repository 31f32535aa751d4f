#include "analysis/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "analysis/report/environment.hpp"
#include "analysis/report/row.hpp"
#include "harness/base/error.hpp"

namespace camber::report {

namespace {

using Json = nlohmann::ordered_json;
using results::Case;
using results::ResultSet;
using results::Status;

const Json* at_pointer(const Json& json, const char* pointer) {
    const Json::json_pointer place{pointer};
    return json.is_object() && json.contains(place) ? &json.at(place) : nullptr;
}

Value number_at(const Json& json, const char* pointer) {
    const Json* found = at_pointer(json, pointer);
    return found && found->is_number() ? Value(found->get<double>()) : std::nullopt;
}

// How many leading bytes all paths share, up to a slash.
std::size_t shared_folders(const std::vector<ResultSet>& sets) {
    std::size_t length = sets.front().source.rfind('/') + 1;
    for (const ResultSet& set : sets)
        while (length > 0 && set.source.compare(0, length, sets.front().source, 0, length) != 0)
            length = length < 2 ? 0 : sets.front().source.rfind('/', length - 2) + 1;
    return length;
}

File file_of(const ResultSet& set, std::size_t shared) {
    File file;
    file.name = set.source.substr(shared);
    file.environment = environment_of(set.context);
    file.device = device_of(set.context, "cuda");
    if (const Json* date = at_pointer(set.context, "/date"); date && date->is_string())
        file.date = date->get<std::string>();
    if (const Json* curve = at_pointer(set.context, "/camber/ceilings/copy"))
        for (const Json& point : *curve)
            file.copy_curve.push_back(
                {point.value("working_set_bytes", 0.0), point.value("bytes_per_second", 0.0)});
    return file;
}

// What cases of one file must share to be ranked together.
using Key = std::tuple<std::string, std::string, std::int64_t, std::int64_t, std::string,
                       std::string, std::string>;

Key key_of(const Case& one, const std::string& device) {
    const auto count = [&](const char* pointer) {
        return static_cast<std::int64_t>(one.number(pointer).value_or(0));
    };
    return {device,           one.text("workload"), count("/size/columns"), count("/size/rows"),
            one.text("cell"), one.text("boundary"), one.text("backend")};
}

Key key_of(const Group& group) {
    return {group.device, group.workload, group.columns, group.rows_of_board,
            group.cell,   group.boundary, group.backend};
}

Group group_of(const Key& key, int file, const Json& context) {
    Group group;
    group.file = file;
    std::tie(group.device, group.workload, group.columns, group.rows_of_board, group.cell,
             group.boundary, group.backend) = key;
    group.timed = group.backend != "simt";
    group.copy_bytes_per_second = number_at(context, "/camber/ceilings/copy_bytes_per_second");
    group.ceilings = {group.copy_bytes_per_second,
                      number_at(context, "/camber/ceilings/l2_bytes_per_second"),
                      number_at(context, "/camber/ceilings/shared_bytes_per_second")};
    return group;
}

// Of rows with the same variant, the one with the median time.
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

std::vector<Group> groups_of(const ResultSet& set, int file, const FamilyOf& family_of) {
    std::vector<Group> groups;
    std::map<Key, std::size_t> place;
    for (const Case& one : set.cases) {
        // A part of the machine is not ranked beside the whole: its cases make the scaling curves.
        if (one.camber.contains("scaling")) continue;
        const Key key = key_of(one, device_of(set.context, one.text("backend")));
        const auto [found, is_new] = place.try_emplace(key, groups.size());
        if (is_new) groups.push_back(group_of(key, file, set.context));
        groups[found->second].rows.push_back(row_of(one));
        Row& row = groups[found->second].rows.back();
        row.family = family_of(row.technique);
    }
    for (Group& group : groups) rank(group);
    return groups;
}

void add_scalings(std::vector<Scaling>& into, const ResultSet& set, int file) {
    if (set.scaling.is_null()) return;
    const auto complain = [&](const std::string& place, const std::string& what) {
        throw Error(ExitCode::usage,
                    fmt::format("{} does not have the form of a results file at /scaling{}: {}; "
                                "write it with camber scale",
                                set.source, place, what));
    };
    if (!set.scaling.is_array()) complain("", "it is no list");
    for (std::size_t k = 0; k < set.scaling.size(); ++k) {
        const Json& element = set.scaling[k];
        const std::string place = fmt::format("/{}", k);
        for (const char* key : {"workload", "variant", "unit", "mode"})
            if (!element.is_object() || !element.contains(key) || !element[key].is_string())
                complain(place, fmt::format("there is no text '{}'", key));
        if (!element.contains("points") || !element["points"].is_array())
            complain(place, "there is no list 'points'");
        for (const Json& point : element["points"])
            if (!point.is_object() || !point.contains("p") || !point["p"].is_number())
                complain(place, "a point has no number 'p'");
        into.push_back({file, element});
    }
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

}  // namespace

std::string Group::title() const {
    if (workload.empty()) return "Google Benchmark";
    std::string text = fmt::format("{}, {} x {}, {}", workload, columns, rows_of_board, cell);
    if (boundary == "torus") text += ", torus";
    if (backend != "cuda") text += ", " + backend;
    return text;
}

std::size_t Group::count(Status status) const {
    return static_cast<std::size_t>(std::ranges::count(rows, status, &Row::status));
}

Report build_report(const std::vector<ResultSet>& sets, const FamilyOf& family_of) {
    Report report;
    if (sets.empty()) return report;
    const std::size_t shared = shared_folders(sets);
    for (const ResultSet& set : sets) try {
            const int file = static_cast<int>(report.files.size());
            report.files.push_back(file_of(set, shared));
            std::ranges::move(groups_of(set, file, family_of), std::back_inserter(report.groups));
            add_scalings(report.scalings, set, file);
        } catch (const Json::exception& error) {
            throw Error(ExitCode::usage, fmt::format("{} does not have the form of a results file: "
                                                     "{}; give a file that camber wrote",
                                                     set.source, error.what()));
        }
    mark_newest(report);
    std::ranges::stable_sort(report.groups, {}, [](const Group& group) {
        return std::tuple(group.device, group.workload.empty(), group.workload,
                          -group.columns * group.rows_of_board, group.cell != "uint32",
                          group.boundary, !group.newest);
    });
    for (const Group& group : report.groups)
        if (std::ranges::find(report.devices, group.device) == report.devices.end())
            report.devices.push_back(group.device);
    return report;
}

}  // namespace camber::report
