// Names and types of the fields and parameters of a workload, derived from the declarations of its
// rules, for user kernels that do not use these rules.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "workloads/core/workload.hpp"

namespace camber {

// Description of one field for user kernels.
struct BoardField {
    std::string name;
    ElementType element = ElementType::float32;
    std::array<std::byte, 8> outside{};  // one element: the value beyond the board's edge
    bool read = false;                   // true if a generation reads it
    bool written = false;
};

using RuleNumbers = std::map<std::string, std::vector<double>, std::less<>>;

class HasNamedArrays;  // named_arrays.hpp

// Interface of workloads whose generation consists of kernels over a board only.
class HasBoardFields {
  public:
    // The problem's arrays, if it consists of arrays instead of a board's fields.
    virtual const HasNamedArrays* named_arrays() const { return nullptr; }
    // Fields of the workload's state for cell type `cell`.
    virtual std::vector<BoardField> fields(ElementType cell) const = 0;
    // Parameters of a run and the numbers that the rules derive from them, such as a blur's weights
    // from its sigma. Throws Error(usage) for invalid parameters.
    virtual RuleNumbers numbers(const ParameterSet& set) const { return set.all(); }

  protected:
    ~HasBoardFields() = default;
};

// Fields by HasBoardFields; empty for workloads without that interface.
std::vector<BoardField> board_fields(const Workload& workload, ElementType cell);
RuleNumbers rule_numbers(const Workload& workload, const ParameterSet& set);

// Derivation of fields from rule declarations.

// Adds the inputs and outputs of a rule to `fields`, each field once.
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
