// Workload `blur`: a 3x3 blur of a grayscale image, repeated in every generation.
#include "workloads/core/factories.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"
#include "workloads/core/board_fields.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/image/blur/reference.hpp"
#include "workloads/image/blur/rule.hpp"
#include "workloads/image/image_workload.hpp"

namespace camber {

namespace {

constexpr const char* image_field = Blur::Image::field;
constexpr const char* rule_name = "rule";
constexpr std::string_view usual_rule = "square";

WorkloadFacts blur_facts() {
    return {.name = "blur",
            .summary = "3x3 blur of a grey-scale image, not separated into rows and columns",
            .source = "Balasalle 2011, section 5.3.1",
            .cell_types = {ElementType::float32, ElementType::float64},
            .options = {{.name = rule_name,
                         .type = OptionType::choice,
                         .usual = usual_rule,
                         .help = "Sum over the whole square, or along rows and then columns, "
                                 "which rounds differently and takes weights that are products",
                         .choices = {usual_rule, BlurSeparable::name}}},
            .parameters = {{"weights",
                            {std::begin(binomial_weights), std::end(binomial_weights)},
                            "",
                            "the nine weights, row by row"},
                           {"sigma",
                            {0},
                            "cells",
                            "above 0: the weights of a Gaussian of this width instead"}},
            .written_fields = {image_field},
            .stored = {.values = 1},
            .moved = {.values = 2}};
}

class BlurWorkload final : public ImageWorkload, public HasBoardFields {
  public:
    BlurWorkload() : ImageWorkload(blur_facts()) {}

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    ParameterSet parameters_for(const InitialConditions& conditions) const override {
        ParameterSet set = Workload::parameters_for(conditions);
        const std::string rule = text_value(conditions.options, rule_name, usual_rule);
        if (rule == usual_rule) return set;
        if (conditions.cell == ElementType::float64)
            throw Error(ExitCode::usage,
                        fmt::format("rule {} takes cells of type float32, not {}: leave out --cell "
                                    "or the rule",
                                    rule, info(conditions.cell).name));
        set.set_rule(rule);
        return set;
    }

    std::vector<BoardField> fields(ElementType cell) const override {
        return with_real_type(cell, []<class T>(T) { return fields_of_rules<BlurOf<T>>(); });
    }
    RuleNumbers numbers(const ParameterSet& set) const override {
        RuleNumbers all = set.all();
        const auto parameters = BlurOf<double>::parameters(set);
        all["weights"] = {std::begin(parameters.weights), std::end(parameters.weights)};
        return all;
    }

    State initial(const InitialConditions& conditions) const override {
        State state;
        HostField& image =
            state.fields.emplace_back(image_field, real_cell(conditions), conditions.size);
        fill_source_image(image, conditions);
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        const HostField& image = from.field(image_field);
        const auto blur = [&]<class T>(T, const auto& weights) {
            blur_image(image.cells<T>(), to.field(image_field).cells<T>(), image.size(), weights,
                       context.boundary, context.threads);
        };
        if (!context.parameters.rule().empty())
            return blur(float{}, BlurSeparable::parameters(context.parameters));
        with_real_type(image.element(), [&]<class T>(T zero) {
            blur(zero, BlurOf<T>::parameters(context.parameters).weights);
        });
    }

    FinalState final_state(const State& state) const override {
        return mass(state.field(image_field));
    }
    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        write_intensities(state.field(image_field), path, run.comment);
    }
};

}  // namespace

std::unique_ptr<Workload> make_blur() {
    return std::make_unique<BlurWorkload>();
}

}  // namespace camber
