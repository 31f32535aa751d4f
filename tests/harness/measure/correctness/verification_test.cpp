// Results that verification must accept or reject, within a tolerance and bit by bit.
#include "harness/measure/correctness/verification.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "harness/machine/queue/host_memory.hpp"
#include "tests/catch.hpp"

namespace camber::verification_test {
namespace {

constexpr Size size{4, 3};

template <class T>
State state_of(const std::vector<T>& cells) {
    State state;
    state.fields.emplace_back("level", element_of<T>(), size);
    std::ranges::copy(cells, state.fields[0].template cells<T>().begin());
    return state;
}

std::vector<float> levels() {
    return {100, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -11};
}

Verification compared(const std::vector<float>& actual, const Tolerance& tolerance) {
    const State expected = state_of(levels());
    const Verification one = compare(expected, state_of(actual), tolerance, 5, 1);
    const Verification three = compare(expected, state_of(actual), tolerance, 5, 3);
    CHECK(one.differing_cells == three.differing_cells);
    CHECK(one.compared_cells == size.cells());
    CHECK(one.generations == 5);
    return one;
}

std::vector<float> with(std::size_t cell, float value) {
    auto cells = levels();
    cells[cell] = value;
    return cells;
}

TEST_CASE("a share of the cells may be farther off where a tolerance says so", "[verification]") {
    // One of the twelve cells, none of which is 0.
    const Tolerance tolerance{.absolute = 0.25, .outliers = 0.1};
    const Verification one = compared(with(6, 99.0f), tolerance);
    CHECK(one.passed());
    CHECK(one.outlying_cells == 1);
    CHECK(one.differing_cells == 0);
    CHECK_FALSE(one.first_difference);
    CHECK(one.largest_difference == 93);
    CHECK(describe(one) ==
          "all 12 cells but 1 are within tolerance of the reference, which allows outliers");
    auto two_cells = with(6, 99.0f);
    two_cells[7] = 99;
    const Verification two = compared(two_cells, tolerance);
    CHECK_FALSE(two.passed());
    CHECK(two.outlying_cells == 0);
    CHECK(two.differing_cells == 2);
    REQUIRE(two.first_difference);
    CHECK(two.first_difference->column == 2);
    // NaN never passes.
    CHECK_FALSE(compared(with(6, std::numeric_limits<float>::quiet_NaN()), tolerance).passed());
    // One of one nonzero cell is too many; zeros do not count.
    const State expected = state_of(std::vector<float>(12));
    auto cells = std::vector<float>(12);
    cells[3] = 1;
    CHECK_FALSE(compare(expected, state_of(cells), tolerance, 5, 1).passed());
}

TEST_CASE("cells within the tolerance pass, one outside is named", "[verification]") {
    const Tolerance tolerance{.absolute = 0.25, .relative = 0.125};
    const Verification inside = compared(with(6, 7.0f), tolerance);  // allowed: 0.25 + 6/8
    CHECK(inside.passed());
    CHECK(inside.largest_difference == 1);
    CHECK(describe(inside) == "all 12 cells are within tolerance of the reference");

    const Verification outside = compared(with(6, 7.125f), tolerance);
    CHECK_FALSE(outside.passed());
    CHECK(outside.differing_cells == 1);
    REQUIRE(outside.first_difference);
    CHECK(outside.first_difference->field == "level");
    CHECK(outside.first_difference->row == 1);
    CHECK(outside.first_difference->column == 2);
    CHECK(describe(outside) ==
          "1 of 12 cells differ from the reference after 5 generations; the first is row 1, column "
          "2 of `level`: expected 6, got 7.125");
    // The relative part refers to the absolute value of the expected number.
    CHECK(compared(with(11, -12.625f), tolerance).passed());
    CHECK_FALSE(compared(with(11, -12.75f), tolerance).passed());
    CHECK_FALSE(compared(with(11, 11), tolerance).passed());
}

TEST_CASE("what is no number is never within a tolerance", "[verification]") {
    const Tolerance wide{.absolute = 1e30, .relative = 1e30};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(compared(with(3, 1e20f), wide).passed());
    for (const float value : {nan, infinity, -infinity}) {
        CAPTURE(value);
        const Verification found = compared(with(3, value), wide);
        CHECK(found.differing_cells == 1);
        CHECK(found.first_difference->column == 3);
    }
    // NaN does not equal itself by value, but bit by bit it does.
    State state = state_of(with(3, nan));
    CHECK_FALSE(compare(state, state, {.absolute = 1}, 1, 1).passed());
    CHECK(compare(state, state, {}, 1, 1).passed());
}

TEST_CASE("a sum that is off fails every cell", "[verification]") {
    const Tolerance tolerance{.absolute = 1, .total = 1e-3};  // the sum is 144
    auto cells = levels();
    for (float& cell : cells) cell += 0.01f;
    CHECK(compared(cells, tolerance).passed());
    for (float& cell : cells) cell += 0.01f;
    const Verification off = compared(cells, tolerance);
    CHECK(off.differing_cells == 12);
    REQUIRE(off.first_difference);
    CHECK(off.first_difference->row == 0);
    CHECK(off.first_difference->column == 0);
    // Differences that cancel out preserve the sum.
    cells = levels();
    cells[1] += 0.5f;
    cells[2] -= 0.5f;
    CHECK(compared(cells, tolerance).passed());
    // A sum that is NaN fails.
    CHECK(compared(with(0, std::numeric_limits<float>::quiet_NaN()), tolerance).differing_cells ==
          12);
}

TEST_CASE("without a tolerance every bit counts", "[verification]") {
    CHECK(compared(levels(), {}).passed());
    const Verification found = compared(with(1, std::nextafter(1.0f, 2.0f)), {});
    CHECK(found.differing_cells == 1);
    CHECK(found.first_difference->column == 1);
    const State zero = state_of(std::vector<float>(12, 0.0f));
    const State negative = state_of(std::vector<float>(12, -0.0f));
    CHECK(compare(zero, negative, {}, 1, 1).differing_cells == 12);
    CHECK(compare(zero, negative, {.absolute = 1e-30}, 1, 1).passed());
}

TEST_CASE("a tolerance is one of numbers with a fraction", "[verification]") {
    const State expected = state_of(std::vector<std::uint32_t>(12, 5));
    const State actual = state_of(std::vector<std::uint32_t>(12, 6));
    CHECK(compare(expected, actual, {.absolute = 100, .total = 1}, 1, 1).differing_cells == 12);
    const State exact = state_of(std::vector<double>(12, 5));
    const State near = state_of(std::vector<double>(12, 5 + 1e-9));
    CHECK(compare(exact, near, {.absolute = 1e-8}, 1, 1).passed());
    CHECK_FALSE(compare(exact, near, {.absolute = 1e-10}, 1, 1).passed());
}

TEST_CASE("a field may have a tolerance of its own", "[verification]") {
    const auto state = [](double thickness, double temperature) {
        State state;
        for (const auto& [name, value] :
             {std::pair("thickness", thickness), {"temperature", temperature}}) {
            HostField& field = state.fields.emplace_back(name, ElementType::float64, Size{3, 1});
            std::ranges::fill(field.cells<double>(), value);
        }
        return state;
    };
    const Tolerance tolerance{.absolute = 1e-9, .absolute_of = {{"temperature", 1e-6}}};
    CHECK_FALSE(tolerance.exact());
    CHECK_FALSE(Tolerance{.absolute_of = {{"temperature", 1e-6}}}.exact());
    CHECK(compare(state(1, 1200), state(1, 1200 + 9e-7), tolerance, 1, 1).passed());
    const Verification hot = compare(state(1, 1200), state(1, 1200 + 2e-6), tolerance, 1, 1);
    CHECK(hot.differing_cells == 3);
    CHECK(hot.first_difference->field == "temperature");
    const Verification thick = compare(state(1, 1200), state(1 + 9e-7, 1200), tolerance, 1, 1);
    CHECK(thick.differing_cells == 3);
    CHECK(thick.first_difference->field == "thickness");
}

TEST_CASE("fields of another shape are not compared", "[verification]") {
    State other;
    other.fields.emplace_back("level", ElementType::float32, Size{3, 4});
    CHECK_THROWS_AS(compare(state_of(levels()), other, {}, 1, 1), std::logic_error);
    const Verification nothing = compare(State{}, State{}, {}, 1, 1);
    CHECK_FALSE(nothing.passed());
    CHECK(describe(nothing) == "no cell was compared");
}

// A state in queue memory whose rows have gaps between them.
template <class T>
struct InPlace final : Execution {
    explicit InPlace(const std::vector<T>& cells) : rows(size.rows * pitch, T(77)) {
        for (int row = 0; row < size.rows; ++row)
            std::copy_n(cells.begin() + row * size.columns, size.columns,
                        rows.begin() + row * pitch);
    }
    void upload(const State&) override {}
    void download(State&) override {}
    void poison(Poison) override {}
    void advance(int) override {}
    std::optional<CellsView> view(std::string_view field) const override {
        if (field != "level") return std::nullopt;
        return CellsView{rows.data(), pitch * sizeof(T)};
    }
    static constexpr std::size_t pitch = 6;
    std::vector<T> rows;
};

template <class T>
std::optional<Verification> in_place(const std::vector<T>& expected, const std::vector<T>& actual,
                                     const Tolerance& tolerance) {
    HostMemoryQueue queue;
    return passed_in_place(state_of(expected), InPlace<T>(actual), queue, tolerance, 5);
}

TEST_CASE("a state passes in place where it passes as a copy", "[verification]") {
    const Tolerance tolerances[] = {{},
                                    {.absolute = 0.25},
                                    {.relative = 0.01},
                                    {.absolute = 0.25, .outliers = 0.1},
                                    {.absolute = 100, .total = 0.01}};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::vector<float>> states{levels(),        with(0, 100.2f), with(0, 100.9f),
                                                 with(6, 99.0f),  with(6, 7.0f),   with(11, nan),
                                                 with(11, -10.9f)};
    for (const Tolerance& tolerance : tolerances)
        for (const auto& state : states) {
            const Verification copied = compared(state, tolerance);
            const auto placed = in_place(levels(), state, tolerance);
            INFO(tolerance.absolute << " " << tolerance.relative << " " << state[6]);
            REQUIRE(placed.has_value() == copied.passed());
            if (!placed) continue;
            CHECK(placed->compared_cells == copied.compared_cells);
            CHECK(placed->largest_difference == copied.largest_difference);
            CHECK(placed->outlying_cells == copied.outlying_cells);
            CHECK(placed->tolerance == copied.tolerance);
            CHECK(placed->generations == copied.generations);
            CHECK(describe(*placed) == describe(copied));
        }
}

TEST_CASE("in place, every cell of every type counts, and poison does not pass", "[verification]") {
    const auto check = []<class T>(T) {
        std::vector<T> expected(static_cast<std::size_t>(size.cells()));
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<T>(i);
        CHECK(in_place(expected, expected, {}));
        for (std::size_t i = 0; i < expected.size(); ++i) {
            auto wrong = expected;
            reinterpret_cast<unsigned char*>(&wrong[i])[sizeof(T) - 1] ^= 1;
            CHECK_FALSE(in_place(expected, wrong, {}));
        }
        for (const Poison poison : {Poison::first, Poison::second}) {
            auto poisoned = expected;
            fill_with_poison(std::as_writable_bytes(std::span(poisoned)), element_of<T>(), poison);
            CHECK_FALSE(in_place(expected, poisoned, {}));
            CHECK_FALSE(in_place(expected, poisoned, {.absolute = 1, .relative = 1}));
        }
    };
    check(std::uint8_t{});
    check(std::uint32_t{});
    check(std::int32_t{});
    check(float{});
    check(double{});
}

TEST_CASE("a field that lies nowhere is not compared in place", "[verification]") {
    HostMemoryQueue queue;
    State expected = state_of(levels());
    expected.fields.emplace_back("other", ElementType::float32, size);
    CHECK_FALSE(passed_in_place(expected, InPlace<float>(levels()), queue, {}, 5));
    CHECK_FALSE(passed_in_place(State(), InPlace<float>(levels()), queue, {}, 5));
}

}  // namespace
}  // namespace camber::verification_test
