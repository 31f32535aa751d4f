#include "harness/base/boundary.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"

namespace camber {

std::string_view name(Boundary boundary) {
    return boundary == Boundary::torus ? "torus" : "dead";
}

Boundary boundary_named(std::string_view text) {
    if (text == "dead") return Boundary::dead;
    if (text == "torus") return Boundary::torus;
    throw Error(ExitCode::usage,
                fmt::format("boundary '{}' is unknown: choose dead or torus", text));
}

}  // namespace camber
