// One line of progress on a terminal; nothing in a pipe.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace camber {

// What takes longer is estimated before it begins.
constexpr double worth_saying = 10;  // seconds

// Prints "camber: this takes about 2 min" to standard error, where that is a terminal; nothing for
// "".
void say_cost(const std::string& sentence);

class Progress {
  public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Replaces the line: "[done/total] text, about 2 min left", cut to the terminal's width. The
    // estimate stands there once something is done and more than ten seconds are left.
    void show(int done, int total, std::string_view text);
    // The same where `share` of the work is done, from 0 to 1, by which the rest is estimated.
    void show(int done, int total, std::string_view text, double share);
    void clear();
    // A line that stays, above the one that is replaced. On a terminal only.
    void line(std::string_view text);

  private:
    using Clock = std::chrono::steady_clock;

    // "" where it is unknown or short.
    std::string estimate(int total, double share);

    bool terminal_;
    bool shown_ = false;
    int total_ = -1;
    double first_share_ = 0;
    Clock::time_point start_;
};

// "40 s", "3 min", "2.5 hours".
std::string rough_duration(double seconds);

}  // namespace camber
