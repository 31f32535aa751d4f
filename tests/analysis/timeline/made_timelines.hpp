// Handmade timelines.
#pragma once

#include "harness/base/timeline.hpp"

namespace camber::timeline_test {

// Two devices, each with a host lane and two queues: lanes 0 to 2 and 3 to 5.
inline Timeline two_places() {
    Timeline timeline;
    timeline.name = "made";
    timeline.places = {"cuda:0", "cuda:1"};
    for (const int place : {0, 1}) {
        timeline.lanes.push_back({place, "host", true});
        timeline.lanes.push_back({place, "edges", false});
        timeline.lanes.push_back({place, "middle", false});
    }
    return timeline;
}

inline Span span(SpanKind kind, int lane, std::int64_t start, std::int64_t end,
                 std::int64_t correlation = 0) {
    return {kind, lane, std::string(name(kind)), start, end, 0, correlation};
}

}  // namespace camber::timeline_test
