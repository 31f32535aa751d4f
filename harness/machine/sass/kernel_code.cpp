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
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/record/code_inspection.hpp"

namespace camber {

namespace {

struct Search {
    std::uintptr_t address = 0;
    std::optional<CodeFile> found = std::nullopt;
};

// Notes are consecutive; name and content of each are padded to multiples of four bytes.
std::string build_id_in(const char* notes, std::size_t bytes) {
    const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
    ElfW(Nhdr) head;
    for (std::size_t length = 0; bytes >= sizeof head; notes += length, bytes -= length) {
        std::memcpy(&head, notes, sizeof head);
        const std::size_t content = sizeof head + padded(head.n_namesz);
        length = content + padded(head.n_descsz);
        if (length > bytes) break;
        if (head.n_type == NT_GNU_BUILD_ID &&
            std::string_view(notes + sizeof head, head.n_namesz) ==
                std::string_view(ELF_NOTE_GNU, 4)) {
            const auto* const id = reinterpret_cast<const unsigned char*>(notes + content);
            return fmt::format("{:02x}", fmt::join(id, id + head.n_descsz, ""));
        }
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
            build_id = build_id_in(reinterpret_cast<const char*>(start), segment.p_memsz);
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
constexpr const char* cache_version = "camber kernel instructions 11";

// Kernels in a file. The program stores the machine code of each source file separately, under the
// source's unique name. Only files with a wanted kernel are disassembled: one takes a second, while
// the whole program takes a minute. Throws Error if there is no temporary folder.
Mixes disassembled(const fs::path& tool, const fs::path& file, const std::string& architecture,
                   const std::set<std::string>& symbols) {
    const TemporaryFolder folder("take the machine code apart");
    output_of(tool, {"-xelf", "all", "-arch", architecture, file.string()}, longest_wait,
              folder.path());
    std::vector<std::future<Mixes>> lists;
    for (const auto& part : fs::directory_iterator(folder.path())) {
        const std::string code = read_file(part.path(), "machine code", "a cubin");
        if (std::ranges::none_of(symbols, [&](const std::string& symbol) {
                return code.find(symbol) != std::string::npos;
            }))
            continue;
        lists.push_back(std::async(std::launch::async, [&tool, path = part.path()] {
            const auto listing = output_of(tool, {"-sass", path.string()}, longest_wait);
            return listing ? parse_listing(*listing) : Mixes();
        }));
    }
    Mixes found;
    for (auto& listed : lists) found.merge(listed.get());
    return found;
}

}  // namespace

std::string to_text(const Mixes& mixes) {
    std::vector<results::Kernel> kernels;
    for (const auto& [symbol, mix] : mixes) kernels.emplace_back(mix).name = symbol;
    return results::code_table_text(cache_version, kernels);
}

std::optional<Mixes> parse_mixes(const std::string& text) try {
    const results::CodeTable table = results::parse_code_table(text, "the cache");
    if (table.origin != cache_version) return std::nullopt;
    Mixes mixes;
    table.for_each_text([&](const results::Kernel& kernel) { mixes[kernel.name] = kernel; });
    return mixes;
} catch (const Error&) {
    return std::nullopt;
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

const results::Kernel* KernelCode::find(const std::string& symbol, const void* address) {
    File* const file = file_of(address);
    if (!file || symbol.empty()) return nullptr;
    const auto found = file->mixes.find(symbol);
    if (found == file->mixes.end()) {
        if (!file->listed.contains(symbol)) file->wanted.insert(symbol);
        return nullptr;
    }
    return found->second.instructions.empty() ? nullptr : &found->second;
}

void KernelCode::start() {
    const auto tool = find_cuobjdump();
    if (!tool) return;
    for (auto& [path, file] : files_) {
        if (file.listing.valid()) {
            if (file.listing.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
                continue;
            collect(file);
        }
        std::erase_if(file.wanted,
                      [&](const std::string& symbol) { return file.mixes.contains(symbol); });
        if (file.wanted.empty()) continue;
        file.listed = std::exchange(file.wanted, {});
        file.listing = std::async(
            std::launch::async,
            [tool = *tool, path = path, architecture = architecture_, wanted = file.listed] {
                // Disassembles at the lowest priority, to not disturb measurements. On Linux, this
                // is the calling thread's priority, which its own threads and processes inherit.
                setpriority(PRIO_PROCESS, 0, lowest_priority);
                return disassembled(tool, path, architecture, wanted);
            });
    }
}

void KernelCode::collect(File& file) {
    try {
        file.mixes.merge(file.listing.get());
    } catch (const Error&) {
        return;  // no temporary folder: the kernels' machine code stays unavailable
    }
    for (const std::string& symbol : file.listed) file.mixes.try_emplace(symbol);
    if (!file.code.build_id.empty()) cache_.write(cache_name(file), to_text(file.mixes));
}

void KernelCode::finish() {
    for (auto& [path, file] : files_)
        if (file.listing.valid()) collect(file);
}

void KernelCode::load() {
    finish();
    start();
    finish();
}

}  // namespace camber
