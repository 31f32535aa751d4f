// Files and parts of files as bytes, with checked access: a size or an offset that does not fit
// ends in one sentence with the file and the offset.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace camber::binary {

// Part of a file, or of a decompressed entry of a file. Copies refer to the same memory, which the
// owner (FileMapping, or the caller of a decompression) must keep.
class Bytes {
  public:
    Bytes() = default;
    // `source`: names the file in messages, "\"a.out\"". `origin`: offset of the first byte in it.
    Bytes(std::string_view data, std::string source, std::uint64_t origin = 0)
        : data_(data),
          source_(std::make_shared<const std::string>(std::move(source))),
          origin_(origin) {}

    std::uint64_t size() const { return data_.size(); }
    std::string_view text() const { return data_; }
    const std::string& source() const { return *source_; }
    // Offset of byte `at` in the file.
    std::uint64_t offset(std::uint64_t at = 0) const { return origin_ + at; }

    // Bytes `at` to `at + count`. Throws Error(usage) if they are not all there; `what` describes
    // them: "the section table".
    Bytes part(std::uint64_t at, std::uint64_t count, std::string_view what) const;

    // Reads a number or a structure of numbers; both the files and the supported hosts are
    // little-endian.
    template <class T>
    requires std::is_trivially_copyable_v<T> T value(std::uint64_t at, std::string_view what)
    const {
        T read;
        std::memcpy(&read, part(at, sizeof read, what).data_.data(), sizeof read);
        return read;
    }

    // Text from `at` up to a NUL byte. Throws Error(usage) if there is none.
    std::string_view zero_terminated(std::uint64_t at, std::string_view what) const;

    // Throws Error(usage): "SOURCE, offset 0x40: SENTENCE".
    [[noreturn]] void fail(std::uint64_t at, const std::string& sentence) const;

  private:
    Bytes(std::string_view data, std::shared_ptr<const std::string> source, std::uint64_t origin)
        : data_(data), source_(std::move(source)), origin_(origin) {}

    std::string_view data_;
    std::shared_ptr<const std::string> source_;
    std::uint64_t origin_ = 0;
};

// A whole file, mapped into memory: pages are read when they are accessed.
class FileMapping {
  public:
    // Throws Error(usage) if the file cannot be read or is empty.
    explicit FileMapping(const std::filesystem::path& path);
    ~FileMapping();
    FileMapping(const FileMapping&) = delete;
    FileMapping& operator=(const FileMapping&) = delete;

    const Bytes& bytes() const { return bytes_; }
    // Lets the system drop the pages before `end`: a later access reads them again.
    void release_until(std::uint64_t end) const;

  private:
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    mutable std::uint64_t released_ = 0;
    Bytes bytes_;
};

}  // namespace camber::binary
