#include "harness/cli/common/stopped.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace camber {

std::string stopped_sentence(const results::Document& document) {
    const results::Run* run = document.run();
    if (!run || !run->incomplete) return "";
    const results::Incomplete& so_far = *run->incomplete;
    std::string text =
        fmt::format("stopped: {} of {} cases measured", so_far.cases, so_far.of_cases);
    if (so_far.of_visits != so_far.of_cases)
        text += fmt::format(", {} of {} visits", so_far.visits, so_far.of_visits);
    return text;
}

void say_stopped(const results::Document& document) {
    const std::string sentence = stopped_sentence(document);
    if (!sentence.empty()) fmt::print(stderr, "camber: {}\n", sentence);
}

}  // namespace camber
