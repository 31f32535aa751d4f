// The matrix of techniques and workloads of `camber list --matrix`.
#include "harness/cli/list/listings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/text/table.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

struct Technique {
    std::string name;
    std::string summary;  // "" if only single steps use the technique
};

// Contents of the registry, by technique and workload.
struct Contents {
    using Place = std::pair<std::string, std::string>;  // technique, workload

    std::vector<Technique> techniques;  // in order of registration
    std::map<Place, int> variants;
    std::set<Place> choices;  // for single steps
    std::map<Place, std::string> reasons;

    void know(const std::string& name, const std::string& summary = "") {
        const auto known = [&](const Technique& technique) { return technique.name == name; };
        if (std::ranges::none_of(techniques, known)) techniques.push_back({name, summary});
    }
};

// Counts variants of one cell type: the first that has the technique, because most techniques exist
// for all cell types.
void count_variants(Contents& contents, const Registry& registry) {
    std::map<Contents::Place, ElementType> counted;
    for (const auto& workload : workloads())
        for (const ElementType cell : workload->facts().cell_types)
            for (const Variant& variant : registry.variants()) {
                const VariantInfo& info = variant.info;
                if (info.workload != workload->name() || info.cell != cell ||
                    !variant.factories.contains(Backend::simt))
                    continue;
                const Contents::Place place{std::string(info.technique.name), info.workload};
                if (counted.emplace(place, cell).first->second == cell) ++contents.variants[place];
            }
}

Contents contents_of(const Registry& registry) {
    Contents contents;
    count_variants(contents, registry);
    for (const Variant& variant : registry.variants()) {
        const VariantInfo& info = variant.info;
        if (!variant.factories.contains(Backend::simt)) continue;
        contents.know(std::string(info.technique.name), std::string(info.technique.summary));
    }
    std::set<std::string> composed;
    for (const Composer& composer : registry.composers()) {
        if (!composed.insert(composer.workload).second) continue;
        for (const Composer::Step& step : composer.steps)
            for (const std::string_view name : step.techniques) {
                const std::string technique(name);
                contents.know(technique);
                contents.choices.insert({technique, composer.workload});
            }
    }
    for (const Registry::LeftOut& left_out : registry.left_out()) {
        contents.know(left_out.technique);
        contents.reasons[{left_out.technique, left_out.workload}] = left_out.reason;
    }
    return contents;
}

// Numbers reasons by the marks "a", "b", ... in order of use.
class Footnotes {
  public:
    std::string mark(const std::string& reason) {
        const auto found = std::ranges::find(reasons_, reason);
        const auto index = static_cast<std::size_t>(found - reasons_.begin());
        if (found == reasons_.end()) reasons_.push_back(reason);
        return mark_of(index);
    }
    std::string text() const {
        std::string out;
        for (std::size_t i = 0; i < reasons_.size(); ++i)
            out += fmt::format("- **{}**: it {}.\n", mark_of(i), reasons_[i]);
        return out;
    }

  private:
    static std::string mark_of(std::size_t index) {
        std::string letters;
        for (++index; index > 0; index = (index - 1) / 26)
            letters.insert(letters.begin(), static_cast<char>('a' + (index - 1) % 26));
        return letters;
    }

    std::vector<std::string> reasons_;
};

std::string cell(const Contents& contents, const Contents::Place& place, Footnotes& footnotes) {
    if (contents.variants.contains(place)) return "yes";
    if (contents.choices.contains(place)) return "(yes)";
    if (const auto reason = contents.reasons.find(place); reason != contents.reasons.end())
        return footnotes.mark(reason->second);
    return "";
}

std::string line_of(const Technique& technique) {
    return fmt::format("- `{}`{}{}\n", technique.name, technique.summary.empty() ? "" : ": ",
                       technique.summary);
}

// True if the table has a row for `technique`: more than three workloads have it, or one of them
// gives a reason for its absence.
bool has_row(const Contents& contents, const std::string& technique) {
    int workloads_with_it = 0;
    for (const auto& workload : workloads()) {
        const Contents::Place place{technique, std::string(workload->name())};
        if (contents.reasons.contains(place)) return true;
        workloads_with_it +=
            contents.variants.contains(place) || contents.choices.contains(place) ? 1 : 0;
    }
    return workloads_with_it > 3;
}

// Workloads that have `technique`, such as "life, blur".
std::string owners_of(const Contents& contents, const std::string& technique) {
    std::vector<std::string_view> owners;
    for (const auto& workload : workloads()) {
        const Contents::Place place{technique, std::string(workload->name())};
        if (contents.variants.contains(place) || contents.choices.contains(place))
            owners.push_back(workload->name());
    }
    return fmt::format("{}", fmt::join(owners, ", "));
}

// A line per group of workloads, with the techniques that only this group has.
std::string special_techniques(const Contents& contents) {
    std::vector<std::pair<std::string, std::string>> groups;
    for (const Technique& technique : contents.techniques) {
        if (has_row(contents, technique.name)) continue;
        const std::string owners = owners_of(contents, technique.name);
        auto group = std::ranges::find(groups, owners, &decltype(groups)::value_type::first);
        if (group == groups.end()) group = groups.insert(groups.end(), {owners, ""});
        group->second += fmt::format("{}`{}`", group->second.empty() ? "" : ", ", technique.name);
    }
    std::string out;
    for (const auto& [owners, names] : groups) out += fmt::format("- {}: {}\n", owners, names);
    return out;
}

// Techniques with the same entries for all workloads.
struct Row {
    std::vector<std::string> entries;
    std::vector<std::string> techniques;
};

std::vector<Row> rows_of(const Contents& contents, Footnotes& footnotes) {
    std::vector<Row> rows;
    for (const Technique& technique : contents.techniques) {
        if (!has_row(contents, technique.name)) continue;
        std::vector<std::string> entries;
        for (const auto& workload : workloads())
            entries.push_back(
                cell(contents, {technique.name, std::string(workload->name())}, footnotes));
        auto row = std::ranges::find(rows, entries, &Row::entries);
        if (row == rows.end()) row = rows.insert(rows.end(), {std::move(entries), {}});
        row->techniques.push_back(technique.name);
    }
    return rows;
}

// Number of variants of each workload, as text.
std::vector<std::string> sums_of(const Contents& contents) {
    std::vector<std::string> sums;
    for (const auto& workload : workloads()) {
        int sum = 0;
        for (const auto& [place, count] : contents.variants)
            if (place.second == workload->name()) sum += count;
        sums.push_back(std::to_string(sum));
    }
    return sums;
}

// Table as text: Markdown tables of so many columns are hard to read in a terminal.
std::string table_of(const Contents& contents, Footnotes& footnotes) {
    std::vector<TableColumn> columns{{"technique", Align::left}};
    for (const auto& workload : workloads())
        columns.push_back({std::string(workload->name()), Align::right, 3});
    TextTable table(std::move(columns));
    const auto add = [&](const std::string& name, std::vector<std::string> entries) {
        entries.insert(entries.begin(), name);
        entries.resize(workloads().size() + 1);
        table.add(std::move(entries));
    };
    for (const Row& row : rows_of(contents, footnotes))
        for (const std::string& technique : row.techniques)
            add(technique,
                technique == row.techniques.front() ? row.entries : std::vector<std::string>{});
    add("all", sums_of(contents));
    return "```text\n" + table.plain(std::nullopt) + "```\n";
}

constexpr std::string_view head =
    "# Techniques and workloads\n"
    "\n"
    "Output of `camber list --matrix`; renew it with `./camber list --matrix > "
    "docs/techniques.md`.\n"
    "`camber list variants --technique NAME` prints a technique's source and its variants.\n"
    "\n"
    "Techniques for any rule:\n"
    "\n";

constexpr std::string_view legend =
    "\n"
    "`yes`: the workload has variants of the technique; `(yes)`: only for single steps\n"
    "(`camber run --compose`); a letter: a reason below. A technique without entries has those of\n"
    "the row above. The last row counts variants, per technique those of its first cell type.\n";

}  // namespace

std::string technique_matrix(const Registry& registry) {
    const Contents contents = contents_of(registry);
    Footnotes footnotes;
    std::string out(head);
    out += table_of(contents, footnotes);
    out += legend;
    if (const std::string reasons = footnotes.text(); !reasons.empty())
        out += "\nReasons for excluding a technique from a workload:\n\n" + reasons;
    out += "\n## What each technique is\n\n";
    for (const Technique& technique : contents.techniques)
        if (has_row(contents, technique.name)) out += line_of(technique);
    if (const std::string special = special_techniques(contents); !special.empty())
        out += "\nTechniques of single workloads, explained by `camber list variants --workload "
               "NAME`:\n\n" +
               special;
    return out;
}

}  // namespace camber
