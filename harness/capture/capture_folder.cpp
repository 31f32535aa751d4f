#include "harness/capture/capture_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/text.hpp"
#include "harness/machine/binary/cubin.hpp"
#include "harness/machine/binary/elf.hpp"

namespace camber::capture {

namespace fs = std::filesystem;

namespace {

// Limits of CUDA devices, and of what a capture can sensibly contain.
constexpr std::uint64_t most_grid_x = 0x7fffffff;
constexpr std::uint64_t most_grid_yz = 0xffff;
constexpr std::uint64_t most_threads = 1024;
constexpr std::uint64_t most_shared_bytes = 1 << 20;
constexpr std::uint64_t most_parameter_bytes = 1 << 16;
constexpr std::size_t most_launches = 64;
constexpr std::size_t most_buffers = 100000;
constexpr std::size_t most_attributes = 32;
constexpr std::size_t most_index_bytes = std::size_t{1} << 28;
constexpr std::uint64_t most_total_bytes = std::uint64_t{1} << 40;
constexpr std::size_t hash_digits = 32;
constexpr std::size_t attribute_digits = 128;
constexpr std::size_t word_bytes = 8;

// Checks the parts of a launch.json.
class Checker {
  public:
    explicit Checker(fs::path path) : path_(std::move(path)) {}

    [[noreturn]] void fail(const std::string& problem) const {
        throw Error(ExitCode::usage,
                    printable(fmt::format("the capture \"{}\": {}: record the launch again",
                                          path_.string(), problem)));
    }

    void check(const LaunchFile& file) const {
        if (file.format != format_name) fail("its format is not that of camber capture");
        if (file.version != format_version)
            fail(fmt::format("its version is {}, and this camber reads version {}", file.version,
                             format_version));
        if (file.kernel.empty()) fail("the kernel has no name");
        check_file(file.code, "the machine code");
        if (file.code.compressed) fail("the machine code is compressed");
        if (file.compute_capability < 50 || file.compute_capability > 999)
            fail(fmt::format("compute_capability is {}", file.compute_capability));
        std::uint64_t bytes = 0;
        for (const Parameter& one : file.parameters) {
            if (one.bytes == 0 || one.offset < bytes || one.offset > most_parameter_bytes ||
                one.bytes > most_parameter_bytes - one.offset)
                fail(fmt::format("a parameter has {} bytes at offset {}", one.bytes, one.offset));
            bytes = one.offset + one.bytes;
        }
        if (file.launches.empty()) fail("it has no launch");
        if (file.launches.size() > most_launches)
            fail(fmt::format("it has {} launches, more than {}", file.launches.size(),
                             most_launches));
        for (const CapturedLaunch& launch : file.launches) check(launch, bytes);
    }

  private:
    void check_file(const StoredFile& file, const std::string& what) const {
        const bool is_plain = !file.name.empty() && file.name.size() <= 100 &&
                              file.name.front() != '.' &&
                              std::ranges::all_of(file.name, [](unsigned char c) {
                                  return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
                              });
        if (!is_plain)
            fail(fmt::format("{} is in the file '{}', which is no plain file name", what,
                             printable(file.name, 60)));
        if (file.bytes > most_total_bytes)
            fail(fmt::format("{} has {} bytes, more than any device", what, file.bytes));
        if (file.hash.size() != hash_digits) fail(what + " has no hash of 32 digits");
    }

    void check(const CapturedLaunch& launch, std::uint64_t parameter_bytes) const {
        const auto& [grid_x, grid_y, grid_z] = launch.grid;
        if (grid_x < 1 || grid_y < 1 || grid_z < 1 || grid_x > most_grid_x ||
            grid_y > most_grid_yz || grid_z > most_grid_yz)
            fail(fmt::format("a grid has {}x{}x{} blocks", grid_x, grid_y, grid_z));
        std::uint64_t threads = 1;
        for (const std::uint32_t extent : launch.block) {
            if (extent < 1 || extent > most_threads) threads = most_threads;
            threads *= std::max<std::uint64_t>(extent, 1);
        }
        if (threads > most_threads || std::ranges::min(launch.block) < 1)
            fail(fmt::format("a block has {}x{}x{} threads", launch.block[0], launch.block[1],
                             launch.block[2]));
        if (launch.shared_bytes > most_shared_bytes)
            fail(fmt::format("a block has {} bytes of shared memory", launch.shared_bytes));
        if (launch.attributes.size() > most_attributes)
            fail(fmt::format("a launch has {} attributes", launch.attributes.size()));
        ByteVector bytes;
        for (const LaunchAttribute& attribute : launch.attributes)
            if (attribute.value.size() != attribute_digits ||
                !from_hexadecimal(attribute.value, bytes))
                fail(fmt::format("launch attribute {} has not {} hexadecimal digits", attribute.id,
                                 attribute_digits));
        if (!from_hexadecimal(launch.parameters, bytes) || bytes.size() != parameter_bytes)
            fail(fmt::format("the parameters of a launch are not {} hexadecimal digits",
                             2 * parameter_bytes));
        if (launch.buffers.size() > most_buffers)
            fail(fmt::format("a launch has {} buffers", launch.buffers.size()));
        check_pointers(launch.pointers, bytes.size(), launch);
        check_buffers(launch);
    }

    void check_pointers(const std::vector<PointerWord>& pointers, std::uint64_t bytes,
                        const CapturedLaunch& launch) const {
        std::uint64_t next = 0;
        for (const PointerWord& word : pointers) {
            if (word.offset < next || bytes < word_bytes || word.offset > bytes - word_bytes)
                fail(fmt::format("an address is at offset {} of {} bytes", word.offset, bytes));
            if (word.buffer >= launch.buffers.size())
                fail(fmt::format("an address points into buffer {} of {}", word.buffer,
                                 launch.buffers.size()));
            next = word.offset + word_bytes;
        }
    }

    void check_buffers(const CapturedLaunch& launch) const {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> extents;
        std::uint64_t total = 0;
        for (const Buffer& buffer : launch.buffers) {
            if (buffer.bytes == 0 || buffer.bytes > most_total_bytes || buffer.address == 0 ||
                buffer.address > UINT64_MAX - buffer.bytes)
                fail(fmt::format("a buffer has {} bytes at 0x{:x}", buffer.bytes, buffer.address));
            total += buffer.bytes;
            if (total > most_total_bytes) fail("the buffers have more bytes than any device");
            if ((buffer.kind == BufferKind::variable) == buffer.name.empty())
                fail("a buffer that is no variable has a name, or a variable has none");
            extents.emplace_back(buffer.address, buffer.address + buffer.bytes);
            check_file(buffer.before, "a buffer");
            if (buffer.before.bytes != buffer.bytes)
                fail(fmt::format("a buffer of {} bytes has {} in its file", buffer.bytes,
                                 buffer.before.bytes));
            check_changes(buffer);
            check_pointers(buffer.pointers, buffer.bytes, launch);
        }
        std::ranges::sort(extents);
        for (std::size_t k = 1; k < extents.size(); ++k)
            if (extents[k].first < extents[k - 1].second)
                fail(fmt::format("two buffers overlap at 0x{:x}", extents[k].first));
    }

    void check_changes(const Buffer& buffer) const {
        const std::uint64_t pages = (buffer.bytes + page_bytes - 1) / page_bytes;
        std::uint64_t next = 0;
        std::uint64_t bytes = 0;
        for (const auto& [first, count] : buffer.changed) {
            if (count == 0 || first < next || first >= pages || count > pages - first)
                fail(fmt::format("a buffer of {} pages changed in {} from {} on", pages, count,
                                 first));
            next = first + count;
            bytes += std::min(next * page_bytes, buffer.bytes) - first * page_bytes;
        }
        if (buffer.changed.empty() == buffer.after.has_value())
            fail("changes of a buffer and their file do not agree");
        if (!buffer.after) return;
        check_file(*buffer.after, "a buffer after the launch");
        if (buffer.after->bytes != bytes)
            fail(fmt::format("changes of {} bytes have {} in their file", bytes,
                             buffer.after->bytes));
    }

    fs::path path_;
};

}  // namespace

bool is_capture(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

Capture read_capture(const fs::path& folder) {
    const fs::path path = folder / launch_file_name;
    const Checker checker(path);
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(path, error)))
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" is no capture, because it has no file launch.json: give a "
                                "folder that camber capture has completed",
                                folder.string()));
    const std::string text =
        read_file(path, "capture", "a folder of camber capture", most_index_bytes + 1);
    if (text.size() > most_index_bytes) checker.fail("it has more than 256 MB");
    Capture capture{folder, {}, {}};
    try {
        results::read(results::parse_json(text), capture.file);
    } catch (const results::SyntaxError& problem) {
        checker.fail(problem.what());
    } catch (const results::FormError& problem) {
        checker.fail(fmt::format("at {}: {}", problem.place(), problem.what()));
    }
    checker.check(capture.file);
    capture.code = read_packed(folder, capture.file.code);
    const std::string code_path = (folder / capture.file.code.name).string();
    const binary::Elf elf(binary::Bytes(
        std::string_view(reinterpret_cast<const char*>(capture.code.data()), capture.code.size()),
        fmt::format("the machine code \"{}\"", code_path)));
    if (elf.machine() != binary::cuda_machine)
        checker.fail(fmt::format("the machine code {} is not for a GPU", capture.file.code.name));
    if (elf.find(".text." + capture.file.kernel) == nullptr)
        checker.fail(fmt::format("the machine code {} has no kernel {}", capture.file.code.name,
                                 printable(capture.file.kernel, 200)));
    return capture;
}

ByteVector BufferContent::after(const Buffer& buffer) const {
    ByteVector content = before;
    std::uint64_t at = 0;
    for (const auto& [first, count] : buffer.changed) {
        const std::uint64_t begin = first * page_bytes;
        const std::uint64_t bytes = std::min(begin + count * page_bytes, buffer.bytes) - begin;
        std::memcpy(content.data() + begin, changed.data() + at, bytes);
        at += bytes;
    }
    return content;
}

std::vector<BufferContent> read_memory(const Capture& capture, std::size_t index) {
    const CapturedLaunch& launch = capture.file.launches.at(index);
    const Checker checker(capture.folder / launch_file_name);
    std::uint64_t needed = 0;
    for (const Buffer& buffer : launch.buffers)
        needed += buffer.bytes + (buffer.after ? buffer.after->bytes : 0);
    if (const std::size_t available = available_host_memory(); needed > available)
        report_memory_shortage(fmt::format("the capture \"{}\"", capture.folder.string()), needed,
                               available);
    const auto check_words = [&](const std::vector<PointerWord>& pointers,
                                 const ByteVector& bytes) {
        for (const PointerWord& word : pointers) {
            std::uint64_t address = 0;
            std::memcpy(&address, bytes.data() + word.offset, sizeof address);
            const Buffer& target = launch.buffers[word.buffer];
            if (address < target.address || address - target.address > target.bytes)
                checker.fail(
                    fmt::format("the address 0x{:x} is not in buffer {}", address, word.buffer));
        }
    };
    ByteVector parameters;
    from_hexadecimal(launch.parameters, parameters);
    check_words(launch.pointers, parameters);
    std::vector<BufferContent> memory;
    for (const Buffer& buffer : launch.buffers) {
        BufferContent content{read_packed(capture.folder, buffer.before), {}};
        if (buffer.after) content.changed = read_packed(capture.folder, *buffer.after);
        check_words(buffer.pointers, content.before);
        memory.push_back(std::move(content));
    }
    return memory;
}

CapturedReference captured_reference(const std::string& text) {
    const std::size_t at = text.rfind('@');
    if (is_capture(text) || at == text.npos) return {text, std::nullopt};
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + at + 1, end, number);
    if (error != std::errc() || stop != end) return {text, std::nullopt};
    return {text.substr(0, at), number};
}

bool names_captured_launch(const std::string& reference) {
    return !reference.empty() && is_capture(captured_reference(reference).folder);
}

std::size_t launch_index(const LaunchFile& file, const CapturedReference& reference) {
    if (!reference.number) return 0;
    const auto found =
        std::ranges::find(file.launches, *reference.number, &CapturedLaunch::number);
    if (found == file.launches.end())
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" has no launch {}: its first one is {}",
                                reference.folder.string(), *reference.number,
                                file.launches.front().number));
    return static_cast<std::size_t>(found - file.launches.begin());
}

}  // namespace camber::capture
