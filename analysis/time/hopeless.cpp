#include "analysis/time/hopeless.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.hpp"

namespace camber {

Outlook outlook(const std::string& variant, const PredictedTime& time, int generations) {
    return {variant,
            time.seconds / generations,
            time.low / generations,
            time.high / generations,
            !time.uncertain(),
            generations};
}

const Outlook* best_outlook(const std::vector<Outlook>& all, int generations) {
    const Outlook* best = nullptr;
    for (const Outlook& one : all)
        if (one.certain && one.generations <= generations && (!best || one.high < best->high))
            best = &one;
    return best;
}

bool is_hopeless(const Outlook& one, const Outlook& best) {
    return one.certain && one.low > hopeless_factor * best.high;
}

std::string why_hopeless(const Outlook& one, const Outlook& best) {
    const auto text = [](double seconds) { return duration(seconds * 1e9); };
    return fmt::format("predicted {} per generation, at least {}; {} is predicted {}, at most {}",
                       text(one.seconds), text(one.low), best.variant, text(best.seconds),
                       text(best.high));
}

}  // namespace camber
