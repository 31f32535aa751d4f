#include "harness/registry/shape.hpp"

namespace camber {

std::string Shape::name() const {
    if (path.empty()) return "";
    if (alignment != unaligned) return path + "/align" + std::to_string(alignment);
    return halo > 0 ? path + "/unaligned" : path;
}

}  // namespace camber
