// Extrema compared with the plain definition, comparison by comparison, and golden numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "tests/workloads/core/image_golden.hpp"
#include "tests/workloads/image/image_files.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/image/extrema/extrema.hpp"
#include "workloads/image/extrema/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::extrema_test {
namespace {

using namespace image_test;
using Cube = std::array<float, 27>;  // layer by layer, row by row; 13 is the center

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

const Workload& extrema() {
    return *find_workload("extrema");
}
const Workload& stack() {
    return *find_workload("extrema_stack");
}

std::uint8_t by_definition(const Cube& cube) {
    bool largest = true, smallest = true;
    for (std::size_t i = 0; i < cube.size(); ++i) {
        if (i == 13) continue;
        largest = largest && cube[13] > cube[i];
        smallest = smallest && cube[13] < cube[i];
    }
    return largest ? 1 : smallest ? 255 : 0;
}

std::uint8_t by_rule(const Cube& cube) {
    const auto at = [&]<class Tag>(Tag, int dcol, int drow) {
        const int layer = Extrema::Inputs::index<Tag>;
        return cube[static_cast<std::size_t>(9 * layer + 3 * (drow + 1) + dcol + 1)];
    };
    return Extrema::next(at, {});
}

Cube cube_of(float neighbours, float centre) {
    Cube cube;
    cube.fill(neighbours);
    cube[13] = centre;
    return cube;
}

std::vector<int> signs(const State& state, std::string_view field) {
    std::vector<int> result;
    for (const std::uint8_t cell : state.field(field).cells<std::uint8_t>())
        result.push_back(static_cast<std::int8_t>(cell));
    return result;
}

// Extrema of three layers of 3x3 cells.
std::vector<int> extrema_of(const std::vector<float>& below, const std::vector<float>& middle,
                            const std::vector<float>& above) {
    State state = random_board(extrema(), {3, 3});
    std::ranges::copy(below, state.field("below").cells<float>().begin());
    std::ranges::copy(middle, state.field("middle").cells<float>().begin());
    std::ranges::copy(above, state.field("above").cells<float>().begin());
    advance(extrema(), state, context_of(extrema()), 1);
    return signs(state, "extrema");
}

std::vector<float> layer(float all, float centre) {
    std::vector<float> cells(9, all);
    cells[4] = centre;
    return cells;
}

}  // namespace

TEST_CASE("worked layers have their extrema", "[extrema]") {
    const std::vector<int> none(9, 0);
    CHECK(extrema_of(layer(1, 2), layer(1, 3), layer(1, 2)) ==
          std::vector<int>{0, 0, 0, 0, 1, 0, 0, 0, 0});
    // A tie with a corner of another layer.
    auto tied = layer(1, 2);
    tied[0] = 3;
    CHECK(extrema_of(layer(1, 2), layer(1, 3), tied) == none);
    CHECK(extrema_of(layer(-1, -1), layer(-1, -2), layer(-1, -1)) ==
          std::vector<int>{0, 0, 0, 0, -1, 0, 0, 0, 0});
    // A constant image has no extrema inside; it has some at its edge only if it differs from the
    // outside value.
    CHECK(extrema_of(layer(0, 0), layer(0, 0), layer(0, 0)) == none);
    CHECK(extrema_of(layer(1, 1), layer(1, 1), layer(1, 1)) == none);
}

TEST_CASE("random layers have their golden numbers of extrema and checksums", "[extrema]") {
    struct Counts {
        Size size;
        int maxima, minima, at_edge;
        std::uint64_t checksum;
    };
    for (const Counts& golden : {Counts{{64, 64}, 142, 147, 19, 0xea562785e29684c9},
                                 Counts{{1600, 1600}, 94718, 95125, 696, 0x6c34ab0c9733e041}}) {
        State state = random_board(extrema(), golden.size);
        advance(extrema(), state, context_of(extrema(), Boundary::dead, 2), 1);
        const auto found = signs(state, "extrema");
        CHECK(std::ranges::count(found, 1) == golden.maxima);
        CHECK(std::ranges::count(found, -1) == golden.minima);
        int at_edge = 0;
        const int columns = golden.size.columns, rows = golden.size.rows;
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c)
                if (r == 0 || r == rows - 1 || c == 0 || c == columns - 1)
                    at_edge += found[static_cast<std::size_t>(r * columns + c)] != 0;
        CHECK(at_edge == golden.at_edge);
        const FinalState final = extrema().final_state(state);
        CHECK(final.quantity == "population");
        CHECK(final.amount == golden.maxima + golden.minima);
        CHECK(final.checksum == golden.checksum);
    }
}

TEST_CASE("differences of the blurs of noise have no extrema", "[extrema][image]") {
    const Folder folder;
    // 16 bits round the random image; the checksum of 64 x 64 zeros does not depend on that.
    std::vector<float> image(64 * 64);
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = uniform_float(1, i);
    write(folder.file("in.png"), {64, 64}, image);
    State state = extrema().initial({.size = {64, 64}, .input = folder.file("in.png")});
    advance(extrema(), state, context_of(extrema()), 1);
    const FinalState final = extrema().final_state(state);
    CHECK(final.amount == 0);
    CHECK(final.checksum == 0x9c1bda7f8c872325);
}

TEST_CASE("the rule is the definition, for any order of 27 cells", "[extrema]") {
    int maxima = 0, minima = 0;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        Cube cube;
        // Few values, so that ties are common; the center is often extreme.
        for (std::size_t i = 0; i < cube.size(); ++i)
            cube[i] = static_cast<float>(mix(seed, i) >> 61);
        const std::uint64_t kind = mix(seed, 27) % 3;
        if (kind != 0) cube[13] = kind == 1 ? 7.0f : 0.0f;
        if (mix(seed, 28) % 2 != 0)
            for (std::size_t i = 0; i < cube.size(); ++i)
                if (i != 13) cube[i] = std::clamp(cube[i], 1.0f, 6.0f);
        const std::uint8_t expected = by_definition(cube);
        maxima += expected == 1;
        minima += expected == 255;
        if (by_rule(cube) != expected) FAIL("differs for seed " << seed);
    }
    CHECK(maxima > 1000);
    CHECK(minima > 1000);
}

TEST_CASE("each of the 26 neighbours decides", "[extrema]") {
    for (std::size_t i = 0; i < 27; ++i) {
        if (i == 13) continue;
        CAPTURE(i);
        for (const float other : {5.0f, 6.0f, nan, infinity}) {
            Cube cube = cube_of(1, 5);
            REQUIRE(by_rule(cube) == 1);
            cube[i] = other;
            CHECK(by_rule(cube) == 0);
        }
        for (const float other : {-5.0f, -6.0f, nan, -infinity}) {
            Cube cube = cube_of(-1, -5);
            REQUIRE(by_rule(cube) == 255);
            cube[i] = other;
            CHECK(by_rule(cube) == 0);
        }
    }
}

TEST_CASE("what is no number, infinite or a signed zero compares as the definition says",
          "[extrema]") {
    CHECK(by_rule(cube_of(1, nan)) == 0);
    CHECK(by_rule(cube_of(nan, 1)) == 0);
    CHECK(by_rule(cube_of(1, infinity)) == 1);
    CHECK(by_rule(cube_of(1, -infinity)) == 255);
    CHECK(by_rule(cube_of(infinity, infinity)) == 0);
    CHECK(by_rule(cube_of(infinity, 3)) == 255);
    CHECK(by_rule(cube_of(0.0f, -0.0f)) == 0);
    CHECK(by_rule(cube_of(-0.0f, 0.0f)) == 0);
    const std::array<float, 8> values{nan, -nan, infinity, -infinity, 0.0f, -0.0f, 1, -1};
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        // Mostly one value and a few others, so that ties are common.
        Cube cube = cube_of(values[mix(seed, 0) % 8], values[mix(seed, 1) % 8]);
        for (std::uint64_t k = 0; k < mix(seed, 2) % 4; ++k)
            cube[mix(seed, 3 + k) % 27] = values[mix(seed, 10 + k) % 8];
        if (by_rule(cube) != by_definition(cube)) FAIL("differs for seed " << seed);
    }
}

TEST_CASE("larger and smaller take NaN from either side", "[extrema]") {
    for (const float other : {0.0f, 1.0f, infinity, -infinity, nan}) {
        CHECK(std::isnan(larger_or_nan(nan, other)));
        CHECK(std::isnan(larger_or_nan(other, nan)));
        CHECK(std::isnan(smaller_or_nan(nan, other)));
        CHECK(std::isnan(smaller_or_nan(other, nan)));
    }
    CHECK(larger_or_nan(1, 2) == 2);
    CHECK(larger_or_nan(2, 1) == 2);
    CHECK(smaller_or_nan(1, 2) == 1);
    CHECK(smaller_or_nan(2, 1) == 1);
    CHECK(larger_or_nan(-infinity, infinity) == infinity);
}

TEST_CASE("a stack's extrema are those of each of its triples", "[extrema]") {
    for (const Size size : odd_sizes())
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            CAPTURE(size.columns, size.rows, name(boundary));
            const GenerationContext context = context_of(stack(), boundary, 2);
            State initial = random_board(stack(), size, 3);
            if (size.cells() > 4) initial.field("layer2").cells<float>()[2] = nan;
            State at_once = initial;
            reference_step<ExtremaStack<stack_layers>>(initial, at_once, context);
            State reference = initial;
            advance(stack(), reference, context, 1);
            CHECK(same_bytes(at_once, reference));
        }
}

TEST_CASE("a stack's first triple is that of the three layers alone", "[extrema]") {
    State three = random_board(extrema(), {70, 50}, 4);
    State six = random_board(stack(), {70, 50}, 4);
    advance(extrema(), three, context_of(extrema()), 1);
    advance(stack(), six, context_of(stack()), 1);
    CHECK(signs(three, "extrema") == signs(six, "extrema1"));
    CHECK(extrema().final_state(three).amount > 0);
    // Copies another triple of layers into the rule of three layers.
    for (const auto& [from, to] : {std::pair("layer3", "below"), std::pair("layer4", "middle"),
                                   std::pair("layer5", "above")})
        std::ranges::copy(six.field(from).bytes(), three.field(to).bytes().begin());
    advance(extrema(), three, context_of(extrema()), 1);
    CHECK(signs(three, "extrema") == signs(six, "extrema4"));
}

TEST_CASE("extrema workloads state their bytes and what they write", "[extrema]") {
    CHECK(extrema().facts().moved.bytes(ElementType::float32) == 13);
    CHECK(extrema().facts().stored.bytes(ElementType::float32) == 13);
    CHECK(stack().facts().moved.bytes(ElementType::float32) == 28);
    CHECK(stack().facts().stored.bytes(ElementType::float32) == 28);
    CHECK(stack().writes("extrema4"));
    CHECK_FALSE(stack().writes("layer1"));
    CHECK_FALSE(stack().writes("extrema5"));
}

TEST_CASE("extrema are saved white and black on grey, the layers of a stack one below the other",
          "[extrema][image]") {
    const Folder folder;
    const float grey = 32768 / 65535.0f;
    State state = random_board(extrema(), {3, 1});
    std::ranges::copy(std::vector<std::uint8_t>{1, 0, 255},
                      state.field("extrema").cells<std::uint8_t>().begin());
    extrema().save(state, folder.file("a.png"), {});
    CHECK(read_image(folder.file("a.png")).pixels == std::vector<float>{1, grey, 0});

    State six = random_board(stack(), {2, 1});
    six.field("extrema2").cells<std::uint8_t>()[1] = 255;
    six.field("extrema4").cells<std::uint8_t>()[0] = 1;
    stack().save(six, folder.file("b.pgm"), {});
    const Image image = read_image(folder.file("b.pgm"));
    CHECK(image.size == Size{2, 4});
    CHECK(image.pixels == std::vector<float>{grey, grey, grey, 0, grey, grey, 1, grey});
}

}  // namespace camber::extrema_test
