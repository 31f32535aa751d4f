// Timeline of devices and host: kernels, copies, waits and host calls, on one clock.
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
    upload,    // from the host to a device
    download,  // from a device to the host
    peer,      // from one device to another
    copy,      // within a device
    fill,
    wait,      // the host waits for a device
    barrier,   // a device waits for other devices
    issue,     // a host call that submits or prepares device work
    graph,     // replay of recorded work
    range,     // named phase or step
    overhead,  // profiler overhead
};

inline constexpr std::array span_kinds{SpanKind::kernel, SpanKind::upload,  SpanKind::download,
                                       SpanKind::peer,   SpanKind::copy,    SpanKind::fill,
                                       SpanKind::wait,   SpanKind::barrier, SpanKind::issue,
                                       SpanKind::graph,  SpanKind::range,   SpanKind::overhead};

std::string_view name(SpanKind kind);

// Returns true if bytes move and nothing is computed.
constexpr bool is_copy(SpanKind kind) {
    return kind == SpanKind::upload || kind == SpanKind::download || kind == SpanKind::peer ||
           kind == SpanKind::copy;
}

// A queue of a device, or a host thread that drives it.
struct Lane {
    int place = 0;  // index into Timeline::places
    std::string name;
    bool host = false;
};

struct Span {
    SpanKind kind = SpanKind::kernel;
    int lane = 0;  // index into Timeline::lanes
    std::string name;
    std::int64_t start_ns = 0;  // relative to the first span of the timeline
    std::int64_t end_ns = 0;
    std::int64_t bytes = 0;  // bytes moved by a copy or a fill
    // Equal positive numbers identify a host call and the device work that it submitted; 0:
    // unknown.
    std::int64_t correlation = 0;
};

struct Timeline {
    std::string name;                 // of the case
    std::vector<std::string> places;  // "cuda:0", "rank 1"
    std::vector<Lane> lanes;
    std::vector<Span> spans;  // in start order
    // Maximum difference between the clocks of the devices and the host; absent if unknown.
    std::optional<double> residual_ns;
};

}  // namespace camber
