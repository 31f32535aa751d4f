// Fields that a workload's kernels read and write, and the parameters of its rules, by name:
// derived from the declarations of its rules, for kernels from users that do not use these rules.
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

// Fields that a workload's kernels read and write, and the numbers that its rules take, by name:
// the rules' own declarations, for kernels that know no rules.
struct BoardField {
    std::string name;
    ElementType element = ElementType::float32;
    std::array<std::byte, 8> outside{};  // one element: what lies beyond the edge
    bool read = false;                   // by a generation
    bool written = false;
};

using RuleNumbers = std::map<std::string, std::vector<double>, std::less<>>;

// A workload of which a generation takes no more than kernels over a board.
class HasBoardFields {
  public:
    // Fields of the workload's state for `cell` cells.
    virtual std::vector<BoardField> fields(ElementType cell) const = 0;
    // The parameters of a run, and what the rules make of them: a blur's weights are those of its
    // sigma. Throws Error(usage) for parameters that make no sense.
    virtual RuleNumbers numbers(const ParameterSet& set) const { return set.all(); }

  protected:
    ~HasBoardFields() = default;
};

// Same as in HasBoardFields; other workloads have no fields, and unchanged parameters.
std::vector<BoardField> board_fields(const Workload& workload, ElementType cell);
RuleNumbers rule_numbers(const Workload& workload, const ParameterSet& set);

// The fields of a board, as its rules declare them.

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
