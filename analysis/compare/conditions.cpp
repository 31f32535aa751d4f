#include "analysis/compare/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"

namespace camber::compare {

namespace {

using results::Case;
using results::ResultSet;
using Json = nlohmann::ordered_json;

// A value at a JSON pointer as text; nothing where it is absent or null.
std::optional<std::string> text_at(const Json& json, const char* pointer) {
    const Json::json_pointer place{pointer};
    if (!json.is_object() || !json.contains(place) || json.at(place).is_null()) return std::nullopt;
    const Json& value = json.at(place);
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::optional<std::string> size_of(const Case& from) {
    const auto columns = from.number("/size/columns");
    const auto rows = from.number("/size/rows");
    if (!columns || !rows) return std::nullopt;
    return fmt::format("{:.0f}x{:.0f}", *columns, *rows);
}

// Notes a difference, or throws where it is not allowed.
class Checks {
  public:
    Checks(const ResultSet& base, const ResultSet& changed, const Allowed& allowed,
           std::vector<std::string>& differences)
        : base_(base), changed_(changed), allowed_(allowed), differences_(differences) {}

    // `what`: a name of allowances; `subject`: in words.
    void compare(std::string_view what, const std::string& subject,
                 const std::optional<std::string>& before,
                 const std::optional<std::string>& after) {
        if (!before || !after || *before == *after) return;
        if (!allowed_.contains(what))
            throw Error(ExitCode::incomparable,
                        fmt::format("{} is {} in {} and {} in {}: measure both alike, or give "
                                    "--allow {}",
                                    subject, *before, base_.source, *after, changed_.source, what));
        const auto sentence = fmt::format("{}: {} in BASE, {} in NEW", subject, *before, *after);
        if (std::ranges::find(differences_, sentence) == differences_.end())
            differences_.push_back(sentence);
    }

    void compare_contexts() {
        const auto both = [&](std::string_view what, const char* subject, const char* pointer) {
            compare(what, subject, text_at(base_.context, pointer),
                    text_at(changed_.context, pointer));
        };
        both("gpu", "the GPU", "/camber/gpu/name");
        both("gpu", "the compute capability of the GPU", "/camber/gpu/compute_capability");
        both("gpu", "the number of SMs", "/camber/gpu/sm_count");
        both("driver", "the driver", "/camber/driver_version");
        both("driver", "CUDA's version of the driver", "/camber/driver");
    }

    void compare_cases(const Pair& pair) {
        const auto both = [&](std::string_view what, const char* subject, const char* pointer) {
            compare(what, subject, text_at(pair.base->camber, pointer),
                    text_at(pair.changed->camber, pointer));
        };
        compare("size", "the board", size_of(*pair.base), size_of(*pair.changed));
        both("cell", "the cell type", "/cell");
        both("boundary", "the boundary", "/boundary");
        both("backend", "the backend", "/backend");
        both("seed", "the seed", "/seed");
        both("generations", "the number of generations", "/generations");
        both("parameters", "the workload's parameters", "/workload_parameters");
        both("arch", "the compute capability of the model", "/model/arch");
    }

  private:
    const ResultSet& base_;
    const ResultSet& changed_;
    const Allowed& allowed_;
    std::vector<std::string>& differences_;
};

std::optional<std::string> workloads_of(const ResultSet& set) {
    std::set<std::string> names;
    for (const Case& one : set.cases)
        if (const auto workload = one.text("workload"); !workload.empty()) names.insert(workload);
    if (names.empty()) return std::nullopt;
    return fmt::format("{}", fmt::join(names, ", "));
}

// The name without the parts that may differ.
std::string key_of(const Case& from, const Allowed& allowed) {
    std::string key = from.name;
    const auto drop = [&](std::string_view what, const std::string& part) {
        if (part.empty() || !allowed.contains(what)) return;
        // Behind the variant's name, which may have a part of the same text.
        const std::size_t behind = std::min(from.text("variant").size(), key.size());
        const auto at = key.find("/" + part, behind);
        if (at == std::string::npos) return;
        const auto end = at + 1 + part.size();
        if (end == key.size() || key[end] == '/') key.erase(at, end - at);
    };
    drop("size", size_of(from).value_or(""));
    drop("cell", from.text("cell"));
    drop("backend", from.text("backend"));
    drop("boundary", from.text("boundary"));
    return key;
}

void require_common_cases(const ResultSet& base, const ResultSet& changed, const Matches& matches) {
    if (!matches.pairs.empty()) return;
    if (base.cases.empty() || changed.cases.empty())
        throw Error(ExitCode::incomparable,
                    fmt::format("{} has no cases: measure some",
                                base.cases.empty() ? base.source : changed.source));
    // A condition that is part of the names is the likely reason, and says more than names.
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

Allowed::Allowed(const std::vector<std::string>& names) : names_(names) {
    std::vector<std::string> known(std::begin(allowances), std::end(allowances));
    known.emplace_back("all");
    for (const std::string& name : names_)
        if (std::ranges::find(known, name) == known.end())
            throw Error(ExitCode::usage,
                        fmt::format("--allow does not know '{}'{}; choose of {}", name,
                                    suggestion(name, known), fmt::join(known, ", ")));
}

bool Allowed::contains(std::string_view what) const {
    return std::ranges::any_of(
        names_, [&](const std::string& name) { return name == what || name == "all"; });
}

Matches match(const ResultSet& base, const ResultSet& changed, const Allowed& allowed) {
    Matches matches;
    Checks checks(base, changed, allowed, matches.differences);
    checks.compare_contexts();
    checks.compare("workloads", "the set of workloads", workloads_of(base), workloads_of(changed));

    std::map<std::string, const Case*> after;
    for (const Case& one : changed.cases) after.emplace(key_of(one, allowed), &one);
    std::set<const Case*> taken;
    for (const Case& before : base.cases) {
        const auto found = after.find(key_of(before, allowed));
        if (found == after.end() || !taken.insert(found->second).second) {
            matches.only_in_base.push_back(&before);
            continue;
        }
        matches.pairs.push_back({&before, found->second});
        checks.compare_cases(matches.pairs.back());
    }
    for (const Case& one : changed.cases)
        if (!taken.contains(&one)) matches.only_in_new.push_back(&one);
    require_common_cases(base, changed, matches);
    return matches;
}

bool same_compiler(const ResultSet& base, const ResultSet& changed) {
    for (const char* pointer :
         {"/camber/compiler", "/camber/runtime", "/camber/flags", "/camber/build_type"}) {
        const auto before = text_at(base.context, pointer);
        const auto after = text_at(changed.context, pointer);
        if (before && after && *before != *after) return false;
    }
    return true;
}

}  // namespace camber::compare
