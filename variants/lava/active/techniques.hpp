// Variants with launch sets, which differ only in the launched cells. Parameters of boxes are
// kernel arguments, so all boxes share their kernels.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "variants/lava/active/box_partition.hpp"
#include "variants/lava/active/launch_boxes.hpp"
#include "variants/lava/active/stages.hpp"
#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

struct LaunchSets {
    static constexpr const char* source = "Bilotta et al. 2011; thesis on SCIARA-fv3";
    static constexpr TechniqueInfo bounding_box{
        "bounding_box", "blocks on the smallest box around all cells that lava has reached", source,
        Family::global_memory};
    static constexpr TechniqueInfo boxes{
        "boxes", "blocks on several boxes around lava, which guillotine cuts part", source,
        Family::global_memory};
    static constexpr TechniqueInfo active_list{
        "active_list",
        "threads on a list of the cells with lava or beside lava, in order of arrival", source,
        Family::global_memory};
    static constexpr TechniqueInfo sorted_list{
        "sorted_list", "as active_list, put in ascending order every m steps", source,
        Family::global_memory};

    // Alignment of rows in bytes. Boxes whose first column is a multiple of the alignment have
    // aligned rows in memory.
    static constexpr int alignment = 128;
    static constexpr int columns_in_line = 32;
};

// Plan of a rule, derived from the plan `like` of the workload's steps; the caller adds the stage
// factory.
template <class Rule>
StepPlan rule_plan(const StepPlan& like) {
    StepPlan plan = like;
    plan.step = Rule::step;
    plan.fields = fields_of<Rule>();
    return plan;
}

// Plan with the rule's plain kernel over a set.
template <class Rule, class Cells>
StepPlan launch_set_plan(const StepPlan& like, const Cells* cells) {
    StepPlan plan = rule_plan<Rule>(like);
    plan.make = makes<LaunchSetStage<Rule, Cells>>(cells);
    return plan;
}

// Adds the variants of a workload. Model provides its name `workload`, its `cell`,
// `find_active(State)` (FindActive), and `plans(like, cells)`, which returns the plans of all steps
// over a set; `cells` is nullptr if only their descriptions are requested. If the plans state what
// devices share, Model also provides `common_fields` as in BoxGroupForm, and its host-managed boxes
// can be divided.
template <class Model>
class LaunchSetVariants {
  public:
    explicit LaunchSetVariants(Registry& registry) : registry_(registry) {}

    // Adds all sets in all compared forms.
    void add_all() {
        for (const Region block : {Region{64, 4}, Region{32, 8}, Region{16, 16}})
            add_boxes(LaunchSets::bounding_box, "device/" + block.name() + "/from32", block,
                      {.column_multiple = LaunchSets::columns_in_line});
        constexpr Region block{64, 4};
        constexpr int aligned = LaunchSets::columns_in_line;
        add_boxes(LaunchSets::bounding_box, "device/64x4/from32/b256", block,
                  {.column_multiple = aligned, .blocks = 256});
        add_boxes(LaunchSets::bounding_box, "device/64x4/tight", block, {});
        add_boxes(LaunchSets::bounding_box, "host/64x4/tight", block, {.read_every = 1});
        add_boxes(LaunchSets::bounding_box, "host/64x4/from32", block,
                  {.column_multiple = aligned, .read_every = 1});
        add_boxes(LaunchSets::bounding_box, "host/64x4/from32/k32", block,
                  {.column_multiple = aligned, .read_every = 32});
        for (const auto& [most, steps] :
             {std::pair(2, 128), std::pair(3, 128), std::pair(4, 128), std::pair(4, 16)})
            add_boxes(LaunchSets::boxes,
                      std::to_string(most) + "/64x4/from32/m" + std::to_string(steps), block,
                      {.boxes = most, .column_multiple = aligned, .place_every = steps});
        add_list(LaunchSets::active_list, "128x1", {.threads = 128});
        add_list(LaunchSets::active_list, "256x1", {});
        add_list(LaunchSets::active_list, "256x1/b256", {.blocks = 256});
        for (const int steps : {1, 16, 128})
            add_list(LaunchSets::sorted_list, "256x1/m" + std::to_string(steps),
                     {.sort_every = steps});
    }
    void add_boxes(const TechniqueInfo& technique, const std::string& path, Region block,
                   const BoxesForm& form) {
        add<LaunchBoxes>(
            technique, path, block,
            {{"boxes", form.boxes},
             {"first_column_multiple", form.column_multiple},
             {"host_reads_every", form.read_every},
             {"host_places_every", form.place_every},
             {"most_blocks", form.blocks}},
            [block, form](Queue& queue, const Problem& problem) {
                return std::make_unique<LaunchBoxes>(queue, problem, block, form);
            },
            form);
    }
    void add_list(const TechniqueInfo& technique, const std::string& path, const ListForm& form) {
        add<LaunchList>(technique, path, {form.threads, 1},
                        {{"sorted_every", form.sort_every}, {"most_blocks", form.blocks}},
                        [form](Queue& queue, const Problem& problem) {
                            return std::make_unique<LaunchList>(queue, problem, form);
                        });
    }

  private:
    template <class Cells, class MakeCells>
    void add(const TechniqueInfo& technique, const std::string& path, Region block,
             const std::vector<Parameter>& parameters, const MakeCells& make_cells,
             const BoxesForm& boxes = {}) {
        StepPlan like;
        like.technique = technique;
        like.shape = {.block = block, .alignment = LaunchSets::alignment, .path = path};
        Variant variant = pipeline_variant(Model::workload, Model::cell, target_backend, "", like,
                                           Model::plans(like, static_cast<Cells*>(nullptr)));
        for (const Parameter& parameter : parameters) variant.info.parameters.push_back(parameter);
        variant.factories[target_backend] = [like, make_cells](Queue& queue,
                                                               const Problem& problem) {
            std::unique_ptr<Cells> cells = make_cells(queue, problem);
            const auto plans = Model::plans(like, cells.get());
            return std::make_unique<LaunchSetExecution>(queue, problem, std::move(cells), plans,
                                                        Model::find_active);
        };
        if constexpr (requires { Model::common_fields; }) make_divisible(variant, like, boxes);
        registry_.add(std::move(variant));
    }

    // Makes a variant divisible among devices: the host divides the box that it reads.
    static void make_divisible(Variant& variant, const StepPlan& like, const BoxesForm& boxes) {
        if (boxes.read_every == 0) {
            variant.undivided =
                "the host, which divides cells at work among places, does not read where they are: "
                "bounding_box/host does";
            return;
        }
        variant.divides_box = true;
        variant.group_factories[target_backend] = [like, boxes](Queue& lead, const Problem& problem,
                                                                const GroupChoice& choice) {
            return divide<BoxPartition>(
                lead, choice, problem,
                BoxGroupForm{like.shape.block,
                             boxes.column_multiple,
                             boxes.read_every,
                             [like](GivenBox* box) { return Model::plans(like, box); },
                             Model::find_active,
                             {Model::common_fields.begin(), Model::common_fields.end()}});
        };
    }

    Registry& registry_;
};

CAMBER_TARGET_END
