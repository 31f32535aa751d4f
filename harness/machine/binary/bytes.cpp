#include "harness/machine/binary/bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"

namespace camber::binary {
namespace {

constexpr std::size_t longest_quoted = 300;  // names from a damaged file may have any length

}  // namespace

Bytes Bytes::part(std::uint64_t at, std::uint64_t count, std::string_view what) const {
    if (at > size() || count > size() - at)
        fail(at, fmt::format("{} of {} bytes ends beyond the last byte, at 0x{:x}", what, count,
                             offset(size())));
    return {data_.substr(at, count), source_, origin_ + at};
}

std::string_view Bytes::zero_terminated(std::uint64_t at, std::string_view what) const {
    const auto end = at < size() ? data_.find('\0', at) : std::string_view::npos;
    if (end == std::string_view::npos) fail(at, fmt::format("{} has no end", what));
    return data_.substr(at, end - at);
}

void Bytes::fail(std::uint64_t at, const std::string& sentence) const {
    throw Error(ExitCode::usage, fmt::format("{}, offset 0x{:x}: {}", source_ ? *source_ : "",
                                             offset(at), printable(sentence, longest_quoted)));
}

namespace {

[[noreturn]] void cannot_read(const std::filesystem::path& path, const std::string& reason) {
    throw Error(ExitCode::usage,
                fmt::format("cannot read the compiled code \"{}\": {}; give the path of a program, "
                            "a library, an object file, a cubin, a fat binary or PTX",
                            path.string(), reason));
}

std::string reason_of(int error) {
    return std::generic_category().message(error);
}

}  // namespace

FileMapping::FileMapping(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) cannot_read(path, reason_of(errno));
    struct stat status {};
    const bool known = fstat(file, &status) == 0;
    const int problem = errno;
    if (known && S_ISREG(status.st_mode) && status.st_size > 0) {
        size_ = static_cast<std::size_t>(status.st_size);
        memory_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    const int map_problem = errno;
    close(file);
    if (!known) cannot_read(path, reason_of(problem));
    if (S_ISDIR(status.st_mode)) cannot_read(path, reason_of(EISDIR));
    if (!S_ISREG(status.st_mode)) cannot_read(path, "it is no regular file");
    if (size_ == 0) cannot_read(path, "it is empty");
    if (memory_ == MAP_FAILED) cannot_read(path, reason_of(map_problem));
    bytes_ =
        Bytes({static_cast<const char*>(memory_), size_}, fmt::format("\"{}\"", path.string()));
}

FileMapping::~FileMapping() {
    munmap(memory_, size_);
}

void FileMapping::release_until(std::uint64_t end) const {
    constexpr std::uint64_t step = 16 << 20;
    if (end < released_ + step) return;
    const std::uint64_t whole = std::min<std::uint64_t>(end, size_) / step * step;
    madvise(static_cast<char*>(memory_) + released_, whole - released_, MADV_DONTNEED);
    released_ = whole;
}

}  // namespace camber::binary
