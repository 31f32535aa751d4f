// Stencil kernel as a step of a pipeline: its grid of blocks, its views of the fields, and the GPU
// capabilities that it requires.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "harness/base/error.hpp"
#include "harness/base/layout.hpp"
#include "harness/base/target.hpp"
#include "harness/machine/kernel/launch.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/registry/step.hpp"
#include "variants/stencil/board_edge.hpp"
#include "variants/stencil/linked.hpp"
#include "variants/stencil/views.hpp"

// GPU capability that a kernel requires and not all GPUs have.
CAMBER_TARGET_BEGIN

struct Capability {
    int least = 0;          // minimum compute capability, 10 * major + minor; 0: none
    const char* what = "";  // "tensor cores that multiply bytes"
};

// Throws Unsupported if the queue's device lacks the capability; the executor has all.
inline void require(const Queue& queue, const Capability& needed) {
    const int capability = queue.limits().compute_capability;
    if (!CAMBER_ON_DEVICE || capability >= needed.least) return;
    const auto name = [](int c) { return std::to_string(c / 10) + "." + std::to_string(c % 10); };
    throw Unsupported(std::string("needs ") + needed.what + ", of compute capability " +
                      name(needed.least) + ", and this GPU has " + name(capability));
}

CAMBER_TARGET_END

// Stencil kernel as a step of a pipeline.
CAMBER_TARGET_BEGIN

// Step of the simplest technique, halo or global, in the same block on fields with the same layout.
inline StepKey plainest(const Shape& shape) {
    const bool has_halo = shape.halo > 0 || shape.alignment != unaligned;
    return {has_halo ? "halo" : "global", shape.block.name(), shape.alignment};
}

// A kernel of one technique for one rule.
template <class Rule>
struct StencilVariant {
    Shape shape;
    KernelChoice<Rule> kernel = {};
    KernelChoice<Rule> torus_kernel = kernel;
    KernelChoice<Rule> across_kernel = {};  // see StepPlan::across; a symmetric rule needs none
    LinkedChoice<Rule> linked_kernel = {};
    StayingChoice<Rule> staying_kernel = {};
    CarveOut carve_out = CarveOut::driver;
    StepKey stand_in = plainest(shape);  // see StepPlan
    std::size_t dynamic_shared = 0;      // bytes per block
    unsigned cluster = 1;                // blocks per cluster, along z
    Capability needs = {};
};

inline int blocks_for(int cells, int per_block) {
    return (cells + per_block - 1) / per_block;
}

// Launch shape with blocks of threads that each compute one region of the board.
inline LaunchShape covering(Size board, Region block, Region region) {
    return {{static_cast<unsigned>(blocks_for(board.columns, region.columns)),
             static_cast<unsigned>(blocks_for(board.rows, region.rows))},
            {static_cast<unsigned>(block.columns), static_cast<unsigned>(block.rows)}};
}

inline LaunchShape covering(Size board, const Shape& shape) {
    return covering(board, shape.block, shape.region);
}
// Launch shape with one cell per thread.
inline LaunchShape covering(Size board, Region block) {
    return covering(board, block, block);
}

// True if the blocks' regions cover the board exactly.
inline bool fits(Size board, Region region) {
    return board.columns % region.columns == 0 && board.rows % region.rows == 0;
}

// Name of a rule's kernel in traces and results.
template <class Rule>
constexpr const char* kernel_label() {
    if constexpr (requires { Rule::step; })
        return Rule::step;
    else
        return "stencil";
}

// Views of a rule's fields and its parameters. If a stage works on fields with other names,
// `Fields` is a rule with the same inputs and outputs under those names.
template <class Rule, class Fields = Rule>
class RuleFields {
  public:
    explicit RuleFields(const StageContext& context)
        : context_(context), parameters_(parameters_of<Rule>(context.problem.parameters, 0)) {}

  protected:
    FieldStore& store() const { return context_.store; }
    Queue& queue() const { return context_.queue; }
    const Problem& problem() const { return context_.problem; }
    const ConstantOffsets& constants() const { return context_.constants; }
    bool torus() const { return context_.problem.boundary == Boundary::torus; }
    // Board size in elements of kernels: cells, or words of cells.
    Size board() const {
        Size board = problem().size;
        if constexpr (has_bits<Rule>())
            board.columns = BitOrder{Rule::words_per_group}.words(board.columns);
        return board;
    }

    Views<Rule> views(int number) const {
        Views<Rule> views;
        Fields::Inputs::for_each([&]<class Tag>(Tag) {
            get<Fields::Inputs::template index<Tag>>(views.inputs) =
                current_grid<const typename Tag::Type>(Tag::field);
        });
        Fields::Outputs::for_each([&]<class Tag>(Tag) {
            get<Fields::Outputs::template index<Tag>>(views.outputs) =
                next_grid<typename Tag::Type>(Tag::field);
        });
        views.parameters = later<Rule>(parameters_, number);
        if constexpr (has_bits<Rule>()) views.parameters.columns = problem().size.columns;
        views.columns = board().columns;
        views.rows = board().rows;
        return views;
    }

    template <class T>
    Grid<T> current_grid(const char* field) const {
        return {static_cast<T*>(store().current(field)), store().layout(field), field};
    }
    template <class T>
    Grid<T> next_grid(const char* field) const {
        return next_of<T>(store(), field);
    }
    template <class T>
    static Grid<T> next_of(const FieldStore& store, const char* field) {
        return {static_cast<T*>(store.next(field)), store.layout(field), field};
    }

  private:
    StageContext context_;
    typename Rule::Parameters parameters_;
};

// Common base of a rule's stages, which keeps the cells beyond the board's edge up to date.
template <class Rule, class Fields = Rule>
class RuleStage : public Stage, protected RuleFields<Rule, Fields> {
  public:
    explicit RuleStage(const StageContext& context) : RuleFields<Rule, Fields>(context) {}

    void refresh_halo() override {
        if constexpr (runs_on_torus<Rule>())
            Fields::Outputs::for_each([&]<class Tag>(Tag) {
                refresh(this->template next_grid<typename Tag::Type>(Tag::field));
            });
    }
    // Refreshes the halo of inputs that the step does not write; the others are refreshed after
    // each write.
    void uploaded() override {
        if constexpr (runs_on_torus<Rule>())
            if (this->torus())
                Fields::Inputs::for_each([&]<class Tag>(Tag) {
                    if (this->store().layout(Tag::field).halo > 0)
                        refresh(this->template current_grid<typename Tag::Type>(Tag::field));
                });
    }

  private:
    // Refreshes the cells beyond the edge of a grid that was written.
    template <class T>
    void refresh(const Grid<T>& grid) const {
        if constexpr (has_bits<Rule>())
            refresh_bits_beyond(this->queue(), grid, BitOrder{Rule::words_per_group},
                                this->problem().size.columns, this->torus());
        else
            refresh_torus_halo(this->queue(), grid);
    }
};

// Launch shape of a variant's kernel on a board.
template <class Rule>
LaunchShape launch_shape(Size board, const StencilVariant<Rule>& variant) {
    LaunchShape shape = covering(board, variant.shape);
    shape.carve_out = variant.carve_out;
    shape.dynamic_shared = variant.dynamic_shared;
    shape.grid.z = shape.cluster.z = variant.cluster;
    return shape;
}

template <class Rule, class Fields = Rule>
class StencilStage final : public RuleStage<Rule, Fields> {
  public:
    StencilStage(const StageContext& context, const StencilVariant<Rule>& variant)
        : RuleStage<Rule, Fields>(context), shape_(launch_shape(this->board(), variant)) {
        require(this->queue(), variant.needs);
        const KernelChoice<Rule>& kernels = this->torus() ? variant.torus_kernel : variant.kernel;
        const bool exact = fits(this->board(), variant.shape.region);
        kernel_ = exact ? kernels.exact : kernels.overhang;
    }

    void enqueue(int number) override {
        launch(this->queue(), kernel_label<Rule>(), shape_, kernel_, this->views(number));
    }

  private:
    LaunchShape shape_;
    Kernel<Rule> kernel_;
};

inline void add_input(std::vector<FieldUse>& fields, const char* name, ElementType element,
                      const void* outside) {
    FieldUse& use = fields.emplace_back(FieldUse{name, element, {}, true, false});
    std::memcpy(use.outside.data(), outside, info(element).size);
}
inline void add_output(std::vector<FieldUse>& fields, const char* name, ElementType element) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const FieldUse& use) { return use.name == name; });
    if (found != fields.end())
        found->written = true;
    else
        fields.push_back({name, element, {}, false, true});
}

// Fields that a rule reads and writes, each listed once.
template <class Rule>
std::vector<FieldUse> fields_of() {
    std::vector<FieldUse> fields;
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        const typename Tag::Type outside = Tag::outside();
        add_input(fields, Tag::field, element_of<typename Tag::Type>(), &outside);
    });
    Rule::Outputs::for_each(
        [&]<class Tag>(Tag) { add_output(fields, Tag::field, element_of<typename Tag::Type>()); });
    return fields;
}

CAMBER_TARGET_END
