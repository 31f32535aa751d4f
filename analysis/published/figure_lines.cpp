#include "analysis/published/figure_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "analysis/published/table.hpp"
#include "harness/base/statistics.hpp"
#include "harness/base/text/text.hpp"

namespace camber::published {

using results::CaseRecord;
using results::Document;

std::string text_of(const Size& size) {
    return fmt::format("{}x{}", size.columns, size.rows);
}

std::string device_of_case(const Document& document, const CaseRecord& record) {
    const int devices = record.identity.group ? record.identity.group->devices_at_work() : 1;
    return devices > 1 ? fmt::format("{} x {}", devices, document.gpu()) : document.gpu();
}

std::string file_of(const Document& document) {
    return std::filesystem::path(document.source).filename().string();
}

// The variant without the workload.
std::string_view own_name(const CaseRecord& record) {
    std::string_view name = record.identity.variant;
    const std::string& workload = record.identity.workload;
    if (name.starts_with(workload + "/")) name.remove_prefix(workload.size() + 1);
    return name;
}

bool is_on_one_gpu(const CaseRecord& record) {
    return record.identity.backend == Backend::cuda && !record.identity.group &&
           !record.identity.scaling;
}

namespace {

// Threads of a block in the figure of Bilotta et al.
constexpr double threads_of_a_block = 64;

std::string basis_text(const Document& document, const CaseRecord& record) {
    std::string text =
        fmt::format("{}: {} generations", file_of(document), record.identity.generations);
    if (record.final)
        if (const auto active = record.final->account.find("active_share");
            active != record.final->account.end())
            text += fmt::format(", {:.2g} % of the cells active at the end", 100 * active->second);
    return text;
}

// Lines by name and device: a later document replaces the line of an earlier one.
class Lines {
  public:
    // A line that `document` contributes to; cleared if an earlier document made it.
    MeasuredLine& of(const std::string& name, const std::string& device, const Document& document) {
        auto& [from, line] = lines_[{name, device}];
        if (from != &document) line = {name, device, "", {}};
        from = &document;
        return line;
    }
    // Lines with at least `least` points, in the figure's order.
    std::vector<MeasuredLine> all(const PublishedFigure& figure, std::size_t least) && {
        std::vector<MeasuredLine> all;
        for (auto& [key, line] : lines_)
            if (line.second.points.size() >= least) all.push_back(std::move(line.second));
        std::ranges::stable_sort(all, {}, [&](const MeasuredLine& line) {
            return std::ranges::find_if(figure.lines, [&](const FigureLine& one) {
                return line.name == one.name || line.name.starts_with(one.name + ", graph");
            });
        });
        return all;
    }

  private:
    std::map<std::pair<std::string, std::string>, std::pair<const Document*, MeasuredLine>> lines_;
};

// Calls f(line, document, record) for the cases of the figure's lines on one GPU.
template <class F>
void each_case_of_line(const PublishedFigure& figure, const std::vector<const Document*>& documents,
                       const F& f) {
    each_case(figure, documents, [&](const Document& document, const CaseRecord& record) {
        if (!is_on_one_gpu(record)) return;
        for (const FigureLine& line : figure.lines)
            if (matches_glob(line.variant, own_name(record))) f(line, document, record);
    });
}

// Middle generation and time of a step, in us, of each timed part of a run.
std::vector<std::pair<double, double>> step_times(const CaseRecord& record) {
    std::vector<std::pair<double, double>> times;
    if (record.summed)
        for (const results::StateTimes& state : record.summed->states)
            times.emplace_back(state.generation,
                               median(state.samples_ns) / state.generations / 1e3);
    else
        for (const results::Interval& interval : record.intervals)
            times.emplace_back((interval.first + interval.last) / 2.0,
                               median(interval.samples_ns) / interval.generations() / 1e3);
    return times;
}

// Cells with lava by generation, of runs of the figure's workload and board.
std::map<int, double> lava_cells(const PublishedFigure& figure,
                                 const std::vector<const Document*>& documents) {
    std::map<int, double> cells;
    each_case(figure, documents, [&](const Document& document, const CaseRecord&) {
        for (const results::Activity& row : document.run()->activity)
            cells[row.generation] = static_cast<double>(row.active);
    });
    return cells;
}

std::string line_name(const FigureLine& line, const CaseRecord& record) {
    const bool graph = record.identity.submission == Submission::graph;
    return line.name + (graph ? ", graph" : "");
}

std::vector<MeasuredLine> over_run(const PublishedFigure& figure,
                                   const std::vector<const Document*>& documents, bool by_lava) {
    Lines lines;
    const std::map<int, double> cells =
        by_lava ? lava_cells(figure, documents) : std::map<int, double>();
    each_case_of_line(
        figure, documents,
        [&](const FigureLine& line, const Document& document, const CaseRecord& record) {
            const auto times = step_times(record);
            if (times.size() < least_points) return;
            MeasuredLine& into =
                lines.of(line_name(line, record), device_of_case(document, record), document);
            into.points.clear();
            into.basis = basis_text(document, record);
            for (const auto& [generation, us] : times) {
                if (!by_lava) {
                    into.points.push_back({generation, "", us});
                } else if (const auto at = cells.find(static_cast<int>(generation));
                           at != cells.end()) {
                    into.points.push_back({at->second, "", us});
                }
            }
        });
    return std::move(lines).all(figure, least_points);
}

// Lines of single kernels over a run: times, in us, or shares in the time of all kernels, in %.
std::vector<MeasuredLine> kernels_over_run(const PublishedFigure& figure,
                                           const std::vector<const Document*>& documents) {
    Lines lines;
    each_case_of_line(
        figure, documents,
        [&](const FigureLine& line, const Document& document, const CaseRecord& record) {
            std::vector<MeasuredPoint> points;
            const auto add = [&](double generation,
                                 const std::vector<results::IntervalKernel>& kernels) {
                double own = 0;
                double all = 0;
                for (const results::IntervalKernel& kernel : kernels) {
                    all += kernel.ns_per_generation;
                    if (kernel.name == line.kernel) own += kernel.ns_per_generation;
                }
                if (own > 0)
                    points.push_back(
                        {generation, "",
                         figure.drawn == Drawn::shares_over_run ? 100 * own / all : own / 1e3});
            };
            if (record.summed)
                for (const results::StateTimes& state : record.summed->states)
                    add(state.generation, state.kernels);
            else
                for (const results::Interval& interval : record.intervals)
                    add((interval.first + interval.last) / 2.0, interval.kernels);
            if (points.empty()) return;
            MeasuredLine& into =
                lines.of(line_name(line, record), device_of_case(document, record), document);
            into.basis = basis_text(document, record);
            into.points = std::move(points);
        });
    return std::move(lines).all(figure, least_points);
}

// Lines of the set of cells that a launch computes, from the activity that a run recorded.
std::vector<MeasuredLine> over_activity(const PublishedFigure& figure,
                                        const std::vector<const Document*>& documents) {
    const Document* newest = nullptr;
    Size size;
    each_case(figure, documents, [&](const Document& document, const CaseRecord& record) {
        if (document.run()->activity.size() < least_points) return;
        newest = &document;
        size = record.identity.size;
    });
    if (newest == nullptr) return {};
    const std::vector<results::Activity>& rows = newest->run()->activity;
    const std::string basis =
        fmt::format("{}: {} generations", file_of(*newest), rows.back().generation);
    std::vector<MeasuredLine> lines;
    const auto add = [&](const std::string& name, const auto& value) {
        MeasuredLine line{name, "", basis, {}};
        for (const results::Activity& row : rows)
            if (row.active > 0)
                line.points.push_back({static_cast<double>(row.generation), "", value(row)});
        if (line.points.size() >= least_points) lines.push_back(std::move(line));
    };
    if (figure.drawn == Drawn::blocks) {
        add("one box", [](const results::Activity& row) {
            return std::ceil(static_cast<double>(row.boxes.front()) / threads_of_a_block);
        });
        return lines;
    }
    const auto share = [](const results::Activity& row, double launched) {
        return 100 * static_cast<double>(row.active) / launched;
    };
    add("the whole board", [&](const results::Activity& row) {
        return share(row, static_cast<double>(size.cells()));
    });
    for (std::size_t boxes = 0; boxes < rows.front().boxes.size(); ++boxes)
        add(boxes == 0 ? "one box" : fmt::format("up to {} boxes", boxes + 1),
            [&](const results::Activity& row) {
                return share(row, static_cast<double>(row.boxes[boxes]));
            });
    add("a list",
        [&](const results::Activity& row) { return share(row, static_cast<double>(row.list)); });
    return lines;
}

std::vector<MeasuredLine> shares_of_kernels(const PublishedFigure& figure,
                                            const std::vector<const Document*>& documents) {
    Lines lines;
    each_case_of_line(
        figure, documents,
        [&](const FigureLine& line, const Document& document, const CaseRecord& record) {
            if (!record.kernel_times || record.kernel_times->kernels.size() < 2) return;
            double all = 0;
            for (const results::KernelTime& kernel : record.kernel_times->kernels)
                all += kernel.total_ns();
            MeasuredLine& into =
                lines.of(line_name(line, record), device_of_case(document, record), document);
            into.points.clear();
            into.basis = basis_text(document, record);
            // A library's kernels have one name.
            std::map<std::string, double> shares;
            for (const results::KernelTime& kernel : record.kernel_times->kernels) {
                const double share = 100 * kernel.total_ns() / all;
                const auto [at, is_new] = shares.try_emplace(kernel.name, 0);
                if (is_new) into.points.push_back({0, kernel.name, 0});
                at->second += share;
            }
            for (MeasuredPoint& point : into.points) point.y = shares[point.category];
        });
    return std::move(lines).all(figure, 2);
}

// Lines over blocks, narrowest first: `value` of the line's kernel, if a case has it.
template <class Value>
std::vector<MeasuredLine> over_blocks(const PublishedFigure& figure,
                                      const std::vector<const Document*>& documents,
                                      const Value& value) {
    Lines lines;
    each_case_of_line(
        figure, documents,
        [&](const FigureLine& line, const Document& document, const CaseRecord& record) {
            const auto kernel =
                std::ranges::find(record.kernels, line.kernel, &results::Kernel::name);
            const std::optional<double> found = value(record, line.kernel);
            if (kernel == record.kernels.end() || !found) return;
            MeasuredLine& into = lines.of(line.name, device_of_case(document, record), document);
            into.basis = basis_text(document, record);
            const std::string block = text_of(kernel->block);
            std::erase_if(into.points,
                          [&](const MeasuredPoint& point) { return point.category == block; });
            into.points.push_back({static_cast<double>(kernel->block.cells()), block, *found});
        });
    std::vector<MeasuredLine> all = std::move(lines).all(figure, least_points);
    for (MeasuredLine& line : all) std::ranges::sort(line.points, {}, &MeasuredPoint::x);
    return all;
}

std::vector<MeasuredLine> times_of_kernels(const PublishedFigure& figure,
                                           const std::vector<const Document*>& documents) {
    std::vector<MeasuredLine> lines =
        over_blocks(figure, documents, [](const CaseRecord& record, const std::string& name) {
            std::optional<double> ns;
            if (record.kernel_times)
                for (const results::KernelTime& kernel : record.kernel_times->kernels)
                    if (kernel.name == name) ns = kernel.statistics.median;
            return ns;
        });
    for (MeasuredLine& line : lines) {
        const double first = line.points.front().y;
        for (MeasuredPoint& point : line.points) point.y /= first;
    }
    return lines;
}

std::vector<MeasuredLine> hit_rates(const PublishedFigure& figure,
                                    const std::vector<const Document*>& documents) {
    return over_blocks(figure, documents, [](const CaseRecord& record, const std::string& name) {
        std::optional<double> rate;
        for (const results::KernelCounters& kernel : record.kernel_counters)
            if (const auto found = kernel.counters.find("l1tex__t_sector_hit_rate.pct");
                kernel.name == name && found != kernel.counters.end())
                rate = found->second;
        return rate;
    });
}

}  // namespace

std::vector<MeasuredLine> measured_lines(const PublishedFigure& figure,
                                         const std::vector<Document>& documents) {
    std::vector<const Document*> by_date;
    for (const Document& document : documents)
        if (document.run() != nullptr) by_date.push_back(&document);
    std::ranges::stable_sort(by_date, {},
                             [](const Document* document) { return document->context.date; });
    switch (figure.drawn) {
        case Drawn::nothing:
            return {};
        case Drawn::steps_over_run:
        case Drawn::steps_over_lava:
            return over_run(figure, by_date, figure.drawn == Drawn::steps_over_lava);
        case Drawn::useful_threads:
        case Drawn::blocks:
            return over_activity(figure, by_date);
        case Drawn::kernels_over_run:
        case Drawn::shares_over_run:
            return kernels_over_run(figure, by_date);
        case Drawn::kernel_shares:
            return shares_of_kernels(figure, by_date);
        case Drawn::kernel_times:
            return times_of_kernels(figure, by_date);
        case Drawn::hit_rates:
            return hit_rates(figure, by_date);
        case Drawn::saved_over_size:
            return saved_over_size(figure, by_date);
        case Drawn::over_core:
            return over_core(figure, by_date);
        case Drawn::thresholds:
            return over_thresholds(figure, by_date);
    }
    return {};
}

std::vector<FigureBeside> figures_beside(const std::vector<Document>& documents) {
    std::set<std::string> workloads;
    for (const Document& document : documents)
        for (const CaseRecord& record : document.cases) workloads.insert(record.identity.workload);
    std::vector<FigureBeside> all;
    for (const PublishedFigure& figure : figures())
        if (workloads.contains(figure.workload))
            all.push_back({&figure, measured_lines(figure, documents)});
    if (std::ranges::all_of(all, [](const FigureBeside& one) { return one.lines.empty(); }))
        all.clear();
    return all;
}

}  // namespace camber::published
