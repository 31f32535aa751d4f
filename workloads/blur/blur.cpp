#include "workloads/blur/blur.hpp"

#include "workloads/blur/reference.hpp"
#include "workloads/blur/rule.hpp"
#include "workloads/blur/weights.hpp"
#include "workloads/image/source_image.hpp"

namespace camber {

namespace {

constexpr const char* image_field = Blur::Image::field;

class BlurWorkload final : public Workload {
  public:
    std::string_view name() const override { return "blur"; }
    std::string_view summary() const override {
        return "3x3 blur of a grey-scale image, not separated into rows and columns";
    }
    std::string_view source() const override { return "Balasalle 2011, section 5.3.1"; }
    std::vector<ElementType> cell_types() const override { return {ElementType::float32}; }
    std::vector<ParameterInfo> parameters() const override {
        return {
            {"weights",
             {std::begin(binomial_weights), std::end(binomial_weights)},
             "",
             "the nine weights, row by row"},
            {"sigma", {0}, "cells", "above 0: the weights of a Gaussian of this width instead"}};
    }

    std::string_view file_format() const override { return image_file_format; }
    std::optional<Size> input_size(const std::filesystem::path& path) const override {
        return image_size(path);
    }

    State initial(const InitialConditions& conditions) const override {
        State state;
        HostField& image =
            state.fields.emplace_back(image_field, ElementType::float32, conditions.size);
        fill_source_image(image.cells<float>(), conditions);
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        const HostField& image = from.field(image_field);
        const auto parameters = parameters_of<Blur>(context.parameters, context.number);
        blur_image(image.cells<float>(), to.field(image_field).cells<float>(), image.size(),
                   parameters.weights, context.boundary, context.threads);
    }

    double application_bytes_per_cell(ElementType) const override { return 8; }

    FinalState final_state(const State& state) const override {
        return mass(state.field(image_field));
    }
    void check_save_path(const std::filesystem::path& path) const override {
        check_image_suffix(path);
    }
    void save(const State& state, const std::filesystem::path& path,
              const std::string& comment) const override {
        write_intensities(state.field(image_field), path, comment);
    }
};

}  // namespace

std::unique_ptr<Workload> make_blur() {
    return std::make_unique<BlurWorkload>();
}

}  // namespace camber
