#include "harness/cli/common/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace camber {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    clear();
}

void Progress::show(int done, int total, std::string_view text) {
    if (!terminal_) return;
    fmt::print(stderr, "\r\033[K[{}/{}] {}", done, total, text);
    std::fflush(stderr);
    shown_ = true;
}

void Progress::clear() {
    if (!shown_) return;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
    shown_ = false;
}

void Progress::line(std::string_view text) {
    if (!terminal_) return;
    clear();
    fmt::print(stderr, "{}\n", text);
}

}  // namespace camber
