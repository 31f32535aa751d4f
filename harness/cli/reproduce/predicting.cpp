#include "harness/cli/reproduce/predicting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "analysis/memory/bounds.hpp"
#include "analysis/published/entries.hpp"
#include "analysis/published/ratios.hpp"
#include "analysis/published/table.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/predict/launch_time.hpp"
#include "harness/record/code_inspection.hpp"
#include "harness/registry/kernels.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

ModelDevice source_card(const published::Table& table, const std::string& card) {
    const std::string file = card + ".json";
    for (const auto& [name, text] : published::embedded_cards())
        if (name == file)
            return device_of(results::parse_document(text, "results/published-cards/" + file));
    throw Error(ExitCode::usage,
                fmt::format("table {} names the card '{}', and results/published-cards has no such "
                            "file",
                            table.id, card));
}

const Variant* executable(const std::string& name, const std::string& cell) {
    const auto found = std::ranges::find_if(registry().variants(), [&](const Variant& variant) {
        return variant.info.name() == name && info(variant.info.cell).name == cell &&
               variant.factories.contains(Backend::simt);
    });
    return found == registry().variants().end() ? nullptr : &*found;
}

bool same_code(const std::vector<results::Kernel>& a, const std::vector<results::Kernel>& b) {
    return std::ranges::equal(a, b, {}, &results::Kernel::instructions,
                              &results::Kernel::instructions);
}

}  // namespace

SourceCardTimes::SourceCardTimes(const published::Table& table, const std::string& card,
                                 const std::string& size)
    : table_(table),
      workload_(*find_workload(table.here.workload)),
      device_(source_card(table, card)),
      architecture_(parse_architecture(device_.gpu.compute_capability)),
      size_(parse_size(size)) {
    for (const ElementType cell : workload_.facts().cell_types)
        if (info(cell).name == table.here.cell) load_kernels(workload_.name(), cell);
    auto machine = machine_of(device_.limits, architecture_);
    if (const auto* reason = std::get_if<std::string>(&machine))
        throw Error(ExitCode::usage,
                    fmt::format("no times are predicted on {}: {}", device_.gpu.name, *reason));
    machine_ = std::get<Machine>(std::move(machine));
    if (!machine_.early)
        throw Error(ExitCode::usage,
                    fmt::format("no times are predicted on {}: --predict is for cards of "
                                "compute capability 1.x and 2.x",
                                device_.gpu.name));
    assumptions_ = early_assumptions(*machine_.early);
    for (const auto& [file, text] : results::embedded_code_tables())
        codes_.push_back(results::parse_code_table(text, std::string(file)));
}

const SourceCardTimes::Supposed* SourceCardTimes::find(const std::string& variant) {
    const auto [found, added] = all_.try_emplace(variant);
    if (added) {
        auto made = suppose(variant);
        if (const auto* reason = std::get_if<std::string>(&made))
            remarks_.push_back(fmt::format("{} has no predicted time: {}", variant, *reason));
        else
            found->second = std::get<Supposed>(std::move(made));
    }
    return found->second ? &*found->second : nullptr;
}

const PredictedEntry* SourceCardTimes::entry(const std::string& variant) {
    const Supposed* supposed = find(variant);
    return supposed ? &supposed->entry : nullptr;
}

std::optional<published::PredictedRatio> SourceCardTimes::ratio(const std::string& faster,
                                                                const std::string& than) {
    const Supposed* a = find(faster);
    const Supposed* b = find(than);
    if (a == nullptr || b == nullptr) return std::nullopt;
    const bool same = same_code(a->code, b->code);
    published::PredictedRatio ratio;
    ratio.usual = b->seconds[0][0] / a->seconds[0][0];
    ratio.interval = {ratio.usual, ratio.usual};
    for (std::size_t k = 0; k < assumptions_.size(); ++k)
        for (std::size_t i = 0; i < own_texts.size(); ++i)
            for (std::size_t j = 0; j < own_texts.size(); ++j) {
                if (same && i != j) continue;
                const double one = b->seconds[k][j] / a->seconds[k][i];
                ratio.interval.low = std::min(ratio.interval.low, one);
                ratio.interval.high = std::max(ratio.interval.high, one);
            }
    return ratio;
}

std::vector<std::string> SourceCardTimes::notes() const {
    std::vector<std::string> notes;
    for (const Machine::Assumed& figure : machine_.assumed)
        notes.push_back(fmt::format("{}: {:.1f} {} ({})", figure.what, figure.cycles, figure.unit,
                                    figure.source));
    for (const results::CodeTable& code : codes_)
        notes.push_back(fmt::format("machine code for {} stands in for that for {}.{}", code.arch,
                                    architecture_.major, architecture_.minor));
    if (data_dependent_)
        notes.emplace_back(
            "the first generation from camber's generated start stands in for all of the "
            "source's");
    return notes;
}

const std::vector<results::Kernel>* SourceCardTimes::code_of(const std::string& variant) const {
    for (const results::CodeTable& code : codes_)
        if (const auto* kernels = code.find(variant, table_.here.cell, Boundary::dead))
            return kernels;
    return nullptr;
}

std::variant<SourceCardTimes::Supposed, std::string> SourceCardTimes::suppose(
    const std::string& name) {
    const Variant* variant = executable(name, table_.here.cell);
    if (variant == nullptr) return "it is no kernel for GPUs";
    const Problem problem{size_, Boundary::dead, variant->info.cell,
                          ParameterSet(workload_.facts().parameters)};
    if (auto reason = reason_not_to_model(*variant, problem)) return *reason;
    const InitialData initial{
        &workload_, {.size = problem.size, .cell = variant->info.cell}, nullptr};
    const Prediction prediction = predict(*variant, problem, initial, architecture_);
    data_dependent_ = data_dependent_ || prediction.data_dependent.value_or(true);
    const auto* code = code_of(name);
    const auto works = works_of(prediction, code);
    if (const auto* reason = std::get_if<std::string>(&works)) return *reason;
    return supposed(name, std::get<std::vector<KernelWork>>(works), *code,
                    variant->info.shape.generations);
}

SourceCardTimes::Supposed SourceCardTimes::supposed(const std::string& name,
                                                    const std::vector<KernelWork>& works,
                                                    const std::vector<results::Kernel>& code,
                                                    int generations) const {
    Supposed made;
    made.code = code;
    const double submitting = machine_.launch * static_cast<double>(works.size());
    for (EarlyAssumptions assumed : assumptions_) {
        auto& seconds = made.seconds.emplace_back();
        for (std::size_t i = 0; i < own_texts.size(); ++i) {
            assumed.own_text = own_texts[i];
            double sum = 0;
            for (const KernelWork& work : works)
                sum += early_seconds(work, *machine_.early, assumed);
            seconds[i] = std::max(sum, submitting) / generations;
        }
    }
    std::vector<PredictedTime> times;
    for (const KernelWork& work : works) times.push_back(kernel_time(work, machine_));
    const PredictedTime total = sum(times, machine_, static_cast<double>(times.size()));
    made.entry = {name, total.seconds / generations, total.low / generations,
                  total.high / generations, std::string(camber::name(total.binding().resource))};
    return made;
}

namespace {

using published::Table;

const published::ProcessSamples* none(const published::Asked&) {
    return nullptr;
}

// Converts "GTX 480" to "gtx-480".
std::string file_name(std::string name) {
    for (char& c : name)
        c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

// Adds rows with a baseline, and all pairs of entries of the series that was printed for the card.
void add_rows(std::vector<TablePair>& pairs, const Table& table, const std::string& card) {
    if (card == table.here.source_card)
        for (const published::Ratio& ratio : published::ratios(table, none)) {
            // False for ratios of single kernels.
            const bool of_all = table.row(ratio.row) != nullptr;
            if (!of_all || !ratio.published || ratio.variant.empty() || ratio.baseline.empty() ||
                ratio.variant == ratio.baseline)
                continue;
            pairs.push_back({true, ratio.row, ratio.variant, ratio.baseline, ratio.published,
                             std::nullopt, false});
        }
    for (const published::OrderedSeries& series : published::ordered_series(table, none)) {
        if (file_name(series.name) != card) continue;
        const auto& entries = series.entries;
        for (std::size_t i = 0; i < entries.size(); ++i)
            for (std::size_t j = i + 1; j < entries.size(); ++j)
                pairs.push_back({true, entries[i].name + ", against " + entries[j].name,
                                 entries[i].variant, entries[j].variant,
                                 entries[i].published_share / entries[j].published_share,
                                 std::nullopt, false});
    }
}

std::string card_of(const Table& table, const published::Statement& stated) {
    return stated.source_card.empty() ? table.here.source_card : stated.source_card;
}

void add_conclusions(std::vector<TablePair>& pairs, const Table& table,
                     const std::string& card) {
    const auto no_times = [](const published::Statement&) {
        return std::pair<const published::ProcessSamples*, const published::ProcessSamples*>();
    };
    for (const published::Conclusion& conclusion : published::conclusions(table, no_times)) {
        if (card_of(table, conclusion.stated) != card) continue;
        const auto& printed = conclusion.printed;
        pairs.push_back({false, conclusion.stated.text, conclusion.stated.faster,
                         conclusion.stated.than, printed ? printed->reading : std::nullopt,
                         std::nullopt, false});
    }
}

std::vector<TablePair> pairs_of(const Table& table, const std::string& card,
                                    SourceCardTimes& times) {
    std::vector<TablePair> pairs;
    add_rows(pairs, table, card);
    add_conclusions(pairs, table, card);
    std::set<std::pair<std::string, std::string>> met;
    for (TablePair& pair : pairs) {
        pair.predicted = times.ratio(pair.faster, pair.than);
        pair.repeats = !met.insert(std::minmax(pair.faster, pair.than)).second;
    }
    return pairs;
}

// Distinct cards of the table and of its statements.
std::vector<std::string> cards_of(const Table& table) {
    std::vector<std::string> cards;
    const auto add = [&](const std::string& card) {
        if (!card.empty() && std::ranges::find(cards, card) == cards.end()) cards.push_back(card);
    };
    add(table.here.source_card);
    for (const published::Statement& stated : table.conclusions) add(stated.source_card);
    return cards;
}

std::optional<double> tau_of(const std::vector<TablePair>& pairs) {
    std::vector<published::OrderedPair> ordered;
    for (const TablePair& pair : pairs)
        if (pair.predicted && !pair.repeats)
            ordered.push_back({pair.printed.value_or(2), pair.predicted->usual});
    return published::kendalls_tau(ordered);
}

}  // namespace

published::Explained TablePair::verdict() const {
    return published::explained(printed.value_or(2), predicted);
}

int PredictedTable::count(published::Explained verdict) const {
    return static_cast<int>(std::ranges::count_if(pairs, [&](const TablePair& pair) {
        return !pair.repeats && pair.verdict() == verdict;
    }));
}

PredictedTable::Held PredictedTable::held() const {
    Held held;
    for (const TablePair& pair : pairs) {
        if (pair.repeats || !pair.printed || !pair.predicted) continue;
        ++held.printed;
        const auto [low, high] = pair.predicted->interval;
        held.inside += *pair.printed >= low && *pair.printed <= high;
    }
    return held;
}

std::vector<PredictedTable> predict_on_source_cards(const Table& table, const std::string& size) {
    std::vector<PredictedTable> all;
    if (find_workload(table.here.workload) == nullptr) return all;
    for (const std::string& card : cards_of(table)) {
        PredictedTable& made = all.emplace_back();
        made.size = size.empty() ? table.here.source_size : size;
        made.file = fmt::format("results/published-cards/{}.json", card);
        SourceCardTimes times(table, card, made.size);
        made.card = times.card_name();
        made.pairs = pairs_of(table, card, times);
        std::vector<std::string> shown;
        for (const TablePair& pair : made.pairs)
            for (const std::string& variant : {pair.faster, pair.than}) {
                if (std::ranges::find(shown, variant) != shown.end()) continue;
                shown.push_back(variant);
                if (const PredictedEntry* entry = times.entry(variant))
                    made.times.push_back(*entry);
            }
        made.tau = tau_of(made.pairs);
        made.notes = times.notes();
        made.remarks = times.remarks();
    }
    return all;
}

}  // namespace camber
