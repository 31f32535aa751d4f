// Path of a temporary file, which is removed at the end of the test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace camber {

class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& content = "") {
        static int count = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("camber-test-" + std::to_string(::getpid()) + "-" + std::to_string(++count));
        std::ofstream(path_, std::ios::binary) << content;
    }
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace camber
