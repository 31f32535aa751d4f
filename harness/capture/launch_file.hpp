// Content of launch.json, the index of a captured launch: kernel, launch parameters, and memory
// before and after the launch. The recorder writes it, the reader checks it (capture_folder.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/archive.hpp"

namespace camber::capture {

inline constexpr std::string_view launch_file_name = "launch.json";
inline constexpr std::string_view format_name = "camber-capture";
inline constexpr std::int64_t format_version = 1;

// Unit of differences between memory before and after a launch.
inline constexpr std::uint64_t page_bytes = 4096;

using Dimensions = std::array<std::uint32_t, 3>;

// A file of the folder. `bytes` and `hash` describe its decompressed content.
struct StoredFile {
    std::string name;
    std::uint64_t bytes = 0;
    std::string hash;
    bool compressed = true;  // by Zstandard
};

enum class BufferKind {
    device,    // memory of the GPU
    host,      // pinned memory of the host
    managed,   // unified memory, treated as memory of the GPU
    variable,  // __device__ or __constant__ variable of the kernel's module
};

// A word of 8 bytes that contains an address in a buffer.
struct PointerWord {
    std::uint64_t offset = 0;  // of the word
    std::uint64_t buffer = 0;  // index of the buffer that the address belongs to
};

struct Buffer {
    BufferKind kind = BufferKind::device;
    std::string name;  // of a variable
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    StoredFile before;
    // First page and number of pages of each range that the launch changed, and the new content of
    // these pages in a row; the last page may be incomplete.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> changed;
    std::optional<StoredFile> after;
    std::vector<PointerWord> pointers;
};

struct LaunchAttribute {
    std::uint32_t id = 0;
    std::string value;  // 64 bytes in hexadecimal digits
};

struct Parameter {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

struct CapturedLaunch {
    std::uint64_t number = 1;  // among the kernel's launches; the first is 1
    Dimensions grid{1, 1, 1};
    Dimensions block{1, 1, 1};
    std::uint64_t shared_bytes = 0;  // dynamic
    std::vector<LaunchAttribute> attributes;
    std::string parameters;  // in hexadecimal digits
    std::vector<PointerWord> pointers;
    std::vector<Buffer> buffers;
};

struct KernelAttributes {
    std::int64_t max_dynamic_shared = 0;
    std::int64_t carveout = -1;
    std::int64_t non_portable_cluster = 0;
};

// Times of the kernel in the program, by CUPTI, with the captured launch's grid and block.
struct ProgramTimes {
    std::uint64_t launches = 0;
    double median_ns = 0;
    // False if only the captured launch was timed, after its memory was copied.
    bool undisturbed = true;
};

struct LaunchFile {
    std::string format{format_name};
    std::int64_t version = format_version;
    std::vector<std::string> program;  // command line
    std::string device;
    std::int64_t compute_capability = 0;  // 10 * major + minor
    std::string kernel;                   // symbol
    KernelAttributes kernel_attributes;
    std::vector<Parameter> parameters;
    StoredFile code;  // cubin
    std::vector<CapturedLaunch> launches;
    std::optional<ProgramTimes> times;
    std::vector<std::string> notes;  // sentences
};

}  // namespace camber::capture

namespace camber::results {

template <>
struct Names<capture::BufferKind> {
    static constexpr std::array all{capture::BufferKind::device, capture::BufferKind::host,
                                    capture::BufferKind::managed, capture::BufferKind::variable};
    static const char* text(capture::BufferKind kind) {
        constexpr std::array names{"device", "host", "managed", "variable"};
        return names[static_cast<std::size_t>(kind)];
    }
};

}  // namespace camber::results

namespace camber::capture {

using results::Of;

template <class Archive>
void dimensions(Archive& a, const char* key, Of<Archive, Dimensions>& d) {
    std::vector<std::uint64_t> list(d.begin(), d.end());
    a(key, list);
    if constexpr (!Archive::writes) {
        if (list.size() != 3)
            throw results::FormError(std::string("/") + key, "it has not three dimensions");
        for (std::size_t k = 0; k < 3; ++k) {
            if (list[k] > UINT32_MAX)
                throw results::FormError(std::string("/") + key, "a dimension is too large");
            d[k] = static_cast<std::uint32_t>(list[k]);
        }
    }
}

template <class Archive>
void fields(Archive& a, Of<Archive, StoredFile>& f) {
    a("name", f.name);
    a("bytes", f.bytes);
    a("hash", f.hash);
    a("compressed", f.compressed);
}

// Pointers are stored as pairs, because there can be a hundred thousand.
template <class Archive>
void pointer_words(Archive& a, Of<Archive, std::vector<PointerWord>>& words) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    if constexpr (Archive::writes)
        for (const PointerWord& word : words) pairs.emplace_back(word.offset, word.buffer);
    a.some("pointers", pairs);
    if constexpr (!Archive::writes)
        for (const auto& [offset, buffer] : pairs) words.push_back({offset, buffer});
}

template <class Archive>
void fields(Archive& a, Of<Archive, Buffer>& b) {
    a("kind", b.kind);
    a.usual("name", b.name);
    a("address", b.address);
    a("bytes", b.bytes);
    a("before", b.before);
    a.some("changed", b.changed);
    a.may("after", b.after);
    pointer_words(a, b.pointers);
}

template <class Archive>
void fields(Archive& a, Of<Archive, LaunchAttribute>& l) {
    std::uint64_t id = l.id;
    a("id", id);
    a("value", l.value);
    if constexpr (!Archive::writes) {
        if (id > UINT32_MAX) throw results::FormError("/id", "it is too large");
        l.id = static_cast<std::uint32_t>(id);
    }
}

template <class Archive>
void fields(Archive& a, Of<Archive, Parameter>& p) {
    a("offset", p.offset);
    a("bytes", p.bytes);
}

template <class Archive>
void fields(Archive& a, Of<Archive, CapturedLaunch>& l) {
    a("number", l.number);
    dimensions(a, "grid", l.grid);
    dimensions(a, "block", l.block);
    a("shared_bytes", l.shared_bytes);
    a.some("attributes", l.attributes);
    a("parameters", l.parameters);
    pointer_words(a, l.pointers);
    a("buffers", l.buffers);
}

template <class Archive>
void fields(Archive& a, Of<Archive, KernelAttributes>& k) {
    a("max_dynamic_shared", k.max_dynamic_shared);
    a.any_sign()("carveout", k.carveout);
    a("non_portable_cluster", k.non_portable_cluster);
}

template <class Archive>
void fields(Archive& a, Of<Archive, ProgramTimes>& t) {
    a("launches", t.launches);
    a("median_ns", t.median_ns);
    a("undisturbed", t.undisturbed);
}

template <class Archive>
void fields(Archive& a, Of<Archive, LaunchFile>& f) {
    a("format", f.format);
    a("version", f.version);
    a("program", f.program);
    a("device", f.device);
    a("compute_capability", f.compute_capability);
    a("kernel", f.kernel);
    a("kernel_attributes", f.kernel_attributes);
    a("parameters", f.parameters);
    a("code", f.code);
    a("launches", f.launches);
    a.may("times", f.times);
    a.some("notes", f.notes);
}

// Digits of bytes, and back; false for a text that is anything else.
inline std::string hexadecimal(const void* bytes, std::size_t count) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * count);
    for (std::size_t k = 0; k < count; ++k) {
        const unsigned byte = static_cast<const unsigned char*>(bytes)[k];
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

inline bool from_hexadecimal(std::string_view text, std::vector<unsigned char>& bytes) {
    const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    bytes.clear();
    if (text.size() % 2 != 0) return false;
    for (std::size_t k = 0; k < text.size(); k += 2) {
        const int high = digit(text[k]);
        const int low = digit(text[k + 1]);
        if (high < 0 || low < 0) return false;
        bytes.push_back(static_cast<unsigned char>(high * 16 + low));
    }
    return true;
}

}  // namespace camber::capture
