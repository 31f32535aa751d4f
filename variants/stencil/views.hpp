// Building blocks of stencil kernels: their single argument, the neighborhood that they pass to a
// rule, and the store of its result.
#pragma once

#include "harness/machine/kernel/vocabulary.hpp"
#include "workloads/core/rule.hpp"

CAMBER_TARGET_BEGIN

template <class Tag>
using InputGrid = Grid<const typename Tag::Type>;
template <class Tag>
using OutputGrid = Grid<typename Tag::Type>;

// Argument of every stencil kernel: the fields that a rule reads and writes, all with the same
// size.
template <class Rule>
struct Views {
    typename Rule::Inputs::template Map<InputGrid> inputs;
    typename Rule::Outputs::template Map<OutputGrid> outputs;
    typename Rule::Parameters parameters{};
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

// Adapter from `read(tag, dcol, drow, site)` to the calls that rules make.
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

// Adapter from `read(dcol, drow, site)` to the calls of rules with one input. A lambda with a
// default argument would not do: in templates, GCC 13 takes the line of the lambda for its
// callers'.
template <class Read>
class CellReader {
  public:
    CAMBER_DEVICE explicit CellReader(const Read& read) : read_(read) {}

    CAMBER_EXEC_CHECK_DISABLE
    CAMBER_HD auto operator()(int dcol, int drow, Site site = Site::current()) const {
        return read_(dcol, drow, site);
    }

  private:
    const Read& read_;
};

// Adapter with the parameters of another generation than the launch's first.
template <class Rule, class Read>
CAMBER_DEVICE auto apply(const Views<Rule>&, const Read& read,
                         const typename Rule::Parameters& parameters, Site site = Site::current()) {
    const CallPath path(site);
    return Rule::next(Neighbourhood<Rule, Read>(read), parameters);
}

// New value of a cell by the rule; `read` returns neighbors. Each source location that calls
// apply() has its own instructions for the rule's lines.
template <class Rule, class Read>
CAMBER_DEVICE auto apply(const Views<Rule>& views, const Read& read, Site site = Site::current()) {
    const CallPath path(site);
    return Rule::next(Neighbourhood<Rule, Read>(read), views.parameters);
}

template <int N>
struct PackOf {
    template <class Tag>
    using Type = Pack<typename Tag::Type, N>;
};

// Stores a rule's results at index `c` of one pack per output.
template <class Rule, int I = 0, class Packs, class Result>
CAMBER_DEVICE void put_in_packs(Packs& packs, int c, const Result& result) {
    if constexpr (Rule::Outputs::count == 1) {
        get<0>(packs)[c] = result;
    } else if constexpr (I < Rule::Outputs::count) {
        get<I>(packs)[c] = get<I>(result);
        put_in_packs<Rule, I + 1>(packs, c, result);
    }
}

// Writes the result of a rule: one value, or Values<...> in the order of the rule's outputs.
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

// Writes N adjacent results, those of columns [column, column + N), with one access per output.
template <int N, class Rule, class Next>
CAMBER_DEVICE void store_packs(const Views<Rule>& views, int row, int column, const Next& next,
                               Site site = Site::current()) {
    typename Rule::Outputs::template Map<PackOf<N>::template Type> packs;
#pragma unroll
    for (int c = 0; c < N; ++c) put_in_packs<Rule>(packs, c, next(c));
    Rule::Outputs::for_each([&]<class Tag>(Tag) {
        constexpr int output = Rule::Outputs::template index<Tag>;
        store_pack(get<output>(views.outputs), row, column, get<output>(packs), site);
    });
}

// Relation of the blocks' regions to the board: exact cover, as the published kernels assume, or
// overhang on the right and below. Tests for the overhang cost a shared memory kernel up to a
// quarter of its speed (H200, 16384 x 16384, 4-byte cells), so kernels are compiled for both.
enum class Fit { overhang, exact };

template <class Rule>
using Kernel = void (*)(Views<Rule>);

template <class Rule>
struct KernelChoice {
    Kernel<Rule> overhang = nullptr;  // for any board
    Kernel<Rule> exact = overhang;    // for boards whose sides are multiples of the region's sides
};

// False if a rule never runs on a torus; its kernels are then not compiled for one.
template <class Rule>
constexpr bool runs_on_torus() {
    return !requires {
        Rule::closed;
    };
}
template <class Rule>
inline constexpr Boundary torus_if_any = runs_on_torus<Rule>() ? Boundary::torus : Boundary::dead;

// Fit::exact, except for heavy rules, which are compiled only once, for any board.
template <class Rule>
inline constexpr Fit exact_if_short = requires {
    Rule::heavy;
}
? Fit::overhang : Fit::exact;

// True if a cell of a block's region, with nonnegative row and column, is to be written.
template <Fit fit, class Rule>
CAMBER_DEVICE bool on_board(const Views<Rule>& views, int row, int column) {
    return fit == Fit::exact || (row < views.rows && column < views.columns);
}

// Reads cells of the board and its halo in coordinates relative to (first_row, first_column). If a
// block overhangs the halo on the right or below, cells there have the outside value.
template <Fit fit, class Rule, class Tag>
class Loader {
  public:
    CAMBER_DEVICE Loader(const Views<Rule>& views, Tag tag, int first_row, int first_column)
        : window_(views.input(tag).window(first_row, first_column)),
          rows_(views.rows + views.input(tag).halo() - first_row),
          columns_(views.columns + views.input(tag).halo() - first_column) {}

    CAMBER_DEVICE typename Tag::Type operator()(int row, int column,
                                                Site site = Site::current()) const {
        return load_if(fit == Fit::exact || (row < rows_ && column < columns_), window_, row,
                       column, Tag::outside(), site);
    }

  private:
    Window<const typename Tag::Type> window_;
    int rows_;
    int columns_;
};

CAMBER_TARGET_END
