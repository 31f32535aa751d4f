#include "workloads/extrema/extrema.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "workloads/checksum.hpp"
#include "workloads/dog/layers.hpp"
#include "workloads/extrema/rule.hpp"
#include "workloads/image/source_image.hpp"
#include "workloads/reference.hpp"

namespace camber {

namespace {

struct Form {
    const char* name;
    const char* summary;
    const char* source;
    std::vector<const char*> layers;
    std::vector<const char*> results;
    void (*generation)(const State& from, State& to, const GenerationContext& context);
};

constexpr int sign(std::uint8_t stored) {
    return static_cast<std::int8_t>(stored);
}

class ExtremaWorkload final : public Workload {
  public:
    explicit ExtremaWorkload(Form form) : form_(std::move(form)) {}

    std::string_view name() const override { return form_.name; }
    std::string_view summary() const override { return form_.summary; }
    std::string_view source() const override { return form_.source; }
    std::vector<ElementType> cell_types() const override { return {ElementType::float32}; }
    std::string_view file_format() const override { return image_file_format; }
    std::optional<Size> input_size(const std::filesystem::path& path) const override {
        return image_size(path);
    }

    // Random layers around 0, or the differences of successive blurs of an image.
    State initial(const InitialConditions& conditions) const override {
        State state;
        for (const char* layer : form_.layers)
            state.fields.emplace_back(layer, ElementType::float32, conditions.size);
        for (const char* result : form_.results)
            state.fields.emplace_back(result, ElementType::uint8, conditions.size);
        std::vector<std::span<float>> layers;
        for (const char* layer : form_.layers) layers.push_back(state.field(layer).cells<float>());
        if (conditions.input) {
            std::vector<float> image(static_cast<std::size_t>(conditions.size.cells()));
            fill_source_image(image, conditions);
            fill_difference_layers(std::move(image), conditions.size, layers);
        } else {
            for (std::size_t i = 0; i < layers.size(); ++i)
                fill_random(layers[i], conditions.seed + 10 + i, 0.5f);
        }
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        form_.generation(from, to, context);
    }
    bool writes(std::string_view field) const override {
        return std::ranges::find(form_.results, field) != form_.results.end();
    }
    double stored_bytes_per_cell(ElementType) const override { return bytes_per_cell(); }
    double application_bytes_per_cell(ElementType) const override { return bytes_per_cell(); }

    // The number of extrema. The checksum is over 32-bit numbers 1, -1 and 0, the least significant
    // byte first.
    FinalState final_state(const State& state) const override {
        FinalState final{"population", 0, 0};
        Checksum checksum;
        std::uint64_t population = 0;
        for (const char* result : form_.results)
            for (const std::uint8_t stored : state.field(result).cells<std::uint8_t>()) {
                population += stored != 0;
                checksum.add_word(static_cast<std::uint32_t>(sign(stored)));
            }
        final.amount = static_cast<double>(population);
        final.checksum = checksum.value();
        return final;
    }

    void check_save_path(const std::filesystem::path& path) const override {
        check_image_suffix(path);
    }
    // White maxima and black minima on grey; the layers of a stack one below the other.
    void save(const State& state, const std::filesystem::path& path,
              const std::string& comment) const override {
        const Size size = state.field(form_.results.front()).size();
        const Size all{size.columns, size.rows * static_cast<int>(form_.results.size())};
        const std::size_t columns = static_cast<std::size_t>(size.columns);
        write_image(
            path, all,
            [&](int row, std::span<float> values) {
                const HostField& field =
                    state.field(form_.results[static_cast<std::size_t>(row / size.rows)]);
                const auto cells = field.cells<std::uint8_t>().subspan(
                    static_cast<std::size_t>(row % size.rows) * columns, columns);
                std::ranges::transform(cells, values.begin(), sign);
            },
            {-1, 1}, comment);
    }

  private:
    double bytes_per_cell() const {
        return static_cast<double>(sizeof(float) * form_.layers.size() + form_.results.size());
    }

    Form form_;
};

// The rule of three layers, layer by layer.
template <int... middle>
void stack_generation(const State& from, State& to, const GenerationContext& context,
                      std::integer_sequence<int, middle...>) {
    (reference_step<ExtremaOfLayer<middle + 1>>(from, to, context), ...);
}

template <class Tags>
std::vector<const char*> fields_of() {
    std::vector<const char*> fields;
    Tags::for_each([&]<class Tag>(Tag) { fields.push_back(Tag::field); });
    return fields;
}

}  // namespace

std::unique_ptr<Workload> make_extrema() {
    return std::make_unique<ExtremaWorkload>(
        Form{"extrema", "extrema of the middle one of three layers among their 26 neighbours",
             "Lowe 2004, section 3.1; Balasalle 2011, section 5.3.3", fields_of<Extrema::Inputs>(),
             fields_of<Extrema::Outputs>(), reference_step<Extrema>});
}

std::unique_ptr<Workload> make_extrema_stack() {
    using Stack = ExtremaStack<stack_layers>;
    return std::make_unique<ExtremaWorkload>(Form{
        "extrema_stack", "extrema of the four inner ones of six layers among their 26 neighbours",
        "Lowe 2004, section 3.1; Balasalle 2011, section 5.3.3, over several layers",
        fields_of<Stack::Inputs>(), fields_of<Stack::Outputs>(),
        [](const State& from, State& to, const GenerationContext& context) {
            stack_generation(from, to, context,
                             std::make_integer_sequence<int, stack_layers - 2>());
        }});
}

}  // namespace camber
