#include "workloads/image/extrema/extrema.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "workloads/core/board_fields.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/image/blur/reference.hpp"
#include "workloads/image/extrema/rule.hpp"
#include "workloads/image/image_workload.hpp"

namespace camber {

namespace {

// Properties that distinguish the workloads.
struct Form {
    std::vector<const char*> layers;
    std::vector<const char*> results;
    void (*generation)(const State& from, State& to, const GenerationContext& context);
    std::vector<BoardField> (*fields)();
};

WorkloadFacts with_fields(WorkloadFacts facts, const Form& form) {
    facts.written_fields.assign(form.results.begin(), form.results.end());
    facts.stored = {.values = static_cast<int>(form.layers.size()),
                    .byte_values = static_cast<int>(form.results.size())};
    facts.moved = facts.stored;
    return facts;
}

constexpr int sign(std::uint8_t stored) {
    return static_cast<std::int8_t>(stored);
}

class ExtremaWorkload final : public ImageWorkload, public HasBoardFields {
  public:
    ExtremaWorkload(WorkloadFacts facts, Form form)
        : ImageWorkload(with_fields(std::move(facts), form)), form_(std::move(form)) {}

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    std::vector<BoardField> fields(ElementType) const override { return form_.fields(); }

    // Generates random layers around 0, or the differences of successive blurs of an image.
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

    // Counts the extrema. The checksum is computed over 32-bit numbers 1, -1 and 0, the least
    // significant byte first.
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

    // Writes maxima in white and minima in black on gray; the layers of a stack are stacked
    // vertically.
    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
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
            {-1, 1}, run.comment);
    }

  private:
    Form form_;
};

// Applies the rule of three layers to each middle layer of the stack.
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
        WorkloadFacts{
            .name = "extrema",
            .summary = "extrema of the middle one of three layers among their 26 neighbours",
            .source = "Lowe 2004, section 3.1; Balasalle 2011, section 5.3.3"},
        Form{fields_of<Extrema::Inputs>(), fields_of<Extrema::Outputs>(), reference_step<Extrema>,
             fields_of_rules<Extrema>});
}

std::unique_ptr<Workload> make_extrema_stack() {
    using Stack = ExtremaStack<stack_layers>;
    return std::make_unique<ExtremaWorkload>(
        WorkloadFacts{
            .name = "extrema_stack",
            .summary = "extrema of the four inner ones of six layers among their 26 neighbours",
            .source = "Lowe 2004, section 3.1; Balasalle 2011, section 5.3.3, over several layers"},
        Form{fields_of<Stack::Inputs>(), fields_of<Stack::Outputs>(),
             [](const State& from, State& to, const GenerationContext& context) {
                 stack_generation(from, to, context,
                                  std::make_integer_sequence<int, stack_layers - 2>());
             },
             fields_of_rules<Stack>});
}

}  // namespace camber
