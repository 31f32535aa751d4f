// Predicted times of both files as a comparison shows them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/base/number_text.hpp"
#include "harness/cli/common/text_table.hpp"
#include "harness/cli/compare/pages.hpp"
#include "harness/cli/compare/wording.hpp"

namespace camber {

using namespace compare;

namespace {

constexpr double unchanged_share = 0.001;

bool unchanged(const PredictedPair& pair) {
    return std::abs(pair.ratio() - 1) <= unchanged_share;
}

std::string predicted_text(const PredictedTimeOf& time) {
    return fmt::format("{}{} ({} ... {})", duration(time.seconds * 1e9), time.uncertain ? "?" : "",
                       duration(time.low * 1e9), duration(time.high * 1e9));
}

std::string binding_of(const PredictedPair& pair) {
    return pair.base.binding == pair.changed.binding
               ? pair.base.binding
               : fmt::format("{}, then {}", pair.base.binding, pair.changed.binding);
}

// Without those that are the same, whose number stands in `others`.
TextTable predicted_rows(const PredictedTimes& times, std::size_t most, std::string& others,
                         bool code) {
    TextTable table({"predicted", "BASE", "NEW", "ratio", "intervals", "binds"}, 1);
    std::size_t rows = 0;
    std::size_t equal = 0;
    for (const PredictedPair& pair : times.pairs) {
        if (unchanged(pair)) {
            ++equal;
            continue;
        }
        if (++rows > most) continue;
        table.add({code ? markdown_escaped(pair.name) : pair.name, predicted_text(pair.base),
                   predicted_text(pair.changed), fmt::format("{:.3f}", pair.ratio()),
                   pair.apart() ? "apart" : "overlap", binding_of(pair)});
    }
    if (rows > most) others += fmt::format("{} more are left out\n", rows - most);
    if (equal > 0)
        others +=
            fmt::format("{} predicted time{} the same\n", equal, equal == 1 ? " is" : "s are");
    return table;
}

std::string predicted_heading(const PredictedTimes& times) {
    return fmt::format("predicted times of a generation on {}: information, no verdict",
                       times.device());
}

}  // namespace

std::string predicted_table(const PredictedTimes& times) {
    if (times.empty()) return "";
    std::string others;
    const TextTable table = predicted_rows(times, times.pairs.size(), others, false);
    return fmt::format("{}\n{}{}", predicted_heading(times), table.empty() ? "" : table.plain(),
                       others);
}

std::string predicted_markdown(const PredictedTimes& times, std::size_t most) {
    if (times.empty()) return "";
    std::string others;
    const TextTable table = predicted_rows(times, most, others, true);
    return fmt::format("<details><summary>{}</summary>\n\n{}\n{}\n</details>\n\n",
                       markdown_escaped(predicted_heading(times)),
                       table.empty() ? "" : table.markdown(), others);
}

}  // namespace camber
