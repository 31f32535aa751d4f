// Sequences of rules, applied one after another as kernels would apply them.
#pragma once

#include <cstring>

#include "workloads/core/reference.hpp"

namespace camber {

// Adds fields of type T that rules pass to each other, filled with a value that must not be used.
template <class T>
void add_scratch(State& state, std::initializer_list<const char*> names) {
    const Size size = state.fields[0].size();
    for (const char* name : names)
        for (T& cell : state.fields.emplace_back(name, element_of<T>(), size).template cells<T>())
            cell = static_cast<T>(-12345);
}

template <class... Rules>
void run_rules(State& state, const GenerationContext& context) {
    const auto run = [&]<class Rule>(Rule) {
        State next = state;
        reference_step<Rule>(state, next, context);
        state = std::move(next);
    };
    (run(Rules{}), ...);
}

inline bool same_bytes(const HostField& a, const HostField& b) {
    return a.bytes().size() == b.bytes().size() &&
           std::memcmp(a.bytes().data(), b.bytes().data(), a.bytes().size()) == 0;
}

}  // namespace camber
