#include "harness/base/state.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace camber {

namespace {

// In the order of ElementType.
constexpr std::array<ElementInfo, 6> elements{{{"uint8", 1, 8},
                                               {"uint32", 4, 32},
                                               {"int32", 4, 32},
                                               {"float32", 4, 32},
                                               {"float64", 8, 64},
                                               {"bits", 1, 1}}};

}  // namespace

ElementInfo info(ElementType type) {
    return elements[static_cast<std::size_t>(type)];
}

State converted(const State& state, ElementType from, ElementType to) {
    State result;
    result.account = state.account;
    const auto convert = [&]<class From, class To>(const HostField& field, From, To) {
        HostField& other = result.fields.emplace_back(field.name(), to, field.size());
        std::ranges::transform(field.cells<From>(), other.cells<To>().begin(),
                               [](From value) { return static_cast<To>(value); });
    };
    for (const HostField& field : state.fields) {
        if (field.element() != from || from == to)
            result.fields.push_back(field);
        else if (from == ElementType::float32 && to == ElementType::float64)
            convert(field, float{}, double{});
        else if (from == ElementType::float64 && to == ElementType::float32)
            convert(field, double{}, float{});
        else
            throw std::logic_error("only floating-point fields can be converted");
    }
    return result;
}

bool State::has(std::string_view name) const {
    return std::ranges::any_of(fields,
                               [&](const HostField& field) { return field.name() == name; });
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
