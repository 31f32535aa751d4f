#include "harness/run/ledger.hpp"

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

nlohmann::ordered_json Ledger::to_json() const {
    nlohmann::ordered_json list;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        const FinalState& now = rows_[k].state;
        const FinalState& before = rows_[k > 0 ? k - 1 : 0].state;
        nlohmann::ordered_json row{{"generation", rows_[k].generation}};
        double expected = before.amount;
        for (const AccountEntry& entry : workload_.facts().account) {
            const double change = now.account.at(entry.name) - before.account.at(entry.name);
            row[entry.name] = change;
            expected += entry.sign * change;
        }
        row[now.quantity] = now.amount;
        row["unaccounted"] = now.amount - expected;
        list.push_back(row);
    }
    return list;
}

}  // namespace camber
