// What places did and when: kernels, copies, waits and the host's calls, on one clock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

enum class SpanKind {
    kernel,
    upload,    // from the host to a place
    download,  // from a place to the host
    peer,      // a copy from one place to another
    copy,      // within a place
    fill,
    wait,      // of the host for a place
    barrier,   // of a place for the other places
    issue,     // a call of the host that gives a place work, or prepares it
    graph,     // a replay of recorded work
    range,     // a phase or a step by its name
    overhead,  // of the profiler
};

inline constexpr std::array span_kinds{SpanKind::kernel, SpanKind::upload,  SpanKind::download,
                                       SpanKind::peer,   SpanKind::copy,    SpanKind::fill,
                                       SpanKind::wait,   SpanKind::barrier, SpanKind::issue,
                                       SpanKind::graph,  SpanKind::range,   SpanKind::overhead};

std::string_view name(SpanKind kind);

// Whether bytes move and nothing is computed.
constexpr bool is_copy(SpanKind kind) {
    return kind == SpanKind::upload || kind == SpanKind::download || kind == SpanKind::peer ||
           kind == SpanKind::copy;
}

// A queue of a place, or a thread of the host that drives it.
struct Lane {
    int place = 0;  // into Timeline::places
    std::string name;
    bool host = false;
};

struct Span {
    SpanKind kind = SpanKind::kernel;
    int lane = 0;  // into Timeline::lanes
    std::string name;
    std::int64_t start_ns = 0;  // of the timeline's clock, from its first span on
    std::int64_t end_ns = 0;
    std::int64_t bytes = 0;  // that a copy or a fill moves
    // The same number, from 1 on, for a call of the host and for the work that it gave a place;
    // 0: not known.
    std::int64_t correlation = 0;
};

struct Timeline {
    std::string name;                 // of the case
    std::vector<std::string> places;  // "cuda:0", "rank 1"
    std::vector<Lane> lanes;
    std::vector<Span> spans;  // by their start
    // By which the clocks of the places and the host's may differ at most; absent where that
    // cannot be told.
    std::optional<double> residual_ns;
};

}  // namespace camber
