#include "harness/cli/common/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "harness/base/text.hpp"

namespace camber {

namespace {

constexpr std::size_t widest_paragraph = 100;

// Indentation of a line's continuation lines.
std::size_t hanging_indent(std::string_view line, std::size_t columns) {
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", start);
    if (gap != std::string_view::npos) {
        const std::size_t text = line.find_first_not_of(' ', gap);
        if (text != std::string_view::npos && text <= 2 * columns / 3) return text;
    }
    return std::min(start + 2, columns / 2);
}

// Stream that replaces standard output, and the incomplete line that is not printed yet.
struct Folding {
    std::FILE* stream = nullptr;
    std::size_t columns = 0;
    std::string line;
    bool verbatim = false;
};

Folding& folding() {
    static Folding instance;
    return instance;
}

bool write_all(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// Write callback of the stream; returns 0 for an error.
ssize_t write_folded(void*, const char* bytes, std::size_t count) {
    Folding& out = folding();
    const std::string_view text(bytes, count);
    if (out.verbatim) return write_all(text) ? static_cast<ssize_t>(count) : 0;
    out.line += text;
    std::string complete;
    for (std::size_t end; (end = out.line.find('\n')) != std::string::npos;) {
        complete += folded(escaped(std::string_view(out.line).substr(0, end)), out.columns) + "\n";
        out.line.erase(0, end + 1);
    }
    return write_all(complete) ? static_cast<ssize_t>(count) : 0;
}

}  // namespace

std::size_t page_width() {
    return std::min(line_width().value_or(widest_paragraph), widest_paragraph);
}

std::size_t progress_width() {
    return terminal_width(STDERR_FILENO).value_or(80);
}

bool escapes_unwanted() {
    const char* const terminal = std::getenv("TERM");
    const char* const no_colour = std::getenv("NO_COLOR");
    return (terminal != nullptr && std::string_view(terminal) == "dumb") ||
           (no_colour != nullptr && *no_colour != '\0');
}

std::string folded(std::string_view line, std::size_t columns) {
    std::string all;
    const std::string indent(hanging_indent(line, columns), ' ');
    std::string rest(line);
    while (columns_of(rest) > columns) {
        const std::size_t start = rest.find_first_not_of(' ');
        const std::size_t fits = cut(rest, columns).size();
        std::size_t end = rest.rfind(' ', fits);
        if (end == std::string::npos || end <= start) end = fits;
        all += rest.substr(0, rest.find_last_not_of(' ', end - 1) + 1) + "\n";
        rest.erase(0, std::min(rest.find_first_not_of(' ', end), rest.size()));
        rest.insert(0, indent);
    }
    return all + rest;
}

void fold_output() {
#if defined(__GLIBC__)
    const auto columns = line_width();
    if (!columns) return;
    std::FILE* const stream = fopencookie(
        nullptr, "w", {.read = nullptr, .write = write_folded, .seek = nullptr, .close = nullptr});
    if (stream == nullptr) return;  // long lines are not folded
    std::setvbuf(stream, nullptr, _IOLBF, BUFSIZ);
    folding() = {stream, *columns, "", false};
    stdout = stream;
#endif
}

void finish_output() {
    Folding& out = folding();
    if (out.stream == nullptr) return;
    std::fflush(out.stream);
    write_all(folded(escaped(out.line), out.columns));
    out.line.clear();
}

void print_verbatim(std::string_view text) {
    Folding& out = folding();
    if (out.stream == nullptr) {
        // Throws like fmt::print(), because the error number is lost by the end of the program.
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
            throw std::system_error(errno, std::generic_category());
        return;
    }
    finish_output();
    out.verbatim = true;
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    out.verbatim = false;
}

}  // namespace camber
