#include "analysis/time/paths.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/time/linear_program.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

using Blocks = std::vector<results::BasicBlock>;
using Relation = LinearProgram::Relation;
using Terms = std::vector<std::pair<std::size_t, double>>;

// In instructions: of an access that is made and not in the flow, or the other way round.
constexpr double missing_access = 1000;
constexpr double other_width = 30;
constexpr double most_rounds = 2;  // of a loop, per entry
constexpr double most_missing = 0.05;
constexpr double nearly = 0.02;
constexpr double nearly_all = 0.95;

double count_of(const std::map<std::string, std::int64_t>& counts, const std::string& name) {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : static_cast<double>(found->second);
}

std::string kind_of(const std::string& name) {
    const auto width = name.find_last_of('_');
    const bool has_width = width != std::string::npos && width + 1 < name.size() &&
                           name.find_first_not_of("0123456789", width + 1) == std::string::npos;
    return has_width ? name.substr(0, width) : name;
}

class PathFlow {
  public:
    PathFlow(const Blocks& blocks, const Amounts& accesses)
        : blocks_(blocks), out_(blocks.size()), in_(blocks.size()) {
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            for (const int to : blocks[b].to)
                in_[static_cast<std::size_t>(to)].push_back({leave(b), b});
            if (blocks[b].ends) leave(b);
        }
        for (std::size_t b = 0; b < blocks.size(); ++b) keep(b);
        bound_rounds();
        std::set<std::string> names;
        for (const auto& [name, count] : accesses) names.insert(name);
        for (const auto& block : blocks)
            for (const auto& [name, count] : block.instructions)
                if (is_access(name)) names.insert(name);
        std::map<std::string, std::vector<std::string>> kinds;
        for (const std::string& name : names) {
            kinds[kind_of(name)].push_back(name);
            make({name}, amount_of(accesses, name), other_width);
        }
        for (const auto& [kind, of] : kinds) {
            double made = 0;
            for (const std::string& name : of) made += amount_of(accesses, name);
            missing_.push_back(make(of, made, missing_access));
            all_ += made;
        }
    }

    // Executions of each basic block; nullopt if too many accesses cannot be made.
    std::optional<std::vector<double>> solve() const {
        const auto amounts = cheapest(program_);
        if (!amounts) return std::nullopt;
        double missing = 0;
        for (const auto& [less, more] : missing_) missing += (*amounts)[less] + (*amounts)[more];
        if (missing > most_missing * all_) return std::nullopt;
        std::vector<double> executed(blocks_.size());
        for (std::size_t b = 0; b < blocks_.size(); ++b)
            for (const std::size_t way : out_[b]) executed[b] += (*amounts)[way];
        return executed;
    }

  private:
    struct Way {
        std::size_t amount;
        std::size_t from;
    };
    struct Difference {
        std::size_t less;
        std::size_t more;
    };

    // A way out of a block.
    std::size_t leave(std::size_t block) {
        out_[block].push_back(
            program_.add(count_of(blocks_[block].instructions, std::string(text_counts::total))));
        return out_[block].back();
    }

    // Flow conservation: inflow equals outflow, and one warp enters the first block.
    void keep(std::size_t block) {
        Terms terms;
        for (const std::size_t way : out_[block]) terms.emplace_back(way, 1);
        for (const Way& way : in_[block]) terms.emplace_back(way.amount, -1);
        program_.conditions.push_back({terms, Relation::equal, block == 0 ? 1.0 : 0.0});
    }

    bool in_loop(std::size_t block, int loop) const { return blocks_[block].loop == loop; }

    // A loop is entered where it begins.
    void bound_rounds() {
        for (std::size_t b = 1; b < blocks_.size(); ++b) {
            const int loop = blocks_[b].loop;
            if (loop == 0) continue;
            const auto comes_in = [&](const Way& way) { return !in_loop(way.from, loop); };
            if (std::ranges::none_of(in_[b], comes_in)) continue;
            Terms terms;
            for (const Way& way : in_[b])
                terms.emplace_back(way.amount, comes_in(way) ? 1 - most_rounds : 1);
            program_.conditions.push_back({terms, Relation::at_most, 0});
        }
    }

    // The flow makes these accesses so often, or what it makes less or more costs so much each.
    Difference make(const std::vector<std::string>& names, double made, double cost) {
        const Difference difference{program_.add(cost), program_.add(cost)};
        Terms at_least{{difference.less, -1}};
        Terms at_most{{difference.more, -1}};
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            double all = 0;
            double may = 0;
            for (const std::string& name : names) {
                all += count_of(blocks_[b].instructions, name);
                may += count_of(blocks_[b].predicated, name);
            }
            for (const std::size_t way : out_[b]) {
                if (all > 0) at_least.emplace_back(way, -all);
                if (all > may) at_most.emplace_back(way, all - may);
            }
        }
        program_.conditions.push_back({at_least, Relation::at_most, -made});
        program_.conditions.push_back({at_most, Relation::at_most, made});
        return difference;
    }

    const Blocks& blocks_;
    LinearProgram program_;
    std::vector<std::vector<std::size_t>> out_;
    std::vector<std::vector<Way>> in_;
    std::vector<Difference> missing_;
    double all_ = 0;
};

bool has_access(const results::BasicBlock& block) {
    return std::ranges::any_of(block.instructions,
                               [](const auto& entry) { return is_access(entry.first); });
}

bool is_whole(double times) {
    return std::abs(times - std::round(times)) < nearly;
}

bool are_whole(const Amounts& accesses) {
    return std::ranges::all_of(accesses, [](const auto& entry) { return is_whole(entry.second); });
}

void add(Amounts& to, const results::BasicBlock& block, double times) {
    for (const auto& [name, count] : block.instructions)
        if (name != text_counts::skippable) to[name] += times * static_cast<double>(count);
}

}  // namespace

std::optional<PathExecution> paths_taken(const Blocks& blocks, const Amounts& accesses) {
    if (blocks.empty()) return std::nullopt;
    const auto executed = PathFlow(blocks, accesses).solve();
    if (!executed) return std::nullopt;
    const bool alike = are_whole(accesses);
    bool passes_some = false;
    PathExecution paths;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const double times = (*executed)[b];
        if (alike && has_access(blocks[b]) && !is_whole(times)) return std::nullopt;
        passes_some = passes_some || (has_access(blocks[b]) && times < nearly_all);
        add(paths.most, blocks[b], std::max(times, 1.0));
        if (times <= 0) continue;
        add(paths.usual, blocks[b], times);
        paths.high += std::max(times, 1.0) *
                      (count_of(blocks[b].instructions, std::string(text_counts::total)) +
                       count_of(blocks[b].instructions, std::string(text_counts::skippable)));
    }
    if (!passes_some) return std::nullopt;
    return paths;
}

}  // namespace camber
