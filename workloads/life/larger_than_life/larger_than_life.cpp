// Workload `larger_than_life`: the Game of Life with a neighborhood of any size, on byte or bit
// cells. Contains its CPU reference.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/board_fields.hpp"
#include "workloads/core/factories.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/core/text_file.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/life/larger_than_life/bits.hpp"
#include "workloads/life/larger_than_life/rule.hpp"
#include "workloads/life/patterns.hpp"

namespace camber {

// CPU reference of Larger than Life: adds the cells of each column of the square, then the columns.
// Sums are integers, so their order does not matter.

// Computes one generation of a dense board.
void larger_than_life_generation(std::span<const std::uint8_t> from, std::span<std::uint8_t> to,
                                 Size size, const GenerationContext& context);

namespace {

using Rule = LargerThanLifeBits;

// Expands the bits of `number` to words; numbers beyond all counts are replaced by the largest
// number of that many bits.
void spread(int number, Rule::Word (&bits)[Rule::square_bits]) {
    const int within = std::clamp(number, 0, (1 << Rule::square_bits) - 1);
    for (int k = 0; k < Rule::square_bits; ++k)
        bits[k] = (within >> k & 1) != 0 ? ~Rule::Word{} : 0;
}

}  // namespace

LargerThanLifeBits::Parameters LargerThanLifeBits::parameters(const ParameterSet& set) {
    const LargerThanLife::Parameters rule = LargerThanLife::parameters(set);
    Parameters made;
    made.radius = rule.radius;
    spread(rule.birth.least, made.least.dead);
    spread(rule.survival.least, made.least.alive);
    spread(rule.birth.most + 1, made.too_many.dead);
    spread(rule.survival.most + 1, made.too_many.alive);
    return made;
}

namespace {

using Sums = std::vector<std::uint16_t>;

int wrapped(int i, int n) {
    return ((i % n) + n) % n;
}

// Work of one thread on successive rows.
class RowSums {
  public:
    RowSums(std::span<const std::uint8_t> cells, Size size, Boundary boundary, int radius)
        : cells_(cells),
          size_(size),
          boundary_(boundary),
          radius_(radius),
          columns_(static_cast<std::size_t>(size.columns + 2 * radius)),
          squares_(static_cast<std::size_t>(size.columns)) {}

    // Number of live cells in the square of each cell of the row.
    const Sums& of(int row) {
        add_columns(row);
        std::ranges::fill(squares_, 0);
        for (int d = 0; d <= 2 * radius_; ++d) add(columns_.data() + d, squares_.data());
        return squares_;
    }

  private:
    void add_columns(int row) {
        std::ranges::fill(columns_, 0);
        for (int d = -radius_; d <= radius_; ++d) {
            int r = row + d;
            if (boundary_ == Boundary::torus) r = wrapped(r, size_.rows);
            if (r < 0 || r >= size_.rows) continue;
            add(cells_.data() + static_cast<std::ptrdiff_t>(r) * size_.columns,
                columns_.data() + radius_);
        }
        if (boundary_ != Boundary::torus) return;
        for (int d = 1; d <= radius_; ++d) {
            at(-d) = at(wrapped(-d, size_.columns));
            at(size_.columns - 1 + d) = at(wrapped(size_.columns - 1 + d, size_.columns));
        }
    }
    std::uint16_t& at(int column) { return columns_[static_cast<std::size_t>(column + radius_)]; }

    // Adds a row to another row, cell by cell.
    template <class T>
    void add(const T* source, std::uint16_t* target) const {
        for (int c = 0; c < size_.columns; ++c)
            target[c] = static_cast<std::uint16_t>(target[c] + source[c]);
    }

    std::span<const std::uint8_t> cells_;
    Size size_;
    Boundary boundary_;
    int radius_;
    Sums columns_;  // extended by the radius on both sides
    Sums squares_;
};

}  // namespace

void larger_than_life_generation(std::span<const std::uint8_t> from, std::span<std::uint8_t> to,
                                 Size size, const GenerationContext& context) {
    const auto parameters = LargerThanLife::parameters(context.parameters);
    parallel_rows(context.threads, size.rows, [&](int first, int last) {
        RowSums sums(from, size, context.boundary, parameters.radius);
        for (int row = first; row < last; ++row) {
            const Sums& living = sums.of(row);
            const auto start = static_cast<std::size_t>(row) * size.columns;
            for (int c = 0; c < size.columns; ++c)
                to[start + c] = LargerThanLife::next_of(living[c], from[start + c], parameters);
        }
    });
}

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
                    .options = {rule_option(bosco_rule,
                                            "Radius, births and survivals, such as "
                                            "R5,B34..45,S33..57; must be the input file's rule, if "
                                            "it has one")},
                    .file_format = "RLE",
                    .written_fields = {cells_field},
                    .stored = {.values = 1},
                    .moved = {.values = 2}}) {}

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    std::vector<BoardField> fields(ElementType cell) const override {
        std::vector<BoardField> fields = fields_of_rules<LargerThanLife>();
        for (BoardField& field : fields) field.element = cell;  // bytes of any cell type
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
