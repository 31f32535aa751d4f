#include "harness/capture/replay/trimming.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/capture/packed_file.hpp"

namespace camber::capture {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_trimmed_parts = 200;
constexpr std::uint64_t most_pieces = 32;  // of a part
constexpr std::uint64_t least_pages = 16;

bool is_divisible(const Part& part) {
    return part.role != Role::unused && !part.is_fixed &&
           part.end - part.begin >= least_pages * page_bytes;
}

// Name of the file that replaces `name`.
std::string other_name(const std::string& name) {
    constexpr std::string_view mark = "-trimmed";
    const std::size_t at = name.find(mark);
    if (at != name.npos) return name.substr(0, at) + name.substr(at + mark.size());
    const std::size_t suffix = name.rfind(".zst");
    return name.substr(0, suffix) + std::string(mark) + (suffix == name.npos ? "" : ".zst");
}

bool is_within_part(std::uint64_t offset, const Part& part) {
    return offset >= part.begin && offset < part.end;
}

}  // namespace

std::vector<Part> pieces_of(const std::vector<Part>& parts) {
    const auto large = static_cast<std::uint64_t>(std::ranges::count_if(parts, is_divisible));
    if (large == 0 || parts.size() + large > most_trimmed_parts) return {};
    const std::uint64_t pieces =
        std::min<std::uint64_t>(most_pieces, (most_trimmed_parts - parts.size()) / large + 1);
    std::vector<Part> all;
    for (const Part& part : parts) {
        if (!is_divisible(part)) {
            all.push_back({part.buffer, part.begin, part.end, Role::input, part.is_fixed, {}});
            continue;
        }
        const std::uint64_t pages = (part.end - part.begin) / page_bytes;
        const std::uint64_t step = (pages + pieces - 1) / pieces * page_bytes;
        for (std::uint64_t begin = part.begin; begin < part.end; begin += step)
            all.push_back(
                {part.buffer, begin, std::min(begin + step, part.end), Role::input, false, {}});
    }
    return all;
}

std::uint64_t trim(Capture& capture, const std::vector<ExaminedLaunch>& launches) {
    LaunchFile file = capture.file;
    std::vector<std::string> replaced;
    std::vector<std::string> written;
    std::uint64_t zeros = 0;
    try {
        for (const ExaminedLaunch& launch : launches) {
            std::vector<BufferContent> content = read_memory(capture, launch.index);
            std::vector<Buffer>& buffers = file.launches.at(launch.index).buffers;
            for (std::size_t k = 0; k < buffers.size(); ++k) {
                Buffer& buffer = buffers[k];
                if (buffer.kind == BufferKind::variable) continue;  // a candidate may read others
                bool is_changed = false;
                for (const Part& part : launch.parts) {
                    if (part.buffer != k || part.role != Role::unused) continue;
                    const auto begin = content[k].before.begin();
                    std::fill(begin + static_cast<std::ptrdiff_t>(part.begin),
                              begin + static_cast<std::ptrdiff_t>(part.end),
                              static_cast<unsigned char>(0));
                    std::erase_if(buffer.pointers, [&](const PointerWord& word) {
                        return is_within_part(word.offset, part);
                    });
                    zeros += part.end - part.begin;
                    is_changed = true;
                }
                if (!is_changed) continue;
                replaced.push_back(buffer.before.name);
                written.push_back(other_name(buffer.before.name));
                buffer.before = write_packed(capture.folder, written.back(), content[k].before);
            }
        }
        AtomicFile((capture.folder / launch_file_name).string(), "capture")
            .replace(results::written(file).dump() + "\n");
    } catch (...) {
        std::error_code error;
        for (const std::string& name : written) fs::remove(capture.folder / name, error);
        throw;
    }
    std::error_code error;
    for (const std::string& name : replaced) fs::remove(capture.folder / name, error);
    capture.file = std::move(file);
    return zeros;
}

}  // namespace camber::capture
