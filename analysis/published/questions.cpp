#include "analysis/published/questions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <regex>
#include <tuple>
#include <utility>

#include "analysis/profile/diagnosis.hpp"
#include "analysis/published/measured.hpp"

namespace camber::published {

std::string short_card_name(std::string_view gpu) {
    static const std::regex maker("^(NVIDIA )?(GeForce )?");
    static const std::regex memory("[- ]?[0-9]+ ?GB.*$");
    const std::string name = std::regex_replace(std::string(gpu), maker, "");
    return std::regex_replace(name, memory, "");
}

std::vector<Card> by_card(std::vector<results::Document> documents) {
    std::vector<Card> cards;  // by full names, until all GPUs have been seen
    std::vector<results::Document> anywhere;
    for (results::Document& document : documents) {
        const std::string gpu = document.gpu();
        if (gpu.empty()) {
            anywhere.push_back(std::move(document));
            continue;
        }
        auto card = std::ranges::find(cards, gpu, &Card::name);
        if (card == cards.end()) card = cards.insert(cards.end(), {gpu, {}});
        card->documents.push_back(std::move(document));
    }
    if (cards.empty() && !anywhere.empty()) cards.emplace_back();
    std::vector<std::string> names;
    for (const Card& card : cards) names.push_back(short_card_name(card.name));
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (std::ranges::count(names, names[i]) == 1) cards[i].name = names[i];
        cards[i].documents.insert(cards[i].documents.end(), anywhere.begin(), anywhere.end());
    }
    return cards;
}

namespace {

const results::CaseRecord* counted(const results::Document& document, const std::string& variant,
                                   const std::string& cell, const Size* size,
                                   const std::vector<std::string>& parameters) {
    for (const results::CaseRecord& record : document.cases)
        if (record.identity.variant == variant && record.identity.backend == Backend::cuda &&
            record.identity.is_usual() && record.status == results::Status::ok &&
            !record.counters.empty() && record.timed() && record.derived &&
            (cell.empty() || record.identity.cell == cell) &&
            (size == nullptr || record.identity.size == *size) &&
            has_parameters(record.identity, parameters))
            return &record;
    return nullptr;
}

// Uses the counters in the file of the times, else those on the largest board on which both
// variants were counted, then the most counters: on small boards launch overhead hides differences
// between kernels.
std::string reason_of(const Statement& stated, const std::string& cell, const Judged& measured,
                      const std::vector<results::Document>& documents, const std::string& origin) {
    const std::string& other = stated.than_cell.empty() ? cell : stated.than_cell;
    std::string found = "no counters";
    std::pair<std::int64_t, std::size_t> best;  // cells and number of counters
    for (const results::Document& document : documents) {
        if (document.run() == nullptr || !document.run()->gpu) continue;
        const bool of_times = origin.ends_with("(" + document.source + ")");
        const auto* const first =
            counted(document, stated.faster, cell, nullptr, stated.parameters);
        const auto* const second = first ? counted(document, stated.than, other,
                                                   &first->identity.size, stated.than_parameters)
                                         : nullptr;
        if (second == nullptr) continue;
        const std::pair rank{of_times ? std::numeric_limits<std::int64_t>::max()
                                      : std::int64_t{first->identity.size.cells()},
                             first->counters.size()};
        if (rank <= best) continue;
        best = rank;
        const auto of_first = profile::facts_of(*document.run(), *first);
        const auto of_second = profile::facts_of(*document.run(), *second);
        found = *measured.ratio < 1 ? profile::reason(of_first, of_second)
                                    : profile::reason(of_second, of_first);
        const Size& size = first->identity.size;
        if (!of_times && found != "no counters")
            found += fmt::format(" (counted on {}x{})", size.columns, size.rows);
    }
    return found;
}

void add_once(std::vector<MeasuredWork>& works, const MeasuredWork& work) {
    if (std::ranges::find(works, work.origin, &MeasuredWork::origin) == works.end())
        works.push_back(work);
}

void count(Tally& tally, Outcome outcome) {
    switch (outcome) {
        case Outcome::holds:
            ++tally.hold;
            break;
        case Outcome::reversed:
            ++tally.reversed;
            break;
        case Outcome::no_difference:
            ++tally.no_difference;
            break;
        case Outcome::undecided:
            ++tally.undecided;
            break;
        case Outcome::short_run:
        case Outcome::other_ground:
            ++tally.withheld;
            break;
    }
}

}  // namespace

std::vector<SourceQuestions> questions(std::span<const Table* const> tables,
                                       const std::vector<Card>& cards) {
    std::vector<SourceQuestions> all;
    for (const Table* table : tables) {
        if (table->conclusions.empty()) continue;
        auto source = std::ranges::find(all, table->source, &SourceQuestions::source);
        if (source == all.end()) {
            source = all.insert(all.end(), {table->source, {}, {}, {}});
            source->tallies.resize(cards.size());
        }
        const std::size_t first = source->questions.size();
        for (const Statement& stated : table->conclusions)
            source->questions.push_back({table->id, stated, {}, {}});
        std::vector<MeasuredWork> works;
        for (std::size_t i = 0; i < cards.size(); ++i) {
            MeasuredTable times(*table, cards[i].documents);
            std::vector<std::string> origins;
            const auto judged = conclusions(
                *table,
                [&](const Statement& stated) {
                    const auto pair = times.both(stated);
                    const bool has_both = pair.faster && pair.than;
                    origins.push_back(has_both ? pair.work.origin : "");
                    if (has_both) add_once(works, pair.work);
                    return std::pair(pair.faster, pair.than);
                },
                [&](const Statement& stated) { return times.basis(stated); });
            for (std::size_t k = 0; k < judged.size(); ++k) {
                const Statement& stated = judged[k].stated;
                const std::string& cell = stated.cell.empty() ? table->here.cell : stated.cell;
                Question& question = source->questions[first + k];
                question.printed = judged[k].printed;
                question.answers.push_back({judged[k].measured, origins[k],
                                            judged[k].measured.ratio
                                                ? reason_of(stated, cell, judged[k].measured,
                                                            cards[i].documents, origins[k])
                                                : ""});
                count(source->tallies[i], judged[k].measured.outcome);
            }
        }
        if (!works.empty()) source->works.emplace_back(table->id, work_rows(*table, works));
    }
    return all;
}

std::string ratio_text(const Judged& measured) {
    if (!measured.ratio) return "-";
    std::string text = fmt::format("{:.2f}x", *measured.ratio);
    if (measured.interval)
        text += fmt::format(" ({:.2f} to {:.2f})", measured.interval->low, measured.interval->high);
    return text;
}

std::string turn_over(const std::string& text, const std::vector<std::string>& cards,
                      const std::vector<Judged>& measured) {
    std::vector<std::string> outcomes;
    const Judged* first = nullptr;
    bool differ = false;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (!measured[i].ratio || measured[i].outcome == Outcome::short_run ||
            measured[i].outcome == Outcome::other_ground)
            continue;
        if (first == nullptr) first = &measured[i];
        differ = differ || measured[i].outcome != first->outcome;
        outcomes.push_back(fmt::format("{} on the {} ({:.2f}x)", name(measured[i].outcome),
                                       cards[i], *measured[i].ratio));
    }
    return differ ? fmt::format("{}: {}", text, fmt::join(outcomes, ", ")) : "";
}

namespace {

double ns_per_generation(const results::CaseRecord& record) {
    return record.samples->statistics.median / record.samples->generations_per_sample;
}

bool measured(const results::CaseRecord& record, std::string_view variant) {
    return record.identity.variant == variant && record.identity.backend == Backend::cuda &&
           record.identity.is_usual() && record.status == results::Status::ok;
}

int period_of(const results::Identity& identity) {
    const auto found = identity.workload_parameters.find("rebuild");
    return found == identity.workload_parameters.end() || found->second.size() != 1
               ? 0
               : static_cast<int>(found->second[0]);
}

std::string origin_of(const results::Document& document, const results::CaseRecord& record) {
    return fmt::format("{} particles ({})", record.identity.size.cells(),
                       std::filesystem::path(document.source).filename().string());
}

// Kernels that do not run in every iteration run once per list build.
std::optional<ListCost> cost_of(const results::CaseRecord& record) {
    ListCost cost;
    cost.period = period_of(record.identity);
    if (!record.kernel_times || cost.period < 2) return std::nullopt;
    const double iterations = record.kernel_times->generations;
    double lists = 0;
    for (const results::KernelTime& kernel : record.kernel_times->kernels)
        if (kernel.name == "neighbours") lists = static_cast<double>(kernel.statistics.n);
    if (lists == 0) return std::nullopt;
    for (const results::KernelTime& kernel : record.kernel_times->kernels) {
        const auto launches = static_cast<double>(kernel.statistics.n);
        if (kernel.name == "neighbours")
            cost.building += kernel.total_ns() / lists;
        else if (kernel.name == "forces")
            cost.forces += kernel.total_ns() / iterations;
        else if (launches < iterations)
            cost.sorting += kernel.total_ns() / lists;
        else
            cost.others += kernel.total_ns() / iterations;
    }
    return cost;
}

const results::CaseRecord* timed_run(const std::vector<results::Document>& documents,
                                     std::string_view variant, const results::CaseRecord* like) {
    const results::CaseRecord* found = nullptr;
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            if (measured(record, variant) && record.timed() && record.identity.from_start &&
                (like == nullptr ||
                 (record.identity.size == like->identity.size &&
                  record.identity.generations == like->identity.generations &&
                  record.identity.workload_parameters == like->identity.workload_parameters)) &&
                (found == nullptr || record.identity.size.cells() > found->identity.size.cells()))
                found = &record;
    return found;
}

std::optional<ForcesLoads> loads_of(const results::CaseRecord& record) {
    ForcesLoads loads;
    loads.variant = record.identity.variant;
    double requests = 0, sectors = 0, hits = 0;
    int launches = 0;
    for (const results::KernelCounters& kernel : record.kernel_counters) {
        if (kernel.name != "forces") continue;
        const auto value = [&](const char* metric) {
            const auto found = kernel.counters.find(metric);
            return found == kernel.counters.end() ? 0 : found->second;
        };
        requests += value("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
        sectors += value("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
        hits += value("l1tex__t_sector_hit_rate.pct");
        loads.l2_sectors += value("lts__t_sectors_op_read.sum");
        ++launches;
    }
    if (requests == 0) return std::nullopt;
    loads.sectors_per_request = sectors / requests;
    loads.l1_hit_percent = hits / launches;
    loads.l2_sectors /= launches * static_cast<double>(record.identity.size.cells());
    return loads;
}

}  // namespace

std::optional<ListCost> list_cost(const std::vector<results::Document>& documents,
                                  std::string_view variant) {
    std::optional<ListCost> found;
    std::int64_t most = 0;
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases) {
            if (!measured(record, variant) || record.identity.size.cells() <= most) continue;
            auto cost = cost_of(record);
            if (!cost) continue;
            most = record.identity.size.cells();
            cost->origin = origin_of(document, record);
            found = std::move(cost);
        }
    return found;
}

std::map<int, double> run_times_by_period(const std::vector<results::Document>& documents,
                                          std::string_view variant) {
    std::map<std::tuple<std::int64_t, std::int64_t>, std::map<int, double>> boards;
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            if (measured(record, variant) && record.timed() && record.identity.from_start &&
                period_of(record.identity) > 0)
                boards[{record.identity.size.cells(), record.identity.generations}].try_emplace(
                    period_of(record.identity), ns_per_generation(record));
    const auto best = std::ranges::max_element(
        boards, {}, [](const auto& board) { return std::pair(board.second.size(), board.first); });
    return best == boards.end() ? std::map<int, double>() : best->second;
}

std::vector<ForcesLoads> forces_loads(const std::vector<results::Document>& documents) {
    std::vector<ForcesLoads> all;
    const results::CaseRecord* const published = timed_run(documents, published_particles, nullptr);
    for (const char* variant :
         {published_particles, "sph/neighbour_list_morton/float4/plain/b128",
          "sph/neighbour_list_unsorted/float4/plain/b128",
          "sph/neighbour_list_shuffled/float4/plain/b128",
          "sph/neighbour_list_rows/float4/plain/b128", "sph/neighbour_list/scalars/plain/b128",
          "sph/neighbour_list_records/records/plain/b128",
          "sph/neighbour_list/float4/read_only/b128"}) {
        std::optional<ForcesLoads> loads;
        for (const results::Document& document : documents)
            for (const results::CaseRecord& record : document.cases)
                if (!loads && measured(record, variant) && (loads = loads_of(record)))
                    loads->origin = origin_of(document, record);
        if (!loads) continue;
        if (const results::CaseRecord* const own =
                published ? timed_run(documents, variant, published) : nullptr)
            loads->times_slower = ns_per_generation(*own) / ns_per_generation(*published);
        all.push_back(std::move(*loads));
    }
    return all;
}

}  // namespace camber::published
