#include "analysis/memory/picture.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>

#include "analysis/memory/access_pattern.hpp"

namespace camber {
namespace {

std::string plural(std::int64_t n, const std::string& noun) {
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

// Longest sequence of equally spaced lanes that begins at `first`.
struct Progression {
    int first, step, count;
};

Progression longest_from(std::uint32_t lanes, int first) {
    Progression best{first, 1, 1};
    for (int step = 1; step <= 8; ++step) {
        int count = 1;
        while (first + count * step < warp_lanes && lanes >> (first + count * step) & 1) ++count;
        // Three lanes are clearer as a list unless they are consecutive.
        const bool worth = step == 1 ? count >= 2 : count >= 4;
        if (worth && count > best.count) best = {first, step, count};
    }
    return best;
}

std::string text(const Progression& p) {
    const std::string first = std::to_string(p.first);
    const std::string last = std::to_string(p.first + (p.count - 1) * p.step);
    if (p.count == 1) return first;
    if (p.step == 1) return first + (p.count == 2 ? "," : "-") + last;
    return first + "," + std::to_string(p.first + p.step) + ".." + last;
}

}  // namespace

std::string lane_list(std::uint32_t lanes, int width) {
    std::string list;
    while (lanes != 0) {
        const Progression p = longest_from(lanes, std::countr_zero(lanes));
        const std::string next = (list.empty() ? "" : ",") + text(p);
        std::uint32_t rest = lanes;
        for (int i = 0; i < p.count; ++i) rest &= ~(1u << (p.first + i * p.step));
        // Room for "+n" must be left unless this is the end.
        const int reserve =
            rest == 0 ? 0 : 1 + static_cast<int>(std::to_string(std::popcount(rest)).size());
        if (static_cast<int>(list.size() + next.size()) + reserve > width) {
            return list + "+" + std::to_string(std::popcount(lanes));
        }
        list += next;
        lanes = rest;
    }
    return list;
}

namespace picture {
namespace {

// Marks the least used sectors as extra; the unmarked ones suffice for the bytes.
void mark_extra_sectors(GlobalView& view) {
    std::vector<SectorView*> sectors;
    for (auto& [number, line] : view.lines)
        for (SectorView& sector : line.sectors)
            if (sector.bytes != 0) sectors.push_back(&sector);
    std::ranges::stable_sort(sectors, std::greater<>(),
                             [](const SectorView* sector) { return std::popcount(sector->bytes); });
    for (auto i = static_cast<std::size_t>(view.min_sectors()); i < sectors.size(); ++i)
        sectors[i]->extra = true;
}

}  // namespace

GlobalView view_global(const WarpRequest& request, RuleSet rules) {
    GlobalView view;
    view.transactions = transactions(request, rules);  // checks the request
    view.counts = count_transactions(request, rules);
    for (int lane = 0; lane < warp_lanes; ++lane) {
        if (!request.is_active(lane)) continue;
        for (std::uint32_t byte = 0; byte < request.size; ++byte) {
            const std::int64_t address = request.address[lane] + byte;
            LineView& line = view.lines[address >> line_shift];
            SectorView& sector = line.sectors[address >> sector_shift & (sectors_per_line - 1)];
            sector.lanes |= 1u << lane;
            sector.bytes |= 1u << (address & (sector_bytes - 1));
            line.words[(address & (line_bytes - 1)) >> word_shift] |= 1u << lane;
        }
    }
    for (const Transaction& t : view.transactions) {
        LineView& line = view.lines[t.base >> line_shift];
        line.transactions.push_back(t);
        for (std::int64_t at = t.base; at < t.base + t.size; at += sector_bytes) {
            ++line.sectors[at >> sector_shift & (sectors_per_line - 1)].moves;
        }
    }
    mark_extra_sectors(view);
    return view;
}

std::string describe(const WarpRequest& request) {
    static constexpr std::array operations = {"load", "store", "atomic"};
    static constexpr std::array spaces = {"global",   "shared",    "texture",           "local",
                                          "constant", "bulk copy", "distributed shared"};
    return std::string(spaces[static_cast<std::size_t>(request.space)]) + " " +
           operations[static_cast<std::size_t>(request.operation)] + ", " +
           plural(request.size, "byte") + " per lane, " +
           plural(std::popcount(request.active), "active lane");
}

std::string totals_of_transactions(const TransactionCounts& counts) {
    std::string kinds;
    for (const auto& [count, size] :
         {std::pair(counts.transactions_32, 32), std::pair(counts.transactions_64, 64),
          std::pair(counts.transactions_128, 128)}) {
        if (count == 0) continue;
        kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " of " +
                 std::to_string(size) + " bytes";
    }
    return plural(counts.requests, "request") + ", " +
           plural(counts.transactions(), "transaction") + (kinds.empty() ? "" : " (" + kinds + ")");
}

bool GlobalView::gap_before(std::int64_t line) const {
    const auto here = lines.find(line);
    if (here == lines.begin() || here == lines.end()) return false;
    const auto before = std::prev(here);
    const std::int64_t gap = line - before->first;
    return gap > 1 && (before == lines.begin() || before->first - std::prev(before)->first != gap);
}

std::string GlobalView::totals_of_bytes() const {
    std::int64_t touched_lines = 0;
    for (const auto& [number, line] : lines)
        touched_lines += std::ranges::any_of(
            line.sectors, [](const SectorView& sector) { return sector.bytes != 0; });
    const std::int64_t sectors = touched_sectors();
    const std::int64_t needed = min_sectors();
    // Tenths of a percent, because some shares are small.
    const std::int64_t moved = std::max<std::int64_t>(counts.bytes_moved, 1);
    const std::int64_t tenths = (2000 * counts.useful_bytes + moved) / (2 * moved);
    const std::string share = tenths < 100
                                  ? std::to_string(tenths / 10) + "." + std::to_string(tenths % 10)
                                  : std::to_string((tenths + 5) / 10);
    return plural(counts.bytes_moved, "byte") + " moved, " + std::to_string(counts.useful_bytes) +
           " used" + (counts.bytes_moved > 0 ? " (" + share + " %)" : "") + "; " +
           plural(touched_lines, "line") + ", " + plural(sectors, "sector") +
           (sectors > needed ? " (" + std::to_string(needed) + " would suffice)" : "");
}

std::int64_t GlobalView::touched_sectors() const {
    std::int64_t touched = 0;
    for (const auto& [number, line] : lines)
        touched += std::ranges::count_if(
            line.sectors, [](const SectorView& sector) { return sector.bytes != 0; });
    return touched;
}

std::int64_t GlobalView::min_sectors() const {
    return (counts.useful_bytes + sector_bytes - 1) / sector_bytes;
}

std::string totals_of_passes(const BankCounts& counts) {
    const std::string total = plural(counts.passes, "wavefront");
    if (counts.conflicts() == 0) return total + ", no bank conflict";
    const std::string ways =
        counts.passes % counts.minimum == 0
            ? ": a " + std::to_string(counts.passes / counts.minimum) + "-way bank conflict"
            : "";
    return total + ", " + std::to_string(counts.minimum) + " without bank conflicts" + ways;
}

std::vector<bool> conflict_passes(const std::vector<BankPass>& passes) {
    std::vector<bool> conflicts;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const bool serves =
            std::ranges::any_of(passes[i].lanes, [](std::uint32_t lanes) { return lanes != 0; });
        conflicts.push_back(i > 0 && serves && passes[i].part == passes[i - 1].part &&
                            passes[i].word == passes[i - 1].word);
    }
    return conflicts;
}

std::string describe_part(const BankPass& pass, const WarpRequest& request, RuleSet rules) {
    const int low = std::countr_zero(pass.part);
    const int high = 31 - std::countl_zero(pass.part);
    const std::string lanes = low == high
                                  ? "lane " + std::to_string(low)
                                  : "lanes " + std::to_string(low) + " to " + std::to_string(high);
    if (bank_count(rules) == 32 || request.size <= word_bytes) return lanes;
    return lanes + ", word " + std::to_string(pass.word) + " of each";
}

}  // namespace picture

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

// "0:128 64:64 ...", relative to `base`, truncated to one line.
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
    // Removes trailing blanks.
    std::string clean;
    for (const char c : text) {
        if (c == '\n') clean.erase(clean.find_last_not_of(' ') + 1);
        clean += c;
    }
    return clean;
}

}  // namespace camber
