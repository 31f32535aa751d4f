#include "harness/cli/reproduce/reproduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/memory/architecture.hpp"
#include "analysis/published/measured.hpp"
#include "analysis/published/questions.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/registry/kernels.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

using published::Kind;
using published::Table;

const Variant& variant_named(const std::string& name) {
    // The sources' counts refer to cells of 4 bytes.
    const Workload* const workload = find_workload(name.substr(0, name.find('/')));
    for (const ElementType cell : workload->facts().cell_types)
        if (info(cell).size == 4) load_kernels(workload->name(), cell);
    const auto found = std::ranges::find_if(registry().variants(), [&](const Variant& variant) {
        return variant.info.name() == name && info(variant.info.cell).size == 4 &&
               variant.factories.contains(Backend::simt);
    });
    if (found == registry().variants().end())
        throw Error(ExitCode::unavailable,
                    fmt::format("variant '{}' of a published table is not in this build", name));
    return *found;
}

AccessCounts predicted_counts(const published::RowHere& here, const std::string& architecture) {
    const Variant& variant = variant_named(here.variant);
    const Workload& workload = *find_workload(variant.info.workload);
    const Problem problem{parse_size(here.size), Boundary::dead, variant.info.cell,
                          ParameterSet(workload.facts().parameters)};
    const InitialData initial{
        &workload, {.size = problem.size, .cell = variant.info.cell}, nullptr};
    const Prediction prediction =
        predict(variant, problem, initial, parse_architecture(architecture));
    if (!here.kernel) return prediction.counts();
    return prediction.kernels.at(*here.kernel).model.counts;
}

std::vector<CountPair> counts_of(const Table& table) {
    std::vector<CountPair> pairs;
    for (const published::Row& row : table.rows) {
        if (!row.here) continue;
        const AccessCounts counts = predicted_counts(*row.here, table.here.arch);
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const published::Column& column = table.columns[i];
            if (column.count.empty() || !row.values[i]) continue;
            pairs.push_back({row.name, column.name, row.here->variant, *row.values[i],
                             published::count_named(counts, column.count) * row.here->repeats /
                                 row.here->divide_by});
        }
    }
    return pairs;
}

// Variants of the table that were measured without giving a time, with the reasons.
std::vector<std::string> failures(const Table& table, const std::vector<results::Document>& from) {
    const auto variants = published::variants_of(table);
    std::vector<std::string> sentences;
    for (const results::Document& document : from)
        for (const results::CaseRecord& record : document.cases)
            if (record.status != results::Status::ok &&
                std::ranges::find(variants, record.identity.variant) != variants.end())
                sentences.push_back(
                    fmt::format("{} {}: {} ({})", record.identity.variant,
                                record.status == results::Status::failed ? "failed" : "was skipped",
                                record.reason, document.source));
    return sentences;
}

bool workload_missing(const Table& table) {
    const std::string& workload = table.here.workload;
    return !workload.empty() && find_workload(workload) == nullptr;
}

std::string no_workload(const Table& table) {
    return fmt::format("no workload {} in this build", table.here.workload);
}

OnCard on_card(const Table& table, const published::Card& card) {
    OnCard made;
    made.card = card.name;
    published::MeasuredTable times(table, card.documents);
    const published::Measured measured = std::ref(times);
    const auto basis = [&](const auto& of) { return times.basis(of); };
    made.ratios = published::ratios(table, measured, basis);
    made.orders = published::ordered_series(table, measured, basis);
    made.machines = published::machine_entries(
        table, measured, [&](const published::Asked& asked) { return times.program(asked); },
        basis);
    made.figures =
        published::figures(table, [&](const std::string& variant) { return times.known(variant); });
    made.shares =
        published::shares(table, [&](const std::string& variant, const std::string& kernel) {
            return times.share(variant, kernel);
        });
    made.conclusions = published::conclusions(
        table,
        [&](const published::Statement& stated) {
            const auto pair = times.both(stated);
            return std::pair(pair.faster, pair.than);
        },
        basis);
    made.series = published::measured_series(table, card.documents);
    made.one_gpu = published::one_gpu(table, card.documents);
    made.works = times.works();
    for (const published::MeasuredWork& work : made.works) made.measured_on.push_back(work.origin);
    made.reference_cpus = times.reference_cpus();
    const auto add = [&](const published::MeasuredWork& work) {
        if (!work.origin.empty() &&
            std::ranges::find(made.works, work.origin, &published::MeasuredWork::origin) ==
                made.works.end())
            made.works.push_back(work);
    };
    for (const published::OneGpu& place : made.one_gpu) add(place.work);
    for (const published::MeasuredSeries& series : made.series) add(series.work);
    return made;
}

// Rows and conclusions whose outcome differs between cards, which all have the same list of both.
std::vector<std::string> turned_over(const std::vector<OnCard>& cards) {
    std::vector<std::string> names;
    for (const OnCard& on : cards) names.push_back(on.card);
    std::vector<std::string> sentences;
    const auto add = [&](const std::string& text, auto of, std::size_t i) {
        std::vector<published::Judged> measured;
        for (const OnCard& on : cards) measured.push_back((on.*of)[i].measured);
        if (std::string sentence = published::turn_over(text, names, measured); !sentence.empty())
            sentences.push_back(std::move(sentence));
    };
    const OnCard& first = cards.front();
    for (std::size_t i = 0; i < first.conclusions.size(); ++i)
        add(first.conclusions[i].stated.text, &OnCard::conclusions, i);
    for (std::size_t i = 0; i < first.ratios.size(); ++i)
        add("row \"" + first.ratios[i].row + '"', &OnCard::ratios, i);
    return sentences;
}

}  // namespace

namespace {

// Number of numeric entries that have a variant in camber.
std::string entries_here(const Table& table) {
    int entries = 0;
    int here = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        for (std::size_t j = 0; j < table.columns.size(); ++j) {
            const auto& entry = table.rows[i].values[j];
            if (!entry || !entry->reading) continue;
            ++entries;
            here += !published::variant_of_entry(table, i, j).empty();
        }
    return fmt::format("{} of {} entries, measured on a GPU{}", here, entries,
                       table.here.cpu.empty() ? "" : " and on the CPU");
}

}  // namespace

bool wants_times(const Table& table) {
    const Kind kind = table.kind;
    return (kind == Kind::times || kind == Kind::saved || kind == Kind::speedups ||
            kind == Kind::order || kind == Kind::shares || kind == Kind::machines) &&
           !workload_missing(table) && !published::variants_of(table).empty();
}

bool wants_series(const Table& table) {
    return table.kind == Kind::scaling && !workload_missing(table) && !table.here.variants.empty();
}

bool wants_one_gpu(const Table& table) {
    return table.kind == Kind::scaling && !workload_missing(table) && !table.here.one_gpu.empty();
}

std::string what_is_here(const Table& table) {
    const auto rows = std::ranges::count_if(
        table.rows, [](const published::Row& row) { return row.here.has_value(); });
    switch (table.kind) {
        case Kind::times:
        case Kind::saved:
        case Kind::speedups:
            return workload_missing(table)
                       ? no_workload(table)
                       : fmt::format("{} of {} rows, measured on a GPU", rows, table.rows.size());
        case Kind::counts:
        case Kind::figures: {
            const auto counts = std::ranges::count_if(
                table.columns,
                [](const published::Column& column) { return !column.count.empty(); });
            const auto figures = std::ranges::count_if(
                table.columns,
                [](const published::Column& column) { return !column.figure.empty(); });
            std::vector<std::string> parts;
            if (counts > 0)
                parts.push_back(fmt::format("{} counts, predicted without a GPU", rows * counts));
            if (figures > 0)
                parts.push_back(fmt::format("{} figures beside today's", rows * figures));
            return fmt::format("{}", fmt::join(parts, "; "));
        }
        case Kind::order:
        case Kind::machines:
            return workload_missing(table) ? no_workload(table) : entries_here(table);
        case Kind::shares:
            return workload_missing(table) ? no_workload(table)
                                           : "shares of kernels, measured on a GPU";
        case Kind::scaling:
            return workload_missing(table) ? "recomputed; " + no_workload(table)
                   : wants_series(table)   ? wants_one_gpu(table)
                                                 ? "recomputed, and measured on one GPU and several"
                                                 : "recomputed, and measured on several GPUs"
                   : wants_one_gpu(table)  ? "recomputed, and measured on one GPU"
                                           : "recomputed";
        case Kind::absent:
            if (workload_missing(table)) return no_workload(table);
            break;
        case Kind::printed:
            break;
    }
    return "as printed: " +
           (table.here.nothing.empty() ? "no variant stands for its rows" : table.here.nothing);
}

Reproduction reproduce(const Table& table, const std::vector<published::Card>& cards) {
    Reproduction made;
    made.table = &table;
    if (workload_missing(table)) made.remarks.push_back(no_workload(table));
    if (table.kind == Kind::counts) made.counts = counts_of(table);
    for (const published::Card& card : cards) {
        made.cards.push_back(on_card(table, card));
        if (wants_times(table) && made.cards.back().measured_on.empty())
            made.remarks.push_back(fmt::format(
                "none of the results{} has a time of these variants on a GPU (backend cuda, "
                "launches one by one, caches not emptied)",
                cards.size() == 1 ? "" : " of the " + card.name));
        if (wants_series(table) && made.cards.back().series.empty())
            made.remarks.push_back(fmt::format(
                "none of the results{} has a series of {} over several GPUs: camber scale --over "
                "gpus measures one",
                cards.size() == 1 ? "" : " of the " + card.name,
                fmt::join(table.here.variants, " or ")));
        if (wants_one_gpu(table) && made.cards.back().one_gpu.empty())
            made.remarks.push_back(fmt::format(
                "none of the results{} has times of {} particles with {} on one GPU",
                cards.size() == 1 ? "" : " of the " + card.name,
                parse_size(table.here.size).cells(), fmt::join(table.here.parameters, ", ")));
        for (std::string& sentence : failures(table, card.documents))
            made.remarks.push_back(std::move(sentence));
    }
    if (cards.empty()) made.cards.push_back(on_card(table, {}));
    std::vector<published::MeasuredWork> works;
    for (const OnCard& on : made.cards)
        works.insert(works.end(), on.works.begin(), on.works.end());
    made.works = published::work_rows(table, works);
    made.turned_over = turned_over(made.cards);
    made.series = published::scaling_series(table);
    made.inconsistencies = published::inconsistencies(table, published::tables());
    return made;
}

Reproduction reproduce(const Table& table, std::vector<results::Document> from) {
    return reproduce(table, published::by_card(std::move(from)));
}

}  // namespace camber
