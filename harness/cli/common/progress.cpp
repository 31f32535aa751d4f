#include "harness/cli/common/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "harness/cli/common/terminal.hpp"

namespace camber {

namespace {

constexpr double worth_saying = 10;  // seconds

// Goes to the line's start and empties it.
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

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    clear();
}

std::string Progress::estimate(int done, int total) {
    if (total != total_) {
        total_ = total;
        first_done_ = done;
        start_ = Clock::now();
    }
    if (done <= first_done_) return "";
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    const double left = elapsed / (done - first_done_) * (total - done);
    return left > worth_saying ? fmt::format(", about {} left", rough_duration(left)) : "";
}

void Progress::show(int done, int total, std::string_view text) {
    if (!terminal_) return;
    const std::string left = estimate(done, total);
    const std::string count = fmt::format("[{}/{}] ", done, total);
    // The last column stays free: a character there would begin a new line.
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
