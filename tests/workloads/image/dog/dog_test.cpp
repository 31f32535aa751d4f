// Differences of Gaussians: golden numbers, and the one-step form compared with its three steps.
#include <algorithm>
#include <vector>

#include "tests/catch.hpp"
#include "tests/workloads/core/image_golden.hpp"
#include "tests/workloads/image/image_files.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/image/blur/reference.hpp"
#include "workloads/image/dog/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::dog_test {

namespace {

using namespace image_test;

const Workload& dog() {
    return *find_workload("dog");
}
const Workload& dog_image() {
    return *find_workload("dog_image");
}

}  // namespace

TEST_CASE("twice blurred minus once blurred has its golden sum and checksum", "[dog]") {
    for (const Golden& golden : {Golden{{64, 64}, -23.881333292, 0x774f6e2ed5539c3c},
                                 Golden{{1600, 1600}, -598.685988918, 0x3516c1935a5b4585}}) {
        State state = random_board(dog(), golden.size);
        CHECK(dog().final_state(state).amount == 0);
        const State before = state;
        advance(dog(), state, context_of(dog(), Boundary::dead, 2), 1);
        check(dog().final_state(state), golden);
        for (const char* field : {"more_blurred", "less_blurred"}) {
            CHECK_FALSE(dog().writes(field));
            CHECK(floats(state, field) == floats(before, field));
        }
        CHECK(dog().writes("difference"));
    }
}

TEST_CASE("difference layers are those of successive blurs", "[dog]") {
    for (const Golden& golden : {Golden{{64, 64}, -19.736263685, 0x84ed43579ea60b78},
                                 Golden{{1600, 1600}, -498.725951061, 0x5863564f6b14092f}}) {
        State state = random_board(dog_image(), golden.size);
        std::vector<float> first(static_cast<std::size_t>(golden.size.cells()));
        fill_difference_layers(floats(state, "image"), golden.size,
                               {first, state.field("difference").cells<float>()});
        check(dog_image().final_state(state), golden);
        State once = random_board(dog(), golden.size);
        advance(dog(), once, context_of(dog()), 1);
        CHECK(floats(once, "difference") == first);
    }
}

TEST_CASE("the difference of equal images is zero", "[dog]") {
    State state = random_board(dog(), {20, 10});
    std::ranges::copy(state.field("more_blurred").bytes(),
                      state.field("less_blurred").bytes().begin());
    advance(dog(), state, context_of(dog()), 1);
    CHECK(floats(state, "difference") == std::vector<float>(200, 0.0f));
}

TEST_CASE("the difference from the source image equals its three steps to the last bit", "[dog]") {
    for (const Size size : odd_sizes())
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            CAPTURE(size.columns, size.rows, name(boundary));
            GenerationContext context = context_of(dog_image(), boundary, 2);
            context.parameters.set("sigma_narrow", {0.7});
            const State initial = random_board(dog_image(), size, 9);

            State steps = initial;
            for (const char* field : {"more_blurred", "less_blurred"})
                steps.fields.emplace_back(field, ElementType::float32, size);
            State result = steps;
            reference_step<BlurTo<Gaussian::wide>>(steps, result, context);
            reference_step<BlurTo<Gaussian::narrow>>(steps, result, context);
            State difference = result;
            reference_step<Difference>(result, difference, context);

            State reference = initial;
            advance(dog_image(), reference, context, 1);
            CHECK(floats(reference, "difference") == floats(difference, "difference"));
            CHECK(floats(reference, "image") == floats(initial, "image"));

            State fused = initial;
            reference_step<FusedDog>(initial, fused, context);
            CHECK(same_bytes(fused, reference));
        }
}

TEST_CASE("equal Gaussians differ by nothing, and a bright cell is brighter than its surroundings",
          "[dog]") {
    GenerationContext context = context_of(dog_image());
    State state = random_board(dog_image(), {30, 20});
    context.parameters.set("sigma_wide", {1.0});
    advance(dog_image(), state, context, 1);
    CHECK(floats(state, "difference") == std::vector<float>(600, 0.0f));

    context.parameters.set("sigma_wide", {1.6});
    State bright = random_board(dog_image(), {3, 3});
    std::ranges::fill(bright.field("image").cells<float>(), 0.0f);
    bright.field("image").cells<float>()[4] = 1;
    advance(dog_image(), bright, context, 1);
    const auto cells = floats(bright, "difference");
    CHECK(cells[4] < 0);
    CHECK(cells[0] > 0);
    CHECK(cells[0] == cells[8]);
}

TEST_CASE("a Gaussian without width is rejected", "[dog]") {
    for (const char* parameter : {"sigma_narrow", "sigma_wide"})
        for (const double sigma : {0.0, -1.0}) {
            ParameterSet set(dog_image().facts().parameters);
            set.set(parameter, {sigma});
            CHECK_THROWS_WITH(FusedDog::parameters(set),
                              contains(parameter) && contains("above 0"));
        }
}

TEST_CASE("a difference is saved with 0 as mid-grey", "[dog][image]") {
    const Folder folder;
    State state = random_board(dog_image(), {3, 1});
    std::ranges::copy(std::vector<float>{-0.25f, 0, 0.125f},
                      state.field("difference").cells<float>().begin());
    dog_image().save(state, folder.file("a.pgm"), {});
    CHECK(read_image(folder.file("a.pgm")).pixels ==
          std::vector<float>{0, 32768 / 65535.0f, 49151 / 65535.0f});
    CHECK_THAT(text_of(folder.file("a.pgm")), contains("black is -0.25, white is 0.25"));
    State nothing = random_board(dog(), {2, 1});
    dog().save(nothing, folder.file("b.png"), {});
    CHECK(read_image(folder.file("b.png")).pixels == std::vector<float>(2, 32768 / 65535.0f));
}

TEST_CASE("both differences start from an image file", "[dog][image]") {
    const Folder folder;
    const auto path = folder.file("in.pgm", "P2 3 1 4\n0 4 0\n");
    CHECK(floats(dog_image().initial({.size = {3, 1}, .input = path}), "image") ==
          std::vector<float>{0, 1, 0});
    const State state = dog().initial({.size = {3, 1}, .input = path});
    CHECK(floats(state, "less_blurred") == std::vector<float>{0.125f, 0.25f, 0.125f});
    CHECK(floats(state, "more_blurred") == std::vector<float>{0.0625f, 0.09375f, 0.0625f});
}

}  // namespace camber::dog_test
