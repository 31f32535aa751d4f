// Page of one variant: totals, times and its call sites.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "analysis/memory/access_pattern.hpp"
#include "harness/base/text/table.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/model/page.hpp"
#include "harness/predict/prediction_record.hpp"
#include "workloads/core/named_arrays.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

constexpr std::size_t most_rows = 40;  // on one page

std::string describe_method(const Prediction& prediction) {
    switch (prediction.method) {
        case Method::extrapolated:
            return "data-independent counts, extrapolated exactly from small boards";
        case Method::simulated:
            return prediction.data_dependent.value_or(false)
                       ? "data-dependent counts; every block simulated on this board's data"
                       : "every block simulated on this board's data";
        case Method::sampled:
            break;
    }
    std::int64_t blocks = 0;
    for (const KernelPrediction& kernel : prediction.kernels) blocks += kernel.sampled_blocks;
    return fmt::format(
        "data-dependent counts, estimated from {} random blocks, with 95 % intervals", blocks);
}

std::string interval(const Prediction& prediction, std::int64_t low, std::int64_t high) {
    if (prediction.method != Method::sampled) return "";
    return fmt::format("  [{}, {}]", low, high);
}

std::string totals(const ModelledVariant& variant) {
    const Prediction& prediction = variant.prediction;
    const AccessCounts total = prediction.counts();
    const AccessCounts low = prediction.low();
    const AccessCounts high = prediction.high();
    TextTable table({{"", Align::left, 28}, {"", Align::left}}, 2);
    const auto line = [&](const char* what, const std::string& value) {
        table.add_spanning({what, value});
    };
    const auto transfer = [&](const char* what, const TransferCounts& t, const TransferCounts& l,
                              const TransferCounts& h) {
        if (t.requests == 0) return;
        line(what, fmt::format("{} requests{}, {} sectors{}, {:.2f} sectors per request, "
                               "efficiency {}",
                               t.requests, interval(prediction, l.requests, h.requests), t.sectors,
                               interval(prediction, l.sectors, h.sectors), t.sectors_per_request(),
                               percent(t.efficiency())));
    };
    transfer("global loads", total.global_load, low.global_load, high.global_load);
    transfer("global stores", total.global_store, low.global_store, high.global_store);
    transfer("global atomics", total.global_atomic, low.global_atomic, high.global_atomic);
    transfer("texture loads", total.texture_load, low.texture_load, high.texture_load);
    transfer("bulk copies", total.bulk_load, low.bulk_load, high.bulk_load);
    const auto shared = [&](const char* what, const SharedCounts& s, const SharedCounts& l,
                            const SharedCounts& h) {
        if (s.instructions == 0) return;
        line(what, fmt::format("{} wavefronts{}, {} of them due to bank conflicts", s.passes,
                               interval(prediction, l.passes, h.passes), s.conflicts()));
    };
    shared("shared loads", total.shared_load, low.shared_load, high.shared_load);
    shared("shared stores", total.shared_store, low.shared_store, high.shared_store);
    if (total.distributed_load.instructions + total.distributed_store.instructions > 0)
        line(
            "distributed shared memory",
            fmt::format("{} load and {} store requests, not included in the wavefronts above",
                        total.distributed_load.instructions, total.distributed_store.instructions));
    if (total.constant_load.instructions > 0)
        line("constant loads",
             fmt::format("{} requests, {} passes (one per distinct address of a request)",
                         total.constant_load.instructions, total.constant_load.passes));
    shared("shared atomics", total.shared_atomic, low.shared_atomic, high.shared_atomic);

    const auto moved = static_cast<double>(bytes_moved(prediction));
    line("bytes moved",
         variant.bytes_needed > 0
             ? fmt::format("{}B, {:.2f} times the {}B needed (each cell read once and "
                           "written once)",
                           brief_amount(moved), moved / variant.bytes_needed, brief_amount(variant.bytes_needed))
             : fmt::format("{}B", brief_amount(moved)));
    const auto all = quantities(prediction);
    line("distinct bytes per block", fmt::format("{}B in total: minimum traffic between L1 and L2",
                                                 brief_amount(all.at("block_distinct_bytes"))));
    if (const auto dram = all.find("compulsory_dram_bytes"); dram != all.end())
        line("distinct bytes per launch",
             fmt::format("{}B: minimum DRAM traffic if L2 is cold; {} of the requested bytes are "
                         "first touches, the rest is reuse",
                         brief_amount(dram->second), percent(all.at("non_redundant_share"))));
    return table.plain();
}

// The row's source location, with the column if another row of its kind has the same line.
std::string place_of(const SiteRow& row, const std::vector<SiteRow>& rows,
                     const Prediction& prediction) {
    const auto site = [&](const SiteRow& r) -> const CallSite& {
        return prediction.sites.at(static_cast<std::size_t>(r.site));
    };
    const CallSite& here = site(row);
    const bool shared_line = std::ranges::any_of(rows, [&](const SiteRow& other) {
        return other.site != row.site && kind(other) == kind(row) && site(other).path == here.path;
    });
    if (!shared_line) return here.path;
    return fmt::format("{}:{}{}", here.place, here.column, here.path.substr(here.place.size()));
}

// Mark of the row that matters most.
std::string mark(bool largest) {
    return largest ? ">" : " ";
}

std::string microseconds(double seconds) {
    return fmt::format("{:.2f} us", seconds * 1e6);
}

// Columns: mark, name, time, basis.
TextTable table_of_times(std::size_t name_width) {
    return TextTable({{"", Align::left, 1},
                      {"", Align::left, name_width, 1},
                      {"", Align::right, 12, 1},
                      {"", Align::left}});
}

std::string bounds_text(const ModelledVariant& variant) {
    if (variant.bounds.all.empty()) return "";
    TextTable table = table_of_times(14);
    const auto largest = variant.bounds.largest();
    for (const Bound& bound : variant.bounds.all)
        table.add_spanning({mark(bound.resource == largest->resource), std::string(bound.limit()),
                            microseconds(bound.seconds), bound.basis});
    return "\nLOWER BOUNDS OF THE LAUNCH TIME\n" + table.plain();
}

std::string predicted_time_text(const ModelledVariant& variant) {
    if (!variant.time)
        return variant.no_time.empty() ? ""
                                       : fmt::format("\nNo predicted time: {}.\n", variant.no_time);
    const PredictedTime& time = *variant.time;
    std::string out = fmt::format("\nPREDICTED LAUNCH TIME  {:.2f} us, from {:.2f} to {:.2f}\n",
                                  time.seconds * 1e6, time.low * 1e6, time.high * 1e6);
    TextTable table = table_of_times(20);
    for (const TimePart& part : time.parts)
        table.add_spanning({mark(part.resource == time.binding().resource),
                            std::string(label(part.resource)), microseconds(part.seconds),
                            part.basis});
    out += table.plain();
    out += "  The parts overlap, so the time is shorter than their sum.\n";
    if (time.uncertain()) out += fmt::format("  Uncertain: {}.\n", fmt::join(time.doubts, "; "));
    return out;
}

// "32-way bank conflicts", or the average if requests differ.
std::string describe_conflicts(const SiteRow& row) {
    const double ways = 1 / row.efficiency();
    if (std::abs(ways - std::round(ways)) < 0.005)
        return fmt::format("has {:.0f}-way bank conflicts", ways);
    return fmt::format("takes {:.2f} wavefronts per request, {:.2f} without bank conflicts",
                       row.per_request(), row.per_request() * row.efficiency());
}

// "fetches 12 % extra", or a factor if more than as much again moves.
std::string describe_extra(const SiteRow& row) {
    const char* const verb = row.operation == Operation::load ? "fetches" : "moves";
    const double factor = 1 / row.efficiency();
    if (factor < 2) return fmt::format("{} {:.0f} % extra", verb, 100 * (factor - 1));
    return fmt::format("{} {:.2f} times the bytes it uses", verb, factor);
}

// Sentence about what the site wastes, how the lanes of `example` access memory, and the remedy.
std::string explain_waste(const SiteRow& row, const CallSite& site,
                          const std::optional<CapturedRequest>& example, RuleSet rules) {
    std::string sentence = fmt::format("s{}, the {} at {}, ", row.number, kind(row), site.place);
    if (row.space == Space::constant)
        sentence += fmt::format("takes {:.2f} passes per request, 1 if all lanes read one address",
                                row.per_request());
    else
        sentence += is_shared(row.space) ? describe_conflicts(row) : describe_extra(row);
    if (!example) return sentence + ".";
    const std::string pattern = describe_pattern(example->request, example->row_bytes);
    if (!pattern.empty()) sentence += ": " + pattern;
    const std::string remedy = describe_remedy(example->request, rules, example->row_bytes);
    if (remedy.empty()) return sentence + ".";
    return fmt::format("{}.\n  Remedy: {}.\n  Picture: --picture s{}", sentence, remedy,
                       row.number);
}

}  // namespace

std::string problem_text(std::string_view workload, const Problem& problem) {
    const Workload* const known = find_workload(workload);
    if (const HasNamedArrays* const arrays = known ? named_arrays_of(*known) : nullptr)
        return arrays_text(*arrays);
    return fmt::format("{}x{} cells of {}, boundary {}", problem.size.columns, problem.size.rows,
                       info(problem.cell).name, name(problem.boundary));
}

std::string model_page(const ModelledVariant& variant,
                       const std::optional<CapturedRequest>& worst) {
    const Prediction& prediction = variant.prediction;
    const Problem& problem = prediction.problem;
    const VariantInfo& info = prediction.variant->info;
    std::string out =
        fmt::format("{}\n{}; rules of {} ({}){}\n{}\n", info.name(),
                    problem_text(info.workload, problem), to_string(prediction.architecture),
                    to_string(prediction.architecture.rules),
                    prediction.architecture.newer_than_rules
                        ? ", the newest available: not validated with this generation's counters"
                        : "",
                    describe_method(prediction));
    out += fmt::format("\nONE LAUNCH ({} generation{}, {} kernel{})\n", info.shape.generations,
                       info.shape.generations == 1 ? "" : "s", prediction.kernels.size(),
                       prediction.kernels.size() == 1 ? "" : "s");
    out += totals(variant) + predicted_time_text(variant) + bounds_text(variant);

    const std::vector<SiteRow> rows = site_rows(prediction);
    const bool wasteful = !rows.empty() && rows.front().bytes_wasted() > 0;
    TextTable table({{"", Align::left, 1},
                     {"site", Align::left, 4, 1},
                     {"access", Align::left, 14, 1},
                     {"requests", Align::right, 10, 1},
                     {"/req.", Align::right, 6, 1},
                     {"effic.", Align::right, 8, 1},
                     {"conflicts", Align::right, 10, 1},
                     {"share", Align::right, 7, 1},
                     {"source line", Align::left}});
    for (const SiteRow& row : rows | std::views::take(most_rows))
        table.add({mark(wasteful && row.number == 1), fmt::format("s{}", row.number), kind(row),
                   fmt::format("{}", row.requests), fmt::format("{:.2f}", row.per_request()),
                   percent(row.efficiency()),
                   in_passes(row.space) ? std::to_string(row.conflicts) : "-", percent(row.share),
                   place_of(row, rows, prediction)});
    out += "\nLINE BY LINE, most wasteful first\n" + table.plain();
    if (rows.size() > most_rows)
        out += fmt::format("  ... and {} less wasteful ones; --json writes all\n",
                           rows.size() - most_rows);
    out +=
        "  requests: memory instructions of warps; /req.: 32-byte sectors (global memory), "
        "wavefronts\n  (shared) or passes (constant) per request; effic.: used share of the bytes "
        "moved; share: of\n  the bytes that all lines move through the same memory\n";
    if (!wasteful) return out + "\nEvery byte moved is used, and there are no bank conflicts.\n";
    const CallSite& site = prediction.sites.at(static_cast<std::size_t>(rows.front().site));
    return out + "\n> " + explain_waste(rows.front(), site, worst, prediction.architecture.rules) +
           "\n";
}

}  // namespace camber
