// What stencil kernels are made of: their one argument, the neighbourhood they hand to a rule, and
// the store of its result.
#pragma once

#include "harness/kernel/vocabulary.hpp"
#include "workloads/rule.hpp"

CAMBER_TARGET_BEGIN

template <class Tag>
using InputGrid = Grid<const typename Tag::Type>;
template <class Tag>
using OutputGrid = Grid<typename Tag::Type>;

// The argument of every stencil kernel: the fields a rule reads and writes, all of the same size.
template <class Rule>
struct Views {
    typename Rule::Inputs::template Map<InputGrid> inputs;
    typename Rule::Outputs::template Map<OutputGrid> outputs;
    typename Rule::Parameters parameters;
    int columns = 0;
    int rows = 0;

    template <class Tag>
    CAMBER_HD const InputGrid<Tag>& input(Tag) const {
        return get<Rule::Inputs::template index<Tag>>(inputs);
    }
    CAMBER_HD bool inside(int row, int column) const {
        return row >= 0 && row < rows && column >= 0 && column < columns;
    }
};

template <class Rule>
using Kernel = void (*)(Views<Rule>);

// Adapts `read(tag, dcol, drow, site)` to the calls that rules make.
template <class Rule, class Read>
class Neighbourhood {
  public:
    CAMBER_DEVICE explicit Neighbourhood(const Read& read) : read_(read) {}

    CAMBER_EXEC_CHECK_DISABLE
    template <class Tag>
    CAMBER_HD typename Tag::Type operator()(Tag tag, int dcol, int drow,
                                            Site site = Site::current()) const {
        return read_(tag, dcol, drow, site);
    }
    CAMBER_EXEC_CHECK_DISABLE
    CAMBER_HD auto operator()(int dcol, int drow, Site site = Site::current()) const
        requires(Rule::Inputs::count == 1) {
        return read_(typename Rule::Inputs::template At<0>{}, dcol, drow, site);
    }

  private:
    const Read& read_;
};

// The rule's new value of a cell whose neighbours `read` delivers.
template <class Rule, class Read>
CAMBER_DEVICE auto apply(const Views<Rule>& views, const Read& read) {
    return Rule::next(Neighbourhood<Rule, Read>(read), views.parameters);
}

// Writes what a rule returned: one value, or Values<...> in the order of the rule's outputs.
template <class Rule, class Result, int I = 0>
CAMBER_DEVICE void store(const Views<Rule>& views, int row, int column, const Result& result,
                         Site site = Site::current()) {
    if constexpr (Rule::Outputs::count == 1) {
        get<0>(views.outputs)(row, column, site) = result;
    } else if constexpr (I < Rule::Outputs::count) {
        get<I>(views.outputs)(row, column, site) = get<I>(result);
        store<Rule, Result, I + 1>(views, row, column, result, site);
    }
}

// Reads a cell of the board or its halo; blocks that overhang the halo on the right or below get
// the outside value instead.
template <class Rule, class Tag>
CAMBER_DEVICE typename Tag::Type load(const Views<Rule>& views, Tag tag, int row, int column,
                                      Site site = Site::current()) {
    const auto& grid = views.input(tag);
    if (row < views.rows + grid.halo() && column < views.columns + grid.halo())
        return grid(row, column, site);
    return Tag::outside();
}

CAMBER_TARGET_END
