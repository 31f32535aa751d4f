// Workload `life`: Conway's Game of Life, and any rule of births and survivals, on cells of 4
// bytes, 1 byte or 1 bit.
#include "workloads/core/factories.hpp"

#include <ostream>

#include "workloads/core/board_fields.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/core/text_file.hpp"
#include "workloads/life/birth_survival.hpp"
#include "workloads/life/patterns.hpp"
#include "workloads/life/rule.hpp"

namespace camber {

namespace {

constexpr const char* cells_field = Life<std::uint32_t>::Current::field;

// Calls f with a zero of the type that a field with these cells has on the host.
template <class F>
auto with_cell_type(ElementType cell, const F& f) {
    if (cell == ElementType::uint8 || cell == ElementType::bits) return f(std::uint8_t{});
    return f(std::uint32_t{});
}

class LifeWorkload final : public Workload, public HasBoardFields {
  public:
    LifeWorkload()
        : Workload({.name = "life",
                    .summary = "Conway's Game of Life (B3/S23), one cell per element",
                    .source = "Gardner 1970; Balasalle 2011, section 5.2",
                    .cell_types = {ElementType::uint32, ElementType::uint8, ElementType::bits},
                    .options = {rule_option("B3/S23",
                                            "Births and survivals by live neighbors, such as "
                                            "B36/S23; must be the input file's rule, if it has "
                                            "one")},
                    .file_format = "RLE",
                    .written_fields = {cells_field},
                    .stored = {.values = 1},
                    .moved = {.values = 2}}) {}

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    std::vector<BoardField> fields(ElementType cell) const override {
        if (cell == ElementType::uint32) return fields_of_rules<Life<std::uint32_t>>();
        std::vector<BoardField> fields = fields_of_rules<Life<std::uint8_t>>();
        for (BoardField& field : fields) field.element = cell;  // bytes of any cell type
        return fields;
    }

    ParameterSet parameters_for(const InitialConditions& conditions) const override {
        ParameterSet set = Workload::parameters_for(conditions);
        if (const auto rule = chosen_rule(conditions, birth_survival_rules)) set.set_rule(*rule);
        return set;
    }

    State initial(const InitialConditions& conditions) const override {
        State state;
        HostField& field = state.fields.emplace_back(cells_field, conditions.cell, conditions.size);
        with_cell_type(conditions.cell, [&]<class T>(T) {
            if (conditions.input)
                place_pattern(field.cells<T>(), read_rle_file(*conditions.input), conditions);
            else
                fill_random_cells(field.cells<T>(), conditions);
        });
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        with_cell_type(from.field(cells_field).element(), [&]<class T>(T) {
            if (context.parameters.rule().empty())
                reference_step<Life<T>>(from, to, context);
            else
                reference_step<LifeLike<T>>(from, to, context);
        });
    }

    FinalState final_state(const State& state) const override {
        FinalState final{"population", 0, 0};
        Checksum checksum;
        std::uint64_t population = 0;
        each_cell(state, [&](bool alive) {
            population += alive;
            checksum.add(alive);
        });
        final.amount = static_cast<double>(population);
        final.checksum = checksum.value();
        return final;
    }

    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        const HostField& field = state.field(cells_field);
        grid_file::write_text(path, "pattern file", [&](std::ostream& file) {
            with_cell_type(field.element(), [&]<class T>(T) {
                const auto cells = field.cells<T>();
                const auto alive = [&](std::int64_t row, std::int64_t column) {
                    return cells[static_cast<std::size_t>(row * field.size().columns + column)] !=
                           0;
                };
                write_rle(file, field.size().columns, field.size().rows, alive, run.comment,
                          birth_survival_of(run.parameters.rule()).name());
            });
        });
    }

  private:
    template <class F>
    static void each_cell(const State& state, const F& f) {
        const HostField& field = state.field(cells_field);
        with_cell_type(field.element(), [&]<class T>(T) {
            for (const T cell : field.cells<T>()) f(cell != 0);
        });
    }
};

}  // namespace

std::unique_ptr<Workload> make_life() {
    return std::make_unique<LifeWorkload>();
}

}  // namespace camber
