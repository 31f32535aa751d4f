// Runs a one-kernel variant: fields in its layout, one launch per n generations, buffers swapped.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "harness/backend/field_store.hpp"
#include "harness/registry/execution.hpp"
#include "variants/stencil.hpp"
#include "variants/torus.hpp"

CAMBER_TARGET_BEGIN

// Columns x rows, of threads or of cells.
struct Region {
    int columns = 0;
    int rows = 0;
    std::string name() const { return std::to_string(columns) + "x" + std::to_string(rows); }
};

inline constexpr int unaligned = 0;  // no padding: rows start wherever the one before ended

template <class Rule>
struct StencilVariant {
    std::string path;           // its parameters in the variant's name, without the alignment
    Region block;               // threads
    Region region;              // cells that a block computes
    int halo = 0;               // cells; 0: the kernel tests for the edge itself
    int alignment = unaligned;  // bytes
    int elements_per_thread = 1;
    int generations = 1;           // per launch
    std::size_t shared_bytes = 0;  // per block
    KernelChoice<Rule> kernel;
    KernelChoice<Rule> torus_kernel = kernel;
};

template <class Rule>
class StencilExecution final : public Execution {
  public:
    StencilExecution(Queue& queue, const Problem& problem, const StencilVariant<Rule>& variant)
        : queue_(queue), problem_(problem), variant_(variant), store_(queue) {
        Rule::Inputs::for_each([&]<class Tag>(Tag) { add_field<Tag>(Tag::outside()); });
        Rule::Outputs::for_each([&]<class Tag>(Tag) {
            if (!is_input(Tag::field)) add_field<Tag>(typename Tag::Type{});
        });
    }

    void upload(const State& initial) override {
        store_.upload(initial);
        if (refreshes_halo())
            Rule::Inputs::for_each([&](auto tag) { refresh(tag, store_.current(tag.field)); });
    }
    void download(State& result) override { store_.download(result); }
    void poison() override { store_.poison_next(); }

    void advance(int generations) override {
        const Region& region = variant_.region;
        const auto blocks = [](int cells, int per_block) {
            return static_cast<unsigned>((cells + per_block - 1) / per_block);
        };
        const LaunchShape shape{{blocks(problem_.size.columns, region.columns),
                                 blocks(problem_.size.rows, region.rows)},
                                {static_cast<unsigned>(variant_.block.columns),
                                 static_cast<unsigned>(variant_.block.rows)}};
        const KernelChoice<Rule>& kernels =
            problem_.boundary == Boundary::torus ? variant_.torus_kernel : variant_.kernel;
        const bool exact =
            problem_.size.columns % region.columns == 0 && problem_.size.rows % region.rows == 0;
        const Kernel<Rule> kernel = exact ? kernels.exact : kernels.overhang;
        for (int done = 0; done < generations; done += variant_.generations) {
            launch(queue_, "stencil", shape, kernel, views());
            if (refreshes_halo())
                Rule::Outputs::for_each([&](auto tag) { refresh(tag, store_.next(tag.field)); });
            Rule::Outputs::for_each([&](auto tag) { store_.swap(tag.field); });
        }
    }

  private:
    static bool is_input(std::string_view field) {
        bool found = false;
        Rule::Inputs::for_each([&](auto tag) { found = found || field == tag.field; });
        return found;
    }
    static bool is_output(std::string_view field) {
        bool found = false;
        Rule::Outputs::for_each([&](auto tag) { found = found || field == tag.field; });
        return found;
    }

    template <class Tag>
    void add_field(typename Tag::Type outside) {
        using T = typename Tag::Type;
        store_.add(Tag::field, element_of<T>(),
                   Layout::make(problem_.size.columns, problem_.size.rows, variant_.halo,
                                variant_.alignment, sizeof(T)),
                   std::as_bytes(std::span(&outside, 1)), is_output(Tag::field));
    }

    bool refreshes_halo() const {
        return problem_.boundary == Boundary::torus && variant_.halo > 0;
    }

    template <class Tag>
    void refresh(Tag, void* base) {
        using T = typename Tag::Type;
        refresh_torus_halo(queue_,
                           Grid<T>(static_cast<T*>(base), store_.layout(Tag::field), Tag::field));
    }

    Views<Rule> views() const {
        Views<Rule> views;
        Rule::Inputs::for_each([&]<class Tag>(Tag) {
            get<Rule::Inputs::template index<Tag>>(views.inputs) =
                InputGrid<Tag>(static_cast<const typename Tag::Type*>(store_.current(Tag::field)),
                               store_.layout(Tag::field), Tag::field);
        });
        Rule::Outputs::for_each([&]<class Tag>(Tag) {
            get<Rule::Outputs::template index<Tag>>(views.outputs) =
                OutputGrid<Tag>(static_cast<typename Tag::Type*>(store_.next(Tag::field)),
                                store_.layout(Tag::field), Tag::field);
        });
        views.columns = problem_.size.columns;
        views.rows = problem_.size.rows;
        return views;
    }

    Queue& queue_;
    Problem problem_;
    StencilVariant<Rule> variant_;
    FieldStore store_;
};

CAMBER_TARGET_END
