#include "harness/measure/ledger.hpp"

#include <algorithm>

namespace camber {

Ledger::Ledger(const Workload& workload, int generations, int rows)
    : workload_(workload),
      generations_(generations),
      interval_(std::max(1, (generations + rows - 1) / rows)) {}

void Ledger::enter(int generations, const State& state) {
    if (workload_.facts().account.empty()) return;
    if (generations % interval_ == 0 || generations == generations_)
        rows_.push_back({generations, workload_.final_state(state)});
}

std::vector<results::AccountRow> Ledger::rows() const {
    std::vector<results::AccountRow> list;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        const FinalState& now = rows_[k].state;
        const FinalState& before = rows_[k > 0 ? k - 1 : 0].state;
        results::AccountRow& row = list.emplace_back();
        row.generation = rows_[k].generation;
        row.quantity = now.quantity;
        row.amount = now.amount;
        double expected = before.amount;
        for (const AccountEntry& entry : workload_.facts().account) {
            const double change = now.account.at(entry.name) - before.account.at(entry.name);
            row.changes.emplace_back(entry.name, change);
            expected += entry.sign * change;
        }
        row.unaccounted = now.amount - expected;
    }
    return list;
}

}  // namespace camber
