#include "harness/base/timeline.hpp"

namespace camber {

std::string_view name(SpanKind kind) {
    switch (kind) {
        case SpanKind::kernel:
            return "kernel";
        case SpanKind::upload:
            return "upload";
        case SpanKind::download:
            return "download";
        case SpanKind::peer:
            return "peer copy";
        case SpanKind::copy:
            return "copy";
        case SpanKind::fill:
            return "fill";
        case SpanKind::wait:
            return "wait";
        case SpanKind::barrier:
            return "barrier";
        case SpanKind::issue:
            return "issue";
        case SpanKind::graph:
            return "graph";
        case SpanKind::range:
            return "range";
        case SpanKind::overhead:
            return "overhead";
    }
    return "";
}

}  // namespace camber
