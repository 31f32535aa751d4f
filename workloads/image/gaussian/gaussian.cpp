#include "workloads/image/gaussian/gaussian.hpp"

#include "workloads/core/board_fields.hpp"
#include "workloads/core/rule_fields.hpp"
#include "workloads/image/gaussian/reference.hpp"
#include "workloads/image/gaussian/rule.hpp"
#include "workloads/image/image_workload.hpp"
#include "workloads/image/source_image.hpp"

namespace camber {

namespace {

constexpr const char* gaussian_field = GaussianBlur::Image::field;

WorkloadFacts gaussian_facts() {
    return {.name = "gaussian",
            .summary = "Gaussian blur of a grey-scale image, radius 1 to 16",
            .source = "Podlozhnyuk 2007; Lowe 2004, equation 2",
            .parameters = {{"sigma", {1.5}, "cells", "width of the Gaussian"},
                           {"radius",
                            {0},
                            "cells",
                            "1 to 16: where it is cut off; 0: at three times sigma, rounded up, "
                            "at most 16"}},
            .written_fields = {gaussian_field},
            .stored = {.values = 1},
            .moved = {.values = 2}};
}

class GaussianWorkload final : public ImageWorkload, public HasBoardFields {
  public:
    GaussianWorkload() : ImageWorkload(gaussian_facts()) {}

    std::vector<BoardField> fields(ElementType) const override {
        return fields_of_rules<GaussianBlur>();
    }
    RuleNumbers numbers(const ParameterSet& set) const override {
        RuleNumbers all = set.all();
        const GaussianWeights made = GaussianWeights::of(set);
        all["radius"] = {1.0 * made.radius};
        all["weights"] = {std::begin(made.weights), std::end(made.weights)};
        return all;
    }

    State initial(const InitialConditions& conditions) const override {
        State state;
        HostField& image =
            state.fields.emplace_back(gaussian_field, ElementType::float32, conditions.size);
        fill_source_image(image.cells<float>(), conditions);
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        const HostField& image = from.field(gaussian_field);
        gaussian_blur_image(image.cells<float>(), to.field(gaussian_field).cells<float>(),
                            image.size(), GaussianWeights::of(context.parameters), context.boundary,
                            context.threads);
    }

    FinalState final_state(const State& state) const override {
        return mass(state.field(gaussian_field));
    }
    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        write_intensities(state.field(gaussian_field), path, run.comment);
    }
};

}  // namespace

std::unique_ptr<Workload> make_gaussian() {
    return std::make_unique<GaussianWorkload>();
}

}  // namespace camber
