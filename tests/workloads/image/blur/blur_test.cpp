// Tests of the 3x3 blur alone: worked examples, golden numbers, and properties of any weighted
// mean.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/sentence.hpp"
#include "tests/workloads/core/image_golden.hpp"
#include "tests/workloads/image/image_files.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/image/blur/reference.hpp"
#include "workloads/image/blur/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::blur_test {
namespace {

using namespace image_test;

const Workload& blur() {
    return *find_workload("blur");
}

State image_of(Size size, const std::vector<float>& cells) {
    State state;
    state.fields.emplace_back("image", ElementType::float32, size);
    std::ranges::copy(cells, state.fields[0].cells<float>().begin());
    return state;
}

std::vector<float> blurred(Size size, const std::vector<float>& cells, const ParameterSet& set,
                           Boundary boundary = Boundary::dead) {
    State state = image_of(size, cells);
    advance(blur(), state, {boundary, set}, 1);
    return floats(state, "image");
}

ParameterSet with_weights(std::vector<double> weights) {
    ParameterSet set(blur().facts().parameters);
    set.set("weights", std::move(weights));
    return set;
}
ParameterSet with_sigma(double sigma) {
    ParameterSet set(blur().facts().parameters);
    set.set("sigma", {sigma});
    return set;
}

FinalState after(int generations, Size size, const ParameterSet& set) {
    State state = random_board(blur(), size);
    advance(blur(), state, {Boundary::dead, set, 0, 2}, generations);
    return blur().final_state(state);
}

const std::vector<float> one_to_nine{1, 2, 3, 4, 5, 6, 7, 8, 9};

}  // namespace

TEST_CASE("a blur of 3x3 cells has its worked values", "[blur]") {
    const ParameterSet binomial(blur().facts().parameters);
    CHECK(blurred({3, 3}, one_to_nine, binomial) ==
          std::vector<float>{1.3125f, 2.25f, 2.0625f, 3.25f, 5, 4.25f, 3.5625f, 5.25f, 4.3125f});
    CHECK(blurred({3, 3}, one_to_nine, with_sigma(1)) ==
          std::vector<float>{1.32279646f, 2.27406859f, 1.97883916f, 3.17779398f, 5, 4.0815196f,
                             3.29092455f, 4.98524523f, 3.94696736f});
    // Negative sums become their absolute value.
    CHECK(blurred({3, 3}, one_to_nine, with_weights({0, -1, 0, -1, 4, -1, 0, -1, 0})) ==
          std::vector<float>{2, 1, 4, 3, 0, 7, 16, 11, 22});
    // Order of weights and cells: correlation, not convolution.
    CHECK(blurred({3, 3}, {0, 0, 0, 0, 1, 0, 0, 0, 0}, with_weights({1, 2, 3, 4, 5, 6, 7, 8, 9})) ==
          std::vector<float>{9, 8, 7, 6, 5, 4, 3, 2, 1});
}

TEST_CASE("random images have their golden first cells", "[blur]") {
    const auto cells = floats(random_board(blur(), {64, 64}), "image");
    CHECK(cells[0] == 0.56656152f);
    CHECK(cells[1] == 0.74578172f);
    CHECK(cells[2] == 0.971002698f);
}

TEST_CASE("random images are blurred to their golden sums and checksums", "[blur]") {
    const ParameterSet binomial(blur().facts().parameters);
    const std::vector<std::pair<int, Golden>> golden{
        {0, {{64, 64}, 2004.303543210, 0x8d4601adc88f9c5d}},
        {0, {{1600, 1600}, 1280593.412521243, 0xe07ed6e583266cb9}},
        {1, {{64, 64}, 1972.029757902, 0x2aa0f949e4f104b2}},
        {1, {{1600, 1600}, 1279796.395436510, 0x081898408cb79ace}},
        {2, {{64, 64}, 1948.148424610, 0xac93bfce6f76ffe8}},
        {2, {{1600, 1600}, 1279197.709447600, 0x66437679be097b34}},
        {4, {{64, 64}, 1911.252981380, 0xd56241b21fc0ddd1}},
        {4, {{1600, 1600}, 1278262.773872226, 0x7b3732ce101691f4}},
    };
    for (const auto& [generations, expected] : golden) {
        CAPTURE(generations, expected.size.columns);
        check(after(generations, expected.size, binomial), expected);
    }
    check(after(1, {64, 64}, with_sigma(1)), {{64, 64}, 1968.933600858, 0xe614c44d31bf2958});
    check(after(1, {1600, 1600}, with_sigma(1)),
          {{1600, 1600}, 1279719.695609823, 0xb749ae7ca0efa22f});
}

TEST_CASE("the fast reference equals the rule, cell by cell, to the last bit", "[blur]") {
    std::uint64_t seed = 0;
    for (const Size size : odd_sizes())
        for (const Boundary boundary : {Boundary::dead, Boundary::torus})
            for (const int threads : {1, 3}) {
                CAPTURE(size.columns, size.rows, name(boundary), threads);
                std::vector<double> weights(9);
                for (std::size_t i = 0; i < 9; ++i) weights[i] = uniform(++seed, i) - 0.4;
                GenerationContext context{boundary, with_weights(weights), 0, threads};
                State fast = random_board(blur(), size, seed);
                State plain = fast;
                State next = fast;
                for (int g = 0; g < 3; ++g) {
                    reference_step<Blur>(plain, next, context);
                    std::swap(plain, next);
                }
                advance(blur(), fast, context, 3);
                CHECK(same_bytes(fast, plain));
            }
}

TEST_CASE("in double, the fast reference equals the rule and is near the one in float", "[blur]") {
    std::uint64_t seed = 50;
    for (const Size size : odd_sizes())
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            CAPTURE(size.columns, size.rows, name(boundary));
            const GenerationContext context{boundary, with_sigma(0.7), 0, 3};
            State in_float = random_board(blur(), size, ++seed);
            State fast = random_board(blur(), size, seed, ElementType::float64);
            State plain = fast;
            State next = fast;
            for (int g = 0; g < 3; ++g) {
                reference_step<BlurOf<double>>(plain, next, context);
                std::swap(plain, next);
            }
            advance(blur(), fast, context, 3);
            advance(blur(), in_float, context, 3);
            CHECK(same_bytes(fast, plain));
            const auto a = fast.fields[0].cells<double>();
            const auto b = in_float.fields[0].cells<float>();
            for (std::size_t i = 0; i < a.size(); ++i)
                CHECK(a[i] == Approx(b[i]).epsilon(1e-6).margin(1e-9));
        }
}

TEST_CASE("the separable form equals its rule to the last bit, and the square one almost",
          "[blur]") {
    std::uint64_t seed = 100;
    for (const Size size : odd_sizes())
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            CAPTURE(size.columns, size.rows, name(boundary));
            ParameterSet parameters = with_sigma(0.7);
            GenerationContext context{boundary, parameters, 0, 3};
            State square = random_board(blur(), size, ++seed);
            State fast = square;
            State plain = square;
            State next = square;
            advance(blur(), square, context, 3);
            context.parameters.set_rule("separable");
            for (int g = 0; g < 3; ++g) {
                reference_step<BlurSeparable>(plain, next, context);
                std::swap(plain, next);
            }
            advance(blur(), fast, context, 3);
            CHECK(same_bytes(fast, plain));
            const auto a = fast.fields[0].cells<float>();
            const auto b = square.fields[0].cells<float>();
            for (std::size_t i = 0; i < a.size(); ++i)
                CHECK(a[i] == Approx(b[i]).epsilon(1e-6).margin(1e-9));
        }
}

TEST_CASE("weights of the separable form are products", "[blur]") {
    const auto factors = [](const std::vector<double>& weights) {
        return BlurSeparable::parameters(with_weights(weights));
    };
    const SeparableWeights binomial = factors({1, 2, 1, 2, 4, 2, 1, 2, 1});
    CHECK(std::ranges::equal(binomial.across, std::array{2.0f, 4.0f, 2.0f}));
    CHECK(std::ranges::equal(binomial.down, std::array{0.5f, 1.0f, 0.5f}));
    const SeparableWeights sobel = factors({-1, 0, 1, -2, 0, 2, -1, 0, 1});
    CHECK(sobel.across[2] * sobel.down[1] == 2);
    CHECK(
        std::ranges::equal(factors({0, 0, 0, 0, 0, 0, 0, 0, 0}).across, std::array{0.f, 0.f, 0.f}));
    CHECK_THROWS_WITH(factors({1, 2, 1, 2, 5, 2, 1, 2, 1}),
                      contains("weight 0 is 1") && contains("products of a row and a column"));
}

TEST_CASE("Gaussian weights are the normalised density at nine cells", "[blur]") {
    const Blur::Parameters one = Blur::parameters(with_sigma(1));
    const float corner = 0.0751136094f, edge = 0.123841405f, centre = 0.204179958f;
    const std::array<float, 9> expected{corner, edge,   corner, edge,  centre,
                                        edge,   corner, edge,   corner};
    CHECK(std::ranges::equal(expected, one.weights));
    for (const double sigma : {1e-300, 0.01, 0.3, 2.0, 1e300}) {
        const Blur::Parameters any = Blur::parameters(with_sigma(sigma));
        double sum = 0;
        for (int i = 0; i < 9; ++i) sum += any.weights[i];
        CHECK(sum == Approx(1).epsilon(1e-6));
        CHECK(any.weights[4] >= any.weights[1]);
        CHECK(any.weights[1] >= any.weights[0]);
    }
    CHECK(Blur::parameters(with_sigma(1e-300)).weights[4] == 1);
    CHECK(Blur::parameters(with_sigma(1e300)).weights[0] == 1 / 9.0f);
}

TEST_CASE("weights that make no sense are rejected", "[blur]") {
    CHECK_THAT(sentence_of([&] { Blur::parameters(with_sigma(-1)); }),
               contains("sigma is -1") && contains("--param sigma"));
    CHECK_THROWS_WITH(Blur::parameters(with_weights({1, 1e39, 0, 0, 0, 0, 0, 0, 0})),
                      contains("weight 1 is 1e+39"));
}

TEST_CASE("a constant image stays constant where no edge is near", "[blur]") {
    for (const ParameterSet& set : {ParameterSet(blur().facts().parameters), with_sigma(0.8)}) {
        const auto dead = blurred({9, 7}, std::vector<float>(63, 0.5f), set);
        const auto torus = blurred({9, 7}, std::vector<float>(63, 0.5f), set, Boundary::torus);
        for (int row = 0; row < 7; ++row)
            for (int column = 0; column < 9; ++column) {
                const bool edge = row == 0 || row == 6 || column == 0 || column == 8;
                const auto i = static_cast<std::size_t>(9 * row + column);
                CHECK(torus[i] == Approx(0.5).epsilon(2e-7));
                CHECK((edge ? dead[i] < 0.45f : dead[i] == torus[i]));
            }
    }
}

TEST_CASE("mirrored and turned images have mirrored and turned blurs", "[blur]") {
    constexpr int side = 24;
    const auto cells = floats(random_board(blur(), {side, side}), "image");
    const auto mapped = [](const std::vector<float>& from, const auto& place) {
        std::vector<float> to(from.size());
        for (int r = 0; r < side; ++r)
            for (int c = 0; c < side; ++c)
                to[static_cast<std::size_t>(side * r + c)] =
                    from[static_cast<std::size_t>(place(r, c))];
        return to;
    };
    const auto mirrored = [&](const auto& from) {
        return mapped(from, [](int r, int c) { return side * r + side - 1 - c; });
    };
    const auto turned = [&](const auto& from) {
        return mapped(from, [](int r, int c) { return side * c + side - 1 - r; });
    };
    // The turned image is summed in another order, so results differ by a few units in the last
    // place.
    const auto close = [](const std::vector<float>& a, const std::vector<float>& b) {
        return std::ranges::equal(
            a, b, [](float x, float y) { return std::abs(x - y) <= 4 * 6e-8f * std::abs(y); });
    };
    for (const ParameterSet& set : {ParameterSet(blur().facts().parameters), with_sigma(1.3)}) {
        const auto once = blurred({side, side}, cells, set);
        CHECK(close(blurred({side, side}, mirrored(cells), set), mirrored(once)));
        CHECK(close(blurred({side, side}, turned(cells), set), turned(once)));
        CHECK_FALSE(close(blurred({side, side}, turned(cells), set), once));
    }
}

TEST_CASE("a blur starts from an image file of the board's size", "[blur][image]") {
    const Folder folder;
    const auto path = folder.file("in.pgm", "P2 3 2 4\n0 1 2 3 4 0\n");
    CHECK(blur().input_size(path) == Size{3, 2});
    const State state = blur().initial({.size = {3, 2}, .input = path});
    CHECK(floats(state, "image") == std::vector<float>{0, 0.25f, 0.5f, 0.75f, 1, 0});
    CHECK_THAT(sentence_of([&] {
                   blur().initial({.size = {2, 3}, .input = path});
               }),
               contains("3x2 pixels") && contains("2x3 cells") && contains("--size 3x2"));
    CHECK_THAT(sentence_of([&] {
                   blur().initial({.size = {3, 2}, .input = path, .input_at = std::pair(1, 2)});
               }),
               contains("1,2") && contains("--at"));
}

TEST_CASE("a blurred image is saved with 1 as white, or its largest cell above that",
          "[blur][image]") {
    const Folder folder;
    blur().save(image_of({3, 1}, {0, 0.2f, 1}), folder.file("a.pgm"), {});
    CHECK(read_image(folder.file("a.pgm")).pixels == std::vector<float>{0, 0.2f, 1});
    blur().save(image_of({3, 1}, {0, 2, 8}), folder.file("a.png"), {});
    CHECK(read_image(folder.file("a.png")).pixels == std::vector<float>{0, 16384 / 65535.0f, 1});
    CHECK_THAT(text_of(folder.file("a.png")), contains("black is 0, white is 8"));
}

}  // namespace camber::blur_test
