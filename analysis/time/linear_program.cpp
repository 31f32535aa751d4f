#include "analysis/time/linear_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace camber {
namespace {

constexpr double tiny = 1e-9;

// A row for each condition, and the amount that it gives: all others are 0. The last row has what
// one more of each amount would cost.
class Tableau {
  public:
    explicit Tableau(const LinearProgram& program) : amounts_(program.costs.size()) {
        using Relation = LinearProgram::Relation;
        std::size_t slacks = 0;
        for (const auto& condition : program.conditions)
            slacks += condition.relation == Relation::at_most;
        artificial_ = amounts_ + slacks;
        columns_ = artificial_ + program.conditions.size() + 1;
        std::size_t slack = amounts_;
        for (const auto& condition : program.conditions) {
            std::vector<double> row(columns_);
            for (const auto& [amount, factor] : condition.terms) row[amount] += factor;
            if (condition.relation == Relation::at_most) row[slack++] = 1;
            row.back() = condition.bound;
            if (condition.bound < 0)
                for (double& value : row) value = -value;
            const std::size_t own = artificial_ + rows_.size();
            row[own] = 1;
            basis_.push_back(own);
            rows_.push_back(std::move(row));
        }
    }

    // Artificial amounts fill each condition at first. Whether they can all be 0.
    bool begin() {
        costs_.assign(columns_, 0);
        for (const auto& row : rows_)
            for (std::size_t c = 0; c < columns_; ++c)
                if (c < artificial_ || c + 1 == columns_) costs_[c] -= row[c];
        if (!descend()) return false;
        if (-costs_.back() > 1e-6) return false;
        leave_artificial();
        return true;
    }

    bool minimise(const std::vector<double>& costs) {
        costs_.assign(columns_, 0);
        for (std::size_t c = 0; c < amounts_; ++c) costs_[c] = costs[c];
        for (std::size_t r = 0; r < rows_.size(); ++r)
            if (basis_[r] < amounts_ && costs[basis_[r]] != 0)
                subtract(costs_, rows_[r], costs[basis_[r]]);
        return descend();
    }

    std::vector<double> amounts() const {
        std::vector<double> found(amounts_);
        for (std::size_t r = 0; r < rows_.size(); ++r)
            if (basis_[r] < amounts_) found[basis_[r]] = rows_[r].back();
        return found;
    }

  private:
    void subtract(std::vector<double>& from, const std::vector<double>& row, double factor) const {
        for (std::size_t c = 0; c < columns_; ++c) from[c] -= factor * row[c];
    }

    void pivot(std::size_t row, std::size_t column) {
        const double by = rows_[row][column];
        for (double& value : rows_[row]) value /= by;
        for (std::size_t r = 0; r < rows_.size(); ++r)
            if (r != row && rows_[r][column] != 0) subtract(rows_[r], rows_[row], rows_[r][column]);
        if (costs_[column] != 0) subtract(costs_, rows_[row], costs_[column]);
        basis_[row] = column;
    }

    // After steps that change no amount, the first column that saves anything, until one does.
    std::size_t entering(bool first) const {
        std::size_t best = columns_;
        double most = -tiny;
        for (std::size_t c = 0; c < artificial_; ++c) {
            if (costs_[c] >= most) continue;
            best = c;
            if (first) break;
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

    bool descend() {
        const std::size_t patience = rows_.size();
        std::size_t idle = 0;
        while (true) {
            const std::size_t column = entering(idle > patience);
            if (column == columns_) return true;
            const std::size_t row = leaving(column);
            if (row == rows_.size()) return false;
            idle = rows_[row].back() > tiny ? 0 : idle + 1;
            pivot(row, column);
        }
    }

    // Artificial amounts of 0 that still have a row give it up, where it has another.
    void leave_artificial() {
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            if (basis_[r] < artificial_) continue;
            for (std::size_t c = 0; c < artificial_; ++c)
                if (std::abs(rows_[r][c]) > tiny) {
                    pivot(r, c);
                    break;
                }
        }
    }

    std::size_t amounts_;
    std::size_t artificial_ = 0;  // the first of them
    std::size_t columns_ = 0;     // the last one has the bounds
    std::vector<std::vector<double>> rows_;
    std::vector<std::size_t> basis_;
    std::vector<double> costs_;
};

}  // namespace

std::optional<std::vector<double>> cheapest(const LinearProgram& program) {
    Tableau tableau(program);
    if (!tableau.begin() || !tableau.minimise(program.costs)) return std::nullopt;
    return tableau.amounts();
}

}  // namespace camber
