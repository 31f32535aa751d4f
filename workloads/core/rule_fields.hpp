// The fields of a board, as its rules declare them.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "workloads/core/board_fields.hpp"

namespace camber {

// Adds what a rule reads and writes to the fields that are known already.
template <class Rule>
void add_fields_of(std::vector<BoardField>& fields) {
    const auto named = [&](const char* name, ElementType element) -> BoardField& {
        const auto found = std::ranges::find(fields, name, &BoardField::name);
        if (found != fields.end()) return *found;
        return fields.emplace_back(BoardField{name, element, {}, false, false});
    };
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        const typename Tag::Type outside = Tag::outside();
        BoardField& field = named(Tag::field, element_of<typename Tag::Type>());
        std::memcpy(field.outside.data(), &outside, sizeof outside);
        field.read = true;
    });
    Rule::Outputs::for_each([&]<class Tag>(Tag) {
        named(Tag::field, element_of<typename Tag::Type>()).written = true;
    });
}

template <class... Rules>
std::vector<BoardField> fields_of_rules() {
    std::vector<BoardField> fields;
    (add_fields_of<Rules>(fields), ...);
    return fields;
}

}  // namespace camber
