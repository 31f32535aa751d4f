
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

#include "analysis/profile/diagnosis.hpp"
#include "analysis/profile/figures.hpp"
#include "harness/base/text/text.hpp"

namespace camber::profile {

namespace {

constexpr double alike = 0.03;      // amounts within this share count as equal
constexpr std::size_t at_most = 2;  // maximum number of amounts that a clause names per side

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> parts;
    std::istringstream text(name);
    for (std::string part; std::getline(text, part, '/');) parts.push_back(part);
    return parts;
}

std::string others(const std::vector<std::string>& of, const std::vector<std::string>& than) {
    std::string text;
    for (const std::string& part : of)
        if (std::ranges::find(than, part) == than.end()) text += (text.empty() ? "" : "/") + part;
    return text;
}

struct Amount {
    const char* what;
    std::optional<double> of_slower;
    std::optional<double> of_faster;

    bool known() const { return of_slower && of_faster; }
    bool only_slower() const { return *of_slower > 0 && *of_faster == 0; }
    double ratio() const { return *of_slower / *of_faster; }
};

// Amounts per generation; DRAM bytes come first.
std::vector<Amount> amounts_of(const Facts& slower, const Facts& faster) {
    const Amounts a = amounts(slower);
    const Amounts b = amounts(faster);
    std::vector<Amount> all{
        {"bytes of DRAM", a.dram_bytes(), b.dram_bytes()},
        {"bytes at L2", a.l2_bytes, b.l2_bytes},
        {"sectors at L1", a.l1_sectors, b.l1_sectors},
        {"wavefronts of shared memory", a.shared_wavefronts, b.shared_wavefronts},
        {"warp instructions", a.warp_instructions, b.warp_instructions},
        {"double-precision instructions", a.fp64_instructions, b.fp64_instructions},
        {"loads and stores of spilled registers", a.spill_instructions, b.spill_instructions},
    };
    for (Amount& amount : all) {
        if (amount.of_slower) *amount.of_slower /= slower.generations_per_launch;
        if (amount.of_faster) *amount.of_faster /= faster.generations_per_launch;
    }
    std::erase_if(all, [](const Amount& amount) {
        return !amount.known() || (*amount.of_slower == 0 && *amount.of_faster == 0);
    });
    return all;
}

std::string more(double ratio, const std::string& what) {
    return ratio < 2 ? decimal(100 * (ratio - 1), 0) + " % more " + what
                     : decimal(ratio, 1) + " times the " + what;
}

std::string fewer(double ratio, const std::string& what) {
    return decimal(100 * (1 - ratio), 0) + " % fewer " + what;
}

// Returns true if bank conflicts cause most of the slower variant's extra wavefronts.
bool by_conflicts(const Facts& slower, const Facts& faster) {
    const Amounts a = amounts(slower);
    const Amounts b = amounts(faster);
    if (!a.bank_conflicts || !b.bank_conflicts || !a.shared_wavefronts || !b.shared_wavefronts)
        return false;
    const auto more = [&](std::optional<double> Amounts::*amount) {
        return *(a.*amount) / slower.generations_per_launch -
               *(b.*amount) / faster.generations_per_launch;
    };
    return more(&Amounts::bank_conflicts) > 0.5 * more(&Amounts::shared_wavefronts);
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
    return text;
}

// "DRAM at 91 %"; "" where unknown.
std::string limit_of(const Facts& facts) {
    if (!(facts.time.median > 0 && facts.cells > 0 && facts.application_bytes > 0)) return "";
    const Diagnosis diagnosis = diagnose(facts);
    if (diagnosis.limit == Limit::unknown) return "";
    if (diagnosis.limit != Limit::resource) return diagnosis.verdict;
    return diagnosis.verdict + " at " + percent(diagnosis.utilisations.front().share(), 0);
}

std::string limits(const Facts& slower, const Facts& faster, const DistinctNames& names) {
    const std::string of_slower = limit_of(slower);
    const std::string of_faster = limit_of(faster);
    if (of_slower.empty() && of_faster.empty()) return "";
    if (of_slower == of_faster) return "both are limited by " + of_slower;
    std::vector<std::string> parts;
    if (!of_slower.empty()) parts.push_back(names.first + " is limited by " + of_slower);
    if (!of_faster.empty()) parts.push_back(names.second + " by " + of_faster);
    if (of_slower.empty()) parts.front() = names.second + " is limited by " + of_faster;
    return joined(parts, ", ");
}

}  // namespace

DistinctNames distinct_names(const std::string& first, const std::string& second) {
    const auto a = parts_of(first);
    const auto b = parts_of(second);
    const DistinctNames names{others(a, b), others(b, a)};
    return names.first.empty() || names.second.empty() ? DistinctNames{first, second} : names;
}

std::string reason(const Facts& slower, const Facts& faster) {
    const DistinctNames names = distinct_names(slower.variant, faster.variant);
    std::vector<Amount> all = amounts_of(slower, faster);
    if (all.empty()) return "no counters";

    const bool same_dram = all.front().what == std::string("bytes of DRAM") &&
                           std::abs(std::log(all.front().ratio())) < std::log(1 + alike);
    const auto size = [](const Amount& amount) {
        return std::abs(std::log(amount.ratio()));  // infinite if only one has any
    };
    std::ranges::stable_sort(all, std::greater<>(), size);
    std::vector<std::string> only;   // the faster one has none of these
    std::vector<std::string> has;    // more
    std::vector<std::string> saves;  // less
    for (const Amount& amount : all) {
        const std::string what = amount.what;
        const bool wavefronts = what == "wavefronts of shared memory";
        if (amount.only_slower())
            only.push_back(what);
        else if (*amount.of_slower == 0)
            saves.push_back("no " + what);
        else if (amount.ratio() > 1 + alike)
            has.push_back(more(amount.ratio(), what) + (wavefronts && by_conflicts(slower, faster)
                                                            ? ", by bank conflicts"
                                                            : ""));
        else if (amount.ratio() < 1 / (1 + alike))
            saves.push_back(fewer(amount.ratio(), what));
    }
    has.resize(std::min(has.size(), only.empty() ? at_most : at_most - 1));
    if (!only.empty())
        has.insert(has.begin(), joined(only, " and ") + ", of which " + names.second + " has none");
    std::vector<std::string> clauses;
    if (!has.empty()) clauses.push_back(names.first + " has " + joined(has, ", and "));
    if (!saves.empty())
        clauses.push_back((has.empty() ? names.first + ", the slower, has " : std::string("but ")) +
                          saves.front());
    if (same_dram) clauses.push_back("both move the same bytes of DRAM");
    if (std::string text = limits(slower, faster, names); !text.empty())
        clauses.push_back(std::move(text));
    return clauses.empty() ? "the counters do not tell them apart" : joined(clauses, "; ");
}

}  // namespace camber::profile
