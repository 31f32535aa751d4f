#include "harness/cli/common/stopped.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "harness/cli/common/remedies.hpp"
#include "harness/cli/common/terminal.hpp"

namespace camber {

namespace {

// "18 of 79 cases measured"; "" where all are.
std::string measured_part(const results::Document& document) {
    const results::Run* run = document.run();
    if (!run || !run->incomplete) return "";
    const results::Incomplete& so_far = *run->incomplete;
    std::string text = fmt::format("{} of {} cases measured", so_far.cases, so_far.of_cases);
    if (so_far.of_visits != so_far.of_cases)
        text += fmt::format(", {} of {} visits", so_far.visits, so_far.of_visits);
    return text;
}

}  // namespace

void say_stopped(const results::Document& document, const std::string& why) {
    const std::string part = measured_part(document);
    if (!part.empty()) say_error(fmt::format("{}: {}", why, part));
}

void say_stopped(int done, int total, const std::string& what) {
    fmt::print(stderr, "camber: stopped: {} of {} {}\n", done, total, what);
}

void say_overdue(const std::string& sentence) {
    finish_output();
    fmt::print(stderr,
               "camber: {} and has not ended: mend its loop, or give more time with --timeout\n",
               sentence);
}

void say_device_lost(const std::string& sentence) {
    finish_output();
    fmt::print(stderr, "camber: {}\n", sentence);
}

void say_incomplete(const results::Document& document) {
    const std::string part = measured_part(document);
    if (!part.empty())
        say_error(fmt::format("the run of {} was stopped or has not ended yet: {}", document.source,
                              part));
}

}  // namespace camber
