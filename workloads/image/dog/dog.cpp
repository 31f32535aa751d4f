// Workloads `dog`, the difference of two blurred images, and `dog_image`, the difference of two
// blurs of one image.
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include "workloads/core/board_fields.hpp"
#include "workloads/core/factories.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/image/blur/reference.hpp"
#include "workloads/image/dog/rule.hpp"
#include "workloads/image/image_workload.hpp"

namespace camber {

template <Gaussian gaussian>
Blur::Parameters BlurTo<gaussian>::parameters(const ParameterSet& set) {
    Parameters parameters;
    set_gaussian_weights(parameters.weights, set,
                         gaussian == Gaussian::wide ? "sigma_wide" : "sigma_narrow");
    return parameters;
}
template struct BlurTo<Gaussian::narrow>;
template struct BlurTo<Gaussian::wide>;

FusedDog::Parameters FusedDog::parameters(const ParameterSet& set) {
    Parameters parameters;
    set_gaussian_weights(parameters.wide, set, "sigma_wide");
    set_gaussian_weights(parameters.narrow, set, "sigma_narrow");
    return parameters;
}

namespace {

constexpr const char* image_field = Blur::Image::field;
constexpr const char* more_blurred_field = Difference::MoreBlurred::field;
constexpr const char* less_blurred_field = Difference::LessBlurred::field;
constexpr const char* difference_field = Difference::Result::field;

State state_of(std::initializer_list<const char*> fields, Size size) {
    State state;
    for (const char* field : fields) state.fields.emplace_back(field, ElementType::float32, size);
    return state;
}

// Base of the workloads whose result is a difference of two blurred images.
class DifferenceWorkload : public ImageWorkload {
  public:
    FinalState final_state(const State& state) const final {
        return mass(state.field(difference_field));
    }
    void save(const State& state, const std::filesystem::path& path, const Run& run) const final {
        write_differences(state.field(difference_field), path, run.comment);
    }

  protected:
    using ImageWorkload::ImageWorkload;
};

class DogWorkload final : public DifferenceWorkload, public HasBoardFields {
  public:
    DogWorkload()
        : DifferenceWorkload({.name = "dog",
                              .summary = "difference of Gaussians: one blurred image minus another",
                              .source = "Lowe 2004; Balasalle 2011, section 5.3.2",
                              .written_fields = {difference_field},
                              .stored = {.values = 3},
                              .moved = {.values = 3}}) {}

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    std::vector<BoardField> fields(ElementType) const override {
        return fields_of_rules<Difference>();
    }

    // Starts from the image blurred twice and the image blurred once.
    State initial(const InitialConditions& conditions) const override {
        State state =
            state_of({more_blurred_field, less_blurred_field, difference_field}, conditions.size);
        std::vector<float> image(static_cast<std::size_t>(conditions.size.cells()));
        fill_source_image(image, conditions);
        fill_blurs(image, conditions.size,
                   {state.field(less_blurred_field).cells<float>(),
                    state.field(more_blurred_field).cells<float>()});
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        reference_step<Difference>(from, to, context);
    }
};

class DogImageWorkload final : public DifferenceWorkload, public HasBoardFields {
  public:
    DogImageWorkload()
        : DifferenceWorkload(
              {.name = "dog_image",
               .summary = "difference of Gaussians from the source image: two 3x3 blurs and their "
                          "difference",
               .source = "Lowe 2004; Balasalle 2011, sections 5.3.1 and 5.3.2, as one step",
               .parameters =
                   {{"sigma_narrow", {1.0}, "cells", "width of the Gaussian that is subtracted"},
                    {"sigma_wide",
                     {1.6},
                     "cells",
                     "width of the Gaussian that it is subtracted from"}},
               .written_fields = {difference_field},
               .stored = {.values = 2},
               .moved = {.values = 2}}) {}

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    std::vector<BoardField> fields(ElementType) const override {
        return fields_of_rules<FusedDog>();
    }
    RuleNumbers numbers(const ParameterSet& set) const override {
        RuleNumbers all = set.all();
        const FusedDog::Parameters parameters = FusedDog::parameters(set);
        all["wide"] = {std::begin(parameters.wide), std::end(parameters.wide)};
        all["narrow"] = {std::begin(parameters.narrow), std::end(parameters.narrow)};
        return all;
    }

    State initial(const InitialConditions& conditions) const override {
        State state = state_of({image_field, difference_field}, conditions.size);
        fill_source_image(state.field(image_field).cells<float>(), conditions);
        return state;
    }

    // Computes the three steps row by row, so that no blurred image of the board's size is needed.
    void generation(const State& from, State& to, const GenerationContext& context) const override {
        const auto parameters = parameters_of<FusedDog>(context.parameters, context.number);
        const HostField& image = from.field(image_field);
        const std::span<float> difference = to.field(difference_field).cells<float>();
        const BlurSource source(image.cells<float>(), image.size(), context.boundary);
        const std::size_t columns = static_cast<std::size_t>(image.size().columns);
        parallel_rows(context.threads, image.size().rows, [&](int first, int last) {
            std::vector<float> more_blurred(columns);
            std::vector<float> less_blurred(columns);
            for (int row = first; row < last; ++row) {
                source.blur_row(row, parameters.wide, more_blurred.data());
                source.blur_row(row, parameters.narrow, less_blurred.data());
                std::ranges::transform(
                    more_blurred, less_blurred,
                    difference.begin() + static_cast<std::ptrdiff_t>(columns * row), std::minus());
            }
        });
    }
};

}  // namespace

std::unique_ptr<Workload> make_dog() {
    return std::make_unique<DogWorkload>();
}

std::unique_ptr<Workload> make_dog_image() {
    return std::make_unique<DogImageWorkload>();
}

}  // namespace camber
