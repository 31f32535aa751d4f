// Stages of a step over a launch set, and the execution composed of them: the plain kernel of each
// rule, whose threads take their cells from the set.
//
// Cells outside of the set are at rest: a step would write the values that both buffers of a field
// already contain. This holds after the upload, and is restored after poisoning and after cells
// have left the set.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "variants/lava/active/launch_sets.hpp"
#include "variants/stencil/board_edge.hpp"
#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

// Specialized for the rule that moves lava: `Before` is its input with the previous thickness; its
// first output is the new thickness.
template <class Rule>
struct Spreading {};

template <class Rule, class Set>
__global__ void launch_set_kernel(const Views<Rule> views, const Set set) {
    set.visit([&](int row, int column) {
        const auto read = [&](auto tag, int dcol, int drow, Site site) {
            return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                    column + dcol, site);
        };
        const auto result = apply(views, read);
        store(views, row, column, result);
        if constexpr (requires { typename Spreading<Rule>::Before; }) {
            const auto before = views.input(typename Spreading<Rule>::Before{})(row, column);
            if (!(before > 0) && get<0>(result) > 0) set.add(row, column);
        }
    });
}

// Copies the current buffer to the buffer that a step will write; if there is only one, clears it.
inline void restore(Queue& queue, const FieldStore& store, const char* field,
                    std::size_t element_size) {
    const std::size_t elements = store.layout(field).elements();
    constexpr std::array<std::byte, 8> zero{};
    if (store.next(field) == store.current(field))
        queue.fill(store.next(field), elements, std::span(zero).first(element_size));
    else
        queue.copy(store.next(field), store.current(field), elements * element_size);
}

template <class Rule>
void restore_outputs(Queue& queue, const FieldStore& store) {
    Rule::Outputs::for_each(
        [&]<class Tag>(Tag) { restore(queue, store, Tag::field, sizeof(typename Tag::Type)); });
}

template <class Rule, class Cells>
class LaunchSetStage final : public RuleStage<Rule> {
  public:
    LaunchSetStage(const StageContext& context, const Cells* cells)
        : RuleStage<Rule>(context), cells_(*cells) {}

    void uploaded() override { restore_outputs<Rule>(this->queue(), this->store()); }
    void enqueue(int number) override {
        if (cells_.restores()) restore_outputs<Rule>(this->queue(), this->store());
        launch(this->queue(), kernel_label<Rule>(), cells_.shape(),
               launch_set_kernel<Rule, typename Cells::Set>, this->views(number), cells_.set());
    }

  private:
    const Cells& cells_;
};

// True for a state that a run has reached, false for a generated one: the model's time has advanced.
inline bool is_developed(const State& state) {
    for (const HostField& field : state.fields)
        if ((field.name() == "time" || field.name() == "clock") &&
            field.element() == ElementType::float64)
            return field.cells<double>().back() > 0;
    return false;
}

// Returns the active cells of a workload's initial state: cells with lava, and cells without lava
// that the rules would change.
using FindActive = std::function<lava::Mask(const State& initial)>;

class LaunchSetExecution final : public Execution {
  public:
    // `plans` are those of all steps on `cells`.
    LaunchSetExecution(Queue& queue, const Problem& problem, std::unique_ptr<ActiveCells> cells,
                       const std::vector<StepPlan>& plans, FindActive find_active)
        : cells_(std::move(cells)),
          pipeline_(queue, problem, plans),
          find_active_(std::move(find_active)) {}

    void upload(const State& initial) override {
        pipeline_.upload(initial);
        cells_->upload(find_active_(initial), initial.field("vents").cells<std::uint8_t>(),
                       is_developed(initial));
    }
    void download(State& result) override { pipeline_.download(result); }
    void poison(Poison poison) override {
        pipeline_.poison(poison);
        cells_->poisoned();
    }
    void advance(int generations) override {
        cells_->begin_advance();
        pipeline_.advance(generations);
    }

  private:
    std::unique_ptr<ActiveCells> cells_;
    PipelineExecution pipeline_;
    FindActive find_active_;
};

CAMBER_TARGET_END
