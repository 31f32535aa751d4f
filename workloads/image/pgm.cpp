// Reader and writer of PGM files, Netpbm's portable graymap, with the line of each byte for error
// messages.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "workloads/image/image.hpp"

namespace camber::image {

// Bytes of a PGM file, with the line of each byte for messages.
class PgmSource {
  public:
    explicit PgmSource(const std::filesystem::path& path)
        : path_(path), file_(open_to_read(path)), current_(std::getc(file_.get())) {}

    int peek() const { return current_; }  // EOF after the last byte
    void advance();

    // Skips blanks, line breaks and comments, which extend from # to the end of the line.
    void skip_space();
    // Reads a number of at least one digit and at most `largest`; `what` names the number in error
    // messages.
    std::int64_t read_number(const std::string& what, std::int64_t largest);
    // Reads exactly one blank or line break; `before` names the text that it ends. Binary pixels,
    // which may look like blanks, begin immediately after it.
    void read_single_blank(const std::string& before);
    // Fills `bytes`, beginning with the current byte; returns the number of bytes read.
    std::size_t read_bytes(std::span<unsigned char> bytes);

    // Number of bytes from the current one to the end; -1 if the file has no size, like a pipe.
    std::int64_t remaining() const;

    [[noreturn]] void reject_here(const std::string& reason) const;  // with the line
    [[noreturn]] void reject_file(const std::string& reason) const { reject(path_, reason); }

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    File file_;
    int current_;
    std::int64_t line_ = 1;
};

namespace {

// Unlike the functions of <cctype>, independent of the locale, as the format is.
constexpr bool is_digit(int c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_space(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string describe(int c) {
    if (c == EOF) return "the end of the file";
    if (c == '\n') return "the end of the line";
    if (c > ' ' && c <= '~') return fmt::format("'{}'", static_cast<char>(c));
    return fmt::format("the byte 0x{:02x}", c);
}

}  // namespace

void PgmSource::advance() {
    if (current_ == '\n') ++line_;
    current_ = std::getc(file_.get());
}

void PgmSource::skip_space() {
    while (is_space(current_) || current_ == '#') {
        if (current_ == '#')
            while (current_ != '\n' && current_ != EOF) advance();
        else
            advance();
    }
}

std::int64_t PgmSource::read_number(const std::string& what, std::int64_t largest) {
    if (!is_digit(current_))
        reject_here(
            fmt::format("{} must be a whole number from 0 up, found {}; repair the file or "
                        "write it again",
                        what, describe(current_)));
    std::int64_t value = 0;
    for (; is_digit(current_); advance()) {
        value = 10 * value + (current_ - '0');
        if (value > largest)
            reject_here(
                fmt::format("{} is {} or more, but at most {} is allowed; repair the file "
                            "or write it again",
                            what, value, largest));
    }
    return value;
}

void PgmSource::read_single_blank(const std::string& before) {
    if (!is_space(current_))
        reject_here(
            fmt::format("a blank or line break must follow {}, found {}; repair the file "
                        "or write it again",
                        before, describe(current_)));
    advance();
}

std::size_t PgmSource::read_bytes(std::span<unsigned char> bytes) {
    if (bytes.empty() || current_ == EOF) return 0;
    bytes[0] = static_cast<unsigned char>(current_);
    const std::size_t count = 1 + std::fread(bytes.data() + 1, 1, bytes.size() - 1, file_.get());
    current_ = std::getc(file_.get());
    return count;
}

std::int64_t PgmSource::remaining() const {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path_, unknown);
    const long position = std::ftell(file_.get());
    if (unknown || position < 0) return -1;
    return static_cast<std::int64_t>(size) - position + (current_ == EOF ? 0 : 1);
}

void PgmSource::reject_here(const std::string& reason) const {
    reject(path_.string() + ":" + std::to_string(line_), reason);
}

namespace {

constexpr std::int64_t largest_maximum = 65535;

struct Header {
    bool plain = false;  // P2: numbers as text
    Size size;
    std::int64_t maximum = 0;  // the value of white

    std::size_t bytes_per_pixel() const { return maximum > 255 ? 2 : 1; }
};

// Reads the header and leaves the source at the byte after the maximum value.
Header read_header(PgmSource& source) {
    Header header;
    source.advance();  // the P of the magic number
    if (source.peek() != '2' && source.peek() != '5')
        source.reject_here(
            "only P2 and P5 of Netpbm's formats are read; convert the file to one, for example "
            "with "
            "'ppmtopgm' or 'pamtopnm'");
    header.plain = source.peek() == '2';
    source.advance();
    source.read_single_blank("the format's letters");
    source.skip_space();
    const std::int64_t columns = source.read_number("the image's width", max_image_pixels);
    source.skip_space();
    const std::int64_t rows = source.read_number("the image's height", max_image_pixels);
    require_possible_size(source.path(), columns, rows);
    header.size = {static_cast<int>(columns), static_cast<int>(rows)};
    source.skip_space();
    header.maximum = source.read_number("the largest value", largest_maximum);
    if (header.maximum < 1)
        source.reject_here(fmt::format(
            "the largest value is 0, but white must be from 1 to {}; repair the file or write it "
            "again",
            largest_maximum));
    return header;
}

// Checks the file's length before memory for the pixels is allocated.
void require_bytes(const PgmSource& source, const Header& header) {
    const std::int64_t found = source.remaining();
    if (found < 0) return;
    const std::int64_t cells = header.size.cells();
    const std::int64_t needed =
        header.plain ? 2 * cells - 1 : cells * static_cast<std::int64_t>(header.bytes_per_pixel());
    if (found < needed || (!header.plain && found > needed))
        source.reject_file(fmt::format(
            "{}x{} pixels take {}{} bytes after the header, but {} follow; repair the file or "
            "write "
            "it again",
            header.size.columns, header.size.rows, header.plain ? "at least " : "", needed, found));
}

void read_plain(PgmSource& source, const Header& header, std::span<float> pixels) {
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        source.skip_space();
        if (source.peek() == EOF)
            source.reject_here(
                fmt::format("the file ends after {} of {} pixels; repair it or write it again", i,
                            pixels.size()));
        pixels[i] = static_cast<float>(source.read_number("a pixel", header.maximum)) /
                    static_cast<float>(header.maximum);
    }
    source.skip_space();
    if (source.peek() != EOF)
        source.reject_here(fmt::format(
            "there is more after the last of {} pixels; remove it, or repair the header",
            pixels.size()));
}

void read_binary(PgmSource& source, const Header& header, std::span<float> pixels) {
    const std::size_t columns = static_cast<std::size_t>(header.size.columns);
    const std::size_t width = header.bytes_per_pixel();
    std::vector<unsigned char> bytes(columns * width);
    for (int row = 0; row < header.size.rows; ++row) {
        if (source.read_bytes(bytes) != bytes.size())
            source.reject_file(
                fmt::format("the file ends in row {} of {}; repair it or write it again", row,
                            header.size.rows));
        for (std::size_t column = 0; column < columns; ++column) {
            const int value =
                width == 1 ? bytes[column] : bytes[2 * column] << 8 | bytes[2 * column + 1];
            if (value > header.maximum)
                source.reject_file(fmt::format(
                    "the pixel in row {}, column {} is {}, more than the largest value {}; repair "
                    "the file or write it again",
                    row, column, value, header.maximum));
            pixels[static_cast<std::size_t>(row) * columns + column] =
                static_cast<float>(value) / static_cast<float>(header.maximum);
        }
    }
    if (source.peek() != EOF)
        source.reject_file("there is more after the last pixel; remove it, or repair the header");
}

}  // namespace

Size pgm_size(const std::filesystem::path& path) {
    PgmSource source(path);
    return read_header(source).size;
}

Image read_pgm(const std::filesystem::path& path) {
    PgmSource source(path);
    const Header header = read_header(source);
    source.read_single_blank("the largest value");
    require_bytes(source, header);
    Image image{header.size, std::vector<float>(static_cast<std::size_t>(header.size.cells()))};
    (header.plain ? read_plain : read_binary)(source, header, image.pixels);
    return image;
}

void write_pgm(const std::filesystem::path& path, Size size, const GreyRows& rows,
               const std::string& comment) {
    OutputFile file(path);
    std::string header = "P5\n# ";
    for (const char c : comment) {
        // Readers that also end lines at CR must not read a part of the comment as the image size.
        if (c == '\n')
            header += "\n# ";
        else
            header += c == '\r' ? ' ' : c;
    }
    header += fmt::format("\n{} {}\n65535\n", size.columns, size.rows);
    std::fwrite(header.data(), 1, header.size(), file.get());
    std::vector<std::uint16_t> greys(static_cast<std::size_t>(size.columns));
    std::vector<unsigned char> bytes(2 * greys.size());
    for (int row = 0; row < size.rows; ++row) {
        rows(row, greys);
        for (std::size_t i = 0; i < greys.size(); ++i) {
            bytes[2 * i] = static_cast<unsigned char>(greys[i] >> 8);
            bytes[2 * i + 1] = static_cast<unsigned char>(greys[i] & 0xff);
        }
        if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
            file.fail("it is not complete");
    }
    file.finish();
}

}  // namespace camber::image
