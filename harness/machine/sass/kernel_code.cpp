#include "harness/machine/sass/kernel_code.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <istream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/machine/sass/tool.hpp"

namespace camber {

namespace {

struct Search {
    std::uintptr_t address = 0;
    std::optional<CodeFile> found = std::nullopt;
};

// Notes are consecutive; name and content of each are padded to multiples of four bytes.
std::string build_id_in(const std::byte* notes, std::size_t bytes) {
    const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
    while (bytes >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) head;
        std::memcpy(&head, notes, sizeof head);
        const std::size_t name = padded(head.n_namesz);
        const std::size_t length = sizeof head + name + padded(head.n_descsz);
        if (length > bytes) break;
        const auto* text = reinterpret_cast<const char*>(notes + sizeof head);
        if (head.n_type == NT_GNU_BUILD_ID &&
            std::string_view(text, head.n_namesz) == std::string_view(ELF_NOTE_GNU, 4)) {
            std::string digits;
            for (std::size_t i = 0; i < head.n_descsz; ++i)
                digits +=
                    fmt::format("{:02x}", std::to_integer<int>(notes[sizeof head + name + i]));
            return digits;
        }
        notes += length;
        bytes -= length;
    }
    return "";
}

int visit(dl_phdr_info* object, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    bool contains = false;
    std::string build_id;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        const std::uintptr_t start = object->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && search.address - start < segment.p_memsz) contains = true;
        if (segment.p_type == PT_NOTE && build_id.empty())
            build_id = build_id_in(reinterpret_cast<const std::byte*>(start), segment.p_memsz);
    }
    if (!contains) return 0;
    std::filesystem::path path = object->dlpi_name;
    std::error_code error;
    // The program itself has an empty name there.
    if (path.empty()) path = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!path.empty()) search.found = CodeFile{path, build_id};
    return 1;
}

}  // namespace

std::optional<CodeFile> code_file_of(const void* address) {
    Search search{reinterpret_cast<std::uintptr_t>(address)};
    dl_iterate_phdr(visit, &search);
    return search.found;
}

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_wait{120};
constexpr int lowest_priority = 19;
constexpr const char* first_line = "camber kernel instructions 10";

using Mixes = std::map<std::string, InstructionMix>;

class Disassembler {
  public:
    // Throws Error if there is no temporary folder.
    Disassembler(fs::path tool, fs::path file, std::string architecture)
        : tool_(std::move(tool)), file_(std::move(file)), architecture_(std::move(architecture)) {}

    // The program stores the machine code of each source file separately, under the source's unique
    // name. Only files with a wanted kernel are disassembled: one takes a second, while the whole
    // program takes a minute.
    Mixes find(const std::set<std::string>& symbols) const {
        Mixes found;
        const TemporaryFolder folder("take the machine code apart");
        output_of(tool_, {"-xelf", "all", "-arch", architecture_, file_.string()}, longest_wait,
                  folder.path());
        std::vector<std::future<Mixes>> lists;
        for (const auto& part : fs::directory_iterator(folder.path()))
            if (has_any(read_file(part.path(), "machine code", "a cubin"), symbols))
                lists.push_back(std::async(std::launch::async,
                                           [this, path = part.path()] { return list(path); }));
        for (auto& listed : lists) found.merge(listed.get());
        return found;
    }

  private:
    static bool has_any(const std::string& code, const std::set<std::string>& symbols) {
        return std::ranges::any_of(symbols, [&](const std::string& symbol) {
            return code.find(symbol) != std::string::npos;
        });
    }

    Mixes list(const fs::path& part) const {
        const auto listing = output_of(tool_, {"-sass", part.string()}, longest_wait);
        return listing ? parse_listing(*listing) : Mixes();
    }

    fs::path tool_;
    fs::path file_;
    std::string architecture_;
};

std::string text_of(const std::optional<Schedule>& schedule) {
    if (!schedule) return "-";
    return fmt::format("{} {} {} {} {}", schedule->cycles, schedule->memory_waits,
                       schedule->memory_covered, schedule->brief_waits, schedule->brief_covered);
}

bool read_schedule(std::istream& words, std::optional<Schedule>& schedule) {
    if ((words >> std::ws).peek() == '-') return words.get() == '-';
    Schedule read;
    if (!(words >> read.cycles >> read.memory_waits >> read.memory_covered >> read.brief_waits >>
          read.brief_covered))
        return false;
    schedule = read;
    return read.cycles >= 0;
}

std::string text_of(const std::map<std::string, std::int64_t>& counts) {
    std::string text = fmt::format(" {}", counts.size());
    for (const auto& [name, count] : counts) text += fmt::format(" {} {}", name, count);
    return text;
}

bool read_counts(std::istream& words, std::map<std::string, std::int64_t>& counts) {
    std::size_t number = 0;
    if (!(words >> number)) return false;
    for (; number > 0; --number) {
        std::string name;
        if (!(words >> name >> counts[name])) return false;
    }
    return true;
}

bool read_blocks(std::istream& words, std::vector<BasicBlock>& blocks) {
    std::size_t number = 0;
    if (!(words >> number)) return false;
    while (blocks.size() < number) {
        BasicBlock block;
        std::size_t ways = 0;
        if (!(words >> block.loop >> block.ends >> ways) || block.loop < 0) return false;
        while (block.to.size() < ways) {
            int to = 0;
            if (!(words >> to) || to < 0 || static_cast<std::size_t>(to) >= number) return false;
            block.to.push_back(to);
        }
        if (!read_counts(words, block.instructions) || !read_counts(words, block.predicated))
            return false;
        blocks.push_back(std::move(block));
    }
    return true;
}

bool read_regions(std::istream& words, std::vector<InstructionRegion>& regions) {
    std::size_t number = 0;
    if (!(words >> number)) return false;
    while (regions.size() < number) {
        InstructionRegion region;
        if (!(words >> region.within) || region.within < 0 ||
            !read_counts(words, region.instructions))
            return false;
        regions.push_back(std::move(region));
    }
    return true;
}

}  // namespace

std::string to_text(const std::map<std::string, InstructionMix>& mixes) {
    std::string text = fmt::format("{}\n", first_line);
    for (const auto& [symbol, mix] : mixes) {
        text += fmt::format("{} {} {} {} {}", symbol, mix.skippable, fmt::join(mix.count, " "),
                            text_of(mix.schedule), mix.regions.size());
        for (const InstructionRegion& region : mix.regions)
            text += fmt::format(" {}{}", region.within, text_of(region.instructions));
        text += fmt::format(" {}", mix.basic_blocks.size());
        for (const BasicBlock& block : mix.basic_blocks) {
            text += fmt::format(" {} {:d} {}", block.loop, block.ends, block.to.size());
            for (const int to : block.to) text += fmt::format(" {}", to);
            text += text_of(block.instructions) + text_of(block.predicated);
        }
        text += '\n';
    }
    return text;
}

std::optional<std::map<std::string, InstructionMix>> parse_mixes(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    if (!std::getline(lines, line) || line != first_line) return std::nullopt;
    std::map<std::string, InstructionMix> mixes;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string symbol;
        words >> symbol;
        InstructionMix mix;
        if (!(words >> mix.skippable) || mix.skippable < 0) return std::nullopt;
        for (std::int64_t& count : mix.count)
            if (!(words >> count) || count < 0) return std::nullopt;
        if (!read_schedule(words, mix.schedule) || !read_regions(words, mix.regions) ||
            !read_blocks(words, mix.basic_blocks) || words >> line)
            return std::nullopt;
        mixes[symbol] = mix;
    }
    return mixes;
}

KernelCode::KernelCode(int major, int minor, CacheFolder cache)
    : architecture_(fmt::format("sm_{}{}", major, minor)), cache_(std::move(cache)) {}

std::string KernelCode::cache_name(const File& file) const {
    return fmt::format("kernels-{}-{}", file.code.build_id, architecture_);
}

KernelCode::File* KernelCode::file_of(const void* address) {
    const auto code = code_file_of(address);
    if (!code) return nullptr;
    const auto [entry, added] = files_.try_emplace(code->path);
    File& file = entry->second;
    if (added) {
        file.code = *code;
        if (!file.code.build_id.empty())
            if (const auto text = cache_.read(cache_name(file)))
                file.mixes = parse_mixes(*text).value_or(file.mixes);
    }
    return &file;
}

const InstructionMix* KernelCode::find(const std::string& symbol, const void* address) {
    File* const file = file_of(address);
    if (!file || symbol.empty()) return nullptr;
    const auto found = file->mixes.find(symbol);
    if (found == file->mixes.end()) {
        if (!file->listed.contains(symbol)) file->wanted.insert(symbol);
        return nullptr;
    }
    return found->second.total() == 0 ? nullptr : &found->second;
}

void KernelCode::start() {
    const auto tool = find_cuobjdump();
    if (!tool) return;
    for (auto& [path, file] : files_) {
        if (file.wanted.empty() || file.listing.valid()) continue;
        file.listed = std::exchange(file.wanted, {});
        file.listing = std::async(
            std::launch::async,
            [tool = *tool, path = path, architecture = architecture_, wanted = file.listed] {
                // Disassembles at the lowest priority, to not disturb measurements. On Linux, this
                // is the calling thread's priority, which its own threads and processes inherit.
                setpriority(PRIO_PROCESS, 0, lowest_priority);
                return Disassembler(tool, path, architecture).find(wanted);
            });
    }
}

void KernelCode::finish() {
    for (auto& [path, file] : files_) {
        if (!file.listing.valid()) continue;
        try {
            file.mixes.merge(file.listing.get());
        } catch (const Error&) {
            continue;  // no temporary folder: the kernels' machine code stays unavailable
        }
        for (const std::string& symbol : file.listed) file.mixes.try_emplace(symbol);
        if (!file.code.build_id.empty()) cache_.write(cache_name(file), to_text(file.mixes));
    }
}

void KernelCode::load() {
    finish();
    start();
    finish();
}

}  // namespace camber
