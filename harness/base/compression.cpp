#include "harness/base/compression.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <system_error>

namespace camber {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "\x28\xb5\x2f\xfd";
// Files are written once and read often; at this level a campaign's largest file takes a second.
constexpr int level = 12;

}  // namespace

bool is_compressed(std::string_view data) {
    return data.starts_with(magic);
}

std::string compressed(std::string_view text) {
    std::string data(ZSTD_compressBound(text.size()), '\0');
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                       ZSTD_freeCCtx);
    if (!context) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    const std::size_t size =
        ZSTD_compress2(context.get(), data.data(), data.size(), text.data(), text.size());
    if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // the buffer suffices for any text
    data.resize(size);
    return data;
}

std::optional<std::string> take_frame(std::string_view& data, std::size_t longest) {
    constexpr std::size_t step = std::size_t{4} << 20;
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                       ZSTD_freeDCtx);
    if (!context) throw std::bad_alloc();
    ZSTD_inBuffer input{data.data(), data.size(), 0};
    std::string text;
    // In steps: memory grows with what is really there, not with what a header claims.
    for (std::size_t pending = 1; pending != 0;) {
        const std::size_t done = text.size();
        text.resize(std::min(longest, done + step));
        ZSTD_outBuffer output{text.data(), text.size(), done};
        const std::size_t taken = input.pos;
        pending = ZSTD_decompressStream(context.get(), &output, &input);
        const bool stuck = output.pos == done && input.pos == taken;
        text.resize(output.pos);
        if (ZSTD_isError(pending) != 0 || (pending != 0 && stuck)) return std::nullopt;
    }
    data.remove_prefix(input.pos);
    return text;
}

std::optional<std::string> decompressed(std::string_view data) {
    constexpr std::size_t longest = std::size_t{4} << 30;
    std::string text;
    while (!data.empty()) {
        const auto frame = take_frame(data, longest - text.size());
        if (!frame) return std::nullopt;
        text += *frame;
    }
    return text;
}

fs::path stored_file(const fs::path& path) {
    std::error_code error;
    if (path.empty() || fs::exists(path, error)) return path;
    fs::path other = path;
    other += compressed_suffix;
    return fs::exists(other, error) ? other : path;
}

std::string json_stem(const fs::path& path) {
    const fs::path name = path.extension() == compressed_suffix ? path.stem() : path.filename();
    return name.stem().string();
}

bool is_json_file(const fs::path& path) {
    return path.extension() == ".json" ||
           (path.extension() == compressed_suffix && path.stem().extension() == ".json");
}

}  // namespace camber
