#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "harness/cli/compare/pages.hpp"
#include "harness/cli/compare/wording.hpp"

namespace camber {

using namespace compare;

std::string self_test_table(const SelfTest& test) {
    std::string out;
    const auto to = std::back_inserter(out);
    std::vector<const SelfPair*> worst;
    for (const SelfPair& pair : test.pairs) worst.push_back(&pair);
    std::ranges::stable_sort(worst, std::greater(), &SelfPair::effect);
    constexpr std::size_t shown = 10;
    if (worst.size() > shown) worst.resize(shown);
    std::size_t width = 4;
    for (const SelfPair* pair : worst) width = std::max(width, pair->name.size());
    fmt::format_to(to, "{:<{}}  {:<9}  {:<9}  {:>6}  {}\n", "case", width, "halves of", "verdict",
                   "ratio", "95 % interval");
    for (const SelfPair* pair : worst)
        fmt::format_to(to, "{:<{}}  {:<9}  {:<9}  {:>6.4f}  {}\n", pair->name, width, pair->split,
                       name(pair->comparison.verdict), pair->comparison.time.ratio,
                       interval_of(pair->comparison));
    if (test.pairs.size() > worst.size())
        fmt::format_to(to, "and {} pairs that differ less\n", test.pairs.size() - worst.size());
    fmt::format_to(to,
                   "|ratio - 1| of all pairs: median {:.2f} %, 90 % under {:.2f} %, 95 % under "
                   "{:.2f} %, 99 % under {:.2f} %, largest {:.2f} %\n",
                   100 * test.median, 100 * test.p90, 100 * test.p95, 100 * test.p99,
                   100 * test.largest);
    if (test.threshold_one_in_50)
        fmt::format_to(
            to, "at most 1 in 50 pairs would alarm at --threshold {:.1f}%, none at {:.1f}%\n",
            100 * *test.threshold_one_in_50, 100 * test.threshold_without_alarm);
    else
        fmt::format_to(to,
                       "no pair would alarm at --threshold {:.1f}%; with fewer than 50 pairs that "
                       "says little\n",
                       100 * test.threshold_without_alarm);
    fmt::format_to(to, "{}\n", test.summary());
    return out;
}

}  // namespace camber
