#include "analysis/memory/picture_parts.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>

#include "analysis/memory/picture.hpp"

namespace camber {
namespace {

std::string plural(std::int64_t n, const std::string& noun) {
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

// Equally spaced lanes from `first` on, as many as there are.
struct Progression {
    int first, step, count;
};

Progression longest_from(std::uint32_t lanes, int first) {
    Progression best{first, 1, 1};
    for (int step = 1; step <= 8; ++step) {
        int count = 1;
        while (first + count * step < warp_lanes && lanes >> (first + count * step) & 1) ++count;
        // Three lanes are listed more clearly one by one, unless they follow each other.
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

// Marks the least used sectors, so that as many remain as the bytes need.
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
    // Tenths of a percent, because small shares need them.
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
}  // namespace camber
