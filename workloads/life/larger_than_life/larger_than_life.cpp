#include "workloads/life/larger_than_life/larger_than_life.hpp"

#include <cstdint>
#include <ostream>
#include <span>

#include "workloads/core/board_fields.hpp"
#include "workloads/core/checksum.hpp"
#include "workloads/core/rule_fields.hpp"
#include "workloads/core/text_file.hpp"
#include "workloads/life/cells.hpp"
#include "workloads/life/larger_than_life/reference.hpp"
#include "workloads/life/larger_than_life/rule_text.hpp"
#include "workloads/life/rle.hpp"

namespace camber {

namespace {

constexpr const char* cells_field = LargerThanLife::Current::field;

constexpr RuleFamily rules{bosco_rule, [](std::string_view text, std::string_view what) {
                               return rule_text(larger_than_life_rule(text, what));
                           }};

class LargerThanLifeWorkload final : public Workload, public HasBoardFields {
  public:
    LargerThanLifeWorkload()
        : Workload({.name = "larger_than_life",
                    .summary = "Larger than Life: the cells of a square decide, radius 1 to 16",
                    .source = "Evans 1996; Evans 2001",
                    .cell_types = {ElementType::uint8, ElementType::bits},
                    .usual_rule = bosco_rule,
                    .rule_form = "radius, births and survivals, as R5,B34..45,S33..57",
                    .file_format = "RLE",
                    .written_fields = {cells_field},
                    .stored = {.values = 1},
                    .moved = {.values = 2}}) {}

    std::vector<BoardField> fields(ElementType cell) const override {
        std::vector<BoardField> fields = fields_of_rules<LargerThanLife>();
        for (BoardField& field : fields) field.element = cell;  // a byte of any type
        return fields;
    }
    RuleNumbers numbers(const ParameterSet& set) const override {
        const auto rule = LargerThanLife::parameters(set);
        const auto ends = [](Interval interval) {
            return std::vector<double>{1.0 * interval.least, 1.0 * interval.most};
        };
        RuleNumbers all = set.all();
        all["radius"] = {1.0 * rule.radius};
        all["birth"] = ends(rule.birth);
        all["survival"] = ends(rule.survival);
        return all;
    }

    ParameterSet parameters_for(const InitialConditions& conditions) const override {
        ParameterSet set = Workload::parameters_for(conditions);
        if (const auto rule = chosen_rule(conditions, rules)) set.set_rule(*rule);
        return set;
    }

    State initial(const InitialConditions& conditions) const override {
        State state;
        HostField& field = state.fields.emplace_back(cells_field, conditions.cell, conditions.size);
        const auto cells = field.cells<std::uint8_t>();
        if (conditions.input)
            place_pattern(cells, read_rle_file(*conditions.input, rules), conditions);
        else
            fill_random_cells(cells, conditions);
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        const HostField& source = from.field(cells_field);
        larger_than_life_generation(source.cells<std::uint8_t>(),
                                    to.field(cells_field).cells<std::uint8_t>(), source.size(),
                                    context);
    }

    FinalState final_state(const State& state) const override {
        Checksum checksum;
        std::uint64_t population = 0;
        for (const std::uint8_t cell : state.field(cells_field).cells<std::uint8_t>()) {
            population += cell != 0;
            checksum.add(cell != 0);
        }
        return {"population", static_cast<double>(population), checksum.value()};
    }

    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        const HostField& field = state.field(cells_field);
        const auto cells = field.cells<std::uint8_t>();
        const auto alive = [&](std::int64_t row, std::int64_t column) {
            return cells[static_cast<std::size_t>(row * field.size().columns + column)] != 0;
        };
        grid_file::write_text(path, "pattern file", [&](std::ostream& file) {
            write_rle(file, field.size().columns, field.size().rows, alive, run.comment,
                      rule_text(LargerThanLife::parameters(run.parameters)));
        });
    }
};

}  // namespace

std::unique_ptr<Workload> make_larger_than_life() {
    return std::make_unique<LargerThanLifeWorkload>();
}

}  // namespace camber
