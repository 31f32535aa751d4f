// The files behind images, and the sentences about what is wrong with them.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

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

// A file that exists in full or not at all: what was written is removed again unless finish() was
// reached. Special files such as /dev/stdout are never removed.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path);  // throws Error(unavailable)
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    std::FILE* get() const { return file_.get(); }
    void finish();  // throws Error(unavailable) where anything could not be written

    // Throws Error(unavailable) with the system's reason or, where it has none, `reason`.
    [[noreturn]] void fail(const std::string& reason) const;

  private:
    std::filesystem::path path_;
    File file_;
    bool finished_ = false;
};

}  // namespace camber::image
