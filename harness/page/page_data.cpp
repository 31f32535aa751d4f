// Converts a report to the JSON data of the HTML page.
#include "harness/page/page.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "analysis/report/report.hpp"
#include "analysis/scaling/fits.hpp"
#include "analysis/timeline/quantities.hpp"
#include "harness/base/statistics.hpp"
#include "harness/record/fields.hpp"

namespace camber {

namespace {

using namespace report;
using results::Json;

constexpr int figure_digits = 6;
constexpr int sample_digits = 5;

// Integers are written without ".0", which saves a noticeable share of pages of several megabytes.
Json number(double value, int digits) {
    const double shown = rounded(value, digits);
    if (shown == std::floor(shown) && std::abs(shown) < 1e15)
        return static_cast<std::int64_t>(shown);
    return shown;
}

void set(Json& into, const char* key, const Value& value, int digits = figure_digits) {
    if (value) into[key] = number(*value, digits);
}

Json traffic(const Row& row) {
    Json levels = Json::array();
    for (const Traffic& level : row.traffic)
        levels.push_back(level.bytes_per_cell ? Json{number(*level.bytes_per_cell, sample_digits),
                                                     level.by_model ? "model" : "counters"}
                                              : Json());
    return levels;
}

// Table of repeated names: each is written once and referred to by its index.
class Names {
  public:
    std::size_t number(const std::string& name) {
        const auto [known, fresh] = numbers_.try_emplace(name, numbers_.size());
        if (fresh) names_.push_back(name);
        return known->second;
    }
    const Json& all() const { return names_; }

  private:
    std::map<std::string, std::size_t> numbers_;
    Json names_ = Json::array();
};

// [quantity index, predicted], followed by [measured, 1 if within the model's tolerance else 0] if
// the measured value differs.
Json counters(const std::vector<CounterComparison>& comparisons, Names& quantities) {
    Json pairs = Json::array();
    for (const CounterComparison& pair : comparisons) {
        Json& json = pairs.emplace_back(
            Json{quantities.number(pair.quantity), std::llround(pair.predicted)});
        if (pair.predicted == pair.measured) continue;
        json.push_back(std::llround(pair.measured));
        json.push_back(pair.agrees ? 1 : 0);
    }
    return pairs;
}

// Numbers are per launch of the variant; "share" is relative to the time of all its kernels.
Json kernels(const Row& row, Names& quantities) {
    Json kernels = Json::array();
    for (const profile::KernelTraffic& kernel : row.kernels) {
        Json& json = kernels.emplace_back();
        json["name"] = kernel.name;
        set(json, "share", kernel.share);
        set(json, "dram", kernel.dram_bytes);
        json["counters"] = counters(kernel.comparisons, quantities);
    }
    return kernels;
}

// [first generation, last generation, ns per generation]
Json intervals(const Row& row) {
    Json list = Json::array();
    for (const results::Interval& interval : row.intervals)
        list.push_back(
            {interval.first, interval.last,
             number(median(interval.samples_ns) / interval.generations(), sample_digits)});
    return list;
}

// [generation, share of active cells in the board, in one to four boxes, in a list]
Json activity(const Group& group) {
    Json list = Json::array();
    for (const results::Activity& row : group.activity) {
        std::vector<double> launched{static_cast<double>(group.columns) *
                                     static_cast<double>(group.rows_of_board)};
        launched.insert(launched.end(), row.boxes.begin(), row.boxes.end());
        launched.push_back(static_cast<double>(row.list));
        Json& json = list.emplace_back(Json::array({row.generation}));
        for (const double cells : launched)
            json.push_back(
                number(cells > 0 ? static_cast<double>(row.active) / cells : 0, figure_digits));
    }
    return list;
}

// Fields with the most common value are omitted and restored by page.js: a page has thousands of
// rows.
Json row_json(const Row& row, Names& quantities) {
    Json json = {{"variant", row.variant}, {"family", static_cast<int>(row.family)}};
    if (!row.variant.starts_with(row.technique + "/")) json["technique"] = row.technique;
    if (row.status != results::Status::ok) {
        json["status"] = name(row.status);
        json["reason"] = row.reason;
    }
    if (!row.verification)
        json["verification"] = nullptr;
    else if (*row.verification != Verification::Status::passed)
        json["verification"] = name(*row.verification);
    if (row.compared_cells > 0) json["compared"] = row.compared_cells;
    if (row.rank > 0) {
        json["rank"] = row.rank;
        set(json, "median", row.median_ns);
        set(json, "low", row.ci_low_ns);
        set(json, "high", row.ci_high_ns);
        set(json, "min", row.min_ns);
        set(json, "iqr", row.iqr_ns, sample_digits);
        set(json, "cells_rate", row.cells_per_second, sample_digits);
        set(json, "bandwidth", row.application_bytes_per_second, sample_digits);
        set(json, "copy", row.share_of_copy, sample_digits);
        set(json, "steps", row.step_share_of_copy, sample_digits);
        set(json, "speedup", row.speedup, sample_digits);
        json["n"] = row.sample_count;
        Json samples = Json::array();
        for (const double sample : row.samples_ns) samples.push_back(number(sample, sample_digits));
        json["samples"] = std::move(samples);
    }
    if (const auto& time = row.predicted)
        json["predicted"] = {number(time->ns, sample_digits), number(time->low_ns, sample_digits),
                             number(time->high_ns, sample_digits), time->binding, time->uncertain};
    if (row.overlap)
        json["overlap"] = {{"expected", number(row.overlap->expected(), figure_digits)},
                           {"pieces", number(row.overlap->pieces, figure_digits)},
                           {"exposed", number(row.overlap->exposed_transfers(), figure_digits)}};
    if (!row.intervals.empty()) json["intervals"] = intervals(row);
    set(json, "registers", row.registers);
    set(json, "occupancy", row.occupancy);
    if (!row.generations_per_launch)
        json["generations"] = nullptr;
    else if (*row.generations_per_launch != 1)
        set(json, "generations", row.generations_per_launch);
    json["traffic"] = traffic(row);
    if (!row.counters.empty()) json["counters"] = counters(row.counters, quantities);
    if (!row.kernels.empty()) json["kernels"] = kernels(row, quantities);
    return json;
}

Json group_json(const Group& group, Names& quantities) {
    Json json = {
        {"title", group.title()},      {"file", group.file},         {"device", group.device},
        {"backend", group.backend},    {"workload", group.workload}, {"columns", group.columns},
        {"rows", group.rows_of_board}, {"cell", group.cell},         {"boundary", group.boundary},
        {"timed", group.timed},        {"newest", group.newest},     {"baseline", group.baseline}};
    json["devices"] = group.devices;
    if (!group.rule.empty()) json["rule"] = group.rule;
    if (group.radius > 0) json["radius"] = group.radius;
    set(json, "copy", group.copy_bytes_per_second);
    Json ceilings = Json::array();
    for (const Value& ceiling : group.ceilings)
        ceilings.push_back(ceiling ? number(*ceiling, figure_digits) : Json());
    json["ceilings"] = std::move(ceilings);
    if (const auto& roof = group.flat_roof)
        json["flat_roof"] = {{"name", roof->name},
                             {"rate", number(roof->cells_per_second, figure_digits)},
                             {"estimate", roof->estimate}};
    if (!group.activity.empty()) json["activity"] = activity(group);
    Json cases = Json::array();
    for (const Row& row : group.rows) {
        Json one = row_json(row, quantities);
        // Only the table over radii shows this field.
        if (group.radius > 0 && !row.limited_by.empty()) one["limit_name"] = row.limited_by;
        cases.push_back(std::move(one));
    }
    json["cases"] = std::move(cases);
    return json;
}

Json file_json(const File& file) {
    Json environment = Json::array();
    for (const auto& [label, value] : file.environment) environment.push_back({label, value});
    Json curve = Json::array();
    for (const CeilingCurvePoint& point : file.copy_curve)
        curve.push_back({number(static_cast<double>(point.working_set_bytes), figure_digits),
                         number(point.bytes_per_second, figure_digits)});
    return {{"name", file.name},
            {"device", file.device},
            {"date", file.date},
            {"environment", std::move(environment)},
            {"copy_curve", std::move(curve)}};
}

void round_numbers(Json& json) {
    if (json.is_number_float()) json = number(json.get<double>(), figure_digits);
    if (json.is_structured())
        for (Json& child : json) round_numbers(child);
}

// Fits of the time over the board size by variant, from the newest files.
Json saturations(const Report& report) {
    Json list = Json::array();
    using Key = std::array<std::string, 7>;
    std::map<Key, std::vector<scaling::SizePoint>> points;
    for (const Group& group : report.groups)
        if (group.timed && group.newest)
            for (const Row& row : group.rows)
                if (row.rank > 0 && row.median_ns)
                    points[{group.device, group.workload, group.cell, group.boundary, group.rule,
                            group.backend, row.variant}]
                        .push_back({static_cast<double>(group.columns) *
                                        static_cast<double>(group.rows_of_board),
                                    *row.median_ns});
    for (const auto& [key, measured] : points) {
        const auto fit = scaling::fit_saturation(measured);
        if (!fit) continue;
        const auto& [device, workload, cell, boundary, rule, backend, variant] = key;
        list.push_back({{"device", device},
                        {"workload", workload},
                        {"cell", cell},
                        {"boundary", boundary},
                        {"backend", backend},
                        {"variant", variant},
                        {"floor", number(fit->floor_ns, figure_digits)},
                        {"knee", number(fit->knee_cells, figure_digits)},
                        {"low", number(fit->knee_low, figure_digits)},
                        {"high", number(fit->knee_high, figure_digits)},
                        {"slope", number(fit->ns_per_cell, figure_digits)},
                        {"intercept", number(fit->intercept_ns, figure_digits)},
                        {"largest", number(fit->largest_cells, figure_digits)}});
        if (!rule.empty()) list.back()["rule"] = rule;
    }
    return list;
}

// Format of results files, without the samples.
Json scaling_json(Scaling scaling) {
    for (auto& point : scaling.analysis.series.points) point.samples_ns.clear();
    Json json = results::to_json(scaling.analysis);
    round_numbers(json);
    json["file"] = scaling.file;
    return json;
}

// Published figures and the lines beside them. Points are [x or category, y].
Json figure_json(const published::FigureBeside& beside) {
    const published::PublishedFigure& figure = *beside.figure;
    Json json = {{"id", figure.id},       {"title", figure.title}, {"place", figure.place},
                 {"source", figure.source}, {"x", figure.x},         {"y", figure.y},
                 {"says", figure.says}};
    if (figure.logarithmic_x) json["logarithmic_x"] = true;
    if (figure.logarithmic_y) json["logarithmic_y"] = true;
    // Kernels have no order.
    if (figure.drawn == published::Drawn::kernel_shares) json["joined"] = false;
    if (!figure.measure.empty()) json["measure"] = figure.measure;
    json["stated"] = Json::array();
    for (const published::StatedPoint& stated : figure.stated) {
        Json& point = json["stated"].emplace_back(Json{{"name", stated.name}, {"note", stated.note}});
        set(point, "x", stated.x);
        set(point, "y", stated.y);
    }
    json["lines"] = Json::array();
    for (const published::MeasuredLine& line : beside.lines) {
        Json points = Json::array();
        for (const published::MeasuredPoint& point : line.points)
            points.push_back({point.category.empty() ? number(point.x, figure_digits)
                                                     : Json(point.category),
                              number(point.y, figure_digits)});
        json["lines"].push_back({{"name", line.name},
                                 {"device", line.device},
                                 {"basis", line.basis},
                                 {"points", std::move(points)}});
    }
    return json;
}

Json place_json(const timeline::PlaceQuantities& place) {
    Json json = {{"place", place.place},
                 {"kernels", place.kernels},
                 {"busy", number(place.busy_share, figure_digits)},
                 {"kernel", place.kernel_ns},
                 {"copy", place.copy_ns},
                 {"exposed", place.exposed_copy_ns},
                 {"barrier", place.barrier_wait_ns},
                 {"wait", place.host_wait_ns},
                 {"gaps", place.gaps},
                 {"gap", place.gap_ns},
                 {"longest", place.longest_gap_ns}};
    set(json, "delay", place.issue_to_start_ns);
    return json;
}

// Spans are [kind, lane, name, start, duration, bytes, correlation], times in ns; kind and name are
// indices.
Json timeline_json(const Timeline& timeline, Names& names) {
    Json json = {{"name", timeline.name}};
    set(json, "residual", timeline.residual_ns);
    const timeline::Quantities quantities = timeline::quantities_of(timeline);
    set(json, "imbalance", quantities.imbalance);
    json["places"] = Json::array();
    for (const timeline::PlaceQuantities& place : quantities.places)
        json["places"].push_back(place_json(place));
    json["lanes"] = Json::array();
    for (const Lane& lane : timeline.lanes)
        json["lanes"].push_back({{"place", lane.place}, {"name", lane.name}, {"host", lane.host}});
    json["spans"] = Json::array();
    for (const Span& span : timeline.spans)
        json["spans"].push_back({static_cast<int>(span.kind), span.lane, names.number(span.name),
                                 span.start_ns, span.end_ns - span.start_ns, span.bytes,
                                 span.correlation});
    return json;
}

Json report_json(const Report& report) {
    Json json;
    json["lead"] = lead(report);
    json["findings"] = findings(report);
    json["summary"] = summary(report);
    json["opening"] = opening_group(report);
    for (const Family family : families) json["families"].push_back(name(family));
    json["levels"] = level_names;
    json["most_samples"] = most_samples;
    const CounterTally pairs = tally(report.groups);
    json["counters"] = {{"pairs", pairs.pairs},
                        {"equal", pairs.equal},
                        {"tolerated", pairs.within_tolerance},
                        {"deviates", pairs.deviating}};
    json["files"] = Json::array();
    for (const File& file : report.files) json["files"].push_back(file_json(file));
    Names quantities;
    json["groups"] = Json::array();
    for (const Group& group : report.groups)
        json["groups"].push_back(group_json(group, quantities));
    json["quantities"] = quantities.all();
    json["saturations"] = saturations(report);
    json["published"] = Json::array();
    for (const published::FigureBeside& figure : report.figures)
        json["published"].push_back(figure_json(figure));
    json["scalings"] = Json::array();
    for (const Scaling& scaling : report.scalings)
        json["scalings"].push_back(scaling_json(scaling));
    for (const SpanKind kind : span_kinds) json["span_kinds"].push_back(name(kind));
    Names spans;
    json["timelines"] = Json::array();
    for (const Timeline& timeline : report.timelines)
        json["timelines"].push_back(timeline_json(timeline, spans));
    json["span_names"] = spans.all();
    json["history"] = history_json(report.history, HistoryDetail::drawn);
    return json;
}

}  // namespace

double rounded(double value, int digits) {
    if (!std::isfinite(value)) return value;
    return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
}

std::string report_data(const Report& report) {
    Json json = report_json(report);
    for (Json& group : json["groups"])
        for (Json& one : group["cases"]) {
            const std::string variant = one["variant"];
            one.emplace("technique", variant.substr(0, variant.find('/')));
            one.emplace("status", name(results::Status::ok));
            one.emplace("verification", name(Verification::Status::passed));
            one.emplace("generations", 1);
        }
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string page_data(const Report& report) {
    std::string text = report_json(report).dump(-1, ' ', false, Json::error_handler_t::replace);
    for (auto at = text.find('<'); at != std::string::npos; at = text.find('<', at))
        text.replace(at, 1, "\\u003c");
    return text;
}

}  // namespace camber
