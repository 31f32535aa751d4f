#include "workloads/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/base/error.hpp"

namespace camber {

namespace {

// In the order of ElementType.
constexpr std::array<ElementInfo, 5> elements{
    {{"uint8", 1}, {"uint32", 4}, {"int32", 4}, {"float32", 4}, {"float64", 8}}};

}  // namespace

ElementInfo info(ElementType type) {
    return elements[static_cast<std::size_t>(type)];
}

ElementType element_named(std::string_view name) {
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (elements[i].name == name) return static_cast<ElementType>(i);
    throw Error(ExitCode::usage,
                fmt::format("cell type '{}' is unknown: choose uint8, uint32, int32, float32 or "
                            "float64",
                            name));
}

const HostField& State::field(std::string_view name) const {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const HostField& field) { return field.name() == name; });
    if (found == fields.end())
        throw std::logic_error("the workload has no field " + std::string(name));
    return *found;
}

HostField& State::field(std::string_view name) {
    return const_cast<HostField&>(std::as_const(*this).field(name));
}

}  // namespace camber
