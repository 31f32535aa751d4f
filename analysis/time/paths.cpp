// Control flow paths of a kernel's warps, derived from the accesses that they make. A linear
// program finds the cheapest flow through the basic blocks.
#include "analysis/time/executed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

constexpr double tiny = 1e-9;

// Simplex tableau: a row for each condition with its basic amount (all other amounts are 0). The
// last row contains the reduced costs.
class Tableau {
  public:
    explicit Tableau(const LinearProgram& program) : amounts_(program.costs.size()) {
        using Condition = LinearProgram::Condition;
        const auto has_slack = [](const Condition& condition) {
            return condition.relation == LinearProgram::Relation::at_most;
        };
        artificial_ = amounts_ + static_cast<std::size_t>(
                                     std::ranges::count_if(program.conditions, has_slack));
        columns_ = artificial_ + program.conditions.size() + 1;
        std::size_t slack = amounts_;
        for (const Condition& condition : program.conditions) {
            std::vector<double> row(columns_);
            for (const auto& [amount, factor] : condition.terms) row[amount] += factor;
            if (has_slack(condition)) row[slack++] = 1;
            row.back() = condition.bound;
            if (condition.bound < 0)
                for (double& value : row) value = -value;
            basis_.push_back(artificial_ + rows_.size());
            row[basis_.back()] = 1;
            rows_.push_back(std::move(row));
        }
    }

    std::optional<std::vector<double>> solve(const std::vector<double>& costs) {
        // Phase 1: artificial amounts form the initial basis, and all must become 0.
        costs_.assign(columns_, 0);
        for (const auto& row : rows_) subtract(costs_, row, 1);
        std::fill(costs_.begin() + static_cast<std::ptrdiff_t>(artificial_), costs_.end() - 1, 0);
        if (!descend() || -costs_.back() > 1e-6) return std::nullopt;
        leave_artificial();
        costs_.assign(columns_, 0);
        std::ranges::copy(costs, costs_.begin());
        for (std::size_t r = 0; r < rows_.size(); ++r)
            if (basis_[r] < amounts_ && costs[basis_[r]] != 0)
                subtract(costs_, rows_[r], costs[basis_[r]]);
        if (!descend()) return std::nullopt;
        std::vector<double> found(amounts_);
        for (std::size_t r = 0; r < rows_.size(); ++r)
            if (basis_[r] < amounts_) found[basis_[r]] = rows_[r].back();
        return found;
    }

  private:
    static void subtract(std::vector<double>& from, const std::vector<double>& row, double factor) {
        for (std::size_t c = 0; c < row.size(); ++c) from[c] -= factor * row[c];
    }

    void pivot(std::size_t row, std::size_t column) {
        const double by = rows_[row][column];
        for (double& value : rows_[row]) value /= by;
        for (std::size_t r = 0; r < rows_.size(); ++r)
            if (r != row && rows_[r][column] != 0) subtract(rows_[r], rows_[row], rows_[r][column]);
        if (costs_[column] != 0) subtract(costs_, rows_[row], costs_[column]);
        basis_[row] = column;
    }

    // Entering column: the steepest one or, after steps without progress, the first that reduces
    // the cost (Bland's rule).
    std::size_t entering(bool first) const {
        std::size_t best = columns_;
        double most = -tiny;
        for (std::size_t c = 0; c < artificial_ && !(first && best < columns_); ++c)
            if (costs_[c] < most) {
                best = c;
                most = costs_[c];
            }
        return best;
    }

    std::size_t leaving(std::size_t column) const {
        std::size_t best = rows_.size();
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            if (rows_[r][column] <= tiny) continue;
            const double ratio = rows_[r].back() / rows_[r][column];
            if (ratio > least + tiny ||
                (ratio > least - tiny && best < rows_.size() && basis_[r] > basis_[best]))
                continue;
            least = std::min(least, ratio);
            best = r;
        }
        return best;
    }

    // False if the cost is unbounded.
    bool descend() {
        std::size_t idle = 0;
        while (true) {
            const std::size_t column = entering(idle > rows_.size());
            if (column == columns_) return true;
            const std::size_t row = leaving(column);
            if (row == rows_.size()) return false;
            idle = rows_[row].back() > tiny ? 0 : idle + 1;
            pivot(row, column);
        }
    }

    // Removes artificial amounts of 0 from the basis where possible.
    void leave_artificial() {
        for (std::size_t r = 0; r < rows_.size(); ++r)
            for (std::size_t c = 0; basis_[r] >= artificial_ && c < artificial_; ++c)
                if (std::abs(rows_[r][c]) > tiny) pivot(r, c);
    }

    std::size_t amounts_;
    std::size_t artificial_ = 0;  // index of the first one
    std::size_t columns_ = 0;     // the last column contains the bounds
    std::vector<std::vector<double>> rows_;
    std::vector<std::size_t> basis_;
    std::vector<double> costs_;
};

}  // namespace

std::optional<std::vector<double>> cheapest(const LinearProgram& program) {
    return Tableau(program).solve(program.costs);
}

namespace {

using Blocks = std::vector<results::BasicBlock>;
using Relation = LinearProgram::Relation;
using Terms = std::vector<std::pair<std::size_t, double>>;

// Cost, in instructions, of an access that is counted but not in the flow, or the reverse; and of
// one that the flow makes with another width than counted.
constexpr double missing_access = 1000;
constexpr double other_width = 30;
constexpr double most_rounds = 2;  // of a loop, per entry
constexpr double most_missing = 0.05;
constexpr double nearly = 0.02;

// The name without a width at its end.
std::string kind_of(const std::string& name) {
    const auto last = name.find_last_not_of("0123456789");
    return last + 1 < name.size() && name[last] == '_' ? name.substr(0, last) : name;
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
        Amounts all = accesses;
        for (const auto& block : blocks)
            for (const auto& [name, count] : block.instructions)
                if (is_access(name)) all.try_emplace(name, 0);
        std::map<std::string, std::vector<std::string>> kinds;
        for (const auto& [name, made] : all) {
            kinds[kind_of(name)].push_back(name);
            // Code that makes an access of this width is more expensive than any other width.
            make({name}, made, occurs(name) ? missing_access : other_width, other_width);
        }
        for (const auto& [kind, of] : kinds) {
            double made = 0;
            for (const std::string& name : of) made += amount_of(accesses, name);
            missing_.push_back(make(of, made, missing_access, missing_access));
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

    // Adds an edge out of a block; returns its amount.
    std::size_t leave(std::size_t block) {
        out_[block].push_back(
            program_.add(amount_of(blocks_[block].instructions, text_counts::total)));
        return out_[block].back();
    }

    // Flow conservation: inflow equals outflow, and one warp enters the first block.
    void keep(std::size_t block) {
        Terms terms;
        for (const std::size_t way : out_[block]) terms.emplace_back(way, 1);
        for (const Way& way : in_[block]) terms.emplace_back(way.amount, -1);
        program_.conditions.push_back({terms, Relation::equal, block == 0 ? 1.0 : 0.0});
    }

    // Limits the iterations per entry of each loop. Entries lead to the loop's first block.
    void bound_rounds() {
        for (std::size_t b = 1; b < blocks_.size(); ++b) {
            const int loop = blocks_[b].loop;
            if (loop == 0) continue;
            const auto comes_in = [&](const Way& way) { return blocks_[way.from].loop != loop; };
            if (std::ranges::none_of(in_[b], comes_in)) continue;
            Terms terms;
            for (const Way& way : in_[b])
                terms.emplace_back(way.amount, comes_in(way) ? 1 - most_rounds : 1);
            program_.conditions.push_back({terms, Relation::at_most, 0});
        }
    }

    bool occurs(const std::string& name) const {
        return std::ranges::any_of(blocks_, [&](const results::BasicBlock& block) {
            return amount_of(block.instructions, name) > 0;
        });
    }

    // Requires that the flow executes these accesses `made` times. Each one less costs `less`
    // instructions, each one more `more`. Returns the amounts of accesses too few and too many.
    std::array<std::size_t, 2> make(const std::vector<std::string>& names, double made, double less,
                                    double more) {
        const std::array difference{program_.add(less), program_.add(more)};
        Terms at_least{{difference[0], -1}};
        Terms at_most{{difference[1], -1}};
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            double all = 0;
            double may = 0;
            for (const std::string& name : names) {
                all += amount_of(blocks_[b].instructions, name);
                may += amount_of(blocks_[b].predicated, name);
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
    std::vector<std::array<std::size_t, 2>> missing_;
    double all_ = 0;
};

bool is_whole(double times) {
    return std::abs(times - std::round(times)) < nearly;
}

}  // namespace

std::optional<Executions> paths_taken(const Blocks& blocks, const Amounts& accesses) {
    if (blocks.empty()) return std::nullopt;
    const auto executed = PathFlow(blocks, accesses).solve();
    if (!executed) return std::nullopt;
    const bool alike =
        std::ranges::all_of(accesses, [](const auto& entry) { return is_whole(entry.second); });
    Executions paths;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const double times = (*executed)[b];
        if (alike && !is_whole(times) &&
            std::ranges::any_of(blocks[b].instructions,
                                [](const auto& entry) { return is_access(entry.first); }))
            return std::nullopt;
        for (const auto& [name, count] : blocks[b].instructions) {
            if (name == text_counts::skippable) continue;
            paths.most[name] += std::max(times, 1.0) * static_cast<double>(count);
            if (times > 0) paths.instructions[name] += times * static_cast<double>(count);
        }
    }
    return paths;
}

}  // namespace camber
