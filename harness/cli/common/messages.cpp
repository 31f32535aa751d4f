#include "harness/cli/common/messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"

namespace camber {

namespace {

std::string remedy_of(const Error& error) {
    const std::string& value = error.remedy_value();
    switch (error.remedy()) {
        case Remedy::none:
            break;
        case Remedy::smaller_board:
            return ": choose a smaller --size";
        case Remedy::board_of_input:
            return ": leave out --size" + (value.empty() ? "" : ", or give --size " + value);
        case Remedy::no_position:
            return ": leave out --at";
        case Remedy::another_position:
            return ": choose another --at or a larger --size";
        case Remedy::another_output:
            return "; choose another --save " + value;
        case Remedy::parameter:
            return ": write for example --param " + value;
        case Remedy::another_device:
            return ", or try another --device";
        case Remedy::host_backend:
            return "; choose --backend simt or cpu";
        case Remedy::backend_with_graphs:
            return ": --graph needs the cuda or the simt backend";
        case Remedy::backend_with_caches:
            return ": --cache cold needs the cuda backend";
        case Remedy::no_graph:
            return ": run it without --graph";
        case Remedy::text_format:
            return ", or choose --format markdown, latex, csv or json";
    }
    return "";
}

void print_lines(const std::string& text) {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        std::fprintf(stderr, "%s\n",
                     terminal ? folded(line, progress_width()).c_str() : line.c_str());
}

}  // namespace

std::string sentence(const Error& error) {
    const auto* const with_lines = dynamic_cast<const ErrorWithLines*>(&error);
    if (with_lines == nullptr) return printable(error.what() + remedy_of(error));
    constexpr std::size_t longest_lines = 4000;
    const std::string_view all = error.what();
    const std::string& lines = with_lines->lines();
    return printable(all.substr(0, all.size() - lines.size())) +
           printable(lines, longest_lines, LineFeeds::kept);
}

void say_error(const Error& error) {
    print_lines("camber: " + sentence(error));
}

void say_error(std::string_view sentence) {
    print_lines("camber: " + printable(sentence));
}

namespace {

// Moves to the start of the line and clears it.
void erase_line() {
    if (escapes_unwanted())
        fmt::print(stderr, "\r{:{}}\r", "", progress_width() - 1);
    else
        fmt::print(stderr, "\r\033[K");
}

}  // namespace

std::string rough_duration(double seconds) {
    if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
    if (seconds < 99.5 * 60) return fmt::format("{:.0f} min", seconds / 60);
    if (seconds < 48 * 3600) return fmt::format("{:.1f} hours", seconds / 3600);
    return fmt::format("{:.0f} days", seconds / 86400);
}

void say_cost(const std::string& sentence) {
    if (sentence.empty() || isatty(STDERR_FILENO) == 0) return;
    fmt::print(stderr, "{}\n", folded("camber: " + sentence, progress_width()));
}

namespace {

// True if a program reads the progress: CAMBER_PROGRESS is "lines", and standard error is a pipe.
bool progress_is_read() {
    const char* const wanted = std::getenv("CAMBER_PROGRESS");
    return wanted != nullptr && std::string_view(wanted) == "lines" && isatty(STDERR_FILENO) == 0;
}

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    clear();
}

std::string Progress::estimate(int total, double share) {
    if (total != total_) {
        total_ = total;
        first_share_ = share;
        start_ = Clock::now();
    }
    if (share <= first_share_) return "";
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    const double left = elapsed / (share - first_share_) * (1 - share);
    return left > worth_saying ? fmt::format(", about {} left", rough_duration(left)) : "";
}

void Progress::show(int done, int total, std::string_view text) {
    show(done, total, text, total > 0 ? static_cast<double>(done) / total : 0);
}

void Progress::show(int done, int total, std::string_view text, double share) {
    if (progress_is_read()) {
        fmt::print(stderr, "[{}/{}] {}\n", done, total, printable(std::string(text)));
        std::fflush(stderr);
        return;
    }
    if (!terminal_) return;
    const std::string left = estimate(total, share);
    const std::string count = fmt::format("[{}/{}] ", done, total);
    // The last column stays empty: a character there would start a new line.
    const std::size_t columns = progress_width() - 1;
    const std::size_t taken = std::min(columns, count.size() + left.size());
    const std::string line = fmt::format("{}{}{}", count, cut(text, columns - taken), left);
    erase_line();
    fmt::print(stderr, "{}", cut(line, columns));
    std::fflush(stderr);
    shown_ = true;
}

void Progress::clear() {
    if (!shown_) return;
    erase_line();
    std::fflush(stderr);
    shown_ = false;
}

void Progress::line(std::string_view text) {
    if (!terminal_) return;
    clear();
    fmt::print(stderr, "{}\n", text);
}

}  // namespace camber
