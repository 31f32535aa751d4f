// Bytes of a PGM file, with the line of each byte for messages.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>

#include "workloads/image/file.hpp"

namespace camber::image {

class PgmSource {
  public:
    explicit PgmSource(const std::filesystem::path& path)
        : path_(path), file_(open_to_read(path)), current_(std::getc(file_.get())) {}

    int peek() const { return current_; }  // EOF after the last byte
    void advance();

    // Blanks, line breaks and comments, which reach from # to the end of the line.
    void skip_space();
    // The digits here, at least one and at most `largest`; `what` names the number in the message.
    std::int64_t read_number(const std::string& what, std::int64_t largest);
    // One blank or line break; `before` names what it ends. Binary pixels, which may look like
    // blanks themselves, begin after a single one.
    void read_single_blank(const std::string& before);
    // Fills `bytes`, the current one first; returns how many there were.
    std::size_t read_bytes(std::span<unsigned char> bytes);

    // Bytes from the current one to the end; -1 where the file has no size, as a pipe.
    std::int64_t remaining() const;

    [[noreturn]] void reject_here(const std::string& reason) const;  // with the line
    [[noreturn]] void reject_file(const std::string& reason) const { reject(path_, reason); }

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    File file_;
    int current_;
    std::int64_t line_ = 1;
};

}  // namespace camber::image
