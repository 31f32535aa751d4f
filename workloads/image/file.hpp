// Image files, and error messages about them.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "harness/base/atomic_file.hpp"

namespace camber::image {

struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

File open_to_read(const std::filesystem::path& path);  // throws Error(usage)

// Throws Error(usage): "FILE: reason".
[[noreturn]] void reject(const std::filesystem::path& path, const std::string& reason);

// Throws Error(usage) where an image of this size is empty or larger than max_image_pixels.
void require_possible_size(const std::filesystem::path& path, std::int64_t columns,
                           std::int64_t rows);

// A file that is there as a whole once finish() was reached; until then, what was there before.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path);  // throws Error(unavailable)
    std::FILE* get() const { return file_.get(); }
    void finish();  // throws Error(unavailable) where anything could not be written

    // Throws Error(unavailable) with the system's reason or, where it has none, `reason`.
    [[noreturn]] void fail(const std::string& reason) const;

  private:
    NewFile pending_;
    std::filesystem::path path_;
    File file_;
};

}  // namespace camber::image
