#include "harness/capture/packed_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "harness/base/error.hpp"
#include "harness/machine/binary/code_identity.hpp"

namespace camber::capture {

namespace fs = std::filesystem;

namespace {

// Fast: a level of 3 takes twice the time, for 5 % fewer bytes.
constexpr int compression_level = 1;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail_to_write(const fs::path& path) {
    throw Error(ExitCode::unavailable,
                fmt::format("cannot write the captured data \"{}\": {}; give another folder by "
                            "--out",
                            path.string(), std::strerror(errno)));
}

[[noreturn]] void damaged(const fs::path& path, const std::string& problem) {
    throw Error(ExitCode::usage, fmt::format("the capture file \"{}\" {}: record the launch again",
                                             path.string(), problem));
}

void write_all(std::FILE* file, const fs::path& path, const void* bytes, std::size_t count) {
    if (std::fwrite(bytes, 1, count, file) != count) fail_to_write(path);
}

void write_compressed(std::FILE* file, const fs::path& path,
                      std::span<const unsigned char> content) {
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                       ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, compression_level);
    ZSTD_CCtx_setPledgedSrcSize(context.get(), content.size());
    ByteVector room(ZSTD_CStreamOutSize());
    ZSTD_inBuffer input{content.data(), content.size(), 0};
    for (std::size_t left = 1; left != 0;) {
        ZSTD_outBuffer output{room.data(), room.size(), 0};
        left = ZSTD_compressStream2(context.get(), &output, &input, ZSTD_e_end);
        if (ZSTD_isError(left)) {
            errno = ENOMEM;
            fail_to_write(path);
        }
        write_all(file, path, room.data(), output.pos);
    }
}

ByteVector decompressed(std::FILE* file, const fs::path& path, std::uint64_t bytes) {
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                       ZSTD_freeDCtx);
    ByteVector content(bytes);
    ByteVector packed(ZSTD_DStreamInSize());
    ZSTD_outBuffer output{content.data(), content.size(), 0};
    std::size_t expected = 1;  // by the decompressor; 0 at the end of the frame
    while (const std::size_t got = std::fread(packed.data(), 1, packed.size(), file)) {
        ZSTD_inBuffer input{packed.data(), got, 0};
        while (input.pos < input.size) {
            const std::size_t read = input.pos;
            const std::size_t written = output.pos;
            if (expected == 0) damaged(path, "has data after its end");
            expected = ZSTD_decompressStream(context.get(), &output, &input);
            if (ZSTD_isError(expected)) damaged(path, "is not valid Zstandard data");
            if (input.pos == read && output.pos == written)
                damaged(path, fmt::format("has more than the {} bytes of launch.json", bytes));
        }
    }
    // Output that remains in the decompressor's own memory.
    while (expected != 0) {
        ZSTD_inBuffer nothing{nullptr, 0, 0};
        const std::size_t written = output.pos;
        expected = ZSTD_decompressStream(context.get(), &output, &nothing);
        if (ZSTD_isError(expected) || (expected != 0 && output.pos == written))
            damaged(path, output.pos == output.size
                              ? fmt::format("has more than the {} bytes of launch.json", bytes)
                              : std::string("is truncated"));
    }
    if (output.pos != bytes)
        damaged(path, fmt::format("has {} bytes, not the {} of launch.json", output.pos, bytes));
    return content;
}

}  // namespace

std::string content_hash(std::span<const unsigned char> content) {
    binary::Hash hash;
    hash.add(std::string_view(reinterpret_cast<const char*>(content.data()), content.size()));
    return hash.digits();
}

StoredFile write_packed(const fs::path& folder, const std::string& name,
                        std::span<const unsigned char> content, bool compressed) {
    const fs::path path = folder / name;
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) fail_to_write(path);
    File file(fdopen(descriptor, "wb"));
    if (compressed)
        write_compressed(file.get(), path, content);
    else
        write_all(file.get(), path, content.data(), content.size());
    if (std::fclose(file.release()) != 0) fail_to_write(path);
    return {name, content.size(), content_hash(content), compressed};
}

ByteVector read_packed(const fs::path& folder, const StoredFile& described) {
    const fs::path path = folder / described.name;
    // A link could lead out of the folder, and a pipe would block.
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) damaged(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    const File file(fdopen(descriptor, "rb"));
    struct stat status {};
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        damaged(path, "is not a regular file");
    ByteVector content;
    if (described.compressed) {
        // Zstandard compresses zeros to a 20,000th at most.
        constexpr std::uint64_t highest_ratio = 40000;
        if (described.bytes / highest_ratio > static_cast<std::uint64_t>(status.st_size) + 64)
            damaged(path, fmt::format("has {} bytes, too few for the {} of launch.json",
                                      status.st_size, described.bytes));
        content = decompressed(file.get(), path, described.bytes);
    } else {
        if (static_cast<std::uint64_t>(status.st_size) != described.bytes)
            damaged(path, fmt::format("has {} bytes, not the {} of launch.json", status.st_size,
                                      described.bytes));
        content.resize(described.bytes);
        if (std::fread(content.data(), 1, content.size(), file.get()) != content.size())
            damaged(path, "is truncated");
    }
    if (content_hash(content) != described.hash)
        damaged(path, "has another hash than in launch.json");
    return content;
}

}  // namespace camber::capture
