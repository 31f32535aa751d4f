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

std::unique_ptr<Recording> Queue::record(const std::function<void()>&) {
    throw Error(ExitCode::usage,
                fmt::format("the {} backend cannot record work for replay", name(backend())),
                Remedy::backend_with_graphs);
}

void Queue::evict_caches() {
    throw Error(ExitCode::usage,
                fmt::format("the {} backend cannot empty its caches", name(backend())),
                Remedy::backend_with_caches);
}

Backend backend_named(std::string_view text) {
    for (const Backend backend : {Backend::cuda, Backend::simt, Backend::cpu})
        if (text == name(backend)) return backend;
    throw Error(ExitCode::usage,
                fmt::format("backend '{}' is unknown: choose auto, cuda, simt or cpu", text));
}

}  // namespace camber
