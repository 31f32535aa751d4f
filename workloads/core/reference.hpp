// CPU reference: applies a rule cell by cell to dense host memory. Every variant is verified
// against it, so it uses no halos, tiles or launches. Tests establish the rules themselves by known
// histories and golden numbers.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "harness/base/state.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/rule.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

namespace reference_detail {

template <class Tag>
using Source = const typename Tag::Type*;
template <class Tag>
using Target = typename Tag::Type*;

inline int wrapped(int i, int n) {
    return ((i % n) + n) % n;
}

// Neighborhood of one cell. If `interior` is true, it skips the test for the board's edge.
template <class Rule, bool interior>
struct Cells {
    const typename Rule::Inputs::template Map<Source>& sources;
    Size size;
    Boundary boundary;
    int row;
    int column;

    template <class Tag>
    typename Tag::Type operator()(Tag, int dcol, int drow) const {
        const auto* cells = get<Rule::Inputs::template index<Tag>>(sources);
        int r = row + drow;
        int c = column + dcol;
        if constexpr (!interior) {
            if (boundary == Boundary::torus) {
                r = wrapped(r, size.rows);
                c = wrapped(c, size.columns);
            } else if (r < 0 || r >= size.rows || c < 0 || c >= size.columns) {
                return Tag::outside();
            }
        }
        return cells[static_cast<std::ptrdiff_t>(r) * size.columns + c];
    }
    auto operator()(int dcol, int drow) const requires(Rule::Inputs::count == 1) {
        return (*this)(typename Rule::Inputs::template At<0>{}, dcol, drow);
    }
};

template <class Rule, int I = 0, class Targets, class Result>
void put(const Targets& targets, std::ptrdiff_t index, const Result& result) {
    if constexpr (Rule::Outputs::count == 1) {
        get<0>(targets)[index] = result;
    } else if constexpr (I < Rule::Outputs::count) {
        get<I>(targets)[index] = get<I>(result);
        put<Rule, I + 1>(targets, index, result);
    }
}

// Computes the cells of a row that are far from the board's edges. The arguments are copies: by
// reference, the compiler would have to assume that each store may change the size, and would not
// vectorize the loop.
template <class Rule, class Sources, class Targets, class Parameters>
void interior_of_row(Sources sources, Targets targets, Parameters parameters, Size size, int row) {
    constexpr int radius = Rule::Inputs::radius;
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * size.columns;
    const int end = size.columns - radius;
    for (int c = radius; c < end; ++c)
        put<Rule>(targets, start + c,
                  Rule::next(Cells<Rule, true>{sources, size, Boundary::dead, row, c}, parameters));
}

}  // namespace reference_detail

// Computes one step: reads the rule's inputs from `from` and writes its outputs to `to`, which must
// be a different state.
template <class Rule>
void reference_step(const State& from, State& to, const GenerationContext& context) {
    using namespace reference_detail;
    const auto parameters = parameters_of<Rule>(context.parameters, context.number);
    const Boundary boundary = context.boundary;
    typename Rule::Inputs::template Map<Source> sources;
    typename Rule::Outputs::template Map<Target> targets;
    Size size;
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        get<Rule::Inputs::template index<Tag>>(sources) =
            from.field(Tag::field).template cells<typename Tag::Type>().data();
        size = from.field(Tag::field).size();
    });
    Rule::Outputs::for_each([&]<class Tag>(Tag) {
        get<Rule::Outputs::template index<Tag>>(targets) =
            to.field(Tag::field).template cells<typename Tag::Type>().data();
    });
    constexpr int radius = Rule::Inputs::radius;

    const auto compute = [&](int row) {
        const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * size.columns;
        const auto edge = [&](int first, int last) {
            for (int c = first; c < last; ++c)
                put<Rule>(
                    targets, start + c,
                    Rule::next(Cells<Rule, false>{sources, size, boundary, row, c}, parameters));
        };
        if (row < radius || row >= size.rows - radius || size.columns <= 2 * radius) {
            edge(0, size.columns);
            return;
        }
        edge(0, radius);
        interior_of_row<Rule>(sources, targets, parameters, size, row);
        edge(size.columns - radius, size.columns);
    };
    parallel_rows(context.threads, size.rows, [&](int first, int last) {
        for (int row = first; row < last; ++row) compute(row);
    });
}

}  // namespace camber
