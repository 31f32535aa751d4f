// Netpbm's graymaps, read and written.
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/sentence.hpp"
#include "tests/workloads/image/image_files.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::pgm_test {

namespace {

using image_test::Folder;
using image_test::text_of;

Image read(const std::string& bytes) {
    const Folder folder;
    const auto path = folder.file("image.pgm", bytes);
    const Image image = read_image(path);
    CHECK(image_size(path) == image.size);
    return image;
}

// Message of the rejection without the path.
std::string rejection(const std::string& bytes) {
    const Folder folder;
    const auto path = folder.file("image.pgm", bytes);
    try {
        read_image(path);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        const std::string text = error.what();
        REQUIRE(text.starts_with(path.string()));
        return text.substr(path.string().size());
    }
    return "read";
}

}  // namespace

TEST_CASE("a plain PGM is read as its values over the largest", "[image]") {
    const Image image = read("P2\n# a comment\n3 2 # columns, rows\n4\n0 1 2\n3 4 0\n# end\n");
    CHECK(image.size == Size{3, 2});
    CHECK(image.pixels == std::vector<float>{0, 0.25f, 0.5f, 0.75f, 1, 0});
}

TEST_CASE("a binary PGM is read with 8 and 16 bits", "[image]") {
    CHECK(read(std::string("P5 2 1 255\n\x00\xff", 13)).pixels == std::vector<float>{0, 1});
    // A byte that looks like a blank is a pixel.
    CHECK(read(std::string("P5 2 1 100\n\n\x32", 13)).pixels ==
          std::vector<float>{10 / 100.0f, 0.5f});
    const Image wide = read(std::string("P5\n#c\n1 2\n#d\n65535\n\x12\x34\xff\xff", 23));
    CHECK(wide.size == Size{1, 2});
    CHECK(wide.pixels == std::vector<float>{0x1234 / 65535.0f, 1});
    CHECK(read(std::string("P5 1 1 256\n\x00\x80", 13)).pixels == std::vector<float>{0.5f});
}

TEST_CASE("a malformed PGM is rejected with the place, the value and the remedy", "[image]") {
    struct Case {
        std::string bytes;
        std::vector<std::string> named;
    };
    const Case cases[] = {
        {"", {"empty", "PGM"}},
        {"BM12", {"neither a PGM", "PNG", "convert"}},
        {"P6 1 1 255\nabc", {":1: ", "P2 and P5", "convert"}},
        {"P3 1 1 255\n1 2 3", {":1: ", "P2 and P5"}},
        {"P5", {":1: ", "the format's letters", "the end of the file"}},
        {"P55 1 255\nx", {":1: ", "found '5'"}},
        {"P2\nx 1 255\n1", {":2: ", "width", "'x'"}},
        {"P2\n-1 1 255\n1", {":2: ", "width", "'-'"}},
        {"P2\n1.5 1 255\n1", {":2: ", "height", "'.'"}},
        {"P2\n0 1\n255\n1", {"0x1", "not empty"}},
        {"P2\n99999999999999999999 1 255\n1", {":2: ", "width", "2147483647"}},
        {"P2\n2000000000 2000000000 255\n1", {"2000000000x2000000000", "2147483647"}},
        {"P2\n1 1\n0\n0", {":3: ", "largest value is 0"}},
        {"P2\n1 1\n65536\n0", {":3: ", "65536", "65535"}},
        {"P2\n1 1\n255", {":3: ", "the largest value", "the end of the file"}},
        {"P2\n2 1\n9\n1", {"at least 3 bytes", "1 follow"}},
        {"P2\n2 1\n9\n1    ", {":4: ", "1 of 2 pixels"}},
        {"P2\n2 1\n9\n1 10\n", {":4: ", "a pixel is 10", "at most 9"}},
        {"P2\n2 1\n9\n1 2\n3\n", {":5: ", "more after the last of 2"}},
        {"P2\n2 1\n9\n1 2,\n", {":4: ", "more after the last of 2"}},
        {"P5 2 1 255\na", {"take 2 bytes", "1 follow"}},
        {"P5 2 1 255\nabc", {"take 2 bytes", "3 follow"}},
        {"P5 2 1 300\nabc", {"take 4 bytes", "3 follow"}},
        {"P5 2 1 255", {":1: ", "the largest value", "end of the file"}},
        {"P5 2 1 255x12", {"'x'"}},
        {"P5 2 1 96\na`", {"row 0, column 0 is 97", "96"}},
        {"P5 30000 30000 65535\nab", {"take 1800000000 bytes", "2 follow"}},
    };
    for (const Case& each : cases) {
        const std::string message = rejection(each.bytes);
        CAPTURE(each.bytes);
        CHECK(message.find(';') != std::string::npos);
        for (const std::string& word : each.named) CHECK_THAT(message, contains(word));
    }
}

TEST_CASE("files that cannot be opened are named", "[image]") {
    const Folder folder;
    CHECK_THROWS_WITH(read_image(folder.file("absent.pgm")),
                      contains("absent.pgm") && contains("No such file"));
    CHECK_THROWS_WITH(read_image(folder.file("")), contains("folder"));
}

TEST_CASE("a written PGM is P5 of 16 bits with its scale, and reads back as written", "[image]") {
    const Folder folder;
    const auto path = folder.file("out.PGM");
    image_test::write(path, {3, 1}, {-0.5f, 0, 0.25f}, {-0.5, 0.5}, "first line\nsecond\rline");
    CHECK(text_of(path) ==
          "P5\n# first line\n# second line\n# black is -0.5, white is 0.5\n3 1\n65535\n" +
              std::string("\x00\x00\x80\x00\xbf\xff", 6));
    CHECK(read_image(path).pixels == std::vector<float>{0, 32768 / 65535.0f, 49151 / 65535.0f});

    std::vector<float> greys(65536);
    for (std::size_t i = 0; i < greys.size(); ++i) greys[i] = static_cast<float>(i) / 65535.0f;
    image_test::write(path, {256, 256}, greys);
    CHECK(read_image(path).pixels == greys);
}

TEST_CASE("values beyond the scale become black or white, what is no number black", "[image]") {
    const Folder folder;
    const float infinity = std::numeric_limits<float>::infinity();
    image_test::write(folder.file("a.pgm"), {5, 1}, {-1, 2, infinity, -infinity, std::nanf("")});
    CHECK(read_image(folder.file("a.pgm")).pixels == std::vector<float>{0, 1, 1, 0, 0});
}

TEST_CASE("an image that cannot be written is an error and leaves no file", "[image]") {
    const Folder folder;
    const auto failure = [](const std::filesystem::path& path, ExitCode code) -> std::string {
        try {
            image_test::write(path, {300, 300}, std::vector<float>(90000));
        } catch (const Error& error) {
            CHECK(error.code() == code);
            return sentence(error);
        }
        return "written";
    };
    for (const char* name : {"a.jpg", "pgm", "a.pgm.gz", "png."}) {
        CHECK_THAT(failure(folder.file(name), ExitCode::usage),
                   contains(name) && contains(".pgm or .png"));
        CHECK_FALSE(std::filesystem::exists(folder.file(name)));
    }
    for (const char* suffix : {".pgm", ".png"}) {
        CHECK_THAT(
            failure(folder.file("absent") / (std::string("a") + suffix), ExitCode::unavailable),
            contains("No such file") && contains("create the folder"));
        // Device without free space.
        const auto full = folder.file(std::string("full") + suffix);
        std::filesystem::create_symlink("/dev/full", full);
        CHECK_THAT(failure(full, ExitCode::unavailable), contains("No space left"));
        CHECK(std::filesystem::exists(full));
    }
}

TEST_CASE("what is left of a failed image is removed", "[image]") {
    const Folder folder;
    for (const char* name : {"a.pgm", "a.png"}) {
        const auto stop = [](int row, std::span<float>) {
            if (row == 7) throw Error(ExitCode::unavailable, "no more rows");
        };
        CHECK_THROWS_WITH(write_image(folder.file(name), {9, 9}, stop, {}, ""), "no more rows");
        CHECK_FALSE(std::filesystem::exists(folder.file(name)));
    }
}

}  // namespace camber::pgm_test
