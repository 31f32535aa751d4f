#include "harness/groups/pipeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/kernel_launch.hpp"
#include "harness/base/text/text.hpp"
#include "harness/groups/pipeline_partitions.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/registry/pipeline_fields.hpp"

namespace camber {

namespace {

// Offsets of the fields that steps read from constant memory, stored one after another.
ConstantOffsets constant_offsets(const std::vector<StepPlan>& plans, Size size,
                                 std::size_t& bytes) {
    ConstantOffsets offsets;
    bytes = 0;
    for (const StepPlan& plan : plans)
        for (const FieldUse& use : plan.fields)
            if (use.in_constant_memory && offsets.emplace(use.name, bytes).second) {
                constexpr std::size_t alignment = 16;
                const std::size_t field =
                    static_cast<std::size_t>(size.cells()) * info(use.element).size;
                bytes += (field + alignment - 1) / alignment * alignment;
            }
    return offsets;
}

std::optional<std::string> too_much_constant_memory(const std::vector<StepPlan>& plans, Size size) {
    std::size_t bytes = 0;
    constant_offsets(plans, size, bytes);
    if (bytes <= constant_capacity) return std::nullopt;
    return fmt::format("needs {} bytes of constant memory, there are {}", bytes, constant_capacity);
}

// Reason why the plans cannot share their fields; nullopt if they can.
std::optional<std::string> disagreement(const std::vector<StepPlan>& plans) {
    const int halo = largest(plans, &Shape::halo);
    for (const StepPlan& plan : plans)
        if (!plan.any_halo && plan.shape.halo != halo)
            return fmt::format(
                "step {} in technique {} needs fields with a halo of {} cells, another step needs "
                "{}: choose techniques that agree",
                plan.step, plan.technique.name, plan.shape.halo, halo);
    return std::nullopt;
}

void check_halos(const std::vector<StepPlan>& plans) {
    if (const auto why = disagreement(plans)) throw Error(ExitCode::usage, *why);
}

// Block and thread dimensions of variants count elements: cells, or words of cells.
int cells_per_element(ElementType cell) {
    return cell == ElementType::bits ? bits_per_word : 1;
}

}  // namespace

std::string StepPlan::name() const {
    return fmt::format("{}/{}", technique.name, shape.name());
}

double StepPlan::bytes_per_cell() const {
    double bytes = 0;
    for (const FieldUse& use : fields)
        bytes += (int{use.read} + int{use.written}) * info(use.element).size;
    return bytes / shape.generations;
}

PipelineExecution::PipelineExecution(Queue& queue, const Problem& problem,
                                     const std::vector<StepPlan>& plans)
    : problem_(problem),
      bits_(bit_order_of(problem, plans)),
      store_(queue),
      generations_per_launch_(plans.front().shape.generations) {
    check_halos(plans);
    const int halo = largest(plans, &Shape::halo);
    refreshes_halo_ = (problem.boundary == Boundary::torus && halo > 0) ||
                      (bits_ && !bits_->fills(problem.size.columns));
    Size stored = problem.size;
    if (bits_) stored.columns = bits_->words(problem.size.columns);
    add_fields(store_, plans, stored, halo);
    for (const StepPlan& plan : plans) steps_.push_back({plan.step, nullptr, outputs_of(plan)});
    std::size_t constant_bytes;
    constants_ = constant_offsets(plans, problem.size, constant_bytes);
    for (std::size_t i = 0; i < plans.size(); ++i)
        steps_[i].stage = plans[i].make({queue, problem_, store_, constants_});
}

void PipelineExecution::upload(const State& initial) {
    if (bits_)
        store_.upload(in_words(initial, *bits_));
    else
        store_.upload(initial);  // the original object, of which the device may have a copy
    number_ = 0;
    for (const Step& step : steps_) step.stage->uploaded();
}

void PipelineExecution::download(State& result) {
    if (!bits_) return store_.download(result);
    State words = empty_words(result, *bits_);
    store_.download(words);
    from_words(words, *bits_, result);
}

std::optional<CellsView> PipelineExecution::view(std::string_view field) const {
    return bits_ ? std::nullopt : store_.view(field);
}

void PipelineExecution::advance(int generations) {
    for (int done = 0; done < generations; done += generations_per_launch_) {
        for (const Step& step : steps_) {
            std::optional<MarkedRange> marked;
            if (!step.name.empty()) marked.emplace(step.name, number_);
            if (poison_) store_.poison_next(step.outputs, *poison_);
            step.stage->enqueue(number_);
            if (refreshes_halo_) step.stage->refresh_halo();
            for (const std::string& field : step.outputs) store_.swap(field);
        }
        poison_.reset();
        number_ += generations_per_launch_;
    }
}

Variant pipeline_variant(const std::string& workload, ElementType cell, Backend backend,
                         std::string form, const StepPlan& lead,
                         const std::vector<StepPlan>& plans) {
    check_halos(plans);
    const Shape& first = plans.front().shape;
    const int per_element = cells_per_element(cell);
    VariantInfo info;
    info.workload = workload;
    info.cell = cell;
    info.technique = lead.technique;
    info.form = std::move(form);
    info.shape = lead.shape;
    info.shape.region.columns *= per_element;
    info.shape.halo = largest(plans, &Shape::halo);
    info.shape.alignment = largest(plans, &Shape::alignment);
    info.shape.shared_bytes = largest(plans, &Shape::shared_bytes);
    const bool uniform = std::ranges::all_of(
        plans, [&](const StepPlan& plan) { return plan.key() == plans.front().key(); });
    if (uniform) info.parameters = {{"block", first.block.name()}, {"region", first.region.name()}};
    info.parameters.push_back({"halo", info.shape.halo});
    info.parameters.push_back({"alignment_bytes", info.shape.alignment});
    if (uniform)
        info.parameters.push_back({"elements_per_thread", first.elements_per_thread});
    else
        for (const StepPlan& plan : plans) info.parameters.push_back({plan.step, plan.name()});
    info.smallest_element = 16;
    for (const StepPlan& plan : plans) {
        info.bytes_per_cell += plan.bytes_per_cell() / per_element;
        info.threads_per_block =
            std::max(info.threads_per_block, plan.shape.block.columns * plan.shape.block.rows);
        info.arithmetic = std::max(info.arithmetic, plan.arithmetic);
        info.regions.push_back({plan.shape.region.columns * per_element, plan.shape.region.rows});
        for (const FieldUse& use : plan.fields)
            info.smallest_element = std::min(info.smallest_element, camber::info(use.element).size);
    }

    Variant variant;
    variant.info = std::move(info);
    variant.rules = lead.rules;
    variant.factories[backend] = [plans](Queue& queue, const Problem& problem) {
        return std::make_unique<PipelineExecution>(queue, problem, plans);
    };
    if (const auto why = why_undivided(plans))
        variant.undivided = *why;
    else
        variant.group_factories[backend] =
            [plans](Queue& lead, const Problem& problem,
                    const GroupChoice& choice) -> std::unique_ptr<Execution> {
            switch (choice.division.partition) {
                case Partition::columns:
                    return divide<ColumnPartition>(lead, choice, problem, plans);
                case Partition::transposed:
                    return divide<TransposedPartition>(lead, choice, problem, plans);
                case Partition::rows:
                    break;
            }
            return divide<RowPartition>(lead, choice, problem, plans);
        };
    variant.unsupported = [plans](const Problem& problem) -> std::optional<std::string> {
        for (const StepPlan& plan : plans)
            if (plan.unsupported)
                if (auto reason = plan.unsupported(problem)) return reason;
        return too_much_constant_memory(plans, problem.size);
    };
    return variant;
}

void add_step_variant(Registry& registry, const std::string& workload, ElementType cell,
                      Backend backend, const std::string& name, const StepPlan& plan,
                      const ExecutionFactory& factory) {
    Variant variant = pipeline_variant(workload, cell, backend, name, plan, {plan});
    if (factory) {
        variant.factories[backend] = factory;
        variant.group_factories.clear();
    }
    registry.add(std::move(variant));
}

void add_pipelines(Registry& registry, const std::string& workload, ElementType cell,
                   Backend backend, const std::string& name, const StepChoices& choices) {
    std::vector<StepKey> done;
    for (const std::vector<StepPlan>& leading : choices)
        for (const StepPlan& lead : leading) {
            if (std::ranges::find(done, lead.key()) != done.end()) continue;
            done.push_back(lead.key());
            std::vector<StepPlan> plans;
            for (const std::vector<StepPlan>& step : choices) {
                auto found = std::ranges::find(step, lead.key(), &StepPlan::key);
                if (found == step.end())
                    found = std::ranges::find(step, lead.stand_in, &StepPlan::key);
                if (found != step.end()) plans.push_back(*found);
            }
            if (plans.size() == choices.size() && !disagreement(plans))
                registry.add(pipeline_variant(workload, cell, backend, name, lead, plans));
        }
}

void add_composer(Registry& registry, const std::string& workload, ElementType cell,
                  Backend backend, const StepChoices& choices) {
    Composer composer{workload, cell, backend, {}, {}};
    for (const std::vector<StepPlan>& step : choices) {
        Composer::Step& described = composer.steps.emplace_back();
        described.name = step.front().step;
        for (const StepPlan& plan : step) {
            described.choices.push_back(plan.name());
            described.techniques.push_back(plan.technique.name);
        }
    }
    composer.compose = [=, steps = composer.steps](const std::vector<std::string>& chosen) {
        std::vector<StepPlan> plans;
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const auto found = std::ranges::find(choices[i], chosen.at(i), &StepPlan::name);
            if (found == choices[i].end())
                throw Error(ExitCode::usage,
                            fmt::format("step {} has no technique '{}'{}", steps[i].name, chosen[i],
                                        suggestion(chosen[i], steps[i].choices)));
            plans.push_back(*found);
            parts.push_back(found->step + "=" + found->name());
        }
        StepPlan lead = plans.front();
        lead.technique = {"composed", "every step in a technique of its own", "as the techniques'"};
        lead.shape.path = "";  // the variant's form identifies it
        return pipeline_variant(workload, cell, backend, fmt::format("{}", fmt::join(parts, "+")),
                                lead, plans);
    };
    registry.add(std::move(composer));
}

}  // namespace camber
