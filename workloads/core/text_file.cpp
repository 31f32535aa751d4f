#include "workloads/core/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"

namespace camber::grid_file {

void write_text(const std::filesystem::path& path, const std::string& kind,
                const std::function<void(std::ostream&)>& write) {
    NewFile file(path, kind);
    errno = 0;
    std::ofstream out(file.path(), std::ios::binary | std::ios::trunc);
    if (out) write(out);
    out.close();
    if (!out) file.fail(errno != 0 ? errno : EIO);
    file.finish();
}

namespace {

constexpr bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

Token TokenSource::next() {
    while (!rest_.empty() && is_space(rest_.front())) advance();
    const TextPosition start = place_;
    std::size_t length = 0;
    while (length < rest_.size() && !is_space(rest_[length])) ++length;
    const Token token{rest_.substr(0, length), start};
    rest_.remove_prefix(length);
    place_.column += static_cast<std::int64_t>(length);
    return token;
}

void TokenSource::advance() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    const bool ends_line = c == '\n' || (c == '\r' && !rest_.starts_with('\n'));
    place_ =
        ends_line ? TextPosition{place_.line + 1, 1} : TextPosition{place_.line, place_.column + 1};
}

void TokenSource::reject(TextPosition place, const std::string& reason) const {
    throw Error(ExitCode::usage,
                fmt::format("{}:{}:{}: {}", name_, place.line, place.column, reason));
}

std::string shown(const Token& token) {
    if (token.text.empty()) return "the end of the file";
    constexpr std::size_t longest = 30;
    std::string text = "'";
    for (const char c : token.text.substr(0, longest)) text += c < ' ' || c > '~' ? '?' : c;
    return text + (token.text.size() > longest ? "...'" : "'");
}

std::optional<double> finite_number(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

}  // namespace camber::grid_file
