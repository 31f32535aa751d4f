// Messages on standard error: errors with the option that resolves them, estimated durations, and a
// progress line.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "harness/base/error.hpp"

namespace camber {

// Wording of errors: the fact that a lower layer reports, and the option that resolves it.

// One printable() sentence without a full stop, followed by the lines of another program if there
// are any (ErrorWithLines).
std::string sentence(const Error& error);

// Prints "camber: " and the sentence to standard error, folded for a terminal. Sentences given as
// text are made printable() here, because they quote the user's input and files.
void say_error(const Error& error);
void say_error(std::string_view sentence);

// Progress line on a terminal. On a pipe, prints nothing, or with CAMBER_PROGRESS=lines one line per
// step, "[done/total] text", for a program that shows the progress itself.

// Work that takes longer than this is announced with an estimate.
constexpr double worth_saying = 10;  // seconds

// Prints "camber: this takes about 2 min" to standard error if it is a terminal; prints nothing for
// "".
void say_cost(const std::string& sentence);

class Progress {
  public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Replaces the line by "[done/total] text, about 2 min left", cut to the terminal's width. The
    // estimate appears once some work is done and more than ten seconds remain.
    void show(int done, int total, std::string_view text);
    // Same with an estimate based on `share`, the completed fraction of the work (0 to 1).
    void show(int done, int total, std::string_view text, double share);
    void clear();
    // Prints a permanent line above the progress line; only on a terminal.
    void line(std::string_view text);

  private:
    using Clock = std::chrono::steady_clock;

    // "" if the remaining time is unknown or short.
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
