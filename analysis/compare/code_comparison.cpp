#include "analysis/compare/code_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace camber::comparison {
namespace {

using results::CodeInspection;
using results::CompiledKernel;

using Kernels = std::vector<const CompiledKernel*>;
using CodePair = std::pair<const CompiledKernel*, const CompiledKernel*>;

struct CodeMatches {
    std::vector<CodePair> pairs;
    Kernels only_in_base, only_in_new;
};

// Pairs kernels with equal keys: first those with equal code, then those from the same archive
// member, then the others in their order. Unpaired kernels stay in the lists.
template <class KeyOf>
void pair_by(const KeyOf& key_of, CodeMatches& matches) {
    std::map<std::string, std::pair<Kernels, Kernels>> groups;
    for (const CompiledKernel* kernel : matches.only_in_base)
        groups[key_of(*kernel)].first.push_back(kernel);
    for (const CompiledKernel* kernel : matches.only_in_new)
        groups[key_of(*kernel)].second.push_back(kernel);
    std::set<const CompiledKernel*> paired;
    const auto pair_if = [&](std::pair<Kernels, Kernels>& group, const auto& fit) {
        for (const CompiledKernel* before : group.first) {
            if (paired.contains(before)) continue;
            const auto found = std::ranges::find_if(group.second, [&](const CompiledKernel* after) {
                return !paired.contains(after) && fit(*before, *after);
            });
            if (found == group.second.end()) continue;
            matches.pairs.emplace_back(before, *found);
            paired.insert({before, *found});
        }
    };
    for (auto& [key, group] : groups) {
        if (group.first.empty() || group.second.empty()) continue;
        pair_if(group, [](const auto& a, const auto& b) { return a.hash == b.hash; });
        pair_if(group, [](const auto& a, const auto& b) { return a.members == b.members; });
        pair_if(group, [](const auto&, const auto&) { return true; });
    }
    const auto drop = [&](Kernels& kernels) {
        std::erase_if(kernels,
                      [&](const CompiledKernel* kernel) { return paired.contains(kernel); });
    };
    drop(matches.only_in_base);
    drop(matches.only_in_new);
}

std::string place_of(const CompiledKernel& kernel) {
    return fmt::format("{} {} ", kernel.architecture, static_cast<int>(kernel.kind));
}

// "{lambda(int)#2}" becomes "{lambda(int)#}": the number counts the lambdas of a function.
std::string without_lambda_numbers(const std::string& name) {
    std::string plain;
    for (std::size_t at = 0; at < name.size(); ++at) {
        plain += name[at];
        if (name[at] == '#')
            while (at + 1 < name.size() && name[at + 1] >= '0' && name[at + 1] <= '9') ++at;
    }
    return plain;
}

CodeMatches match_code(const CodeInspection& base, const CodeInspection& changed) {
    CodeMatches matches;
    for (const CompiledKernel& kernel : base.kernels) matches.only_in_base.push_back(&kernel);
    for (const CompiledKernel& kernel : changed.kernels) matches.only_in_new.push_back(&kernel);
    pair_by([](const CompiledKernel& kernel) { return place_of(kernel) + kernel.name; }, matches);
    pair_by([](const CompiledKernel& kernel) { return place_of(kernel) + kernel.hash; }, matches);
    pair_by(
        [](const CompiledKernel& kernel) {
            return place_of(kernel) + without_lambda_numbers(kernel.name);
        },
        matches);
    return matches;
}

class Judge {
  public:
    Judge(KernelComparison& into, const Allowed& allowed) : into_(into), allowed_(allowed) {}

    template <class T>
    void compare(std::string_view family, std::string quantity, const std::optional<T>& before,
                 const std::optional<T>& after, Effect increase = Effect::regression) {
        if (!before || !after || *before == *after) return;
        const Effect decrease = increase == Effect::regression    ? Effect::improvement
                                : increase == Effect::improvement ? Effect::regression
                                                                  : Effect::information;
        Effect effect = *after > *before ? increase : decrease;
        if (allowed_.contains(family)) effect = Effect::information;
        into_.changes.push_back({family, std::move(quantity), static_cast<double>(*before),
                                 static_cast<double>(*after), effect});
    }

  private:
    KernelComparison& into_;
    const Allowed& allowed_;
};

// Constant memory of the kernel: parameters and literals. The other banks are the whole file's.
std::optional<std::int64_t> constants_in(const CompiledKernel& kernel) {
    if (kernel.is_ptx()) return std::nullopt;
    std::int64_t bytes = 0;
    for (const char* bank : {"0", "2"})
        if (const auto found = kernel.constant_bytes.find(bank);
            found != kernel.constant_bytes.end())
            bytes += found->second;
    return bytes;
}

KernelComparison compared(const CodePair& pair, const Allowed& allowed) {
    const auto& [before, after] = pair;
    KernelComparison one;
    one.name = after->name;
    one.architecture = after->architecture;
    one.kind = after->kind;
    one.base_name = before->name == after->name ? "" : before->name;
    one.base_hash = before->hash;
    one.changed_hash = after->hash;
    one.same_code = before->hash == after->hash;
    one.code_allowed = allowed.contains("code");
    Judge judge(one, allowed);
    judge.compare("registers", "registers", before->registers, after->registers);
    judge.compare("memory", "local loads", before->local_loads, after->local_loads);
    judge.compare("memory", "local stores", before->local_stores, after->local_stores);
    judge.compare("memory", "stack bytes", before->stack_bytes, after->stack_bytes);
    judge.compare("memory", "shared bytes", before->shared_bytes, after->shared_bytes);
    for (const results::BlockOccupancy& at : before->occupancy) {
        const auto same =
            std::ranges::find(after->occupancy, at.threads, &results::BlockOccupancy::threads);
        if (same != after->occupancy.end())
            judge.compare("occupancy", fmt::format("occupancy at {} threads", at.threads),
                          std::optional(at.occupancy), std::optional(same->occupancy),
                          Effect::improvement);
    }
    judge.compare("code", "parameter and literal bytes", constants_in(*before),
                  constants_in(*after), Effect::information);
    judge.compare("code", "instructions", before->instructions, after->instructions,
                  Effect::information);
    std::ranges::stable_sort(one.changes, {}, &CodeChange::effect);
    one.state = one.same_code && one.changes.empty() ? CodeState::unchanged : CodeState::changed;
    return one;
}

KernelComparison alone(const CompiledKernel& kernel, CodeState state, const Allowed& allowed) {
    KernelComparison one;
    one.name = kernel.name;
    one.architecture = kernel.architecture;
    one.kind = kernel.kind;
    one.state = state;
    (state == CodeState::missing ? one.base_hash : one.changed_hash) = kernel.hash;
    one.allowed_missing = allowed.contains("missing");
    return one;
}

// Worst first.
int rank(const KernelComparison& one) {
    if (one.regressed()) return one.state == CodeState::missing ? 1 : 0;
    if (one.undecided()) return 2;
    if (one.state == CodeState::changed) return 3;
    return one.state == CodeState::unchanged ? 5 : 4;
}

std::string architectures_of(const CodeInspection& inspection) {
    std::set<std::string> names;
    for (const CompiledKernel& kernel : inspection.kernels) names.insert(kernel.architecture);
    return names.empty() ? "no kernels" : fmt::format("{}", fmt::join(names, ", "));
}

std::string of_kernels(std::size_t count) {
    return fmt::format("{} kernel{}", count, count == 1 ? "" : "s");
}

}  // namespace

std::string_view name(CodeState state) {
    switch (state) {
        case CodeState::unchanged:
            return "unchanged";
        case CodeState::changed:
            return "changed";
        case CodeState::missing:
            return "missing";
        case CodeState::added:
            break;
    }
    return "added";
}

std::size_t KernelComparison::count(Effect effect) const {
    return static_cast<std::size_t>(std::ranges::count(changes, effect, &CodeChange::effect));
}

bool KernelComparison::regressed() const {
    return count(Effect::regression) > 0 || (state == CodeState::missing && !allowed_missing);
}

ExitCode CodeComparison::exit_code() const {
    const bool failed = std::ranges::any_of(kernels, [&](const KernelComparison& one) {
        return one.regressed() || (fail_on_undecided && one.undecided());
    });
    return failed ? ExitCode::regression : ExitCode::success;
}

std::string CodeComparison::summary() const {
    std::string text = fmt::format("{} compared: ", of_kernels(counts.compared));
    if (counts.unchanged == counts.compared)
        text += "all unchanged";
    else
        text += fmt::format("{} unchanged, {} with other machine code, {} worse, {} better",
                            counts.unchanged, counts.changed_code, counts.worse, counts.better);
    if (counts.missing > 0) text += fmt::format(", {} missing", counts.missing);
    if (counts.added > 0) text += fmt::format(", {} added", counts.added);
    if (exit_code() == ExitCode::regression) return text + ": REGRESSION.";
    if (counts.changed_code > 0)
        return text + fmt::format(": no regression; measure {}.", counts.changed_code == 1
                                                                      ? "the changed one"
                                                                      : "the changed ones");
    return text + ": no measurement needed.";
}

CodeComparison compare_code(const CodeInspection& base, const CodeInspection& changed,
                            const Allowed& allowed, bool fail_on_undecided) {
    const CodeMatches matches = match_code(base, changed);
    if (matches.pairs.empty())
        throw Error(ExitCode::incomparable,
                    fmt::format("{} and {} have no kernel in common: the first has {}, the second "
                                "{}",
                                base.file, changed.file, architectures_of(base),
                                architectures_of(changed)));
    CodeComparison result;
    result.base = base.file;
    result.changed = changed.file;
    result.fail_on_undecided = fail_on_undecided;
    for (const CodePair& pair : matches.pairs) result.kernels.push_back(compared(pair, allowed));
    CodeCounts& counts = result.counts;
    counts.compared = result.kernels.size();
    for (const KernelComparison& one : result.kernels) {
        counts.unchanged += one.state == CodeState::unchanged;
        counts.changed_code += !one.same_code;
        counts.worse += one.regressed();
        counts.better += !one.regressed() && one.count(Effect::improvement) > 0;
        counts.renamed += !one.base_name.empty();
    }
    for (const CompiledKernel* kernel : matches.only_in_base)
        result.kernels.push_back(alone(*kernel, CodeState::missing, allowed));
    for (const CompiledKernel* kernel : matches.only_in_new)
        result.kernels.push_back(alone(*kernel, CodeState::added, allowed));
    counts.missing = matches.only_in_base.size();
    counts.added = matches.only_in_new.size();
    std::ranges::stable_sort(result.kernels, [](const auto& a, const auto& b) {
        return std::tuple(rank(a), std::string_view(a.architecture), std::string_view(a.name)) <
               std::tuple(rank(b), std::string_view(b.architecture), std::string_view(b.name));
    });
    if (counts.renamed > 0)
        result.notes.push_back(fmt::format(
            "{} of another name in BASE matched by code or without the numbers of lambdas",
            counts.renamed == 1 ? "1 kernel was" : fmt::format("{} kernels were", counts.renamed)));
    if (const auto undecoded = std::ranges::count_if(
            changed.kernels,
            [](const CompiledKernel& kernel) { return !kernel.is_ptx() && !kernel.instructions; });
        undecoded > 0)
        result.notes.push_back(fmt::format(
            "local loads and stores of {} were not counted: architectures before sm_70 are not "
            "decoded",
            of_kernels(static_cast<std::size_t>(undecoded))));
    return result;
}

}  // namespace camber::comparison
