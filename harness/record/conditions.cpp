#include "harness/record/conditions.hpp"

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

std::string_view name(Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::canonical:
            return "canonical";
        case Arithmetic::reordered:
            return "reordered";
        case Arithmetic::unordered:
            return "unordered";
        case Arithmetic::rounded:
            return "rounded";
    }
    return "";
}

std::string_view name(Family family) {
    switch (family) {
        case Family::global_memory:
            return "global memory";
        case Family::shared_memory:
            return "shared memory";
        case Family::texture_or_constant:
            return "texture, constant";
        case Family::several_cells:
            return "several cells a thread";
        case Family::register_streaming:
            return "register streaming";
        case Family::several_generations:
            return "several generations";
        case Family::other:
            return "other";
    }
    return "";
}

std::string_view name(CacheState state) {
    return state == CacheState::hot ? "hot" : "cold";
}

std::string_view name(Submission submission) {
    return submission == Submission::stream ? "stream" : "graph";
}

std::string suffix(const Conditions& conditions) {
    std::string text;
    if (conditions.cache == CacheState::cold) text += ", cold";
    if (conditions.submission == Submission::graph) text += ", graph";
    return text;
}

}  // namespace camber
