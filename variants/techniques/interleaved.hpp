// array_of_structures, vector_packed: the input fields of a rule are stored in one structure per
// cell, read member by member or as a whole by one access (float2, float4). All other techniques
// use a structure of arrays. Balasalle 2011, chapter 7 (packing of the surface-water fields, left
// as future work); CUDA C++ Best Practices Guide, "Coalesced Access".
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "harness/machine/kernel/pack.hpp"
#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

// Layout of the fields that `Rule` reads, which must have one type; slot k of the structure is
// input k.
template <class Rule>
struct Record {
    using T = typename Rule::Inputs::template At<0>::Type;
    static constexpr int fields = Rule::Inputs::count;

    static constexpr bool possible() {
        bool same = fields >= 2 && fields <= 4;
        Rule::Inputs::for_each(
            [&]<class Tag>(Tag) { same = same && std::is_same_v<typename Tag::Type, T>; });
        return same;
    }
    // Index of the input that an output overwrites, or -1.
    template <class Out>
    CAMBER_HD static constexpr int slot() {
        int found = -1, i = 0;
        Rule::Inputs::for_each([&]<class Tag>(Tag) {
            if (same_name(Tag::field, Out::field)) found = i;
            ++i;
        });
        return found;
    }

  private:
    CAMBER_HD static constexpr bool same_name(const char* a, const char* b) {
        while (*a != 0 && *a == *b) ++a, ++b;
        return *a == *b;
    }
};

template <class Rule, int K>
struct InterleavedViews {
    using T = typename Record<Rule>::T;
    Views<Rule> views;  // sizes, parameters, and outputs that are separate fields
    Grid<const Interleaved<T, K>> from;
    Grid<Interleaved<T, K>> to;
};

template <class Rule, int K, int I = 0, class Result>
CAMBER_DEVICE void store_interleaved(const InterleavedViews<Rule, K>& all, int row, int column,
                                     const Result& result, Site site = Site::current()) {
    if constexpr (I < Rule::Outputs::count) {
        using Out = typename Rule::Outputs::template At<I>;
        constexpr int slot = Record<Rule>::template slot<Out>();
        typename Out::Type value;
        if constexpr (Rule::Outputs::count == 1)
            value = result;
        else
            value = get<I>(result);
        if constexpr (slot >= 0)
            store_member<slot>(all.to, row, column, value, site);
        else
            get<I>(all.views.outputs)(row, column, site) = value;
        store_interleaved<Rule, K, I + 1>(all, row, column, result, site);
    }
}

template <class Rule, int K, bool at_once>
__global__ void interleaved_kernel(const InterleavedViews<Rule, K> all) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= all.views.rows || column >= all.views.columns) return;
    const auto read = [&]<class Tag>(Tag, int dcol, int drow, Site site) -> typename Tag::Type {
        constexpr int slot = Rule::Inputs::template index<Tag>;
        if constexpr (at_once)
            return whole(all.from, row + drow, column + dcol, site).slot[slot];
        else
            return member<slot>(all.from, row + drow, column + dcol, site);
    };
    store_interleaved<Rule, K>(all, row, column, apply(all.views, read));
}

// The structures of one rule on a queue, and its launches.
template <class Rule, int K, bool at_once>
class InterleavedExecution final : public Execution {
  public:
    using T = typename Record<Rule>::T;
    using Cell = Interleaved<T, K>;
    static constexpr int halo = Rule::Inputs::radius;
    static constexpr int alignment = K == 3 ? unaligned : 128;

    InterleavedExecution(Queue& queue, const Problem& problem, Region block)
        : queue_(queue),
          problem_(problem),
          parameters_(parameters_of<Rule>(problem.parameters, 0)),
          shape_(covering(problem.size, block)),
          layout_(
              Layout::make(problem.size.columns, problem.size.rows, halo, alignment, sizeof(Cell))),
          current_(queue, layout_.elements() * sizeof(Cell)),
          next_(queue, layout_.elements() * sizeof(Cell)),
          others_(queue) {
        Rule::Outputs::for_each([&]<class Out>(Out) {
            if (Record<Rule>::template slot<Out>() >= 0) return;
            const typename Out::Type zero{};
            others_.add(Out::field, element_of<typename Out::Type>(),
                        Layout::make(problem.size.columns, problem.size.rows, halo, 128,
                                     sizeof(typename Out::Type)),
                        std::as_bytes(std::span(&zero, 1)), Buffers::one);
        });
    }

    void upload(const State& initial) override {
        std::vector<Cell> cells(layout_.elements());
        Rule::Inputs::for_each([&]<class Tag>(Tag) {
            constexpr int slot = Rule::Inputs::template index<Tag>;
            for (Cell& cell : cells) cell.slot[slot] = Tag::outside();
            const auto field = initial.field(Tag::field).template cells<T>();
            for_each_cell([&](std::size_t dense, std::size_t laid_out) {
                cells[laid_out].slot[slot] = field[dense];
            });
        });
        const std::size_t bytes = cells.size() * sizeof(Cell);
        for (const Memory* memory : {&current_, &next_})
            queue_.upload(memory->get(), bytes, cells.data(), bytes, {bytes, 1});
        others_.upload(initial);
        number_ = 0;
    }

    void download(State& result) override {
        std::vector<Cell> cells(layout_.elements());
        const std::size_t bytes = cells.size() * sizeof(Cell);
        queue_.download(cells.data(), bytes, current_.get(), bytes, {bytes, 1});
        Rule::Inputs::for_each([&]<class Tag>(Tag) {
            constexpr int slot = Rule::Inputs::template index<Tag>;
            const auto field = result.field(Tag::field).template cells<T>();
            for_each_cell([&](std::size_t dense, std::size_t laid_out) {
                field[dense] = cells[laid_out].slot[slot];
            });
        });
        others_.download(result);
    }

    void poison(Poison poison) override {
        std::vector<ByteArea> members;
        std::vector<std::string> others;
        Rule::Outputs::for_each([&]<class Out>(Out) {
            constexpr int slot = Record<Rule>::template slot<Out>();
            if constexpr (slot >= 0)
                members.push_back(
                    {.first = &(static_cast<Cell*>(next_.get()) + layout_.origin())->slot[slot],
                     .pitch = layout_.pitch * sizeof(Cell),
                     .rows = static_cast<std::size_t>(problem_.size.rows),
                     .width = sizeof(T),
                     .pieces = static_cast<std::size_t>(problem_.size.columns),
                     .stride = sizeof(Cell),
                     .element = element_of<T>(),
                     .output = Out::field});
            else
                others.push_back(Out::field);
        });
        queue_.poison(members, poison);
        others_.poison_next(others, poison);
    }

    void advance(int generations) override {
        for (int done = 0; done < generations; ++done, ++number_) {
            launch(queue_, kernel_label<Rule>(), shape_, interleaved_kernel<Rule, K, at_once>,
                   views());
            std::swap(current_, next_);
        }
    }

  private:
    // Calls f(index of a cell in a dense field, its index in the layout) for all cells.
    template <class F>
    void for_each_cell(const F& f) const {
        for (int row = 0; row < problem_.size.rows; ++row)
            for (int column = 0; column < problem_.size.columns; ++column)
                f(static_cast<std::size_t>(row) * problem_.size.columns + column,
                  static_cast<std::size_t>(layout_.origin() +
                                           static_cast<std::ptrdiff_t>(row) * layout_.pitch +
                                           column));
    }

    InterleavedViews<Rule, K> views() const {
        InterleavedViews<Rule, K> all;
        all.from = {static_cast<const Cell*>(current_.get()), layout_, "structures"};
        all.to = {static_cast<Cell*>(next_.get()), layout_, "structures"};
        all.views.columns = problem_.size.columns;
        all.views.rows = problem_.size.rows;
        all.views.parameters = later<Rule>(parameters_, number_);
        Rule::Outputs::for_each([&]<class Out>(Out) {
            if constexpr (Record<Rule>::template slot<Out>() < 0)
                get<Rule::Outputs::template index<Out>>(all.views.outputs) =
                    OutputGrid<Out>(static_cast<typename Out::Type*>(others_.next(Out::field)),
                                    others_.layout(Out::field), Out::field);
        });
        return all;
    }

    Queue& queue_;
    Problem problem_;
    typename Rule::Parameters parameters_;
    LaunchShape shape_;
    Layout layout_;
    Memory current_;
    Memory next_;
    FieldStore others_;
    int number_ = 0;
};

struct ArrayOfStructures {
    static constexpr TechniqueInfo info{
        "array_of_structures", "the inputs in one structure per cell, read member by member",
        "Balasalle 2011, chapter 7 (future work); CUDA C++ Best Practices Guide",
        Family::global_memory};
    static constexpr TechniqueInfo packed_info{
        "vector_packed", "the inputs in one structure per cell, read whole (float2, float4)",
        "Balasalle 2011, chapter 7 (future work); CUDA C++ Best Practices Guide",
        Family::global_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (!Record<Rule>::possible()) {
            constexpr const char* why = "reads one field, or fields of several types";
            catalogue.leave_out(info, why);
            catalogue.leave_out(packed_info, why);
        } else {
            constexpr int members = Rule::Inputs::count;
            for (const Region block : {Region{16, 16}, Region{64, 4}}) {
                add_one<Rule, members, false>(catalogue, info, block);
                add_one<Rule, members == 3 ? 4 : members, true>(catalogue, packed_info, block);
            }
        }
    }

  private:
    template <class Rule, int K, bool at_once>
    static void add_one(Catalogue<Rule>& catalogue, const TechniqueInfo& technique, Region block) {
        using Run = InterleavedExecution<Rule, K, at_once>;
        StepPlan plan = Catalogue<Rule>::plan_of(
            technique, {.block = block, .halo = Run::halo, .alignment = Run::alignment});
        plan.unsupported = [](const Problem& problem) -> std::optional<std::string> {
            if (problem.boundary != Boundary::torus) return std::nullopt;
            return "fills the halo of its structures once, which is no torus";
        };
        catalogue.add_whole(std::move(plan), [block](Queue& queue, const Problem& problem) {
            return std::make_unique<Run>(queue, problem, block);
        });
    }
};

CAMBER_TARGET_END
