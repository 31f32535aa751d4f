#include "analysis/published/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "analysis/published/ratios.hpp"

namespace camber::published {

namespace {

bool is_reference(const results::CaseRecord& record) {
    return record.identity.backend == Backend::cpu;
}

bool comparable(const results::CaseRecord& record) {
    return record.status == results::Status::ok && record.timed() && !record.identity.scaling &&
           (is_reference(record) || (record.identity.backend == Backend::cuda &&
                                     record.identity.conditions() == Conditions()));
}

ProcessSamples samples_of(const results::CaseRecord& record) {
    ProcessSamples processes;
    for (results::ProcessTimes& times : times_by_process(record))
        processes.push_back(std::move(times.samples_ns));
    return processes;
}

// By name of the kernel; empty where the device's clock was not read.
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

// One size, type of cells and boundary of a document.
struct Board {
    Size size;
    std::string cell;
    bool usual_boundary = true;
    MeasuredTimes times;
};

std::string text(const Size& size) {
    return fmt::format("{}x{}", size.columns, size.rows);
}

std::vector<Board> boards_of(const results::Document& document, const std::string& cell,
                             const std::vector<std::string>& variants) {
    const std::string machine = document.gpu().empty() ? "an unnamed machine" : document.gpu();
    std::vector<Board> boards;
    for (const results::CaseRecord& record : document.cases) {
        const results::Identity& identity = record.identity;
        if (!comparable(record) || is_reference(record) ||
            (!cell.empty() && identity.cell != cell) ||
            std::ranges::find(variants, identity.variant) == variants.end())
            continue;
        const bool usual = identity.boundary.value_or(Boundary::dead) == Boundary::dead;
        auto board = std::ranges::find_if(boards, [&](const Board& known) {
            return known.size == identity.size && known.cell == identity.cell &&
                   known.usual_boundary == usual;
        });
        if (board == boards.end()) {
            board = boards.insert(boards.end(), {identity.size, identity.cell, usual, {}});
            board->times.origin =
                fmt::format("{}, {} ({})", machine, text(identity.size), document.source);
        }
        board->times.samples_ns.try_emplace(identity.variant, samples_of(record));
        board->times.shares.try_emplace(identity.variant, shares_of(record));
    }
    return boards;
}

void add_references(Board& board, const std::vector<results::Document>& documents) {
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            if (is_reference(record) && comparable(record) && record.identity.size == board.size &&
                record.identity.cell == board.cell)
                board.times.samples_ns.try_emplace(record.identity.variant, samples_of(record));
}

// Of the references alone, where no variant was measured on a GPU.
std::optional<Board> board_of_references(const std::vector<results::Document>& documents,
                                         const std::vector<std::string>& variants,
                                         const std::string& cell) {
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            if (is_reference(record) && comparable(record) &&
                (cell.empty() || record.identity.cell == cell) &&
                std::ranges::find(variants, record.identity.variant) != variants.end()) {
                Board board{record.identity.size, record.identity.cell, true, {}};
                board.times.origin =
                    fmt::format("the CPU, {} ({})", text(board.size), document.source);
                return board;
            }
    return std::nullopt;
}

}  // namespace

const ProcessSamples* MeasuredTimes::find(const std::string& variant) const {
    const auto found = samples_ns.find(variant);
    return found == samples_ns.end() ? nullptr : &found->second;
}

MeasuredTable::MeasuredTable(const Table& table, const std::vector<results::Document>& documents)
    : table_(table), documents_(documents), variants_(variants_of(table)) {}

const MeasuredTimes& MeasuredTable::best(const std::vector<std::string>& variants,
                                         const std::string& cell) {
    const auto known = found_.find({variants, cell});
    if (known != found_.end()) return known->second;
    std::optional<Board> best;
    std::tuple<std::size_t, bool, bool, std::int64_t> rank;
    for (const results::Document& document : documents_)
        for (Board& board : boards_of(document, cell, variants)) {
            const std::tuple of{board.times.samples_ns.size(), text(board.size) == table_.here.size,
                                board.usual_boundary, board.size.cells()};
            if (best && of <= rank) continue;
            rank = of;
            best = std::move(board);
        }
    if (!best) best = board_of_references(documents_, variants, cell);
    if (best) add_references(*best, documents_);
    return found_
        .emplace(std::pair(variants, cell), best ? std::move(best->times) : MeasuredTimes())
        .first->second;
}

const MeasuredTimes& MeasuredTable::times(const std::string& cell) {
    return best(variants_, cell);
}

const ProcessSamples* MeasuredTable::operator()(const std::string& variant,
                                                const std::string& cell) {
    return variant.empty() ? nullptr : times(cell).find(variant);
}

MeasuredTable::Pair MeasuredTable::both(const Statement& stated) {
    const std::string& cell = stated.cell.empty() ? table_.here.cell : stated.cell;
    if (!stated.than_cell.empty()) {
        const MeasuredTimes& faster = best({stated.faster}, cell);
        return {faster.find(stated.faster), best({stated.than}, stated.than_cell).find(stated.than),
                faster.origin};
    }
    const auto from = [&](const MeasuredTimes& times) {
        return Pair{times.find(stated.faster), times.find(stated.than), times.origin};
    };
    const Pair usual = from(times(cell));
    return usual.faster && usual.than ? usual : from(best({stated.faster, stated.than}, cell));
}

std::optional<double> MeasuredTable::share(const std::string& variant, const std::string& kernel) {
    const auto& shares = times(table_.here.cell).shares;
    const auto found = shares.find(variant);
    if (found == shares.end() || !found->second.contains(kernel)) return std::nullopt;
    return found->second.at(kernel);
}

std::vector<std::string> MeasuredTable::origins() const {
    std::vector<std::string> all;
    for (const auto& [key, times] : found_)
        if (!times.origin.empty() && std::ranges::find(all, times.origin) == all.end())
            all.push_back(times.origin);
    return all;
}

}  // namespace camber::published
