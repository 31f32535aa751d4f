// Reader and writer of PNG files through libpng. libpng reports errors by longjmp, which must not
// skip destructors: every libpng call that can fail is made inside succeeds(), in a function
// without objects that have destructors.
#include "workloads/image/image.hpp"

#include <fmt/format.h>
#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

namespace camber::image {

namespace {

// Error message of libpng, stored outside the frames that longjmp discards.
struct Message {
    char text[200] = "";
};

[[noreturn]] void keep_error(png_structp png, png_const_charp text) {
    auto* message = static_cast<Message*>(png_get_error_ptr(png));
    std::strncpy(message->text, text, sizeof message->text - 1);
    png_longjmp(png, 1);
}
void ignore_warning(png_structp, png_const_charp) {}

// Returns false if libpng reported an error. `calls` must be free of objects with destructors.
template <class Calls>
bool succeeds(png_structp png, const Calls& calls) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    calls();
    return true;
}

class Reader {
  public:
    explicit Reader(const std::filesystem::path& path) : path_(path), file_(open_to_read(path)) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &message_, keep_error, ignore_warning);
        if (png_ != nullptr) info_ = png_create_info_struct(png_);
        if (info_ == nullptr) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            throw std::bad_alloc();
        }
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }

    Size read_header() {
        check(succeeds(png_, [this] {
            // Allows larger sides than libpng's one million; require_possible_size bounds their
            // product.
            png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
            png_init_io(png_, file_.get());
            png_read_info(png_, info_);
        }));
        const std::int64_t columns = png_get_image_width(png_, info_);
        const std::int64_t rows = png_get_image_height(png_, info_);
        require_possible_size(path_, columns, rows);
        return {static_cast<int>(columns), static_cast<int>(rows)};
    }

    Image read() {
        const Size size = read_header();
        require_bytes(size);
        check(succeeds(png_, [this] { choose_grey(); }));
        const std::size_t row_bytes = png_get_rowbytes(png_, info_);
        const bool wide = png_get_bit_depth(png_, info_) == 16;
        const std::size_t columns = static_cast<std::size_t>(size.columns);
        if (row_bytes != columns * (wide ? 2 : 1))
            throw std::logic_error("libpng did not convert the image to grey");
        // Reads all rows at once, because interlaced files contain the rows in several passes.
        std::vector<png_byte> bytes(row_bytes * static_cast<std::size_t>(size.rows));
        check(succeeds(png_, [&] {
            for (int pass = 0; pass < passes_; ++pass)
                for (int row = 0; row < size.rows; ++row)
                    png_read_row(png_, bytes.data() + row_bytes * static_cast<std::size_t>(row),
                                 nullptr);
            png_read_end(png_, nullptr);
        }));
        Image image{size, std::vector<float>(static_cast<std::size_t>(size.cells()))};
        for (std::size_t i = 0; i < image.pixels.size(); ++i)
            image.pixels[i] =
                wide ? static_cast<float>(bytes[2 * i] << 8 | bytes[2 * i + 1]) / 65535.0f
                     : static_cast<float>(bytes[i]) / 255.0f;
        return image;
    }

  private:
    void choose_grey() {
        const png_byte type = png_get_color_type(png_, info_);
        if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
        if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png_);
        if ((type & PNG_COLOR_MASK_COLOR) != 0)
            png_set_rgb_to_gray_fixed(png_, PNG_ERROR_ACTION_NONE, PNG_RGB_TO_GRAY_DEFAULT,
                                      PNG_RGB_TO_GRAY_DEFAULT);
        png_set_strip_alpha(png_);
        passes_ = png_set_interlace_handling(png_);
        png_read_update_info(png_, info_);
    }

    // Deflate compresses at most 1032 bytes into one (zlib's documentation). This check keeps a
    // header from requesting much more memory than its file can fill.
    void require_bytes(Size size) const {
        std::error_code unknown;
        const auto stored = std::filesystem::file_size(path_, unknown);
        const auto unpacked =
            png_get_rowbytes(png_, info_) * static_cast<std::uintmax_t>(size.rows);
        if (!unknown && unpacked / 1032 > stored)
            reject(path_,
                   fmt::format("the file of {} bytes cannot hold {}x{} pixels; write it again",
                               stored, size.columns, size.rows));
    }

    void check(bool succeeded) const {
        if (!succeeded)
            reject(path_,
                   fmt::format("libpng cannot read this PNG: {}; repair the file or write it "
                               "again",
                               message_.text));
    }

    std::filesystem::path path_;
    File file_;
    Message message_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    int passes_ = 1;
};

// Pixel format of a file.
struct Format {
    int depth;  // bits per channel
    int colour_type;
    std::size_t bytes;
};

class Writer {
  public:
    explicit Writer(const std::filesystem::path& path) : file_(path) {
        png_ =
            png_create_write_struct(PNG_LIBPNG_VER_STRING, &message_, keep_error, ignore_warning);
        if (png_ != nullptr) info_ = png_create_info_struct(png_);
        if (info_ == nullptr) {
            png_destroy_write_struct(&png_, nullptr);
            throw std::bad_alloc();
        }
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { png_destroy_write_struct(&png_, &info_); }

    void write(Size size, const Format& format, const ByteRows& rows, std::string comment) {
        // libpng takes pointers to mutable text but does not modify it.
        char key[] = "Comment";
        png_text text{};
        text.compression = PNG_TEXT_COMPRESSION_NONE;
        text.key = key;
        text.text = comment.data();
        check(succeeds(png_, [&] {
            png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
            png_init_io(png_, file_.get());
            // Random images are incompressible, and large ones take minutes at the default level.
            png_set_compression_level(png_, 1);
            png_set_IHDR(png_, info_, static_cast<png_uint_32>(size.columns),
                         static_cast<png_uint_32>(size.rows), format.depth, format.colour_type,
                         PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
            png_set_text(png_, info_, &text, 1);
            png_write_info(png_, info_);
        }));
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size.columns) * format.bytes);
        for (int row = 0; row < size.rows; ++row) {
            rows(row, bytes);
            check(succeeds(png_, [&] { png_write_row(png_, bytes.data()); }));
        }
        check(succeeds(png_, [this] { png_write_end(png_, nullptr); }));
        file_.finish();
    }

  private:
    void check(bool succeeded) const {
        if (!succeeded) file_.fail(message_.text);
    }

    OutputFile file_;
    Message message_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

}  // namespace

Size png_size(const std::filesystem::path& path) {
    return Reader(path).read_header();
}

Image read_png(const std::filesystem::path& path) {
    return Reader(path).read();
}

void write_png(const std::filesystem::path& path, Size size, const GreyRows& rows,
               const std::string& comment) {
    std::vector<std::uint16_t> greys(static_cast<std::size_t>(size.columns));
    const auto bytes_of = [&](int row, std::span<std::uint8_t> bytes) {
        rows(row, greys);
        for (std::size_t i = 0; i < greys.size(); ++i) {
            bytes[2 * i] = static_cast<std::uint8_t>(greys[i] >> 8);
            bytes[2 * i + 1] = static_cast<std::uint8_t>(greys[i] & 0xff);
        }
    };
    Writer(path).write(size, {16, PNG_COLOR_TYPE_GRAY, 2}, bytes_of, comment);
}

void write_colour_png(const std::filesystem::path& path, Size size, const ByteRows& rows,
                      const std::string& comment) {
    Writer(path).write(size, {8, PNG_COLOR_TYPE_RGB, 3}, rows, comment);
}

}  // namespace camber::image
