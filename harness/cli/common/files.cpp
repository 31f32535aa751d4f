#include "harness/cli/common/files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include "analysis/published/table.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

bool are_one(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    if (!fs::exists(a, ignored) || !fs::exists(b, ignored)) return followed(a) == followed(b);
    return !fs::is_other(a, ignored) && fs::equivalent(a, b, ignored);
}

// True if `file` is in `folder`, an eruption's input folder, and of a kind that is read from it.
bool is_in(const fs::path& folder, const fs::path& file) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored) || !fs::is_regular_file(file, ignored)) return false;
    const fs::path target = followed(file);
    constexpr std::string_view kinds[] = {".cfg", ".asc", ".stt", ".txt"};
    return std::ranges::find(kinds, target.extension().string()) != std::end(kinds) &&
           fs::equivalent(folder, target.parent_path(), ignored);
}

std::string shown(const NamedFile& file) {
    return file.name == file.path ? fmt::format("\"{}\"", file.path.string())
                                  : fmt::format("{} \"{}\"", file.name, file.path.string());
}

}  // namespace

std::vector<NamedFile> named(const std::vector<std::string>& paths) {
    std::vector<NamedFile> files;
    for (const std::string& path : paths) files.push_back({path, path});
    return files;
}

void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
    for (const NamedFile& output : outputs) {
        if (output.path.empty()) continue;
        for (const NamedFile& input : inputs)
            if (!input.path.empty() &&
                (are_one(input.path, output.path) || is_in(input.path, output.path)))
                throw Error(ExitCode::usage,
                            fmt::format("{} would overwrite what is read, {}: choose another file",
                                        shown(output), shown(input)));
        for (const NamedFile& other : outputs) {
            if (&other == &output) break;
            if (!other.path.empty() && are_one(other.path, output.path))
                throw Error(ExitCode::usage, fmt::format("{} and {} are the same file: choose two",
                                                         shown(other), shown(output)));
        }
    }
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".json";

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::optional<results::Document> carried_card(const std::string& card) {
    const std::string file = lower_case(card) + std::string(ending);
    for (const auto& [cards, folder] :
         {std::pair{&published::embedded_measured_cards(), "results/cards/"},
          std::pair{&published::embedded_cards(), "results/published-cards/"}})
        for (const auto& [name, text] : *cards)
            if (name == file) return results::parse_document(text, folder + file);
    return std::nullopt;
}

}  // namespace

std::vector<std::string> card_names() {
    std::vector<std::string> names;
    for (const auto* cards : {&published::embedded_measured_cards(), &published::embedded_cards()})
        for (const auto& [name, text] : *cards)
            names.emplace_back(name.substr(0, name.size() - ending.size()));
    return names;
}

results::Document read_ceilings(const std::string& file_or_card) {
    std::error_code ignored;
    const auto status = fs::status(file_or_card, ignored);
    if (!fs::exists(status) || fs::is_directory(status))
        if (auto document = carried_card(file_or_card)) return std::move(*document);
    // Existing files and names that look like paths are read as files, so that the reader reports
    // errors.
    if (fs::exists(status) || file_or_card.find('/') != std::string::npos ||
        file_or_card.ends_with(ending))
        return results::read_document(file_or_card);
    throw Error(ExitCode::usage,
                fmt::format("--ceilings is '{}', which is neither a file nor a card that camber "
                            "carries: give a file of camber ceilings --json, or one of {}",
                            file_or_card, fmt::join(card_names(), ", ")));
}

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
