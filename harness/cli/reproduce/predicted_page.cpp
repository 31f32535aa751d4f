// The part of a table's page with times predicted for the source's card.
#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/reproduce/predicting.hpp"

namespace camber {

namespace {

using published::Explained;

std::string how_often(const std::optional<double>& ratio) {
    return !ratio ? "-" : fmt::format("{:.2f}x", *ratio);
}

void add_pairs(PageText& page, const PredictedTable& predicted, bool rows) {
    TextTable table(
        {rows ? "row" : "conclusion", "the model", "printed", "predicted", "from", "to"}, 2);
    for (const TablePair& pair : predicted.pairs) {
        if (pair.row != rows) continue;
        const auto& ratio = pair.predicted;
        table.add({pair.text, std::string(name(pair.verdict())), how_often(pair.printed),
                   ratio ? how_often(ratio->usual) : "-",
                   ratio ? how_often(ratio->interval.low) : "-",
                   ratio ? how_often(ratio->interval.high) : "-"});
    }
    if (table.empty()) return;
    page.subheading(rows ? "How often faster, row by row" : "Published conclusions, and the model");
    page.table(table);
}

void add_times(PageText& page, const PredictedTable& predicted) {
    page.subheading("Time of a generation");
    TextTable table({"variant", "binds", "us", "from", "to"}, 2);
    for (const PredictedEntry& entry : predicted.times)
        table.add({entry.variant, entry.binding, fmt::format("{:.0f}", entry.seconds * 1e6),
                   fmt::format("{:.0f}", entry.low * 1e6),
                   fmt::format("{:.0f}", entry.high * 1e6)});
    page.table(table);
}

std::string summary(const PredictedTable& predicted) {
    const int explains = predicted.count(Explained::explains);
    const int contradicts = predicted.count(Explained::contradicts);
    const int cannot_tell = predicted.count(Explained::cannot_tell);
    std::string text = fmt::format(
        "The model explains {} of {} published orders, each pair of variants once; it contradicts "
        "{}, and cannot tell {}.",
        explains, explains + contradicts + cannot_tell, contradicts, cannot_tell);
    if (predicted.tau)
        text +=
            fmt::format(" Kendall's tau between their printed and their predicted order is {:.2f}.",
                        *predicted.tau);
    if (const auto held = predicted.held(); held.printed > 0)
        text += fmt::format(" Printed values within their interval: {} of {}.", held.inside,
                            held.printed);
    return text;
}

}  // namespace

void add_predicted(PageText& page, const PredictedTable& predicted) {
    page.heading(fmt::format("Predicted on the card of the source: {}, {} ({})", predicted.card,
                             predicted.size, predicted.file));
    add_pairs(page, predicted, true);
    add_pairs(page, predicted, false);
    page.paragraph(summary(predicted));
    page.paragraph(
        "from, to: over what is assumed of the card and of its machine code; what the model leaves "
        "out is not in it. Explained: the whole interval says what is printed, outside of 3 %. "
        "Contradicted: none of it does.");
    add_times(page, predicted);
    page.paragraph("All times are uncertain. What stands in for what no source states:");
    for (const std::string& note : predicted.notes) page.item(note);
    for (const std::string& remark : predicted.remarks) page.item(remark);
}

}  // namespace camber
