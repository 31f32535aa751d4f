// Tables of a page that need no script.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "analysis/report/report.hpp"
#include "harness/base/text/table.hpp"
#include "harness/base/text/text.hpp"

namespace camber::report {

namespace {

using results::Status;

std::string decimal(const Value& value, double factor, int digits) {
    return value ? fmt::format("{:.{}f}", *value * factor, digits) : "-";
}

// Properties that data sets over size, or over radius, share.
using SeriesKey = std::vector<std::string>;

struct DataSeries {
    std::string title;
    std::map<std::int64_t, std::vector<const Group*>> points;  // by size or radius, oldest first
};

// Series with at least two points. `at`: a group's place in its series; nullopt for none.
std::vector<DataSeries> series_of(
    const Report& report, const std::function<SeriesKey(const Group&)>& key,
    const std::function<std::optional<std::int64_t>(const Group&)>& at) {
    std::map<SeriesKey, DataSeries> all;
    for (const Group& group : report.groups) {
        const auto place = at(group);
        if (!place || !group.timed || group.workload.empty()) continue;
        DataSeries& series = all[key(group)];
        series.points[*place].push_back(&group);
    }
    std::vector<DataSeries> several;
    for (auto& [properties, series] : all) {
        if (series.points.size() < 2) continue;
        for (const std::string& property : properties)
            if (!property.empty()) series.title += (series.title.empty() ? "" : ", ") + property;
        for (auto& [place, groups] : series.points)
            std::ranges::stable_sort(
                groups, {}, [&](const Group* group) { return report.files[group->file].date; });
        several.push_back(std::move(series));
    }
    return several;
}

// Highest cell rate of each technique; later files replace earlier ones.
std::map<std::string, const Row*> fastest_by_technique(const std::vector<const Group*>& groups) {
    std::map<std::string, const Row*> fastest;
    for (const Group* group : groups) {
        std::map<std::string, const Row*> here;
        for (const Row& row : group->rows)
            if (row.rank > 0 && row.cells_per_second) here.try_emplace(row.technique, &row);
        for (const auto& [technique, row] : here) fastest[technique] = row;
    }
    return fastest;
}

std::string series_tables(const std::vector<DataSeries>& all, const char* heading,
                          const std::function<std::string(const Group&)>& label,
                          const char* caption) {
    std::string html;
    for (const DataSeries& series : all) {
        std::set<std::string> techniques;
        for (const auto& [place, groups] : series.points)
            for (const auto& [technique, row] : fastest_by_technique(groups))
                techniques.insert(technique);
        if (techniques.empty()) continue;
        std::vector<TableColumn> columns{{heading, Align::left}, {"fastest", Align::left}};
        for (const std::string& technique : techniques) columns.push_back({technique});
        TextTable table(std::move(columns));
        for (const auto& [place, groups] : series.points) {
            const auto fastest = fastest_by_technique(groups);
            if (fastest.empty()) continue;
            const auto best = std::ranges::max_element(
                fastest, {}, [](const auto& one) { return *one.second->cells_per_second; });
            std::vector<std::string> cells{label(*groups.front()), best->second->variant};
            for (const std::string& technique : techniques) {
                const auto row = fastest.find(technique);
                cells.push_back(
                    row == fastest.end() ? "-" : decimal(row->second->cells_per_second, 1e-9, 2));
            }
            table.add(std::move(cells));
        }
        html += table.html({.caption = fmt::format("{}: {}", series.title, caption), .links = {}});
    }
    return html;
}

std::string or_dash(const std::string& text) {
    return text.empty() ? "-" : text;
}

std::string file_value(const File& file, const std::string& label) {
    const auto found =
        std::ranges::find(file.environment, label, &std::pair<std::string, std::string>::first);
    return found == file.environment.end() ? "" : found->second;
}

}  // namespace

std::string data_sets_html(const Report& report) {
    const bool several = report.devices.size() > 1;
    std::vector<TableColumn> columns{{"data set", Align::left}};
    if (several) columns.push_back({"device", Align::left});
    for (const char* heading : {"Gcell/s", "of copy, %", "speedup", "variants"})
        columns.push_back({heading});
    columns.push_back({"fastest variant", Align::left});
    columns.push_back({"file", Align::left});
    TextTable table(std::move(columns));
    std::size_t count = 0;
    for (const Group& group : report.groups) {
        if (!group.newest || !group.timed || group.rows.empty() || group.rows.front().rank == 0)
            continue;
        const Row& best = group.rows.front();
        std::vector<std::string> cells{group.title()};
        if (several) cells.push_back(group.device);
        for (const std::string& cell :
             {decimal(best.cells_per_second, 1e-9, 2), decimal(best.share_of_copy, 100, 1),
              decimal(best.speedup, 1, 2), std::to_string(group.rows.size()), best.variant,
              report.files[group.file].name})
            cells.push_back(cell);
        table.add(std::move(cells));
        ++count;
    }
    if (count < 2) return "";
    return table.html({.caption = "Fastest variant of each data set, from the newest file; speedup "
                                  "over the data set's baseline",
                       .links = {}});
}

std::string cases_html(const Report& report) {
    std::string html;
    const std::size_t opening = opening_group(report);
    for (std::size_t k = 0; k < report.groups.size(); ++k) {
        const Group& group = report.groups[k];
        html += fmt::format(
            "<details{}><summary>{} <span class=\"small\">{}, {}{}</span></summary>\n{}"
            "</details>\n",
            k == opening ? " open" : "", escape_xml(group.title()),
            escape_xml((report.devices.size() > 1 ? group.device + ", " : "") +
                       report.files[group.file].name),
            counted(group.rows.size(), "variant"), group.newest ? "" : ", a later file has it",
            complete_table(group).html(
                {.caption =
                     fmt::format("All cases of {} on {}", group.title(), origin_of(group, report)),
                 .links = {}}));
    }
    return html;
}

std::string sizes_html(const Report& report) {
    const auto key = [](const Group& group) -> SeriesKey {
        return {group.workload,
                group.cell,
                group.rule,
                group.radius > 0 ? fmt::format("radius {}", group.radius) : "",
                group.boundary == "torus" ? "torus" : "",
                group.backend == "cuda" ? "" : group.backend,
                group.device};
    };
    const auto cells = [](const Group& group) -> std::optional<std::int64_t> {
        return group.columns * group.rows_of_board;
    };
    return series_tables(
        series_of(report, key, cells), "board",
        [](const Group& group) {
            return fmt::format("{} x {}", group.columns, group.rows_of_board);
        },
        "Gcell/s of the fastest variant of each technique, by board size");
}

std::string radii_html(const Report& report) {
    const auto key = [](const Group& group) -> SeriesKey {
        return {group.workload,
                fmt::format("{} x {}", group.columns, group.rows_of_board),
                group.cell,
                group.boundary == "torus" ? "torus" : "",
                group.backend == "cuda" ? "" : group.backend,
                group.device};
    };
    const auto radius = [](const Group& group) -> std::optional<std::int64_t> {
        return group.radius > 0 ? std::optional<std::int64_t>(group.radius) : std::nullopt;
    };
    return series_tables(
        series_of(report, key, radius), "radius",
        [](const Group& group) { return fmt::format("{}", group.radius); },
        "Gcell/s of the fastest variant of each technique, by radius");
}

std::string scalings_html(const Report& report) {
    std::string html;
    for (const Scaling& scaling : report.scalings) {
        const scaling::Series& series = scaling.analysis.series;
        const bool weak = series.mode == scaling::Mode::weak;
        TextTable table({"units", "p", "samples", "time, us", weak ? "scaled speedup" : "speedup",
                         "efficiency", "serial fraction"},
                        0);
        for (const scaling::PointAnalysis& point : scaling.analysis.points)
            table.add({std::to_string(point.units), fmt::format("{:.4g}", point.p),
                       std::to_string(point.n), fmt::format("{:.2f}", point.median_ns * 1e-3),
                       decimal(weak ? point.scaled_speedup : point.speedup, 1, 3),
                       decimal(weak ? point.weak_efficiency : point.efficiency, 1, 3),
                       decimal(point.karp_flatt, 1, 4)});
        html +=
            table.html({.caption = fmt::format(
                            "{}, {} scaling over units of {} {}, {} x {} cells, from {}",
                            series.variant, key(series.mode), series.unit_size, key(series.unit),
                            series.columns, series.rows, report.files[scaling.file].name),
                        .links = {}});
    }
    return html;
}

std::string environment_html(const Report& report) {
    std::vector<std::string> labels;
    for (const File& file : report.files)
        for (const auto& [label, value] : file.environment)
            if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
    if (labels.empty()) return "";
    static const std::set<std::string> always = {"GPU", "driver", "compiler", "commit", "date"};
    std::string shared;
    std::vector<TableColumn> columns{{"file", Align::left}};
    std::vector<std::string> differing;
    for (const std::string& label : labels) {
        const std::string value = file_value(report.files.front(), label);
        const bool same = std::ranges::all_of(
            report.files, [&](const File& file) { return file_value(file, label) == value; });
        if (same)
            shared += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_xml(label), escape_xml(value));
        if (same && !always.contains(label)) continue;
        differing.push_back(label);
        columns.push_back({label, Align::left});
    }
    std::string html;
    if (!shared.empty()) html += fmt::format("<dl class=\"facts\">\n{}</dl>\n", shared);
    if (report.files.size() < 2) return html;
    TextTable table(std::move(columns));
    for (const File& file : report.files) {
        std::vector<std::string> cells{file.name};
        for (const std::string& label : differing)
            cells.push_back(or_dash(file_value(file, label)));
        table.add(std::move(cells));
    }
    return html + table.html({.caption = "Environment of each file", .links = {}});
}

std::string repetitions_html(const Report& report, double threshold) {
    const auto key = [](const Group& group) {
        return std::tuple(group.device, group.title(), group.radius);
    };
    TextTable overview({"data set", "device", "earlier file", "commit", "date", "newest file",
                        "variants in both", "slower", "faster"},
                       6);
    TextTable changes({"data set", "device", "variant", "earlier file", "newest file", "before, us",
                       "now, us", "change"},
                      5);
    for (const Group& newest : report.groups) {
        if (!newest.newest || !newest.timed) continue;
        for (const Group& earlier : report.groups) {
            if (earlier.newest || key(earlier) != key(newest)) continue;
            std::map<std::string, double> before;
            for (const Row& row : earlier.rows)
                if (row.rank > 0) before[row.variant] = *row.median_ns;
            int common = 0, slower = 0, faster = 0;
            const File& old_file = report.files[earlier.file];
            const File& new_file = report.files[newest.file];
            for (const Row& row : newest.rows) {
                const auto found = before.find(row.variant);
                if (row.rank == 0 || found == before.end()) continue;
                ++common;
                const double ratio = *row.median_ns / found->second;
                if (std::max(ratio, 1 / ratio) <= 1 + threshold) continue;
                ++(ratio > 1 ? slower : faster);
                changes.add({newest.title(), newest.device, row.variant, old_file.name,
                             new_file.name, fmt::format("{:.2f}", found->second * 1e-3),
                             fmt::format("{:.2f}", *row.median_ns * 1e-3),
                             fmt::format("{:+.1f} %", 100 * (ratio - 1))});
            }
            if (common > 0)
                overview.add({newest.title(), newest.device, old_file.name,
                              or_dash(file_value(old_file, "commit")),
                              or_dash(old_file.date.substr(0, 10)), new_file.name,
                              std::to_string(common), std::to_string(slower),
                              std::to_string(faster)});
        }
    }
    if (overview.empty()) return "";
    std::string html = overview.html(
        {.caption = fmt::format("Data sets measured more than once; slower and faster count "
                                "medians that differ by more than {:.0f} %",
                                threshold * 100),
         .links = {}});
    if (!changes.empty())
        html += changes.html({.caption = "Variants whose median changed", .links = {}});
    return html;
}

std::string device_of(const Report& report, const Scaling& scaling) {
    const std::string& machine = scaling.analysis.series.machine;
    return machine.empty() ? report.files[scaling.file].device : machine;
}

Report part_of(const Report& report, const std::string& device, const std::string& workload) {
    Report part;
    std::map<int, int> numbers;  // of files, by their number in the whole report
    const auto number_of = [&](int file) {
        const auto [found, is_new] = numbers.try_emplace(file, static_cast<int>(part.files.size()));
        if (is_new) part.files.push_back(report.files[file]);
        return found->second;
    };
    for (const Group& group : report.groups) {
        if (group.device != device || group.workload != workload) continue;
        part.groups.push_back(group);
        part.groups.back().file = number_of(group.file);
    }
    for (const Scaling& scaling : report.scalings)
        if (device_of(report, scaling) == device && scaling.analysis.series.workload == workload) {
            part.scalings.push_back(scaling);
            part.scalings.back().file = number_of(scaling.file);
        }
    for (const published::FigureBeside& figure : report.figures) {
        if (figure.figure->workload != workload) continue;
        part.figures.push_back(figure);
        std::erase_if(part.figures.back().lines, [&](const published::MeasuredLine& line) {
            return !line.device.empty() && line.device != device;
        });
    }
    part.devices = {device};
    return part;
}

}  // namespace camber::report
