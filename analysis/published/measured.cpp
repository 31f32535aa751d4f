#include "analysis/published/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "analysis/published/entries.hpp"
#include "analysis/published/ratios.hpp"

namespace camber::published {

namespace {

bool is_reference(const results::CaseRecord& record) {
    return record.identity.backend == Backend::cpu;
}

bool comparable(const results::CaseRecord& record) {
    return record.status == results::Status::ok && record.timed() && !record.identity.scaling &&
           (!record.identity.group || record.identity.group->kind == "gpus") &&
           (is_reference(record) || (record.identity.backend == Backend::cuda &&
                                     record.identity.conditions() == Conditions()));
}

// Variant name as in published tables.
std::string name_of(const results::CaseRecord& record) {
    const results::Identity& identity = record.identity;
    return on_gpus(identity.variant, identity.group ? identity.group->places : 1);
}

// Kernel times in percent of their sum, by kernel name; empty without device times.
std::map<std::string, double> shares_of(const results::CaseRecord& record) {
    std::map<std::string, double> shares;
    if (!record.kernel_times) return shares;
    double total = 0;
    for (const results::KernelTime& kernel : record.kernel_times->kernels) {
        shares[kernel.name] += kernel.total_ns();
        total += kernel.total_ns();
    }
    for (auto& [kernel, share] : shares) share *= 100 / total;
    return shares;
}

// Seconds of the record's whole program, from the start; absent if the time outside the generations
// is unavailable.
std::optional<double> program_seconds(const results::CaseRecord& record) {
    if (!record.program) return std::nullopt;
    return record.program->seconds() + 1e-9 * typical_time(samples_of(record)) *
                                           static_cast<double>(record.identity.generations);
}

void enter(MeasuredTimes& times, const results::CaseRecord& record,
           const results::Document& document) {
    const std::string variant = name_of(record);
    if (!is_reference(record))
        times.work.steps = std::max(times.work.steps, work_of(document, record).steps);
    else if (times.reference_cpu.empty() && document.run() && document.run()->cpu)
        times.reference_cpu = fmt::format(
            "{}, {} cores ({})", document.run()->cpu->model.value_or("an unnamed processor"),
            document.run()->cpu->logical_cpus.value_or(0), document.source);
    times.samples_ns.try_emplace(variant, samples_of(record));
    times.shares.try_emplace(variant, shares_of(record));
    if (const auto seconds = program_seconds(record))
        times.program_seconds.try_emplace(variant, *seconds);
}

std::string text(const Size& size) {
    return fmt::format("{}x{}", size.columns, size.rows);
}

bool usual_boundary(const results::Identity& identity) {
    return identity.boundary.value_or(Boundary::dead) == Boundary::dead;
}

// Generations must agree for runs from the start: their time per generation depends on the length.
bool same_problem(const results::Identity& a, const results::Identity& b) {
    return a.size == b.size && a.cell == b.cell && a.rule == b.rule &&
           usual_boundary(a) == usual_boundary(b) && a.from_start == b.from_start &&
           a.begin == b.begin &&
           (!a.from_start ||
            (a.generations == b.generations && a.workload_parameters == b.workload_parameters));
}

// Returns true if two problems differ only in the cell types and parameters that a statement names.
bool differ_as_stated(const results::Identity& a, const results::Identity& b,
                      const Statement& stated) {
    const auto others = [&](const results::Identity& identity) {
        auto parameters = identity.workload_parameters;
        for (const auto* named : {&stated.parameters, &stated.than_parameters})
            for (const std::string& parameter : *named)
                parameters.erase(parameter.substr(0, parameter.find('=')));
        return parameters;
    };
    return a.size == b.size && a.rule == b.rule && usual_boundary(a) == usual_boundary(b) &&
           a.from_start == b.from_start && a.added_density == b.added_density &&
           (!a.from_start || a.generations == b.generations) && others(a) == others(b);
}

// Conditions that a case must meet.
struct Wanted {
    const std::vector<std::string>& variants;
    const std::string& cell;
    const std::string& size;
    const std::vector<std::string>& parameters;

    bool has(const results::CaseRecord& record) const {
        const results::Identity& identity = record.identity;
        return comparable(record) && (cell.empty() || identity.cell == cell) &&
               (size.empty() || text(identity.size) == size) &&
               has_parameters(identity, parameters) &&
               std::ranges::find(variants, name_of(record)) != variants.end();
    }
};

// Times of one problem in a document.
struct Board {
    const results::Identity* problem = nullptr;
    MeasuredTimes times;

    // Tables that compare a GPU with a CPU need both times.
    bool has_reference() const {
        return std::ranges::any_of(times.samples_ns, [](const auto& of_variant) {
            return of_variant.first.find("/reference/") != std::string::npos;
        });
    }
    // Number of variants with kernel times, which tables of shares need.
    std::ptrdiff_t with_shares() const {
        return std::ranges::count_if(
            times.shares, [](const auto& of_variant) { return !of_variant.second.empty(); });
    }
    auto rank(const Table& table) const {
        const std::ptrdiff_t shares = table.kind == Kind::shares ? with_shares() : 0;
        return std::tuple(shares > 0, has_reference(), basis_of(table, &times.work) == Basis::same,
                          shares, times.samples_ns.size(),
                          text(problem->size) == table.here.size, usual_boundary(*problem),
                          problem->size.cells());
    }
};

// `on_cpu`: selects the plain CPU references; no document contains them together with GPU times.
std::vector<Board> boards_of(const results::Document& document, const Wanted& wanted, bool on_cpu) {
    std::vector<Board> boards;
    for (const results::CaseRecord& record : document.cases) {
        const results::Identity& identity = record.identity;
        if (is_reference(record) != on_cpu || !wanted.has(record)) continue;
        auto board = std::ranges::find_if(
            boards, [&](const Board& known) { return same_problem(*known.problem, identity); });
        if (board == boards.end()) {
            board = boards.insert(boards.end(), {&identity, {}});
            board->times.work = work_of(document, record);
        }
        enter(board->times, record, document);
    }
    return boards;
}

// Adds kernel shares for runs from the start, which have no kernel times on a GPU: they come from
// launch-by-launch runs of the same board.
void add_shares(Board& board, const std::vector<results::Document>& documents) {
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases) {
            const results::Identity& identity = record.identity;
            const auto known = board.times.shares.find(name_of(record));
            if (known != board.times.shares.end() && known->second.empty() && comparable(record) &&
                identity.size == board.problem->size && identity.cell == board.problem->cell &&
                identity.rule == board.problem->rule && !identity.from_start)
                known->second = shares_of(record);
        }
}

void add_references(Board& board, const std::vector<results::Document>& documents,
                    const Wanted& wanted) {
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            if (is_reference(record) && wanted.has(record) &&
                same_problem(record.identity, *board.problem))
                enter(board.times, record, document);
}

// Adds the times of variants of another workload on the same problem, which another run measured:
// some tables compare two forms of a model.
void add_other_workloads(Board& board, const std::vector<results::Document>& documents,
                         const Wanted& wanted) {
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            if (!is_reference(record) && record.identity.workload != board.problem->workload &&
                wanted.has(record) && same_problem(record.identity, *board.problem))
                enter(board.times, record, document);
}

}  // namespace

ProcessSamples samples_of(const results::CaseRecord& record) {
    ProcessSamples processes;
    for (results::ProcessTimes& times : times_by_process(record))
        processes.push_back(std::move(times.samples_ns));
    return processes;
}

bool has_parameters(const results::Identity& identity, const std::vector<std::string>& parameters) {
    return std::ranges::all_of(parameters, [&](const std::string& parameter) {
        const std::size_t equals = parameter.find('=');
        const auto found = identity.workload_parameters.find(parameter.substr(0, equals));
        return found != identity.workload_parameters.end() &&
               found->second == std::vector{std::stod(parameter.substr(equals + 1))};
    });
}

const ProcessSamples* MeasuredTimes::find(const std::string& variant) const {
    const auto found = samples_ns.find(variant);
    return found == samples_ns.end() ? nullptr : &found->second;
}

MeasuredTable::MeasuredTable(const Table& table, const std::vector<results::Document>& documents)
    : table_(table), documents_(documents), variants_(variants_of(table)) {}

const MeasuredTimes& MeasuredTable::best(const std::vector<std::string>& variants,
                                         const std::string& cell, const std::string& size,
                                         const std::vector<std::string>& needed) {
    const auto known = found_.find({variants, needed, cell, size});
    if (known != found_.end()) return known->second;
    const std::vector<std::string> any;
    const Wanted wanted{variants, cell, size, any};
    std::optional<Board> best;
    const auto rank = [&](const Board& board) {
        const bool has_needed = std::ranges::all_of(
            needed, [&](const std::string& variant) { return board.times.find(variant); });
        return std::tuple_cat(std::tuple(has_needed), board.rank(table_));
    };
    const auto look = [&](bool on_cpu) {
        for (const results::Document& document : documents_)
            for (Board& board : boards_of(document, wanted, on_cpu)) {
                add_other_workloads(board, documents_, wanted);
                add_references(board, documents_, wanted);
                if (board.problem->from_start) add_shares(board, documents_);
                if (!best || rank(board) > rank(*best)) best = std::move(board);
            }
    };
    look(false);
    if (!best) look(true);
    return found_
        .emplace(std::tuple(variants, needed, cell, size),
                 best ? std::move(best->times) : MeasuredTimes())
        .first->second;
}

const MeasuredTimes& MeasuredTable::times(const std::string& cell, const std::string& size) {
    return best(variants_, cell, size);
}

const ProcessSamples* MeasuredTable::operator()(const Asked& asked) {
    const MeasuredTimes& from = times(asked.cell, asked.size);
    const ProcessSamples* const whole = from.find(asked.variant);
    if (whole == nullptr || asked.kernels.empty()) return whole;
    double share = 0;
    for (const auto& [kernel, percent] : from.shares.at(asked.variant))
        if (std::ranges::find(asked.kernels, kernel) != asked.kernels.end()) share += percent / 100;
    if (share == 0) return nullptr;
    std::vector<std::string> key{asked.variant, asked.cell, asked.size};
    key.insert(key.end(), asked.kernels.begin(), asked.kernels.end());
    const auto [part, added] = parts_.try_emplace(std::move(key), *whole);
    if (added)
        for (auto& process : part->second)
            for (double& sample : process) sample *= share;
    return &part->second;
}

std::optional<double> MeasuredTable::program(const Asked& asked) {
    const auto& seconds = times(asked.cell, asked.size).program_seconds;
    const auto found = seconds.find(asked.variant);
    return found == seconds.end() ? std::nullopt : std::optional(found->second);
}

const results::CaseRecord* MeasuredTable::known(const std::string& variant) const {
    const results::CaseRecord* found = nullptr;
    for (const results::Document& document : documents_)
        for (const results::CaseRecord& record : document.cases) {
            if (record.identity.variant != variant || record.identity.backend != Backend::cuda ||
                record.kernels.empty() || record.status != results::Status::ok)
                continue;
            if (!found || found->counters.size() < record.counters.size()) found = &record;
        }
    return found;
}

const std::pair<MeasuredTimes, MeasuredTimes>& MeasuredTable::two_problems(
    const Statement& stated, const std::string& cell, const std::string& than_cell) {
    const auto boards = [&](const std::string& variant, const std::string& of_cell,
                            const std::vector<std::string>& parameters) {
        const std::vector variants{variant};
        const Wanted wanted{variants, of_cell, stated.size, parameters};
        std::vector<Board> all;
        for (const results::Document& document : documents_)
            for (Board& board : boards_of(document, wanted, false)) all.push_back(std::move(board));
        return all;
    };
    std::pair<Board, Board> found{};
    std::vector<Board> of_than = boards(stated.than, than_cell, stated.than_parameters);
    for (Board& faster : boards(stated.faster, cell, stated.parameters))
        for (Board& than : of_than)
            if (differ_as_stated(*faster.problem, *than.problem, stated) &&
                (!found.first.problem || faster.rank(table_) > found.first.rank(table_)))
                found = {faster, than};
    return problem_pairs_.emplace_back(std::move(found.first.times), std::move(found.second.times));
}

MeasuredTable::Pair MeasuredTable::both(const Statement& stated) {
    const std::string& cell = stated.cell.empty() ? table_.here.cell : stated.cell;
    if (!stated.than_cell.empty() || !stated.parameters.empty() ||
        !stated.than_parameters.empty()) {
        const std::string& than_cell = stated.than_cell.empty() ? cell : stated.than_cell;
        const auto& [faster, than] = two_problems(stated, cell, than_cell);
        // One short run is enough to withhold the verdict.
        const bool other = basis_of(table_, &faster.work) == Basis::same && than.find(stated.than) &&
                           basis_of(table_, &than.work) != Basis::same;
        return {faster.find(stated.faster), than.find(stated.than),
                other ? than.work : faster.work};
    }
    const std::string& program = table_.here.cpu_program;
    const auto from = [&](const MeasuredTimes& times) {
        const bool over_program = !program.empty() && stated.than == table_.here.cpu &&
                                  times.find(program) != nullptr;
        return Pair{times.find(stated.faster), times.find(over_program ? program : stated.than),
                    times.work};
    };
    const auto is_same = [&](const Pair& pair) {
        return basis_of(table_, &pair.work) == Basis::same;
    };
    const Pair usual = from(times(cell, stated.size));
    const bool has_both = usual.faster && usual.than;
    if (has_both && is_same(usual)) return usual;
    const std::vector<std::string> sides{stated.faster, stated.than};
    std::vector<std::string> wanted = sides;
    if (!program.empty() && stated.than == table_.here.cpu) wanted.push_back(program);
    const Pair other = from(best(wanted, cell, stated.size, sides));
    return has_both && !(other.faster && other.than && is_same(other)) ? usual : other;
}

Basis MeasuredTable::basis(const Asked& asked) {
    const MeasuredTimes& from = times(asked.cell, asked.size);
    return from.work.origin.empty() ? Basis::same : basis_of(table_, &from.work);
}

Basis MeasuredTable::basis(const Statement& stated) {
    const Pair pair = both(stated);
    return pair.work.origin.empty() ? Basis::same : basis_of(table_, &pair.work);
}

std::optional<double> MeasuredTable::share(const std::string& variant, const std::string& kernel) {
    const auto& shares = times(table_.here.cell).shares;
    const auto found = shares.find(variant);
    if (found == shares.end() || !found->second.contains(kernel)) return std::nullopt;
    return found->second.at(kernel);
}

std::vector<MeasuredWork> MeasuredTable::works() const {
    std::vector<MeasuredWork> all;
    const auto add = [&](const MeasuredTimes& times) {
        if (!times.work.origin.empty() &&
            std::ranges::find(all, times.work.origin, &MeasuredWork::origin) == all.end())
            all.push_back(times.work);
    };
    for (const auto& [key, times] : found_) add(times);
    for (const auto& [faster, than] : problem_pairs_) {
        add(faster);
        add(than);
    }
    return all;
}

std::vector<std::string> MeasuredTable::reference_cpus() const {
    std::vector<std::string> all;
    for (const auto& [key, times] : found_)
        if (!times.reference_cpu.empty() && std::ranges::find(all, times.reference_cpu) == all.end())
            all.push_back(times.reference_cpu);
    return all;
}

}  // namespace camber::published
