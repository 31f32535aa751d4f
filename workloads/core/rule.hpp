// Vocabulary in which a workload declares its rules: the fields that a step reads and writes, and
// the computation per cell.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "harness/base/parameters.hpp"
#include "harness/base/target.hpp"

namespace camber {

// Declaration of a rule: what one step of a workload reads, writes and computes.
//
// A rule is a struct with
//     using Inputs  = InputList<...>;     tags derived from Input<T, radius>, one per field read
//     using Outputs = OutputList<...>;    tags derived from Output<T>, one per field written
//     struct Parameters { ... };          trivially copyable, up to a few hundred bytes
//     template <class At> CAMBER_HD static T next(const At& at, const Parameters&);
// where `at(Tag{}, dcol, drow)` reads a field relative to the rule's cell, `at(dcol, drow)` does
// the same if there is only one input, and `next` returns the new value, or Values<...> if there
// are several outputs. The technique decides where `at` reads from; the reference reads host
// memory.
//
// A tag may declare
//     static constexpr bool constant = true;   nothing writes the field during a run
//     static constexpr bool corners = false;   with radius 1: no diagonal neighbor is read
//     static constexpr bool diamond = true;    only cells with |dcol| + |drow| <= radius are read
//
// A rule may declare
//     static constexpr const char* step = ...;         its name as one step of several
//     static constexpr bool closed = true;             it never runs on a torus
//     static constexpr bool heavy = true;              its code is long: few shapes are compiled
//     static constexpr Rules rules = Rules::usual;     it computes only the default rule of a
//     family static constexpr Rules rules = Rules::others;    it looks up any rule of a family
//     static constexpr bool symmetric = true;          exchanging rows and columns changes no bit
//
// A rule with one input of radius 1 whose result can be accumulated row by row may declare the same
// computation in three parts, so that a stream of rows need not store the rows: `using PartialSum`,
// `sum_above(left, own, right, parameters)` with the cells of the row above,
// `sum_own(sum, left, own, right, parameters)` with those of the cell's own row, and
// `next_below(sum, left, own, right, parameters)` with those of the row below, which returns the
// new value. The parts perform the operations of `next` in the same order.
//
// A rule with parameters declares
//     static Parameters parameters(const ParameterSet&);   those of generation 0
// and, if they change from generation to generation,
//     CAMBER_HD static Parameters later(const Parameters&, int generations);
template <class Rule>
constexpr Rules rules_of() {
    if constexpr (requires { Rule::rules; })
        return Rule::rules;
    else
        return Rules::any;
}

template <class Rule>
constexpr bool is_symmetric() {
    return requires {
        Rule::symmetric;
    };
}

// A tag declares `static constexpr const char* field`, the workload's name of the field, and
// `CAMBER_HD static constexpr T outside()`, the value beyond the edge of a board that is not a
// torus.
template <class T, int Radius>
struct Input {
    using Type = T;
    static constexpr int radius = Radius;
};

template <class T>
struct Output {
    using Type = T;
};

// A tuple that works in device code; its fields are stored in order.
template <class... Ts>
struct Values {};

template <class First, class... Rest>
struct Values<First, Rest...> {
    First first;
    Values<Rest...> rest;
};

template <int I, class First, class... Rest>
CAMBER_HD constexpr auto& get(Values<First, Rest...>& values) {
    if constexpr (I == 0)
        return values.first;
    else
        return get<I - 1>(values.rest);
}
template <int I, class First, class... Rest>
CAMBER_HD constexpr const auto& get(const Values<First, Rest...>& values) {
    if constexpr (I == 0)
        return values.first;
    else
        return get<I - 1>(values.rest);
}

template <class... Tags>
struct TagList {
    static constexpr int count = sizeof...(Tags);

    template <class Tag>
    static constexpr int index = [] {
        int found = -1, i = 0;
        ((std::is_same_v<Tag, Tags> ? (found = i, ++i) : ++i), ...);
        return found;
    }();

    // Calls f(Tag{}) for each tag in order.
    CAMBER_EXEC_CHECK_DISABLE
    template <class F>
    CAMBER_HD static constexpr void for_each(F&& f) {
        (f(Tags{}), ...);
    }

    template <template <class> class Of>
    using Map = Values<Of<Tags>...>;

    template <int I>
    using At = std::remove_cvref_t<decltype(get<I>(std::declval<Values<Tags...>&>()))>;
};

template <class... Tags>
struct InputList : TagList<Tags...> {
    static constexpr int radius = [] {
        int largest = 0;
        ((largest = Tags::radius > largest ? Tags::radius : largest), ...);
        return largest;
    }();
};

template <class... Tags>
struct OutputList : TagList<Tags...> {};

// Parameters `generations` generations after those in `parameters`.
template <class Rule>
CAMBER_HD constexpr typename Rule::Parameters later(const typename Rule::Parameters& parameters,
                                                    int generations) {
    if constexpr (requires { Rule::later(parameters, generations); })
        return Rule::later(parameters, generations);
    else
        return parameters;
}

// Parameters of generation `number`, counted from 0.
template <class Rule>
typename Rule::Parameters parameters_of(const ParameterSet& set, int number) {
    if constexpr (requires { Rule::parameters(set); })
        return later<Rule>(Rule::parameters(set), number);
    else
        return {};
}

// True if a rule writes one field and also reads it, while all other fields stay unchanged: such a
// rule can compute several generations per launch.
template <class Rule>
constexpr bool iterates() {
    if constexpr (Rule::Outputs::count == 1) {
        bool reads_it = false;
        Rule::Inputs::for_each([&]<class Tag>(Tag) {
            using Out = typename Rule::Outputs::template At<0>;
            reads_it = reads_it || (std::string_view(Tag::field) == Out::field &&
                                    std::is_same_v<typename Tag::Type, typename Out::Type>);
        });
        return reads_it;
    } else {
        return false;
    }
}

// True if a rule reads only the field that it writes.
template <class Rule>
constexpr bool iterates_one_field() {
    return Rule::Inputs::count == 1 && iterates<Rule>();
}

// Input that an iterating rule overwrites.
template <class Rule, int I = 0>
struct IteratedInput {
    using Candidate = typename Rule::Inputs::template At<I>;
    static constexpr bool is_it =
        std::string_view(Candidate::field) == Rule::Outputs::template At<0>::field;
    template <bool found, class = void>
    struct Choose {
        using Tag = Candidate;
    };
    template <class Unused>
    struct Choose<false, Unused> {
        using Tag = typename IteratedInput<Rule, I + 1>::Tag;
    };
    using Tag = typename Choose<is_it>::Tag;
};

// Tags for fields whose names are constants.

// Tag with the value `beyond` outside the board.
template <class T, int Radius, const char* const& name, int beyond = 0>
struct FieldInput : Input<T, Radius> {
    static constexpr const char* field = name;
    CAMBER_HD static constexpr T outside() { return T(beyond); }
};

template <class T, const char* const& name>
struct FieldOutput : Output<T> {
    static constexpr const char* field = name;
};

}  // namespace camber
