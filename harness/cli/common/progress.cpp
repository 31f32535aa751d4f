#include "harness/cli/common/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "harness/cli/common/terminal.hpp"

namespace camber {

namespace {

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

void say_cost(const std::string& sentence) {
    if (sentence.empty() || isatty(STDERR_FILENO) == 0) return;
    fmt::print(stderr, "{}\n", folded("camber: " + sentence, progress_width()));
}

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
    if (!terminal_) return;
    const std::string left = estimate(total, share);
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
