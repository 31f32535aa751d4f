#include <algorithm>
#include <functional>

#include "workloads/blur/reference.hpp"
#include "workloads/dog/dog.hpp"
#include "workloads/dog/rule.hpp"
#include "workloads/image/source_image.hpp"

namespace camber {

namespace {

constexpr const char* image_field = Blur::Image::field;
constexpr const char* difference_field = Difference::Result::field;

class DogImageWorkload final : public Workload {
  public:
    std::string_view name() const override { return "dog_image"; }
    std::string_view summary() const override {
        return "difference of Gaussians from the source image: two 3x3 blurs and their difference";
    }
    std::string_view source() const override {
        return "Lowe 2004; Balasalle 2011, sections 5.3.1 and 5.3.2, as one step";
    }
    std::vector<ElementType> cell_types() const override { return {ElementType::float32}; }
    std::vector<ParameterInfo> parameters() const override {
        return {{"sigma_narrow", {1.0}, "cells", "width of the Gaussian that is subtracted"},
                {"sigma_wide", {1.6}, "cells", "width of the Gaussian that it is subtracted from"}};
    }
    std::string_view file_format() const override { return image_file_format; }
    std::optional<Size> input_size(const std::filesystem::path& path) const override {
        return image_size(path);
    }

    State initial(const InitialConditions& conditions) const override {
        State state;
        for (const char* field : {image_field, difference_field})
            state.fields.emplace_back(field, ElementType::float32, conditions.size);
        fill_source_image(state.field(image_field).cells<float>(), conditions);
        return state;
    }

    // The three steps, row by row: blurred images of the board's size would take its memory again.
    void generation(const State& from, State& to, const GenerationContext& context) const override {
        const auto parameters = parameters_of<FusedDog>(context.parameters, context.number);
        const HostField& image = from.field(image_field);
        const std::span<float> difference = to.field(difference_field).cells<float>();
        const BlurSource source(image.cells<float>(), image.size(), context.boundary);
        const std::size_t columns = static_cast<std::size_t>(image.size().columns);
#pragma omp parallel num_threads(context.threads)
        {
            std::vector<float> more_blurred(columns);
            std::vector<float> less_blurred(columns);
#pragma omp for schedule(static)
            for (int row = 0; row < image.size().rows; ++row) {
                source.blur_row(row, parameters.wide, more_blurred.data());
                source.blur_row(row, parameters.narrow, less_blurred.data());
                std::ranges::transform(
                    more_blurred, less_blurred,
                    difference.begin() + static_cast<std::ptrdiff_t>(columns * row), std::minus());
            }
        }
    }
    bool writes(std::string_view field) const override {
        return field == difference_field;
    }
    double stored_bytes_per_cell(ElementType) const override {
        return 8;
    }
    double application_bytes_per_cell(ElementType) const override {
        return 8;
    }

    FinalState final_state(const State& state) const override {
        return mass(state.field(difference_field));
    }
    void check_save_path(const std::filesystem::path& path) const override {
        check_image_suffix(path);
    }
    void save(const State& state, const std::filesystem::path& path,
              const std::string& comment) const override {
        write_differences(state.field(difference_field), path, comment);
    }
};

}  // namespace

std::unique_ptr<Workload> make_dog_image() {
    return std::make_unique<DogImageWorkload>();
}

}  // namespace camber
