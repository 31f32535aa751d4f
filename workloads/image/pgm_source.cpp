#include "workloads/image/pgm_source.hpp"

#include <fmt/format.h>

#include <system_error>

namespace camber::image {

namespace {

// The functions of <cctype> depend on the locale; the format does not.
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

}  // namespace camber::image
