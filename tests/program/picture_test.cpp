// Pictures written by the program: PNG files whose pixels are those of the map.
#include <png.h>

#include <algorithm>
#include <vector>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/workloads/lava/eruptions.hpp"

namespace picture_test {

namespace {

using namespace camber::cli_test;

struct Decoded {
    unsigned columns = 0, rows = 0;
    std::vector<png_byte> bytes;  // red, green and blue of each pixel
    bool has(png_byte red, png_byte green, png_byte blue) const {
        for (std::size_t i = 0; i < bytes.size(); i += 3)
            if (bytes[i] == red && bytes[i + 1] == green && bytes[i + 2] == blue) return true;
        return false;
    }
};

// Decoded by libpng's simplified API.
Decoded decoded(const fs::path& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_file(&image, path.c_str()) != 0);
    CHECK((image.format & PNG_FORMAT_FLAG_COLOR) != 0);
    image.format = PNG_FORMAT_RGB;
    Decoded result{image.width, image.height, {}};
    result.bytes.resize(PNG_IMAGE_SIZE(image));
    REQUIRE(png_image_finish_read(&image, nullptr, result.bytes.data(), 0, nullptr) != 0);
    return result;
}

}  // namespace

TEST_CASE("a saved run becomes a picture", "[cli][picture]") {
    const TestFolder folder;
    camber::lava::write_numbered_event(folder);
    write_text(folder / "test_000000000000_RealEvent.stt",
               camber::lava::raster_header + "0 0 0 0 0 1 1 0 0 0 0 0");
    const Outcome saved =
        run_program({"run", "--workload", "sciara_fv2", "--backend", "cpu", "--quick", "--variant",
                     "reference/serial", "--input", ".", "--generations", "3", "--save", "after"},
                    folder.path());
    INFO(saved.err);
    REQUIRE(saved.exit_code == 0);
    const Outcome outcome =
        run_program({"picture", "after", "--scale", "20", "--out", "a.png"}, folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(
        outcome.out,
        contains("test: 4x3 cells of 10 m, lava on 1 cell (0.000 km2); thickness from 0 to ") &&
            contains("1 vent cells; outline: the real flow, fit 0.5000") &&
            contains("picture: a.png ("));
    const Decoded picture = decoded(folder / "a.png");
    CHECK(picture.columns >= 80);
    CHECK(picture.rows > 60);
    CHECK(picture.has(30, 110, 255));   // the outline
    CHECK(picture.has(255, 255, 255));  // the vent
    CHECK_THAT(text_of(folder / "a.png"), contains("Comment") && contains("lava on 1"));

    // Temperatures, cropped to the flow.
    const Outcome heat = run_program(
        {"picture", "after", "--show", "temperature", "--crop", "-o", "heat.png"}, folder.path());
    CHECK(heat.exit_code == 0);
    CHECK_THAT(heat.out, contains("temperature from 1"));
    CHECK(decoded(folder / "heat.png").rows < picture.rows);
    // An event before any lava was emitted.
    const Outcome bare =
        run_program({"picture", ".", "--show", "solidified", "-o", "bare.png"}, folder.path());
    CHECK(bare.exit_code == 0);
    CHECK_THAT(bare.out, contains("lava on 0"));
}

TEST_CASE("a picture that cannot be drawn is one sentence", "[cli][picture]") {
    const TestFolder folder;
    const auto rejected = [&](const Arguments& arguments, int code, const std::string& part) {
        const Outcome outcome = run_program(arguments, folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == code);
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
        CHECK_THAT(outcome.err, contains(part));
    };
    rejected({"picture", "."}, 2, "describes no eruption");
    camber::lava::write_numbered_event(folder);
    rejected({"picture", ".", "-o", "a.jpg"}, 2, "end the name \"a.jpg\" in .png");
    rejected({"picture", ".", "--show", "thicknes"}, 2, "did you mean");
    rejected({"picture", ".", "-o", "missing/a.png"}, 5, "missing/a.png");
    rejected({"picture", ".", "--scale", "0"}, 2, "--scale");
}

}  // namespace picture_test
