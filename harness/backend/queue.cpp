#include "harness/backend/queue.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"

namespace camber {

std::string_view name(Backend backend) {
    switch (backend) {
        case Backend::cuda:
            return "cuda";
        case Backend::simt:
            return "simt";
        case Backend::cpu:
            return "cpu";
    }
    return "";
}

Backend backend_named(std::string_view text) {
    for (const Backend backend : {Backend::cuda, Backend::simt, Backend::cpu})
        if (text == name(backend)) return backend;
    throw Error(ExitCode::usage,
                fmt::format("backend '{}' is unknown: choose auto, cuda, simt or cpu", text));
}

}  // namespace camber
