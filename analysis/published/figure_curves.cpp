// Lines of published figures over board sizes and balancing thresholds: their points are from
// several runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/published/figure_lines.hpp"
#include "harness/base/statistics.hpp"
#include "harness/base/text/text.hpp"

namespace camber::published {

namespace {

// Value of an option of the document's command; "" without it.
std::string option_of(const results::Document& document, std::string_view option) {
    if (document.run() == nullptr) return "";
    const std::vector<std::string>& words = document.run()->command;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == option && i + 1 < words.size()) return words[i + 1];
        if (words[i].starts_with(std::string(option) + "="))
            return words[i].substr(option.size() + 1);
    }
    return "";
}

// Time of a generation, in ns, by variant and side of a square board.
using TimesBySide = std::map<std::string, std::map<int, double>, std::less<>>;

TimesBySide times_by_side(const PublishedFigure& figure, const results::Document& document) {
    TimesBySide times;
    each_case(figure, {&document},
              [&](const results::Document&, const results::CaseRecord& record) {
                  const Size size = record.identity.size;
                  if (is_on_one_gpu(record) && record.timed() && size.columns == size.rows &&
                      record.identity.boundary.value_or(Boundary::dead) == Boundary::dead &&
                      record.identity.conditions() == Conditions() && !record.identity.from_start)
                      times[std::string(own_name(record))][size.columns] =
                          median(results::times_of(record));
              });
    return times;
}

// Lines over the side of the board. value(line, times, side, ns): a point, if the file with these
// times has it; times of different files are not compared. Newer files replace points.
template <class Value>
std::vector<MeasuredLine> over_side(const PublishedFigure& figure,
                                    const std::vector<const results::Document*>& documents,
                                    const std::string& remark, const Value& value) {
    struct Point {
        double y = 0;
        std::string file;
    };
    // By line and device, then by side.
    std::map<std::pair<std::size_t, std::string>, std::map<int, Point>> all;
    for (const results::Document* document : documents) {
        const TimesBySide times = times_by_side(figure, *document);
        for (std::size_t line = 0; line < figure.lines.size(); ++line) {
            const auto own = times.find(figure.lines[line].variant);
            if (own == times.end()) continue;
            for (const auto& [side, ns] : own->second)
                if (const auto y = value(figure.lines[line], times, side, ns))
                    all[{line, document->gpu()}][side] = {*y, file_of(*document)};
        }
    }
    std::vector<MeasuredLine> lines;
    for (const auto& [key, points] : all) {
        if (points.size() < least_points) continue;
        MeasuredLine& line =
            lines.emplace_back(MeasuredLine{figure.lines[key.first].name, key.second, "", {}});
        std::set<std::string> files;
        for (const auto& [side, point] : points) {
            line.points.push_back({static_cast<double>(side), "", point.y});
            files.insert(point.file);
        }
        line.basis = fmt::format("{}{}", fmt::join(files, ", "), remark);
    }
    return lines;
}

}  // namespace

std::vector<MeasuredLine> saved_over_size(const PublishedFigure& figure,
                                          const std::vector<const results::Document*>& documents) {
    return over_side(figure, documents, "",
                     [](const FigureLine& line, const TimesBySide& times, int side, double ns) {
                         std::optional<double> saved;
                         if (const auto base = times.find(line.against); base != times.end())
                             if (const auto at = base->second.find(side); at != base->second.end())
                                 saved = 100 * (1 - ns / at->second);
                         return saved;
                     });
}

std::vector<MeasuredLine> over_core(const PublishedFigure& figure,
                                    const std::vector<const results::Document*>& documents) {
    double core = 0;  // ns per cell
    std::string remark;
    each_case(figure, documents,
              [&](const results::Document& document, const results::CaseRecord& record) {
                  if (own_name(record) != figure.cpu || !record.timed()) return;
                  core = median(results::times_of(record)) / record.cells();
                  remark = fmt::format(", over one core at {} ({})", text_of(record.identity.size),
                                       file_of(document));
              });
    if (core == 0) return {};
    return over_side(figure, documents, remark,
                     [core](const FigureLine&, const TimesBySide&, int side, double ns) {
                         return std::optional(core * static_cast<double>(side) * side / ns);
                     });
}

std::vector<MeasuredLine> over_thresholds(const PublishedFigure& figure,
                                          const std::vector<const results::Document*>& documents) {
    using Key = std::tuple<int, std::int64_t, int>;  // devices, particles, begin
    std::map<Key, std::map<double, double>> times;
    std::map<Key, std::pair<std::string, std::set<std::string>>> origins;
    each_case(figure, documents,
              [&](const results::Document& document, const results::CaseRecord& record) {
                  const results::Identity& identity = record.identity;
                  if (!identity.group || !identity.group->balancing || !record.timed() ||
                      identity.group->balancing->rule != "published" ||
                      identity.group->partition != "rows")
                      return;
                  const std::string text = option_of(document, "--balance-threshold");
                  const std::optional<double> threshold =
                      text.empty() ? std::optional(0.5) : plain_number(text);
                  if (!threshold || !option_of(document, "--divide-along").empty()) return;
                  const Key key{identity.group->places, identity.size.cells(),
                                identity.begin.value_or(0)};
                  times[key][*threshold] = median(results::times_of(record));
                  origins[key].first = device_of_case(document, record);
                  origins[key].second.insert(file_of(document));
              });
    std::vector<MeasuredLine> lines;
    for (const auto& [key, by_threshold] : times) {
        if (by_threshold.size() < least_points) continue;
        double mean = 0;
        for (const auto& [threshold, ns] : by_threshold)
            mean += ns / static_cast<double>(by_threshold.size());
        const auto [devices, particles, begin] = key;
        MeasuredLine line{
            fmt::format("{} GPUs, {} particles, from generation {}", devices, particles, begin),
            origins[key].first,
            fmt::format("{}", fmt::join(origins[key].second, ", ")),
            {}};
        for (const auto& [threshold, ns] : by_threshold)
            line.points.push_back({threshold, "", 100 * (ns / mean - 1)});
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace camber::published
