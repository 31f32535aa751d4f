// The matrix of techniques and workloads of `camber list --matrix`.
#include "harness/cli/list/listings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/table.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

struct Technique {
    std::string name;
    std::string summary;  // "" where no variant of its own tells
    std::string source;
};

// Contents of the registry, by technique and workload.
struct Contents {
    using Place = std::pair<std::string, std::string>;  // technique, workload

    std::vector<Technique> techniques;  // in order of registration
    std::map<Place, int> variants;
    // Number of choices for steps, if no variant uses the technique in all steps.
    std::map<Place, int> choices;
    std::map<Place, std::string> reasons;

    void know(const std::string& name, const std::string& summary = "",
              const std::string& source = "") {
        const auto known = [&](const Technique& technique) { return technique.name == name; };
        if (std::ranges::none_of(techniques, known)) techniques.push_back({name, summary, source});
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
        contents.know(std::string(info.technique.name), std::string(info.technique.summary),
                      std::string(info.technique.source));
    }
    std::set<std::string> composed;
    for (const Composer& composer : registry.composers()) {
        if (!composed.insert(composer.workload).second) continue;
        for (const Composer::Step& step : composer.steps)
            for (const std::string_view name : step.techniques) {
                const std::string technique(name);
                contents.know(technique);
                ++contents.choices[{technique, composer.workload}];
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

template <class Map>
auto value_at(const Map& map, const Contents::Place& place) {
    const auto found = map.find(place);
    return found == map.end() ? typename Map::mapped_type{} : found->second;
}

std::string cell(const Contents& contents, const Contents::Place& place, Footnotes& footnotes) {
    if (const int count = value_at(contents.variants, place)) return std::to_string(count);
    if (const int count = value_at(contents.choices, place)) return fmt::format("({})", count);
    if (const auto reason = value_at(contents.reasons, place); !reason.empty())
        return footnotes.mark(reason);
    return "";
}

// The only workload that has a technique; "" if other workloads have it, too, or give a reason for
// its absence.
std::string owner(const Contents& contents, const std::string& technique) {
    std::string only;
    for (const auto& workload : workloads()) {
        const std::string name(workload->name());
        const Contents::Place place{technique, name};
        if (contents.reasons.contains(place)) return "";
        if (!contents.variants.contains(place) && !contents.choices.contains(place)) continue;
        if (!only.empty()) return "";
        only = name;
    }
    return only;
}

// A Markdown table that is also readable as text.
std::string table_of(const Contents& contents, Footnotes& footnotes) {
    std::vector<TableColumn> columns{{"technique", Align::left}};
    for (const auto& workload : workloads())
        columns.push_back({std::string(workload->name()), Align::right, 3});
    TextTable table(std::move(columns));
    std::vector<int> sums(workloads().size());
    for (const Technique& technique : contents.techniques) {
        std::vector<std::string> row{"`" + technique.name + "`"};
        for (std::size_t i = 0; i < workloads().size(); ++i) {
            const Contents::Place place{technique.name, std::string(workloads()[i]->name())};
            row.push_back(cell(contents, place, footnotes));
            sums[i] += value_at(contents.variants, place);
        }
        table.add(std::move(row));
    }
    std::vector<std::string> last{"all"};
    for (const int sum : sums) last.push_back(std::to_string(sum));
    table.add(std::move(last));
    return table.markdown({.aligned = true});
}

constexpr std::string_view head =
    "# Techniques and workloads\n"
    "\n"
    "Which memory technique every workload has. A technique and a workload's rule are written "
    "once\n"
    "each, and every pair that makes sense is compiled. This page is what `camber list --matrix`\n"
    "prints; renew it with `./camber list --matrix > docs/techniques.md`.\n"
    "\n";

constexpr std::string_view legend =
    "\n"
    "A number counts variants: block shapes, alignments and generations per launch. Where a\n"
    "generation can be computed in several ways (one kernel, or a pipeline of several), variants\n"
    "of all ways are counted. The counts are for the first cell type that has the technique, of\n"
    "those that `camber list workloads` names. In a pipeline, a step for which the technique "
    "makes\n"
    "no sense uses `halo` in the same blocks. A number in brackets counts choices for single\n"
    "steps: `camber run --compose` can use them, and no listed variant has them in all steps. A\n"
    "cell is empty where the technique was written for other workloads.\n"
    "\n"
    "Some conditions are known only at run time: the size of the board (constant memory holds\n"
    "64 KiB, textures and launches have a maximum size), its boundary (not every technique has a\n"
    "torus), the number of generations, and the limits of the device. Where one is not met,\n"
    "`camber run` skips the variant and says why.\n";

}  // namespace

std::string technique_matrix(const Registry& registry) {
    const Contents contents = contents_of(registry);
    Footnotes footnotes;
    std::string out(head);
    out += table_of(contents, footnotes);
    out += legend;
    if (const std::string reasons = footnotes.text(); !reasons.empty())
        out += "\nA letter says why a workload's rule leaves the technique out:\n\n" + reasons;
    out += "\n## What each technique is\n\n";
    for (const Technique& technique : contents.techniques) {
        out += fmt::format("- `{}`", technique.name);
        if (const std::string only = owner(contents, technique.name); !only.empty())
            out += fmt::format(" (own to {})", only);
        if (!technique.summary.empty())
            out += fmt::format(": {}. Source: {}.", technique.summary, technique.source);
        out += '\n';
    }
    return out;
}

}  // namespace camber
