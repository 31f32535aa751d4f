// One line of progress on a terminal; nothing in a pipe.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace camber {

class Progress {
  public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Replaces the line: "[done/total] text, about 2 min left", cut to the terminal's width. The
    // estimate stands there once something is done and more than ten seconds are left.
    void show(int done, int total, std::string_view text);
    void clear();
    // A line that stays, above the one that is replaced. On a terminal only.
    void line(std::string_view text);

  private:
    using Clock = std::chrono::steady_clock;

    // "" where it is unknown or short.
    std::string estimate(int done, int total);

    bool terminal_;
    bool shown_ = false;
    int total_ = -1;
    int first_done_ = 0;
    Clock::time_point start_;
};

// "40 s", "3 min", "2.5 hours".
std::string rough_duration(double seconds);

}  // namespace camber
