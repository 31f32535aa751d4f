// SVG pictures of one warp's memory instruction.
#include <algorithm>
#include <bit>
#include <sstream>

#include "analysis/memory/access_pattern.hpp"
#include "analysis/memory/picture.hpp"
#include "harness/base/text/table.hpp"

namespace camber {
namespace {

using namespace picture;

// Colors with contrast on white and on black: viewers that support the reader's color scheme
// switch, others show the light one on its own background. Hue is never the only distinction: boxes
// of extra sectors and of conflicts have a thicker border.
constexpr const char* style = R"(<style>
text{font-family:"DejaVu Sans","Segoe UI",Helvetica,Arial,sans-serif;font-size:11px;fill:#24292f}
.ground{fill:#ffffff}
.title{font-size:16px;font-weight:bold}
.sub{font-size:12px;fill:#57606a}
.mono{font-size:11px;fill:#57606a}
.lane{font-size:10px;text-anchor:middle;fill:#0b2e4f}
.b{font-weight:bold}
.mid{text-anchor:middle}
.end{text-anchor:end}
.used{fill:#9ecbf2;stroke:#3b78b0}
.many{fill:#f2cf8a;stroke:#a9762a}
.extra{fill:#f08a8a;stroke:#a61b1b;stroke-width:2}
.remedy{font-size:13px;font-weight:bold;fill:#a61b1b}
.idle{fill:#eceff2;stroke:#c4cad0}
.waste{fill:#fbe9e7;stroke:#d3aaa5;stroke-dasharray:3 2}
.bar{fill:#57606a}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.ground{fill:#0d1117}.sub,.mono{fill:#9aa4af}.lane{fill:#eaf4ff}
.used{fill:#1f4e79;stroke:#6fb1ea}.many{fill:#6b4a12;stroke:#e0b45e}
.extra{fill:#8c2323;stroke:#ff8f8f}.remedy{fill:#ff9d9d}
.idle{fill:#1b2027;stroke:#3d444d}.waste{fill:#2f1c1c;stroke:#8a5550}.bar{fill:#9aa4af}}
</style>
)";

constexpr int margin = 16;
constexpr int width = 1000;

std::string number(double value) {
    // A tenth of a pixel is precise enough.
    const auto tenths = static_cast<long>(value * 10 + (value < 0 ? -0.5 : 0.5));
    std::string text = std::to_string(tenths / 10);
    if (tenths % 10 != 0) text += "." + std::to_string(std::abs(tenths % 10));
    return text;
}

class Drawing {
  public:
    void text(double x, double y, const std::string& css, const std::string& words) {
        body_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" class=\"" + css + "\">" +
                 escape_xml(words) + "</text>\n";
    }
    // `tip`: shown by viewers when the pointer rests on the box.
    void box(double x, double y, double w, double h, const std::string& css,
             const std::string& tip = {}) {
        body_ += "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(w) +
                 "\" height=\"" + number(h) + "\" class=\"" + css + "\"";
        body_ += tip.empty() ? "/>\n" : "><title>" + escape_xml(tip) + "</title></rect>\n";
    }
    std::string document(double height, const std::string& name) const {
        const std::string size = "width=\"" + std::to_string(width) + "\" height=\"" +
                                 number(height) + "\" viewBox=\"0 0 " + std::to_string(width) +
                                 " " + number(height) + "\"";
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " role=\"img\">\n<title>" +
               escape_xml(name) + "</title>\n" + style +
               "<rect width=\"100%\" height=\"100%\" class=\"ground\"/>\n" + body_ + "</svg>\n";
    }

  private:
    std::string body_;
};

// Draws the title, the request, the totals and the remedy; returns the next free y.
double draw_heading(Drawing& drawing, const WarpRequest& request, RuleSet rules,
                    const std::string& title, const std::vector<std::string>& totals,
                    std::int64_t row_bytes) {
    double y = margin + 16;
    std::istringstream lines(title);
    const char* css = "title";
    for (std::string line; std::getline(lines, line); css = "sub") {
        drawing.text(margin, y, css, line);
        y += 18;
    }
    drawing.text(margin, y, "sub", describe(request) + "; rules of " + to_string(rules));
    for (const std::string& total : totals) drawing.text(margin, y += 16, "sub", total);
    if (const std::string remedy = describe_remedy(request, rules, row_bytes); !remedy.empty())
        drawing.text(margin, y += 20, "remedy", "Remedy: " + remedy);
    return y + 14;
}

struct LegendEntry {
    const char* css;
    const char* text;
};

double draw_legend(Drawing& drawing, double y, const std::vector<LegendEntry>& entries) {
    double x = margin;
    for (const auto& [css, text] : entries) {
        const std::string words = text;
        const bool bar = std::string(css) == "bar";
        drawing.box(x, bar ? y + 5 : y, 14, bar ? 4 : 14, css);
        drawing.text(x + 20, y + 11, "", words);
        x += 36 + 6.4 * static_cast<double>(words.size());
    }
    return y + 24;
}

std::string tip_of(std::uint32_t lanes, const std::string& what) {
    return what + ": lanes " + lane_list(lanes, 80);
}

// ---- global memory: eight words a sector, four sectors a line
constexpr double word_width = 26.0;
constexpr double label_width = 92;
constexpr double sector_gap = 9;
constexpr double box_height = 22;

double sector_x(int sector) {
    return margin + label_width + sector * (8 * word_width + sector_gap);
}

double byte_x(std::int64_t byte) {
    return sector_x(static_cast<int>(byte / sector_bytes)) +
           static_cast<double>(byte % sector_bytes) / word_bytes * word_width;
}

// Lanes, abbreviated to fit into the box of one word.
std::string short_lanes(std::uint32_t lanes) {
    const int count = std::popcount(lanes);
    if (count == 1) return std::to_string(std::countr_zero(lanes));
    const int low = std::countr_zero(lanes);
    const int high = 31 - std::countl_zero(lanes);
    if (count == 2 && high < 10) return std::to_string(low) + "," + std::to_string(high);
    if (high - low + 1 == count && high < 10) {
        return std::to_string(low) + "-" + std::to_string(high);
    }
    return std::to_string(count) + "\u00d7";
}

double draw_line(Drawing& drawing, double y, std::int64_t offset, const LineView& line) {
    drawing.text(margin + label_width - 8, y + 15, "end mono", "+" + std::to_string(offset));
    for (int s = 0; s < sectors_per_line; ++s) {
        const SectorView& sector = line.sectors[s];
        for (int w = 0; w < 8; ++w) {
            const std::uint32_t lanes = line.words[s * 8 + w];
            const double x = sector_x(s) + w * word_width;
            const std::string where =
                "offset " + std::to_string(offset + s * sector_bytes + w * word_bytes);
            const bool moved = sector.moves > 0;
            const std::uint32_t used = sector.bytes >> (w * word_bytes) & 0xf;
            if (used != 0xf) {
                drawing.box(x, y, word_width, box_height, moved ? "waste" : "idle",
                            where + (moved ? ": moved, not used" : ": not moved"));
            }
            if (used == 0) continue;
            // Only the used part of the word.
            const int first = std::countr_zero(used);
            const double byte_width = word_width / word_bytes;
            drawing.box(x + first * byte_width, y, (std::bit_width(used) - first) * byte_width,
                        box_height,
                        sector.extra                 ? "extra"
                        : std::has_single_bit(lanes) ? "used"
                                                     : "many",
                        tip_of(lanes, sector.extra ? where + ", in an extra sector" : where));
            drawing.text(x + word_width / 2, y + 15, "lane", short_lanes(lanes));
        }
    }
    y += box_height + 4;
    // Overlapping transactions are drawn below each other, repeated ones once with a count.
    std::vector<std::pair<Transaction, int>> bars;
    for (const Transaction& t : line.transactions) {
        const auto same = std::ranges::find(bars, t, &std::pair<Transaction, int>::first);
        if (same != bars.end()) {
            ++same->second;
        } else {
            bars.push_back({t, 1});
        }
    }
    std::vector<std::int64_t> row_ends;
    std::ranges::stable_sort(bars, {}, [](const auto& bar) { return bar.first.base; });
    for (const auto& [t, times] : bars) {
        std::size_t row = 0;
        while (row < row_ends.size() && row_ends[row] > t.base) ++row;
        if (row == row_ends.size()) row_ends.push_back(0);
        row_ends[row] = t.base + t.size;
        const std::int64_t from =
            t.base % line_bytes < 0 ? t.base % line_bytes + line_bytes : t.base % line_bytes;
        const double x = byte_x(from);
        const double end = byte_x(from + t.size - 1) + word_width / 4;
        const std::string label =
            std::to_string(t.size) + " B" + (times > 1 ? " \u00d7 " + std::to_string(times) : "");
        const double label_space = 9.0 + 6.2 * static_cast<double>(label.size());
        const double by = y + 14.0 * static_cast<double>(row);
        drawing.box(x + 1, by + 3, end - x - 2 - label_space, 4, "bar", "transaction of " + label);
        drawing.text(end - 2, by + 9, "end mono", label);
    }
    return y + 14.0 * static_cast<double>(std::max<std::size_t>(1, row_ends.size())) + 6;
}

std::string global_svg(const WarpRequest& request, RuleSet rules, const std::string& title,
                       std::int64_t row_bytes) {
    const GlobalView view = view_global(request, rules);
    const std::int64_t base = view.lines.empty() ? 0 : view.lines.begin()->first * line_bytes;
    Drawing drawing;
    double y =
        draw_heading(drawing, request, rules, title,
                     {totals_of_transactions(view.counts), view.totals_of_bytes()}, row_bytes);
    y = draw_legend(drawing, y,
                    {{"used", "word of one lane (its number)"},
                     {"many", "of several lanes"},
                     {"extra", "in an extra sector"},
                     {"waste", "moved, not used"},
                     {"idle", "not moved"},
                     {"bar", "transaction"}});
    y += 14;
    drawing.text(margin + label_width - 8, y, "end mono", "line at");
    for (int s = 0; s < sectors_per_line; ++s) {
        drawing.text(sector_x(s) + 4 * word_width, y, "mid mono",
                     "sector at +" + std::to_string(s * sector_bytes));
    }
    y += 8;
    if (view.lines.empty()) {
        drawing.text(sector_x(0), y + 15, "", "no lane is active");
        y += 23;
    }
    for (const auto& [line_number, line] : view.lines) {
        if (view.gap_before(line_number)) {
            drawing.text(margin + label_width - 8, y + 6, "end mono", "\u22ee");
            y += 14;
        }
        y = draw_line(drawing, y, line_number * line_bytes - base, line);
    }
    drawing.text(margin, y += 12, "mono",
                 "base address " + std::to_string(base) +
                     "; offsets in bytes; line: 128 bytes, sector: 32 bytes, box: 4 bytes");
    return drawing.document(y + margin, title.empty() ? describe(request) : title);
}

// ---- shared memory: a column for each bank
std::string shared_svg(const WarpRequest& request, RuleSet rules, const std::string& title,
                       std::int64_t row_bytes) {
    const std::vector<BankPass> passes = bank_passes(request, rules);
    const std::vector<bool> conflicts = conflict_passes(passes);
    const int banks = bank_count(rules);
    constexpr double label = 96;
    constexpr double height = 30;
    const double column = (width - 2 * margin - label) / banks;

    Drawing drawing;
    double y = draw_heading(drawing, request, rules, title,
                            {totals_of_passes(count_passes(request, rules))}, row_bytes);
    y = draw_legend(drawing, y,
                    {{"used", "serves one lane (bold: its number; below: the word)"},
                     {"many", "serves several lanes at once"},
                     {"extra", "only because of a bank conflict"},
                     {"idle", "bank idle"}});
    y += 14;
    drawing.text(margin + label - 8, y, "end mono", "bank");
    for (int bank = 0; bank < banks; ++bank) {
        drawing.text(margin + label + (bank + 0.5) * column, y, "mid mono", std::to_string(bank));
    }
    y += 8;
    if (passes.empty()) drawing.text(margin + label, y += 15, "", "no lane is active");
    std::string part;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const BankPass& pass = passes[i];
        const std::string here = describe_part(pass, request, rules);
        if (here != part && pass.part != request.active) {
            drawing.text(margin + label, y + 12, "mono", here);
            y += 18;
        }
        part = here;
        drawing.text(margin + label - 8, y + 19, "end mono",
                     "wavefront " + std::to_string(i + 1) + (conflicts[i] ? " !" : ""));
        // Idle banks first, so that they do not cover the borders of the others.
        for (int bank = 0; bank < banks; ++bank)
            if (pass.lanes[bank] == 0)
                drawing.box(margin + label + bank * column, y, column, height, "idle");
        for (int bank = 0; bank < banks; ++bank) {
            const std::uint32_t lanes = pass.lanes[bank];
            if (lanes == 0) continue;
            const double x = margin + label + bank * column;
            const std::string word = std::to_string(pass.first_word[bank]);
            drawing.box(x, y, column, height,
                        conflicts[i]                 ? "extra"
                        : std::has_single_bit(lanes) ? "used"
                                                     : "many",
                        tip_of(lanes, "word " + word));
            drawing.text(x + column / 2, y + 13, "lane b", short_lanes(lanes));
            if (word.size() <= 4) drawing.text(x + column / 2, y + 25, "lane", word);
        }
        y += height + 4;
    }
    return drawing.document(y + margin, title.empty() ? describe(request) : title);
}

}  // namespace

std::string picture_svg(const WarpRequest& request, RuleSet rules, const std::string& title,
                        std::int64_t row_bytes) {
    return is_shared(request.space) ? shared_svg(request, rules, title, row_bytes)
                                    : global_svg(request, rules, title, row_bytes);
}

}  // namespace camber
