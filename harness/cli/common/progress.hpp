// One line of progress on a terminal; nothing in a pipe.
#pragma once

#include <string_view>

namespace camber {

class Progress {
  public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Replaces the line: "[done/total] text".
    void show(int done, int total, std::string_view text);
    void clear();
    // A line that stays, above the one that is replaced. On a terminal only.
    void line(std::string_view text);

  private:
    bool terminal_;
    bool shown_ = false;
};

}  // namespace camber
