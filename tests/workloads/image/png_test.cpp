// PNG images: files of every kind, written by libpng itself, compared with known pixels.
#include <png.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/image/image_files.hpp"
#include "workloads/image/image.hpp"

namespace camber::png_test {
namespace {

using image_test::Folder;
using image_test::text_of;

struct Picture {
    int columns, rows, depth, type;
    std::vector<std::vector<png_byte>> bytes;  // packed rows
    int interlace = PNG_INTERLACE_NONE;
    std::vector<png_color> palette = {};
};

// Writes a picture. libpng errors end the test program, because the pictures are valid.
void write_png(const std::filesystem::path& path, Picture picture) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    REQUIRE(file != nullptr);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, static_cast<png_uint_32>(picture.columns),
                 static_cast<png_uint_32>(picture.rows), picture.depth, picture.type,
                 picture.interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (!picture.palette.empty())
        png_set_PLTE(png, info, picture.palette.data(), static_cast<int>(picture.palette.size()));
    std::vector<png_bytep> rows;
    for (auto& row : picture.bytes) rows.push_back(row.data());
    png_set_rows(png, info, rows.data());
    png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
    png_destroy_write_struct(&png, &info);
    std::fclose(file);
}

std::vector<float> pixels_of(const Picture& picture) {
    const Folder folder;
    const auto path = folder.file("a.png");
    write_png(path, picture);
    const Image image = read_image(path);
    CHECK(image.size == Size{picture.columns, picture.rows});
    CHECK(image_size(path) == image.size);
    return image.pixels;
}

}  // namespace

TEST_CASE("a grey PNG of any depth is read as its values over the largest", "[image]") {
    CHECK(pixels_of({3, 1, 1, PNG_COLOR_TYPE_GRAY, {{0b10100000}}}) == std::vector<float>{1, 0, 1});
    CHECK(pixels_of({4, 1, 2, PNG_COLOR_TYPE_GRAY, {{0b00011011}}}) ==
          std::vector<float>{0, 1 / 3.0f, 2 / 3.0f, 1});
    CHECK(pixels_of({2, 1, 4, PNG_COLOR_TYPE_GRAY, {{0x5f}}}) == std::vector<float>{5 / 15.0f, 1});
    CHECK(pixels_of({2, 2, 8, PNG_COLOR_TYPE_GRAY, {{0, 1}, {254, 255}}}) ==
          std::vector<float>{0, 1 / 255.0f, 254 / 255.0f, 1});
    CHECK(pixels_of({2, 1, 16, PNG_COLOR_TYPE_GRAY, {{0x12, 0x34, 0xff, 0xfe}}}) ==
          std::vector<float>{0x1234 / 65535.0f, 0xfffe / 65535.0f});
}

TEST_CASE("transparency is ignored", "[image]") {
    CHECK(pixels_of({2, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, {{10, 0, 20, 128}}}) ==
          std::vector<float>{10 / 255.0f, 20 / 255.0f});
    CHECK(pixels_of({1, 1, 16, PNG_COLOR_TYPE_GRAY_ALPHA, {{0x80, 0x00, 0x00, 0x01}}}) ==
          std::vector<float>{0x8000 / 65535.0f});
    CHECK(pixels_of({1, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, {{70, 70, 70, 3}}}) ==
          std::vector<float>{70 / 255.0f});
}

TEST_CASE("colours become grey by their luminance", "[image]") {
    // Equal amounts of the primary colors are already gray.
    CHECK(pixels_of({2, 1, 8, PNG_COLOR_TYPE_RGB, {{9, 9, 9, 255, 255, 255}}}) ==
          std::vector<float>{9 / 255.0f, 1});
    const auto wide =
        pixels_of({3,
                   1,
                   16,
                   PNG_COLOR_TYPE_RGB,
                   {{0xff, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff}}});
    // ITU-R BT.709, as in libpng's manual.
    CHECK(wide[0] == Approx(0.2126).margin(1e-3));
    CHECK(wide[1] == Approx(0.7152).margin(1e-3));
    CHECK(wide[2] == Approx(0.0722).margin(1e-3));
    const auto palette = pixels_of({4,
                                    1,
                                    2,
                                    PNG_COLOR_TYPE_PALETTE,
                                    {{0b00011011}},
                                    PNG_INTERLACE_NONE,
                                    {{0, 0, 0}, {51, 51, 51}, {0, 255, 0}, {255, 255, 255}}});
    CHECK(palette[0] == 0);
    CHECK(palette[1] == 51 / 255.0f);
    CHECK(palette[2] == Approx(0.7152).margin(3e-3));
    CHECK(palette[3] == 1);
}

TEST_CASE("an interlaced PNG is the same image", "[image]") {
    Picture picture{13, 11, 8, PNG_COLOR_TYPE_GRAY, {}};
    for (int row = 0; row < 11; ++row) {
        auto& bytes = picture.bytes.emplace_back();
        for (int column = 0; column < 13; ++column)
            bytes.push_back(static_cast<png_byte>(19 * row + column));
    }
    const auto plain = pixels_of(picture);
    CHECK(plain[14] == 20 / 255.0f);
    picture.interlace = PNG_INTERLACE_ADAM7;
    CHECK(pixels_of(picture) == plain);
}

TEST_CASE("a written PNG reads back as written and says what its greys stand for", "[image]") {
    const Folder folder;
    const auto path = folder.file("out.png");
    std::vector<float> greys(65536);
    for (std::size_t i = 0; i < greys.size(); ++i) greys[i] = static_cast<float>(i) / 65535.0f;
    image_test::write(path, {512, 128}, greys);
    CHECK(read_image(path).size == Size{512, 128});
    CHECK(read_image(path).pixels == greys);
    // A PNG is identified by its content, whatever its name.
    std::filesystem::rename(path, folder.file("out.pgm"));
    CHECK(read_image(folder.file("out.pgm")).pixels == greys);

    image_test::write(path, {2, 1}, {-3, 1.5f}, {-3, 3}, "blurred twice");
    CHECK_THAT(text_of(path),
               contains("tEXtComment") && contains("blurred twice\nblack is -3, white is 3"));
    CHECK(read_image(path).pixels == std::vector<float>{0, 49151 / 65535.0f});
}

TEST_CASE("a PNG in colour has its red, green and blue", "[image]") {
    const Folder folder;
    const auto path = folder.file("colour.png");
    const auto rows = [](int row, std::span<std::uint8_t> bytes) {
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::uint8_t>(100 * row + 10 * static_cast<int>(i));
    };
    image::write_colour_png(path, {3, 2}, rows, "by hand");
    CHECK_THAT(text_of(path), contains("tEXtComment") && contains("by hand"));
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_file(&image, path.c_str()) != 0);
    CHECK(image.width == 3);
    CHECK(image.height == 2);
    CHECK((image.format & PNG_FORMAT_FLAG_COLOR) != 0);
    image.format = PNG_FORMAT_RGB;
    std::vector<png_byte> bytes(PNG_IMAGE_SIZE(image));
    REQUIRE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr) != 0);
    CHECK(bytes == std::vector<png_byte>{0, 10, 20, 30, 40, 50, 60, 70, 80, 100, 110, 120, 130, 140,
                                         150, 160, 170, 180});
    CHECK_THROWS_WITH(image::write_colour_png(folder.file("no/such.png"), {3, 2}, rows, ""),
                      contains("no/such.png"));
}

TEST_CASE("a damaged PNG is rejected with libpng's reason", "[image]") {
    const Folder folder;
    const auto path = folder.file("a.png");
    image_test::write(path, {40, 30}, std::vector<float>(1200, 0.25f));
    const std::string good = text_of(path);
    const auto rejection = [&](std::string bytes) -> std::string {
        try {
            read_image(folder.file("bad.png", bytes));
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::usage);
            return error.what();
        }
        return "read";
    };
    CHECK(rejection(good) == "read");
    CHECK_THAT(rejection(good.substr(0, 20)), contains("bad.png: libpng") && contains("repair"));
    std::string damaged = good;
    damaged[17] ^= 1;  // changes the width, so that the header's checksum is wrong
    CHECK_THAT(rejection(damaged), contains("IHDR: CRC error"));
    // The end chunk must be present, too.
    CHECK_THAT(rejection(good.substr(0, good.size() - 12)), contains("libpng cannot read"));
}

TEST_CASE("a small PNG cannot ask for gigabytes", "[image]") {
    const Folder folder;
    const auto path = folder.file("bomb.png");
    std::FILE* file = std::fopen(path.c_str(), "wb");
    REQUIRE(file != nullptr);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, 40000, 40000, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_byte end[] = {'I', 'D', 'A', 'T', '\0'};
    png_write_chunk(png, end, nullptr, 0);
    png_destroy_write_struct(&png, &info);
    std::fclose(file);
    CHECK(image_size(path) == Size{40000, 40000});
    CHECK_THROWS_WITH(read_image(path), contains("cannot hold 40000x40000 pixels"));
}

}  // namespace camber::png_test
