// Checks the accuracy figures on a page of `camber model --measured`.
#pragma once

#include <regex>
#include <string>

#include "tests/catch.hpp"

namespace camber::committed {

// Number matched by the pattern's first group.
inline double figure(const std::string& text, const std::string& pattern) {
    std::smatch found;
    CAPTURE(pattern);
    REQUIRE(std::regex_search(text, found, std::regex(pattern)));
    return std::stod(found[1]);
}

// Targets: tau >= 0.80, a pick of at most 1.10 times the best time, a median error of at most 15 %,
// nine in ten errors below 35 %, and intervals that contain about nine in ten of the times.
// results/code/accuracy.md lists all boards.
struct Reached {
    const char* file;
    double inside;  // percentage of the times inside their interval
    double tau = 0.80;
    double pick = 1.10;
};

inline void check_agreement(const std::string& page, const Reached& reached) {
    CAPTURE(reached.file);
    CHECK(figure(page, "measured ranking: ([0-9.]+)") >= reached.tau);
    CHECK(figure(page, "([0-9.]+) for\\s+pairs whose times differ") >= 0.80);
    CHECK(figure(page, "takes ([0-9.]+) times as long as the fastest one") <= reached.pick);
    CHECK(figure(page, "median ([0-9.]+) %, 90th") <= 15);
    CHECK(figure(page, "90th percentile ([0-9]+) %") <= 35);
    CHECK(figure(page, "([0-9]+) % of the measured times are inside the predicted interval") >=
          reached.inside);
    // No skipped variant is the fastest or close to it.
    if (page.find("would skip none of them") == std::string::npos)
        CHECK(figure(page, "the fastest of these takes ([0-9.]+) times as") > 1.10);
}

}  // namespace camber::committed
