#include "workloads/dog/dog.hpp"

#include "workloads/dog/layers.hpp"
#include "workloads/dog/rule.hpp"
#include "workloads/image/source_image.hpp"
#include "workloads/reference.hpp"

namespace camber {

namespace {

constexpr const char* difference_field = Difference::Result::field;

class DogWorkload final : public Workload {
  public:
    std::string_view name() const override { return "dog"; }
    std::string_view summary() const override {
        return "difference of Gaussians: one blurred image minus another";
    }
    std::string_view source() const override { return "Lowe 2004; Balasalle 2011, section 5.3.2"; }
    std::vector<ElementType> cell_types() const override { return {ElementType::float32}; }
    std::string_view file_format() const override { return image_file_format; }
    std::optional<Size> input_size(const std::filesystem::path& path) const override {
        return image_size(path);
    }

    // The image blurred twice and once.
    State initial(const InitialConditions& conditions) const override {
        State state;
        for (const char* field :
             {Difference::MoreBlurred::field, Difference::LessBlurred::field, difference_field})
            state.fields.emplace_back(field, ElementType::float32, conditions.size);
        std::vector<float> image(static_cast<std::size_t>(conditions.size.cells()));
        fill_source_image(image, conditions);
        fill_blurs(image, conditions.size,
                   {state.field(Difference::LessBlurred::field).cells<float>(),
                    state.field(Difference::MoreBlurred::field).cells<float>()});
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        reference_step<Difference>(from, to, context);
    }
    bool writes(std::string_view field) const override { return field == difference_field; }
    double stored_bytes_per_cell(ElementType) const override { return 12; }
    double application_bytes_per_cell(ElementType) const override { return 12; }

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

std::unique_ptr<Workload> make_dog() {
    return std::make_unique<DogWorkload>();
}

}  // namespace camber
