// Conditions under which two results files are comparable, and the pairing of their cases.
#include "analysis/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace camber::comparison {

namespace {

using results::CaseRecord;
using results::Document;
using results::Identity;
using Text = std::optional<std::string>;  // absent: the file does not state it

Text stated(const std::string& text) {
    return text.empty() ? Text() : text;
}

template <class Number>
Text text_of(const std::optional<Number>& number) {
    return number ? Text(fmt::format("{}", *number)) : Text();
}

template <class Named>
Text name_of(const std::optional<Named>& value) {
    return value ? Text(name(*value)) : Text();
}

Text size_of(const Identity& identity) {
    if (identity.size.columns == 0) return std::nullopt;
    return fmt::format("{}x{}", identity.size.columns, identity.size.rows);
}

// Parameters as JSON: {"erosion":[0.5,2.0]}. A parameter that only `other` contains is newer than
// the program version that wrote the file; 0 is its neutral default.
Text parameters_of(const Identity& identity, const Identity& other) {
    auto all = identity.workload_parameters;
    if (!all.empty())
        for (const auto& [parameter, values] : other.workload_parameters)
            all.try_emplace(parameter, values.size(), 0.0);
    std::vector<std::string> texts;
    for (const auto& [parameter, values] : all) {
        std::vector<std::string> numbers;
        for (const double value : values) {
            numbers.push_back(fmt::format("{}", value));
            if (numbers.back().find_first_of(".e") == std::string::npos) numbers.back() += ".0";
        }
        texts.push_back(fmt::format("\"{}\":[{}]", parameter, fmt::join(numbers, ",")));
    }
    return texts.empty() ? Text() : fmt::format("{{{}}}", fmt::join(texts, ","));
}

// Records allowed differences and throws for others.
class Checks {
  public:
    Checks(const Document& base, const Document& changed, const Allowed& allowed,
           std::vector<std::string>& differences)
        : base_(base), changed_(changed), allowed_(allowed), differences_(differences) {}

    // `what`: name of an allowance; `subject`: description for people.
    void compare(std::string_view what, const char* subject, const Text& before,
                 const Text& after) {
        if (!before || !after || *before == *after) return;
        if (!allowed_.contains(what))
            throw ConditionsDiffer(
                fmt::format("{} is {} in {} and {} in {}: measure both alike", subject, *before,
                            base_.source, *after, changed_.source),
                what);
        const auto sentence = fmt::format("{}: {} in BASE, {} in NEW", subject, *before, *after);
        if (std::ranges::find(differences_, sentence) == differences_.end())
            differences_.push_back(sentence);
    }

    // Other rules are other problems, for which there is no allowance.
    void compare_rules(const std::string& before, const std::string& after) const {
        const auto text = [](const std::string& rule) {
            return rule.empty() ? "the workload's usual one" : rule;
        };
        if (before != after)
            throw Error(ExitCode::incomparable,
                        fmt::format("the rule is {} in {} and {} in {}: measure both by one rule",
                                    text(before), base_.source, text(after), changed_.source));
    }

    void compare_contexts() {
        const results::Run* before = base_.run();
        const results::Run* after = changed_.run();
        if (!before || !after) return;
        if (before->gpu && after->gpu) {
            const results::Gpu& one = *before->gpu;
            const results::Gpu& other = *after->gpu;
            compare("gpu", "the GPU", one.name, other.name);
            compare("gpu", "the compute capability of the GPU", one.compute_capability,
                    other.compute_capability);
            compare("gpu", "the number of SMs", fmt::format("{}", one.sm_count),
                    fmt::format("{}", other.sm_count));
        }
        compare("driver", "the driver", results::known(before->driver_version),
                results::known(after->driver_version));
        compare("driver", "CUDA's version of the driver", before->driver, after->driver);
    }

    void compare_cases(const Pair& pair) {
        const Identity& before = pair.base->identity;
        const Identity& after = pair.changed->identity;
        const auto generations = [](const Identity& identity) {
            return identity.generations > 0 ? Text(fmt::format("{}", identity.generations))
                                            : Text();
        };
        const auto arch = [](const CaseRecord& record) {
            return record.model ? Text(record.model->arch) : Text();
        };
        compare("size", "the board", size_of(before), size_of(after));
        compare("cell", "the cell type", stated(before.cell), stated(after.cell));
        compare_rules(before.rule, after.rule);
        compare("boundary", "the boundary", name_of(before.boundary), name_of(after.boundary));
        compare("backend", "the backend", name_of(before.backend), name_of(after.backend));
        compare("seed", "the seed", text_of(before.seed), text_of(after.seed));
        compare("generations", "the number of generations", generations(before),
                generations(after));
        compare("parameters", "the workload's parameters", parameters_of(before, after),
                parameters_of(after, before));
        compare("arch", "the compute capability of the model", arch(*pair.base),
                arch(*pair.changed));
    }

  private:
    const Document& base_;
    const Document& changed_;
    const Allowed& allowed_;
    std::vector<std::string>& differences_;
};

Text workloads_of(const Document& document) {
    std::set<std::string> names;
    for (const CaseRecord& one : document.cases)
        if (!one.identity.workload.empty()) names.insert(one.identity.workload);
    if (names.empty()) return std::nullopt;
    return fmt::format("{}", fmt::join(names, ", "));
}

// Case name without the parts that may differ.
std::string key_of(const CaseRecord& from, const Allowed& allowed) {
    std::string key = from.name;
    const auto drop = [&](std::string_view what, const Text& part) {
        if (!part || !allowed.contains(what)) return;
        // Search behind the variant's name, which may contain the same string.
        const std::size_t behind = std::min(from.identity.variant.size(), key.size());
        const auto at = key.find("/" + *part, behind);
        if (at == std::string::npos) return;
        const auto end = at + 1 + part->size();
        if (end == key.size() || key[end] == '/') key.erase(at, end - at);
    };
    drop("size", size_of(from.identity));
    drop("cell", stated(from.identity.cell));
    drop("backend", name_of(from.identity.backend));
    drop("boundary", name_of(from.identity.boundary));
    return key;
}

void require_common_cases(const Document& base, const Document& changed, const Matches& matches) {
    if (!matches.pairs.empty()) return;
    if (base.cases.empty() || changed.cases.empty()) {
        const Document& empty = base.cases.empty() ? base : changed;
        throw Error(ExitCode::incomparable,
                    empty.aggregates.empty()
                        ? fmt::format("{} has no cases: measure some", empty.source)
                        : fmt::format("{} has only aggregates of Google Benchmark, and no median "
                                      "among them: write it without "
                                      "--benchmark_report_aggregates_only",
                                      empty.source));
    }
    // A differing condition that is part of case names is the likely cause; report it instead of
    // the names.
    Matches ignored;
    const Allowed nothing;
    Checks checks(base, changed, nothing, ignored.differences);
    checks.compare_cases({&base.cases.front(), &changed.cases.front()});
    throw Error(ExitCode::incomparable,
                fmt::format("no case is in both files: {} has {} ({} in all), {} has {} ({} in "
                            "all); compare two runs of the same variants",
                            base.source, base.cases.front().name, base.cases.size(), changed.source,
                            changed.cases.front().name, changed.cases.size()));
}

}  // namespace

Allowed::Allowed(std::vector<std::string> names) : names_(std::move(names)) {}

bool Allowed::contains(std::string_view what) const {
    return std::ranges::any_of(
        names_, [&](const std::string& name) { return name == what || name == "all"; });
}

Matches match(const Document& base, const Document& changed, const Allowed& allowed) {
    Matches matches;
    Checks checks(base, changed, allowed, matches.differences);
    checks.compare_contexts();
    checks.compare("workloads", "the set of workloads", workloads_of(base), workloads_of(changed));

    std::map<std::string, const CaseRecord*> after;
    for (const CaseRecord& one : changed.cases) after.emplace(key_of(one, allowed), &one);
    std::set<const CaseRecord*> taken;
    for (const CaseRecord& before : base.cases) {
        const auto found = after.find(key_of(before, allowed));
        if (found == after.end() || !taken.insert(found->second).second) {
            matches.only_in_base.push_back(&before);
            continue;
        }
        matches.pairs.push_back({&before, found->second});
        checks.compare_cases(matches.pairs.back());
    }
    for (const CaseRecord& one : changed.cases)
        if (!taken.contains(&one)) matches.only_in_new.push_back(&one);
    require_common_cases(base, changed, matches);
    return matches;
}

bool same_compiler(const Document& base, const Document& changed) {
    const results::Run* before = base.run();
    const results::Run* after = changed.run();
    if (!before || !after) return true;
    const auto alike = [](const Text& one, const Text& other) {
        return !one || !other || *one == *other;
    };
    return alike(before->compiler, after->compiler) && alike(before->runtime, after->runtime) &&
           alike(before->flags, after->flags) && alike(before->build_type, after->build_type);
}

}  // namespace camber::comparison
