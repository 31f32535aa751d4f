#include "harness/machine/binary/fat_binary.hpp"

#include <fmt/format.h>
#include <lz4.h>

#include <algorithm>

#include "harness/base/files.hpp"

namespace camber::binary {
namespace {

// The layout is not documented by NVIDIA. It is the one that Eiling's "cuda-fatbin-decompression"
// (RWTH Aachen) describes; flags for Zstandard and for architecture suffixes were found by
// compiling with nvcc 13.0, and all were compared with cuobjdump on NVIDIA's libraries.
struct ContainerHeader {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t header_bytes;
    std::uint64_t bytes;  // of all entries
};

struct EntryHeader {
    std::uint16_t kind;
    std::uint16_t version;
    std::uint32_t header_bytes;
    std::uint64_t bytes;  // of the payload, with padding
    std::uint32_t compressed_bytes;
    std::uint32_t options_offset;
    std::uint16_t minor;
    std::uint16_t major;
    std::uint32_t architecture;
    std::uint32_t name_offset;
    std::uint32_t name_bytes;
    std::uint64_t flags;
    std::uint64_t check_sum;
    std::uint64_t full_bytes;
};
static_assert(sizeof(ContainerHeader) == 16 && sizeof(EntryHeader) == 64);

constexpr std::uint32_t magic = 0xBA55ED50;
constexpr std::uint64_t lz4_flag = 0x2000;
constexpr std::uint64_t zstd_flag = 0x8000;
constexpr std::uint64_t architecture_flag = 0x100000;  // sm_90a
constexpr std::uint64_t family_flag = 0x200000;        // sm_100f
constexpr std::uint64_t padding = 8;
constexpr std::uint64_t largest_payload = 1 << 30;

FatKind kind_of(std::uint16_t kind) {
    switch (kind) {
        case 1:
            return FatKind::ptx;
        case 2:
        case 16:
            return FatKind::cubin;
        case 8:
            return FatKind::intermediate;
        default:
            return FatKind::other;
    }
}

// Returns true if a container begins here, as far as its two first headers show.
bool is_plausible(const Bytes& bytes, std::uint64_t at) {
    if (bytes.size() - at < sizeof(ContainerHeader) + sizeof(EntryHeader)) return false;
    const auto container = bytes.value<ContainerHeader>(at, "");
    const auto entry = bytes.value<EntryHeader>(at + sizeof container, "");
    return container.magic == magic && container.version == 1 &&
           container.header_bytes == sizeof container && container.bytes >= sizeof entry &&
           container.bytes <= bytes.size() - at - sizeof container && entry.kind != 0 &&
           entry.header_bytes >= sizeof entry && entry.header_bytes < 4096 &&
           entry.bytes <= container.bytes;
}

}  // namespace

bool is_fat_binary(std::string_view start) {
    std::uint32_t value = 0;
    if (start.size() < sizeof value) return false;
    std::memcpy(&value, start.data(), sizeof value);
    return value == magic;
}

std::uint64_t for_each_entry(const Bytes& bytes,
                             const std::function<void(const FatEntry&)>& visit) {
    const auto container = bytes.value<ContainerHeader>(0, "the header of a fat binary");
    if (container.magic != magic) bytes.fail(0, "here begins no fat binary");
    if (container.version != 1)
        bytes.fail(0, fmt::format("a fat binary of version {} is unknown, only version 1 is known",
                                  container.version));
    if (container.header_bytes < sizeof container)
        bytes.fail(0, fmt::format("a fat binary's header of {} bytes is too short",
                                  container.header_bytes));
    const Bytes entries = bytes.part(container.header_bytes, container.bytes, "a fat binary");
    for (std::uint64_t at = 0; at < entries.size();) {
        const auto header = entries.value<EntryHeader>(at, "an entry's header in a fat binary");
        if (header.header_bytes < sizeof header)
            entries.fail(
                at, fmt::format("an entry's header of {} bytes is too short", header.header_bytes));
        const Bytes room =
            entries.part(at, header.header_bytes, "an entry's header").size() > 0
                ? entries.part(at + header.header_bytes, header.bytes, "an entry of a fat binary")
                : Bytes();
        FatEntry entry;
        entry.kind = kind_of(header.kind);
        entry.architecture = static_cast<int>(std::min<std::uint32_t>(header.architecture, 9999));
        entry.flags = header.flags;
        entry.suffix = (header.flags & architecture_flag) != 0 ? "a"
                       : (header.flags & family_flag) != 0     ? "f"
                                                               : "";
        entry.compressed = (header.flags & (lz4_flag | zstd_flag)) != 0;
        entry.full_size = header.full_bytes;
        entry.payload =
            entry.compressed ? room.part(0, header.compressed_bytes, "compressed code") : room;
        visit(entry);
        at += header.header_bytes + header.bytes;
    }
    return container.header_bytes + container.bytes;
}

void for_each_entry_in_section(const Bytes& section,
                               const std::function<void(const FatEntry&)>& visit) {
    std::uint64_t at = 0;
    while (at < section.size()) {
        const auto next = section.text().find_first_not_of('\0', at);
        if (next == std::string_view::npos) break;
        at = std::max(at, next / padding * padding);
        at += for_each_entry(section.part(at, section.size() - at, "a fat binary"), visit);
    }
}

void find_entries(const Bytes& bytes, const std::function<void(const FatEntry&)>& visit) {
    const std::string_view pattern(reinterpret_cast<const char*>(&magic), sizeof magic);
    for (std::uint64_t at = 0;;) {
        at = bytes.text().find(pattern, at);
        if (at == std::string_view::npos) return;
        if (is_plausible(bytes, at))
            at += for_each_entry(bytes.part(at, bytes.size() - at, "a fat binary"), visit);
        else
            at += pattern.size();
    }
}

std::string decompressed(const FatEntry& entry) {
    const Bytes& from = entry.payload;
    if (entry.full_size > largest_payload)
        from.fail(0, fmt::format("compressed code of {} bytes is more than the supported {}",
                                 entry.full_size, largest_payload));
    // LZ4 compresses by a factor of at most 255, so that a short entry cannot claim much memory.
    const bool is_zstd = (entry.flags & zstd_flag) != 0;
    if (!is_zstd && entry.full_size / 256 > from.size())
        from.fail(0, fmt::format("{} bytes cannot be {} bytes, compressed", from.size(),
                                 entry.full_size));
    if (!is_zstd) {
        std::string full(entry.full_size, '\0');
        const int size =
            LZ4_decompress_safe(from.text().data(), full.data(), static_cast<int>(from.size()),
                                static_cast<int>(full.size()));
        if (size < 0 || static_cast<std::size_t>(size) != full.size())
            from.fail(0, "the LZ4-compressed code is damaged");
        return full;
    }
    std::string_view data = from.text();  // padding follows the frame
    auto frame = take_frame(data, entry.full_size);
    if (!frame) from.fail(0, "the Zstandard-compressed code is damaged");
    if (frame->size() != entry.full_size)
        from.fail(0, fmt::format("compressed code has {} bytes and not {}", frame->size(),
                                 entry.full_size));
    return *std::move(frame);
}

}  // namespace camber::binary
