#include "workloads/state.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace camber {

namespace {

// In the order of ElementType.
constexpr std::array<ElementInfo, 5> elements{
    {{"uint8", 1}, {"uint32", 4}, {"int32", 4}, {"float32", 4}, {"float64", 8}}};

}  // namespace

ElementInfo info(ElementType type) {
    return elements[static_cast<std::size_t>(type)];
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
