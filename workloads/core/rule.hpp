// Vocabulary of rules, in which a workload declares the fields that a step reads and writes and the
// computation per cell.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "harness/base/parameters.hpp"
#include "harness/base/target.hpp"

namespace camber {

// The vocabulary of rules: what one step of a workload reads, writes and computes.
//
// A rule is a struct with
//     using Inputs  = InputList<...>;     tags derived from Input<T, radius>, one per field read
//     using Outputs = OutputList<...>;    tags derived from Output<T>, one per field written
//     struct Parameters { ... };          trivially copyable, up to a few hundred bytes
//     template <class At> CAMBER_HD static T next(const At& at, const Parameters&);
// where `at(Tag{}, dcol, drow)` reads a field relative to the rule's cell, `at(dcol, drow)` does so
// when there is one input, and `next` returns the new value, or Values<...> when there are several
// outputs. The technique decides where `at` reads from; the reference reads plain host memory.
//
// A tag may add `static constexpr bool constant = true` (nothing writes the field during a run) and
// `corners = false` (of a field with radius 1: no diagonal neighbor is read), or `diamond = true`
// (only cells as many steps away as the radius, rows and columns together, are read). A rule that
// is one step of several adds `static constexpr const char* step`, its name; one that never runs on
// a torus `closed = true`; one whose code is long `heavy = true`, so that it is compiled for few
// shapes.
//
// A rule that computes only its workload's usual one of a family says so by
// `static constexpr Rules rules = Rules::usual`, and one that looks up any other by Rules::others.
// One whose result stays the same, to the last bit, where rows and columns change places says
// `symmetric = true`.
//
// A rule of one input with radius 1 whose result grows row by row may add the same in three parts,
// so that a stream of rows need not keep them: `using PartialSum = ...`, and of the cells (left,
// own, right) of the row above `sum_above(left, own, right, parameters)`, of its own row
// `sum_own(sum, left, own, right, parameters)`, and of the row below the new value,
// `next_below(sum, left, own, right, parameters)`. All operations are those of `next`, in its
// order.
//
// A rule with parameters adds
//     static Parameters parameters(const ParameterSet&);   those of generation 0
// and, where they change from generation to generation,
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

// A tag adds `static constexpr const char* field` (the workload's name for it) and
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

// A tuple that works in device code, fields in order.
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

// The parameters that hold this many generations after those that `parameters` are for.
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

// A rule that writes one field, and reads the same: the other fields stay as they are, so that it
// can run several generations in one launch.
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

// A rule that reads no other field than that.
template <class Rule>
constexpr bool iterates_one_field() {
    return Rule::Inputs::count == 1 && iterates<Rule>();
}

// The input of an iterating rule that it overwrites.
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

// Tags of rules for fields whose names are constants.

// Beyond the edge of a board the field is `beyond`.
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
