#include "harness/registry/pipeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "harness/backend/markers.hpp"
#include "harness/base/constant_capacity.hpp"
#include "harness/base/error.hpp"
#include "harness/base/text.hpp"

namespace camber {

namespace {

std::string alignment_name(int alignment) {
    return alignment == unaligned ? "/unaligned" : fmt::format("/align{}", alignment);
}

// Without a halo nothing is out of line that would have to be aligned.
std::string alignment_name(int halo, int alignment) {
    return halo == 0 && alignment == unaligned ? "" : alignment_name(alignment);
}

// Names a technique, its shape and its alignment alike for steps that need a halo and steps that do
// not.
std::string key_of(const StepPlan& plan) {
    return plan.technique + "/" + plan.path + alignment_name(plan.alignment);
}

const FieldUse* use_of(const StepPlan& plan, std::string_view field) {
    const auto found =
        std::ranges::find_if(plan.fields, [&](const FieldUse& use) { return use.name == field; });
    return found == plan.fields.end() ? nullptr : &*found;
}

// A step that reads a field and writes it needs two buffers: neighbours still read what a cell
// overwrites. Steps one after another need one.
Buffers buffers_of(const std::vector<StepPlan>& plans, std::string_view field) {
    const bool two = std::ranges::any_of(plans, [&](const StepPlan& plan) {
        const FieldUse* use = use_of(plan, field);
        return use && use->read && use->written;
    });
    return two ? Buffers::two : Buffers::one;
}

// Where the fields that steps read in constant memory lie there, one behind the other.
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

int largest(const std::vector<StepPlan>& plans, int StepPlan::*member) {
    int value = 0;
    for (const StepPlan& plan : plans) value = std::max(value, plan.*member);
    return value;
}

// Why the plans cannot share their fields; nothing where they can.
std::optional<std::string> disagreement(const std::vector<StepPlan>& plans) {
    const int halo = largest(plans, &StepPlan::halo);
    for (const StepPlan& plan : plans)
        if (!plan.any_halo && plan.halo != halo)
            return fmt::format(
                "step {} in technique {} needs fields with a halo of {} cells, another step needs "
                "{}: choose techniques that agree",
                plan.step, plan.technique, plan.halo, halo);
    return std::nullopt;
}

void check_halos(const std::vector<StepPlan>& plans) {
    if (const auto why = disagreement(plans)) throw Error(ExitCode::usage, *why);
}

}  // namespace

std::string StepPlan::name() const {
    return technique + "/" + path + alignment_name(halo, alignment);
}

double StepPlan::bytes_per_cell() const {
    double bytes = 0;
    for (const FieldUse& use : fields)
        bytes += (int{use.read} + int{use.written}) * info(use.element).size;
    return bytes / generations;
}

PipelineExecution::PipelineExecution(Queue& queue, const Problem& problem,
                                     const std::vector<StepPlan>& plans)
    : problem_(problem), store_(queue), generations_per_launch_(plans.front().generations) {
    check_halos(plans);
    const int halo = largest(plans, &StepPlan::halo);
    const int alignment = largest(plans, &StepPlan::alignment);
    refreshes_halo_ = problem.boundary == Boundary::torus && halo > 0;
    for (const StepPlan& plan : plans) {
        Step& step = steps_.emplace_back();
        step.name = plan.step;
        for (const FieldUse& use : plan.fields) {
            if (use.written) step.outputs.push_back(use.name);
            if (store_.has(use.name)) continue;
            // A step that reads the field knows its outside value.
            const FieldUse* reader = &use;
            for (const StepPlan& other : plans)
                if (const FieldUse* found = use_of(other, use.name); found && found->read)
                    reader = found;
            const int size = info(use.element).size;
            store_.add(use.name, use.element,
                       Layout::make(problem.size.columns, problem.size.rows, halo, alignment, size),
                       std::span(reader->outside).first(static_cast<std::size_t>(size)),
                       buffers_of(plans, use.name));
        }
    }
    std::size_t constant_bytes;
    constants_ = constant_offsets(plans, problem.size, constant_bytes);
    for (std::size_t i = 0; i < plans.size(); ++i)
        steps_[i].stage = plans[i].make({queue, problem_, store_, constants_});
}

void PipelineExecution::upload(const State& initial) {
    store_.upload(initial);
    number_ = 0;
    for (const Step& step : steps_) step.stage->uploaded();
}

void PipelineExecution::advance(int generations) {
    for (int done = 0; done < generations; done += generations_per_launch_) {
        for (const Step& step : steps_) {
            std::optional<MarkedRange> marked;
            if (!step.name.empty()) marked.emplace(step.name, number_);
            if (poison_)
                for (const std::string& field : step.outputs) store_.poison_next(field);
            step.stage->enqueue(number_);
            if (refreshes_halo_) step.stage->refresh_halo();
            for (const std::string& field : step.outputs) store_.swap(field);
        }
        poison_ = false;
        number_ += generations_per_launch_;
    }
}

Variant pipeline_variant(const std::string& workload, ElementType cell, Backend backend,
                         std::string technique, std::string path,
                         const std::vector<StepPlan>& plans) {
    check_halos(plans);
    const StepPlan& first = plans.front();
    VariantInfo info;
    info.workload = workload;
    info.cell = cell;
    info.technique = std::move(technique);
    info.path = std::move(path);
    const int halo = largest(plans, &StepPlan::halo);
    const int alignment = largest(plans, &StepPlan::alignment);
    const bool uniform = std::ranges::all_of(
        plans, [&](const StepPlan& plan) { return key_of(plan) == key_of(first); });
    if (uniform) {
        info.parameters = {{"block", first.block.name()},
                           {"region", first.region.name()},
                           {"halo", halo},
                           {"alignment_bytes", alignment},
                           {"elements_per_thread", first.elements_per_thread}};
        info.summary = first.summary;
        info.source = first.source;
    } else {
        info.parameters = {{"halo", halo}, {"alignment_bytes", alignment}};
        for (const StepPlan& plan : plans) info.parameters.push_back({plan.step, plan.name()});
        info.summary = "every step in a technique of its own";
        info.source = "as the techniques'";
    }
    info.generations_per_launch = first.generations;
    BlockGeometry geometry;
    geometry.row_alignment = std::max(1, alignment);
    geometry.smallest_element = 16;
    for (const StepPlan& plan : plans) {
        info.bytes_per_cell += plan.bytes_per_cell();
        info.threads_per_block =
            std::max(info.threads_per_block, plan.block.columns * plan.block.rows);
        info.arithmetic = std::max(info.arithmetic, plan.arithmetic);
        info.shared_bytes = std::max(info.shared_bytes, plan.shared_bytes);
        info.minimum_compute_capability =
            std::max(info.minimum_compute_capability, plan.minimum_compute_capability);
        geometry.regions.push_back({plan.region.columns, plan.region.rows});
        for (const FieldUse& use : plan.fields)
            geometry.smallest_element =
                std::min(geometry.smallest_element, camber::info(use.element).size);
    }
    info.geometry = std::move(geometry);

    Variant variant{std::move(info), {}, {}};
    variant.factories[backend] = [plans](Queue& queue, const Problem& problem) {
        return std::make_unique<PipelineExecution>(queue, problem, plans);
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
    const std::string path = plan.path + alignment_name(plan.halo, plan.alignment);
    Variant variant = pipeline_variant(workload, cell, backend, plan.technique,
                                       name.empty() ? path : name + "/" + path, {plan});
    registry.add(std::move(variant.info), backend,
                 factory ? factory : std::move(variant.factories[backend]),
                 std::move(variant.unsupported));
}

void add_pipelines(Registry& registry, const std::string& workload, ElementType cell,
                   Backend backend, const std::string& name, const StepChoices& choices) {
    const auto plan_of_key = [](const std::vector<StepPlan>& step, const std::string& key) {
        return std::ranges::find_if(step,
                                    [&](const StepPlan& plan) { return key_of(plan) == key; });
    };
    std::set<std::string> done;
    for (const std::vector<StepPlan>& leading : choices)
        for (const StepPlan& lead : leading) {
            if (!done.insert(key_of(lead)).second) continue;
            std::vector<StepPlan> plans;
            for (const std::vector<StepPlan>& step : choices) {
                auto found = plan_of_key(step, key_of(lead));
                if (found == step.end()) found = plan_of_key(step, lead.stand_in);
                if (found != step.end()) plans.push_back(*found);
            }
            if (plans.size() != choices.size() || disagreement(plans)) continue;
            const std::string path =
                lead.path + alignment_name(largest(plans, &StepPlan::halo), lead.alignment);
            Variant variant = pipeline_variant(workload, cell, backend, lead.technique,
                                               name.empty() ? path : name + "/" + path, plans);
            variant.info.summary = lead.summary;
            variant.info.source = lead.source;
            registry.add(std::move(variant.info), backend, std::move(variant.factories[backend]),
                         std::move(variant.unsupported));
        }
}

void add_composer(Registry& registry, const std::string& workload, ElementType cell,
                  Backend backend, const StepChoices& choices) {
    Composer composer{workload, cell, backend, {}, {}};
    for (const std::vector<StepPlan>& step : choices) {
        Composer::Step& described = composer.steps.emplace_back();
        described.name = step.front().step;
        for (const StepPlan& plan : step) described.choices.push_back(plan.name());
    }
    composer.compose = [=](const std::vector<std::string>& chosen) {
        std::vector<StepPlan> plans;
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const auto found = std::ranges::find_if(
                choices[i], [&](const StepPlan& plan) { return plan.name() == chosen.at(i); });
            if (found == choices[i].end()) {
                std::vector<std::string> names;
                for (const StepPlan& plan : choices[i]) names.push_back(plan.name());
                throw Error(ExitCode::usage,
                            fmt::format("step {} has no technique '{}'{}", choices[i].front().step,
                                        chosen[i], suggestion(chosen[i], names)));
            }
            plans.push_back(*found);
            parts.push_back(found->step + "=" + found->name());
        }
        return pipeline_variant(workload, cell, backend, "composed",
                                fmt::format("{}", fmt::join(parts, "+")), plans);
    };
    registry.add(std::move(composer));
}

}  // namespace camber
