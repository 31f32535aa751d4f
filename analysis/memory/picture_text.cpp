#include <algorithm>
#include <bit>

#include "analysis/memory/access_remedy.hpp"
#include "analysis/memory/picture.hpp"
#include "analysis/memory/picture_parts.hpp"

namespace camber {
namespace {

using namespace picture;

constexpr int sector_width = 19;  // 100 columns: a label, four sectors, five bars
constexpr int lanes_width = sector_width - 3 - 2;

std::string pad_left(std::string text, int width) {
    return text.insert(0, std::max(0, width - static_cast<int>(text.size())), ' ');
}

std::string pad_right(std::string text, int width) {
    text.append(std::max(0, width - static_cast<int>(text.size())), ' ');
    return text;
}

std::string heading(const WarpRequest& request, RuleSet rules, const std::string& title) {
    return (title.empty() ? "" : title + "\n") + describe(request) + "; rules of " +
           to_string(rules) + "\n";
}

std::string remedy_line(const WarpRequest& request, RuleSet rules, std::int64_t row_bytes) {
    const std::string remedy = describe_remedy(request, rules, row_bytes);
    return remedy.empty() ? "" : "remedy: " + remedy + "\n";
}

std::string sector_text(const SectorView& sector) {
    std::string text;
    if (sector.bytes != 0) {
        text = pad_left(std::to_string(std::popcount(sector.bytes)), 2) +
               (sector.extra ? "B!" : "B ") + lane_list(sector.lanes, lanes_width);
    } else if (sector.moves > 0) {
        text = "-- unused";
    }
    return " " + pad_right(text, sector_width - 1);
}

// "0:128 64:64 ...", relative to `base`, cut after as many as fit into one line.
std::string transaction_list(const std::vector<Transaction>& list, std::int64_t base) {
    std::string text = "transactions (offset:size):";
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string next =
            " " + std::to_string(list[i].base - base) + ":" + std::to_string(list[i].size);
        if (text.size() + next.size() > 88) {
            return text + " +" + std::to_string(list.size() - i) + " more\n";
        }
        text += next;
    }
    return text + "\n";
}

std::string global_text(const WarpRequest& request, RuleSet rules, const std::string& title,
                        std::int64_t row_bytes) {
    const GlobalView view = view_global(request, rules);
    std::string text = heading(request, rules, title);
    if (view.lines.empty()) return text + "no lane is active: no transaction\n";
    const std::int64_t base = view.lines.begin()->first * line_bytes;
    text += "base address " + std::to_string(base) + "; " + totals_of_transactions(view.counts) +
            "\n" + view.totals_of_bytes() + "\n" + transaction_list(view.transactions, base) +
            remedy_line(request, rules, row_bytes);

    constexpr int label_width = 14;
    text += "\n" + pad_right("line at", label_width);
    for (int s = 0; s < sectors_per_line; ++s) {
        text += "| " + pad_right("+" + std::to_string(s * sector_bytes) + ": used, lanes",
                                 sector_width - 1);
    }
    text += "|\n";
    for (const auto& [number, line] : view.lines) {
        if (view.gap_before(number)) text += "  ...\n";
        text += pad_right("+" + std::to_string(number * line_bytes - base), label_width);
        for (const SectorView& sector : line.sectors) text += "|" + sector_text(sector);
        text += "|\n";
    }
    if (view.touched_sectors() > view.min_sectors())
        text += "!: an extra sector; aligned, contiguous bytes would not need it\n";
    return text;
}

std::string shared_text(const WarpRequest& request, RuleSet rules, const std::string& title,
                        std::int64_t row_bytes) {
    const std::vector<BankPass> passes = bank_passes(request, rules);
    const std::vector<bool> conflicts = conflict_passes(passes);
    std::string text = heading(request, rules, title);
    if (passes.empty()) return text + "no lane is active: no wavefront\n";
    const BankCounts counts = count_passes(request, rules);
    text += totals_of_passes(counts) + "\n" + remedy_line(request, rules, row_bytes) + "\nbank";
    const int banks = bank_count(rules);
    for (int bank = 0; bank < banks; ++bank) text += pad_left(std::to_string(bank), 2) + " ";
    text += "\n";
    std::string part;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const std::string here = describe_part(passes[i], request, rules);
        if (here != part) text += here + "\n";
        part = here;
        text += pad_left(std::to_string(i + 1), 3) + (conflicts[i] ? "!" : " ");
        for (int bank = 0; bank < banks; ++bank) {
            const std::uint32_t lanes = passes[i].lanes[bank];
            text += lanes == 0 ? " . "
                               : pad_left(std::to_string(std::countr_zero(lanes)), 2) +
                                     (std::has_single_bit(lanes) ? " " : "+");
        }
        text += "\n";
    }
    text += "row: wavefront; number: lane that the bank serves (+: the lowest of several)\n";
    if (counts.conflicts() > 0) text += "!: a wavefront that only a bank conflict causes\n";
    return text;
}

}  // namespace

std::string picture_text(const WarpRequest& request, RuleSet rules, const std::string& title,
                         std::int64_t row_bytes) {
    std::string text = is_shared(request.space) ? shared_text(request, rules, title, row_bytes)
                                                : global_text(request, rules, title, row_bytes);
    // No line ends in blanks.
    std::string clean;
    for (const char c : text) {
        if (c == '\n') clean.erase(clean.find_last_not_of(' ') + 1);
        clean += c;
    }
    return clean;
}

}  // namespace camber
