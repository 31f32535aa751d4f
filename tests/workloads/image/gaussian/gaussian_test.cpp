// Tests of the Gaussian blur alone: weights compared with the density, the reference compared with
// sums in double and with the 3x3 blur, and properties of any normalized separable filter.
#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "tests/sentence.hpp"
#include "tests/workloads/core/image_golden.hpp"
#include "tests/workloads/image/image_files.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/image/blur/rule.hpp"
#include "workloads/image/gaussian/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::gaussian_test {

namespace {

using namespace image_test;

const Workload& gaussian() {
    return *find_workload("gaussian");
}

ParameterSet with(double sigma, double radius = 0) {
    ParameterSet set(gaussian().facts().parameters);
    set.set("sigma", {sigma});
    set.set("radius", {radius});
    return set;
}

State blurred(State image, const ParameterSet& set, Boundary boundary = Boundary::dead,
              int generations = 1, int threads = 1) {
    advance(gaussian(), image, {boundary, set, 0, threads}, generations);
    return image;
}

State image_of(Size size, const std::vector<float>& cells) {
    State state;
    state.fields.emplace_back("image", ElementType::float32, size);
    std::ranges::copy(cells, state.fields[0].cells<float>().begin());
    return state;
}

}  // namespace

TEST_CASE("only variants with fewer digits may differ from the reference", "[gaussian]") {
    CHECK(gaussian().tolerance({.cell = ElementType::float32, .generations = 9}).absolute == 0);
    const Tolerance rounded = gaussian().tolerance({.cell = ElementType::float32,
                                                    .generations = 2,
                                                    .reordered = true,
                                                    .rounded = true});
    CHECK(rounded.absolute == 8e-6);
    CHECK(rounded.total == 8e-6);
    CHECK(rounded.outliers == 0);
}

TEST_CASE("Gaussian weights are the normalised density, cut off at the radius", "[gaussian]") {
    // exp(-d^2 / 2) for d = 0, 1, 2, 3, divided by their sum on both sides; from tables of exp.
    const double density[] = {1, 0.60653065971263342, 0.13533528323661270, 0.011108996538242306};
    const double sum = density[0] + 2 * (density[1] + density[2] + density[3]);
    const GaussianWeights one = GaussianWeights::of(with(1));
    CHECK(one.radius == 3);
    for (int d = -3; d <= 3; ++d)
        CHECK(one.weights[3 + d] == static_cast<float>(density[std::abs(d)] / sum));
    CHECK(one.weights[7] == 0);
    for (const double sigma : {1e-300, 0.2, 1.5, 4.0, 1e300})
        for (int radius = 1; radius <= largest_gaussian_radius; ++radius) {
            const GaussianWeights any = GaussianWeights::of(with(sigma, radius));
            CHECK(any.radius == radius);
            double all = 0;
            for (int i = 0; i <= 2 * radius; ++i) {
                all += any.weights[i];
                CHECK(any.weights[i] == any.weights[2 * radius - i]);
                if (i > 0 && i <= radius) CHECK(any.weights[i] >= any.weights[i - 1]);
            }
            CHECK(all == Approx(1).epsilon(1e-6));
        }
    CHECK(GaussianWeights::of(with(1e-300, 2)).weights[2] == 1);
    CHECK(GaussianWeights::of(with(1e300, 2)).weights[0] == 0.2f);
}

TEST_CASE("without a radius a Gaussian ends at three times sigma, at most 16 cells away",
          "[gaussian]") {
    const std::vector<std::pair<double, int>> expected{
        {0.01, 1}, {1.0 / 3, 1}, {0.34, 2}, {1, 3}, {1.5, 5}, {5, 15}, {5.2, 16}, {1e300, 16}};
    for (const auto& [sigma, radius] : expected) {
        CAPTURE(sigma);
        CHECK(GaussianWeights::of(with(sigma)).radius == radius);
    }
}

TEST_CASE("widths and radii that make no sense are rejected", "[gaussian][bad input]") {
    const auto rejected = [](double sigma, double radius, const std::string& what) {
        CHECK_THAT(sentence_of([&] { GaussianWeights::of(with(sigma, radius)); }), contains(what));
    };
    rejected(0, 0, "sigma is 0");
    rejected(-1, 3, "sigma is -1");
    rejected(std::numeric_limits<double>::quiet_NaN(), 3, "sigma is nan");
    rejected(1, 17, "radius is 17");
    rejected(1, -1, "from 1 to 16");
    rejected(1, 2.5, "--param radius=5");
}

TEST_CASE("the separated reference equals the rule of whole squares to the last bit",
          "[gaussian]") {
    std::uint64_t seed = 0;
    for (const Size size : odd_sizes())
        for (const Boundary boundary : {Boundary::dead, Boundary::torus})
            for (const int radius : {1, 2, 5, 16}) {
                CAPTURE(size.columns, size.rows, name(boundary), radius);
                const ParameterSet set = with(0.45 * radius, radius);
                State plain = random_board(gaussian(), size, ++seed);
                const State start = plain;
                State next = plain;
                for (int g = 0; g < 2; ++g) {
                    reference_step<GaussianBlur>(plain, next, {boundary, set, g, 1});
                    std::swap(plain, next);
                }
                for (const int threads : {1, 3})
                    CHECK(same_bytes(blurred(start, set, boundary, 2, threads), plain));
            }
}

// Sums over the whole square, with separately computed weights, in double: separation must not
// change the result.
TEST_CASE("in double, the separated reference equals the rule of whole squares", "[gaussian]") {
    std::uint64_t seed = 50;
    for (const Size size : odd_sizes())
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            CAPTURE(size.columns, size.rows, name(boundary));
            const ParameterSet set = with(1.2, 3);
            const State start = random_board(gaussian(), size, ++seed, ElementType::float64);
            State plain = start;
            reference_step<GaussianBlurOf<double>>(start, plain, {boundary, set, 0, 1});
            CHECK(same_bytes(blurred(start, set, boundary, 1, 3), plain));
        }
}

TEST_CASE("a blur is the sum over the square in double, apart from rounding", "[gaussian]") {
    constexpr Size size{41, 37};
    const State image = random_board(gaussian(), size);
    const auto cells = floats(image, "image");
    for (const auto& [sigma, radius] : std::vector<std::pair<double, int>>{{0.8, 3}, {3.0, 9}}) {
        double total = 0;
        const auto weight = [sigma = sigma](int dx, int dy) {
            return std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma));
        };
        for (int dy = -radius; dy <= radius; ++dy)
            for (int dx = -radius; dx <= radius; ++dx) total += weight(dx, dy);
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            const auto found = floats(blurred(image, with(sigma, radius), boundary), "image");
            int differing = 0;
            for (int row = 0; row < size.rows; ++row)
                for (int column = 0; column < size.columns; ++column) {
                    double sum = 0;
                    for (int dy = -radius; dy <= radius; ++dy)
                        for (int dx = -radius; dx <= radius; ++dx) {
                            int r = row + dy, c = column + dx;
                            if (boundary == Boundary::torus) {
                                r = (r + size.rows) % size.rows;
                                c = (c + size.columns) % size.columns;
                            } else if (r < 0 || r >= size.rows || c < 0 || c >= size.columns) {
                                continue;
                            }
                            sum += weight(dx, dy) *
                                   cells[static_cast<std::size_t>(r * size.columns + c)];
                        }
                    // Tolerance: three roundings of 2^-24 per term, and all terms are positive;
                    // generous for the chains of sums, whose errors cancel.
                    const float cell = found[static_cast<std::size_t>(row * size.columns + column)];
                    differing += std::abs(cell - sum / total) > 20 * 6e-8 * sum / total;
                }
            CHECK(differing == 0);
        }
    }
}

TEST_CASE("at radius 1 a Gaussian is the 3x3 blur, apart from rounding", "[gaussian]") {
    const State image = random_board(gaussian(), {33, 21});
    const Workload& blur = *find_workload("blur");
    ParameterSet set(blur.facts().parameters);
    set.set("sigma", {0.9});
    State other = image;
    advance(blur, other, {Boundary::torus, set}, 1);
    const auto found = floats(blurred(image, with(0.9, 1), Boundary::torus), "image");
    const auto expected = floats(other, "image");
    for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(found[i] == Approx(expected[i]).epsilon(1e-6));
}

TEST_CASE("a single pixel becomes the product of the weights of its column and row", "[gaussian]") {
    constexpr int side = 40;
    std::vector<float> cells(side * side);
    cells[19 * side + 22] = 1;
    for (const int radius : {1, 4, 16}) {
        const ParameterSet set = with(0.5 * radius, radius);
        const GaussianWeights of = GaussianWeights::of(set);
        const auto found = floats(blurred(image_of({side, side}, cells), set), "image");
        const auto weight = [&](int away) {
            return std::abs(away) <= radius ? of.weights[radius + away] : 0.0f;
        };
        int differing = 0;
        for (int row = 0; row < side; ++row)
            for (int column = 0; column < side; ++column)
                differing += found[static_cast<std::size_t>(row * side + column)] !=
                             weight(19 - row) * weight(22 - column);
        CHECK(differing == 0);
    }
}

TEST_CASE("a constant image stays constant on a torus, and darkens at an edge", "[gaussian]") {
    const State grey = image_of({40, 36}, std::vector<float>(40 * 36, 0.5f));
    const auto torus = floats(blurred(grey, with(2), Boundary::torus), "image");
    const auto dead = floats(blurred(grey, with(2)), "image");
    for (const float cell : torus) CHECK(cell == Approx(0.5).epsilon(1e-6));
    CHECK(dead[0] < 0.25f);
    CHECK(dead[18 * 40 + 20] == torus[18 * 40 + 20]);
}

TEST_CASE("two blurs are about one of the root of the sum of their squared widths", "[gaussian]") {
    const State image = random_board(gaussian(), {80, 70});
    const auto twice = floats(blurred(image, with(2, 16), Boundary::torus, 2), "image");
    const auto once =
        floats(blurred(image, with(2 * std::sqrt(2.0), 16), Boundary::torus), "image");
    for (std::size_t i = 0; i < once.size(); ++i) CHECK(twice[i] == Approx(once[i]).margin(1e-6));
}

// An independent program also computed the values for 64 x 64 cells, in exact rational numbers
// rounded to float after each multiply-add.
TEST_CASE("random images have their golden sums and checksums after a Gaussian", "[gaussian]") {
    const struct {
        double sigma, radius;
        int generations;
        Golden golden;
    } all[] = {
        {1.5, 0, 1, {{64, 64}, 1930.953238323, 0xaa7407b641cb226a}},
        {1.5, 0, 3, {{130, 70}, 4196.211663201, 0x261c9888fb487a99}},
        {0.5, 1, 1, {{64, 64}, 1990.528692178, 0x5674f7ec7306a7fa}},
        {5.33, 16, 1, {{1600, 1600}, 1273881.112192631, 0xe677d7b8772c7965}},
    };
    for (const auto& [sigma, radius, generations, golden] : all) {
        CAPTURE(sigma, radius, generations);
        check(gaussian().final_state(blurred(random_board(gaussian(), golden.size),
                                             with(sigma, radius), Boundary::dead, generations, 2)),
              golden);
    }
}

TEST_CASE("a Gaussian starts from an image file and is saved as one", "[gaussian][image]") {
    const Folder folder;
    const auto path = folder.file("in.pgm", "P2 3 2 5\n0 1 2 3 4 5\n");
    CHECK(gaussian().input_size(path) == Size{3, 2});
    const State state = gaussian().initial({.size = {3, 2}, .input = path});
    CHECK(floats(state, "image") == std::vector<float>{0, 0.2f, 0.4f, 0.6f, 0.8f, 1});
    gaussian().save(state, folder.file("out.pgm"), {});
    CHECK(read_image(folder.file("out.pgm")).pixels ==
          std::vector<float>{0, 0.2f, 0.4f, 0.6f, 0.8f, 1});
}

}  // namespace camber::gaussian_test
