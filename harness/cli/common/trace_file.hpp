// The file that --trace names.
#pragma once

#include <string>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/timeline.hpp"

namespace camber {

class TraceFile {
  public:
    // Checks that it can be written. Throws as AtomicFile does.
    explicit TraceFile(const std::string& path);

    // Stores it beside the others, or in the place of an earlier one of that name.
    void add(const Timeline& timeline);
    const std::vector<Timeline>& timelines() const { return timelines_; }

    // What the timelines come to, and where they are. `timed`: their times mean something.
    std::string summary(bool timed) const;

  private:
    std::string path_;
    AtomicFile file_;
    std::vector<Timeline> timelines_;
};

}  // namespace camber
