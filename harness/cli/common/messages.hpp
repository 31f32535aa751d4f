// Messages on standard error: errors with the option that resolves them, estimated durations, and a
// progress line.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "harness/base/error.hpp"

namespace camber {

// How the program words an error: the fact that a lower layer states, and the option that mends it.

// One sentence, without a full stop, printable(). Below it, lines of another program
// (ErrorWithLines).
std::string sentence(const Error& error);

// Prints "camber: " and the sentence to standard error, folded for a terminal. Sentences of text
// are made printable() here, for they quote what users and their files say.
void say_error(const Error& error);
void say_error(std::string_view sentence);

// One line of progress on a terminal; nothing in a pipe.

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
